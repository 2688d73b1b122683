"""Figures hold the numbers they were given, and names cannot become markup."""

import json
import re
from gettext import NullTranslations

import numpy as np
import plotly.graph_objects as go
import pytest

from charts.dumbbell import DumbbellRow, dumbbell
from charts.forest import ROWS, ForestRow, forest
from charts.labels import label
from charts.theme import COLOURS, SYMBOLS, colour, line, symbol
from kofn.scorecard.words import describe_dumbbell, describe_forest, dumbbell_words, forest_words
from metrics.data.results import Interval
from metrics.data.words import Text, reading_in

HOSTILE = "<img src=x onerror=alert(1)>"


def row(
    block: str,
    name: str,
    value: float | None,
    width: float = 0.1,
    series: str | None = None,
    number: int = 0,
) -> ForestRow:
    interval = None if value is None else Interval(value - width / 2, value + width / 2)
    about = Text("about {name}", name=name)
    return ForestRow(block, name, series or name, value, interval, about, number)


def row_labels(figure: go.Figure) -> list[str]:
    return list(figure.layout.yaxis.ticktext)


def shown(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


def colours(figure: go.Figure) -> list[str]:
    return re.findall(r'"(?:#[0-9a-f]{3,8}|rgba?\([^"]*\)|white|black)"', figure.to_json())


def test_points_and_intervals_are_percent() -> None:
    figure = forest([row("avg@n", "7B", 0.25, 0.1)], 0.95, words=forest_words())
    (points,) = figure.data
    assert points.x == (25.0,)
    assert points.error_x.array == pytest.approx((5.0,))
    assert points.error_x.arrayminus == pytest.approx((5.0,))
    assert figure.layout.xaxis.title.text == "Value and 95% interval, in percent"


def test_the_axis_shows_all_of_0_to_100() -> None:
    axis = forest([row("", "7B", 0.25)], 0.95, words=forest_words()).layout.xaxis
    assert axis.range[0] <= 0 < 100 <= axis.range[1] <= 105
    assert axis.showgrid


def test_a_point_without_interval_is_only_a_point() -> None:
    (points,) = forest(
        [ForestRow("", "7B", "7B", 0.5, None, Text("x"), 0)], 0.95, words=forest_words()
    ).data
    assert points.error_x.array == points.error_x.arrayminus == (0.0,)


def test_contestants_are_sorted_and_the_first_is_marked() -> None:
    figure = forest([row("avg@n", "A", 0.2), row("avg@n", "B", 0.6)], 0.95, words=forest_words())
    assert row_labels(figure) == ["B", "A"]
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == 60.0


def test_metrics_of_one_run_keep_their_order() -> None:
    rows = [row("", "avg@4", 0.2, series="7B"), row("", "pass@4", 0.6, series="7B")]
    figure = forest(rows, 0.95, words=forest_words())
    assert row_labels(figure) == ["avg@4", "pass@4"]
    assert not figure.layout.shapes
    assert len(figure.data) == 1


def test_a_series_keeps_its_colour_from_block_to_block() -> None:
    rows = [
        row(block, name, value)
        for block, value in [("avg@n", 0.2), ("pass@4", 0.5)]
        for name in ("A", "B")
    ]
    assert [len(trace.x) for trace in forest(rows, 0.95, words=forest_words()).data] == [2, 2]


def test_rows_meet_their_labels() -> None:
    figure = forest([row("avg@n", "A", 0.2), row("avg@n", "B", 0.6)], 0.95, words=forest_words())
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    assert {trace.name: labels[trace.y[0]] for trace in figure.data} == {"A": "A", "B": "B"}


def test_a_row_without_value_says_why() -> None:
    reason = Text("N/A: pass@8 needs 8 samples.")
    undefined = ForestRow("pass@8", "A", "A", None, None, reason, 1)
    figure = forest([undefined, row("pass@8", "B", 0.4)], 0.95, words=forest_words())
    assert "N/A: pass@8 needs 8 samples." in shown(figure)
    assert row_labels(figure) == ["B", "A"]
    assert [len(trace.x) for trace in figure.data] == [0, 1]


def test_the_height_grows_with_the_rows() -> None:
    heights = [
        forest(
            [row("avg@n", f"m{i}", 0.5) for i in range(runs)], 0.95, words=forest_words()
        ).layout.height
        for runs in (1, 5, 20, 40)
    ]
    assert heights == sorted(set(heights))
    assert 100 < heights[0] < 250
    assert heights[-1] < 1500


def test_too_many_rows_are_left_out_aloud() -> None:
    figure = forest(
        [row("avg@n", f"m{i}", 0.5) for i in range(ROWS + 2)], 0.95, words=forest_words()
    )
    assert len(row_labels(figure)) == ROWS
    assert figure.layout.title.text.startswith("2 more estimates are not drawn")


def test_no_rows_make_an_empty_figure() -> None:
    assert not forest([], 0.95, words=forest_words()).data
    assert "without any estimate" in str(describe_forest([], 0.95))


def test_names_are_letters_and_not_markup() -> None:
    rows = [row(HOSTILE, HOSTILE, 0.5), row(HOSTILE, HOSTILE, None, series="other")]
    pairs = [DumbbellRow(HOSTILE, HOSTILE, 0.1, 0.2, Text("{name}", name=HOSTILE))]
    for figure in (
        forest(rows, 0.95, words=forest_words()),
        dumbbell(pairs, words=dumbbell_words()),
    ):
        assert "<img" not in json.dumps(figure.to_dict(), default=str)
        assert "&lt;img" in "".join(row_labels(figure))


def test_figures_leave_all_but_what_they_show_to_the_theme() -> None:
    rows = [row("avg@n", "A", 0.2, number=4), row("avg@n", "B", 0.6, number=2)]
    pairs = [DumbbellRow("", "avg@n", 0.1, 0.2, Text("same"))]
    known = {'"rgba(128, 128, 128, 0.7)"'}
    for figure, runs in (
        (forest(rows, 0.95, words=forest_words()), {f'"{colour(n)}"' for n in (2, 4)}),
        (dumbbell(pairs, words=dumbbell_words()), {f'"{colour(n)}"' for n in (0, 1)}),
    ):
        figure.layout.template = None
        assert set(colours(figure)) == known | runs


def test_colour_and_marker_together_repeat_late() -> None:
    looks = [(colour(number), symbol(number)) for number in range(71)]
    assert len(set(looks)) == 70
    assert looks[70] == looks[0]


def test_markers_are_filled_and_known_to_plotly() -> None:
    for number in range(len(SYMBOLS)):
        go.scatter.Marker(symbol=symbol(number))
        go.scatter.Marker(symbol=symbol(number, filled=False))
        assert not symbol(number).endswith("-open")


@pytest.mark.parametrize("points", [3, 24, 25, 500])
def test_a_line_shows_the_marker_of_its_run_however_long_it_is(points: int) -> None:
    drawn = line(np.arange(points), np.ones(points), colour(1), marked=symbol(1))
    assert "markers" in drawn.mode
    assert drawn.marker.symbol == "square"
    assert 0 < drawn.marker.maxdisplayed <= 30


class Quoted(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"«{message}»"


def test_words_are_in_the_reader_s_language() -> None:
    pairs = [DumbbellRow("", "avg@n", 0.1, 0.2, Text("same"))]
    with reading_in(Quoted()):
        figure = forest([row("", "A", 0.2)], 0.9, words=forest_words())
        names = [trace.name for trace in dumbbell(pairs, words=dumbbell_words()).data]
    assert figure.layout.xaxis.title.text == "«Value and 90% interval, in percent»"
    assert figure.data[0].hovertext == ("«about A»",)
    assert names == ["«Reported in the file»", "«Recomputed from its samples»"]


def test_names_in_words_cannot_reorder_a_line() -> None:
    pairs = [DumbbellRow("", "avg@n", 0.1, 0.2, Text("as {name}", name="\u202e7B"))]
    figure = dumbbell(pairs, words=dumbbell_words())
    assert {each for trace in figure.data for each in trace.hovertext or ()} == {r"as \u202e7B"}


def test_a_dumbbell_joins_reported_and_recomputed() -> None:
    figure = dumbbell(
        [
            DumbbellRow("7B / gsm8k", "pass@4", 0.97, 0.84, Text("scrambled")),
            DumbbellRow("7B / gsm8k", "avg@4", 0.5, 0.5, Text("same")),
        ],
        words=dumbbell_words(),
    )
    reported, recomputed = figure.data
    assert {reported.marker.color, recomputed.marker.color} == {*COLOURS[:2]}
    assert reported.x == pytest.approx((97.0, 50.0))
    assert recomputed.x == pytest.approx((84.0, 50.0))
    assert reported.y == recomputed.y
    assert figure.layout.shapes[0].x0 == pytest.approx(97.0)
    assert figure.layout.shapes[0].x1 == pytest.approx(84.0)


def test_descriptions_hold_the_numbers_that_matter() -> None:
    rows = [row("", "A", 0.2), row("", "B", 0.6), row("", "C", None)]
    assert "2 estimates with their 95% intervals, from 20.0% to 60.0%" in str(
        describe_forest(rows, 0.95)
    )
    pairs = [
        DumbbellRow("", "pass@4", 0.97, 0.84, Text("x")),
        DumbbellRow("", "avg@4", 0.5, 0.5, Text("x")),
    ]
    assert "differ most for pass@4: 97.0% against 84.0%" in str(describe_dumbbell(pairs))


@pytest.mark.parametrize("width", [10, 11, 40])
def test_a_long_name_keeps_both_ends(width: int) -> None:
    name = "".join(chr(ord("a") + i % 26) for i in range(200))
    short = label(name, width)
    assert len(short) == width
    head, tail = short.split("…")
    assert name.startswith(head)
    assert name.endswith(tail)
