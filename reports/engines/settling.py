"""Look at a table in its engine, in a row for each run, and decide what its columns mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pyarrow as pa

from metrics.data.words import Text
from reports.engines.counting import WIDE, counts_of, lowercase_word, names, number
from reports.files.notes import Note
from reports.run.remarks import MAX_LABEL
from reports.tables.meaning.refusals import (
    MAX_RUNS,
    Odd,
    require_few_names,
    require_few_runs,
    without_rows,
)
from reports.tables.meaning.row_facts import Seen, SeenRows
from reports.tables.meaning.settling import Meaning, choose, settle, unnumbered_note
from reports.tables.samples.verdicts import WHOLE
from reports.tables.schema.columns import Columns, Group, names_setting
from reports.tables.schema.names import DATASETS, MODELS, key
from reports.tables.schema.spelled import is_known, unknown_words, without_right, words_of
from reports.tables.source import Source
from reports.vocabulary import RIGHT, WRONG

MAX_LABELS = 1_000
"""Labels of one segment."""

_ROWS = 50_000
"""Rows of some questions, by which it is seen whether a column splits the table."""
_EXACT = 1e-6
_UNLIKE = -9.0


def look(source: Source, rows: Any, columns: Columns, fetch: Callable[[Any], pa.Table]) -> Seen:
    """Compute what must be known of the columns before anything is counted.

    fetch: From an expression to its result.
    """
    facts = dict(_facts(source, rows, columns))
    unnamed = Meaning(columns, "", "")
    found = rows.group_by(**names(rows, unnamed)).aggregate(**facts).limit(MAX_RUNS + 1)
    seen = fetch(found).to_pylist()
    if not seen:
        raise without_rows(source)
    require_few_runs(source, len(seen))
    for column, role in ((columns.model, "model"), (columns.dataset, "dataset")):
        require_few_names(source, column, len({each[role] for each in seen}))
    every = int(sum(each["rows"] for each in seen))
    return Seen(seen, lambda columns: SeenRows(fetch(_part(rows, columns, every))))


def _part(rows: Any, columns: Columns, every: int) -> Any:
    """Return the rows of some questions."""
    question = columns.question
    named = (columns.model, columns.dataset, question, columns.sample)
    outcome = candidates(columns)[:1] if columns.shape == "long" else ()
    others = (*columns.settings, *columns.dividing, *(name for group in outcome for name in group))
    wanted = dict.fromkeys(name for name in (*named, *others) if name)
    if question is not None:
        rows = rows.filter(rows[question].hash() % (1 + every // _ROWS) == 0)
    return rows.select(*wanted).limit(20 * _ROWS)


def candidates(columns: Columns) -> tuple[Group, ...]:
    """Return the groups of columns that may be the outcomes."""
    return columns.correct or columns.score


def _facts(source: Source, rows: Any, columns: Columns) -> Iterator[tuple[str, Any]]:
    yield "rows", rows.count()
    yield "runs", rows.count().clip(upper=1)
    for name in (columns.model, columns.dataset, columns.question):
        if name is not None:
            yield f"held {name}", rows[name].count()
    for name in _settings(columns):
        text = rows[name].cast("string")
        yield f"held {name}", text.count()
        yield f"least {name}", text.min()
        yield f"most {name}", text.max()
    if columns.sample is not None:
        yield from _of_samples(rows[columns.sample])
    for name in columns.segments:
        yield f"labels {name}", rows[name].approx_nunique()
        yield f"letters {name}", rows[name].cast("string").length().max()
    if columns.shape == "counts":
        yield from _of_counts(rows, columns)
    else:
        yield from _of_outcomes(source, rows, columns)


def _settings(columns: Columns) -> tuple[str, ...]:
    """Return the columns that may hold one value throughout."""
    known = {*MODELS, *DATASETS}
    of_runs = (name for name in columns.dividing if key(name) in known)
    sample = () if columns.sample is None else (columns.sample,)
    return tuple(dict.fromkeys((*sample, *names_setting(columns), *of_runs)))


def _of_samples(sample: Any) -> Iterator[tuple[str, Any]]:
    yield "samples", sample.nunique()
    if sample.type().is_integer():
        yield "first number", sample.min().cast("int64")
        yield "last number", sample.max().cast("int64")


def _of_counts(rows: Any, columns: Columns) -> Iterator[tuple[str, Any]]:
    n, right = counts_of(rows, Meaning(columns, "", ""))
    exact = [(n, columns.n), (right, columns.right)]
    fits = n.notnull() & right.notnull() & (right >= 0) & (right <= n)
    for whole, name in exact:
        if isinstance(name, str):
            fits = fits & (whole.cast("float64") == number(rows[name], ()))
    if columns.rate is not None:
        share = right.cast("float64") / n.cast("float64").nullif(0.0)
        fits = fits & ((share.fill_null(0.0) - number(rows[columns.rate], ())).abs() <= _EXACT)
    yield "odd", (~fits.fill_null(False)).sum()


def _of_outcomes(source: Source, rows: Any, columns: Columns) -> Iterator[tuple[str, Any]]:
    groups = candidates(columns)
    for place, group in enumerate(groups):
        words = [rows[name] for name in group if rows[name].type().is_string()]
        if words:
            verdict_words = [*map(str.lower, source.right)] or [*RIGHT, *WRONG]
            unknown = [lowercase_word(each).notin(verdict_words) for each in words]
            yield f"unknown {place}", _added(unknown)
            yield (
                f"known {place}",
                _added([lowercase_word(each).isin(verdict_words) for each in words]),
            )
            odd = [flag.ifelse(each, None) for flag, each in zip(unknown, words, strict=True)]
            yield f"word {place}", odd[0].max()
        values = _values(rows, columns, group, source)
        yield f"graded {place}", _count(values, lambda value: value.notnull())
        yield f"beyond {place}", _count(values, lambda value: (value < 0) | (value > 1))
        yield f"between {place}", _count(values, lambda value: (value != 0) & (value != 1))
    for one, other in combinations(range(len(groups)), 2):
        a, b = (_values(rows, columns, groups[place], source) for place in (one, other))
        if len(a) == len(b):
            yield (
                f"unlike {one} {other}",
                _added([_differ(*pair) for pair in zip(a, b, strict=True)]),
            )


def _values(rows: Any, columns: Columns, group: Group, source: Source) -> list[Any]:
    if columns.shape == "list":
        return [rows[name] for name in group]
    right = right_words(source)
    return [number(rows[name], right) for name in group]


def right_words(source: Source) -> tuple[str, ...]:
    """Return the words that mean right, in small letters."""
    return tuple(each.strip().lower() for each in source.right) or RIGHT


def _count(values: Sequence[Any], holds: Any) -> Any:
    """Count the values, of lists in them, of which something holds."""
    if values[0].type().is_array():
        matching = [
            each.filter(lambda one: holds(number(one, ())).fill_null(False)) for each in values
        ]
        return sum(each.length().fill_null(0).sum() for each in matching)
    return _added([holds(each) for each in values])


def _added(flags: Sequence[Any]) -> Any:
    return sum(flag.fill_null(False).cast("int64").sum() for flag in flags)


def _differ(one: Any, other: Any) -> Any:
    if one.type().is_array():
        return (one != other) | (one.isnull() != other.isnull())
    return one.fill_null(_UNLIKE) != other.fill_null(_UNLIKE)


def meaning_of(
    source: Source,
    columns: Columns,
    seen: Seen,
    notes: list[Note],
) -> Meaning:
    """Decide what the columns mean.

    Raises LoadError if values are out of range or missing, or candidates disagree.
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
        notes.append(unnumbered_note(source))
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
                "{column} is not used for segments: it has more than {most} labels.",
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
