"""The picture of replicas: which stand out, and where chance puts them."""

import numpy as np
import pytest

from charts.replicas import replicas
from kofn.consistency.words import describe_replicas, replicas_words

NUMBERS = np.array([1, 2, 3, 4])
RIGHT = np.array([0.5, 0.52, 0.8, 0.48])
BAND = np.array([0.4, 0.41, 0.42, 0.43]), np.array([0.6, 0.61, 0.62, 0.63])


def test_those_that_stand_out_are_filled_and_chance_is_a_bar() -> None:
    chance, odd, others = replicas(NUMBERS, RIGHT, BAND, {3}, 0, words=replicas_words()).data
    assert np.allclose(chance.base, 100 * BAND[0])
    assert np.allclose(chance.base + chance.y, 100 * BAND[1])
    assert list(odd.x) == [3]
    assert list(odd.y) == pytest.approx([80.0])
    assert list(others.x) == [1, 2, 4]
    assert list(others.y) == pytest.approx([50.0, 52.0, 48.0])
    assert odd.marker.symbol + "-open" == others.marker.symbol
    assert (odd.name, others.name) == ("stands out", "replica")


def test_the_axis_shows_all_of_them_and_the_description_the_ends() -> None:
    low, high = replicas(NUMBERS, RIGHT, BAND, (), 0, words=replicas_words()).layout.yaxis.range
    assert low < 40
    assert high > 80
    assert str(describe_replicas(RIGHT, {3})) == (
        "1 of 4 replicas stands out; accuracy ranges from 48.0% to 80.0%."
    )
