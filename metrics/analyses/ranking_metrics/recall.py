"""How many of the gold facts of a question its candidates cover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.ranking_metrics.places import Listed
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.facts import Facts
from metrics.data.inputs import every_k
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments
from metrics.estimating.caveats import bound_caveats, copy_caveats, design_caveats
from metrics.estimating.estimation import METHODS, method_of_groups
from metrics.estimating.limits import limits, limits_of_whole_groups
from metrics.scoring.draws import none_of_each_k
from metrics.scoring.registry import ON_AVERAGE, Metric
from metrics.scoring.scores import question_scores

_RECALL = Metric(
    "recall@k",
    ON_AVERAGE,
    Text("The share of the gold facts of a question that k candidates cover."),
    r"\frac{1}{M}\sum_i \frac{1}{F_i}\sum_f \left[1 - \binom{n_i-c_f}{k} / \binom{n_i}{k}\right]",
    "",
)


def recall_of_facts(
    data: Any,
    k: Any = None,
    *,
    ranked: bool = False,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
) -> Listed:
    r"""Estimate recall@k: the share of the gold facts of a question that k candidates cover.

    Each fact is a question of its own, solved by the candidates that cover it. For k of n
    candidates, drawn at random,

    .. math::
        \frac{1}{M} \sum_i \frac{1}{F_i} \sum_f
        \left[1 - \binom{n_i - c_f}{k} \Big/ \binom{n_i}{k}\right]

    so that questions count equally, whatever the number of their facts.

    Parameters
    ----------
    data : Facts or Run
        Gold facts, and how many candidates cover each; for a run, those in its file.
    k : int or sequence of int, optional
        Candidates, ascending; by default every k from 1 to the fewest of any question with facts.
    ranked : bool, default: False
        Whether to take the first k of the list, as in retrieval, rather than any k.
    target, confidence_level
        As in `estimate`.
    missing, segment
        As in `estimate`, of a run.

    Returns
    -------
    Listed
        From 0 to 1; ``undefined`` counts the questions without facts, or
        without a candidate that says what it covers.

    Raises
    ------
    MetricError
        If there are no facts, k exceeds the candidates of a question, or nothing tells in which
        order candidates are listed.

    Examples
    --------
    Two facts of one question, covered by 1 and by 3 of its 4 candidates, and one of another:

    >>> facts = Facts([0, 0, 1], [4, 4, 4], [1, 3, 2])
    >>> recall_of_facts(facts).value.round(3).tolist()
    [0.5, 0.792, 0.938, 1.0]
    """
    question = Question(target, confidence_level, missing, segment)
    require_arguments(_RECALL, None, question, {})
    covered = _Covered.of(data, question)
    if ranked and covered.facts.first is None:
        raise MetricError(Text("The order of the candidates is unknown, so there are no first k."))
    n, fewest = covered.n, int(covered.n.min())
    ks = every_k(k, fewest)
    if ks[-1] > fewest:
        raise MetricError(
            Text(
                "recall@k needs {k} candidates of every question; {count} of {all} questions has "
                "fewer (at least {fewest}).",
                "recall@k needs {k} candidates of every question; {count} of {all} questions have "
                "fewer (at least {fewest}).",
                k=int(ks[-1]),
                count=int((n < ks[-1]).sum()),
                all=len(n),
                fewest=fewest,
            )
        )
    values = covered.recalled(ks, ranked)
    scores = [
        question_scores(each, samples=n, drawn=fewest if ranked else int(drawn))
        for each, drawn in zip(values, ks, strict=True)
    ]
    evidence = covered.evidence
    several = [not ranked and 2 * each.drawn <= fewest for each in scores]
    ends = [
        (limits if draws else limits_of_whole_groups)(each, evidence, question)[0]
        for each, draws in zip(scores, several, strict=True)
    ]
    low, high = np.array(ends).T
    return Listed(
        ks,
        values.mean(axis=1),
        low,
        high,
        np.ones(len(ks)),
        confidence_level,
        target,
        len(n),
        covered.without,
        METHODS["pooled"]
        if several[-1] and target == "benchmark"
        else method_of_groups(evidence, target),
        (
            *design_caveats(scores[-1], target),
            *bound_caveats(scores[-1]),
            *covered.remarks(),
            *copy_caveats(evidence),
        ),
    )


@dataclass(frozen=True, eq=False)
class _Covered:
    """Facts of questions, numbered anew without those that have none."""

    facts: Facts
    n: Integers  # Candidates of each question. Shape (Q,).
    evidence: Evidence  # Of these questions, as far as intervals ask for it.
    without: int  # Questions that have no fact, or no candidate that says what it covers.

    @classmethod
    def of(cls, data: Any, question: Question) -> _Covered:
        facts, evidence, rows = data, None, None
        if not isinstance(data, Facts):
            facts, evidence = getattr(data, "facts", None), question.evidence(data)
            if facts is None or evidence.outcomes is None:
                raise MetricError(Text("These samples have no gold facts."))
            rows = evidence.rows
        some = facts.n > 0
        asked_of = some if rows is None else some & np.isin(facts.question, rows)
        asked, number = np.unique(facts.question[asked_of], return_inverse=True)
        if not len(asked):
            raise MetricError(Text("No question has both a gold fact and candidates to cover it."))
        first = None if facts.first is None else facts.first[asked_of]
        covered = Facts(number, facts.n[asked_of], facts.c[asked_of], first)
        n = np.zeros(len(asked), dtype=np.int64)
        n[number] = covered.n
        if evidence is None or rows is None:
            alone = Evidence(np.zeros((len(asked), 1), dtype=np.int64))
            return cls(covered, n, alone, len(np.unique(facts.question)) - len(asked))
        return cls(covered, n, evidence.only(asked), len(rows) - len(asked))

    def recalled(self, ks: Integers, ranked: bool) -> Vector:
        """Return the share of the facts of each question that are covered, shape (K, Q)."""
        facts = self.facts
        if ranked:
            assert facts.first is not None
            covered = ((facts.first > 0) & (facts.first <= ks[:, None])).astype(np.float64)
        else:
            covered = np.empty((len(ks), len(facts.n)))
            for n in np.unique(facts.n).tolist():
                here = facts.n == n
                covered[:, here] = 1 - none_of_each_k(ks, n, facts.c[here])
        counted = np.bincount(facts.question)
        return np.array([np.bincount(facts.question, each) for each in covered]) / counted

    def remarks(self) -> Iterator[Text]:
        """Yield how many questions are left out."""
        if self.without:
            yield Text(
                "{count} question is left out: it has no gold fact, or no candidate that states "
                "what it covers.",
                "{count} questions are left out: they have no gold fact, or no candidate that "
                "states what it covers.",
                count=self.without,
            )
