"""How often the intervals of what a judge says, its errors allowed for, hold the truth."""

import numpy as np
import pytest

import metrics
from metrics import MetricError, correct_judge, judge_errors, prediction_powered
from metrics.analyses.judges.correcting import rate_limits
from metrics.analyses.judges.errors import Agreed
from metrics.data.results import Interval
from tests.metrics.coverage.coverage_study import (
    DOUBTFUL,
    NOISE,
    QUANTILES,
    REPETITIONS,
    SEED,
    holds,
)
from tests.metrics.difficulties import of_kinds

DIFFICULTIES = of_kinds("uniform", "Beta(.5,5)", "Beta(5,.5)", "Beta(.3,.3)")
SIZES = [(30, 4), (100, 5), (500, 16)]
JUDGES = [(0.95, 0.95), (0.9, 0.8), (0.8, 0.9), (0.75, 0.75)]
LABELS = (20, 50, 200)
NEAR_CHANCE = [(0.5, 0.5), (0.6, 0.6), (0.9, 0.2), (0.75, 0.75), (0.9, 0.8), (0.95, 0.95)]
STUDIED = [(100, 5, 50), (300, 16, 200)]
PARTS = [
    (m, n, labelled)
    for m, n in [(100, 5), (500, 16), (1000, 8)]
    for labelled in (10, *LABELS)
    if labelled < m
]
PROMISED = 0.92
MANY = 10**9
NOTHING = Interval(0, 0)


def truth(metric, k, p):
    return {"avg@n": p, "pass@k": 1 - (1 - p) ** k, "pass^k": p**k}[metric].mean()


def judged(rng, right, s, t):
    return np.where(rng.random(right.shape) < np.where(right == 1, s, 1 - t), 1, 0)


def one_verdict(rng, m, n):
    """The judge errs at all samples of a question or at none."""
    return np.repeat(rng.random((m, 1)), n, axis=1)


def apart(rng, m, n):
    """Its errors avoid one another within a question."""
    places = rng.permuted(np.tile(np.arange(n), (m, 1)), axis=1)
    return (rng.random((m, 1)) + places / n) % 1


def anew(rng, m, n):
    """It errs anew at each sample."""
    return rng.random((m, n))


def as_known(observed, s, t):
    """The interval of a rate whose judge's errors are taken for known."""
    exactly = (Agreed(share * MANY, MANY) for share in (s, t))
    return rate_limits(observed.value, observed.n_effective, *exactly, 0.95)[0] or NOTHING


def separate(quantile, m, n, s, t, labels, repetitions, seed=SEED):
    """How often each interval of a rate holds, how wide it is, and how many sets were refused."""
    rng, held, widths, refused = np.random.default_rng(seed), {}, {}, 0
    value = truth("avg@n", 1, quantile(QUANTILES))
    for _ in range(repetitions):
        right = (rng.random((m, n)) < quantile(rng.random(m))[:, None]).astype(int)
        verdicts = judged(rng, right, s, t)
        x1, x0 = rng.binomial(labels, s), rng.binomial(labels, t)
        try:
            found = correct_judge(verdicts, right_labels=(x1, labels), wrong_labels=(x0, labels))
        except MetricError:
            refused += 1
            continue
        told = found.errors.right_labels, found.errors.wrong_labels
        alone, _parts = rate_limits(found.observed.value, m * n, *told, 0.95)
        intervals = {
            "corrected": found.estimate.interval,
            "check": found.check or NOTHING,
            "uncorrected": found.observed.interval,
            "errors taken for known": as_known(found.observed, x1 / labels, x0 / labels),
            "each answer for itself": alone or NOTHING,
        }
        for kind, interval in intervals.items():
            held.setdefault(kind, []).append(holds(interval, value))
            widths.setdefault(kind, []).append(interval.high - interval.low)
    return held, widths, refused


@pytest.mark.slow
def test_a_separate_calibration_set():
    cells, seldom = {}, []
    for name, quantile in DIFFICULTIES.items():
        for m, n in SIZES:
            for s, t in JUDGES:
                for labels in LABELS:
                    cell = quantile, m, n, s, t, labels
                    held, widths, refused = separate(*cell, REPETITIONS)
                    share = np.mean(held["corrected"])
                    if share < PROMISED:
                        held = separate(*cell, DOUBTFUL, SEED + 1)[0]
                        seldom.append((np.mean(held["corrected"]), name, m, n, s, t, labels))
                    for kind, each in held.items():
                        told = np.mean(each), np.mean(widths[kind]), refused, name, *cell[1:]
                        cells.setdefault(kind, []).append(told)
    for kind, each in cells.items():
        mean, width = np.mean([cell[:2] for cell in each], axis=0)
        print(f"\n{kind}: least {min(each)}, mean {mean:.3f}, width {width:.3f}")
        for labels in LABELS:
            some = [cell for cell in each if cell[-1] == labels]
            print(f"  {labels} labels: least {min(some)[0]:.3f}", end="")
            print(f", width {np.mean([cell[1] for cell in some]):.3f}", end="")
            print(f", refused at most {max(cell[2] for cell in some) / REPETITIONS:.3f}")
    print("again", sorted(seldom)[:5])
    assert min(cells["corrected"])[0] > PROMISED - NOISE
    assert all(share > PROMISED - NOISE for share, *_ in seldom)
    assert min(cells["uncorrected"])[0] < 0.2
    assert min(cells["errors taken for known"])[0] < 0.6
    assert min(cells["each answer for itself"])[0] < 0.8


