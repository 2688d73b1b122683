"""Look at a table where it is: what its columns hold, in one row for each run, before it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pyarrow as pa

from metrics.data.words import Text
from reports.engines.counting import counts_of, names, number, word
from reports.engines.meaning import Meaning
from reports.tables.columns.columns import Columns, Group
from reports.tables.columns.names import DATASETS, MODELS, key
from reports.tables.columns.spelled import RIGHT, WRONG
from reports.tables.runs.reduction import MAX_NAMES
from reports.tables.runs.stated import names_setting
from reports.tables.source import Source

MAX_RUNS = 50_000
"""Models times datasets of one table."""
MAX_LABELS = 1_000
"""Labels of one segment."""

_EXACT = 1e-6
_UNLIKE = -9.0


@dataclass(frozen=True)
class Look:
    """What was seen of the rows of each run.

    Attributes
    ----------
    runs : sequence of mapping
        The facts of each, by name.
    """

    runs: Sequence[Mapping[str, Any]]

    def total(self, fact: str) -> float:
        """Add a fact up."""
        return sum(each[fact] or 0 for each in self.runs)

    def least(self, fact: str) -> Any:
        """Return the least value; None where nothing has any."""
        return min((each[fact] for each in self.runs if each[fact] is not None), default=None)

    def most(self, fact: str) -> Any:
        """Return the largest value; None where nothing has any."""
        return max((each[fact] for each in self.runs if each[fact] is not None), default=None)


def look(source: Source, rows: Any, columns: Columns, fetch: Callable[[Any], pa.Table]) -> Look:
    """Compute what must be known of the columns before anything is counted.

    Parameters
    ----------
    source : Source
    rows : Ibis table
    columns : Columns
    fetch : callable
        From an expression to its result.
    """
    facts = dict(_facts(source, rows, columns))
    unnamed = Meaning(columns, (), (), None, "", "", ())
    found = rows.group_by(**names(rows, unnamed)).aggregate(**facts).limit(MAX_RUNS + 1)
    seen = fetch(found).to_pylist()
    if not seen:
        raise source.error(
            Text("the table has no rows"), Text("Write one row for each sample of each question.")
        )
    if len(seen) > MAX_RUNS:
        raise source.error(
            Text("holds more than {limit:,} runs", limit=MAX_RUNS),
            Text("Choose some of them, such as --where \"dataset = 'maths'\"."),
        )
    for column, role in ((columns.model, "model"), (columns.dataset, "dataset")):
        got = len({each[role] for each in seen})
        if column is not None and got > MAX_NAMES:
            raise source.error(
                Text(
                    "has more than {limit:,} values",
                    limit=MAX_NAMES,
                ),
                Text("Check that it names what the whole table is about."),
                column,
            )
    return Look(seen)


def candidates(columns: Columns) -> tuple[Group, ...]:
    """Return the groups of columns that may be the outcomes."""
    return columns.correct or columns.score


def _facts(source: Source, rows: Any, columns: Columns) -> Iterator[tuple[str, Any]]:
    yield "rows", rows.count()
    for name in _keys(columns):
        yield f"empty {name}", rows[name].isnull().sum()
    if columns.sample is not None:
        yield from _of_samples(rows[columns.sample])
    for name in columns.segments:
        yield f"labels {name}", rows[name].approx_nunique()
        yield f"letters {name}", rows[name].cast("string").length().max()
    for name in _constants(columns):
        text = rows[name].cast("string")
        yield f"least {name}", text.min()
        yield f"most {name}", text.max()
        yield f"held {name}", text.count()
    if columns.shape == "long" and isinstance(columns.n, str):
        yield "most n", number(rows[columns.n], ()).max()
    if columns.shape == "counts":
        yield from _of_counts(rows, columns)
    else:
        yield from _of_outcomes(source, rows, columns)


def _keys(columns: Columns) -> tuple[str, ...]:
    named = (columns.question, columns.sample, columns.model, columns.dataset)
    return tuple(dict.fromkeys(name for name in named if name))


def _constants(columns: Columns) -> tuple[str, ...]:
    """Return the columns that may hold one value throughout a run."""
    known = {*MODELS, *DATASETS}
    of_runs = [name for name in columns.dividing if key(name) in known]
    return tuple(dict.fromkeys((*names_setting(columns), *of_runs)))


def _of_samples(sample: Any) -> Iterator[tuple[str, Any]]:
    yield "samples", sample.nunique()
    yield "first sample", sample.cast("string").min()
    if sample.type().is_integer():
        yield "least sample", sample.min().cast("int64")
        yield "most sample", sample.max().cast("int64")


def _of_counts(rows: Any, columns: Columns) -> Iterator[tuple[str, Any]]:
    n, right = counts_of(rows, Meaning(columns, (), (), None, "", "", ()))
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
        yield f"held {place}", _count(values, lambda value: value.notnull())
        yield f"odd {place}", _count(values, lambda value: (value < 0) | (value > 1))
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
