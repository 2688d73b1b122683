"""Which page of a long list is shown, and where in the list the open question is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kofn.questions.analysis import RunQuestions
from kofn.questions.filters import PAGE, QuestionFilter


def find_open(questions: RunQuestions, chosen: QuestionFilter, rows: NDArray[np.intp]) -> int:
    """Return where in the list the open question is, -1 if it is not there."""
    if chosen.open not in questions.names:
        return -1
    found = np.flatnonzero(rows == questions.names.index(chosen.open))
    return int(found[0]) if len(found) else -1


def count_pages(listed: int) -> int:
    """Return how many pages a list of so many questions has."""
    return -(-listed // PAGE)


def page_of(chosen: QuestionFilter, at: int, listed: int) -> int:
    """Return which page is shown, from 1: the chosen one, or else that of the open question.

    at: From `find_open`.
    listed: Questions of the list.
    """
    return min(chosen.page or max(at, 0) // PAGE + 1, count_pages(listed))


def first_of(page: int) -> int:
    """Return where in the list a page begins."""
    return (page - 1) * PAGE
