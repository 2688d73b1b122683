"""Votes against averages in figures: runs as points, questions as bubbles."""

from dataclasses import replace

import numpy as np
import pytest

from charts.bubbles import Bubble, bubbles
from charts.bubbles import Path as Line
from charts.scatter import Ground, Spot, scatter
from kofn.choices.view import View
from kofn.consistency.analysis import AXES, VoteChoices, axis_value, compare_votes, mean_axis_value
from kofn.consistency.figures import agreement_bubbles, vote_bubbles, vote_scatter
from kofn.consistency.words import (
    COMMON_RIGHT,
    COMMON_WRONG,
    describe_bubbles,
    describe_scatter,
    scatter_words,
)
from metrics import FAILED, Outcomes, Text, consistency, estimate, feasible_region, pool, vote_curve
from metrics.data.results import Interval
from reports import Run
from tests.kofn.consistency.voted_runs import TWO, USUAL, run, verdicts
from tests.kofn.indexed import HOSTILE, index


def test_the_scatter_has_a_point_a_run_with_both_intervals() -> None:
    cards = compare_votes(TWO, View(), VoteChoices(by="half"))
    drawn = vote_scatter(cards, replace(USUAL, region=True), TWO)
    assert drawn.cards == cards
    for spot, card in zip(drawn.spots, cards, strict=True):
        assert (spot.x, spot.y) == (card.found.compared.avg.value, card.found.compared.cons.value)
        assert (spot.x_interval, spot.y_interval) == (
            card.found.compared.avg.interval,
            card.found.compared.cons.interval,
        )
        assert np.array_equal(spot.region, () if card.settings.part else card.found.compared.region)
        assert spot.part == card.settings.part
        assert "points" in str(spot.detail)
    assert [spot.series for spot in drawn.spots] == ["7B"] * 3 + ["70B"]
    assert np.array_equal(drawn.ground.possible, [feasible_region(5)])
    assert str(drawn.ground.y) == "cons@5, in percent"
    by_run = vote_scatter(cards, replace(USUAL, colour="run"), TWO)
    assert [spot.series for spot in by_run.spots] == ["7B / maths"] * 3 + ["70B / maths"]
    assert not by_run.spots[0].region


def test_either_axis_may_be_another_metric() -> None:
    cards = compare_votes(TWO, View(k=(2,)), USUAL)
    drawn = vote_scatter(cards, replace(USUAL, x="pass@k", y="pass^k"), TWO)
    outcomes = TWO["7B / maths"].outcomes
    assert drawn.spots[0].x == estimate(outcomes, "pass@k", 2).value
    assert drawn.spots[0].y_interval == estimate(outcomes, "pass^k", 2).interval
    assert (str(drawn.ground.x), str(drawn.ground.y)) == (
        "pass@2, in percent",
        "pass^2, in percent",
    )
    assert not drawn.ground.possible
    assert drawn.ground.above is None
    votes = vote_scatter(cards, replace(USUAL, y="plurality@k"), TWO)
    assert len(votes.spots) == 1
    assert "no extracted answers" in str(votes.missing[0])
    for name in AXES:
        assert axis_value(cards[0], name)
    one, other = (axis_value(card, "avg@n") for card in cards[:2])
    assert mean_axis_value([one, other]) == pool([one, other])
    assert mean_axis_value([one, *votes.missing]) == votes.missing[0]


def test_the_questions_of_a_run_are_bubbles_on_the_curve_of_their_vote() -> None:
    found = consistency(TWO["7B / maths"].outcomes, 3)
    drawn, (line,) = vote_bubbles(found, 2)
    assert sum(bubble.questions for bubble in drawn) == 40
    assert [bubble.x for bubble in drawn] == pytest.approx([c / 5 for c in found.tally.c])
    assert [bubble.y for bubble in drawn] == pytest.approx(found.chance)
    assert np.array_equal(line.y, vote_curve(3)[1])
    ragged = consistency(Outcomes([[1, 0, -2], [1, 1, 1]]))
    assert vote_bubbles(ragged, 0)[1] == ()
    assert len(vote_bubbles(ragged, 0)[0]) == 2


