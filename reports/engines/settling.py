"""Decide from its contents what the columns of a table mean, or ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from metrics.data.words import Text
from reports.engines.counting import WIDE
from reports.engines.looking import MAX_LABELS, candidates, right_words
from reports.files.notes import Note
from reports.run.remarks import MAX_LABEL
from reports.tables.meaning.meaning import Meaning
from reports.tables.meaning.outcomes import choose
from reports.tables.meaning.refusals import Odd
from reports.tables.meaning.seen import Seen
from reports.tables.meaning.settling import settle, unnumbered
from reports.tables.samples.counts import WHOLE
from reports.tables.schema.columns import Columns, Group
from reports.tables.schema.spelled import is_known, unknown_words, without_right, words_of
from reports.tables.source import Source


def meaning_of(
    source: Source,
    columns: Columns,
    seen: Seen,
    notes: list[Note],
) -> Meaning:
    """Decide what the columns mean.

    Raises
    ------
    LoadError
        If values are out of range or missing, or candidates disagree.
    """
    meaning = settle(source, columns, seen, notes)
    columns = meaning.columns
    outcome: Group = ()
    threshold = None
    if columns.shape == "counts":
        _require_counts(source, columns, seen)
    else:
        groups = candidates(columns)
        for place, group in enumerate(groups):
            _require_words(source, group, place, seen)
        outcome, threshold = choose(source, columns, _Candidates(groups, seen), notes)
    if columns.sample is None and columns.shape == "long":
        notes.append(unnumbered(source))
    return replace(
        meaning,
        outcome=outcome,
        right=right_words(source),
        threshold=threshold,
        segments=tuple(_segments(source, columns, seen, notes)),
        numbers=_numbers(columns, seen),
    )


def _require_counts(source: Source, columns: Columns, seen: Seen) -> None:
    if odd := int(seen.total("odd")):
        raise source.error(
            Text(
                "{count} row does not hold whole counts, from 0 to n",
                "{count} rows do not hold whole counts, from 0 to n",
                count=odd,
            ),
            WHOLE,
            *columns.numbers,
        )


@dataclass(frozen=True)
class _Candidates:
    """What was seen of the columns that may be the outcomes."""

    groups: tuple[Group, ...]
    seen: Seen

    def are_empty(self, group: Group) -> bool:
        return not self.seen.total(f"graded {self.groups.index(group)}")

    def agree(self, one: Group, other: Group) -> bool:
        places = (str(self.groups.index(group)) for group in (one, other))
        return len(one) == len(other) and not self.seen.total(" ".join(("unlike", *places)))

    def odd(self, group: Group, *, between: bool) -> Odd | None:
        fact = "beyond" if between else "between"
        count = int(self.seen.total(f"{fact} {self.groups.index(group)}"))
        return Odd(count, group[0]) if count else None


def _require_words(source: Source, group: Group, place: int, seen: Seen) -> None:
    """Refuse words that are no verdicts, or of which none is told to mean right."""
    if f"unknown {place}" not in seen.facts[0]:
        return
    if source.right and not seen.total(f"known {place}"):
        raise without_right(source, group[0], words_of(source, group[0]))
    if not source.right and (unknown := int(seen.total(f"unknown {place}"))):
        words = words_of(source, group[0])
        if all(is_known(source, word) for word in words):
            words[seen.most(f"word {place}")] = unknown
        raise unknown_words(source, group[0], words)


def _segments(source: Source, columns: Columns, seen: Seen, notes: list[Note]) -> Iterator[str]:
    """Yield the columns that may divide the questions; note why others may not."""
    for name in columns.segments:
        if (seen.most(f"letters {name}") or 0) > MAX_LABEL:
            what = Text("{column} is not used for segments: its labels are too long.", column=name)
        elif seen.most(f"labels {name}") > MAX_LABELS:
            what = Text(
                "{column} is not used for segments: it has more than {most:,} labels.",
                column=name,
                most=MAX_LABELS,
            )
        else:
            yield name
            continue
        notes.append(Note(what, source.place))


def _numbers(columns: Columns, seen: Seen) -> tuple[int, int] | None:
    """Return the least and most number of a sample, where they are few whole numbers."""
    if columns.sample is None or columns.others or "first number" not in seen.facts[0]:
        return None
    low, high = seen.least("first number"), seen.most("last number")
    return (low, high) if high - low < WIDE else None
