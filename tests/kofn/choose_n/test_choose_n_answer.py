"""Every sentence of the answer, against the numbers under it and where it appears."""

from dataclasses import replace

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.choose_n.analysis import choose_means, choose_runs, joint_choice
from kofn.choose_n.columns import lines
from kofn.choose_n.frontier import frontiers
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import (
    TAKEN,
    _fraction,
    _paid,
    advice,
    advice_in_words,
    alternatives,
    answer,
    best_in_words,
    checked_answers,
    choice_of,
    reasons,
    reliability,
)
from kofn.writing.estimates import percent
from metrics import Outcomes
from metrics.analyses.choose_n.simulation import (
    NOT_SIMULATED,
    one_run_reliability,
    several_runs_reliability,
)
from reports import Run

M, N = 150, 12
RNG = np.random.default_rng(1)


def run(model, power, n=N, dataset="maths", seed=0, **rest):
    """A run of questions that are as hard for every model, but for a power."""
    rng = np.random.default_rng(seed)
    rates = rng.random((M, 1)) ** power
    return Run(model, dataset, Outcomes((rng.random((M, n)) < rates).astype(np.int8)), **rest)


RUNS = {
    f"{each.model} / maths": each for each in (run("good", 0.5), run("fair", 0.8), run("bad", 4))
}
PRICES = (("good", (3.0,)), ("", (1.0,)))


def told(pricing=None, runs=None):
    return choose_runs(RUNS if runs is None else runs, View(), pricing or Pricing())


def taken(cards):
    """The card of the run to take, its choice and where its n stands."""
    selection, _ = cards[0].found.together
    (card,) = (each for each in cards if each.key == selection.run)
    choice = card.found.choice
    return card, choice, choice.table.index(choice.safe_n)


def solved(choice, at):
    table = choice.table
    return percent(table.quality[at], table.quality_low[at], table.quality_high[at])


# The answer ---------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize(
    "pricing",
    [
        Pricing(),
        Pricing(quality=0.6),
        Pricing(budget=2.5),
        Pricing(value=9.0),
        Pricing(sample_prices=PRICES, quality=0.6),
    ],
)
def test_it_names_the_model_and_n_and_says_what_they_buy(pricing):
    cards = told(pricing)
    card, choice, at = taken(cards)
    amount = card.found.priced.amount
    assert str(choice_of(cards)) == (
        f"Use {card.run.model} at n = {choice.safe_n} if answers can be checked: "
        f"{solved(choice, at)} for {amount(choice.table.cost[at])} a question."
    )
    all_of_them = f"These {M} questions take {amount(M * choice.table.cost[at])}."
    assert all_of_them in map(str, reasons(cards))


def test_a_single_run_is_told_alike():
    cards = told(runs={"x": RUNS["good / maths"]})
    assert str(answer(cards)).startswith("Use good at n = ")
    assert f"These {M} questions take " in " ".join(map(str, reasons(cards)))


def test_a_number_of_questions_that_is_typed_takes_the_place_of_these():
    cards = told(Pricing(total=5000.0, questions=2000))
    _, choice, at = taken(cards)
    taken_by_all = f"2,000 questions take {2000 * choice.table.cost[at]:,.0f} samples."
    assert taken_by_all in map(str, reasons(cards))
    (budget,) = {each.found.choice.advice["budget"].limit for each in cards}
    assert budget == 2.5
    (these,) = {each.found.choice.advice["budget"].limit for each in told(Pricing(total=450.0))}
    assert these == 450 / M


def test_without_a_check_samples_vote():
    cards = told(Pricing(verifier=False))
    card, choice, _ = taken(cards)
    assert choice.metric == "maj@k"
    said = f"Use {card.run.model} at n = {choice.safe_n} if answers vote: "
    assert str(answer(cards)).startswith(said)


