"""Ours against scorio on the same matrix of bytes, and against reading that matrix."""

import tracemalloc
from collections.abc import Callable
from functools import cache, partial
from itertools import cycle, product
from time import thread_time
from typing import NamedTuple, get_args

import numpy as np
import pytest
import scorio.eval as scorio
from scipy.optimize import minimize
from scipy.stats import betabinom

import metrics
from metrics import (
    FAILED,
    Outcomes,
    Tally,
    Target,
    bootstrap_curve,
    consistency,
    curve,
    estimate,
    extrapolate,
    posterior_curve,
    question_statistics,
    score_all,
)

pytestmark = pytest.mark.benchmark(timer=thread_time)

SMALL, MIDDLE, LARGE, HUGE = (1000, 64), (10_000, 256), (100_000, 64), (1_000_000, 16)
REWARDS = [0.0, 0.5, 1.0]


class Workload(NamedTuple):
    """What ours and the peer do with one matrix, and how much faster ours must be."""

    name: str
    size: tuple[int, int]
    ours: Callable[[np.ndarray], object]
    peer: Callable[[np.ndarray], object]
    floor: float
    against: str = "scorio"
    warm: bool = False
    categories: int = 2

    def __str__(self):
        rewards = "" if self.categories == 2 else f", {self.categories} rewards"
        return f"{self.name}{rewards}, {self.size[0]:,} x {self.size[1]}"


def curve_of(name, **options):
    """Draw our curve."""
    return lambda R: curve(R, name, **options)


def posterior_of(name):
    """Draw our curve of posterior means."""
    return lambda R: posterior_curve(R, name)


def all_k(name):
    """Call a function of scorio for every k."""
    return lambda R: [getattr(scorio, name)(R, k) for k in range(1, R.shape[1] + 1)]


def resampled(R, resamples=2000):
    """Resample the questions and call scorio, for one k."""
    rng, m = np.random.default_rng(0), len(R)
    draws = (R[rng.integers(m, size=m)] for _ in range(resamples))
    return np.quantile([scorio.pass_at_k(drawn, 32) for drawn in draws], [0.025, 0.975])


def both(name, size, floor, **options):
    """Call a function that both libraries know by one name, at half the samples."""
    categories = len(options.get("w", "01"))
    if not name.startswith(("avg", "bayes")):
        options["k"] = size[1] // 2
    calls = [lambda R, lib=lib: getattr(lib, name)(R, **options) for lib in (metrics, scorio)]
    return Workload(name, size, *calls, floor, categories=categories)


CURVES = [
    Workload(
        "pass@k, all k", size, curve_of("pass@k", confidence_level=None), all_k("pass_at_k"), floor
    )
    for size, floor in ((SMALL, 150), (MIDDLE, 400))
]
CURVES += [
    Workload(
        f"maj@k, all k, {'warm' if warm else 'cold'}",
        SMALL,
        curve_of("maj@k", confidence_level=None),
        all_k("maj_at_k"),
        floor,
        warm=warm,
    )
    for warm, floor in ((False, 8), (True, 200))
]
CURVES += [
    Workload(
        "pass@k, all k with KG2", SMALL, curve_of("pass@k"), all_k("pass_at_k"), 40, "points alone"
    ),
    Workload(
        "posterior of pass@k, all k", MIDDLE, posterior_of("pass@k"), all_k("pass_at_k_ci"), 1000
    ),
    Workload("posterior of maj@k, all k", SMALL, posterior_of("maj@k"), all_k("maj_at_k_ci"), 1500),
    Workload(
        "bootstrap of pass@k, all k",
        SMALL,
        lambda R: bootstrap_curve(R, "pass@k", resamples=2000),
        resampled,
        25,
        "one k",
    ),
]
INTERVALS = [
    both("maj_at_k_ci", MIDDLE, 200),
    both("mg_pass_at_k_ci", MIDDLE, 200),
    both("g_pass_at_k_tau_ci", MIDDLE, 200, tau=0.5),
    both("geo_spectrum_at_k_ci", MIDDLE, 200),
    both("max_at_k_ci", LARGE, 200, w=REWARDS),
]
NAMES = {
    "pass_at_k": {},
    "pass_hat_k": {},
    "g_pass_at_k_tau": {"tau": 0.5},
    "maj_at_k": {},
    "mg_pass_at_k": {},
    "auc_at_k": {},
    "geom_at_k": {},
    "geom_ds_at_k": {},
    "geo_spectrum_at_k": {},
    "max_at_k": {"w": REWARDS},
    "bayes": {"w": REWARDS},
    "avg": {"w": REWARDS},
}
MEASURED = [*NAMES, *(f"{name}_ci" for name in NAMES)]
POINTS = [both(name, size, 25) for name in ("bayes", "avg") for size in (MIDDLE, LARGE)]
POINTS += [
    both(name, size, 1, **options)
    for name, options in NAMES.items()
    for size in ((30, 64), SMALL, MIDDLE, LARGE, HUGE)
]
READING = [
    both(name, LARGE, 0.5, **options)._replace(
        peer=lambda R: R.sum(axis=1, dtype=np.uint16), against="R.sum(axis=1)"
    )
    for name, options in NAMES.items()
]


@cache
def outcomes(m, n, categories=2):
    """Draw n samples of each of m questions, whose difficulties are spread."""
    rng = np.random.default_rng(m + n)
    difficulty = rng.beta(0.6, 0.8, (m, 1))
    draws = (rng.random((m, n)) < difficulty for _ in range(1, categories))
    return sum(draw.astype(np.uint8) for draw in draws)


@pytest.mark.parametrize("workload", [*CURVES, *INTERVALS, *POINTS, *READING], ids=str)
def test_speed(workload, side_by_side):
    R = outcomes(*workload.size, workload.categories)
    side_by_side(
        str(workload),
        partial(workload.ours, R),
        partial(workload.peer, R),
        against=workload.against,
        floor=workload.floor,
        warm=workload.warm,
    )


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


def test_memory(benchmark, record):
    peaks = benchmark.pedantic(lambda: {name: peak(name, HUGE) for name in MEASURED})
    name, size = max(peaks, key=peaks.get), outcomes(*HUGE).nbytes
    record(
        f"most memory of {len(peaks)} functions, 1M x 16 ({name})",
        f"{peaks[name] / 1e6:.1f} MB",
        "the matrix",
        f"{size / 1e6:.1f} MB",
        size / peaks[name],
        "at least 1",
        peaks[name] < size,
    )


@pytest.mark.parametrize("size", [HUGE, (16_000, 1000)])
@pytest.mark.parametrize("name", MEASURED)
def test_takes_less_memory_than_the_matrix(name, size):
    assert peak(name, size) < outcomes(*size).nbytes


def peak(name, size):
    """Return the most bytes that our function of the name holds at a time beside its matrix."""
    workload = both(name, size, 0, **NAMES[name.removesuffix("_ci")])
    R = outcomes(*size, workload.categories)
    tracemalloc.start()
    try:
        workload.ours(R)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
