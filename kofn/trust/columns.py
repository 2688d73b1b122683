"""Columns on trust in numbers, by reading, cause, expected number and sample."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from kofn.card import cards_found, value_of
from kofn.run_columns import ABOUT, LEVEL, OF_RUN, REASON, RUN, estimate_target
from kofn.trust import words
from kofn.trust.causes import Cause
from kofn.trust.checks import Check
from kofn.trust.doubts import READINGS, Claim, DoubtCard, Doubts, claims
from kofn.trust.result import TrustCard, doubtful
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.kinds import (
    COUNT,
    DIFFERENCE,
    ESTIMATE,
    FLAG,
    NUMBER,
    POINTS,
    REMARKS,
    SHARE,
    WORD,
    WRITTEN,
    one_of,
)
from metrics import Estimate, Labelled
from metrics.data.words import Text, printable
from metrics.scoring.registry import find_metric
from reports.readings.kinds import KINDS
from reports.readings.statements import SEVERAL

_WRITTEN = 200
"""Letters of an answer that are listed."""


def _label_of(line: Any) -> str | None:
    found = line.card.found
    return None if found is None else find_metric(found.asked.metric).label(found.asked.k)


def _count_of(kind: str, whose: str) -> Callable[[Any], Any]:
    counts = member(f"{whose}.audit.counts")
    return lambda line: (counts(line) or {}).get(kind)


# --- each number by each reading


class NumberRead(NamedTuple):
    """A run's number by one reading of its texts."""

    card: DoubtCard
    name: str | None

    @property
    def estimate(self) -> Estimate | None:
        """The number; None where nothing was read."""
        found = self.card.found
        return getattr(found, self.name) if found and self.name else None


def _by_reading(cards: Sequence[TrustCard]) -> Iterator[NumberRead]:
    for card in doubtful(cards):
        names: Sequence[str | None] = READINGS if card.found else (None,)
        yield from (NumberRead(card, name) for name in names)


READINGS_OF: Columns[NumberRead] = (
    *ABOUT,
    in_files("reading", WORD, member("name"), Text("judged, read, least or most")),
    in_files("metric", WORD, _label_of),
    in_files(("value", "low", "high"), ESTIMATE, member("estimate")),
    LEVEL,
    estimate_target(member("estimate")),
    in_files("questions", COUNT, member("estimate.n_questions")),
    *(in_files(kind, COUNT, _count_of(kind, "card.found")) for kind in KINDS),
    REASON,
)
NUMBERS: Table[TrustCard, NumberRead] = Table("numbers", READINGS_OF, _by_reading)


# --- each run, as people read it


def _reach(kind: str, card: TrustCard) -> float | None:
    causes = card.found.causes if card.found else ()
    return next((cause.reach for cause in causes if cause.kind == kind), None)


RUNS: Columns[TrustCard] = (
    RUN,
    for_people(Text("as judged"), ESTIMATE, member("found.judged")),
    for_people(Text("chance"), POINTS, partial(_reach, "chance")),
    for_people(Text("as read"), ESTIMATE.optional, member("found.doubts.read")),
    for_people(Text("least"), SHARE.optional, member("found.doubts.least.value")),
    for_people(Text("most"), SHARE.optional, member("found.doubts.most.value")),
    *(
        for_people(words.KINDS_CALLED[kind], COUNT.optional, _count_of(kind, "found.doubts"))
        for kind in KINDS
    ),
    for_people(Text("remarks"), WORD, lambda card: member("found.unread")(card) or card.reason),
)


def screen_columns(cards: Sequence[TrustCard]) -> Columns[TrustCard]:
    """Return what is read of a run in one line: how far each cause moves it, the farthest first."""
    reach: dict[str, float] = {}
    for card in cards:
        for cause in card.found.causes if card.found else ():
            reach[cause.kind] = max(cause.reach, reach.get(cause.kind, 0.0))
    kinds = sorted(filter(reach.get, reach), key=lambda kind: -reach[kind])
    return (
        RUN,
        RUNS[1],
        *(
            for_people(words.CAUSES[kind], POINTS.optional, partial(_reach, kind))
            for kind in sorted(kinds, key="chance".__ne__)
        ),
        RUNS[-1],
    )


SUMMARY: Table[TrustCard, TrustCard] = Table("runs", RUNS, lambda cards: cards)


# --- causes


