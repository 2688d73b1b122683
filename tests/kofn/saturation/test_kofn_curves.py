"""A curve is the library's, on the page, in the command and in files."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from charts.axes import doublings
from charts.labels import label
from charts.saturation import FAINT, saturation
from charts.theme import colour
from kofn.card import names
from kofn.choices.view import View
from kofn.command import main
from kofn.saturation.analysis import CurveSpan, known_points, ks_to_trace, reasons_of, trace_runs
from kofn.saturation.columns import EVERY_POINT, LISTED, points_to_read
from kofn.saturation.figures import axis_title, growths, picture
from kofn.saturation.words import describe_saturation, difference_in_words, saturation_words
from metrics import ABSENT, Outcomes, curve, extrapolate
from metrics.analyses.saturation.independent_tries import independent_curve
from reports.run.report import Run
from tests.reports.tables.outcome_tables import write_table


def outcomes(m=40, n=8, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.beta(0.6, 0.8, (m, 1))).astype(np.int8)


def traced(correct, view=None, span=None, **columns):
    run = Run("7B", "maths", Outcomes(correct, **columns))
    (found,) = trace_runs({"7B / maths": run}, view or View(), span or CurveSpan())
    return found


def values(found, source):
    return {point.k: point.value for point in known_points(found) if point.source == source}


@pytest.mark.wide
@pytest.mark.parametrize("metric", ["pass@k", "pass^k", "maj@k"])
def test_a_curve_is_measured_up_to_n_and_modelled_beyond(metric):
    correct = outcomes()
    found = traced(correct, View(metric=metric, level=0.9))
    ks = ks_to_trace(metric, 8, 128)
    measured = curve(correct, metric, ks[ks <= 8].tolist(), confidence_level=0.9)
    beyond = extrapolate(Outcomes(correct), metric, ks[ks > 8].tolist(), confidence_level=0.9)
    alike = independent_curve(correct, metric, ks.tolist())
    points = {point.k: point for point in known_points(found)}
    assert list(points) == ks.tolist()
    assert values(found, "measured") == dict(zip(measured.k.tolist(), measured.value, strict=True))
    assert values(found, "model") == dict(zip(beyond.k.tolist(), beyond.value, strict=True))
    assert [points[k].alike for k in points] == alike.value.tolist()
    assert (points[5].low, points[5].high) == (
        measured.low[measured.k == 5],
        measured.high[measured.k == 5],
    )
    last = points[ks[-1]]
    bounds = (beyond.bound_low[-1], beyond.bound_high[-1])
    assert metric == "maj@k" or (last.bound_low, last.bound_high) == bounds


def test_the_gain_is_that_of_one_more_try():
    found = {point.k: point for point in known_points(traced(outcomes(), span=CurveSpan(64)))}
    assert found[3].gain == pytest.approx(found[4].value - found[3].value)
    assert found[32].gain == pytest.approx(found[33].value - found[32].value)
    assert found[8].gain is None
    assert found[64].gain is None


def test_a_vote_has_odd_k_unless_others_are_asked_for():
    assert not any(k % 2 == 0 for k in ks_to_trace("maj@k", 300, 5000))
    assert 4 in ks_to_trace("maj@k", 8, 128, (4,))


@pytest.mark.parametrize("n", [1, 2, 5, 64, 100, 1000])
def test_the_k_of_a_curve_ascend_within_reach_and_hold_both_ends(n):
    ks = ks_to_trace("pass@k", n, 16 * n)
    assert (np.diff(ks) > 0).all()
    assert {1, n, 16 * n} <= set(ks.tolist())
    assert len(ks) < 500


def test_beyond_16_n_there_are_only_bounds_and_the_reason():
    found = traced(outcomes(), span=CurveSpan(512))
    assert {point.source for point in known_points(found) if point.k > 128} == {"bounds"}
    assert "16 times" in " ".join(map(str, reasons_of(found)))


def test_one_sample_is_a_point_and_says_what_a_curve_takes():
    found = traced(outcomes(n=1))
    assert list(values(found, "measured")) == [1]
    assert not values(found, "model")
    assert "A model needs at least 2" in str(reasons_of(found)[0])


@pytest.mark.wide
@pytest.mark.parametrize("correct", [np.ones((30, 4), int), np.zeros((30, 4), int)])
def test_all_right_and_none_right_are_drawn(correct):
    found = traced(correct)
    assert set(values(found, "measured").values()) == {float(correct[0, 0])}
    assert drawn([found])[0].data


def test_one_question_is_measured_and_not_carried_on():
    found = traced(outcomes(m=1))
    assert len(values(found, "measured")) == 8
    assert not values(found, "model")
    assert "too few" in " ".join(map(str, reasons_of(found)))


def test_ragged_samples_are_measured_up_to_the_fewest():
    correct = outcomes()
    correct[3, 5:] = ABSENT
    found = traced(correct)
    assert found.found.n == 5
    assert max(values(found, "measured")) == 5


def test_a_metric_that_cannot_be_carried_on_stops_at_n():
    rng = np.random.default_rng(0)
    scores = rng.random((20, 4))
    found = traced((scores > 0.5).astype(int), View(metric="soft-max@k"), scores=scores)
    assert max(point.k for point in known_points(found)) == 4
    assert [str(reason) for reason in reasons_of(found)] == [
        "soft-max@k is not extrapolated beyond the samples."
    ]


@pytest.mark.parametrize("metric", ["avg@n", "plurality@k", "soft-max@k"])
def test_a_metric_without_a_curve_says_why(metric):
    found = traced(outcomes(), View(metric=metric))
    assert not known_points(found)
    assert reasons_of(found)


def test_a_run_without_verdicts_says_so():
    (found,) = trace_runs({"a": Run("7B", "maths", None)}, View(), CurveSpan())
    (row,) = LISTED.rows([found])
    assert row["k"] is None
    assert "does not say which samples were right" in row["reason"]


def test_listed_are_doublings_n_and_the_last():
    found = traced(outcomes(n=6), span=CurveSpan(50))
    assert [point.k for point in points_to_read(found)] == [1, 2, 4, 6, 8, 16, 32, 50]
    asked = traced(outcomes(n=6), View(k=(3, 20)))
    assert [point.k for point in points_to_read(asked)] == [3, 20]


def test_the_gap_to_equally_hard_questions_is_told():
    correct = np.repeat([[1], [0]], 20, axis=0) * np.ones((1, 8), int)
    told = str(difference_in_words([traced(correct)]))
    assert "99.6% at k = 8; measured is 50.0%" in told


def test_the_frame_has_a_row_for_every_k_and_run():
    found = traced(outcomes())
    table = EVERY_POINT.frame([found])
    assert table["k"].tolist() == [point.k for point in known_points(found)]
    assert table["value"].tolist() == [point.value for point in known_points(found)]


# The figure


def drawn(found, banded=None, logarithmic=True):
    """The figure of some curves, by default all with bands, and what it was made of."""
    keys = [each.key for each in found]
    numbers = {key: number for number, key in enumerate(keys)}
    parts = growths(found, numbers, keys if banded is None else banded)
    return saturation(
        parts, axis_title(found), logarithmic=logarithmic, words=saturation_words()
    ), parts


def figure(logarithmic=True, runs=1, banded=None, **settings):
    found = [
        replace(traced(outcomes(seed=seed), **settings), key=str(seed)) for seed in range(runs)
    ]
    return *drawn(found, banded, logarithmic), found


def strong(traces):
    return [trace for trace in traces if trace.opacity in (None, 1)]


def test_measured_is_solid_and_beyond_is_dashed():
    chart, _parts, (found,) = figure()
    lines = {trace.line.dash: trace for trace in chart.data if trace.hoverinfo == "text"}
    assert lines[None].y == pytest.approx([100 * v for v in values(found, "measured").values()])
    assert lines["dash"].y == pytest.approx([100 * v for v in values(found, "model").values()])
    highs = [
        100 * point.bound_high for point in known_points(found) if point.bound_high is not None
    ]
    assert lines["dot"].y == pytest.approx(highs)
    (alike,) = (trace for trace in chart.data if trace.opacity == 0.5)
    given = {point.k: 100 * point.alike for point in known_points(found) if point.alike is not None}
    assert dict(zip(alike.x, alike.y, strict=True)) == pytest.approx(given)
    lows = [100 * point.bound_low for point in known_points(found) if point.bound_low is not None]
    dotted = [trace.y for trace in chart.data if trace.line.dash == "dot"]
    assert any(list(y) == pytest.approx(lows) for y in dotted if len(y) == len(lows))
    bands = [y for trace in chart.data if trace.fill == "toself" for y in trace.y if y is not None]
    ends = [
        100 * end
        for point in known_points(found)
        for end in (point.low, point.high, point.bound_low, point.bound_high)
        if end is not None
    ]
    assert {*np.round(bands, 6)} <= {*np.round(ends, 6)}


def test_what_is_possible_is_what_is_seen_where_it_is_much():
    """Limits more than .15 apart are drawn strong, the model's line and its band faint."""
    found = traced(np.minimum(1, outcomes(600) + np.arange(600)[:, None] % 3 % 2))
    chart, (part,) = drawn([found])
    modelled = [point for point in known_points(found) if point.source == "model"]
    near = [point.k for point in modelled if point.bound_high - point.bound_low <= 0.15]
    assert near
    assert len(near) < len(modelled)
    (line,) = strong(t for t in chart.data if t.line.dash == "dash" and t.showlegend is False)
    seen = [k for k, y in zip(line.x, line.y, strict=True) if not np.isnan(y)]
    assert seen == near
    (faint,) = (t for t in chart.data if t.line.dash == "dash" and t.opacity == FAINT)
    assert len(faint.x) == len(modelled)
    possible, around, sure, _measured = (t for t in chart.data if t.fill == "toself")
    alpha = {id(t): float(t.fillcolor.split(",")[-1][:-1]) for t in (possible, around, sure)}
    assert alpha[id(possible)] == alpha[id(sure)] >= 4 * alpha[id(around)]
    assert sorted(set(sure.x)) == near
    assert len(strong(t for t in chart.data if t.line.dash == "dot" and t.showlegend is False)) == 2
    assert part.firm.tolist() == [point.firm for point in modelled]


