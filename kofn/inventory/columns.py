"""Columns of what each run holds, and of the numbers that its file states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from kofn.card import GROUPINGS, is_verified
from kofn.inventory.analysis import HoldingCard
from kofn.inventory.facts import RunFacts
from kofn.inventory.stated import StatedNumber, both_written, replicas_written
from kofn.run_columns import OF_RUN, REASON, RUN
from kofn.unfinished_runs import how_far
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.joining import in_a_row
from kofn.writing.kinds import COUNT, FLAG, NAME, REMARKS, SHARE, WORD, WRITTEN, one_of
from kofn.writing.settings import written
from metrics.data.words import Text, printable
from reports.run.differing import shared_settings
from reports.run.fingerprint import plain_settings
from reports.run.report import Run


class StatedLine(NamedTuple):
    """A number that the file of a run states; none of a run that states none."""

    card: HoldingCard
    stated: StatedNumber | None = None


class CameIn(NamedTuple):
    """A run as Reports lists it, with what it holds and the file it is of."""

    run: Run
    facts: RunFacts | None
    file: str


def lines_of(card: HoldingCard) -> list[StatedLine]:
    """Return the numbers that are stated of a run or suite."""
    return [StatedLine(card, each) for each in card.found.stated] if card.found else []


def runs_among(cards: Sequence[HoldingCard]) -> list[HoldingCard]:
    """Leave out suites, which hold nothing themselves."""
    return [card for card in cards if not (card.found and card.found.suite)]


def _lines(cards: Sequence[HoldingCard]) -> list[StatedLine]:
    return [line for card in cards for line in lines_of(card) or [StatedLine(card)]]


def _stated_lines(cards: Sequence[HoldingCard]) -> list[StatedLine]:
    return [line for card in cards for line in lines_of(card)]


def _metric(line: StatedLine) -> str | None:
    return printable(line.stated.line.metric) if line.stated else None


def _written(number: int) -> Callable[[StatedLine], str | None]:
    return lambda line: both_written(line.stated.line)[number] if line.stated else None


def _agrees(line: StatedLine) -> bool | None:
    if line.stated is None or line.stated.is_unchecked:
        return None
    return line.stated.line.agrees


def _replicas(line: StatedLine) -> list[float] | None:
    return list(line.stated.line.replicas) or None if line.stated else None


def _all_replicas(line: StatedLine) -> Text | None:
    return replicas_written(line.stated.line) if line.stated and _replicas(line) else None


def _reason(line: StatedLine) -> Text | None:
    return line.stated.line.reason if line.stated else line.card.reason


def _holds(card: HoldingCard) -> Text | None:
    facts = card.found.facts if card.found else None
    return in_a_row(facts.in_words()) if facts else card.reason


def _wrong(card: HoldingCard) -> Text | None:
    stated = [each for each in card.found.stated if not each.is_unchecked] if card.found else []
    wrong = sum(not each.line.agrees for each in stated)
    return Text("{wrong} of {all} wrong", wrong=wrong, all=len(stated)) if stated else None


def _count(name: str, of: str, help: Text | None = None) -> Column[Any]:
    return in_files(name, COUNT, member(f"{of}found.facts.{name}"), help)


def _counts(of: str) -> Columns[Any]:
    return (
        _count("questions", of),
        _count("n_min", of, Text("samples of a question")),
        _count("n_max", of),
        _count("failed", of),
        _count("ungradable", of, Text("questions")),
    )


def _samples(line: CameIn) -> str | None:
    if line.facts is None:
        return None
    fewest, most = line.facts.n_min, line.facts.n_max
    return str(most) if fewest == most else f"{fewest}–{most}"


def _verdicts(line: CameIn) -> Text:
    outcomes = line.run.outcomes
    if outcomes is None:
        return Text("missing") if line.run.counts is None else Text("counted where they are")
    return Text("hard") if outcomes.scores is None else Text("soft and hard")


CAME_IN: Columns[CameIn] = (
    for_people(Text("Model"), NAME, lambda line: printable(line.run.model)),
    for_people(Text("Dataset"), NAME, lambda line: printable(line.run.dataset)),
    for_people(Text("Questions"), COUNT, member("facts.questions")),
    for_people(Text("Samples"), WRITTEN, _samples),
    for_people(
        Text("So far"), WORD, lambda line: line.run.unfinished and how_far(line.run.unfinished)
    ),
    for_people(Text("No verdict"), COUNT, member("facts.failed")),
    for_people(
        Text("Verified"),
        FLAG,
        lambda line: None if line.run.verified is None else is_verified(line.run),
        help=Text(
            "Verified: we reproduced the report's own numbers from its samples, in its own way."
        ),
    ),
    for_people(
        Text("Grouping"),
        one_of(GROUPINGS).optional,
        lambda line: None if line.run.known is None else line.run.grouping,
        help=Text(
            "Grouping: how it is known which samples belong to the same question, proven by ids, "
            "references or prompts, or stated by the file only."
        ),
    ),
    for_people(Text("Verdicts"), WORD, _verdicts),
    for_people(Text("Not gradable"), COUNT, member("facts.ungradable")),
    for_people(
        Text("Evaluator"), NAME, lambda line: line.run.evaluator and printable(line.run.evaluator)
    ),
    for_people(Text("Time"), WORD, member("run.time")),
    for_people(Text("File"), NAME, lambda line: printable(line.file)),
)
"""What Reports lists."""
STATED: Columns[StatedLine] = (
    Column("metric", Text("metric"), NAME, _metric),
    in_files("reported", SHARE, member("stated.line.reported")),
    for_people(Text("reported"), WRITTEN, _written(0)),
    in_files("recomputed", SHARE, member("stated.line.recomputed")),
    for_people(Text("recomputed"), WRITTEN, _written(1)),
    in_files("agrees", FLAG, _agrees),
    in_files("reason", WORD, _reason),
    in_files(
        "replicas",
        REMARKS,
        _replicas,
        Text("the numbers whose average it is: the first sample of every question, the second …"),
    ),
    for_people(Text("replicas, in percent"), WORD, _all_replicas),
    for_people(Text("why they differ"), WORD, _reason, ("page", "paper")),
)
RUNS: Table[HoldingCard, HoldingCard] = Table(
    "runs",
    (*OF_RUN, *_counts(""), for_people(Text("holds"), WORD, _holds), REASON),
    runs_among,
)
ON_SCREEN: Columns[HoldingCard] = (
    RUN,
    for_people(Text("reported numbers"), WORD, _wrong),
    for_people(Text("holds"), WORD, _holds),
)
REPORTED: Table[HoldingCard, StatedLine] = Table("reported", (*OF_RUN, *STATED), _stated_lines)
EVERYTHING: Table[HoldingCard, StatedLine] = Table(
    "reported", (*OF_RUN, *_counts("card."), *STATED), _lines, _stated_lines
)
"""What CSV holds: the reported numbers beside what each run holds."""


def settings_apart(runs: Mapping[str, Run]) -> Columns[tuple[str, Run]]:
    """Return what is read of how runs were made: the settings that not all of them state alike."""
    every = {name: value for run in runs.values() for name, value in run.settings.items()}
    shared = shared_settings(run for run in runs.values() if run.settings)
    apart = [name for name in plain_settings(every) if name not in shared]
    return (
        for_people(RUN.label, WORD, lambda line: line[0]),
        *(for_people(Text("{name}", name=printable(name)), WORD, _stating(name)) for name in apart),
    )


def _stating(name: str) -> Callable[[tuple[str, Run]], Any]:
    return lambda line: written(line[1].settings[name]) if name in line[1].settings else None
