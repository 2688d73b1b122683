"""The picture of ways to use k candidates: a line and a band each, named at its end."""

import numpy as np
import pytest

from charts.best_of_n import Course, best_of_n
from charts.theme import Stretch
from kofn.candidates.words import CANDIDATES_AXIS, describe_best_of_n
from metrics.data.words import Text


def course(name: str, number: int, *values: float, strong: bool = False) -> Course:
    right = np.array(values)
    k = 2 ** np.arange(len(values))
    return Course(Text(name), number, Stretch(k, right, right - 0.1, right + 0.1), strong)


COURSES = [course("oracle", 0, 0.4, 0.6, 0.7), course("a vote", 1, 0.4, 0.5, 0.55, strong=True)]


def test_each_way_is_a_band_below_a_line_in_its_colour() -> None:
    figure = best_of_n(COURSES, Text("Right, in percent"), k_axis=CANDIDATES_AXIS)
    first, second, oracle, vote = figure.data
    assert list(oracle.y) == pytest.approx([40, 60, 70])
    assert list(vote.y) == pytest.approx([40, 50, 55])
    assert sorted(set(np.round(first.y, 9))) == [30, 50, 60, 70, 80]
    assert oracle.line.color != vote.line.color
    assert vote.line.width > oracle.line.width
    assert {each.text for each in figure.layout.annotations} >= {"oracle", "<b>a vote</b>"}
    assert list(vote.x) == [1, 2, 4]
    assert second.fill


def test_one_point_has_an_interval_instead_of_a_band() -> None:
    *_, only = best_of_n([course("oracle", 0, 0.4)], Text("Right"), k_axis=CANDIDATES_AXIS).data
    assert only.error_y.array == pytest.approx([10])
    assert only.error_y.arrayminus == pytest.approx([10])


def test_the_best_at_the_end_is_described() -> None:
    said = str(describe_best_of_n(COURSES))
    assert "2 ways of picking: oracle ends highest, at 70.0% with 4" in said
