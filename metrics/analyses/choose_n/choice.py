"""How many samples to pay for: gain against cost at each n, and the n that four rules choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.analyses.candidates.ways import Way
from metrics.analyses.choose_n.advice import Advice, Rule
from metrics.analyses.choose_n.picks import picks_of
from metrics.analyses.choose_n.rules import CONFIDENCE, Aim, Sure, advise
from metrics.analyses.choose_n.simulation import NOT_SIMULATED, OF_ONE_RUN, one_run_reliability
from metrics.analyses.choose_n.tradeoff import Tradeoff, cost_limit, quality_floor, trade_off
from metrics.analyses.choose_n.weighing import QUALITIES, VOTES, Weighed, weigh
from metrics.data.arrays import Vector
from metrics.data.inputs import require_count, require_level, require_positive, require_share
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

_RULES: dict[Rule, Text] = {
    "value": Text(
        "The n to use is the largest up to which, in 90% of bootstraps of the questions, each "
        "additional solved question is worth its price."
    ),
    "budget": Text(
        "The n to use is the largest whose mean cost is within the budget by its one-sided "
        "Korn-Graubard limit; the more runs there are to pick from, the stricter it is."
    ),
    "quality": Text(
        "The n to use is the first whose quality is enough by its one-sided Korn-Graubard limit; "
        "the more runs there are to pick from, the stricter it is."
    ),
    "reach": Text(
        "The n to use is the first that is good enough in 95% of bootstraps of the questions, with "
        "the best drawn again with them."
    ),
}


@result
class Choice:
    """How many samples to pay for.

    Attributes
    ----------
    metric : str
        What quality is: "pass@k", "maj@k", "plurality@k" or "selected@k".
    stopping : bool
        Whether a right sample ends the draw, which needs a verifier.
    rule : {"value", "budget", "quality", "reach"}
        The recommended rule: the first of these whose number is given.
    advice : mapping of rule to Advice
        What each rule whose number is given says.
    table : Tradeoff
    confidence_level : float
        Of all intervals.
    n_questions : int
        Questions behind it.
    mixed : int
        Those of them that some samples solve and others do not.
    remarks : tuple of Text
        Why quality is what it is, and what must be known before using the numbers.
    simulated : bool
        Whether data like these were simulated: questions that cost the same, with answers that can
        be checked, are voted on as right or wrong, or are picked by a signal.
    """

    metric: str
    stopping: bool
    rule: Rule
    advice: Mapping[Rule, Advice]
    table: Tradeoff
    confidence_level: float
    n_questions: int
    mixed: int
    remarks: tuple[Text, ...]
    simulated: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "advice", MappingProxyType(dict(self.advice)))

    @property
    def votes(self) -> bool:
        """Whether all n samples vote, so that only odd n are looked at."""
        return self.metric in VOTES

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

    @property
    def method(self) -> Text:
        """How numbers, intervals and the n to use are made."""
        return Text(
            "Quality is an unbiased mean over questions with its interval. The cost of a solved "
            "question is a ratio of two means, with a t interval on the log scale that allows for "
            "one unseen question that cannot be solved. {rule}",
            rule=_RULES[self.rule],
        )

    @property
    def held(self) -> Text:
        """How often the n to use was as good as it is said to be, with data like these."""
        if not self.simulated:
            return NOT_SIMULATED
        return one_run_reliability(self.rule, self.n_questions, self.mixed, self.metric)


@one_thread()
def choose_n(
    data: Any,
    *,
    metric: MetricName | Way = "pass@k",
    cost_per_sample: Any = 1.0,
    verifier: bool = True,
    value_per_solved: float | None = None,
    budget: float | None = None,
    quality: float | None = None,
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
        What was observed; n goes up to the fewest samples of a question, and at most to 1024.
    metric : {"pass@k", "maj@k", "plurality@k"}, or Way
        What the samples are for. pass@k needs a verifier; votes use odd n only. With a `Way` that
        picks one of n answers by a signal, quality is selected@k.
    cost_per_sample : float, or float array, shape (M, N)
        In any unit; NaN where it is not known.
    verifier : bool
        Whether answers can be checked automatically, so that the first right one ends the draw.
        Without one, pass@k is out of reach: quality is plurality@k where there are answers, else
        maj@k.
    value_per_solved : float, optional
        What a solved question is worth, in the unit of the costs.
    budget : float, optional
        The most that a question may cost on average, in the unit of the costs.
    quality : float, optional
        The share of questions to solve, in (0, 1].
    reach : float, default: 0.95
        Share of the best quality at any n, in (0, 1].
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
    limits = read_limits(value_per_solved, budget, quality, reach)
    generator, resamples = np.random.default_rng(rng), require_count(resamples, "resamples")
    evidence = Question("population", level, missing, segment).evidence(data, answers)
    weighed = weigh(evidence, picks_of(data, evidence, metric), cost_per_sample, verifier)
    measured = measure(weighed, weighed.units.resampled(resamples, generator), level)
    return choose(measured, [aim_at(rule, limit, {"": measured}) for rule, limit in limits.items()])


def read_limits(value: Any, budget: Any, quality: Any, reach: Any) -> dict[Rule, float]:
    """Return the limits that are given, the rule that goes before the others first."""
    limits: dict[Rule, float] = {}
    if value is not None:
        limits["value"] = require_positive(value, "value_per_solved")
    if budget is not None:
        limits["budget"] = require_positive(budget, "budget")
    if quality is not None:
        limits["quality"] = _share(quality, "quality")
    limits["reach"] = _share(reach, "reach")
    return limits


def _share(share: Any, name: str) -> float:
    if require_share(share, name) == 0:
        raise MetricError(Text("{name} must be above 0, because every n reaches 0.", name=name))
    return float(share)


@dataclass(frozen=True, eq=False)
class Measured:
    """What was measured of a run, before an aim chooses n."""

    weighed: Weighed
    table: Tradeoff
    sure: Sure | None  # None of one question, or cluster: it says nothing of others.
    level: float  # Of the intervals.


def measure(
    weighed: Weighed,
    resampled: tuple[Vector, Vector],
    level: float,
    confidence: Mapping[Rule, float] = CONFIDENCE,
) -> Measured:
    """Put limits to what was weighed, with quality and cost of resampled questions."""
    units = weighed.units
    table = trade_off(weighed, level)
    if units.n_units == 1:
        return Measured(weighed, table, None, level)
    floor = quality_floor(units, confidence["quality"])
    most = cost_limit(units, confidence["budget"])
    return Measured(weighed, table, Sure(floor, most, resampled, confidence), level)


def aim_at(rule: Rule, limit: float, runs: Mapping[str, Measured]) -> Aim:
    """Return the aim of some runs: to reach is a share of what the best of them solves."""
    if rule != "reach":
        return Aim(rule, limit, limit if rule == "quality" else None)
    several = any(len(run.table.n) > 1 for run in runs.values())
    key = max(runs, key=lambda key: float(runs[key].table.quality.max()))
    table, sure = runs[key].table, runs[key].sure
    at = int(table.quality.argmax())
    return Aim(
        rule,
        limit,
        limit * float(table.quality[at]) if several else None,
        key if len(runs) > 1 else "",
        QUALITIES[runs[key].weighed.metric].label(int(table.n[at])),
        None if sure is None else limit * sure.resampled[0][:, [at]],
    )


def choose(measured: Measured, aims: Sequence[Aim]) -> Choice:
    """Choose n for each aim, the recommended one first."""
    weighed, table = measured.weighed, measured.table
    return Choice(
        weighed.metric,
        weighed.stopping,
        aims[0].rule,
        {aim.rule: advise(aim, table, measured.sure, measured.level) for aim in aims},
        table,
        measured.level,
        weighed.questions.n_questions,
        weighed.questions.mixed,
        weighed.remarks,
        weighed.metric in OF_ONE_RUN and not weighed.each,
    )
