"""Ways in which one answer comes out of several candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from metrics.analyses.candidates.picking import Picks
from metrics.analyses.candidates.signals import Candidates, candidates
from metrics.analyses.candidates.voting import weighted_votes
from metrics.data.arrays import Integers
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_finite
from metrics.data.shown import result
from metrics.data.words import Enumerated, MetricError, Text
from metrics.scoring.registry import BY_VOTE, METRICS, SOLVES, Metric
from metrics.scoring.scores import QuestionScores, question_scores, vote_scores_of_each_k

Rule = Literal["pick", "sum", "mean", "max"]
RULES: tuple[Rule, ...] = get_args(Rule)
SELECTED = Metric(
    "selected@k",
    SOLVES,
    Text("The chance that the best of k samples by a signal is right."),
    r"\frac{1}{M}\sum_i\sum_r y_{i(r)} \binom{r-1}{k-1} / \binom{n}{k}",
    "",
)
"""What a pick is worth, of no signal in particular."""


@result
class Way:
    """How one answer is chosen from several candidates.

    Attributes
    ----------
    by : str, float array, shape (M, N), mapping of str to float, or None
        A signal, the name of a column of a run, or columns with their weights in a sum; None for a
        plain vote.
    rule : {"pick", "sum", "mean", "max"}
        The best candidate is picked, or answers are voted on by the sum, the mean or the largest
        of the signals of the candidates that give them.
    threshold : float or None
        If given, a signal only counts as for a candidate (at least this) or against it (below);
        None for the signal as it is.
    strict : bool
        Whether a signal must exceed the threshold.

    Examples
    --------
    >>> way = Way({"judge": 0.7, "length": -0.01}, "pick")
    """

    by: Any
    rule: Rule = "pick"
    threshold: float | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise MetricError(
                Text(
                    "rule must be one of {known}; got {got!r}.",
                    known=Enumerated(RULES),
                    got=self.rule,
                )
            )
        if self.threshold is not None:
            require_finite(self.threshold, "threshold")

    @property
    def votes(self) -> bool:
        """Whether answers are voted on."""
        return self.by is None or self.rule != "pick"

    def metric(self, data: Any, soft: bool = False) -> Metric:
        """Return it as a metric of data, of a run with its columns."""
        if self.by is None:
            return METRICS["plurality@k"]
        if self.votes:
            return Metric(
                "weighted-vote@k",
                BY_VOTE,
                Text("The chance that the answer of the greatest weight among k is right."),
                "",
                "",
                needs="answers",
            )

        def score(evidence: Evidence, k: int) -> QuestionScores:
            return self.scores(data, evidence, np.array([k]), soft=soft)[0]

        return replace(SELECTED, needs="soft" if soft else "", sample=score)

    def candidates(self, data: Any, evidence: Evidence, soft: bool = False) -> Candidates:
        """Return the gradable samples of data with what they pay and what speaks for them."""
        pool = candidates(data, evidence, self.by, soft)
        if self.threshold is not None:
            known = pool.signal > -np.inf
            passed = pool.signal > self.threshold if self.strict else pool.signal >= self.threshold
            pool = replace(pool, signal=np.where(known, passed, -np.inf))
        if self.rule == "max":
            codes = evidence.votes
            assert codes is not None
            mute = codes < 0
            signal = np.where(mute, -np.inf, pool.signal)
            pool = replace(pool, payoff=np.where(mute, 0.0, pool.payoff), signal=signal)
        return pool

    def scores(
        self,
        data: Any,
        evidence: Evidence,
        ks: Integers,
        *,
        soft: bool = False,
        again: bool = False,
        rng: int = 0,
    ) -> list[QuestionScores]:
        """Return the scores of the questions at each k, ascending.

        Parameters
        ----------
        data, evidence
            As in `metrics.analyses.candidates.signals.candidates`.
        ks : int array, shape (K,)
        soft : bool, default: False
            Whether a pick earns its soft score instead of its verdict.
        again : bool, default: False
            Whether it is asked what other samples of the same questions would give.
        rng : int
            Seed of the orders of a vote.
        """
        if self.by is None:
            return vote_scores_of_each_k(evidence, ks, rng)
        pool = self.candidates(data, evidence, soft)
        if self.rule in ("pick", "max"):
            picks = Picks(pool, ks, again=again)
            return [picks.scores(place) for place in range(len(ks))]
        codes = evidence.votes
        assert codes is not None
        values, subsets = weighted_votes(pool, codes, ks, mean=self.rule == "mean", rng=rng)
        return [
            question_scores(each, samples=pool.samples, drawn=k, subsets=int(drawn))
            for k, each, drawn in zip(ks.tolist(), values, subsets, strict=True)
        ]


def way_of(way: Any) -> Way:
    """Return a way; a signal alone means to pick by it."""
    return way if isinstance(way, Way) else Way(way)
