"""Columns of the targets of each scenario, and of the cells of the decision matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kofn.card import cards_found
from kofn.guidance.analysis import GuidanceCard
from kofn.guidance.words import (
    IN_SHORT,
    LEVEL_NAMES,
    STATUS_NAMES,
    distance_in_words,
    gap_of,
    is_judged,
    profile_of,
    remedy,
    shortfall,
)
from kofn.run_columns import ABOUT, LEVEL, REASON, RUN
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.joining import joined, listed
from kofn.writing.kinds import COUNT, ESTIMATE, FLAG, NUMBER, SHARE, WORD, one_of
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import CELLS, DIMENSIONS, Cell, Dimension, Level
from metrics.analyses.guidance.targets import Verdict
from metrics.data.results import Estimate
from metrics.data.words import Text

METRICS = ("pass@k", "avg@n", "cons@k")


class GoalLine(NamedTuple):
    """A target of a scenario; none where the card says why."""

    card: GuidanceCard
    verdict: Verdict | None = None
    target: Any = None

    @property
    def estimate(self) -> Estimate | None:
        """The metric that it is for."""
        found = self.card.found
        return found.estimates[self.target.dimension] if found and self.target else None


def _goals(cards: Sequence[GuidanceCard]) -> list[GoalLine]:
    return [
        goal
        for card in cards
        for goal in (
            [
                GoalLine(card, each, target)
                for each in card.found.verdicts
                for target in each.targets
            ]
            if card.found
            else [GoalLine(card)]
        )
    ]


def _metric(goal: GoalLine) -> str | None:
    return goal.card.found.label(goal.target.dimension) if goal.card.found else None


def _short(goal: GoalLine) -> float | None:
    return shortfall(goal.card.found, goal.target) if goal.card.found else None


def _way(goal: GoalLine) -> Text | None:
    return remedy(goal.card.found, goal.target) if goal.card.found else None


GOALS: Columns[GoalLine] = (
    *ABOUT,
    in_files("scenario", WORD, member("verdict.scenario.key")),
    in_files("scenario_status", WORD, member("verdict.status")),
    in_files("scenario_probability", SHARE, member("verdict.probability")),
    in_files("metric", WORD, _metric),
    in_files("target", SHARE, member("target.limit")),
    in_files("status", WORD, member("target.status")),
    in_files("probability", SHARE, member("target.probability")),
    in_files(("value", "low", "high"), ESTIMATE, member("estimate")),
    LEVEL,
    in_files("questions", COUNT, member("estimate.n_questions")),
    in_files("questions_to_settle", COUNT, member("target.questions")),
    in_files("short", NUMBER, _short, Text("how far below the target")),
    in_files("way", WORD, _way, Text("what would meet it")),
    REASON,
)


class UseLine(NamedTuple):
    """A scenario of a run; none where there is nothing to judge by."""

    card: GuidanceCard
    verdict: Verdict | None = None


def uses(cards: Sequence[GuidanceCard]) -> list[UseLine]:
    """Return what is read: the scenarios of each run that is judged, then why others are not."""
    judged = [card for card in cards if card.found and is_judged(card.found)]
    others = [UseLine(card) for card in cards if card not in judged]
    known = [UseLine(card, each) for card in judged if card.found for each in card.found.verdicts]
    return known + others


def _because(use: UseLine) -> Text | None:
    if use.card.found is None or use.verdict is None:
        return None
    found = use.card.found
    return listed(distance_in_words(found, goal) for goal in use.verdict.targets)


def _remedies(use: UseLine) -> Text | None:
    if use.card.found is None or use.verdict is None:
        return None
    found = use.card.found
    remedies = [way for goal in use.verdict.targets if (way := remedy(found, goal)) is not None]
    return joined(remedies) if remedies else None


def _why_unjudged(use: UseLine) -> Text | None:
    if use.verdict is not None:
        return None
    return IN_SHORT[gap_of(use.card.found)] if use.card.found else use.card.reason


USES: Columns[UseLine] = (
    RUN,
    for_people(Text("scenario"), WORD, member("verdict.scenario.name")),
    for_people(Text("targets"), one_of(STATUS_NAMES), member("verdict.status")),
    for_people(Text("because"), WORD, _because),
    for_people(Text("what would meet them"), WORD, _remedies),
    for_people(Text("remarks"), WORD, _why_unjudged),
)


def screen_columns(cards: Sequence[GuidanceCard]) -> Columns[GuidanceCard]:
    """Return what is read of a run in one line: its scenarios, and the metrics behind them."""
    found = next((card.found for card in cards if card.found), None)
    scenarios = [verdict.scenario for verdict in found.verdicts] if found else []
    return (
        RUN,
        *(
            for_people(each.name, one_of(STATUS_NAMES).optional, _status_at(place))
            for place, each in enumerate(scenarios)
        ),
        *(for_people(_label_of(name), ESTIMATE, _estimate_of(name)) for name in DIMENSIONS),
    )


def _status_at(place: int) -> Any:
    return lambda card: (
        card.found.verdicts[place].status if card.found and is_judged(card.found) else None
    )


def _label_of(dimension: Dimension) -> Any:
    return lambda card: card.found and Text("{metric}", metric=card.found.label(dimension))


def _estimate_of(dimension: Dimension) -> Any:
    return lambda card: card.found and card.found.estimates[dimension]


SCENARIOS: Table[GuidanceCard, GoalLine] = Table("scenarios", GOALS, _goals)


class CellLine(NamedTuple):
    """A cell of the matrix of a run."""

    card: GuidanceCard
    found: Guidance
    cell: Cell

    @property
    def profile(self) -> Any:
        """AISBench's row of it."""
        return profile_of(self.cell)

    @property
    def probability(self) -> float:
        """How likely it is."""
        return self.found.probability[self.cell]


def places(cards: Sequence[GuidanceCard]) -> list[CellLine]:
    """Return every cell, run by run."""
    return [CellLine(card, found, cell) for card, found in cards_found(cards) for cell in CELLS]


def _possible(cards: Sequence[GuidanceCard]) -> list[CellLine]:
    return [place for place in places(cards) if place.cell in place.found.possible]


def _level_number(number: int) -> Any:
    return lambda place: place.cell[number]


PLACES: Columns[CellLine] = (
    *ABOUT,
    in_files("k", COUNT, member("found.k")),
    *(
        Column(key, Text("{metric}", metric=metric), one_of(LEVEL_NAMES), _level_number(number))
        for number, (key, metric) in enumerate(zip(DIMENSIONS, METRICS, strict=True))
    ),
    Column("probability", Text("probability"), SHARE, member("probability")),
    in_files("possible", FLAG, lambda place: place.cell in place.found.possible),
    in_files("here", FLAG, lambda place: place.cell == place.found.cell),
    Column("aisbench", Text("row of AISBench"), WORD, member("profile.status")),
)
MATRIX: Table[GuidanceCard, CellLine] = Table("matrix", PLACES, places, _possible)


class At(NamedTuple):
    """The level of a metric of a run."""

    found: Guidance
    dimension: Dimension
    level: Level


def levels(found: Guidance) -> list[At]:
    """Return the level of each metric."""
    return [At(found, *each) for each in zip(DIMENSIONS, found.cell, strict=True)]


LEVELS: Columns[At] = (
    for_people(Text("metric"), WORD, lambda line: line.found.label(line.dimension)),
    for_people(Text("value"), ESTIMATE, lambda line: line.found.estimates[line.dimension]),
    for_people(Text("level"), one_of(LEVEL_NAMES), member("level")),
)
