"""What k answers solve within a token budget, and how many tokens they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.budgets.measured import TOKENS, MeasuredSamples, left_out_caveats, measure
from metrics.analyses.choose_n.pareto import pareto
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows
from metrics.data.inputs import number_vector, require_ascending
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Curve, Target, widen
from metrics.data.shown import result
from metrics.data.tally import Tally, row_counts
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_arguments, require_supported
from metrics.estimating.caveats import copy_caveats
from metrics.estimating.curves import curve_entry
from metrics.estimating.estimation import missing_caveats_of
from metrics.estimating.limits import means_and_limits
from metrics.intervals.skewed import skewed_limits
from metrics.scoring.registry import Metric, find_metric
from metrics.scoring.scores import QuestionScores, count_scores

STEPS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
"""Of each power of ten, the usual budgets,"""
COARSE = (1.0, 2.0, 5.0)
"""and those of metrics that are counted anew for each."""
_SHORTEST = 0.01
"""The share of answers within the first of them."""


@result
class TokenBudgets(Rows):
    """What k answers solve and how many tokens they take, for each k and token budget.

    Attributes
    ----------
    k : int array, shape (R,)
        Answers to a question; rows ascend by k, then by budget.
    budget : float array, shape (R,)
        The most tokens that an answer may have. The last for each k is the longest answer's length,
        which cuts none.
    cut : float array, shape (R,)
        Share of the answers that are longer.
    spent, spent_low, spent_high : float array, shape (R,)
        Tokens that k answers take on average over questions, with the interval for questions like
        these; NaN for a single question or cluster.
    value, low, high : float array, shape (R,)
        The metric, with its interval.
    best : bool array, shape (R,)
        Whether no other k and budget here solves as many for less, or more for as little.
    metric : str
        Its name, such as "pass@k".
    confidence_level : float
    target : {"population", "benchmark"}
        What the intervals of the metric are about.
    n_questions : int
    caveats : tuple of Text
    """

    k: Integers
    budget: Vector
    cut: Vector
    spent: Vector
    spent_low: Vector
    spent_high: Vector
    value: Vector
    low: Vector
    high: Vector
    best: Flags
    metric: MetricName
    confidence_level: float
    target: Target
    n_questions: int
    caveats: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        widen(self, ("low", "high"))


@one_thread()
def token_budgets(
    data: Any,
    tokens: Any,
    metric: MetricName = "pass@k",
    ks: Sequence[int] | None = None,
    budgets: Sequence[float] | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
) -> TokenBudgets:
    """Estimate a metric with answers cut at a token budget, for each number of answers and budget.

    An answer that is longer than a budget counts as wrong and casts no vote: it would not have been
    given. These samples cannot tell what a model would answer if it knew its limit. Each number is
    what `estimate` gives after `cut_at`; one pass over the samples computes all budgets, except for
    votes by answers and for questions that cluster.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
        What was observed.
    tokens : array_like of float, shape (M, N), or str
        Tokens of each answer, NaN where unknown; for a run, the name of a column.
    metric : str
        Of k samples: "pass@k" where answers can be checked; "plurality@k" or "maj@k" for a vote.
    ks : sequence of int, optional
        Ascending; by default 1, 2, 4 … and the fewest samples of any question.
    budgets : sequence of float, optional
        Ascending, above 0; by default ten for each power of ten, three for votes by answers. The
        longest answer is added.
    target, confidence_level, missing, segment, answers
        As in `estimate`.

    Raises
    ------
    MetricError
        If no sample has a number of tokens, or as `estimate` does.

    Examples
    --------
    >>> found = token_budgets([[1, 0], [1, 1]] * 20, [[200, 900], [300, 700]] * 20, budgets=[400])
    >>> found.k.tolist(), found.budget.tolist()
    ([1, 1, 2, 2], [400.0, 900.0, 400.0, 900.0])
    >>> found.value.tolist(), found.spent.tolist(), found.best.tolist()
    ([0.5, 0.75, 1.0, 1.0], [325.0, 525.0, 650.0, 1050.0], [True, True, True, False])
    """
    question = Question(target, confidence_level, missing, segment)
    measured = measure(data, tokens, TOKENS, question, answers)
    evidence, entry = measured.evidence, find_metric(metric)
    if not entry.takes_k:
        raise MetricError(Text("{name} takes no k.", name=metric))
    require_arguments(entry, None, question, {})
    counts = _usual_ks(entry, evidence.n_min) if ks is None else require_ascending(ks)
    for k in (counts[-1], counts[0]):
        require_supported(entry, evidence, int(k), question)
    steps = COARSE if entry.payoff is None else STEPS
    places = _budgets(measured, budgets, steps)
    right, spent, cut = measured.within(places)
    curves = _cut_curves(measured, entry, counts, places, right.T, question)
    unknown = np.full(len(places), np.nan)
    ends = skewed_limits(spent, confidence_level, evidence.clusters) or (unknown, unknown)

    def of_each_k(values: Any) -> Vector:
        return np.asarray(np.outer(counts, values).ravel())

    taken = of_each_k(spent.mean(axis=0))
    value, low, high = (
        np.stack([getattr(each, name) for each in curves], axis=1).ravel()
        for name in ("value", "low", "high")
    )
    return TokenBudgets(
        np.repeat(counts, len(places)),
        np.tile(places, len(counts)),
        np.tile(cut, len(counts)),
        taken,
        of_each_k(np.maximum(ends[0], 0.0)),
        of_each_k(ends[1]),
        value,
        low,
        high,
        pareto(taken, value),
        metric,
        confidence_level,
        target,
        len(spent),
        (
            *left_out_caveats(measured, TOKENS),
            *copy_caveats(evidence),
            *missing_caveats_of(entry, evidence, int(counts[-1]), {}),
        ),
    )


def _usual_ks(metric: Metric, most: int) -> Integers:
    doubled = 2 ** np.arange(int(most).bit_length())
    return np.unique(np.append(doubled[doubled <= most], most)).astype(np.int64)


def _budgets(
    measured: MeasuredSamples, budgets: Sequence[float] | None, steps: Sequence[float]
) -> Vector:
    amounts = measured.amounts[np.isfinite(measured.amounts)]
    longest = float(amounts.max())
    if longest == 0:
        raise MetricError(Text("Every answer has 0 tokens."))
    if budgets is not None:
        chosen = number_vector(budgets, "budgets")
        if chosen.min() <= 0 or np.any(np.diff(chosen) <= 0):
            raise MetricError(Text("budgets must ascend from above 0; got {got!r}.", got=budgets))
    else:
        shortest = max(float(np.quantile(amounts, _SHORTEST)), longest / 1000)
        powers = 10.0 ** np.arange(np.floor(np.log10(shortest)), np.log10(longest) + 1)
        chosen = np.outer(powers, steps).ravel()
        chosen = np.unique(np.floor(chosen[chosen >= max(shortest, 1.0)]))
    return np.append(chosen[chosen < longest], longest)


def _cut_curves(
    measured: MeasuredSamples,
    metric: Metric,
    ks: Integers,
    budgets: Vector,
    right: Integers,
    question: Question,
) -> list[Curve]:
    """Return a metric over k for each budget."""
    evidence = measured.evidence
    n = row_counts(evidence.matrix >= 0)
    if metric.payoff is not None and evidence.clusters is not None:
        return [_of_clusters(measured, metric, ks, n, c, question) for c in right]
    each = (
        (measured.cut_at(budget) for budget in budgets.tolist())
        if metric.payoff is None
        else (Evidence(Tally.of_questions(n, c)) for c in right)
    )
    return [curve_entry(metric, cut, ks, question, {}) for cut in each]


def _of_clusters(
    measured: MeasuredSamples,
    metric: Metric,
    ks: Integers,
    n: Integers,
    right: Integers,
    question: Question,
) -> Curve:
    assert metric.payoff is not None
    tally, payoff = Tally(n, right, np.ones(len(n), dtype=np.int64)), metric.payoff

    def of(k: int) -> QuestionScores:
        scores = count_scores(tally, payoff, lambda n: k, {})
        return replace(scores, rescore=None)

    scores = [of(k) for k in ks.tolist()]
    return Curve(ks, *means_and_limits(scores, measured.evidence, question))
