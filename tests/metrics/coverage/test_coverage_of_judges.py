"""How often the intervals of what a judge says, its errors allowed for, hold the truth."""

import numpy as np
import pytest

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
PARTS = [
    (m, n, labelled)
    for m, n in [(100, 5), (500, 16), (1000, 8)]
    for labelled in (10, *LABELS)
    if labelled < m
]
PROMISED = 0.92
MANY = 10**9


def truth(metric, k, p):
    return {"avg@n": p, "pass@k": 1 - (1 - p) ** k, "pass^k": p**k}[metric].mean()


def judged(rng, right, s, t):
    return np.where(rng.random(right.shape) < np.where(right == 1, s, 1 - t), 1, 0)


def as_known(observed, s, t):
    """The interval of a rate whose judge's errors are taken for known."""
    exactly = (Agreed(share * MANY, MANY) for share in (s, t))
    return cut(rate_limits(observed.value, observed.n_effective, *exactly, 0.95)[0])


def cut(limits):
    return Interval(*np.clip(limits, 0, 1))


def separate(metric, k, quantile, m, n, s, t, labels, repetitions, seed=SEED):
    """How often each interval holds, how wide it is, and how many data sets were refused."""
    rng, held, widths, refused = np.random.default_rng(seed), {}, {}, 0
    value = truth(metric, k, quantile(QUANTILES))
    for _ in range(repetitions):
        right = (rng.random((m, n)) < quantile(rng.random(m))[:, None]).astype(int)
        verdicts = judged(rng, right, s, t)
        x1, x0 = rng.binomial(labels, s), rng.binomial(labels, t)
        try:
            found = correct_judge(
                verdicts,
                right_labels=(x1, labels),
                wrong_labels=(x0, labels),
                metric=metric,
                k=None if metric == "avg@n" else k,
            )
        except MetricError:
            refused += 1
            continue
        intervals = {"corrected": found.estimate.interval, "uncorrected": found.observed.interval}
        if metric == "avg@n":
            intervals["check"] = found.check
            intervals["errors taken for known"] = as_known(found.observed, x1 / labels, x0 / labels)
            told = found.errors.right_labels, found.errors.wrong_labels
            alone = rate_limits(found.observed.value, m * n, *told, 0.95)
            intervals["each answer for itself"] = cut(alone[0])
        for kind, interval in intervals.items():
            held.setdefault(kind, []).append(holds(interval, value))
            widths.setdefault(kind, []).append(interval.high - interval.low)
    return held, widths, refused


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["avg@n", "pass@k", "pass^k"])
def test_a_separate_calibration_set(metric):
    cells, seldom = {}, []
    for name, quantile in DIFFICULTIES.items():
        for m, n in SIZES:
            for s, t in JUDGES:
                for labels in LABELS:
                    cell = metric, 3, quantile, m, n, s, t, labels
                    held, widths, refused = separate(*cell, REPETITIONS)
                    share = np.mean(held["corrected"])
                    if share < PROMISED:
                        held = separate(*cell, DOUBTFUL, SEED + 1)[0]
                        seldom.append((np.mean(held["corrected"]), name, m, n, s, t, labels))
                    for kind, each in held.items():
                        told = (
                            np.mean(each),
                            np.mean(widths[kind]),
                            refused,
                            name,
                            m,
                            n,
                            s,
                            t,
                            labels,
                        )
                        cells.setdefault(kind, []).append(told)
    for kind, each in cells.items():
        mean, width = np.mean([cell[:2] for cell in each], axis=0)
        print(f"\n{metric}, {kind}: least {min(each)}, mean {mean:.3f}, width {width:.3f}")
        for labels in LABELS:
            some = [cell for cell in each if cell[-1] == labels]
            print(f"  {labels} labels: least {min(some)[0]:.3f}", end="")
            print(f", width {np.mean([cell[1] for cell in some]):.3f}", end="")
            print(f", refused at most {max(cell[2] for cell in some) / REPETITIONS:.3f}")
    print("again", sorted(seldom)[:5])
    assert min(cells["corrected"])[0] > PROMISED - NOISE
    assert all(share > PROMISED - NOISE for share, *_ in seldom)
    assert min(cells["uncorrected"])[0] < 0.2
    if metric == "avg@n":
        assert min(cells["errors taken for known"])[0] < 0.6
        assert min(cells["each answer for itself"])[0] < 0.8


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