def test_a_signal_picks_and_is_named():
    rewards = {
        key: RNG.random(each.outcomes.shape) + each.outcomes.correct for key, each in RUNS.items()
    }
    runs = {key: replace(each, columns={"reward": rewards[key]}) for key, each in RUNS.items()}
    cards = told(Pricing(picked_by="reward"), runs)
    card, choice, _ = taken(cards)
    assert choice.metric == "selected@k"
    said = f"Use {card.run.model} at n = {choice.safe_n} if reward picks: "
    assert str(answer(cards)).startswith(said)
    assert f"of selected@{N} of" in str(advice(card))
    lowest = told(Pricing(picked_by="-reward", budget=3.0), runs)
    assert " if the lowest reward picks: " in str(answer(lowest))
    some = told(Pricing(picked_by="reward"), runs | {"bad / maths": RUNS["bad / maths"]})
    assert "bad is left out: There is no column reward to pick by" in " ".join(
        map(str, reasons(some))
    )
    assert str(answer(told(Pricing(picked_by="x")))).startswith("No n can be chosen: There is no")


@pytest.mark.wide
def test_runs_with_and_without_answers_are_compared_by_the_same_vote():
    answers = np.where(RUNS["good / maths"].outcomes.correct == 1, 1, 2)
    runs = RUNS | {"good / maths": run("good", 0.5, answers=answers)}
    assert {each.found.choice.metric for each in told(Pricing(verifier=False), runs)} == {"maj@k"}
    alone = {"x": runs["good / maths"]}
    (one,) = told(Pricing(verifier=False), alone)
    assert one.found.choice.metric == "plurality@k"


def test_of_several_datasets_the_first_is_named():
    runs = RUNS | {"good / aime": run("good", 0.5, 4, "aime")}
    assert str(answer(told(runs=runs))).startswith("maths: Use ")


# No choice ----------------------------------------------------------------------------------------


def test_one_sample_of_each_question_leaves_nothing_to_choose():
    assert str(answer(told(runs={"x": run("good", 1, 1), "y": run("fair", 1, 1)}))) == (
        "No n can be chosen: only n = 1 was measured. Run it with n = 8."
    )


def test_one_sample_each_may_still_be_worth_it_or_within_a_budget():
    cards = told(Pricing(budget=1.0), {"x": run("good", 1, 1), "y": run("fair", 4, 1)})
    assert str(answer(cards)).startswith("Use good at n = 1 if ")


def test_one_question_says_nothing_about_others():
    said = str(answer(told(runs={"x": Run("good", "d", Outcomes([[1, 0, 0, 1]]))})))
    assert said == (
        "No n can be chosen: one question, or group of questions, says nothing about others. For "
        "this one alone good would need n = 3."
    )


@pytest.mark.parametrize(
    ("pricing", "given", "n", "of_ways"),
    [
        (Pricing(), Run("good", "d", Outcomes([[1, 0, 0, 1]])), 1, 4),
        (Pricing(budget=1.0), run("good", 1), 1, N),
        (Pricing(budget=2.0, verifier=False), run("good", 1, 3), 1, 3),
        (Pricing(budget=3.0, verifier=False), run("good", 0.5), 3, 3),
    ],
)
def test_other_ways_take_the_n_to_use_or_all_where_that_is_one(pricing, given, n, of_ways):
    (card,) = told(pricing, {"x": given})
    assert (card.found.n, card.found.n_of_ways) == (n, of_ways)
    assert card.found.choice.table.n[card.found.place] == n


@pytest.mark.parametrize("pricing", [Pricing(), Pricing(value=9.0)])
def test_nothing_solved_leaves_nothing_to_choose(pricing):
    runs = {"x": Run("good", "d", Outcomes(np.zeros((30, 4), int)))}
    assert str(answer(told(pricing, runs))) == "No n can be chosen: no question was solved."


def test_a_quality_out_of_reach_names_what_comes_nearest():
    cards = told(Pricing(quality=0.995))
    best = cards[0].found.choice
    assert str(answer(cards)) == (
        f"Nothing here is sure to solve 99.5%. good at n = {N} comes nearest: {solved(best, -1)}."
    )


def test_a_budget_below_every_sample_names_the_cheapest():
    cards = told(Pricing(budget=0.5, sample_prices=PRICES))
    assert str(answer(cards)) == (
        "Nothing here is sure to cost at most 0.5 of your currency a question. fair at n = 1 comes "
        "nearest: 1 of your currency."
    )


