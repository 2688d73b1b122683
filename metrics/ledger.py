"""What each question gains and pays when up to n of its samples are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from metrics.curves import scores_of_each_k
from metrics.evidence import Evidence
from metrics.registry import METRICS
from metrics.spending import SampleCosts
from metrics.tally import row_counts
from metrics.votes import plurality_scores

Vector = NDArray[np.float64]

UNITS = 512
"""About how many groups of questions with alike costs are told apart."""


@dataclass(frozen=True, eq=False)
class Ledger:
    """Gains and payments of groups of alike questions, for each n.

    Attributes
    ----------
    n : int array, shape (K,)
        The most samples that are drawn of a question, ascending.
    questions : int array, shape (U,)
        How many questions are in each group.
    quality : float array, shape (K, U)
        Share of draws of up to n that end with a right answer.
    attempts : float array, shape (K, U)
        Samples drawn, on average.
    cost : float array, shape (K, U)
        What they cost, on average.
    cost_in_full : float array, shape (K, U)
        What they cost where all n are drawn whatever they show.
    """

    n: NDArray[np.int64]
    questions: NDArray[np.int64]
    quality: Vector
    attempts: Vector
    cost: Vector
    cost_in_full: Vector

    @cached_property
    def n_questions(self) -> int:
        """Questions in all, M."""
        return int(self.questions.sum())

    def mean(self, of: Vector) -> Vector:
        """Return the mean over questions at each n."""
        return np.asarray(of @ self.questions / self.n_questions)


def open_ledger(
    evidence: Evidence, metric: str, ks: NDArray[np.int64], costs: SampleCosts, stopping: bool
) -> Ledger:
    r"""Work out gains and payments.

    In a random order of the n samples of a question, c of them right, let the first k be drawn but
    none after the first right one. With :math:`G_k` its pass@k, the number drawn is on average
    :math:`A_k = \sum_{j<k} (1 - G_j)`, of which :math:`G_k` are right and :math:`A_k - G_k` wrong.
    Which of the wrong ones are drawn does not depend on how many are, so each costs their mean.

    Parameters
    ----------
    evidence : Evidence
        Verdicts, and answers for plurality@k.
    metric : str
        "pass@k", "maj@k" or "plurality@k".
    ks : int array, shape (K,)
        Numbers of samples; all from 1 on where `stopping`.
    costs : SampleCosts
    stopping : bool
        Whether a right sample ends the draw.
    """
    n, c, questions, wrong, right, quality = _groups(evidence, metric, ks, costs)
    share = c / n
    k = ks[:, None]
    attempts = np.broadcast_to(k, quality.shape).astype(np.float64)
    cost_in_full = attempts * (wrong * (1 - share) + right * share)
    cost = cost_in_full
    if stopping:
        attempts = np.ones(quality.shape)
        attempts[1:] += np.cumsum(1 - quality[:-1], axis=0)
        cost = wrong * (attempts - quality) + right * quality
    return Ledger(ks, questions, quality, attempts, cost, cost_in_full)


def _groups(
    evidence: Evidence, metric: str, ks: NDArray[np.int64], costs: SampleCosts
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Vector, Vector, Vector]:
    """Return n, c, questions, wrong and right costs, shape (U,), and quality, shape (K, U)."""
    if metric != "plurality@k" and not costs.each:
        tally = evidence.tally
        quality = tally.scores(partial(scores_of_each_k, METRICS[metric], ks, {}))
        flat = np.ones(len(tally.n))
        return tally.n, tally.c, tally.questions, costs.wrong * flat, costs.right * flat, quality
    verdicts = evidence.matrix
    n, c = row_counts(verdicts >= 0), row_counts(verdicts == 1)
    flat = np.ones(len(n))
    wrong, right = costs.wrong * flat, costs.right * flat
    if metric == "plurality@k":
        codes = evidence.votes
        assert codes is not None
        quality = np.stack([plurality_scores(codes, verdicts, int(k)) for k in ks])
        return n, c, np.ones(len(n), dtype=np.int64), wrong, right, quality
    group = _alike(n, c, wrong * (1 - c / n) + right * c / n)
    questions = np.bincount(group)
    first = np.unique(group, return_index=True)[1]
    wrong, right = (np.bincount(group, weights=each) / questions for each in (wrong, right))
    n, c = n[first], c[first]
    quality = np.empty((len(ks), len(n)))
    for size in np.unique(n):
        here = n == size
        quality[:, here] = scores_of_each_k(METRICS[metric], ks, {}, int(size), c[here])
    return n, c, questions, wrong, right, quality


def _alike(n: NDArray[np.int64], c: NDArray[np.int64], cost: Vector) -> NDArray[np.intp]:
    """Group questions of one (n, c) by their costs; each by itself where there are few."""
    order = np.lexsort((cost, c, n))
    pair = np.stack([n, c])[:, order]
    changed = np.r_[True, (np.diff(pair) != 0).any(axis=0)]
    start = np.maximum.accumulate(np.where(changed, np.arange(len(n)), 0))
    rank = np.arange(len(n)) - start
    chunk = rank % -(-len(n) // UNITS) == 0
    group = np.empty(len(n), dtype=np.intp)
    group[order] = np.cumsum(chunk) - 1
    return group
