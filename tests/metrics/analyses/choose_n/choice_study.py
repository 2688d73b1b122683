"""How often the n to use holds what it promises, for data whose truth is known.

``uv run python -m tests.metrics.analyses.choose_n.choice_study 1200`` prints the rows of
`metrics.analyses.choose_n.simulation` from so many data sets of each kind. The truth comes from the
distribution of success rates by numerical integration, not from the product.
"""

import sys
from functools import cache
from itertools import accumulate, product
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, ndtr

from metrics import Tally, Way
from metrics.analyses.choose_n.choice import aim_at, measure
from metrics.analyses.choose_n.picks import picks_of
from metrics.analyses.choose_n.rules import Aim, advise
from metrics.analyses.choose_n.selection import select
from metrics.analyses.choose_n.weighing import weigh
from metrics.data.evidence import Evidence
from metrics.data.threads import one_thread
from tests.metrics.coverage.test_coverage_of_picks import picked, sampled_signal
from tests.metrics.difficulties import BEYOND, KINDS

SEED = 20261122
QUANTILES = (np.arange(20_000) + 0.5) / 20_000
HAIR = 1e-9
RESAMPLES = 400


class Signal(NamedTuple):
    """How much higher the signal of a right sample is, in standard deviations, and its step."""

    gap: float
    step: float


SIGNALS = Signal(0.5, 0.02), Signal(1.0, 0.02), Signal(2.0, 0.02), Signal(-1.0, 0.02)
"""Signals that pick: poor, fair, good, and one that prefers wrong answers."""


class Truth:
    """Quality and attempts of questions of some success rates at n = 0 … N.

    Without a check all n vote, right against wrong, where an even n is no better than one less; or
    the best by a signal is picked.
    """

    def __init__(self, rates, n, how="check"):
        if isinstance(how, Signal):
            grid = np.linspace(0, 1, 201)
            best = [np.interp(rates, grid, picked(k, grid, *how)).mean() for k in range(1, n + 1)]
            self.solved, self.attempts = np.array([0.0, *best]), np.arange(n + 1.0)
        elif how == "vote":
            halves = (np.arange(1, n + 1) + 1) // 2
            self.solved = np.array([0.0, *(betainc(half, half, rates).mean() for half in halves)])
            self.attempts = np.arange(n + 1.0)
        else:
            self.solved = np.array([1 - np.mean((1 - rates) ** k) for k in range(n + 1)])
            self.attempts = np.array([0.0, *accumulate(1 - self.solved[:-1])])

    def profit(self, worth, price=1.0):
        return worth * self.solved - price * self.attempts


