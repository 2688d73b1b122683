"""How far a run is from its targets, and what would meet them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kofn.choices.runs import FEWEST
from kofn.guidance.sentences import STATUS_NAMES, is_judged, line, settling
from kofn.writing.estimates import percent, points
from kofn.writing.joining import listed
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.gaps import most_solved, tries_needed
from metrics.analyses.guidance.precision import Status
from metrics.analyses.guidance.targets import Goal, Verdict
from metrics.data.words import Text

NEXT_TO_NOTHING = 0.0005
"""Less than this below a target is written as 0 points."""
MARKS: Mapping[Status, str] = {"met": "\u2713", "not met": "\u2717", "undecided": "?"}
"""For those who look over many runs."""
TIMES = 16
"""More than so many times the tries there are is out of reach."""


def shortfall(found: Guidance, goal: Goal) -> float:
    """Return how far a metric is below its target; negative beyond it."""
    return goal.limit - found.estimates[goal.dimension].value


def distance_words(found: Guidance, goal: Goal) -> Text:
    """Say whether a target is met, or how far away it is."""
    estimate = found.estimates[goal.dimension]
    value = percent(estimate.value, *(estimate.interval or ()))
    said = _against(found, goal, value)
    if goal.status != "undecided" or _is_unknown(found, goal):
        return said
    open_ = settling(goal.questions, estimate.n_questions)
    return Text("{said} but not for certain: {open}", said=said, open=open_)


def _against(found: Guidance, goal: Goal, value: Text) -> Text:
    metric, short = found.label(goal.dimension), shortfall(found, goal)
    if _is_unknown(found, goal):
        return Text("{metric} says nothing of stability", metric=metric)
    if short < 0:
        return Text(
            "{metric} {value}, above {limit}", metric=metric, value=value, limit=line(goal.limit)
        )
    if short < NEXT_TO_NOTHING:
        return Text(
            "{metric} {value}, right at {limit}",
            metric=metric,
            value=value,
            limit=line(goal.limit),
        )
    return Text(
        "{metric} {value}, {short} short of {limit}",
        metric=metric,
        value=value,
        short=points(short),
        limit=line(goal.limit),
    )


def _is_unknown(found: Guidance, goal: Goal) -> bool:
    """Say whether one sample a question is asked for stability."""
    return goal.dimension == "cons" and found.n == 1 and goal.status == "undecided"


def way_to(found: Guidance, goal: Goal) -> Text | None:
    """Say what would meet a target that is missed: an n, a vote, or nothing within reach.

    None where the metric is beyond its target.
    """
    if goal.dimension == "cons" and found.n == 1:
        return Text("How stable answers are takes several samples: run n = {n}.", n=FEWEST)
    if shortfall(found, goal) < 0:
        return None
    if goal.dimension == "pass":
        return _tries(found, goal.limit)
    if goal.dimension == "cons":
        return _vote(found, goal.limit)
    return _single(found, goal.limit)


def scenario_lines(found: Guidance, verdict: Verdict) -> Iterator[Text]:
    """Yield whether the targets of a scenario are met, and what would meet those that are not.

    Nothing of a single try.
    """
    if not is_judged(found):
        return
    yield Text(
        "{scenario}: {status}.", scenario=verdict.scenario.name, status=STATUS_NAMES[verdict.status]
    )
    for goal in verdict.targets:
        said, way = distance_words(found, goal), way_to(found, goal)
        yield said if way is None else Text("{said}. {way}", said=said, way=way)


def in_short(found: Guidance, verdict: Verdict) -> Text:
    """Say whether the targets of a scenario are met, and how far away those are that are not."""
    mark = MARKS[verdict.status]
    missed = [_missed(found, goal) for goal in verdict.targets if goal.status != "met"]
    if not missed:
        return Text("{mark} {status}", mark=mark, status=STATUS_NAMES[verdict.status])
    return Text("{mark} {missed}", mark=mark, missed=listed(missed))


def _missed(found: Guidance, goal: Goal) -> Text:
    metric, short = found.label(goal.dimension), shortfall(found, goal)
    if short < 0:
        return Text("{metric} not for certain", metric=metric)
    if short < NEXT_TO_NOTHING:
        return Text("{metric} only at its target", metric=metric)
    return Text("{metric} {short} short", metric=metric, short=points(short))


def _tries(found: Guidance, limit: float) -> Text:
    measured = found.gaps.solved
    for n, solved in zip(measured.k.tolist(), measured.value.tolist(), strict=True):
        if solved > limit:
            return Text("n = {n} reaches it: pass@{n} {solved}.", n=n, solved=percent(solved))
    n, solved = int(measured.k[-1]), float(measured.value[-1])
    needed = tries_needed(solved, n, limit)
    if needed is not None and needed <= TIMES * n:
        return Text("It takes n = {needed} at least.", needed=needed)
    return Text(
        "No n within reach: with n = {n} pass is {most} at most.",
        n=TIMES * n,
        most=percent(most_solved(solved, n, TIMES * n)),
    )


def _vote(found: Guidance, limit: float) -> Text:
    vote = found.gaps.vote
    if vote is None:
        return Text("Without extracted answers nobody knows whether a vote reaches it.")
    if vote.value > limit:
        return Text(
            "A vote by answers reaches it: plurality@{k} {value}.",
            k=found.k,
            value=percent(vote.value),
        )
    return Text("Nothing within reach: a vote by answers gives {value}.", value=percent(vote.value))


def _single(found: Guidance, limit: float) -> Text:
    vote, checked = found.gaps.vote, found.estimates["pass"]
    if vote is not None and vote.value > limit:
        return Text(
            "No n changes a single try; a vote of {k} solves {value}.",
            k=found.k,
            value=percent(vote.value),
        )
    if checked.value > limit:
        return Text(
            "No n changes a single try; checking {k} solves {value}.",
            k=found.k,
            value=percent(checked.value),
        )
    if found.k == 1:
        return Text("No n changes a single try.")
    return Text(
        "Nothing within reach: even checking {k} tries solves {value}.",
        k=found.k,
        value=percent(checked.value),
    )
