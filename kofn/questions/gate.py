"""How many samples of which questions must be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kofn.card import Card
from kofn.choices.codec import Choices
from kofn.choices.settings import switch, word
from kofn.choices.value_lists import read_list
from kofn.questions import words
from kofn.terminal.gate import NOTHING_ASKED, GateVerdict, Ruling
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import MetricError, Text
from reports.run.report import Report, Run

QUESTION, LEAST = "question_id", "least"
"""The columns of the list."""
STATUSES = Text(
    """\
  1  with --require, fewer samples of some listed question are right than are required
  3  with --require and --strict, this is unknown, because samples are missing
"""
)


@dataclass(frozen=True)
class Required(Choices):
    """How many samples of which questions have to be right."""

    path: str = ""  # Of a CSV with the columns `QUESTION` and `LEAST`; empty for no gate.
    strict: bool = False  # Whether all has to be known.

    SETTINGS: ClassVar = (
        word(
            "require",
            "FILE",
            Text(
                "end with 1 unless every question of this CSV has as many right samples as it "
                "requires; its columns are question_id and least"
            ),
            field="path",
        ),
        switch(
            "strict",
            Text("with --require, end with 3 if missing samples leave that open"),
            bare=True,
        ),
    )


def judge(reports: Sequence[Report], cards: Sequence[Card[Any, Any]], chosen: Required) -> Ruling:
    """Say of each run which of the listed questions have too few right samples."""
    if not chosen.path:
        return NOTHING_ASKED
    least = _read(chosen.path)
    return Ruling([_verdict(card.key, card.run, least) for card in cards], chosen.strict)


def _verdict(key: str, run: Run, least: Mapping[str, int]) -> GateVerdict:
    if run.outcomes is None:
        return GateVerdict(None, with_name(short_name(key), NEEDS_SAMPLES))
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
            failed.append(words.too_few_right(question, int(right[row]), required))
    passed = False if failed or unknown else None if open_ else True
    return GateVerdict(passed, words.required_in_words(key, len(least), failed, unknown, open_))


def _read(path: str) -> dict[str, int]:
    unfit = words.not_a_list(path)
    try:
        listed = read_list(path, QUESTION, LEAST, unfit)
        least = {question: int(number) for question, number in listed.items()}
    except ValueError as error:
        raise error if isinstance(error, MetricError) else MetricError(unfit) from error
    if min(least.values()) < 1:
        raise MetricError(unfit)
    return least
