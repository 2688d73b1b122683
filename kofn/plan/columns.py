"""Columns of a plan, with a row for each number of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kofn.plan.analysis import PlanCard, Planned
from kofn.run_columns import ABOUT, LEVEL, REASON, RUN, remark_columns
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.estimates import points
from kofn.writing.kinds import COUNT, FLAG, NUMBER, POINTS, SHARE, WORD, WRITTEN
from metrics.data.words import Text


class PlanLine(NamedTuple):
    """A number of samples, and a difference that is to be shown; none where the card says why."""

    card: PlanCard
    place: int | None = None
    difference: float | None = None

    @property
    def found(self) -> Planned | None:
        """The plan."""
        return self.card.found

    def at(self, column: Any) -> float | None:
        """Return what is known of these samples; None where it is not."""
        if column is None or self.place is None or np.isnan(column[self.place]):
            return None
        return float(column[self.place])


def _lines(cards: Sequence[PlanCard]) -> Iterator[PlanLine]:
    for card in cards:
        if card.found is None:
            yield PlanLine(card)
            continue
        for place in range(len(card.found.needs.samples)):
            for difference in card.found.takes:
                yield PlanLine(card, place, difference)


def lines_to_read(card: PlanCard) -> list[PlanLine]:
    """Return the lines to read."""
    return [PlanLine(card, at) for at in range(len(card.found.needs.samples))] if card.found else []


def _needs(name: str) -> Callable[[PlanLine], Any]:
    return lambda line: line.at(getattr(line.found.needs, name)) if line.found else None


def _count_of(name: str) -> Callable[[PlanLine], int | None]:
    return lambda line: None if (found := _needs(name)(line)) is None else int(found)


def _questions(line: PlanLine) -> int | None:
    if line.found is None or line.difference is None:
        return None
    found = line.at(line.found.takes[line.difference])
    return None if found is None else int(found)


def _is_pilot(line: PlanLine) -> bool | None:
    return _count_of("samples")(line) == line.found.plan.n_samples if line.found else None


COLUMNS: Columns[PlanLine] = (
    *ABOUT,
    in_files("base", WORD, member("card.found.base")),
    in_files("metric", WORD, member("card.found.plan.metric")),
    in_files("k", COUNT, member("card.found.plan.k")),
    in_files("samples", COUNT, _count_of("samples"), Text("of a question in each run")),
    in_files("pilot", FLAG, _is_pilot, Text("whether there are so many")),
    in_files("smallest", POINTS, _needs("smallest"), Text("difference that the questions show")),
    in_files("difference", POINTS, member("difference")),
    in_files("questions", COUNT, _questions, Text("that show it")),
    in_files("width", POINTS, lambda line: line.found and line.card.settings.width),
    in_files("questions_for_width", COUNT, _count_of("questions_for_width")),
    in_files("bill", NUMBER, lambda line: line.found and line.card.settings.total),
    in_files("affordable", COUNT, _count_of("affordable"), Text("questions that it pays for")),
    in_files("smallest_affordable", SHARE, _needs("smallest_affordable"), Text("what they show")),
    in_files("power", NUMBER, member("card.settings.power")),
    LEVEL,
    REASON,
)
"""What files hold."""
PLANNED: Table[PlanCard, PlanLine] = Table("plan", COLUMNS, _lines)


def columns_of(card: PlanCard) -> Columns[PlanLine]:
    """Return what is read of a plan, which depends on its goals."""
    found, goals = card.found, card.settings
    if found is None:
        return ()
    shown: list[Column[PlanLine]] = [
        RUN_ON_PAPER,
        for_people(Text("samples"), COUNT, _count_of("samples")),
        for_people(Text("these questions show"), WRITTEN, partial(_smallest, "smallest")),
    ]
    for difference, takes in found.takes.items():
        head = Text("{d} take", d=points(difference))
        shown.append(for_people(head, WRITTEN, partial(_in_words, takes)))
    if goals.width is not None and found.needs.questions_for_width is not None:
        head = Text("{width} wide takes", width=points(goals.width))
        shown.append(for_people(head, WRITTEN, partial(_in_words, found.needs.questions_for_width)))
    if found.needs.affordable is not None and found.needs.smallest_affordable is not None:
        head = Text("{bill:,g} pays for", bill=goals.total)
        shown.append(for_people(head, WRITTEN, partial(_in_words, found.needs.affordable)))
        smallest = partial(_smallest, "smallest_affordable")
        shown.append(for_people(Text("and shows"), WRITTEN, smallest))
    return shown


def screen_columns(cards: Sequence[PlanCard]) -> Columns[PlanCard]:
    """Return what is read of a plan in one line: what the samples at hand show and would take."""
    takes = [set(card.found.takes) for card in cards if card.found]
    shared = sorted(set.intersection(*takes), reverse=True) if takes else []
    return (
        for_people(Text("dataset"), WORD, member("run.dataset")),
        for_people(Text("questions"), COUNT, member("found.plan.n_questions")),
        for_people(Text("samples"), COUNT, member("found.plan.n_samples")),
        for_people(
            Text("these questions show"),
            WRITTEN,
            lambda card: _of_pilot(partial(_smallest, "smallest"), card),
        ),
        *(
            for_people(Text("{d} take", d=points(each)), WRITTEN, partial(_taken, each))
            for each in shared
        ),
        *remark_columns(lambda card: ()),
    )


def _taken(difference: float, card: PlanCard) -> Text | None:
    if card.found is None:
        return None
    return _of_pilot(partial(_in_words, card.found.takes[difference]), card)


def _of_pilot(tell: Callable[[PlanLine], Text], card: PlanCard) -> Text | None:
    """Tell of the line that has as many samples as the pilot."""
    return next((tell(line) for line in lines_to_read(card) if _is_pilot(line)), None)


RUN_ON_PAPER: Column[Any] = for_people(RUN.label, WORD, RUN.value, ("paper",))


def _smallest(name: str, line: PlanLine) -> Text:
    found = _needs(name)(line)
    return Text("nothing") if found is None else points(found)


def _in_words(takes: Any, line: PlanLine) -> Text:
    found = line.at(takes)
    if found is None:
        return Text("too many")
    return Text("{count} question", "{count} questions", count=int(found))
