"""What questions gain and pay when up to n of their samples are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from metrics.analyses.choose_n.picks import Picked
from metrics.analyses.choose_n.sample_costs import SampleCosts
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.tally import row_counts
from metrics.estimating.curves import scores_of_each_k
from metrics.intervals.korn_graubard import Clusters, worth
from metrics.scoring.registry import METRICS
from metrics.scoring.votes import plurality_scores

UNITS = 512
"""About how many kinds of questions, by cost or cluster, are told apart in resamples."""


@dataclass(frozen=True, eq=False)
class Ledger:
    """Gains and payments of independent units: questions, or clusters of them."""

    n: Integers  # The most samples that are drawn of a question, ascending. Shape (K,).
    units: Integers  # How many units are alike. Shape (U,).
    size: NDArray[Any]  # Questions in each of them. Shape (U,).
    # Share of draws of up to n that end with a right answer; a mean over questions, as below. Shape
    # (K, U).
    quality: Vector
    attempts: Vector  # Samples drawn. Shape (K, U).
    cost: Vector  # What they cost. Shape (K, U).
    cost_in_full: Vector  # What they cost where all n are drawn whatever they show. Shape (K, U).
    # Which unit each question is, or is like; None where nobody needs to know. Shape (M,).
    of_question: NDArray[np.intp] | None = None
    counted: int | None = None  # What `mixed` is where `quality` does not say it.

    def each(self, of: Callable[[Vector], Any]) -> dict[str, Any]:
        """Return quality, attempts and costs, each made into something."""
        names = ("quality", "attempts", "cost", "cost_in_full")
        return {name: of(getattr(self, name)) for name in names}

    @property
    def n_units(self) -> int:
        """Independent units in all, G."""
        return int(self.units.sum())

    @property
    def n_questions(self) -> int:
        """Questions in all, M."""
        return int(self.units @ self.size)

    @property
    def mixed(self) -> int:
        """Units that some samples solve and others do not."""
        if self.counted is not None:
            return self.counted
        share = self.quality[0]
        return int(self.units[(share > 0) & (share < 1)].sum())

    @cached_property
    def worth(self) -> Clusters:
        """What the units are worth."""
        return worth(self.size, self.units)

    def mean(self, of: Vector) -> Vector:
        """Return the mean over questions at each n."""
        return np.asarray(of @ (self.units * self.size) / self.n_questions)

    def variance(self, deviations: Vector, unseen: Vector | float = 0.0) -> Vector:
        r"""Return the variance of a mean over questions, shape (K,).

        :math:`\sum_g (s_g d_g)^2 / M^2`, made unbiased, for several units of s questions, shape (K,
        U), and one more of mean size that deviates as `unseen` says.
        """
        g, m = self.n_units, self.n_questions
        squares = (deviations * self.size) ** 2 @ self.units + (m / g * unseen) ** 2
        return np.asarray(squares * self.worth.unbiased / m**2)

    def resampled(self, resamples: int, rng: np.random.Generator) -> tuple[Vector, Vector]:
        """Draw units with replacement; return quality and cost, shape (resamples, K) each."""
        condensed = self._condensed()
        drawn = rng.multinomial(
            condensed.n_units, condensed.units / condensed.n_units, size=resamples
        )
        weights = drawn * condensed.size
        questions = weights.sum(axis=1, keepdims=True)
        return weights @ condensed.quality.T / questions, weights @ condensed.cost.T / questions

    def _condensed(self) -> Ledger:
        """Average neighbours in size, quality and cost, where units are many."""
        if len(self.units) <= 2 * UNITS:
            return self
        order = np.lexsort((self.cost[-1], self.quality.mean(axis=0), self.size))
        weights = (self.units * self.size)[order]
        starts = np.arange(0, len(order), -(-len(order) // UNITS))
        questions = np.add.reduceat(weights, starts)
        units = np.add.reduceat(self.units[order], starts)
        quality, cost = (
            np.add.reduceat(of[:, order] * weights, starts, axis=1) / questions
            for of in (self.quality, self.cost)
        )
        return Ledger(self.n, units, questions / units, quality, cost, cost, cost)


def resampled_together(
    ledgers: Sequence[Ledger], resamples: int, rng: np.random.Generator
) -> list[tuple[Vector, Vector]]:
    """Draw questions or clusters with replacement, the same ones for every ledger.

    Of many, random blocks are drawn: their mean varies as much as that of single ones. Ledgers have
    the same questions in one order; where one does not know them, each is drawn by itself. Quality
    and cost have the shape (resamples, K) each.
    """
    if len(ledgers) == 1 or any(each.of_question is None for each in ledgers):
        return [each.resampled(resamples, rng) for each in ledgers]
    first = ledgers[0].of_question
    assert first is not None
    unit = first if (ledgers[0].size > 1).any() else np.arange(len(first))
    units = int(unit.max()) + 1
    block = rng.permutation(units) // -(-units // (2 * UNITS))
    block = np.unique(block[unit], return_inverse=True)[1]
    size = np.bincount(block)
    drawn = rng.multinomial(len(size), np.full(len(size), 1 / len(size)), size=resamples)
    weights = drawn / (drawn @ size)[:, None]
    return [
        (weights @ _summed(each, each.quality, block), weights @ _summed(each, each.cost, block))
        for each in ledgers
    ]


def _summed(ledger: Ledger, of: Vector, block: NDArray[np.intp]) -> Vector:
    """Sum over the questions of each block, shape (blocks, K)."""
    kind = ledger.of_question
    assert kind is not None
    shape = of.shape[1], int(block.max()) + 1
    inside: Any = scipy.sparse.csr_array((np.ones(len(kind)), (kind, block)), shape=shape)
    return np.asarray((of @ inside).T)


def open_ledger(
    evidence: Evidence,
    metric: str,
    ks: Integers,
    costs: SampleCosts,
    stopping: bool,
    *,
    each: bool = False,
    picked: Picked | None = None,
) -> Ledger:
    r"""Work out gains and payments.

    In a random order of the n samples of a question, c of them right, let the first k be drawn but
    none after the first right one. With :math:`G_k` its pass@k, the number drawn is on average
    :math:`A_k = \sum_{j<k} (1 - G_j)`, of which :math:`G_k` are right and :math:`A_k - G_k` wrong.
    Which of the wrong ones are drawn does not depend on how many are, so each costs their mean.

    evidence: Verdicts, and answers for plurality@k.
    metric: "pass@k", "maj@k", "plurality@k" or "selected@k".
    ks: Numbers of samples; all from 1 on where `stopping`. Shape (K,).
    stopping: Whether a right sample ends the draw.
    each: Whether it must be known which unit each question is.
    picked: What is picked, for selected@k.
    """
    kinds = _kinds(evidence, metric, ks, costs, each, picked)
    share, quality = kinds.c / kinds.n, kinds.quality
    attempts = np.broadcast_to(ks[:, None], quality.shape).astype(np.float64)
    cost = cost_in_full = attempts * (kinds.wrong * (1 - share) + kinds.right * share)
    if stopping:
        attempts = np.ones(quality.shape)
        attempts[1:] += np.cumsum(1 - quality[:-1], axis=0)
        cost = kinds.wrong * (attempts - quality) + kinds.right * quality
    ones = np.ones(len(kinds.n), dtype=np.int64)
    return Ledger(
        ks, kinds.questions, ones, quality, attempts, cost, cost_in_full, kinds.of_question
    )


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Alike questions: counts (U,), costs of a wrong and a right sample (U,), quality (K, U)."""

    n: Integers
    c: Integers
    questions: Integers
    wrong: Vector
    right: Vector
    quality: Vector
    of_question: NDArray[np.intp] | None
    """Which kind each question is, shape (M,); None where nobody needs to know."""


