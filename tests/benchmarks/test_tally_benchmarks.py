"""What follows from a tally, against reading the matrix it was counted from."""

from dataclasses import replace
from itertools import cycle, product
from time import thread_time
from typing import get_args

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import betabinom

from metrics import (
    FAILED,
    Outcomes,
    Tally,
    Target,
    consistency,
    curve,
    estimate,
    extrapolate,
    question_statistics,
    score_all,
)
from metrics.difficulties import fits
from metrics.intervals.binomial import clopper_pearson
from metrics.intervals.korn_graubard import benchmark_size
from metrics.scoring.draws import payoff_tables
from metrics.scoring.payoffs import any_correct
from tests.benchmarks.workloads import HUGE, LARGE, outcomes

pytestmark = pytest.mark.benchmark(timer=thread_time)


def basic(tally):
    """Estimate the five basic metrics with the intervals of both targets."""
    names = ("avg@n", "pass@k", "pass^k", "maj@k", "cons@n")
    return [estimate(tally, name, target=t) for name in names for t in get_args(Target)]


def test_basic_metrics(side_by_side):
    R = outcomes(*HUGE)
    side_by_side(
        "five metrics, both intervals, 1M x 16, warm",
        lambda: basic(Tally.of(R)),
        R.max,
        against="R.max()",
        warm=True,
        limit=0.05,
    )


def test_cost_after_the_tally(side_by_side):
    many = Tally.of(outcomes(*HUGE))
    few = Tally(many.n, many.c, np.ones(len(many.c)))
    side_by_side(
        "five metrics of a tally of 1M questions",
        lambda: basic(many),
        lambda: basic(few),
        against=f"{few.n_questions} questions",
        warm=True,
    )


def with_a_beta_alone(tally):
    """Draw pass@k at all k; the variance between samples is a fitted Beta's, the limits exact."""
    n, c, questions, m = tally.n_min, tally.c, tally.questions, tally.n_questions
    points = curve(tally, "pass@k", confidence_level=None)
    scores = payoff_tables(any_correct, n, ())
    masses, log_prior = fits._beta_masses()
    likelihood = fits.binomial_table(n)
    prior = masses[(log_prior + np.log(masses @ likelihood[:, c]) @ questions).argmax()]
    varying = np.maximum(scores**2 @ likelihood.T - (scores @ likelihood.T) ** 2, 0)
    joint = prior[:, None] * likelihood[:, c]
    within = varying @ (joint / joint.sum(axis=0)) @ questions / m**2
    between = (scores[:, c] - points.value[:, None]) ** 2 @ questions / (m * (m - 1))
    size = benchmark_size(points.value, np.minimum(within, between), m, n // points.k, 0.95)
    low, high = clopper_pearson(size * points.value, size, 0.95)
    return replace(points, low=low, high=high)


@pytest.mark.parametrize("n", [4, 8, 16, 64])
def test_these_questions_again(n, side_by_side):
    rng = np.random.default_rng(n)
    tally = Tally.of_questions(n, rng.binomial(n, rng.beta(0.6, 0.8, 100)))
    side_by_side(
        f"pass@k of these questions again, all k, 100 x {n}",
        lambda: curve(tally, "pass@k", target="benchmark"),
        lambda: with_a_beta_alone(tally),
        against="a fitted Beta alone",
        warm=True,
        floor=0.67,
    )


@pytest.mark.parametrize("target", get_args(Target))
@pytest.mark.parametrize("kind", ["right or wrong", "failed requests", "soft scores"])
def test_change_of_view(kind, target, side_by_side):
    correct = outcomes(*HUGE).astype(np.int8)
    if kind == "failed requests":
        correct[::10, ::5] = FAILED
    run = Outcomes(correct, np.abs(correct - 0.25) if kind == "soft scores" else None)
    views = cycle(product((1, 4, 16), (0.9, 0.95)))

    def change():
        k, level = next(views)
        score_all(run, ks=[k], target=target, confidence_level=level)

    side_by_side(
        f"scorecard after a change of k or level, {target}, 1M x 16, {kind}",
        change,
        run.correct.max,
        against="R.max()",
        warm=True,
        limit=0.2,
    )


def test_question_statistics(side_by_side):
    right = outcomes(*HUGE)
    answers = np.where(right == 1, 0, np.random.default_rng(0).integers(1, 9, HUGE))
    run, codes = Outcomes(right), answers.astype(np.int32)
    side_by_side(
        "counts, modal answer, agreement of each question, 1M x 16",
        lambda: question_statistics(run, codes).confidently_wrong(),
        lambda: np.sort(codes, axis=1),
        against="np.sort of the answers",
        limit=1.0,
    )


@pytest.mark.parametrize("metric", ["pass@k", "pass^k", "maj@k"])
def test_extrapolation(metric, side_by_side):
    run = Outcomes(outcomes(*LARGE))
    ks = np.unique(np.geomspace(65, 1024, 48).astype(int)).tolist()
    tally, m = run.tally(), len(run.correct)
    drawn = np.random.default_rng(0).multinomial(m, tally.questions / m, 80)

    def line(questions):
        def loss(logs):
            return -questions @ betabinom.logpmf(tally.c, tally.n, *np.exp(logs))

        a, b = np.exp(minimize(loss, [0.0, 0.0], method="Nelder-Mead").x)
        return [betabinom.sf(k // 2 if metric == "maj@k" else 0, k, a, b) for k in ks]

    side_by_side(
        f"{metric} foretold to 1024 with band, bounds and back-test, 100k x 64",
        lambda: extrapolate(run, metric, ks),
        lambda: np.quantile([line(questions) for questions in drawn], [0.025, 0.975], axis=0),
        against="scipy's fit of one Beta-binomial, 80 resamples",
        limit=0.1,
    )


@pytest.mark.parametrize("target", get_args(Target))
def test_a_vote_against_the_average(target, side_by_side):
    tally = Tally.of(outcomes(*HUGE))
    side_by_side(
        f"vote, average, paired difference and joint region of a tally of 1M, {target}",
        lambda: consistency(tally, 5, target=target),
        outcomes(*HUGE).max,
        against="R.max()",
        warm=True,
        limit=0.05,
    )
