r"""How much a mean moves when the same questions are sampled again, :math:`V_1`.

Where the samples of a question hold two disjoint draws, their product tells it without bias.
Beyond, no unbiased estimate exists, and it is borrowed from difficulties fitted to the tally: of a
Beta distribution and of one of any shape, the larger. Of two samples a question, which tell next to
nothing of the shape, it is the largest of these and of the extremes that give the same counts. Only
the variance is borrowed, never the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.tally import Tally
from metrics.difficulties.fits import (
    binomial_table,
    extremes_of_pairs,
    fitted_beta,
    fitted_npmle,
)


def within_variance(
    tally: Tally, tables: Mapping[int, Vector], products: Mapping[int, Vector] | None = None
) -> Any:
    r"""Return the variance of the mean score due to sampling.

    .. math:: V_1 = \frac{1}{M^2} \sum_i v_i, \qquad
              v_i = h(c_i)^2 - E[A(X) A(X')] \ \text{or}\ E[\mathrm{Var}\, h(\mathrm{Bin}(n_i, p))
              \mid c_i]

    X and X' being correct samples of two disjoint draws, so that the first form is unbiased.

    tally: Counts of the questions.
    tables: For each n of the tally the scores h(0) … h(n), for one metric or for K. Shape
        (n + 1,) or (K, n + 1).
    products: For each n the expected product of two disjoint draws, NaN where n does not hold two.
    Returns: Not capped by the variance between questions; the caller does that. Shape (K,).
    """
    known: Any = 0.0
    unknown: Any = 0.0
    fits: tuple[Vector, ...] = ()
    for n in tally.each_n:
        here = tally.n == n
        c, questions, scores = tally.c[here], tally.questions[here], tables[n]
        product = np.full_like(scores, np.nan) if products is None else products[n]
        paired, squares = np.isfinite(product[..., 0]), scores**2
        known = known + np.where(paired[..., None], squares - product, 0.0)[..., c] @ questions
        if not paired.all():
            fits = fits or _difficulties(tally)
            likelihood = binomial_table(n)
            varying = np.maximum(squares @ likelihood.T - (scores @ likelihood.T) ** 2, 0)
            rates = _posteriors(np.array(fits), likelihood[:, c], questions)
            unknown = unknown + np.where(paired, 0.0, rates @ varying.T)
    total = known + unknown.max(axis=0) if fits else known
    return np.maximum(total, 0) / tally.n_questions**2


def variance_with(n: int, scores: Vector, tally: Tally) -> float:
    r"""Return the variance of the mean score if each question had n samples, by fitted rates.

    .. math:: \frac{1}{M^2} \sum_i E[\mathrm{Var}\, h(\mathrm{Bin}(n, p)) \mid c_i]

    n: Not that of the tally.
    scores: h(0) … h(n). Shape (n + 1,).
    tally: Counts of the questions.
    """
    likelihood = binomial_table(n)
    varying = np.maximum(scores**2 @ likelihood.T - (scores @ likelihood.T) ** 2, 0)
    fits = np.array(_difficulties(tally))
    total: Any = 0.0
    for own in tally.each_n:
        here = tally.n == own
        chance = binomial_table(own)[:, tally.c[here]]
        total = total + _posteriors(fits, chance, tally.questions[here]) @ varying
    return float(np.max(total)) / tally.n_questions**2


def _difficulties(tally: Tally) -> tuple[Vector, ...]:
    """Return distributions that the counts may come from; of pairs, all between two of them."""
    fits = fitted_beta(tally), fitted_npmle(tally)
    return (*fits, *extremes_of_pairs(tally)) if tally.each_n == (2,) else fits


def _posteriors(masses: Vector, likelihood: Vector, questions: Any) -> Vector:
    """Return how many questions have each success rate by each fit, given their counts, (F, G)."""
    return np.asarray(masses * ((questions / (masses @ likelihood)) @ likelihood.T))
