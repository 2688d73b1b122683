"""Inspect a table in its engine before counting: what its columns hold, in a row for each run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import pyarrow as pa

from reports.engines.counting import counts_of, names, number, word
from reports.tables.meaning.meaning import Meaning
from reports.tables.meaning.refusals import (
    MAX_RUNS,
    require_few_names,
    require_few_runs,
    without_rows,
)
from reports.tables.meaning.seen import Seen, SeenRows
from reports.tables.schema.columns import Columns, Group, names_setting
from reports.tables.schema.names import DATASETS, MODELS, key
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

    Parameters
    ----------
    fetch : callable
        From an expression to its result.
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
    for name in _told(columns):
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


def _told(columns: Columns) -> tuple[str, ...]:
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
            told = [*map(str.lower, source.right)] or [*RIGHT, *WRONG]
            unknown = [word(each).notin(told) for each in words]
            yield f"unknown {place}", _added(unknown)
            yield f"known {place}", _added([word(each).isin(told) for each in words])
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
                _added([_unlike(*pair) for pair in zip(a, b, strict=True)]),
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
        kept = [each.filter(lambda one: holds(number(one, ())).fill_null(False)) for each in values]
        return sum(each.length().fill_null(0).sum() for each in kept)
    return _added([holds(each) for each in values])


def _added(flags: Sequence[Any]) -> Any:
    return sum(flag.fill_null(False).cast("int64").sum() for flag in flags)


def _unlike(one: Any, other: Any) -> Any:
    if one.type().is_array():
        return (one != other) | (one.isnull() != other.isnull())
    return one.fill_null(_UNLIKE) != other.fill_null(_UNLIKE)