class OfCard(NamedTuple):
    """A cause of a run."""

    card: TrustCard
    cause: Cause


CAUSE: Columns[OfCard] = (
    Column("cause", Text("cause"), one_of(words.CAUSES), member("cause.kind")),
    for_people(Text("moves the number"), WORD, lambda line: words.points_moved(line.cause)),
    in_files("low", POINTS, member("cause.low"), Text("by how much it moves the number at least")),
    in_files("high", POINTS, member("cause.high"), Text("and at most, as fractions")),
    Column("sure", Text("surely"), FLAG, member("cause.is_sure")),
    in_files("count", COUNT, member("cause.count"), Text("of how many samples or questions")),
    in_files("all", COUNT, member("cause.all")),
    for_people(Text("of"), WORD, lambda line: words.count_in_words(line.cause)),
)


def _causes(cards: Sequence[TrustCard]) -> Iterator[OfCard]:
    for card in cards:
        yield from (OfCard(card, cause) for cause in (card.found.causes if card.found else ()))


CAUSES: Table[TrustCard, OfCard] = Table("causes", (*ABOUT, *CAUSE), _causes)


# --- expected numbers


class OfCheck(NamedTuple):
    """A run against a number that is expected of it."""

    card: TrustCard
    check: Check


def _checks(cards: Sequence[TrustCard]) -> Iterator[OfCheck]:
    for card in cards:
        yield from (OfCheck(card, check) for check in (card.found.checks if card.found else ()))


def _difference(line: OfCheck) -> tuple[float | None, ...] | None:
    """Return the difference, with its interval unless it is of the same answers."""
    found = line.check.found
    if found is None:
        return None
    ends = found.interval if line.check.same is None else (None, None)
    return found.difference, *ends


def _by_chance(name: str) -> Callable[[OfCheck], float | None]:
    return lambda line: None if line.check.same else member(f"check.found.{name}")(line)


def _explained(line: OfCheck) -> str | None:
    enough = line.check.enough
    return None if line.check.passed or not enough else enough[0].kind


def _changed(which: str) -> Callable[[OfCheck], int | None]:
    def count(line: OfCheck) -> int | None:
        same = line.check.same
        return None if same is None else len(getattr(same, which))

    return count


CHECKS: Columns[OfCheck] = (
    *ABOUT,
    Column("metric", Text("metric"), WORD, member("check.expected.label")),
    Column("expected", Text("expected"), WRITTEN, lambda line: line.check.expected.value or None),
    in_files("expected_n", COUNT, member("check.expected.n"), Text("samples a question behind it")),
    in_files("expected_questions", COUNT, member("check.expected.questions")),
    Column("source", Text("source"), WORD, lambda line: line.check.expected.source or None),
    Column(("value", "low", "high"), Text("mine"), ESTIMATE, member("check.found.mine")),
    Column("difference", Text("difference"), DIFFERENCE, _difference),
    in_files("p_value", NUMBER, _by_chance("p_value")),
    in_files("adjusted", NUMBER, _by_chance("adjusted"), Text("the same for all at once")),
    in_files("margin", POINTS, member("check.found.margin")),
    Column("finding", Text("finding"), one_of(words.FINDINGS), member("check.finding")),
    Column("passed", Text("passed"), FLAG, member("check.passed")),
    in_files("samples_to_decide", COUNT, _by_chance("samples_to_decide")),
    in_files("same_answers", COUNT, member("check.same.shared"), Text("under two rules")),
    in_files("to_right", COUNT, _changed("to_right")),
    in_files("to_wrong", COUNT, _changed("to_wrong")),
    Column("explained_by", Text("may be explained by"), one_of(words.CAUSES), _explained),
    in_files("settings", REMARKS, lambda line: list(words.settings_in_words(line.check)) or None),
    in_files("says", WORD, lambda line: words.in_words(line.check)),
)
EXPECTED: Table[TrustCard, OfCheck] = Table("expected", CHECKS, _checks)


# --- comparisons


COMPARISONS: Columns[Claim] = (
    in_files("runs", REMARKS, lambda claim: list(claim.keys)),
    for_people(Text("comparison"), WORD, words.claim_name),
    for_people(Text("as judged"), DIFFERENCE, member("judged")),
    for_people(Text("as read"), DIFFERENCE, member("read")),
    in_files("judged", POINTS, member("judged.value")),
    in_files(("read", "low", "high"), DIFFERENCE, member("read")),
    Column("verdict", Text("the difference"), one_of(words.VERDICTS), member("verdict")),
)
COMPARED: Table[TrustCard, Claim] = Table(
    "comparisons", COMPARISONS, lambda cards: claims(doubtful(cards))
)