@pytest.mark.parametrize(("chosen", "banded"), [((), "1"), (("2",), "2")])
def test_the_highest_has_bands_unless_another_is_chosen(chosen, banded):
    solved = outcomes()
    found = [
        replace(traced(correct, span=CurveSpan(banded=chosen)), key=str(number))
        for number, correct in enumerate((solved * 0, np.maximum(solved, solved[::-1]), solved))
    ]
    bands = [
        trace for trace in picture(found, {"0": 0, "1": 1, "2": 2}).data if trace.fill == "toself"
    ]
    assert {trace.name for trace in bands} == {banded}


@pytest.mark.wide
def test_only_the_chosen_have_bands_and_all_have_a_name_at_their_end():
    chart, _parts, found = figure(runs=3, banded=["1"])
    bands = [trace for trace in chart.data if trace.fill == "toself"]
    assert {trace.name for trace in bands} == {label(names(found)[1])}
    said = chart.layout.annotations
    assert [note.text for note in said] == ["0", "<b>1</b>", "2"]
    assert [note.font.color for note in said] == [colour(number) for number in range(3)]
    clicked = {t.customdata[0] for t in chart.data if t.customdata is not None and t.name}
    assert clicked == {0, 1, 2}


def test_the_pointer_shows_value_interval_and_gain():
    chart, _parts, (found,) = figure()
    (solid,) = (t for t in chart.data if t.hoverinfo == "text" and t.line.dash is None)
    name, number, gain = solid.hovertext[1].split("<br>")
    point = known_points(found)[1]
    assert name == "7B"
    assert number.startswith(f"pass@2 = {point.value:.1%} (")
    assert gain == f"One more try: {100 * point.gain:.1f} points"