def test_a_worth_below_every_price_names_the_cheapest_solution():
    cards = told(Pricing(value=0.5))
    cost = cards[0].found.choice.table.cost_per_solved[0]
    assert str(answer(cards)) == (
        "Nothing here is sure to be worth its price. good at n = 1 comes nearest: a solved "
        f"question costs {cost:.3g} samples, and is worth 0.5 samples."
    )


def test_runs_without_verdicts_give_the_reason():
    said = str(answer(told(runs={"x": Run("good", "d", None)})))
    assert said.startswith("No n can be chosen: The file does not say which samples were right")


def test_runs_without_a_common_question_are_not_compared_but_each_is_advised():
    elsewhere = Outcomes(
        RUNS["fair / maths"].outcomes.correct, questions=[f"x{i}" for i in range(M)]
    )
    cards = told(runs=RUNS | {"fair / maths": Run("fair", "maths", elsewhere)})
    assert str(answer(cards)) == (
        "No n can be chosen: No question is in all of these runs, so no run can be chosen."
    )
    assert reasons(cards) == []
    assert all("95% sure to reach" in str(advice(card)) for card in cards)


# What it rests on ---------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize(
    ("pricing", "rule"),
    [
        (Pricing(), "reach"),
        (Pricing(quality=0.6), "quality"),
        (Pricing(budget=2.5), "budget"),
        (Pricing(value=9.0), "value"),
    ],
)
def test_the_aim_comes_first_and_its_simulated_figure_is_told_apart(pricing, rule):
    cards = told(pricing)
    card, choice, _ = taken(cards)
    first, *others = reasons(cards)
    assert str(first) == str(advice_in_words(choice.advice[rule], card.found.priced.amount))
    assert reliability(cards) == several_runs_reliability(rule, M, 3)
    assert reliability(cards) not in others
    alone = told(pricing, {"x": RUNS["good / maths"]})
    (only,) = alone
    assert reliability(alone) == one_run_reliability(rule, M, only.found.choice.mixed)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("pricing", "models"),
    [
        (Pricing(verifier=False), ("good", "fair", "bad")),
        (Pricing("tokens", quality=0.6), ("good", "fair", "bad")),
        (Pricing("tokens", quality=0.6), ("good",)),
    ],
)
def test_of_votes_of_several_runs_and_of_unlike_costs_no_figure_is_known(pricing, models):
    tokens = np.where(np.arange(N) < 3, 900.0, 100.0) * np.ones((M, 1))
    runs = {
        key: replace(run, columns={"tokens_out": tokens})
        for key, run in RUNS.items()
        if run.model in models
    }
    assert reliability(told(pricing, runs)) == NOT_SIMULATED


def test_votes_of_one_run_have_their_figure():
    cards = told(Pricing(verifier=False), {"x": RUNS["good / maths"]})
    mixed = cards[0].found.choice.mixed
    assert reliability(cards) == one_run_reliability("reach", M, mixed, "maj@k")
    assert reliability(told(Pricing(budget=0.1))) is None


def test_the_share_that_is_reached_is_of_the_best_run():
    best = max(float(each.found.choice.table.quality[-1]) for each in told())
    (first, *_) = map(str, reasons(told()))
    assert f"sure to reach {0.95 * best:.1%}, which is 95% of pass@{N} of good / maths." in first


def test_the_last_step_has_its_price_or_solves_nothing():
    cards = told(Pricing(quality=0.8))
    _, choice, at = taken(cards)
    assert at > 0
    further = choice.table.cost_per_further[at]
    n = choice.table.n[at]
    said = (
        f"Going from n = {n - 1} to {n} costs {further:.3g} samples per additional question solved."
    )
    assert said in map(str, reasons(cards))
    first = told(Pricing(budget=1.0))
    assert taken(first)[2] == 0
    assert not any("Going from" in str(each) for each in reasons(first))
    flat = Run("flat", "d", Outcomes(np.repeat([[1], [0]], 20, axis=0) * np.ones((1, 4), int)))
    whole = told(Pricing(budget=9.0), {"x": flat})
    said = "Going from n = 3 to 4 solves no additional question."
    assert said in map(str, reasons(whole))


