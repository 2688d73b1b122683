"""Numbers in the cells of tables; empty where there are none."""

from __future__ import annotations

from kofn.writing.estimates import percent, points
from metrics.analyses.compare.difference import Difference
from metrics.data.results import Estimate
from pages.shared.translating import plain


def estimate_cell(found: Estimate | None) -> str:
    """Write a share with its interval."""
    return "" if found is None else plain(percent(found.value, *(found.interval or ())))


def difference_cell(found: Estimate | Difference | None) -> str:
    """Write a difference with its interval."""
    return "" if found is None else plain(points(found.value, *(found.interval or ())))