# --- samples


@dataclass(frozen=True)
class DoubtfulSample:
    """A sample, its kind, and what its text states; of a run that was not read only the run."""

    card: DoubtCard
    question: str | None = None
    sample: int | None = None
    kind: str | None = None
    correct: int | None = None
    stated: str | None = None
    reference: str | None = None
    extracted: str | None = None


SAMPLE: Columns[DoubtfulSample] = (
    Column(
        "question", Text("question"), WORD, lambda line: line.question and printable(line.question)
    ),
    in_files("sample", COUNT, member("sample"), Text("counted from 0")),
    Column("kind", Text("kind"), WORD, member("kind")),
    in_files("correct", COUNT, member("correct")),
    Column("stated", Text("the text states"), WORD, member("stated")),
    Column("reference", Text("reference"), WORD, member("reference")),
    Column("extracted", Text("the tool extracted"), WORD, member("extracted")),
)


def samples(
    cards: Sequence[DoubtCard], kinds: Collection[str] = KINDS[1:]
) -> Iterator[DoubtfulSample]:
    """Yield the samples of some kinds, and what their texts state.

    The texts of their questions are read again.
    """
    for card in cards:
        if card.found is None:
            yield DoubtfulSample(card)
        else:
            yield from _of_kinds(card, card.found, [KINDS.index(kind) for kind in kinds])


def _of_kinds(card: DoubtCard, found: Doubts, wanted: Sequence[int]) -> Iterator[DoubtfulSample]:
    kinds, outcomes = found.audit.codes, found.audit.outcomes
    those = np.isin(kinds, wanted)
    for row in np.flatnonzero(those.any(axis=1)).tolist():
        question = outcomes.questions[row]
        texts, reference, stated = found.audit.readings(question)
        for column in np.flatnonzero(those[row]).tolist():
            values = [each.value for each in stated[column]]
            yield DoubtfulSample(
                card,
                question,
                column,
                KINDS[kinds[row, column]],
                int(outcomes.correct[row, column]),
                printable("; ".join(map(_word, values))[:_WRITTEN]) or None,
                printable((reference or "")[:_WRITTEN]) or None,
                printable((texts.answers[column] or "")[:_WRITTEN]) or None,
            )


def _word(value: str) -> str:
    return "several" if value == SEVERAL else value


SAMPLES: Table[TrustCard, DoubtfulSample] = Table(
    "samples", (*OF_RUN, *SAMPLE, REASON), lambda cards: samples(doubtful(cards))
)
LISTED: Table[TrustCard, DoubtfulSample] = Table(
    "samples",
    (RUN, *SAMPLE),
    lambda cards: samples([card for card in doubtful(cards) if card.found]),
)


def document(cards: Sequence[TrustCard]) -> dict[str, Any]:
    """Return what JSON holds: numbers, causes, what is expected, comparisons and samples."""
    known = [*cards_found(doubtful(cards))]
    return {
        **{table.key: table.rows(cards) for table in (EXPECTED, CAUSES, NUMBERS)},
        "guesses": [
            {"run": card.key, **found.guesses._asdict()} for card, found in known if found.guesses
        ],
        "labelled": [
            _labelled(card, found.labelled) for card, found in known if found.labelled is not None
        ],
        **{table.key: table.rows(cards) for table in (COMPARED, LISTED)},
        "changed": [
            {"run": line.card.key, "question": each.question, "sample": each.b, "became": became}
            for line in _checks(cards)
            if line.check.same is not None
            for became, those in (
                ("right", line.check.same.to_right),
                ("wrong", line.check.same.to_wrong),
            )
            for each in those
        ],
    }


def _labelled(card: DoubtCard, found: Labelled) -> dict[str, Any]:
    return {
        "run": card.key,
        **value_of(found.estimate),
        "level": card.view.level,
        "target": found.estimate.target,
        "questions": found.estimate.n_questions,
        "labels": found.labels,
        "kinds": [each._asdict() for each in found.strata],
        "caveats": list(map(str, found.estimate.caveats)),
    }
