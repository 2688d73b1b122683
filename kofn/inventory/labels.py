"""Labels by a person that came in, and what they are for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from metrics.data.words import Text
from reports.run.calibration import Calibration
from reports.run.report import Report


def labels_that_came(reports: Iterable[Report]) -> Iterator[Text]:
    """Yield what the tables of labels are.

    Examples
    --------
    >>> labels = Calibration("judged.csv", ["a"], {"human": np.array([[1.0, 0.0, np.nan]])})
    >>> for text in labels_that_came([Report("judged.csv", Text("x"), (), calibrations=(labels,))]):
    ...     print(text)
    judged.csv is a calibration set of a judge, with 2 labels by a person.
    """
    for report in reports:
        for labels in report.calibrations:
            if labels.spot_check:
                yield Text(
                    "{name} is a list that was filled in, with {count} label by a person.",
                    "{name} is a list that was filled in, with {count:,} labels by a person.",
                    count=_count(labels),
                    name=labels.name,
                )
            else:
                yield Text(
                    "{name} is a calibration set of a judge, with {count} label by a person.",
                    "{name} is a calibration set of a judge, with {count:,} labels by a person.",
                    count=_count(labels),
                    name=labels.name,
                )


def _count(labels: Calibration) -> int:
    of_samples = labels.columns.get("human", np.zeros(0))
    of_questions = labels.question_columns.get("human_group", np.zeros(0))
    return int((~np.isnan(of_samples)).sum() or (~np.isnan(of_questions)).sum())