def test_agreement_parts_the_right_from_the_wrong() -> None:
    correct = np.array([[1, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [FAILED] * 4])
    codes = np.array([[5, 5, 5, 6], [7, 7, 7, 7], [8, 8, 8, 8], [-1] * 4])
    known = Run("7B", "maths", Outcomes(correct), answers=codes)
    found = agreement_bubbles(known, View(missing="omit"), 2)
    assert [(b.series, b.number, b.x, b.y, b.questions) for b in found] == [
        (COMMON_RIGHT, 2, 0.75, 0.75, 1),
        (COMMON_WRONG, None, 1.0, 0.0, 2),
    ]
    assert agreement_bubbles(run(correct), View(), 0) == ()


def test_agreement_of_many_samples_is_drawn_in_steps() -> None:
    known = run(verdicts(200, 300), answers=True)
    found = agreement_bubbles(known, View(), 0)
    assert sum(bubble.questions for bubble in found) == 200
    assert all((60 * bubble.x) % 1 == pytest.approx(0, abs=1e-9) for bubble in found)


def spot(series, x, y, width=0.1, number=0, **fields):
    interval = Interval(x - width / 2, x + width / 2)
    about = Text("about {x}", x=HOSTILE)
    return Spot(series, number, x, y, interval, None, about, **fields)


def test_a_scatter_plot_is_in_percent_with_both_intervals() -> None:
    ground = Ground(Text("avg"), Text("cons"), [feasible_region(3).tolist()], Text("up"))
    corners = ((0.1, 0.1), (0.3, 0.1), (0.2, 0.4))
    spots = [spot("A", 0.5, 0.7), spot("B", 0.2, 0.2, region=corners), spot("A", 0.4, 0.3)]
    figure = scatter([*spots, replace(spots[0], part=True)], ground, words=scatter_words())
    points = [trace for trace in figure.data if trace.mode == "markers"]
    assert [trace.name for trace in points] == ["A", "A", "B"]
    assert points[0].x == (50, 40)
    assert points[0].error_x.array == pytest.approx((5, 5))
    assert points[0].error_y.array == (0, 0)
    assert points[0].customdata == (0, 2)
    assert points[1].customdata == (3,)
    assert points[1].marker.size < points[0].marker.size
    areas = [trace for trace in figure.data if trace.fill == "toself"]
    assert [len(area.x) for area in areas] == [5, 4]
    assert figure.layout.yaxis.scaleanchor == "x"
    assert [note.text for note in figure.layout.annotations] == ["up"]
    assert sum(trace.showlegend for trace in figure.data) == 4
    assert "1 of them above" in str(describe_scatter(spots, ground))


def test_names_in_figures_are_shown_letter_for_letter() -> None:
    figure = scatter([spot(HOSTILE, 0.5, 0.5)], Ground(Text("x"), Text("y")), words=scatter_words())
    assert "<b>" not in figure.to_json().replace("\\u003c", "<")
    assert "&lt;b&gt;" in figure.data[-1].name


def test_the_area_of_a_bubble_is_its_questions() -> None:
    drawn = [
        Bubble(Text("Questions"), 2, 0.2, 0.1, 30, Text("some")),
        Bubble(Text("Others"), None, 0.4, 0.4, 10, Text("few")),
    ]
    figure = bubbles(drawn, Text("x"), Text("y"), [Line(Text("line"), (0, 1), (0, 1))])
    line, questions, others = figure.data
    assert line.mode == "lines"
    assert questions.marker.sizemode == "area"
    assert questions.marker.sizeref == others.marker.sizeref
    assert (questions.x, questions.marker.size, questions.customdata) == ((20,), (30,), (0,))
    assert others.customdata == (1,)
    assert "40 questions" in str(describe_bubbles(drawn, Text("x"), Text("y")))
    assert str(describe_bubbles([], Text("x"), Text("y"))) == "No question to draw."


@pytest.mark.wide
@pytest.mark.parametrize("models", [12, 13])
def test_many_runs_have_no_legend_and_one_cross(models: int) -> None:
    runs = index(*(run(verdicts(seed=seed), f"m{seed}") for seed in range(models)))
    choices = VoteChoices(detail="m3 / maths")
    drawn = vote_scatter(compare_votes(runs, View(), choices), choices, runs)
    crossed = [spot.series for spot in drawn.spots if spot.x_interval is not None]
    assert crossed == ([f"m{seed}" for seed in range(12)] if models == 12 else ["m3"])
    assert scatter(drawn.spots, drawn.ground, words=scatter_words()).layout.showlegend is (
        models == 12
    )
