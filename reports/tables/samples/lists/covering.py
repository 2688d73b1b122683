"""Which gold facts of a question each sample covers, from columns of lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.facts import Facts
from metrics.data.words import Text, shortened
from reports.files.notes import Note
from reports.tables.bounds import most_samples
from reports.tables.encoding import as_unicode
from reports.tables.samples.layout import Floats
from reports.tables.schema.columns import Columns
from reports.tables.schema.lists import as_list
from reports.tables.source import Source

MOST = 10_000_000
"""Gold facts of a table."""
_LETTERS = 200


@dataclass(frozen=True)
class Covered:
    """The gold facts of all questions of a table, in the order of these."""

    asked: NDArray[np.int64]  # Which question of which run asks for each.
    # Samples of it that have a list, and those whose list has the fact.
    n: NDArray[np.int64]
    c: NDArray[np.int64]
    first: NDArray[np.int64] | None  # The place of the first of these by position.
    names: tuple[str, ...]

    def of(self, questions: NDArray[np.integer[Any]]) -> Facts | None:
        """Return the facts of some questions, whose rows are their places there."""
        order = np.argsort(questions, kind="stable")
        places = np.searchsorted(questions[order], self.asked).clip(max=len(order) - 1)
        rows = order[places]
        mine = np.flatnonzero(questions[rows] == self.asked)
        mine = mine[np.argsort(rows[mine], kind="stable")]
        if not len(mine):
            return None
        return Facts(
            rows[mine],
            self.n[mine],
            self.c[mine],
            None if self.first is None else self.first[mine],
            tuple(self.names[fact] for fact in mine.tolist()),
        )


def read_covered(
    source: Source,
    columns: Columns,
    asked: NDArray[np.integer[Any]],
    shape: tuple[int, int],
    position: Floats | None,
    notes: list[Note],
) -> Covered | None:
    """Read the lists of facts.

    columns: With columns of facts.
    asked: Which question of which run each row is about. Shape (R,).
    shape: (R, W): rows, and samples of each.
    position: In what order samples are listed. Shape (R, W).
    """
    if not columns.covered or columns.gold is None:
        if columns.covered or columns.gold:
            what = Text(
                "{given} is left out: kofn needs both facts (what a sample covers) and "
                "gold_facts (what a question asks for).",
                given=columns.gold or columns.covered[0],
            )
            notes.append(Note(what, source.place, severity="warning"))
        return None
    gold = _gold(source, columns.gold, asked, notes)
    return _count_covered(source, columns, gold, asked, shape, position, notes) if gold else None


def _gold(
    source: Source, column: str, asked: NDArray[np.integer[Any]], notes: list[Note]
) -> dict[int, dict[str, int]]:
    """Return the facts that questions ask for, numbered throughout."""
    gold: dict[int, tuple[str, ...]] = {}
    odd: set[int] = set()
    count, unread = 0, 0
    for question, (value,) in zip(asked.tolist(), source.rows([column]), strict=True):
        listed = as_list(value)
        if listed is None:
            unread += value is not None and value != ""
            continue
        facts = tuple(dict.fromkeys(_names(listed)))
        if gold.setdefault(question, facts) is facts:
            count += len(facts)
        elif {*gold[question]} != {*facts}:
            odd.add(question)
        if count > min(MOST, most_samples(source)):
            what = Text("{column} is left out: it holds too many facts.", column=column)
            notes.append(Note(what, source.place, severity="warning"))
            return {}
    if unread:
        notes.append(_unread(source, column, unread))
    if odd:
        what = Text(
            "{count} question has several lists of {column}, and no facts.",
            "{count} questions have several lists of {column}, and no facts.",
            count=len(odd),
            column=column,
        )
        notes.append(Note(what, source.place, len(odd), "warning"))
    kept = [(question, facts) for question, facts in sorted(gold.items()) if question not in odd]
    starts = np.cumsum([0, *(len(facts) for _, facts in kept)]).tolist()
    return {
        question: {fact: start + place for place, fact in enumerate(facts)}
        for (question, facts), start in zip(kept, starts, strict=False)
    }


def _count_covered(
    source: Source,
    columns: Columns,
    gold: dict[int, dict[str, int]],
    asked: NDArray[np.integer[Any]],
    shape: tuple[int, int],
    position: Floats | None,
    notes: list[Note],
) -> Covered | None:
    """Count the samples that cover each fact."""
    facts: list[int] = []
    cells: list[int] = []
    known = np.zeros(shape, bool)
    unread = beyond = read = 0
    for row, (question, values) in enumerate(
        zip(asked.tolist(), source.rows(columns.covered), strict=True)
    ):
        of_each_sample = values_by_sample(columns, values, shape[1])
        if of_each_sample is None:
            unread += 1
            continue
        wanted = gold.get(question, {})
        for place, value in enumerate(of_each_sample):
            listed = as_list(value)
            if listed is None:
                unread += value is not None and value != ""
                continue
            known[row, place] = True
            read += len(listed)
            for fact in {*_names(listed)}:
                if fact in wanted:
                    facts.append(wanted[fact])
                    cells.append(row * shape[1] + place)
                else:
                    beyond += 1
        if read > 4 * most_samples(source):
            what = Text("{column} is left out: its lists are too long.", column=columns.covered[0])
            notes.append(Note(what, source.place, severity="warning"))
            return None
    if unread:
        notes.append(_unread(source, columns.covered[0], unread))
    if beyond:
        what = Text(
            "{count} entry of {column} is not among those that its question asks for.",
            "{count} entries of {column} are not among those that their questions ask for.",
            count=beyond,
            column=columns.covered[0],
        )
        notes.append(Note(what, source.place, beyond))
    questions = np.array([q for q, wanted in gold.items() for _ in wanted], np.int64)
    of = np.bincount(asked, known.sum(axis=1), minlength=int(asked.max()) + 1).astype(np.int64)
    return Covered(
        questions,
        of[questions],
        np.bincount(np.array(facts, np.int64), minlength=len(questions)),
        _first(len(questions), facts, cells, known, asked, position),
        tuple(as_unicode(shortened(fact, _LETTERS)) for fact in chain.from_iterable(gold.values())),
    )


def _first(
    count: int,
    facts: Sequence[int],
    cells: Sequence[int],
    known: NDArray[np.bool_],
    asked: NDArray[np.integer[Any]],
    position: Floats | None,
) -> NDArray[np.int64] | None:
    """Return the place of the first sample, by position, that covers each fact; 0 for none."""
    if position is None or np.isnan(position[known]).any():
        return None
    rows, places = np.nonzero(known)
    order = np.lexsort((position[rows, places], asked[rows]))
    starts = np.flatnonzero(np.diff(asked[rows[order]], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    place = np.zeros(known.shape, np.int64)
    ranked = np.arange(1, len(order) + 1) - np.repeat(starts, sizes)
    place[rows[order], places[order]] = ranked
    first = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(first, np.array(facts, np.int64), place.ravel()[np.array(cells, np.int64)])
    return np.where(first == np.iinfo(np.int64).max, 0, first)


def values_by_sample(columns: Columns, values: Sequence[Any], width: int) -> Sequence[Any] | None:
    """Return what a row holds for each of its samples; None where it is no such list."""
    if columns.shape != "list":
        return values
    listed = as_list(values[0])
    return listed if listed is None or len(listed) <= width else None


def _names(facts: Sequence[object]) -> Iterator[str]:
    """Yield what facts are called; ids may be numbers."""
    for fact in facts:
        if fact is not None:
            yield str(int(fact) if isinstance(fact, float) and fact.is_integer() else fact).strip()


def _unread(source: Source, column: str, count: int) -> Note:
    what = Text(
        "{count} value of {column} is not a list.",
        "{count} values of {column} are not lists.",
        count=count,
        column=column,
    )
    return Note(what, source.place, count, "warning")
