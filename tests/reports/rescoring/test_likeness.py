"""Likeness of texts and overlap of boxes, by their definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.rescoring.anls import anls, edits
from reports.rescoring.boxes import overlap
from tests.reports.evaluations.small_reports import WHERE


def slow_edits(first, second):
    if not first or not second:
        return len(first) + len(second)
    return min(
        slow_edits(first[1:], second[1:]) + (first[0] != second[0]),
        slow_edits(first[1:], second) + 1,
        slow_edits(first, second[1:]) + 1,
    )


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_edits_are_the_fewest(first, second):
    assert edits(first, second) == slow_edits(first, second)


@given(st.text("aB ", max_size=7), st.lists(st.text("aB ", max_size=7), min_size=1, max_size=3))
def test_likeness_follows_the_rule(answer, references):
    def distance(reference):
        right, said = (" ".join(t.strip().lower().split()) for t in (reference, answer.strip()))
        longer = max(len(reference), len(answer.strip()))
        return slow_edits(right, said) / longer if longer else 0

    score = 1 - min(map(distance, references))
    assert anls(answer, references) == pytest.approx(score if score >= 0.5 else 0)


@pytest.mark.parametrize(
    ("answer", "iou"),
    [
        ("[250, 250, 750, 500]", 1),
        ('{"bbox_2d": [250, 250, 500, 500]}', 0.5),
        ("[0, 0, 100, 100]", 0),
        ("[750, 500, 250, 250]", 0),
        ("[250.0, 250, 2000, 500]", 2 / 3),
        ("nothing", 0),
        ("[1, 2, 3]", 0),
    ],
)
def test_boxes_overlap(answer, iou):
    assert overlap(answer, WHERE) == pytest.approx(iou)