@pytest.mark.wide
def test_an_axis_of_k_may_double_or_not():
    chart, _parts, _found = figure()
    assert chart.layout.xaxis.type == "log"
    assert chart.layout.xaxis.tickvals == (1, 2, 4, 8, 16, 32, 64, 128)
    assert figure(logarithmic=False)[0].layout.xaxis.type is None


@pytest.mark.wide
def test_runs_are_described_in_words():
    _chart, parts, _found = figure(runs=3)
    assert "for 3 runs" in str(describe_saturation(parts, "pass@k"))


def test_names_are_letters_and_not_markup():
    run = Run("<img src=x onerror=alert(1)>", "maths", Outcomes(outcomes()))
    chart, _parts = drawn(trace_runs({"a": run}, View(), CurveSpan()))
    assert "<img" not in chart.to_json()


def test_a_single_point_has_its_interval_as_a_bar():
    chart, _parts, _found = figure()
    assert not any(trace.error_y.array for trace in chart.data)
    found = traced(outcomes(n=1))
    chart, _parts = drawn([found])
    (point,) = (trace for trace in chart.data if trace.error_y.array is not None)
    assert point.y[0] + point.error_y.array[0] == pytest.approx(100 * known_points(found)[0].high)


def test_no_curve_makes_an_empty_figure():
    assert not saturation(
        [], axis_title([traced(outcomes())]), logarithmic=True, words=saturation_words()
    ).data
    assert "without any run" in str(describe_saturation([], "pass@k"))


def test_ticks_are_few():
    assert all(len(doublings(last)) <= 9 for last in range(1, 10**6, 997))


# The command


@pytest.fixture
def table(tmp_path):
    return str(write_table(tmp_path / "outcomes.parquet"))


def test_json_holds_the_rows_the_backtest_and_the_settings(table, capsys):
    flags = ["--metric", "pass^k", "--up-to", "32", "--level", "0.8", "--k", "2,20"]
    assert main(["curve", table, "--format", "json", *flags]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["span"]["up-to"] == 32
    assert [point["k"] for point in document["points"]] == [2, 20]
    assert [point["source"] for point in document["points"]] == ["measured", "model"]
    (run,) = document["runs"]
    assert run["samples"] == 4
    assert run["backtest"]["fitted"] == 2


@pytest.mark.wide
def test_csv_table_and_markdown_show_the_same_k(table, capsys):
    for layout in ("csv", "table", "md"):
        assert main(["curve", table, "--format", layout]) == 0
        out = capsys.readouterr().out
        if layout == "csv":
            ks = [row["k"] for row in csv.DictReader(io.StringIO(out))]
        else:
            assert all(f"pass@{k} " in out for k in ks)
            assert "forecast from half of the samples" in out


def test_a_wrong_reach_is_one_line(table, capsys):
    assert main(["curve", table, "--up-to", "0"]) == 2
    assert capsys.readouterr().err.startswith("error: up-to must be a whole number from 2")


def test_a_metric_without_a_curve_is_told_and_unusable(table, capsys):
    assert main(["curve", table, "--metric", "avg@n"]) == 2
    out, err = capsys.readouterr()
    assert "takes no k" in out
    assert "No run has a curve" in err
