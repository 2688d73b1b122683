"""Files of evaluation harnesses in, runs with their outcomes out."""

from reports.combining import combine
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.labelling import add_labels
from reports.loading import load, load_calibration
from reports.readings.audit import Audit, audit
from reports.run.calibration import Calibration
from reports.run.doubles import find_doubles
from reports.run.matching import Match, match
from reports.run.ordering import Order, find_orders, order_by
from reports.run.reconcile import Comparison, reconcile, reconcile_suite
from reports.run.report import Report, Run, Suite
from reports.run.settings import Differing, differing_settings
from reports.run.states import States

__all__ = [
    "Audit",
    "Calibration",
    "Comparison",
    "Differing",
    "LoadError",
    "Match",
    "Note",
    "Order",
    "Report",
    "Run",
    "States",
    "Suite",
    "add_labels",
    "audit",
    "combine",
    "differing_settings",
    "find_doubles",
    "find_orders",
    "load",
    "load_calibration",
    "match",
    "order_by",
    "reconcile",
    "reconcile_suite",
]
