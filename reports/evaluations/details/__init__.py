"""The details of a results file, in any layout, as flat columns with one value per sample.

==================================  ===========================================================
n = 1                               a dict of numbered entries, each field a list of one; in
                                    older versions a scalar
nothing kept by the evaluator       a dict of numbered entries, one a sample, question by
                                    question; texts only, no verdict
n > 1                               a list of questions, each field a list of n
multiple choice of one's own        the same, also for n = 1
==================================  ===========================================================
"""

from reports.evaluations.details.flat import Details, read_details
from reports.evaluations.details.table import DetailTable

__all__ = ["DetailTable", "Details", "read_details"]
