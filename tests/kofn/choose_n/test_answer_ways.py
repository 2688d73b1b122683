"""Ways to get one answer, each against a free one, and what other counts of costs would take."""

from dataclasses import replace

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.choose_n.analysis import choose_runs
from kofn.choose_n.answer_ways import AskedWay, compare_with_free, ways_of
from kofn.choose_n.columns import WAYS
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import (
    alternatives,
    answer,
    choice_of,
    no_gain_in_words,
    way_name,
    ways_in_words,
)
from kofn.writing.columns import shown_columns
from kofn.writing.estimates import percent, points
from metrics import Outcomes, Way, adaptive_vote, compare_ways, estimate, selected, short_or_long
from reports import Run

M, N = 120, 8


def run(model="7B", power=1.0, seed=0, answers=True, **columns):
    """A run whose wrong answers differ, with signals of a known worth."""
    rng = np.random.default_rng(seed)
    right = rng.random((M, N)) < rng.beta(1.2, 0.8, (M, 1)) ** power
    codes = np.where(right, 0, rng.integers(1, 5, (M, N)))
    known = {"noise": rng.random((M, N)), "judge": right + rng.normal(0, 0.3, (M, N))}
    return Run(
        model,
        "maths",
        Outcomes(right.astype(np.int8)),
        answers=codes if answers else None,
        columns={**known, **columns},
    )


@pytest.fixture(scope="module")
def ways():
    return {way_name(way).template: way for way in ways_of(run(), View(), AskedWay(Pricing(), 5))}


# Side by side -------------------------------------------------------------------------------------


def test_every_way_has_the_number_of_the_library_and_the_best_stands_first():
    one = run()
    found = ways_of(one, View(), AskedWay(Pricing(), 5))
    values = {str(way_name(way)): way.value for way in found}
    right = one.outcomes.correct
    expected = {
        "5 answers, checked": estimate(right, "pass@k", 5),
        "a vote of 5": estimate(one, "plurality@k", 5),
        "one answer": estimate(right, "avg@n"),
    }
    for name, truth in expected.items():
        assert values[name].value == pytest.approx(truth.value)
        assert tuple(values[name].interval) == pytest.approx(tuple(truth.interval))
    for signal in ("judge", "noise"):
        picked = selected(right, one.columns[signal], [5])
        assert values[f"picked by {signal} among 5"].value == pytest.approx(picked.value[0])
    assert [way.value.value for way in found] == sorted(
        (way.value.value for way in found), reverse=True
    )
    sequential = next(way for way in found if way.kind == "early")
    assert sequential.k == 5
    vote = adaptive_vote(one, cap=5, answers=one.answers)
    assert sequential.value.value <= max(vote.value.value, values["a vote of 5"].value) + 0.02


@pytest.mark.wide
def test_differences_are_those_of_paired_ways():
    one = run()
    found = {way.kind: way for way in ways_of(one, View(), AskedWay(Pricing(), 5))}
    picked = next(
        way for way in ways_of(one, View(), AskedWay(Pricing(), 5)) if str(way.signal) == "noise"
    )
    truth = compare_ways(one, Way(None), Way("noise"), 5)
    assert picked.gain.value == pytest.approx(truth.value)
    assert tuple(picked.gain.interval) == pytest.approx(tuple(truth.interval))
    assert picked.value.value - picked.free_value.value == pytest.approx(picked.gain.value)
    anyone = np.zeros((M, N))
    voted = compare_ways(one, anyone, Way(None), 5)
    assert found["voted"].gain.value == pytest.approx(voted.value)
    assert tuple(found["voted"].gain.interval) == pytest.approx(tuple(voted.interval))
    oracle = compare_ways(one, Way(None), one.outcomes.correct.astype(float), 5)
    assert found["checked"].gain.value == pytest.approx(oracle.value)


