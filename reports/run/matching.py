"""Whether two runs answered the same questions."""

from __future__ import annotations

from collections.abc import Sequence

from reports.run.report import Run


def same_questions(a: Run, b: Run) -> bool:
    """Return whether equal ids of two runs of a dataset may be taken for the same question.

    Not where it is unknown which samples are of one question, nor where questions are only
    numbered and the runs have unlike numbers of them: then nothing tells which are left out.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> few, many = (Run("7B", "gsm8k", Outcomes([[1]] * count)) for count in (3, 4))
    >>> same_questions(few, few), same_questions(few, many)
    (True, False)
    """
    if a.outcomes is None or b.outcomes is None or "unknown" in (a.grouping, b.grouping):
        return False
    first, second = a.outcomes.questions, b.outcomes.questions
    return len(first) == len(second) or not (_are_numbers(first) and _are_numbers(second))


def _are_numbers(ids: Sequence[str]) -> bool:
    return (ids[0], ids[-1]) == ("0", str(len(ids) - 1))
