"""How many samples to pay for: gain against cost at each n, and the n that three rules choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.analyses.choose_n.gains_and_costs import open_ledger
from metrics.analyses.choose_n.remarks import (
    MOST,
    of_costs,
    of_mixed,
    of_no_verifier,
    of_sizes,
    of_votes,
)
from metrics.analyses.choose_n.rules import CONFIDENCE, Advice, Rule, advise
from metrics.analyses.choose_n.sample_costs import SampleCosts, sample_costs
from metrics.analyses.choose_n.tradeoff import Tradeoff, cost_limit, trade_off
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_count, require_level, require_positive, require_share
from metrics.data.outcomes import Missing, Segment
from metrics.data.shown import brief_repr
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import unsupported
from metrics.estimating.caveats import of_copies, of_design
from metrics.estimating.estimation import caveats_of_missing
from metrics.scoring.registry import METRICS, find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

CHOOSABLE = ("pass@k", "maj@k", "plurality@k")
"""What n can be chosen for."""
METHOD = Text(
    "Quality is an unbiased mean over questions with its interval. The cost of a "
    "solved question is a ratio of two means, with a t interval on the log scale that allows for "
    "one unseen question that cannot be solved. The n to use for a "
    "share of the quality is the 95% quantile of n over resampled questions, which in simulations "
    "was large enough in 67%, 60% and 86% of cases at the least with 30, 100 and 500 questions; "
    "for a budget the largest whose mean cost is within it by its one-sided Korn-Graubard limit, "
    "which was so in 88% or more; for a value the 10% quantile, by which on average at most 8%, 4% "
    "and 1% of the worth of a solved question was lost on each question"
)


@dataclass(frozen=True, eq=False)
class Choice:
    """How many samples to pay for.

    Attributes
    ----------
    metric : str
        What quality is: "pass@k", "maj@k" or "plurality@k".
    stopping : bool
        Whether a right sample ends the draw, which takes a verifier.
    rule : {"reach", "budget", "value"}
        The recommended one: value if given, else budget, else reach.
    advice : mapping of rule to Advice
        What each rule says for which there is a number.
    table : Tradeoff
    confidence_level : float
        Of all intervals.
    n_questions : int
        Questions behind it.
    method : Text
        How numbers and intervals were made.
    remarks : tuple of Text
        Why quality is what it is, and what must be known before using the numbers.
    """

    metric: str
    stopping: bool
    rule: Rule
    advice: Mapping[Rule, Advice]
    table: Tradeoff
    confidence_level: float
    n_questions: int
    method: Text
    remarks: tuple[Text, ...]

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "advice", MappingProxyType(dict(self.advice)))

    def to_frame(self) -> DataFrame:
        """Return the table of quality and cost, a row for each n; needs pandas."""
        return self.table.to_frame()

    @property
    def n(self) -> int | None:
        """The recommended rule's n by the data as they are."""
        return self.advice[self.rule].n

    @property
    def interval(self) -> tuple[int, int] | None:
        """Percentiles of that n over resampled questions."""
        return self.advice[self.rule].interval

    @property
    def safe_n(self) -> int | None:
        """The n to use by the recommended rule."""
        return self.advice[self.rule].safe_n