def test_costs_are_those_of_all_samples_but_where_a_check_ends_them():
    tokens = np.random.default_rng(4).integers(50, 150, (M, N)).astype(float)
    one = run(tokens_out=tokens)
    found = {way.kind: way for way in ways_of(one, View(), AskedWay(Pricing("tokens"), 5))}
    each = tokens.mean()
    assert str(found["one"].cost) == f"{each:.3g} tokens"
    assert str(found["voted"].cost) == str(found["picked"].cost) == f"{5 * each:.3g} tokens"
    checked = float(str(found["checked"].cost).split()[0])
    assert each < checked < 5 * each
    split = short_or_long(one, "tokens_out", 4)
    assert found["short"].gain.value == pytest.approx(split.gain.value)
    assert str(way_name(found["short"])) == (
        f"4 answers cut at {split.short.budget:.3g} tokens, checked"
    )
    assert {"short", "short voted"} <= found.keys()


def test_without_answers_verdicts_vote_and_nothing_ends_early():
    one = run(answers=False)
    found = {way.kind: way for way in ways_of(one, View(), AskedWay(Pricing(), 5))}
    assert "early" not in found
    right = one.outcomes.correct
    assert found["voted"].value.value == pytest.approx(estimate(right, "maj@k", 5).value)
    assert found["checked"].gain.value == pytest.approx(
        estimate(right, "pass@k", 5).value - estimate(right, "maj@k", 5).value
    )


def test_one_sample_is_one_answer():
    assert [way.kind for way in ways_of(run(), View(), AskedWay(Pricing(), 1))] == ["one"]


def test_the_table_of_ways_has_their_names_and_what_they_gain(ways):
    columns = {each.head: each.cells for each in shown_columns(WAYS, list(ways.values()), "page")}
    assert list(columns) == [
        "Way",
        "Solves",
        "Cost of a question",
        "Beyond a free way",
        "The free way",
    ]
    at = columns["Way"].index("a vote of 5")
    assert columns["The free way"][at] == "one answer"
    assert columns["Beyond a free way"][columns["Way"].index("one answer")] == "N/A"


# What gains nothing -------------------------------------------------------------------------------


def test_a_pick_that_gains_nothing_over_a_vote_says_so_with_both_numbers_and_the_interval():
    one = run()
    way = compare_with_free(one, View(), "noise", 5)
    low, high = way.gain.interval
    assert high < 0, "noise is worse than a vote"
    vote = estimate(one, "plurality@k", 5).value
    assert str(no_gain_in_words(way)) == (
        f"Picking by noise among 5 solves {way.value.value:.1%}, a plain vote {vote:.1%}: "
        f"{points(-way.gain.value, -high, -low)} less."
    )
    alike = replace(one, columns={"noise": np.zeros((M, N)), "half": one.columns["judge"] * 0})
    right = Outcomes(np.tile([[1, 1, 1, 1, 0, 0, 0, 0]], (M, 1)))
    tied = replace(alike, outcomes=right, answers=np.tile([[0, 0, 0, 0, 1, 1, 1, 1]], (M, 1)))
    even = compare_with_free(tied, View(), "noise", 5)
    assert str(no_gain_in_words(even)).endswith(
        f": no sure difference, {points(even.gain.value, *even.gain.interval)}."
    )
    assert no_gain_in_words(compare_with_free(one, View(), "judge", 5)) is None


