"""Details that hold the wrong samples only, as those of the function calls of BFCL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics.words import Text
from reports.aisbench.grading import Grades
from reports.aisbench.grouping import Grouping

MAX_QUESTIONS = 1_000_000
"""Of a dataset; a larger count is not believed."""

_NUMBER = re.compile(r"_(\d{1,7})(?:-\d+)*")


def grade_failures(content: Mapping[str, Any]) -> Grades | None:
    """Grade every question that is not among the wrong ones as right.

    Parameters
    ----------
    content : mapping of str to object
        Results of one sample a question, with ``correct_count``, ``total_count`` and, unless all
        are right, ``details`` of the others.

    Returns
    -------
    Grades or None
        None if the counts do not say that the others are right.

    Examples
    --------
    >>> row = {"id": ["simple_1"], "correct": [False]}
    >>> found = grade_failures({"correct_count": 2.0, "total_count": 3.0, "details": [row]})
    >>> found.verdicts.ravel().tolist()
    [1, 0, 1]
    """
    right, total = (_count(content.get(key)) for key in ("correct_count", "total_count"))
    details = content.get("details", [])
    if right is None or not total or not isinstance(details, list):
        return None
    if len(details) + right != total or not all(map(_is_wrong, details)):
        return None
    wrong = {number for row in details if (number := _number(row)) is not None and number < total}
    known = len(wrong) == len(details)
    verdicts = np.ones((total, 1), dtype=np.int8)
    verdicts[sorted(wrong) if known else np.arange(len(details))] = 0
    remark = (
        Text(
            "The details hold the {wrong} wrong samples only; the others of {total} are right.",
            wrong=len(details),
            total=total,
        )
        if known
        else Text(
            "The details hold the {wrong} wrong samples of {total} only, and not which questions "
            "they are; they stand first here, so do not compare the questions of this run with "
            "those of another.",
            wrong=len(details),
            total=total,
        )
    )
    order = Grouping((total, 1))
    return Grades(verdicts, None, None, None, order, judged=True, remark=remark, by_id=known)


def _count(value: Any) -> int | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if whole and 0 <= value <= MAX_QUESTIONS and value == int(value) else None


def _is_wrong(row: Any) -> bool:
    return isinstance(row, Mapping) and row.get("correct") in (False, [False])


def _number(row: Mapping[str, Any]) -> int | None:
    """Return the number in an id such as ``simple_12`` or ``live_simple_3-2-1``."""
    match row.get("id"):
        case str(name) | [str(name)]:
            found = _NUMBER.search(name[name.rfind("_") :]) if "_" in name else None
            return int(found[1]) if found else None
    return None
