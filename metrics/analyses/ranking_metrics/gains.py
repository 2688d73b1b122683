r"""The gain of a list, discounted by place: DCG@k and nDCG@k [1]_.

.. math:: DCG@k = \sum_{j=1}^{k} \frac{g(s_{(j)})}{\log_2(j + 1)}

References
----------
.. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
   Transactions on Information Systems 20, 2002.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from metrics.analyses.candidates.signals import Candidates
from metrics.analyses.ranking_metrics.places import (
    Listed,
    Worth,
    candidates_in_lists,
    worth_of_places,
)
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import ON_AVERAGE, Metric

Gain = Literal["linear", "exponential"]


def dcg(
    data: Any,
    k: Any = None,
    *,
    position: Any = None,
    by: Any = None,
    gain: Gain = "linear",
    soft: bool = False,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Listed:
    r"""Estimate DCG@k: the gain of the first k candidates of a list, discounted by place.

    .. math:: \frac{1}{M} \sum_i \sum_{j=1}^{k} \frac{g(s_{i(j)})}{\log_2(j + 1)}

    Candidates in one place, or with the same signal, share their gains, which is the mean over all
    orders of them.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    k : int or sequence of int, optional
        Places, ascending; by default every k from 1 to the fewest candidates of any question.
    position : str, or array_like of float, shape (M, N), optional
        The place of each candidate in its list, or the name of a column of a run; the smallest is
        first, and a candidate without one comes last.
    by : str, or array_like of float, shape (M, N), optional
        Instead of positions, a signal by which to list, highest first. Without either, the column
        ``position`` of a run is used.
    gain : {"linear", "exponential"}
        What a score s is worth: s, or :math:`2^s - 1`. They differ for soft scores only.
    soft : bool, default: False
        Whether s is the soft score instead of the verdict.
    target, confidence_level, missing, segment
        As in `estimate`.

    Returns
    -------
    Listed
        From 0 to :math:`\sum_{j \le k} 1 / \log_2(j + 1)`, its ``most``.

    Raises
    ------
    MetricError
        If nothing tells in which order candidates are listed, or k exceeds those of a question.

    Examples
    --------
    Right in the first and in the third place, and in the second:

    >>> found = dcg([[1, 0, 1], [1, 0, 0]], position=[[1, 2, 3], [2, 1, 3]])
    >>> found.k.tolist(), found.value.round(3).tolist()
    ([1, 2, 3], [0.5, 0.815, 1.065])
    """
    order = _Order(data, position, by, gain, soft)
    return _estimated("dcg@k", order, k, Question(target, confidence_level, missing, segment))


def ndcg(
    data: Any,
    k: Any = None,
    *,
    position: Any = None,
    by: Any = None,
    gain: Gain = "linear",
    soft: bool = False,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Listed:
    """Estimate nDCG@k: DCG@k divided by that of the best order.

    The best order is that of the question's own candidates. Where none gains anything, all orders
    are equal, so such questions are left out and counted. It measures the order alone: one right
    candidate of ten, listed first, scores 1.

    Parameters
    ----------
    data, k, position, by, gain, soft, target, confidence_level, missing, segment
        As in `dcg`.

    Returns
    -------
    Listed
        From 0 to 1.

    Raises
    ------
    MetricError
        As `dcg`, and where no question has a candidate that gains anything.

    Examples
    --------
    >>> found = ndcg([[1, 0, 1], [0, 0, 0]], position=[[1, 2, 3], [2, 1, 3]])
    >>> found.value.round(3).tolist(), found.n_questions, found.undefined
    ([1.0, 0.613, 0.92], 1, 1)
    """
    order = _Order(data, position, by, gain, soft)
    return _estimated("ndcg@k", order, k, Question(target, confidence_level, missing, segment))


class _Order(NamedTuple):
    """How candidates are listed, and what they gain; see `dcg`."""

    data: Any
    position: Any
    by: Any
    gain: Gain
    soft: bool

    def listed(self, evidence: Evidence) -> tuple[Candidates, tuple[Text, ...]]:
        """Return candidates with what they gain, and what is to be said of their order."""
        pool, remarks = candidates_in_lists(self.data, evidence, self.position, self.by, self.soft)
        if self.gain == "exponential":
            pool = replace(pool, payoff=np.exp2(pool.payoff) - 1)
        return pool, remarks


@one_thread()
def _estimated(name: str, order: _Order, k: Any, question: Question) -> Listed:
    if order.gain not in get_args(Gain):
        raise MetricError(
            Text("gain must be 'linear' or 'exponential'; got {got!r}.", got=order.gain)
        )

    def worth(evidence: Evidence, ks: Integers) -> Worth:
        pool, remarks = order.listed(evidence)
        got, most = discounted_gains(pool, ks), discounts(ks)
        if name == "dcg@k":
            return Worth(got, np.ones(got.shape[1], dtype=bool), most, pool.samples, remarks)
        best = discounted_gains(pool.oracle(), ks)
        some = best[0] > 0
        share = np.minimum(got[:, some] / best[:, some], 1.0)
        return Worth(share, some, np.ones(len(ks)), pool.samples, remarks)

    metric = Metric(
        name,
        ON_AVERAGE,
        Text("The gain of the first k candidates of a list; later ones count for less."),
        r"\frac{1}{M}\sum_i\sum_{j \le k} g(s_{i(j)}) / \log_2(j + 1)",
        "",
        needs="soft" if order.soft else "",
    )
    return worth_of_places(metric, worth, order.data, k, question)


def discounts(ks: Integers) -> Vector:
    """Return what the first k places count together, for each k.

    Examples
    --------
    >>> discounts(np.array([1, 2, 3])).round(3).tolist()
    [1.0, 1.631, 2.131]
    """
    return np.cumsum(_discount(int(ks[-1])))[ks - 1]


def discounted_gains(candidates: Candidates, ks: Integers) -> Vector:
    """Return the discounted gain of the first k of each list, for each k, shape (K, M)."""
    gained = np.empty((len(ks), len(candidates.held)))
    counted = np.where(np.arange(int(ks[-1])) < ks[:, None], _discount(int(ks[-1])), 0.0)
    for rows, block in candidates.ordered():
        first = block.payoff[:, ::-1][:, : int(ks[-1])]
        gained[:, rows] = counted @ first.T
    return gained


def _discount(places: int) -> Vector:
    return np.asarray(1 / np.log2(np.arange(2.0, places + 2)))