def among_the_shown(metric, errs, quantile, m, n, s, t, labels, repetitions, seed=SEED):
    """How often the interval holds where there is one, its width, and how often there is one."""
    rng, held, widths = np.random.default_rng(seed), [], []
    value, k = truth(metric, 3, quantile(QUANTILES)), None if metric == "avg@n" else 3
    for _ in range(repetitions):
        right = rng.random((m, n)) < quantile(rng.random(m))[:, None]
        verdicts = np.where(errs(rng, m, n) < np.where(right, s, 1 - t), 1, 0)
        told = {
            "right_labels": (rng.binomial(labels, s), labels),
            "wrong_labels": (rng.binomial(labels, t), labels),
        }
        try:
            found = metrics.correct_judge(verdicts, **told, metric=metric, k=k)
        except MetricError:
            continue
        low, high = found.estimate.interval
        held.append(low <= value <= high)
        widths.append(high - low)
    return np.mean(held), np.mean(widths), len(held) / repetitions


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["avg@n", "pass@k", "pass^k"])
def test_near_chance_and_errors_that_go_together(metric):
    """What is promised holds among the data sets for which a number is shown."""
    cells, again = {}, []
    for errs in (anew, one_verdict, apart):
        for s, t in NEAR_CHANCE:
            for m, n, labels in STUDIED:
                for name in ("uniform", "Beta(.3,.3)"):
                    asked = metric, errs, DIFFICULTIES[name], m, n, s, t, labels
                    found = among_the_shown(*asked, REPETITIONS // 2)
                    if found[0] < PROMISED:
                        found = among_the_shown(*asked, 2 * REPETITIONS, SEED + 1)
                        again.append((found[0], errs.__name__, s, t, labels, name))
                    cells.setdefault((errs.__name__, s, t), []).append(found)
    for cell, each in cells.items():
        share, width, shown = np.transpose(each)
        print(f"\n{metric}, {cell}: holds at least {share.min():.3f}, shown at least ", end="")
        widths = width.reshape(len(STUDIED), -1).mean(axis=1).round(2)
        print(f"{shown.min():.2f}, width {widths}", flush=True)
        assert share.min() > PROMISED - NOISE
        assert cell[1] + cell[2] < 1.5 or shown.min() > 0.95
    print("again", sorted(again)[:5])


@pytest.mark.slow
def test_labels_that_cluster_by_question():
    """Judges that know some questions well and others badly, labelled eight answers at a time."""
    for s, t in ((0.9, 0.8), (0.8, 0.9)):
        for questions in (20, 50):
            rng = np.random.default_rng(SEED)
            held = {"clustered": [], "each label for itself": []}
            for _ in range(2 * REPETITIONS):
                right = (rng.random((questions, 8)) < rng.random((questions, 1))).astype(int)
                strict = rng.beta(s, 1 - s, (questions, 1))
                lenient = rng.beta(t, 1 - t, (questions, 1))
                verdicts = judged(rng, right, strict, lenient)
                ways = {
                    "clustered": judge_errors(verdicts, human=right),
                    "each label for itself": judge_errors(verdicts.ravel(), human=right.ravel()),
                }
                for kind, errors in ways.items():
                    held[kind].append(holds(errors.sensitivity.interval, s))
                    held[kind].append(holds(errors.specificity.interval, t))
            shares = {kind: np.mean(each) for kind, each in held.items()}
            print(f"\n{s}, {t}, {questions} questions: {shares}")
            assert shares["clustered"] > PROMISED
            assert shares["each label for itself"] < 0.85


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["avg@n", "pass@k", "any-pass"])
def test_labels_of_a_random_part(metric):
    cells = {}
    for name, quantile in DIFFICULTIES.items():
        for m, n, labelled in PARTS:
            for s, t in JUDGES:
                rng = np.random.default_rng(SEED)
                k = 2 if metric == "pass@k" else n if metric == "any-pass" else 1
                value = truth("avg@n" if metric == "avg@n" else "pass@k", k, quantile(QUANTILES))
                held, widths = {}, {}
                for _ in range(REPETITIONS):
                    right = (rng.random((m, n)) < quantile(rng.random(m))[:, None]).astype(int)
                    verdicts = judged(rng, right, s, t)
                    human = np.full((m, n), np.nan)
                    human[:labelled, : 1 if metric == "avg@n" else n] = 1
                    human = human * right
                    if metric == "any-pass":
                        human = human.max(axis=1)
                    found = prediction_powered(
                        verdicts, human, metric=metric, k=2 if metric == "pass@k" else None
                    )
                    ways = {
                        "with the judge": found.estimate,
                        "labels only": found.labels_only,
                        "uncorrected": found.observed,
                    }
                    for kind, each in ways.items():
                        low, high = each.interval
                        held.setdefault(kind, []).append(holds(each.interval, value))
                        widths.setdefault(kind, []).append(high - low)
                for kind in held:
                    told = np.mean(held[kind]), np.mean(widths[kind]), name, m, labelled, s, t
                    cells.setdefault(kind, []).append(told)
    for kind, each in cells.items():
        print(f"\n{metric}, {kind}: least {min(each)}, mean {np.mean([c[0] for c in each]):.3f}")
    pairs = list(zip(cells["with the judge"], cells["labels only"], strict=True))
    for labelled in (10, *LABELS):
        gains = [1 - one[1] / other[1] for one, other in pairs if one[4] == labelled]
        print(f"  {labelled} labelled: gain {min(gains):.3f} to {max(gains):.3f}", end="")
        print(f", mean {np.mean(gains):.3f}")
    assert min(cells["with the judge"])[0] > PROMISED - NOISE
    assert min(cells["labels only"])[0] > 0.93 - NOISE
    assert min(cells["uncorrected"])[0] < 0.2
