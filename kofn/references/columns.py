"""Columns of questions whose reference is worth checking, and of metrics without them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kofn.references import words
from kofn.references.analysis import MetricWithout, References
from kofn.run_columns import RUN
from kofn.writing.columns import Column, Columns, for_people, in_files, member
from kofn.writing.kinds import COUNT, NUMBER, REMARKS, SHARE, SPAN, WORD
from metrics import Suspect
from metrics.data.words import Text, printable
from metrics.scoring.registry import find_metric


class SuspectLine(NamedTuple):
    """A question, among those of its dataset."""

    found: References
    suspect: Suspect


def lines(found: References, suspected: Iterable[Suspect]) -> list[SuspectLine]:
    """Return the lines of some questions."""
    return [SuspectLine(found, each) for each in suspected]


def _answer(line: SuspectLine) -> str | None:
    return line.suspect.agreed and printable(line.suspect.agreed.answer)


def _agreeing(line: SuspectLine) -> int | None:
    return line.suspect.agreed and len(line.suspect.agreed.runs)


SUSPECTS: Columns[SuspectLine] = (
    for_people(Text("dataset"), WORD, lambda line: printable(line.found.dataset), ("paper",)),
    Column("question", Text("question"), WORD, lambda line: printable(line.suspect.question)),
    for_people(Text("right"), WORD, lambda line: f"{line.suspect.right}/{line.suspect.samples}"),
    in_files("reasons", REMARKS, lambda line: list(line.suspect.reasons)),
    Column("why", Text("why"), WORD, lambda line: words.reasons_in_words(line.suspect, line.found)),
    in_files("right", COUNT, member("suspect.right")),
    in_files("samples", COUNT, member("suspect.samples")),
    in_files("answer", WORD, _answer),
    in_files("models_agreeing", COUNT, _agreeing),
    in_files("p_value", NUMBER, member("suspect.agreed.p_value")),
    in_files("tau", NUMBER, member("suspect.inverse.tau")),
    in_files(("tau_low", "tau_high"), SPAN, member("suspect.inverse.interval")),
)
WITHOUT: Columns[MetricWithout] = (
    Column("run", RUN.label, WORD, member("run"), ("terminal", "paper")),
    for_people(RUN.label, WORD, member("name"), ("page",)),
    in_files("metric", WORD, member("metric")),
    for_people(Text("metric"), WORD, lambda line: find_metric(line.metric).label(line.k)),
    in_files("k", COUNT, member("k")),
    Column("value", Text("value"), SHARE, member("value")),
    Column("without", Text("without"), SHARE, member("without")),
)
