"""How often the intervals about votes by a signal, and about trust in one, hold the truth."""

import numpy as np
import pytest
from scipy.special import ndtr

import metrics
from metrics import Interval, Way
from metrics.analyses.candidates import voting
from tests.metrics.coverage.coverage_study import (
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    holds,
    promised,
)
from tests.metrics.difficulties import of_kinds

DIFFICULTIES = of_kinds("uniform", "Beta(.3,.3)", "Beta(.5,5)", "90 % at 1", "all .3")
SIZES = [(30, 8), (100, 8), (300, 8), (100, 16)]
GRID = np.linspace(0, 1, 41)
DRAWS = 20_000
"""Fresh sets of candidates at each rate, for the truth."""


def asked(rng, p, n):
    """Verdicts, answers, three of them wrong, and two signals in [0, 1] that err together."""
    rates = np.asarray(p)[:, None]
    right = (rng.random((len(rates), n)) < rates).astype(int)
    answers = np.where(right, 0, rng.choice([1, 2, 3], right.shape, p=[0.5, 0.3, 0.2]))
    shared = rng.normal(size=right.shape)
    signals = [
        ndtr(1.5 * (rates - 0.5) + right + 0.6 * shared + 0.8 * rng.normal(size=right.shape) - 0.3)
        for _ in range(2)
    ]
    return right, answers, *signals


def exactly(scores, p):
    """The mean over questions of what is known of each rate on the grid."""
    return float(np.interp(p, GRID, scores).mean())


def by_rate(score):
    """The mean of a score of fresh candidates, at each rate on the grid."""
    rng = np.random.default_rng(SEED)
    return np.array([np.mean(score(rng, np.full(DRAWS, rate))) for rate in GRID])


def voted(rule, k):
    def score(rng, p):
        right, answers, judge, _ = asked(rng, p, k)
        return metrics.weighted_vote(right, judge, rule, k, answers=answers).value[0]

    return by_rate(score)


def plain(k):
    def score(rng, p):
        right, answers, _, _ = asked(rng, p, k)
        return metrics.estimate(right, "plurality@k", k, answers=answers).value

    return by_rate(score)


def own(k, place, least=False):
    """What the best by the first signal pays: 0 the verdict, 2 its own score, 3 the other's."""

    def score(rng, p):
        right, answers, judge, other = asked(rng, p, k)
        best = (judge.argmin if least else judge.argmax)(axis=1)[:, None]
        return np.take_along_axis((right, answers, judge, other)[place], best, axis=1)

    return by_rate(score)


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
            yield name, quantile, m, n


