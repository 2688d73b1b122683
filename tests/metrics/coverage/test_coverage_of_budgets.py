"""How often the intervals about tokens, lengths and times hold the truth.

Hard questions have long answers; right ones are shorter than wrong ones to the same question.
"""

import numpy as np
import pytest
from scipy.special import ndtr

import metrics
from tests.metrics.coverage.coverage_study import NOISE, QUANTILES, REPETITIONS, SEED, holds
from tests.metrics.difficulties import of_kinds

DIFFICULTIES = of_kinds("uniform", "Beta(.3,.3)", "Beta(.5,5)", "90 % at 1", "all .3")
SIZES = [(30, 8), (100, 8), (300, 8), (100, 16)]
WITHIN, BETWEEN, SHORTER = 0.5, 0.4, 0.2
"""Spread of the logarithms of lengths, and by how much right answers are shorter."""


def questions(rng, rates):
    """The mean logarithm of the length of a wrong answer to each question."""
    return 8 - 1.5 * rates + BETWEEN * rng.normal(size=len(rates))


def asked(rng, rates, middle, n):
    right = (rng.random((len(rates), n)) < rates[:, None]).astype(int)
    logs = middle[:, None] - SHORTER * right + WITHIN * rng.normal(size=right.shape)
    return right, np.ceil(np.exp(logs))


def solved(rates, middle, k, budget):
    """The mean chance that one of k answers of at most so many tokens is right."""
    within = ndtr((np.log(np.floor(budget)) - middle + SHORTER) / WITHIN)
    return float((1 - (1 - rates * within) ** k).mean())


def tell(hits):
    """Print and return the least share of each kind of interval that held."""
    least = {}
    for (kind, name, m, n), held in hits.items():
        cell = (np.mean(held), name, m, n, len(held))
        least[kind] = min(least.get(kind, cell), cell)
    for kind, cell in least.items():
        print(f"\n{kind}: least {cell}")
    return least


def cells():
    for name, quantile in DIFFICULTIES.items():
        for m, n in SIZES:
            rng = np.random.default_rng(SEED)
            yield name, m, n, rng, quantile, quantile(QUANTILES), questions(rng, QUANTILES * 0)


@pytest.mark.slow
def test_short_or_long():
    """Where the short ones are cut, and where they would be if the tokens of all were known."""
    hits = {}
    for name, m, n, rng, quantile, everywhere, _ in cells():
        middles = questions(rng, everywhere)
        many = metrics.short_or_long(*asked(rng, everywhere, middles, 8), 4)
        exact, whole = many.short.budget, solved(everywhere, middles, 1, np.inf)
        spent = many.long.spent.value
        for _ in range(REPETITIONS):
            rates = quantile(rng.random(m))
            middle = questions(rng, rates)
            data = asked(rng, rates, middle, n)
            for target, world in (
                ("population", (everywhere, middles)),
                ("benchmark", (rates, middle)),
            ):
                found = metrics.short_or_long(*data, 4, target=target)
                truth = solved(*world, 4, found.short.budget) - solved(*world, 1, np.inf)
                held = holds(found.gain.interval, truth)
                hits.setdefault((f"gain, {target}", name, m, n), []).append(held)
                if target == "population":
                    truth = solved(everywhere, middles, 4, exact) - whole
                    held = holds(found.gain.interval, truth)
                    hits.setdefault(("gain at the exact budget", name, m, n), []).append(held)
            budgets = metrics.token_budgets(*data, ks=[1], budgets=[exact])
            held = budgets.spent_low[-1] <= spent <= budgets.spent_high[-1]
            hits.setdefault(("tokens", name, m, n), []).append(held)
    least = tell(hits)
    floors = {"gain, benchmark": 0.92}
    assert all(cell[0] > floors.get(kind, 0.93) - NOISE for kind, cell in least.items())


@pytest.mark.slow
def test_lengths_and_times():
    """Of lengths the truth is about questions that have right answers and wrong ones among n."""
    hits = {}
    for name, m, n, rng, quantile, everywhere, _ in cells():
        middles = questions(rng, everywhere)
        wrong = np.exp(middles + WITHIN**2 / 2)
        mixed = 1 - everywhere**n - (1 - everywhere) ** n
        ratio = np.exp(-SHORTER)
        over_all = (
            ratio
            * (everywhere @ wrong / everywhere.sum())
            / ((1 - everywhere) @ wrong / (1 - everywhere).sum())
        )
        longer = ndtr(-SHORTER / (WITHIN * np.sqrt(2)))
        assert mixed.any()
        many = metrics.answer_times(*asked(rng, everywhere, middles, 16), 4)
        for _ in range(REPETITIONS):
            rates = quantile(rng.random(m))
            data = asked(rng, rates, questions(rng, rates), n)
            try:
                found = metrics.right_lengths(*data)
            except metrics.MetricError:
                continue
            if found.n_questions >= 10:
                for kind, value in (("ratio", ratio), ("longer", longer), ("over_all", over_all)):
                    held = holds(getattr(found, kind).interval, value)
                    hits.setdefault((kind, name, m, n), []).append(held)
            times = metrics.answer_times(*data, 4)
            for kind in (
                "all_at_once",
                "all_in_turn",
                "right_at_once",
                "right_in_turn",
                "all_faster",
                "right_faster",
                "none_right",
            ):
                held = holds(getattr(times, kind).interval, getattr(many, kind).value)
                hits.setdefault((kind, name, m, n), []).append(held)
    least = tell(hits)
    doubtful = dict.fromkeys(("over_all", "right_in_turn", "right_faster"), 0.89)
    assert all(cell[0] > doubtful.get(kind, 0.93) - NOISE for kind, cell in least.items())
