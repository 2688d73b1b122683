"""Quality against cost and the margins hold the numbers of the choice."""

import json
import re

import numpy as np
import pytest

from charts.margins import margins
from charts.tradeoff import tradeoff
from kofn.choices.run_numbers import number_runs
from kofn.choices.view import View
from kofn.choose_n.analysis import choose_runs
from kofn.choose_n.figures import cost_margins, frontier, gain_margins, mark, offers, worth_drawing
from kofn.choose_n.frontier import frontiers
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import BEST_FOR_COST, N_AXIS, describe_margins, describe_tradeoff
from metrics import Outcomes
from metrics.data.words import Text
from reports.run.report import Run

AXES = Text("Cost, in samples"), Text("pass@n, in percent")
HOSTILE = "<img src=x onerror=alert(1)>"


def chosen(*models, n=16, pricing=None):
    found = []
    for seed, model in enumerate(models):
        rng = np.random.default_rng(seed)
        correct = rng.random((60, n)) < rng.beta(0.6, 0.8, (60, 1))
        run = Run(model, "maths", Outcomes(correct.astype(np.int8)))
        found += choose_runs({f"{model} / maths": run}, View(), pricing or Pricing())
    return found


def numbers(found):
    return number_runs({one.key: one.run for one in found})


def drawn(found):
    return tradeoff(offers(found, numbers(found)), frontier(found), AXES, best=BEST_FOR_COST)


def named(figure, name):
    return [trace for trace in figure.data if trace.name == name]


def test_the_line_is_quality_over_cost_and_the_band_its_interval():
    (one,) = found = chosen("7B")
    band, line = named(drawn(found), "7B")
    table = one.found.choice.table
    assert line.x == pytest.approx(table.cost)
    assert line.y == pytest.approx(100 * table.quality)
    assert max(band.y) == pytest.approx(100 * table.quality_high.max())
    assert line.hovertext[3].startswith("7B<br>pass@4 = ")


@pytest.mark.parametrize(("skill", "place"), [(0.8, "top left"), (60.0, "bottom right")])
def test_words_at_the_top_of_the_figure_stand_below_their_points(skill, place):
    figure = drawn(together({"best": skill, "bad": 0.1}))
    low, high = figure.layout.yaxis.range
    mark = next(trace for trace in figure.data if trace.text and "<b>n" in trace.text[0])
    assert ((high - mark.y[0]) / (high - low) < 0.08) == (place == "bottom right")
    assert mark.textposition == place


def test_of_thousands_of_n_so_many_are_drawn_as_the_eye_tells_apart():
    (one,) = found = chosen("7B", n=1000)
    choice = one.found.choice
    _band, line = named(drawn(found), "7B")
    at = {round(float(cost), 9) for cost in line.x}
    assert len(line.x) < 200
    assert {round(float(cost), 9) for cost in choice.table.cost[:64]} <= at
    for n in (choice.safe_n, choice.n, int(choice.table.n[-1])):
        assert round(float(choice.table.cost[choice.table.index(n)]), 9) in at
    (margin,) = gain_margins(found, numbers(found))
    assert len(margin.measured.x) == len(margin.measured.details) == len(line.x)


def test_no_label_of_an_n_lies_under_the_bar_of_the_choice_or_the_frontier():
    found = chosen("8B", "7B", n=64)[1:]
    (offer,) = offers(found, numbers(found))
    low, high = offer.pick.x_range
    labelled = {
        int(word): cost for word, cost in zip(offer.labels, offer.points.x, strict=True) if word
    }
    covered = {n for n in (1, 4, 16, 64) if n not in labelled}
    table = found[0].found.choice.table
    assert all(low <= table.cost[table.index(n)] <= high for n in covered)
    assert not any(low <= cost <= high for cost in labelled.values())
    assert covered
    assert labelled
    _band, line = named(drawn(found), "7B")
    assert line.textposition == "top left"


def test_the_choice_is_marked_with_its_uncertainty():
    (one,) = found = chosen("7B")
    (mark,) = (trace for trace in drawn(found).data if trace.marker.symbol == "diamond")
    choice, table = one.found.choice, one.found.choice.table
    at, low, high = (list(table.n).index(n) for n in (choice.safe_n, *choice.interval))
    assert mark.x == pytest.approx((table.cost[at],))
    assert mark.x[0] + mark.error_x.array[0] == pytest.approx(table.cost[max(at, high)])
    assert mark.x[0] - mark.error_x.arrayminus[0] == pytest.approx(table.cost[min(at, low)])
    assert mark.y[0] + mark.error_y.array[0] == pytest.approx(100 * table.quality_high[at])
    assert mark.text == (f"<b>n = {choice.safe_n}</b>",)


def test_the_frontier_is_what_no_offer_beats():
    found = chosen("7B", "72B")
    (expected,) = frontiers(found).values()
    best = [offer for offer in expected if offer.best]
    steps = drawn(found).data[0]
    assert steps.x == pytest.approx([offer.cost for offer in best])
    assert steps.y == pytest.approx([100 * offer.quality for offer in best])
    assert steps.line.shape == "hv"
    assert frontier(chosen("7B")) == []


def test_costs_far_apart_are_drawn_on_a_scale_that_doubles():
    found = chosen("7B", "72B", pricing=Pricing(sample_prices=(("7B", (1.0,)), ("72B", (90.0,)))))
    assert drawn(found).layout.xaxis.type == "log"
    assert drawn(chosen("7B", n=4)).layout.xaxis.type == "linear"


