"""What ours and scorio do with the same matrix of bytes, and how much faster ours must be."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
import scorio.eval as scorio

import metrics
from metrics import bootstrap_curve, curve, posterior_curve

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
