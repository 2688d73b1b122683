"""What pass@k, avg@n and cons@k together advise: the place of a run in the decision matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.estimation import estimate
from metrics.evidence import Evidence
from metrics.feasible import clipped, convex_hull
from metrics.inputs import outcome_matrix, require_count, require_share
from metrics.joint import joint_means
from metrics.modes import agreement
from metrics.outcomes import Missing, Outcomes, Segment
from metrics.reachable import Side, is_reachable
from metrics.registry import METRICS, Metric
from metrics.results import Estimate, Interval
from metrics.scenarios import CELLS, HIGH, KINDS, LOW, SCENARIOS, Cell, Kind, Level, Scenario
from metrics.tally import Tally
from metrics.words import MetricError, Text

Status = Literal["met", "not met", "undecided"]

RESAMPLES = 10_000
_DECIMALS = 12
_ON_THE_LINE = 1e-9

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Target:
    """One target of a scenario.

    Attributes
    ----------
    kind : {"pass", "avg", "cons"}
    limit : float
        What the metric must exceed.
    status : {"met", "not met", "undecided"}
        Met where the whole interval of the metric lies above the limit, not met where none of it
        does.
    probability : float
        Share of the joint draws above the limit.
    questions : int or None
        Of an undecided target, about how many questions would settle it; None where the value
        equals the limit.
    """

    kind: Kind
    limit: float
    status: Status
    probability: float
    questions: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A scenario: met where all its targets are, not met where one is not.

    Attributes
    ----------
    scenario : Scenario
    status : {"met", "not met", "undecided"}
    probability : float
        Share of the joint draws that meet all targets at once.
    targets : tuple of Target
    """

    scenario: Scenario
    status: Status
    probability: float
    targets: tuple[Target, ...]


@dataclass(frozen=True, eq=False)
class Guidance:
    """The decision matrix of one run.

    Attributes
    ----------
    n : int
        Fewest samples of a question.
    k : int
        Samples drawn.
    voted : bool
        Whether "cons" is cons@n of all samples, rather than maj@k.
    high, low : float
        A level is high above the one, low below the other, and medium from one to the other.
    estimates : mapping of {"pass", "avg", "cons"} to Estimate
        For questions like these.
    probability : mapping of Cell to float
        Of all 27, from joint draws; sums to 1.
    possible : frozenset of Cell
        Those that some set of questions can reach.
    cell : Cell
        Where the estimates lie.
    verdicts : tuple of Verdict
    open_ranges : mapping of {"pass", "cons"} to Interval
        What the others could be, given avg alone.
    agreement : Estimate or None
        Share of questions where more than half of the samples agree on an answer, right or wrong;
        None without answers, or where a question has one sample.
    bias : float or None
        Probability that pass and avg are low while agreement is high.
    """

    n: int
    k: int
    voted: bool
    high: float
    low: float
    estimates: Mapping[Kind, Estimate]
    probability: Mapping[Cell, float]
    possible: frozenset[Cell]
    cell: Cell
    verdicts: tuple[Verdict, ...]
    open_ranges: Mapping[Kind, Interval]
    agreement: Estimate | None
    bias: float | None

    def label(self, kind: Kind) -> str:
        """Return the metric of a kind with its number, such as "pass@4"."""
        metric = _metrics(None if self.voted else self.k)[kind]
        return metric.label(self.k if metric.takes_k else self.n)

    def likely(self, share: float = 0.95) -> tuple[Cell, ...]:
        """Return the fewest cells that hold this share of the draws, the likeliest first."""
        ordered = sorted(CELLS, key=lambda cell: -self.probability[cell])
        total = np.cumsum([self.probability[cell] for cell in ordered])
        return tuple(ordered[: int(np.searchsorted(total, share - 1e-12)) + 1])

    def questions(self) -> int | None:
        """Return about how many questions would settle the cell; 0 if the intervals do already.

        A rule of thumb: intervals shrink with the square root of the number of questions. None
        where a value lies on the line between two levels.
        """
        needed = [
            questions_to_settle(each, line)
            for each in self.estimates.values()
            for line in (self.low, self.high)
            if _status(each, line) == "undecided"
        ]
        known = [count for count in needed if count is not None]
        return max(known, default=0) if len(known) == len(needed) else None


