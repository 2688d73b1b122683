"""Which of several runs to take, and at which n, under one aim for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from metrics.analyses.candidates.ways import Way
from metrics.analyses.choose_n.advice import Rule
from metrics.analyses.choose_n.choice import (
    Choice,
    Measured,
    aim_at,
    choose,
    measure,
    read_limits,
)
from metrics.analyses.choose_n.gains_and_costs import resampled_together
from metrics.analyses.choose_n.picks import picks_of
from metrics.analyses.choose_n.rules import Aim, confidence_among
from metrics.analyses.choose_n.weighing import Weighed, weigh
from metrics.analyses.compare.best import Best, Means, chances_of_best
from metrics.data.arrays import Vector
from metrics.data.frames import rows_frame
from metrics.data.inputs import require_count, require_level
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.shown import result
from metrics.data.threads import one_thread
from metrics.data.words import MetricError, Text, some_of

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

_NAMED = 3


@result
class Selection:
    """Which run to take, and at which n.

    Attributes
    ----------
    aim : Aim
        The same for all runs.
    choices : mapping of str to Choice
        The choice for each run by itself under that aim.
    run : str or None
        The run to take at its safe n; None where no run has one.
    chances : mapping of str to float
        For each run with an n to use, the chance that it is the best at that n, as in `rank`. The
        best run solves most within a budget, is worth most beyond its cost for a value, and costs
        least otherwise. The chance ignores that other questions might change the n to use.
    losses : mapping of str to float
        By how much the best is better than each run, on average: as a share of questions within a
        budget, else in the unit of the costs, per question.
    remarks : tuple of Text
        What must be known about the runs together.
    """

    aim: Aim
    choices: Mapping[str, Choice]
    run: str | None
    chances: Mapping[str, float]
    losses: Mapping[str, float]
    remarks: tuple[Text, ...]

    def __post_init__(self) -> None:
        for name in ("choices", "chances", "losses"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def to_frame(self) -> DataFrame:
        """Return a row for each run, with the n to use and how likely it is best; needs pandas."""
        return rows_frame(
            [
                {
                    "run": key,
                    "n": choice.n,
                    "safe_n": choice.safe_n,
                    "chance_of_best": self.chances.get(key),
                    "expected_loss": self.losses.get(key),
                }
                for key, choice in self.choices.items()
            ]
        )


@one_thread()
def choose_among(
    runs: Mapping[str, Any],
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
    resamples: int = 2000,
    rng: int | np.random.Generator = 0,
) -> Selection:
    """Choose one of several runs, and how many samples of each question to pay for.

    For a quality it takes the cheapest run whose n surely reaches it; for a budget, the run that
    solves most within it; for a value, the run that is worth most beyond its cost. Only questions
    that every run has are used.

    Parameters
    ----------
    runs : mapping of str to Outcomes, Run or array_like of 0/1, shape (M, N)
    cost_per_sample : float, float array, or a mapping of them by run
    metric, verifier, value_per_solved, budget, quality, confidence_level, missing, segment
        As in `choose_n`; the first limit that is given is the aim.
    reach : float, default: 0.95
        Share, in (0, 1], of the best quality that any run has at any n.
    resamples, rng
        As in `choose_n`.

    Returns
    -------
    Selection

    Raises
    ------
    MetricError
        If an argument is out of range, a run has no right or wrong samples, or no question is in
        all runs.

    Examples
    --------
    >>> good, cheap = [[1, 1], [1, 1], [1, 0], [0, 1]], [[1, 0], [0, 0], [1, 0], [0, 1]]
    >>> costs = {"good": 5.0, "cheap": 1.0}
    >>> chosen = choose_among({"good": good, "cheap": cheap}, budget=3.0, cost_per_sample=costs)
    >>> chosen.run, chosen.choices["cheap"].safe_n, chosen.choices["good"].safe_n
    ('cheap', 2, 0)
    """
    prices = cost_per_sample if isinstance(cost_per_sample, Mapping) else {}
    question = Question("population", require_level(confidence_level), missing, segment)
    weighed = {}
    for key, data in runs.items():
        evidence = question.evidence(data)
        weighed[key] = weigh(
            evidence,
            picks_of(data, evidence, metric),
            prices.get(key, 1.0) if prices else cost_per_sample,
            verifier,
            each=True,
        )
    limits = read_limits(value_per_solved, budget, quality, reach)
    return select(weighed, limits, question.confidence_level, resamples, rng)


def select(
    weighed: Mapping[str, Weighed],
    limits: Mapping[Rule, float],
    level: float,
    resamples: int = 2000,
    rng: int | np.random.Generator = 0,
) -> Selection:
    """Choose one of some runs that were weighed question by question; see `choose_among`."""
    generator, resamples = np.random.default_rng(rng), require_count(resamples, "resamples")
    shared, remarks = share_questions(weighed)
    drawn = resampled_together([run.units for run in shared.values()], resamples, generator)
    confidence = confidence_among(len(shared))
    measured = {
        key: measure(run, each, level, confidence)
        for (key, run), each in zip(shared.items(), drawn, strict=True)
    }
    rule, limit = next(iter(limits.items()))
    aim = aim_at(rule, limit, measured)
    choices = {key: choose(run, [aim]) for key, run in measured.items()}
    merits = {key: _merit(aim, choices[key]) for key in choices}
    best = max(merits, key=lambda key: merits[key])
    sure = [key for key in choices if merits[key] > NONE]
    likely = _likely_best(aim, {key: measured[key] for key in sure}, choices)
    return Selection(
        aim,
        choices,
        best if sure else None,
        dict(zip(sure, likely.chances, strict=True)),
        dict(zip(sure, likely.losses, strict=True)),
        remarks,
    )


NONE = (-np.inf, 0.0)
"""The merit of a run without an n."""


def _merit(aim: Aim, choice: Choice) -> tuple[float, float]:
    """Return what makes a run worth taking at its safe n, and what decides between equals."""
    if not choice.safe_n:
        return NONE
    at = choice.table.index(choice.safe_n)
    quality, cost = choice.table.quality[at], choice.table.cost[at]
    tie = -cost if aim.rule == "budget" else quality
    return float(_worth(aim, quality, cost)), float(tie)


def _likely_best(aim: Aim, runs: Mapping[str, Measured], choices: Mapping[str, Choice]) -> Best:
    """Return with what chance each run is the best at its n to use; see `chances_of_best`."""
    ledgers = [run.weighed.questions for run in runs.values()]
    at = [choices[key].table.index(choices[key].safe_n or 1) for key in runs]
    merits = [
        _worth(aim, ledger.quality[row], ledger.cost[row])
        for ledger, row in zip(ledgers, at, strict=True)
    ]
    if not runs:
        return Best((), ())
    matched = [run.weighed.ids is not None for run in runs.values()]
    every = list(zip(ledgers, merits, strict=True))
    if all(matched):
        columns = [merit[ledger.of_question] for ledger, merit in every]
        clusters = next(iter(runs.values())).weighed.clusters
        return chances_of_best(*Means.of(np.stack(columns, axis=1), clusters))
    values = np.array([ledger.mean(merit) for ledger, merit in every])
    variances = [
        float(ledger.variance((merit - value)[None])[0])
        for (ledger, merit), value in zip(every, values, strict=True)
    ]
    widened = Means(values, np.diag(variances)).opened(ledgers[0].n_questions)
    return chances_of_best(*widened)


def _worth(aim: Aim, quality: Vector, cost: Vector) -> Vector:
    """Return what a rule values."""
    if aim.rule == "value":
        return aim.limit * quality - cost
    return quality if aim.rule == "budget" else -cost


def share_questions(runs: Mapping[str, Weighed]) -> tuple[dict[str, Weighed], tuple[Text, ...]]:
    """Return the runs with the questions that all of them have, in the same order and clusters."""
    first = next(iter(runs.values()))
    if len({run.metric for run in runs.values()}) > 1:
        raise MetricError(Text("Runs are compared by the same vote; here some have no answers."))
    remarks: tuple[Text, ...] = ()
    shared = dict(runs)
    unknown = [key for key, run in runs.items() if run.ids is None]
    if first.ids is None or unknown:
        return shared, (_not_matched(unknown),) if len(runs) > 1 else ()
    if any(run.ids != first.ids for run in runs.values()):
        places = [run.ids.places(first.ids) for run in runs.values() if run.ids is not None]
        everywhere = np.all([rows >= 0 for rows in places], axis=0)
        if not everywhere.any():
            raise MetricError(Text("No question is in all of these runs, so no run can be chosen."))
        shared = {
            key: run.of(rows[everywhere])
            for (key, run), rows in zip(runs.items(), places, strict=True)
        }
        sizes = sorted(run.questions.n_questions for run in runs.values())
        remarks = (shared_only_caveat(int(everywhere.sum()), sizes[0], sizes[-1]),)
    clusters = next((run.clusters for run in shared.values() if run.clusters is not None), None)
    return {key: replace(run, clusters=clusters) for key, run in shared.items()}, remarks


def shared_only_caveat(count: int, least: int, most: int) -> Text:
    """Say that some questions do not count."""
    return Text(
        "Only the {count} question that all runs share counts; the runs have {least} to {most} "
        "questions.",
        "Only the {count} questions that all runs share count; the runs have {least} to {most} "
        "questions.",
        count=count,
        least=least,
        most=most,
    )


def _not_matched(names: Sequence[str]) -> Text:
    return Text(
        "Only the counts of {names} are known, not which question is which. Each run therefore "
        "counts with all its questions, on its own.",
        names=some_of(names, _NAMED),
    )