def test_margins_are_those_of_the_choice_beside_the_lesson_s():
    (one,) = found = chosen("7B")
    table = one.found.choice.table
    (cost,), (gain,) = cost_margins(found, numbers(found)), gain_margins(found, numbers(found))
    assert cost.measured.value == pytest.approx(table.cost_per_further, nan_ok=True)
    assert gain.measured.value == pytest.approx(100 * table.gain, nan_ok=True)
    p = table.quality[0]
    assert gain.compared.value == pytest.approx(100 * (1 - p) ** (table.n - 1) * p)
    assert cost.chosen == one.found.choice.safe_n


def test_what_adds_nothing_leaves_a_gap():
    correct = np.repeat([[1], [0]], 15, axis=0) * np.ones((1, 4), int)
    run = Run("7B", "maths", Outcomes(correct))
    found = choose_runs({"7B": run}, View(), Pricing())
    (gain,) = gain_margins(found, numbers(found))
    assert np.isnan(gain.measured.value[1:]).all()
    assert gain.measured.details[1] == ()
    assert margins([gain], Text("Points"), n_axis=N_AXIS).data


def test_a_worth_is_a_line_across():
    drawn = cost_margins(chosen("7B"), {"7B / maths": 0})
    figure = margins(drawn, Text("Costs"), limit=(8.0, Text("worth {v}", v=HOSTILE)), n_axis=N_AXIS)
    (line,) = figure.layout.shapes
    assert (line.y0, line.y1) == (8.0, 8.0)
    assert figure.layout.yaxis.range[1] >= np.log10(8)
    assert "<img" not in figure.to_json()


def test_names_are_letters_and_not_markup():
    found = chosen(HOSTILE, "72B")
    for figure in (
        drawn(found),
        margins(gain_margins(found, numbers(found)), Text("Points"), n_axis=N_AXIS),
    ):
        assert not re.search(r"<(?!/?b>|br>)", json.dumps(figure.to_dict(), default=str))


def test_figures_are_described_in_words():
    found = chosen("7B", "72B")
    assert "for 2 runs" in str(describe_tradeoff(offers(found, numbers(found))))
    assert "without a choice" in str(describe_tradeoff([]))
    assert str(describe_margins(cost_margins(found, numbers(found)), Text("Costs"))).startswith(
        "Costs, over n, for 2"
    )


def test_a_run_without_a_choice_is_not_drawn():
    found = [*chosen("7B"), *choose_runs({"x": Run("x", "maths", None)}, View(), Pricing())]
    assert [offer.name for offer in offers(found, numbers(found))] == ["7B"]
    assert not tradeoff([], [], AXES, best=BEST_FOR_COST).data
    assert not margins([], Text("Points"), n_axis=N_AXIS).data


def names_at_the_ends(figure):
    return [
        re.sub("</?b>", "", note.text) for note in figure.layout.annotations if note.xref == "paper"
    ]


def test_lines_are_named_at_their_ends_and_the_one_to_take_stands_out():
    found = together({"7B": 0.6, "72B": 3.0})
    figure = drawn(found)
    assert names_at_the_ends(figure) == ["7B", "72B"]
    (bold,) = (note for note in figure.layout.annotations if note.text.startswith("<b>"))
    assert bold.text == "<b>72B</b>"
    bands = [trace.name for trace in figure.data if trace.fill == "toself"]
    assert bands == ["72B"], "bands of all runs would be mud"
    assert names_at_the_ends(
        margins(gain_margins(found, numbers(found)), Text("Points"), n_axis=N_AXIS)
    )


@pytest.mark.wide
@pytest.mark.parametrize(
    ("pricing", "quality", "cost"),
    [
        (Pricing(), "target", None),
        (Pricing(quality=0.4), 0.4, None),
        (Pricing(budget=2.0), None, 2.0),
        (Pricing(value=9.0), None, None),
    ],
)
def test_the_aim_is_a_line_across(pricing, quality, cost):
    found = together({"7B": 0.6, "72B": 3.0}, pricing)
    line = mark(found)
    if quality is None and cost is None:
        assert line is None
        return
    aim = found[0].found.together[0].aim
    assert (line.quality, line.cost) == (aim.target if quality == "target" else quality, cost)
    (shape,) = tradeoff(
        offers(found, numbers(found)), [], AXES, line, best=BEST_FOR_COST
    ).layout.shapes
    place = (shape.y0, 100 * aim.target) if quality else (shape.x0, cost)
    assert place[0] == pytest.approx(place[1])


def together(models, pricing=None):
    """Runs of one dataset, the more skill the better."""
    runs = {}
    for model, skill in models.items():
        rng = np.random.default_rng(4)
        correct = rng.random((60, 8)) < rng.random((60, 1)) ** (1 / skill)
        runs[f"{model} / maths"] = Run(model, "maths", Outcomes(correct.astype(np.int8)))
    return choose_runs(runs, View(), pricing or Pricing())


def test_of_many_runs_those_are_drawn_that_matter():
    found = together({f"m{skill:02d}": 0.2 + skill / 4 for skill in range(14)})
    kept = {card.key for card in worth_drawing(found)}
    assert len(kept) == 10
    assert found[0].found.together[0].run in kept
    (every,) = frontiers(found).values()
    assert {offer.key for offer in every if offer.best} <= kept
    assert worth_drawing(found[:3]) == list(found[:3])
