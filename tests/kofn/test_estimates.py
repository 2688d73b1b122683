"""Shares, differences and their intervals are written in one way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.writing.estimates import distinct_percents, percent, points, span


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ((0.5,), "50.0%"),
        ((None,), "N/A"),
        ((0.5, None, None), "50.0%"),
        ((0.661, 0.61, 0.712), "66.1% (61.0 to 71.2)"),
        ((0.5, 0.496, 0.504), "50.00% (49.60 to 50.40)"),
        ((1.0, 1.0, 1.0), "100.0% (100.0 to 100.0)"),
        ((0.0, 0.0, 1.0), "0.0% (0.0 to 100.0)"),
        ((-0.25, -0.5, 0.0), "−25.0% (−50.0 to 0.0)"),
        ((-0.0001,), "0.0%"),
    ],
)
def test_a_share_is_in_percent_with_its_interval(
    numbers: tuple[float | None, ...], shown: str
) -> None:
    assert str(percent(*numbers)) == shown


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ((0.082, 0.031, 0.13), "8.2 points (3.1 to 13.0)"),
        ((-0.082, -0.13, 0.031), "−8.2 points (−13.0 to 3.1)"),
        ((-0.00004,), "−0.004 points"),
        ((0.0,), "0.0 points"),
        ((None,), "N/A"),
    ],
)
def test_a_difference_is_in_points_with_a_true_minus(
    numbers: tuple[float | None, ...], shown: str
) -> None:
    assert str(points(*numbers)) == shown


def test_a_span_without_ends_is_nothing() -> None:
    assert (str(span(0.25, 0.5)), str(span(None, None))) == ("25.0 to 50.0%", "")


@given(st.floats(0, 1), st.floats(1e-6, 0.5))
def test_what_differs_never_prints_alike(low: float, width: float) -> None:
    first, last = distinct_percents(low, low + width)
    assert first != last