def guidance(
    data: Any,
    *,
    k: int | None = None,
    high: float = HIGH,
    low: float = LOW,
    scenarios: Sequence[Scenario] = SCENARIOS,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    resamples: int = RESAMPLES,
    rng: int = 0,
) -> Guidance:
    """Place a run in AISBench's decision matrix, with the uncertainty of the place.

    Parameters
    ----------
    data : Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed.
    k : int, optional
        Samples drawn for pass@k and maj@k; by default all of the fewest, and cons@n.
    high, low : float
        Lines between the levels, ``0 <= low < high <= 1``; both are themselves medium.
    scenarios : sequence of Scenario
    confidence_level, missing, segment, answers
        As in `metrics.estimate`.
    resamples : int
        Joint draws; see `metrics.joint.joint_means`.
    rng : int
        Their seed.

    Returns
    -------
    Guidance
        About questions like these.

    Raises
    ------
    MetricError
        If an argument is out of range, or k exceeds the samples of a question.

    Examples
    --------
    >>> found = guidance([[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0], [1, 1, 1, 1]] * 25)
    >>> found.cell, len(found.possible)
    (('high', 'medium', 'medium'), 12)
    >>> [(verdict.scenario.key, verdict.status) for verdict in found.verdicts]
    [('reliability', 'not met'), ('tolerance', 'not met'), ('balanced', 'not met')]
    """
    if not require_share(low, "low") < require_share(high, "high"):
        raise MetricError(Text("low must be below high; got {low} and {high}.", low=low, high=high))
    for limit in (limit for scenario in scenarios for limit in scenario.targets.values()):
        require_share(limit, "target")
    if answers is not None and not isinstance(data, Outcomes | Tally):
        data = Outcomes(outcome_matrix(data, "data"))
    settings: dict[str, Any] = {
        "confidence_level": confidence_level,
        "missing": missing,
        "segment": segment,
    }
    estimates = {
        kind: estimate(data, metric.name, k if metric.takes_k else None, **settings)
        for kind, metric in _metrics(k).items()
    }
    evidence = Evidence(data, missing, segment, answers)
    drawn_k = evidence.n_min if k is None else k
    agreed = _agreed(evidence)
    drawn = joint_means(
        *_rows(evidence, k, agreed),
        clusters=evidence.clusters,
        resamples=require_count(resamples, "resamples"),
        rng=rng,
    )
    levels = (drawn > high).astype(int) - (drawn < low) + 1
    found = np.bincount(levels[:, :3] @ [9, 3, 1], minlength=len(CELLS)) / len(drawn)
    samples = evidence.tally.each_n
    return Guidance(
        evidence.n_min,
        drawn_k,
        k is None,
        high,
        low,
        estimates,
        dict(zip(CELLS, found.tolist(), strict=True)),
        possible_cells(samples, k, high, low),
        _cell(estimates, high, low),
        tuple(_verdicts(scenarios, estimates, drawn)),
        _open_ranges(_possible_scores(samples, k), estimates["avg"].value),
        None if agreed is None else _share_agreed(agreed, evidence.clusters, confidence_level),
        None if agreed is None else float((levels[:, [0, 1, 3]] == [0, 0, 2]).all(axis=1).mean()),
    )


@lru_cache(maxsize=64)
def possible_cells(
    samples: tuple[int, ...], k: int | None = None, high: float = HIGH, low: float = LOW
) -> frozenset[Cell]:
    """Return the cells that some mix of questions can reach.

    Parameters
    ----------
    samples : tuple of int
        The numbers of samples that questions have.
    k, high, low
        As for `guidance`.

    Examples
    --------
    With one sample a question the three metrics are the same:

    >>> sorted(possible_cells((1,)))
    [('high', 'high', 'high'), ('low', 'low', 'low'), ('medium', 'medium', 'medium')]
    """
    points = _possible_scores(samples, k)
    kept: Mapping[str, Sequence[tuple[Side, float]]] = {
        "high": [("above", high)],
        "medium": [("from", low), ("to", high)],
        "low": [("below", low)],
    }
    return frozenset(
        cell
        for cell in CELLS
        if is_reachable(
            points,
            [(i, side, line) for i, level in enumerate(cell) for side, line in kept[level]],
        )
    )


def questions_to_settle(found: Estimate, line: float) -> int | None:
    """Return about how many questions move the interval off a line that it holds.

    A rule of thumb: an interval shrinks with the square root of the number of questions.

    Returns
    -------
    int or None
        None where the value lies on the line.
    """
    assert found.interval is not None
    low, high = found.interval
    distance = abs(found.value - line)
    reach = found.value - low if found.value > line else high - found.value
    if distance < _ON_THE_LINE:
        return None
    return ceil(found.n_questions * (reach / distance) ** 2)