def test_a_vote_that_gains_nothing_over_one_answer_says_so():
    flat = Outcomes(np.tile([[1] * N, [0] * N], (M // 2, 1)))
    one = replace(run(), outcomes=flat, answers=np.where(flat.correct == 1, 0, 1))
    way = compare_with_free(one, View(), "", 5)
    assert str(no_gain_in_words(way)) == (
        f"A vote of 5 solves {percent(0.5)}, one answer {percent(0.5)}: "
        f"no sure difference, {points(0.0, *way.gain.interval)}."
    )
    assert no_gain_in_words(compare_with_free(run(), View(), "", 5)) is None


def test_a_vote_that_ends_early_is_to_save_and_not_to_gain(ways):
    sequential = next(way for way in ways.values() if way.kind == "early")
    assert no_gain_in_words(sequential) is None


def test_all_ways_that_gain_nothing_are_said():
    one = run()
    found = ways_of(one, View(), AskedWay(Pricing(), 5))
    said = " ".join(map(str, ways_in_words(found)))
    assert "Picking by noise" in said
    assert "judge" not in said
    assert "Checking 5" not in said


def test_the_answer_of_a_pick_says_what_a_vote_solves_and_is_silent_where_it_gains():
    one = run()
    noise = choose_runs({"7B / maths": one}, View(), Pricing("samples", picked_by="noise"))
    said = str(answer(noise))
    assert said.startswith("Use 7B at n = ")
    assert " if noise picks: " in said
    assert "Picking by noise among " in said
    assert ", a plain vote " in said
    judge = choose_runs({"7B / maths": one}, View(), Pricing("samples", picked_by="judge"))
    assert "a plain vote" not in str(answer(judge))
    free, _ = judge[0].found.free
    assert free.k == judge[0].found.choice.safe_n
    checked = choose_runs({"7B / maths": one}, View(), Pricing("samples"))
    assert checked[0].found.free == (None, None)


# Other counts of costs ----------------------------------------------------------------------------


def two(**columns):
    """A model that needs few long answers, and one that needs many short ones."""
    long, short = run("long", 0.4, 1), run("short", 0.9, 1)
    return {
        "long / maths": replace(
            long, columns={k: np.full((M, N), a) for k, (a, _) in columns.items()}
        ),
        "short / maths": replace(
            short, columns={k: np.full((M, N), b) for k, (_, b) in columns.items()}
        ),
    }


def test_where_samples_would_choose_another_run_both_are_said():
    cards = choose_runs(two(tokens_out=(1000.0, 10.0)), View(), Pricing(quality=0.75))
    first = str(choice_of(cards))
    assert first.startswith("Use short at n = ")
    (other,) = cards[0].found.otherwise
    assert (other.basis, other.run) == ("samples", "long / maths")
    table = cards[0].found.choice.table
    at = table.index(other.n)
    by_samples = (
        f"By samples long at n = {other.n} is cheaper ({table.quality[at]:.1%}), but it takes "
        f"{cards[0].found.priced.amount(table.cost[at])}."
    )
    assert [str(each) for each in alternatives(cards)] == [by_samples]
    assert str(answer(cards)) == f"{first} {by_samples}"


def test_two_counts_that_choose_alike_are_one_sentence():
    runs = two(tokens_out=(1000.0, 10.0), latency_s=(1.0, 1.0))
    said = str(answer(choose_runs(runs, View(), Pricing(quality=0.75))))
    assert "By seconds and samples long at n = " in said


@pytest.mark.parametrize(
    ("columns", "pricing"),
    [
        ({"tokens_out": (100.0, 100.0)}, Pricing(quality=0.75)),  # all count alike
        ({}, Pricing(quality=0.75)),  # nothing but samples is known
        ({"tokens_out": (1000.0, 10.0)}, Pricing(budget=50.0)),  # the aim has a unit
        ({"tokens_out": (1000.0, 10.0)}, Pricing(quality=0.999)),  # nothing is taken
    ],
)
def test_where_counts_do_not_decide_otherwise_nothing_is_said(columns, pricing):
    cards = choose_runs(two(**columns), View(), pricing)
    assert all(card.found.otherwise == () for card in cards)
    assert not any("is cheaper" in str(each) for each in alternatives(cards))


def test_prices_are_set_against_what_they_price():
    runs = two(tokens_out=(100.0, 100.0))
    prices = (("long", (1e6,)), ("short", (1.0,)))
    pricing = Pricing(quality=0.75, token_prices=prices, currency="USD")
    said = str(answer(choose_runs(runs, View(), pricing)))
    assert said.startswith("Use short at n = ")
    assert "By tokens and samples long at n = " in said
    assert said.endswith(" USD.")
