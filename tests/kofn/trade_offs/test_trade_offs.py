"""Any number of a run against any other: what it is, which runs are beaten, and the sentence."""

import numpy as np
import pytest

from kofn.choices.run_numbers import number_runs
from kofn.choices.view import View
from kofn.choose_n.pricing import Pricing
from kofn.trade_offs.analysis import front, usual_x, weigh
from kofn.trade_offs.choices import AXES, TradeChoices
from kofn.trade_offs.columns import TRADES
from kofn.trade_offs.figures import axes, dots
from kofn.trade_offs.words import answer
from kofn.writing.columns import dtypes
from metrics import Outcomes, estimate
from metrics.analyses.trade_offs.costs import mean_cost
from metrics.data.question import Question
from reports.run.report import Run
from tests.kofn.indexed import index

M, N = 20, 4


def run(model: str, right: int, tokens: float = 100.0, dataset: str = "maths", n: int = N) -> Run:
    """A run that solves some of the questions, each with all its samples."""
    correct = np.zeros((M, n), dtype=int)
    correct[:right] = 1
    columns = {"tokens_out": np.full((M, n), tokens), "latency_s": np.full((M, n), tokens / 50)}
    return Run(model, dataset, Outcomes(correct), columns=columns)


def weighed(*runs: Run, pricing: Pricing | None = None, view: View | None = None, **chosen: str):
    return weigh(index(*runs), view or View(), TradeChoices(**chosen), pricing or Pricing())


def names(cards) -> list[str]:
    return [card.run.model for card in cards]


@pytest.mark.parametrize(
    ("x", "y", "best"),
    [
        ("tokens", "pass@k", ["cheap", "dear"]),
        ("pass@k", "tokens", ["cheap", "dear"]),
        ("avg@n", "pass@k", ["dear"]),
        ("seconds", "tokens", ["cheap"]),
        ("samples", "avg@n", ["dear"]),
    ],
)
def test_no_run_of_the_front_is_beaten_on_both_and_all_others_are(x, y, best) -> None:
    cards = weighed(run("cheap", 10, 10), run("dear", 15, 90), run("lost", 9, 95), x=x, y=y)
    assert names(front(cards)) == best


def test_equal_runs_stand_on_the_front_together() -> None:
    assert len(front(weighed(run("a", 10), run("b", 10), x="tokens"))) == 2


@pytest.mark.parametrize("name", [name for name in AXES if name[-1] in "kn"])
def test_a_metric_is_the_library_s(name) -> None:
    one = Run("7B", "maths", Outcomes((np.random.default_rng(1).random((20, 4)) < 0.5).astype(int)))
    (card,) = weigh(index(one), View(k=(2,), level=0.9), TradeChoices(x="avg@n", y=name), Pricing())
    if card.found is None:
        assert name == "plurality@k" or name.startswith("soft")
        return
    target = "benchmark" if name == "bayes@n" else "population"
    k = 2 if name.endswith("k") else None
    expected = estimate(one.outcomes, name, k, confidence_level=0.9, target=target)
    assert (card.found.y.value, card.found.y.interval) == (expected.value, expected.interval)


@pytest.mark.parametrize(
    ("y", "samples"), [("pass@k", 3), ("avg@n", 1), ("cons@n", N), ("tokens", 3)]
)
def test_a_cost_is_that_of_the_samples_that_the_other_axis_takes(y, samples) -> None:
    view = View(k=(3,))
    (card,) = weighed(run("7B", 10, 100), x="seconds", y=y, view=view)
    assert card.found.x.value == pytest.approx(samples * 2.0)
    (card,) = weighed(run("7B", 10, 100), x="samples", y=y, view=view, per="1000")
    assert card.found.x.value == 1000 * samples
    assert card.found.x.interval is None


@pytest.mark.parametrize(
    ("pricing", "cost"),
    [
        (Pricing("tokens", token_prices=(("", (1.0, 10.0)),)), 100 * 10e-6),
        (Pricing("seconds", second_prices=(("7B", (0.5,)),)), 1.0),
        (Pricing("samples", sample_prices=(("", (0.25,)),)), 0.25),
        (Pricing("typed", token_prices=(("", (2.0,)),), typed_tokens=(("", (300.0,)),)), 600e-6),
    ],
)
def test_money_is_what_prices_make_of_samples(pricing, cost) -> None:
    (card,) = weighed(run("7B", 10, 100), x="money", y="avg@n", pricing=pricing)
    assert card.found.x.value == pytest.approx(cost)
    assert any("cost" in str(text) or "at" in str(text) for text in card.found.x.caveats)


def test_tokens_are_tokens_whatever_has_a_price() -> None:
    pricing = Pricing("tokens", token_prices=(("", (1.0, 10.0)),), value=1.0)
    (card,) = weighed(run("7B", 10, 100), x="tokens", y="avg@n", pricing=pricing)
    assert card.found.x.value == 100.0
    assert str(card.found.x.written).startswith("100 tokens")


def test_costs_of_the_file_are_money_and_without_any_price_it_is_asked_for() -> None:
    (card,) = weighed(run("7B", 10), x="money")
    assert "Nothing has a price" in str(card.reason)
    costs = Run("7B", "maths", Outcomes([[1, 0]] * 5), columns={"cost": np.full((5, 2), 0.5)})
    (card,) = weighed(costs, x="money", y="avg@n")
    assert card.found.x.value == 0.5


def test_a_run_without_the_numbers_says_why_and_the_others_stand() -> None:
    cards = weighed(run("7B", 10), Run("x", "maths", Outcomes([[1, 0]] * 20)), x="seconds")
    assert [card.found is None for card in cards] == [False, True]
    assert "no times" in str(cards[1].reason)
    assert names(front(cards)) == ["7B"]