def _metrics(k: int | None) -> dict[Kind, Metric]:
    cons = METRICS["cons@n" if k is None else "maj@k"]
    return {"pass": METRICS["pass@k"], "avg": METRICS["avg@n"], "cons": cons}


def _scores(tally: Tally, k: int | None) -> Matrix:
    """Return pass, avg and cons of each row, shape (U, 3)."""
    chosen = tally.n_min if k is None else k
    evidence = Evidence(tally)
    return np.column_stack(
        [metric.scores(evidence, chosen, {}).values for metric in _metrics(k).values()]
    )


def _rows(
    evidence: Evidence, k: int | None, agreed: NDArray[np.bool_] | None
) -> tuple[Matrix, NDArray[np.int64]]:
    """Return the scores to draw from and how many questions have each; one by one in clusters."""
    if agreed is None:
        tally = evidence.tally if evidence.clusters is None else evidence.each_question
        return _scores(tally, k), tally.questions
    tally, questions = evidence.each_question, np.ones(len(agreed), dtype=np.int64)
    if evidence.clusters is None:
        kinds = 2 * (tally.n * (tally.n_max + 1) + tally.c) + agreed
        _, first, questions = np.unique(kinds, return_index=True, return_counts=True)
        tally, agreed = Tally(tally.n[first], tally.c[first], questions), agreed[first]
    return np.column_stack([_scores(tally, k), agreed]), questions


def _possible_scores(samples: tuple[int, ...], k: int | None) -> Matrix:
    """Return the scores of every count that a question can have."""
    n = np.concatenate([np.full(n + 1, n) for n in samples])
    c = np.concatenate([np.arange(n + 1) for n in samples])
    return np.asarray(np.unique(_scores(Tally(n, c, np.ones_like(n)), k), axis=0))


def _agreed(evidence: Evidence) -> NDArray[np.bool_] | None:
    """Say of each question whether more than half of its samples give one answer."""
    if evidence.answers is None or evidence.n_min < 2:
        return None
    samples = evidence.each_question.n
    return np.asarray(2 * agreement(evidence.votes, samples).votes > samples)


def _share_agreed(
    agreed: NDArray[np.bool_], clusters: NDArray[np.intp] | None, confidence_level: float
) -> Estimate:
    verdicts = Outcomes(agreed[:, None], clusters=clusters)
    return estimate(verdicts, "avg@n", confidence_level=confidence_level)


def _cell(estimates: Mapping[Kind, Estimate], high: float, low: float) -> Cell:
    def level(value: float) -> Level:
        return "high" if value > high else "low" if value < low else "medium"

    first, second, third = (level(round(estimates[kind].value, _DECIMALS)) for kind in KINDS)
    return first, second, third


def _status(found: Estimate, line: float) -> Status:
    assert found.interval is not None
    if found.interval.low > line:
        return "met"
    return "not met" if found.interval.high <= line else "undecided"


def _verdicts(
    scenarios: Sequence[Scenario], estimates: Mapping[Kind, Estimate], drawn: Matrix
) -> Iterator[Verdict]:
    for scenario in scenarios:
        above = {
            kind: drawn[:, KINDS.index(kind)] > line for kind, line in scenario.targets.items()
        }
        targets = tuple(
            _target(kind, line, estimates[kind], float(above[kind].mean()))
            for kind, line in scenario.targets.items()
        )
        statuses = {target.status for target in targets}
        found: Sequence[Status] = ("not met", "undecided", "met")
        yield Verdict(
            scenario,
            next(status for status in found if status in statuses),
            float(np.logical_and.reduce(list(above.values())).mean()),
            targets,
        )


def _target(kind: Kind, line: float, found: Estimate, probability: float) -> Target:
    status = _status(found, line)
    questions = questions_to_settle(found, line) if status == "undecided" else None
    return Target(kind, line, status, probability, questions)


def _open_ranges(points: Matrix, avg: float) -> dict[Kind, Interval]:
    """Return the least and the most that pass and cons can be for this avg."""
    ranges: dict[Kind, Interval] = {}
    for kind in ("pass", "cons"):
        hull = convex_hull(points[:, [1, KINDS.index(kind)]])
        side = clipped(hull, [((1, 0), Interval(avg, avg))])[:, 1]
        ranges[kind] = Interval(float(side.min()), float(side.max()))
    return ranges