@one_thread()
def single(kind, m, n, sets, how="check"):
    """Return of each set: its mixed questions, then whether each rule held, or what it lost.

    Limits lie where the rule fails most easily: a target a hair above what some n solves, a budget
    a hair below what some n costs.
    """
    rng, quantile = np.random.default_rng(SEED), KINDS[kind]
    truth = truth_of(kind, n, how)
    at = sorted({k | (how == "vote") for k in (1, 2, max(1, n // 4), n // 2, n - 1)})
    targets = truth.solved[at] + HAIR
    budgets = truth.attempts[at] * (1 - HAIR)
    worths = (2.0, 5.0, 12.0, 30.0) if how == "check" else (10.0, 30.0, 100.0, 300.0)
    found = []
    for _ in range(sets):
        weighed = drawn(rng, quantile(rng.random(m)), n, how)
        run = measure(weighed, weighed.units.resampled(RESAMPLES, rng), 0.95)

        def safe(aim, run=run):
            return advise(aim, run.table, run.sure, 0.95).safe_n or 0

        reach = aim_at("reach", 0.95, {"": run})
        if not truth.solved.max() or not reach.target:
            enough = np.nan
        else:
            enough = truth.solved[safe(reach)] >= 0.95 * truth.solved.max() - HAIR / 2
        solved = [truth.solved[safe(Aim("quality", t, t))] for t in targets]
        quality = [s == 0 or s >= t for s, t in zip(solved, targets, strict=True)]
        budget = [truth.attempts[safe(Aim("budget", b))] <= b for b in budgets]
        lost = [
            (truth.profit(v).max() - truth.profit(v)[safe(Aim("value", v))]) / v for v in worths
        ]
        found.append([weighed.questions.mixed, enough, *quality, *budget, *lost])
    return np.array(found, dtype=float), len(at), len(worths)


@cache
def truth_of(kind, n, how):
    return Truth(KINDS[kind](QUANTILES), n, how)


def drawn(rng, rates, n, how):
    """What each n gains and costs, of samples drawn for questions of these success rates."""
    if not isinstance(how, Signal):
        tally = Tally.of_questions(n, rng.binomial(n, rates))
        return weigh(Evidence(tally), "pass@k", 1.0, how == "check")
    right = (rng.random((len(rates), n)) < rates[:, None]).astype(np.int8)
    evidence, way = Evidence(right), Way(sampled_signal(rng, right, *how))
    return weigh(evidence, picks_of(right, evidence, way), 1.0, True)


def worst(found, limits, worths):
    """Return mixed questions, what held (reach, targets, budgets), and the worst mean loss."""
    means = np.nanmean(found, axis=0) if np.isfinite(found[:, 1]).any() else found.mean(axis=0)
    quality, budget = means[2 : 2 + limits], means[2 + limits : 2 + 2 * limits]
    return means[0], means[1], quality.min(), budget.min(), means[-worths:].max()


@one_thread()
def several(kind, m, n, runs, design, sets):
    """Return of each set and aim whether the chosen run at its n holds, and what it costs.

    Runs find the same questions hard, more or less. In design "alike" they are equally good and
    dear, so that the luckiest is chosen; in "graded" the better are dearer.
    """
    rng, quantile = np.random.default_rng(SEED), (KINDS | BEYOND)[kind]
    steps = np.linspace(-1, 1, runs)
    powers = np.ones(runs) if design == "alike" else 2.0**-steps
    prices = np.ones(runs) if design == "alike" else 3.0**steps
    truths = [Truth(quantile(QUANTILES) ** power, n) for power in powers]
    best = max(truth.solved[n] for truth in truths)
    target = 0.9 * best
    budget = max(
        price * truth.attempts[n // 2] for truth, price in zip(truths, prices, strict=True)
    )
    worth = 10.0 * prices.max()
    aims = {"reach": 0.95, "quality": target, "budget": 0.7 * budget, "value": worth}
    found = {rule: [] for rule in aims}
    for _ in range(sets):
        z = rng.standard_normal(m)
        weighed = {}
        for place, (power, price) in enumerate(zip(powers, prices, strict=True)):
            u = ndtr(0.9 * z + np.sqrt(1 - 0.81) * rng.standard_normal(m))
            rates = quantile(np.clip(u, 1e-12, 1 - 1e-12)) ** power
            verdicts = (rng.random((m, n)) < rates[:, None]).astype(np.int8)
            weighed[str(place)] = weigh(Evidence(verdicts), "pass@k", price, True, each=True)
        for rule, limit in aims.items():
            chosen = select(weighed, {rule: limit}, 0.95, RESAMPLES, rng)
            if chosen.run is None:
                found[rule].append((np.nan, np.nan, np.nan))
                continue
            place, at = int(chosen.run), chosen.choices[chosen.run].safe_n
            truth, price = truths[place], prices[place]
            cost = price * truth.attempts[at]
            if rule in ("reach", "quality"):
                named = truths[int(chosen.aim.run or 0)].solved[n]
                wanted = 0.95 * named if rule == "reach" else target
                least = min(
                    p * t.attempts[np.flatnonzero(t.solved >= wanted - HAIR)[0]]
                    for t, p in zip(truths, prices, strict=True)
                    if t.solved[n] >= wanted - HAIR
                )
                held, lost = truth.solved[at] >= wanted - HAIR, cost / least
            elif rule == "budget":
                most = max(
                    t.solved[np.flatnonzero(p * t.attempts <= limit)[-1]]
                    for t, p in zip(truths, prices, strict=True)
                )
                held, lost = cost <= limit, truth.solved[at] / most
            else:
                most = max(t.profit(worth, p).max() for t, p in zip(truths, prices, strict=True))
                held, lost = True, (most - truth.profit(worth, price)[at]) / worth
            found[rule].append((held, lost, chosen.chances[chosen.run]))
    return {rule: np.array(each, dtype=float) for rule, each in found.items()}


def held(found):
    """Return of one rule the share that held or chose none, what it cost or lost, and its mean."""
    chosen = found[np.isfinite(found[:, 0])]
    share = 1 - (chosen[:, 0] == 0).sum() / len(found)
    if len(chosen) < FEW:
        return share, np.nan, np.nan
    return share, np.quantile(chosen[:, 1], 0.9), chosen[:, 1].mean()


FEW = 20
SIZES = (30, 16), (30, 8), (100, 4), (100, 16), (100, 64), (300, 16), (1000, 16)
SIZES_OF_PICKS = (30, 16), (30, 8), (100, 4), (100, 16), (300, 16)
MIXED = 0, 10, 25, 50
"""A kind belongs to the last of these that its mean number of mixed questions reaches."""
KINDS_OF_SEVERAL = (
    "uniform",
    "Beta(.3,.3)",
    ".02 or .98",
    "35 % at 0, 35 % at 1",
    ".001, .3 or .999",
    "Beta(.5,5)",
)
FRESH_KINDS = (
    "Beta(.5,.5)",
    "hardly solved",
    ".04 or .9",
    "mostly solved",
    "logit-normal(-3, 3)",
    ".01, .5 or .99",
)
"""Kinds that no rule for several runs was tuned on, tried with 30 questions and 2 or 5 runs."""
SEVERAL = [(m, runs) for m in (30, 100, 300) for runs in (2, 5, 10)]
DESIGNS = "alike", "graded"


def one_run(sets, name="OneRun", hows=("check",), kinds=KINDS, sizes=SIZES):
    """Print the worst of every kind, by questions and mixed ones."""
    rows = {}
    for (m, n), kind, how in product(sizes, kinds, hows):
        mixed, *shares, lost = worst(*single(kind, m, n, sets, how))
        least = max(each for each in MIXED if mixed >= each)
        *before, most = rows.get((m, least), (2, 2, 2, 0))
        rows[m, least] = (*np.fmin(before, shares), max(most, lost))
    for key, row in sorted(rows.items()):
        print(name, *key, *np.round(row, 4), flush=True)


def several_runs(sets):
    """Print the worst of some kinds and both designs, by questions and runs."""
    for m, runs in SEVERAL:
        found = {}
        for kind in KINDS_OF_SEVERAL:
            for design in DESIGNS:
                for rule, each in several(kind, m, 16, runs, design, sets).items():
                    found.setdefault(rule, []).append(held(each))
        worst_of = {rule: np.array(each) for rule, each in found.items()}
        row = {rule: (each[:, 0].min(), np.nanmax(each[:, 1])) for rule, each in worst_of.items()}
        solved, lost = np.nanmin(worst_of["budget"][:, 2]), np.nanmax(worst_of["value"][:, 2])
        told = (*row["reach"], *row["quality"], row["budget"][0], solved, lost)
        print("SeveralRuns", m, runs, *np.round(told, 4), flush=True)


if __name__ == "__main__":
    one_run(int(sys.argv[1]))
    one_run(int(sys.argv[1]), "ByVote", ("vote",))
    one_run(int(sys.argv[1]) // 6, "ByPick", SIGNALS, KINDS_OF_SEVERAL, SIZES_OF_PICKS)
    several_runs(int(sys.argv[1]) // 6)