def test_tokens_lie_across_where_all_have_them() -> None:
    assert usual_x(index(run("a", 1), run("b", 2))) == "tokens"
    assert usual_x(index(run("a", 1), Run("b", "maths", None))) == "avg@n"


def test_k_is_the_one_that_the_runs_of_a_dataset_share_or_the_first_chosen() -> None:
    runs = [run("a", 9), run("b", 9, n=3), run("a", 9, dataset="other", n=8)]
    shared = {card.key: card.view.k for card in weighed(*runs)}
    assert shared == {"a / maths": (3,), "b / maths": (3,), "a / other": (8,)}
    chosen = weighed(*runs, view=View(k=(2, 3)))
    assert {card.view.k for card in chosen} == {(2,)}


def said(*runs: Run, **chosen: str) -> str:
    return str(answer(weighed(*runs, **chosen)))


def test_the_sentence_names_what_is_worth_considering_with_its_numbers() -> None:
    told = said(run("cheap", 10, 10), run("dear", 15, 90), run("lost", 9, 95), x="tokens")
    assert told.startswith("2 of 3 runs are worth considering: dear with pass@4 75.0% (")
    assert "), cheap with 40 tokens a question. In return, dear has 360 tokens a question" in told
    assert ", and cheap pass@4 50.0% (" in told
    told = said(run("cheap", 10, 10), run("dear", 15, 90), x="pass@k", y="tokens")
    assert told.startswith("2 of 2 runs are worth considering: cheap with 40 tokens a question, ")
    for chosen in ({"x": "tokens"}, {"x": "pass@k", "y": "tokens"}):
        told = said(run("cheap", 10, 10), **chosen)
        assert told.startswith("cheap has pass@4 50.0% (")
        assert ") for 40 tokens a question" in told


@pytest.mark.parametrize(
    ("runs", "start"),
    [
        (
            [run("a", 10, 10), run("b", 15, 90)],
            "2 of 2 runs are worth considering: b with pass@4 75.0% (",
        ),
        ([run("a", 10, 90), run("b", 15, 10)], "b is best on both: pass@4 75.0% ("),
        ([run("a", 10)], "a has pass@4 50.0% ("),
        ([Run("a", "maths", None)], "No run has both numbers. The file does not say"),
        ([run("a", 1), run("a", 2, dataset="other")], "maths: a has pass@4 5.0% ("),
    ],
)
def test_the_sentence_for_each_case(runs, start) -> None:
    assert said(*runs, x="tokens" if runs[0].columns else "avg@n").startswith(start)


def test_a_long_front_is_named_from_end_to_end() -> None:
    told = said(*(run(f"m{i}", i + 1, 10.0 * (i + 1)) for i in range(9)), x="tokens")
    assert told.startswith("9 of 9 runs are worth considering: m8 with pass@4 45.0% (")
    assert told.endswith(" m1, m2 and 5 more lie between them.")


def test_two_axes_of_one_number_are_no_trade_off() -> None:
    told = said(run("a", 10), run("b", 5), x="pass@k")
    assert told.startswith("a is the highest with pass@4 50.0% (")
    assert told.endswith("Both axes show this number; choose another for one of them.")


def test_one_sample_has_one_number_whatever_it_is_called() -> None:
    told = said(run("a", 10, n=1), run("b", 5, n=1), x="avg@n")
    assert told.startswith("a is the highest with pass@1 50.0% (")


def test_a_thousand_questions_cost_a_thousand_times_as_much() -> None:
    told = said(run("a", 10, 10), x="tokens", per="1000")
    assert "for 40,000 tokens for 1,000 questions" in told


def test_rows_and_frame_hold_the_numbers() -> None:
    cards = weighed(run("cheap", 10, 10), run("dear", 15, 90), Run("x", "maths", None), x="tokens")
    cheap, _dear, none = TRADES.rows(cards)
    assert (cheap["x"], cheap["y"], cheap["x_value"], cheap["y_value"]) == (
        "tokens",
        "pass@k",
        40,
        0.5,
    )
    assert cheap["front"] is True
    assert none["front"] is none["x_value"] is None
    assert "which samples were right" in none["reason"]
    assert {name: str(kind) for name, kind in TRADES.frame(cards).dtypes.items()} == dtypes(
        TRADES.columns
    )


def test_the_figure_has_the_numbers_and_its_axes_their_units() -> None:
    cards = weighed(run("a", 10, 10), run("b", 15, 90), x="tokens", view=View(k=(2,)), per="1000")
    drawn = dots(cards, number_runs(index(run("a", 1), run("b", 1))))
    assert [(dot.name, dot.at, dot.best) for dot in drawn] == [
        ("a", (20_000.0, 0.5), True),
        ("b", (180_000.0, 0.75), True),
    ]
    x, y = axes(cards)
    assert str(x.title) == "Tokens for 1,000 questions, 2 samples each"
    assert (str(y.title), y.percent, y.less) == ("pass@2, in percent", True, False)
    assert (x.percent, x.less) == (False, True)


def test_the_interval_of_a_cost_is_that_of_the_library() -> None:
    costs = np.random.default_rng(3).lognormal(3, 0.5, (M, N))
    one = Run("7B", "maths", Outcomes(np.eye(M, N, dtype=int)), columns={"latency_s": costs})
    for target in ("population", "benchmark"):
        (card,) = weighed(one, x="seconds", y="avg@n", view=View(level=0.8, target=target))
        expected = mean_cost(one.outcomes, costs, 1, Question(target, 0.8))
        assert card.found.x.value == expected.value == pytest.approx(costs.mean())
        assert card.found.x.interval == pytest.approx(expected.interval)