@pytest.mark.slow
def test_votes(monkeypatch):
    """Of n = 16 the votes are drawn, 8 orders of each question, as if counting took long."""
    tables, hits, floor = {}, {}, {}
    for n in (8, 16):
        for k in (n // 2, n):
            for rule in ("sum", "mean"):
                tables[rule, k] = voted(rule, k)
    for name, quantile, m, n in cells():
        rng = np.random.default_rng(SEED)
        everywhere = quantile(QUANTILES)
        monkeypatch.setattr(voting, "EXACT", voting.EXACT if n == 8 else 1)
        monkeypatch.setattr(voting, "DRAWN", 8 * m * n)
        for _ in range(REPETITIONS):
            p = quantile(rng.random(m))
            right, answers, judge, _ = asked(rng, p, n)
            for target, rates in (("population", everywhere), ("benchmark", p)):
                for rule in ("sum", "mean"):
                    ks = [n // 2, n]
                    found = metrics.weighted_vote(
                        right, judge, rule, ks, answers=answers, target=target
                    )
                    for k, ends in zip(ks, zip(found.low, found.high, strict=True), strict=True):
                        kind = f"{rule}, {target}, {'half' if k < n else 'all'}"
                        floor[kind] = promised(target, k, n)
                        held = holds(Interval(*ends), exactly(tables[rule, k], rates))
                        hits.setdefault((kind, name, m, n), []).append(held)
    assert all(cell[0] > floor[kind] - NOISE for kind, cell in tell(hits).items())


@pytest.mark.slow
def test_two_ways():
    """A pick against a vote, against another signal, and against its own opposite."""
    hits, floor = {}, {}
    ways = {"vote": Way(None), "other": None, "opposite": None}
    tables = {}
    for k in (2, 4, 8, 16):
        tables["pick", k] = tables["other", k] = own(k, 0)
        tables["vote", k], tables["opposite", k] = plain(k), own(k, 0, least=True)
    for name, quantile, m, n in cells():
        rng = np.random.default_rng(SEED)
        everywhere = quantile(QUANTILES)
        for _ in range(REPETITIONS):
            p = quantile(rng.random(m))
            right, answers, judge, other = asked(rng, p, n)
            ways |= {"other": other, "opposite": -judge}
            for target, rates in (("population", everywhere), ("benchmark", p)):
                for way, by in ways.items():
                    for k in (2, n // 2, n):
                        found = metrics.compare_ways(
                            right, by, judge, k, answers=answers, target=target
                        )
                        truth = exactly(tables["pick", k] - tables[way, k], rates)
                        kind = f"pick less {way}, {target}, {'all' if k == n else 'half or less'}"
                        floor[kind] = promised(target, k, n)
                        held = holds(found.interval, truth)
                        hits.setdefault((kind, name, m, n), []).append(held)
    assert all(cell[0] > floor[kind] - NOISE for kind, cell in tell(hits).items())


@pytest.mark.slow
def test_optimism():
    hits, tables = {}, {(k, place): own(k, place) for k in (1, 4, 8, 16) for place in (0, 2, 3)}
    for name, quantile, m, n in cells():
        rng = np.random.default_rng(SEED)
        everywhere = quantile(QUANTILES)
        for _ in range(REPETITIONS):
            right, _, judge, other = asked(rng, quantile(rng.random(m)), n)
            for place, against in ((0, None), (3, other)):
                found = metrics.optimism(right, judge, against, [4, n])
                for at, k in enumerate((4, n)):
                    claimed, one = tables[k, 2], tables[1, 2] - tables[1, place]
                    truths = {
                        "claimed": claimed,
                        "found": tables[k, place],
                        "gap": claimed - tables[k, place],
                        "optimism": claimed - tables[k, place] - one,
                    }
                    for kind, table in truths.items():
                        ends = (getattr(found, f"{kind}_{end}")[at] for end in ("low", "high"))
                        held = holds(Interval(*ends), exactly(table, everywhere))
                        hits.setdefault((kind, name, m, n), []).append(held)
    assert all(cell[0] > 0.93 - NOISE for cell in tell(hits).values())


@pytest.mark.slow
def test_calibration():
    hits, bins = {}, 5
    for name, quantile, m, n in cells():
        rng = np.random.default_rng(SEED)
        right, _, judge, _ = asked(rng, np.repeat(quantile(QUANTILES), 5), 8)
        place = np.minimum((judge * bins).astype(int), bins - 1)
        truth = {
            one / bins: right[place == one].mean() for one in range(bins) if (place == one).any()
        }
        brier, excess = ((judge - right) ** 2).mean(), (judge - right).mean()
        for _ in range(REPETITIONS):
            right, _, judge, _ = asked(rng, quantile(rng.random(m)), n)
            found = metrics.signal_calibration(right, judge, bins=bins)
            for least, *ends in zip(found.least, found.low, found.high, strict=True):
                kind = f"share of a bin from {least:g}"
                hits.setdefault((kind, name, m, n), []).append(holds(Interval(*ends), truth[least]))
            for kind, interval, value in (
                ("Brier", found.brier.interval, brier),
                ("excess", found.excess.interval, excess),
            ):
                hits.setdefault((kind, name, m, n), []).append(holds(interval, value))
    assert all(cell[0] > 0.93 - NOISE for cell in tell(hits).values())


@pytest.mark.slow
def test_a_nested_choice():
    """Of what the halves chose, weighted by how often they did; the best seen is too high."""
    gaps, hits, seen = (0.0, 0.2, 0.4, 0.6), {}, {}

    def signalled(rng, p, n):
        right = (rng.random((len(p), n)) < np.asarray(p)[:, None]).astype(int)
        return right, [gap * right + rng.normal(size=right.shape) for gap in gaps]

    def picked(place, k):
        def score(rng, p):
            right, signals = signalled(rng, p, k)
            return np.take_along_axis(right, signals[place].argmax(axis=1)[:, None], axis=1)

        return by_rate(score)

    tables = {(place, k): picked(place, k) for place in range(4) for k in (2, 4, 8, 16)}
    for name, quantile, m, n in cells():
        rng = np.random.default_rng(SEED)
        everywhere = quantile(QUANTILES)
        truth = np.array(
            [[exactly(tables[place, k], everywhere) for k in (2, 4, n)] for place in range(4)]
        )
        for _ in range(REPETITIONS):
            right, signals = signalled(rng, quantile(rng.random(m)), n)
            found = metrics.nested_choice(right, signals, [2, 4, n])
            value = float((found.shares * truth).sum())
            hits.setdefault(("nested", name, m, n), []).append(holds(found.value.interval, value))
            best = truth[found.place, [2, 4, n].index(found.k)]
            seen.setdefault((name, m, n), []).append(
                (found.seen.value - best, found.value.value - value)
            )
    for cell, gained in seen.items():
        print(cell, "seen, nested too high by", np.mean(gained, axis=0).round(4))
    assert all(cell[0] > 0.93 - NOISE for cell in tell(hits).values())
