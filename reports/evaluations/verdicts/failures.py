"""Details that hold only the wrong samples, as BFCL does for function calls.

Of n samples a question, they are those of the first samples of all questions, then those of the
second and so on, cut into rows of n whatever they belong to; so their number is a multiple of n,
or the evaluation fails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.grouping import Grouping

MAX_SAMPLES = 10_000_000
"""Of a dataset; a larger count is not believed."""

_COUNT = re.compile(r"(correct|total)_count(?: \((\d{1,6}) runs average\))?")
_NUMBER = re.compile(r"_(\d{1,7})(?:-\d+)*")
_SILENT = "irrelevance"
"""In the names of questions to which it is right to call nothing; an empty answer is right."""


def keeps_failures(evaluator: str | None) -> bool:
    """Return whether an evaluator keeps the wrong samples only."""
    return (evaluator or "").startswith("BFCL")


class Totals(NamedTuple):
    """How many questions there are, how many samples of each, and how many of all are right."""

    questions: int
    n: int
    right: int | None


def totals_of(content: Mapping[str, Any], expected: int = 1) -> Totals | None:
    """Return what a results file counts; None if it does not count.

    expected: Samples of each question where the file does not say, as when all are right.

    Examples
    --------
    >>> totals_of({"correct_count (4 runs average)": 1.75, "total_count (4 runs average)": 3.0})
    Totals(questions=3, n=4, right=7)
    """
    totals = {
        match[1]: (value, int(match[2] or 0))
        for key, value in content.items()
        if (match := _COUNT.fullmatch(key)) and type(value) in (int, float)
    }
    questions, stated = totals.get("total", (0, 0))
    right, _ = totals.get("correct", (None, 0))
    n = stated or (expected if right == questions else 1)
    if not 0 < questions * n <= MAX_SAMPLES or questions != round(questions):
        return None
    if right is None or not 0 <= right <= questions or abs(right * n - round(right * n)) > 1e-6:
        return Totals(round(questions), n, None)
    return Totals(round(questions), n, round(right * n))


def grade_failures(content: Mapping[str, Any], expected: int = 1) -> Grades | None:
    """Grade every sample that is not among the wrong ones as right.

    content: Results with counts and, unless all are right, ``details`` of the wrong samples.
    expected: Samples of each question where the file does not say.
    Returns: None if the counts do not say that the others are right, or names do not tell which of
    several samples belong to one question.

    Examples
    --------
    >>> totals = {"correct_count (2 runs average)": 1.0, "total_count (2 runs average)": 2.0}
    >>> row = {"id": ["simple_1", "simple_1"], "correct": [False, False]}
    >>> grade_failures(totals | {"details": [row]}).verdicts.tolist()
    [[1, 1], [0, 0]]
    """
    totals, details = totals_of(content, expected), content.get("details", [])
    if totals is None or not isinstance(details, list):
        return None
    names = _names(details, totals.n)
    held = totals.questions * totals.n - len(names or ())
    if names is None or totals.right != held or (totals.n > 1 and "" in names):
        return None
    numbers = _numbers(names, totals.questions)
    questions = _in_order(names, totals.n) if numbers is None else numbers
    wrong = np.bincount(questions, minlength=totals.questions)
    if len(wrong) > totals.questions or wrong.max() > totals.n:
        return None
    samples = None if numbers is None else _samples(numbers, totals.n)
    verdicts = np.ones((totals.questions, totals.n), dtype=np.int8)
    if samples is not None:
        verdicts[questions, samples] = 0
    else:
        silent = any(_SILENT in name for name in names)
        order = np.arange(totals.n)[:: 1 if silent else -1]
        verdicts[order < wrong[:, None]] = 0
    return Grades(
        verdicts,
        None,
        None,
        None,
        Grouping(verdicts.shape),
        judged=True,
        remark=_remark(
            len(names),
            verdicts.size,
            numbers is not None,
            samples is not None or totals.n == 1 or not names,
        ),
        by_id=numbers is not None,
        wrong_only=True,
    )


def _names(details: Sequence[Any], n: int) -> list[str] | None:
    """Return the name of each sample's question, or ""; None if a sample is not a wrong one."""
    names: list[str] = []
    for row in details:
        if not isinstance(row, Mapping) or row.get("correct") not in (False, [False] * n):
            return None
        match row.get("id"):
            case str(name):
                names += [name] * n
            case [*given] if len(given) == n and all(isinstance(name, str) for name in given):
                names += given
            case _:
                names += [""] * n
    return names


def _numbers(names: Sequence[str], questions: int) -> list[int] | None:
    """Return the numbers in names such as ``simple_12`` or ``live_simple_3-2-1``.

    None if they do not tell the questions apart.
    """
    found = [_NUMBER.search(name[name.rfind("_") :]) if "_" in name else None for name in names]
    numbers = [int(one[1]) for one in found if one is not None]
    known = len(numbers) == len(names) and max(numbers, default=0) < questions
    return numbers if known and len({*names}) == len({*numbers}) else None


def _in_order(names: Sequence[str], n: int) -> list[int]:
    """Return a number for each name, in their order; of one sample each, that of the row."""
    if n == 1:
        return list(range(len(names)))
    places: dict[str, int] = {}
    return [places.setdefault(name, len(places)) for name in names]


def _samples(numbers: Sequence[int], n: int) -> NDArray[np.intp] | None:
    """Return which sample of its question each is, as questions ascend within a replica.

    None if they are not n ascending runs: one may go on where another ends.
    """
    steps = np.diff(np.array(numbers, dtype=np.intp), prepend=-1)
    samples = np.cumsum(steps <= 0, dtype=np.intp)
    return samples if len(samples) and samples[-1] == n - 1 else None


def _remark(wrong: int, samples: int, by_id: bool, in_order: bool) -> Text:
    which = (
        Text(
            "The details hold only the {wrong} wrong samples; the others of {total} are right.",
            wrong=wrong,
            total=samples,
        )
        if by_id
        else Text(
            "The details hold only the {wrong} wrong samples of {total}, without their "
            "questions. kofn lists them first, so do not compare single questions of this run "
            "with another run.",
            wrong=wrong,
            total=samples,
        )
    )
    if in_order:
        return which
    return Text(
        "{which} It is certain how many samples of a question are wrong, but not which.",
        which=which,
    )
