"""Columns of questions whose reference is worth checking, and of metrics without them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kofn.about import RUN
from kofn.references import words
from kofn.references.analysis import MetricWithout, References
from kofn.writing.columns import Column, Columns, at
from kofn.writing.kinds import COUNT, NUMBER, REMARKS, SHARE, SPAN, WORD
from kofn.writing.rendering import printable
from metrics import Suspect
from metrics.data.words import Text
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
    Column("", Text("dataset"), WORD, lambda line: printable(line.found.dataset), ("paper",)),
    Column("question", Text("question"), WORD, lambda line: printable(line.suspect.question)),
    Column("", Text("right"), WORD, lambda line: f"{line.suspect.right}/{line.suspect.samples}"),
    Column("reasons", None, REMARKS, lambda line: list(line.suspect.reasons)),
    Column("why", Text("why"), WORD, lambda line: words.why(line.suspect, line.found)),
    Column("right", None, COUNT, at("suspect.right")),
    Column("samples", None, COUNT, at("suspect.samples")),
    Column("answer", None, WORD, _answer),
    Column("models_agreeing", None, COUNT, _agreeing),
    Column("p_value", None, NUMBER, at("suspect.agreed.p_value")),
    Column("tau", None, NUMBER, at("suspect.inverse.tau")),
    Column(("tau_low", "tau_high"), None, SPAN, at("suspect.inverse.interval")),
)
WITHOUT: Columns[MetricWithout] = (
    Column("run", RUN.label, WORD, at("run"), ("terminal", "paper")),
    Column("", RUN.label, WORD, at("name"), ("page",)),
    Column("metric", None, WORD, at("metric")),
    Column("", Text("metric"), WORD, lambda line: find_metric(line.metric).label(line.k)),
    Column("k", None, COUNT, at("k")),
    Column("value", Text("value"), SHARE, at("value")),
    Column("without", Text("without"), SHARE, at("without")),
)