@one_thread()
def choose_n(
    data: Any,
    *,
    metric: str = "pass@k",
    cost_per_sample: Any = 1.0,
    verifier: bool = True,
    budget: float | None = None,
    value_per_solved: float | None = None,
    reach: float = 0.95,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    resamples: int = 2000,
    rng: int | np.random.Generator = 0,
) -> Choice:
    """Choose how many samples of each question to pay for.

    Parameters
    ----------
    data : Run, Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed; n up to the fewest samples of a question, and 1024, are looked at.
    metric : {"pass@k", "maj@k", "plurality@k"}
        What the samples are for. pass@k takes a verifier; votes look at odd n only.
    cost_per_sample : float, or float array, shape (M, N)
        In any unit; NaN where it is not known.
    verifier : bool
        Whether answers can be checked automatically, so that the first right one ends the draw.
        Without, pass@k is out of reach: quality is plurality@k where there are answers, else maj@k.
    budget : float, optional
        The most that a question may cost on average, in the unit of the costs.
    value_per_solved : float, optional
        What a solved question is worth, in the unit of the costs.
    reach : float, default: 0.95
        Share of the quality at the largest n, in (0, 1].
    confidence_level : float, default: 0.95
        Of all intervals.
    missing, segment, answers
        As in `estimate`.
    resamples : int
        How often the questions are drawn with replacement.
    rng : int or Generator
        Seed of the resamples.

    Returns
    -------
    Choice

    Raises
    ------
    MetricError
        If an argument is out of range or the data have no right or wrong samples.

    Examples
    --------
    The fourth sample still solves a question for each 5 it costs:

    >>> choice = choose_n([[1, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]], value_per_solved=8)
    >>> choice.table.quality.round(3).tolist(), choice.table.attempts.round(3).tolist()
    ([0.25, 0.444, 0.583, 0.667], [1.0, 1.75, 2.306, 2.722])
    >>> choice.table.cost_per_further.round(2).tolist(), choice.n
    ([4.0, 3.86, 4.0, 5.0], 4)
    """
    level = require_level(confidence_level)
    limits: dict[Rule, float] = {}
    if value_per_solved is not None:
        limits["value"] = require_positive(value_per_solved, "value_per_solved")
    if budget is not None:
        limits["budget"] = require_positive(budget, "budget")
    limits["reach"] = _share(reach)
    generator, resamples = np.random.default_rng(rng), require_count(resamples, "resamples")
    evidence = Evidence(data, missing, segment, answers)
    attained = _attainable(metric, evidence, verifier)
    stopping = attained == "pass@k"
    ks = np.arange(1, min(MOST, evidence.n_min) + 1, 1 if stopping else 2)
    costs = sample_costs(evidence, cost_per_sample)
    ledger = open_ledger(evidence, attained, ks, costs, stopping)
    table = trade_off(ledger, costs.mean_wrong, stopping, level)
    resampled = ledger.resampled(resamples, generator) if ledger.n_units > 1 else None
    spent = cost_limit(ledger, CONFIDENCE["budget"]) if resampled else table.cost
    best = METRICS[attained].label(int(ks[-1]))
    return Choice(
        attained,
        stopping,
        next(iter(limits)),
        {rule: advise(rule, limits[rule], best, table, resampled, spent, level) for rule in limits},
        table,
        level,
        ledger.n_questions,
        METHOD,
        tuple(_remarks(metric, attained, evidence, int(ks[-1]), costs)),
    )


def _share(reach: Any) -> float:
    if require_share(reach, "reach") == 0:
        raise MetricError(Text("reach must be above 0: every n reaches a share of 0."))
    return float(reach)


def _attainable(metric: str, evidence: Evidence, verifier: bool) -> str:
    """Return the metric that is wanted, or the best vote where nobody can tell a right answer."""
    if find_metric(metric).name not in CHOOSABLE:
        raise MetricError(
            Text(
                "n is chosen for {known}; got {got!r}.",
                known=", ".join(CHOOSABLE),
                got=metric,
            )
        )
    if metric == "pass@k" and not verifier:
        metric = "maj@k" if _no_plurality(evidence) else "plurality@k"
    reason = unsupported(METRICS[metric], evidence, 1, "population", {})
    if reason is not None:
        raise MetricError(reason)
    return metric


def _no_plurality(evidence: Evidence) -> Text | None:
    return unsupported(METRICS["plurality@k"], evidence, 1, "population", {})


def _remarks(
    wanted: str, metric: str, evidence: Evidence, n_max: int, costs: SampleCosts
) -> Iterator[Text]:
    if wanted != metric:
        yield from of_no_verifier(metric, _no_plurality(evidence))
    if metric != "pass@k":
        yield from of_votes(metric)
    yield from of_sizes(evidence, n_max, 2 if metric == "pass@k" else 3)
    yield from of_costs(costs)
    yield from of_mixed(evidence.tally, n_max)
    share = METRICS["avg@n"].scores(evidence, evidence.n_min, {})
    yield from of_design(share, "population")
    yield from of_copies(evidence)
    for caveat in caveats_of_missing(METRICS[metric], evidence, n_max, {}):
        yield Text("{best}: {caveat}", best=METRICS[metric].label(n_max), caveat=caveat)
