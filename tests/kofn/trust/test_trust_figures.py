"""The picture of Trust: a row for each run, its numbers where they belong."""

from pathlib import Path

import pytest

from charts.readings import ROWS, ReadingRow, readings
from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.trust.analysis import trust
from kofn.trust.doubts import doubts
from kofn.trust.figures import rows_of
from kofn.trust.words import describe_readings, most_moved_card, readings_words
from metrics import Outcomes
from metrics.data.results import Interval
from metrics.data.words import Text
from reports import Run, load

HEAD = Path(__file__).parents[2] / "data" / "verdicts" / "head_n4.zip"


@pytest.fixture(scope="module")
def cards():
    return doubts(index_runs([load(HEAD)]), View())


@pytest.mark.wide
def test_runs_stand_under_their_dataset_by_their_model(cards):
    rows = rows_of(cards)
    assert [row.name for row in rows] == ["atlas-8b", "brook-7b"] * 5
    blocks = [row.block for row in rows]
    assert blocks[::2] == blocks[1::2] == list(dict.fromkeys(blocks))
    for row in rows:
        (card,) = (c for c in cards if (c.run.model, c.run.dataset) == (row.name, row.block))
        found = card.found
        assert (row.judged, row.read) == (found.judged.value, found.read.value)
        assert row.interval == found.read.interval
        assert row.between == (found.least.value, found.most.value)
        assert str(row.detail).startswith(row.name)


def test_each_number_is_drawn_where_it_is(cards):
    rows = rows_of(cards)
    figure = readings(rows, 0.95, words=readings_words())
    judged, read = figure.data
    assert (judged.name, read.name) == ("As judged", "As its texts read")
    assert list(judged.x) == pytest.approx([100 * row.judged for row in rows])
    assert list(read.x) == pytest.approx([100 * row.read for row in rows])
    low = [row.read - row.interval.low for row in rows]
    high = [row.interval.high - row.read for row in rows]
    assert list(read.error_x.arrayminus) == pytest.approx([100 * each for each in low])
    assert list(read.error_x.array) == pytest.approx([100 * each for each in high])
    assert [(s.x0, s.x1, s.y0) for s in figure.layout.shapes] == [
        (100 * row.between[0], 100 * row.between[1], y)
        for row, y in zip(rows, judged.y, strict=True)
    ]
    assert list(judged.y) == list(read.y) == sorted({*judged.y})
    assert len(figure.layout.annotations) == 5
    assert "brook" in str(describe_readings(rows))


def test_of_very_many_runs_the_first_are_drawn():
    row = ReadingRow("", "a", 0.2, 0.4, Interval(0.3, 0.5), (0.4, 0.6), Text("told"))
    figure = readings([row] * (ROWS + 5), 0.9, words=readings_words())
    assert len(figure.data[0].x) == len(figure.layout.shapes) == ROWS
    assert "90% interval" in figure.layout.xaxis.title.text
    assert str(describe_readings([])) == "Chart without any run."
    assert str(describe_readings([row])) == (
        "1 run as judged and as its texts read; a changes most, from 20.0% to 40.0%."
    )


def test_the_card_to_open_with_is_the_one_that_is_moved_most():
    """Though the other has more questions."""
    moved = Run("7B", "t", Outcomes([[1, -1], [0, 1]] * 5))
    larger = Run("70B", "t", Outcomes([[1, 1], [0, 1]] * 20))
    cards = trust({"moved": moved, "larger": larger}, View())
    assert most_moved_card(cards).key == "moved"
