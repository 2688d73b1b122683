"""Pictures of comparisons: what is drawn where, and what is left open."""

from dataclasses import replace

import numpy as np
import pytest

from charts.differences import Gap, differences
from charts.lead_over_k import lead_over_k
from charts.pairs import WRITTEN, PairCell, pairs
from charts.ranks import RankRow, ranks
from charts.theme import Stretch
from kofn.compare.words import (
    describe_differences,
    describe_lead_over_k,
    describe_pairs,
    describe_ranks,
)
from kofn.writing.estimates import K_AXIS
from metrics.data.results import Interval
from metrics.data.words import Text

TITLE = Text("less the baseline")


def gap(value, low=None, high=None, name="a"):
    interval = None if low is None else Interval(low, high)
    return Gap("", name, value, interval, Text("told"), 0)


def test_a_difference_is_filled_where_its_interval_leaves_out_0():
    figure = differences([gap(0.1, 0.02, 0.2), gap(0.1, -0.02, 0.2), gap(-0.3, -0.5, -0.1)], TITLE)
    assert [trace.marker.symbol for trace in figure.data] == ["circle", "circle-open", "circle"]
    assert [trace.x[0] for trace in figure.data] == pytest.approx([10, 10, -30])
    low, high = figure.layout.xaxis.range
    assert low == -high
    assert high > 50
    assert figure.layout.showlegend is False  # a row has its name already
    assert "2 leave out 0" in str(
        describe_differences([gap(0.1, 0.02, 0.2), gap(-0.3, -0.5, -0.1)])
    )


def test_a_very_long_hint_is_cut():
    figure = differences([replace(gap(0.1, 0.02, 0.2), detail=Text("words " * 500))], TITLE)
    assert 300 < len(figure.data[0].hovertext[0].replace("<br>", "")) <= 400


def test_what_has_no_difference_says_why():
    figure = differences([gap(None, name="<b>x</b>"), gap(0.1)], TITLE)
    texts = [note.text for note in figure.layout.annotations]
    assert "told" in texts
    (told,) = figure.select_annotations({"text": "told"})
    assert (told.x, told.xref) == (0, "x domain")  # at the left end, not at zero in the middle
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;x&lt;/b&gt;"
    assert len(figure.data) == 1
    assert not differences([], TITLE).data


def test_ranks_are_bars_from_the_first_to_the_last():
    places = [
        RankRow("a", 1, 1, 1, Text("a"), 0, base=False),
        RankRow("b", 2, 4, 2, Text("b"), 1, base=True),
    ]
    figure = ranks(places, TITLE)
    bar, dot = figure.data[2:]
    assert (bar.x[0], bar.x[-1]) == pytest.approx((2, 4), abs=0.2)
    assert dot.marker.symbol == "diamond"
    assert "1 have a single one" in str(describe_ranks(places))


def test_the_line_at_0_is_in_view_and_the_band_is_there():
    k = np.array([1, 2, 4])
    stretch = Stretch(k, np.array([0.2, 0.15, 0.1]), np.array([0.1, 0.1, 0.05]), np.full(3, 0.3))
    figure = lead_over_k(stretch, 0, TITLE, (Text("b better"), Text("a better")), k_axis=K_AXIS)
    assert figure.layout.yaxis.range[0] < 0
    _band, solid = figure.data
    assert list(solid.y) == pytest.approx([20, 15, 10])
    assert "20.0 points at k = 1, 10.0 at k = 4" in str(describe_lead_over_k(stretch, "pass@k"))
    one = Stretch(k[:1], stretch.value[:1], stretch.low[:1], stretch.high[:1])
    (single,) = lead_over_k(one, 0, TITLE, (Text("b"), Text("a")), k_axis=K_AXIS).data
    assert (*single.error_y.array, *single.error_y.arrayminus) == pytest.approx((10, 10))


@pytest.mark.parametrize("runs", [2, WRITTEN, WRITTEN + 1, 50])
def test_all_pairs_have_a_cell_and_few_have_their_number(runs):
    cells = [
        PairCell(i, j, (j - i) / 100, abs(i - j) > 1, f"{j - i}", Text("told"))
        for i in range(runs)
        for j in range(runs)
        if i != j
    ]
    figure = pairs(cells, [f"m{i}" for i in range(runs)])
    assert figure.layout.xaxis.fixedrange, "names stay in sight"
    assert figure.layout.yaxis.fixedrange, "names stay in sight"
    sure, unsure, *written = figure.data
    assert len(written) == (runs <= WRITTEN)
    assert (sure.texttemplate is not None) == (runs <= WRITTEN)
    assert unsure.texttemplate is None  # a heatmap would write white on what is pale
    for numbers in written:
        assert numbers.type == "scatter"
        assert len(numbers.text) == sum(not cell.sure for cell in cells)
    drawn = [np.isfinite(np.asarray(trace.z, dtype=float)).sum() for trace in (sure, unsure)]
    assert sum(drawn) == min(runs, 40) * (min(runs, 40) - 1)
    assert f"{len(cells) // 2:,} pairs" in str(describe_pairs(cells, runs))
    assert (sure.zmin, sure.zmax) == pytest.approx((1 - min(runs, 40), min(runs, 40) - 1))
    alike = pairs([replace(cell, value=0.0) for cell in cells], list("ab")).data[0]
    assert (alike.zmin, alike.zmax) == (-100, 100)