def _kinds(
    evidence: Evidence,
    metric: str,
    ks: Integers,
    costs: SampleCosts,
    each: bool,
    picked: Picked | None,
) -> _Kinds:
    by_votes = metric == "plurality@k"
    if not (each or by_votes or picked or costs.each or evidence.clusters is not None):
        tally = evidence.tally
        quality = tally.scores(partial(scores_of_each_k, METRICS[metric], ks, {}))
        flat = np.ones(len(tally.n))
        wrong, right = costs.wrong * flat, costs.right * flat
        return _Kinds(tally.n, tally.c, tally.questions, wrong, right, quality, None)
    verdicts = evidence.matrix
    n, c = row_counts(verdicts >= 0), row_counts(verdicts == 1)
    wrong, right = costs.wrong * np.ones(len(n)), costs.right * np.ones(len(n))
    if by_votes or picked:
        quality = _votes(evidence, ks) if picked is None else picked.quality(ks)
        alone = np.ones(len(n), dtype=np.int64)
        return _Kinds(n, c, alone, wrong, right, quality, np.arange(len(n)))
    kind = np.unique(n * (n.max() + 1) + c, return_inverse=True)[1]
    if costs.each:
        kind = _cost_groups(n, c, wrong * (1 - c / n) + right * c / n)
    questions, first = np.bincount(kind), np.unique(kind, return_index=True)[1]
    wrong, right = (np.bincount(kind, weights=each) / questions for each in (wrong, right))
    n, c = n[first], c[first]
    quality = np.empty((len(ks), len(n)))
    for samples in np.unique(n):
        here = n == samples
        quality[:, here] = scores_of_each_k(METRICS[metric], ks, {}, int(samples), c[here])
    return _Kinds(n, c, questions, wrong, right, quality, kind)


def _votes(evidence: Evidence, ks: Integers) -> Vector:
    codes = evidence.votes
    assert codes is not None
    return plurality_scores(codes, evidence.matrix, ks).values


def _cost_groups(n: Integers, c: Integers, cost: Vector) -> NDArray[np.intp]:
    """Group questions of one (n, c) with neighbours in cost; each by itself where they are few."""
    order = np.lexsort((cost, c, n))
    changed = np.r_[True, (np.diff(n[order]) != 0) | (np.diff(c[order]) != 0)]
    row = np.arange(len(n))
    first = np.maximum.accumulate(np.where(changed, row, 0))
    starts = (row - first) % -(-len(n) // UNITS) == 0
    kind = np.empty(len(n), dtype=np.intp)
    kind[order] = np.cumsum(starts) - 1
    return kind


def ledger_of_rows(ledger: Ledger, rows: NDArray[np.intp]) -> Ledger:
    """Return a ledger of some of its questions, in this order."""
    assert ledger.of_question is not None
    of_question = ledger.of_question[rows]
    used_units, of_question = np.unique(of_question, return_inverse=True)
    means = ledger.each(lambda mean: mean[:, used_units])
    units = np.bincount(of_question)
    return Ledger(ledger.n, units, ledger.size[used_units], **means, of_question=of_question)


def clustered_ledger(ledger: Ledger, clusters: NDArray[np.intp]) -> Ledger:
    """Return a ledger whose units are clusters of its questions, given as 0 … G-1."""
    assert ledger.of_question is not None
    size = np.bincount(clusters)
    shape, place = (len(ledger.units), len(size)), (ledger.of_question, clusters)
    inside: Any = scipy.sparse.csr_array((1 / size[clusters], place), shape=shape)
    alone = np.ones(len(size), dtype=np.int64)
    means = ledger.each(lambda mean: mean @ inside)
    return Ledger(ledger.n, alone, size, **means, of_question=clusters)