@pytest.mark.parametrize(
    ("pricing", "does"),
    [
        (Pricing(quality=0.6), "costs least"),
        (Pricing(budget=2.0), "solves most"),
        (Pricing(value=9.0), "gains most beyond its cost"),
    ],
)
def test_it_is_said_how_likely_the_run_to_take_is_the_best_and_what_it_costs_if_not(pricing, does):
    alike = {f"{name} / maths": run(name, 0.8, seed=seed) for seed, name in enumerate("xyz")}
    cards = told(pricing, alike)
    selection, _ = cards[0].found.together
    chance, loss = selection.chances[selection.run], selection.losses[selection.run]
    lost = loss / (1 - chance)
    cost = (
        f"{100 * lost:.1f} points"
        if pricing.budget
        else f"{cards[0].found.priced.amount(lost)} a question"
    )
    assert (
        f"Of {len(selection.chances)} runs, each at its own n, it {does} with a chance of "
        f"{chance:.0%}; if it does not, that costs {cost} on average."
    ) in map(str, alternatives(cards) if pricing.budget else reasons(cards))


def test_nothing_is_lost_where_one_surely_costs_least_or_all_cost_the_same():
    sure = told(Pricing(quality=0.2, sample_prices=(("fair", (1.0,)), ("", (3.0,)))))
    best = "Of 3 runs, each at its own n, it costs least with a chance of more than 99%."
    assert best in map(str, reasons(sure))
    alike = told(Pricing(quality=0.2))
    assert not any("with a chance of" in str(each) for each in reasons(alike))


def test_the_next_run_is_the_likeliest_to_be_the_best_of_the_others():
    cards = told(Pricing(quality=0.6))
    selection, _ = cards[0].found.together
    others = [card for card in cards if card.key != selection.run and card.found.choice.safe_n]
    best = max(others, key=lambda card: selection.chances[card.key])
    other = best.found.choice
    at = other.table.index(other.safe_n)
    assert (
        f"The next best is {best.run.model} at n = {other.safe_n}: {solved(other, at)} for "
        f"{best.found.priced.amount(other.table.cost[at])} a question."
    ) in map(str, reasons(cards))


@pytest.mark.parametrize(
    ("pricing", "said"),
    [
        (Pricing(reach=1.0), "No other run is sure to reach the aim with its samples."),
        (Pricing(quality=0.92), "No other run is sure to reach the aim with its samples."),
        (
            Pricing(budget=1.5, sample_prices=(("good", (1.0,)), ("", (9.0,)))),
            "No other run is sure to stay within the budget.",
        ),
        (
            Pricing(value=9.0, sample_prices=(("good", (1.0,)), ("", (99.0,)))),
            "No other run is sure to be worth its price.",
        ),
    ],
)
def test_where_no_other_run_would_do_that_is_said(pricing, said):
    cards = told(pricing)
    assert said in map(str, alternatives(cards) if pricing.budget else reasons(cards))


def test_a_run_without_a_price_is_left_out_aloud():
    cards = told(Pricing(sample_prices=(("good", (1.0,)), ("bad", (1.0,)))))
    said = "fair is left out: There are prices of other models but none of fair."
    assert said in map(str, reasons(cards))
    assert str(answer(cards)).startswith("Use ")


def test_questions_that_not_all_runs_have_are_told():
    fewer = Outcomes(RUNS["fair / maths"].outcomes.correct[:100])
    cards = told(runs=RUNS | {"fair / maths": Run("fair", "maths", fewer)})
    said = "Only the 100 questions that all runs share count; the runs have 100 to 150 questions."
    assert said in map(str, reasons(cards))
    assert "These 100 questions take " in " ".join(map(str, reasons(cards)))


def test_over_datasets_too_it_is_told_that_only_shared_questions_count():
    few = Outcomes(RUNS["fair / maths"].outcomes.correct[:100])
    logic = [replace(each, dataset="logic") for each in RUNS.values() if each.model != "bad"]
    runs = {f"{each.model} / {each.dataset}": each for each in (*RUNS.values(), *logic)}
    del runs["bad / maths"]
    shared = "On 1 of 2 datasets only the questions that all models share count."
    fewer = runs | {"fair / maths": Run("fair", "maths", few)}
    for group, told_of in ((fewer, True), (runs, False)):
        chosen = choose_means(group, View(), Pricing())
        assert str(choice_of(chosen)).endswith(shared) == told_of
        assert (shared in str(answer(chosen))) == told_of


