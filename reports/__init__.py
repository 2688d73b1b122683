"""Files of evaluation harnesses in, runs with their outcomes out."""

from reports.errors import LoadError
from reports.loading import load
from reports.reconcile import Comparison, reconcile, reconcile_suite
from reports.report import Note, Report, Run, Suite

__all__ = [
    "Comparison",
    "LoadError",
    "Note",
    "Report",
    "Run",
    "Suite",
    "load",
    "reconcile",
    "reconcile_suite",
]
