r"""Count metrics of a matrix of outcomes, unbiased from the samples at hand.

Each is the mean over questions of the expected payoff of k samples drawn without replacement from
the N of a question. R is a 0/1 matrix of shape (M, N), or one question of shape (N,), or a Tally;
k is an integer from 1 to N; anything else raises `MetricError`. Values lie in [0, 1].
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from metrics.data.arrays import Vector
from metrics.data.inputs import require_k, require_share
from metrics.data.tally import Tally
from metrics.scoring import payoffs
from metrics.scoring.draws import expected_payoff
from metrics.scoring.payoffs import Payoff, Ties


def finite(R: Any, payoff: Payoff, k: Any, **options: Any) -> float:
    """Return the mean expected payoff of k samples a question."""
    tally = Tally.of(R)
    return mean_payoff(tally, payoff(require_k(k, tally.n_min), **options))


def mean_payoff(tally: Tally, earned: Vector) -> float:
    """Return the mean over questions of the expected payoff."""
    return tally.mean(lambda n, c: expected_payoff(earned, n, c))


def pass_at_k(R: Any, k: int) -> float:
    r"""Return pass@k, the chance that at least one of k samples is right.

    .. math:: \frac{1}{M} \sum_i \left[1 - \binom{N - c_i}{k} \Big/ \binom{N}{k}\right]

    Chen et al. 2021, arXiv:2107.03374.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> round(pass_at_k(R, 1), 6), round(pass_at_k(R, 2), 6)
    (0.7, 0.95)
    """
    return finite(R, payoffs.any_correct, k)


def pass_hat_k(R: Any, k: int) -> float:
    r"""Return pass^k, the chance that all of k samples are right.

    .. math:: \frac{1}{M} \sum_i \binom{c_i}{k} \Big/ \binom{N}{k}

    Yao et al. 2024, arXiv:2406.12045. Also called unanimous@k and G-Pass@k.

    Examples
    --------
    >>> round(pass_hat_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 2), 6)
    0.45
    """
    return finite(R, payoffs.all_correct, k)


unanimous_at_k = pass_hat_k
g_pass_at_k = pass_hat_k


def g_pass_at_k_tau(R: Any, k: int, tau: float) -> float:
    r"""Return G-Pass@k_tau, the chance that at least the share tau of k samples is right.

    .. math:: \frac{1}{M} \sum_i P\left(X_i \ge \max(1, \lceil \tau k \rceil)\right)

    with tau in [0, 1]; the ceiling is safe against rounding. Liu et al. 2024, arXiv:2412.13147.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> round(g_pass_at_k_tau(R, 2, 0.5), 6), round(g_pass_at_k_tau(R, 2, 1.0), 6)
    (0.95, 0.45)
    """
    return finite(Tally.of(R), payoffs.threshold, k, tau=require_share(tau, "tau"))


def mg_pass_at_k(R: Any, k: int) -> float:
    r"""Return mG-Pass@k, G-Pass averaged over the thresholds above one half.

    .. math:: \frac{1}{M} \sum_i E\left[\tfrac{2}{k} \max(0, X_i - \lceil k/2 \rceil)\right]

    With odd k it reaches (k - 1) / k at most; with k = 1 it is 0. Liu et al. 2024,
    arXiv:2412.13147.

    Examples
    --------
    >>> round(mg_pass_at_k([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]], 3), 6)
    0.166667
    """
    return finite(R, payoffs.mean_threshold, k)


def maj_at_k(R: Any, k: int, ties: Ties = "fail") -> float:
    r"""Return maj@k, the chance that more than half of k samples are right.

    .. math:: \frac{1}{M} \sum_i P(X_i > k/2)

    A vote on correctness, not on answers; for those see `plurality_at_k`.

    Parameters
    ----------
    R, k
        As everywhere in this module.
    ties : {"fail", "pass", "half"}
        What exactly half earns: nothing (AISBench, scorio), all, or half.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> round(maj_at_k(R, 2), 6), round(maj_at_k(R, 3), 6), round(maj_at_k(R, 2, ties="pass"), 6)
    (0.45, 0.85, 0.95)
    """
    return finite(R, payoffs.majority, k, ties=ties)


def auc_at_k(R: Any, k: int) -> float:
    r"""Return AUC@k, the area under pass@1 … pass@k by the trapezoid rule, per unit of k.

    .. math:: \frac{1}{k-1} \sum_{i=1}^{k-1} \frac{pass@i + pass@(i+1)}{2}

    and pass@1 for k = 1. Hu et al. 2026, arXiv:2601.08763.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> [round(auc_at_k(R, k), 6) for k in (1, 2, 3)]
    [0.7, 0.825, 0.9]
    """
    return finite(R, payoffs.area, k)


def threshold_spectrum_at_k(R: Any, k: int, weights: Sequence[float]) -> float:
    r"""Return the threshold spectrum, the weighted sum of G-Pass at each j of k.

    .. math:: \frac{1}{M} \sum_i \sum_{j=1}^{k} w_j P(X_i \ge j)

    Parameters
    ----------
    R, k
        As everywhere in this module.
    weights : sequence of float, shape (k,)
        At least 0, with a sum of at most 1.

    Examples
    --------
    >>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
    >>> round(threshold_spectrum_at_k(R, 3, [0.2, 0.3, 0.5]), 6)
    0.58
    """
    return finite(R, payoffs.spectrum, k, weights=weights)


def cons_at_n(R: Any, ties: Ties = "fail") -> float:
    r"""Return cons@n, the share of questions with more than half of all samples right.

    .. math:: \frac{1}{M} \sum_i \mathbb{1}[c_i > N/2]

    AISBench's cons@k at k = n, and the same number as maj@n. ``ties`` as in `maj_at_k`.

    Examples
    --------
    >>> cons_at_n([[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]])
    0.5
    """
    return Tally.of(R).mean(lambda n, c: payoffs.majority(n, ties)[c])


def aisbench_cons_at_k(R: Any, k: int) -> float:
    r"""Return what AISBench prints as cons@k: the share of questions with c > k/2 of all N right.

    .. math:: \frac{1}{M} \sum_i \mathbb{1}[c_i > k/2]

    For k < N this compares a count over N samples with a threshold for k, so it is no majority of
    k; a warning says so. Use `maj_at_k`.

    Examples
    --------
    >>> aisbench_cons_at_k([[1, 1, 0], [1, 0, 0]], 3)
    0.5
    """
    tally = Tally.of(R)
    k = require_k(k, tally.n_min)
    if k < tally.n_max:
        warnings.warn(
            f"AISBench's cons@{k} counts right answers among all {tally.n_max} samples and is no "
            f"majority of {k}; maj_at_k is.",
            stacklevel=2,
        )
    return aisbench_share(tally, k)


def aisbench_share(tally: Tally, k: int) -> float:
    """Return the share of questions with more than k/2 right ones, of however many samples."""
    return float(tally.questions[2 * tally.c > k].sum() / tally.n_questions)