# The table and the frontier -----------------------------------------------------------------------


def test_the_table_has_each_run_at_its_n_and_the_one_to_take_first():
    cards = told(Pricing(quality=0.8))
    found = {line.name: line for line in lines(cards)}
    card, choice, at = taken(cards)
    first, *others = found.values()
    assert (first.name, first.note, first.n) == (card.run.model, TAKEN, choice.safe_n)
    assert first.cost == choice.table.cost[at]
    assert first.all == M * choice.table.cost[at]
    assert first.further == choice.table.cost_per_further[at]
    assert first.quality[0] == choice.table.quality[at]
    bad = found["bad"]
    assert (bad.n, str(bad.note)) == (N, "not sure to reach it")
    assert others[-1] is bad


@pytest.mark.parametrize(
    ("pricing", "note"),
    [
        (Pricing(budget=0.1), "too dear"),
        (Pricing(value=0.1), "not worth its price"),
        (Pricing(quality=0.999), "not sure to reach it"),
    ],
)
def test_what_misses_the_aim_says_so(pricing, note):
    assert {str(line.note) for line in lines(told(pricing))} == {note}


def test_a_run_of_which_nothing_is_known_stands_last_with_its_reason():
    runs = RUNS | {"none / maths": Run("none", "maths", None)}
    *_, last = lines(told(runs=runs))
    assert (last.name, last.n, last.quality, last.cost) == ("none", None, None, None)
    assert "does not say which samples were right" in str(last.note)


def test_the_frontier_in_words_is_the_frontier():
    cards = told(Pricing(sample_prices=PRICES))
    said = str(best_in_words(cards))
    (offers,) = frontiers(cards).values()
    best = [offer for offer in offers if offer.best]
    assert said.startswith(f"Best for its cost: fair at n = {best[0].n}")
    runs = [offer.key.split(" /")[0] for offer in best]
    spans = [name for place, name in enumerate(runs) if place == 0 or runs[place - 1] != name]
    assert [
        word for word in said.replace(",", "").split() if word in ("good", "fair", "bad")
    ] == spans
    assert best_in_words(told(runs={"x": RUNS["good / maths"]})) is None


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.52, "about half"),
        (0.30, "about a third"),
        (0.27, "about a quarter"),
        (0.19, "about a fifth"),
        (0.105, "about a tenth"),
        (0.41, "41%"),
        (0.03, "3%"),
    ],
)
def test_a_share_of_the_cost_is_a_fraction_where_one_is_near(share, said):
    assert str(_fraction(share)) == said


def test_in_short_the_choice_is_set_beside_the_one_that_takes_more():
    rng = np.random.default_rng(2)
    correct = (rng.random((150, 8)) < rng.beta(0.7, 1, (150, 1))).astype(int)
    runs = {
        model: Run(
            model,
            "maths",
            Outcomes(correct),
            columns={"tokens_out": np.full(correct.shape, tokens)},
        )
        for model, tokens in (("dear", 900), ("cheap", 100))
    }
    chosen = choose_runs(runs, View(), Pricing())
    found = joint_choice(chosen)
    assert found.chosen == "cheap"
    taken, other = (found.found[name] for name in ("cheap", "dear"))
    share = _paid(taken) / _paid(other)
    n = taken.choice.safe_n
    table, at = taken.choice.table, taken.choice.table.index(n)
    solved = percent(table.quality[at], table.quality_low[at], table.quality_high[at])
    assert str(checked_answers(chosen)) == (
        f"If answers can be checked, cheap at n = {n} solves {solved} for {_fraction(share)} of "
        "the tokens that dear takes."
    )
    alone = choose_runs({"cheap": runs["cheap"]}, View(), Pricing())
    assert str(checked_answers(alone)).endswith(" tokens a question on average.")
    voted = choose_runs(runs, View(), Pricing(verifier=False))
    assert checked_answers(voted) is None
    once = {name: Run(name, "maths", Outcomes([[1], [0]] * 40)) for name in ("a", "b")}
    assert checked_answers(choose_runs(once, View(), Pricing())) is None
