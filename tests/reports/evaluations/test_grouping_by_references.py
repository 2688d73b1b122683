"""An order of samples is taken where references are constant in it, but for one in ten."""

import numpy as np
import pytest

from reports.evaluations.verdicts.grouping import find_grouping


def references(questions, damaged, *, scrambled):
    """Of two samples a question, with one of the first questions' differing."""
    each = np.tile(np.arange(questions), 2) if scrambled else np.repeat(np.arange(questions), 2)
    for question in range(damaged):
        each[np.flatnonzero(each == question)[0]] = questions + question
    return each


@pytest.mark.parametrize("scrambled", [True, False])
@pytest.mark.parametrize(
    ("damaged", "taken"), [(0, True), (1, True), (2, True), (3, False), (8, False)]
)
def test_one_question_in_ten_may_have_references_that_differ(damaged, taken, scrambled):
    found = find_grouping(references(20, damaged, scrambled=scrambled), 20, 2, not scrambled)
    assert (found is not None) is taken
    if found:
        assert (found.scrambled, found.known, found.mixed) == (scrambled, "proven", damaged)


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (1, 1)])
@pytest.mark.parametrize("given", [None, np.arange(4)])
def test_one_question_or_one_sample_is_grouped_whatever_the_references(shape, given):
    found = find_grouping(given, *shape, assume_scrambled=True)
    assert (found.known, found.scrambled, found.mixed) == ("proven", False, 0)
