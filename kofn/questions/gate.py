"""How many samples of which questions have to be right."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kofn.card import Card
from kofn.choices.codec import Choices, Setting, spell_yes_or_no, yes_or_no
from kofn.terminal.gate import NOTHING_ASKED, Ruling, Verdict
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import MetricError, Text, some_of
from reports.run.report import Report, Run

QUESTION, LEAST = "question_id", "least"
"""The columns of the list."""
NAMED = 5
"""Questions that a verdict names."""
LONGEST = 1 << 24
"""Bytes of a list that are read."""
STATUSES = """\
  1  with --require, fewer samples of some listed question are right than are required
  3  with --require and --strict, that cannot be told, as samples are missing
"""


@dataclass(frozen=True)
class Required(Choices):
    """How many samples of which questions have to be right.

    Attributes
    ----------
    path : str
        Of a CSV with the columns `QUESTION` and `LEAST`; empty for no gate.
    strict : bool
        Whether all has to be known.
    """

    path: str = ""
    strict: bool = False

    SETTINGS: ClassVar = (
        Setting(
            "require",
            "path",
            lambda texts: texts[-1],
            "FILE",
            Text(
                "end with 1 unless every question of this CSV has so many right samples; its "
                "columns are question_id and least"
            ),
        ),
        Setting(
            "strict",
            "strict",
            yes_or_no("strict"),
            "yes|no",
            Text("with --require, end with 3 where missing samples leave that open"),
            spell_yes_or_no,
            bare=True,
        ),
    )


def judge(reports: Sequence[Report], cards: Sequence[Card[Any, Any]], chosen: Required) -> Ruling:
    """Say of each run which of the listed questions have too few right samples.

    Raises
    ------
    MetricError
        If the list cannot be read.
    """
    if not chosen.path:
        return NOTHING_ASKED
    least = _read(chosen.path)
    return Ruling([_verdict(card.key, card.run, least) for card in cards], chosen.strict)


def _verdict(key: str, run: Run, least: Mapping[str, int]) -> Verdict:
    if run.outcomes is None:
        return Verdict(None, Text("{run}: {why}", run=named(key), why=NEEDS_SAMPLES))
    outcomes = run.outcomes
    rows = {question: row for row, question in enumerate(outcomes.questions)}
    right = np.count_nonzero(outcomes.correct > 0, axis=1)
    absent = np.count_nonzero(outcomes.correct == -2, axis=1)
    unknown = [question for question in least if question not in rows]
    failed, open_ = list[Text](), 0
    for question, required in least.items():
        row = rows.get(question)
        if row is None or right[row] >= required:
            continue
        if right[row] + absent[row] >= required:
            open_ += 1
        else:
            failed.append(
                Text(
                    "{question} with {right} of {required}",
                    question=named(printable(question)),
                    right=int(right[row]),
                    required=required,
                )
            )
    passed = False if failed or unknown else None if open_ else True
    return Verdict(passed, _said(key, len(least), failed, unknown, open_))


def _said(key: str, count: int, failed: Sequence[Text], unknown: Sequence[str], open_: int) -> Text:
    enough = count - len(failed) - len(unknown) - open_
    said = Text(
        "{run}: {enough:,} of {count} required question has enough right samples.",
        "{run}: {enough:,} of {count:,} required questions have enough right samples.",
        run=named(key),
        enough=enough,
        count=count,
    )
    for more in _more(failed, unknown, open_):
        said = Text("{said} {more}", said=said, more=more)
    return said


def _more(failed: Sequence[Text], unknown: Sequence[str], open_: int) -> Iterator[Text]:
    if failed:
        yield Text("Too few: {names}.", names=some_of(map(str, failed), NAMED))
    if unknown:
        names = some_of((named(printable(each)) for each in unknown), NAMED)
        yield Text("The run has no question called {names}.", names=names)
    if open_:
        yield Text("Missing samples leave {open:,} open.", open=open_)


def _read(path: str) -> dict[str, int]:
    try:
        with open(path, "rb") as file:
            data = file.read(LONGEST + 1)
        rows = [*csv.DictReader(data.decode("utf-8-sig").splitlines())]
        least = {row[QUESTION]: int(row[LEAST]) for row in rows}
    except OSError as error:
        reason = error.strerror or str(error)
        raise MetricError(
            Text("{file} cannot be read: {reason}.", file=path, reason=reason)
        ) from error
    except (UnicodeDecodeError, csv.Error, KeyError, TypeError, ValueError) as error:
        raise MetricError(_unfit(path)) from error
    if not least or len(data) > LONGEST or min(least.values()) < 1 or len(least) < len(rows):
        raise MetricError(_unfit(path))
    return least


def _unfit(path: str) -> Text:
    return Text(
        "{file} must be a CSV with the columns question_id and least: each question once, with how "
        "many of its samples have to be right, from 1 on.",
        file=path,
    )
