"""The columns of a table, as shown to users who must say what each holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

import pyarrow as pa
from pyarrow import types

from reports.column_mapping import SEVERAL
from reports.column_mapping import WORDS as MEANINGS
from reports.files.errors import Glimpse, Glimpses
from reports.tables.schema.data_types import is_text
from reports.tables.schema.names import ALIASES, DATASETS, MODELS, SETTINGS, key
from reports.tables.schema.spelled import FEW, WORDS
from reports.tables.source import Source
from reports.vocabulary import RIGHT, WRONG

_ROWS = 1_000
_SHOWN = 3
_LETTERS = 40
_FEW_WORDS = 5
_MANY = 100
"""The most columns whose names are compared with usual ones."""
_NOT_HELD = (OverflowError, pa.ArrowInvalid)
"""What Arrow raises for a date after the year 9999, or a time of a zone that nobody knows."""
_NAMES = {
    **ALIASES,
    "model": {*ALIASES["model"], *MODELS},
    "dataset": {*ALIASES["dataset"], *DATASETS},
    "setting": SETTINGS,
}
ROLES = tuple(dict.fromkeys((*ALIASES, *(role for role in SEVERAL if role not in MEANINGS))))
"""What a column can be."""


def glimpses(source: Source, schema: pa.Schema) -> Glimpses:
    """Look at the first rows of a table.

    source: Of a format that reads columns row by row.
    Returns: Of every column of a name of its own; those of objects are none of anything.
    """
    occurrences = Counter(schema.names)
    names = [
        column.name
        for column in schema
        if occurrences[column.name] == 1 and not types.is_struct(column.type)
    ]
    columns = [
        _Column(name, is_text(schema.field(name).type), len(names) <= _MANY, _texts(values))
        for name, values in zip(names, _first_values(source, names), strict=True)
    ]
    likely = {
        role: tuple(column.name for column in sorted(columns, key=lambda each: -each.fit(role)))
        for role in ROLES
    }
    keys = {key(column.name): column.name for column in columns}
    known = {
        role: next((keys[name] for name in aliases if name in keys), "")
        for role, aliases in ALIASES.items()
    }
    return Glimpses(
        tuple(column.glimpse for column in columns),
        likely,
        {role: name for role, name in known.items() if name} | source.chosen,
    )


def _first_values(source: Source, names: list[str]) -> list[tuple[object, ...]]:
    """Return what columns begin with; nothing of one with values that Python cannot hold."""
    try:
        return source.first(names, _ROWS)
    except _NOT_HELD:
        if len(names) == 1:
            return [()]
        half = len(names) // 2
        return [*_first_values(source, names[:half]), *_first_values(source, names[half:])]


def _texts(values: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(str(value).strip() for value in values if value is not None)


@dataclass(frozen=True)
class _Column:
    """A column by the texts of its first rows, without those that are missing."""

    name: str
    is_text: bool
    is_named: bool
    values: tuple[str, ...]

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for value in self.values if value))

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """Its values if all are numbers."""
        try:
            return tuple(float(value) for value in self.values if value)
        except ValueError:
            return ()

    @property
    def glimpse(self) -> Glimpse:
        shown = tuple(value[:_LETTERS] for value in self.distinct[:_SHOWN])
        few = len(self.distinct) <= WORDS and all(len(text) <= _LETTERS for text in self.distinct)
        return Glimpse(self.name, shown, self.distinct if self.is_text and few else ())

    def fit(self, role: str) -> float:
        """Return how well a column fits one role, by its values, and by its name above others."""
        by_values = _FITS[role](self) if role in _FITS else 0.0
        if not self.is_named:
            return float(by_values)
        likeness = _likeness_by_role(self.name[:_LETTERS])
        others = max(each for other, each in likeness.items() if other != role)
        return float(by_values) + likeness[role] - others


@lru_cache(1_000)
def _likeness_by_role(column: str) -> dict[str, float]:
    """How alike a name is to those that columns of each role have, from 0 to 1."""
    ratio = SequenceMatcher(b=key(column))

    def most(names: Iterable[str]) -> float:
        best = 0.0
        for name in names:
            ratio.set_seq1(name)
            if ratio.real_quick_ratio() > best and ratio.quick_ratio() > best:
                best = max(best, ratio.ratio())
        return best

    return {role: most(_NAMES.get(role, ())) for role in ROLES}


def _are_verdicts(column: _Column) -> bool:
    known = {*RIGHT, *WRONG}
    return bool(column.distinct) and all(value.lower() in known for value in column.distinct)


def _may_be_verdicts(column: _Column) -> bool:
    return _are_verdicts(column) or (column.is_text and 1 < len(column.distinct) <= _FEW_WORDS)


def _are_shares(column: _Column) -> bool:
    return bool(column.numbers) and all(0 <= number <= 1 for number in column.numbers)


def _name_questions(column: _Column) -> float:
    """Names repeat, once for each sample, and there are many: as texts rather than numbers."""
    many, rows = len(column.distinct), len(column.values)
    if not 1 < many < rows:
        return 0.0
    return 1.7 if column.is_text and many > _FEW_WORDS else 1 + 0.4 * many / rows


def _are_counted(column: _Column) -> bool:
    """Whether values count a few from 0 or 1 on."""
    found = sorted({*column.numbers})
    return 1 < len(found) <= FEW and found in (
        [*range(len(found))],
        [*range(1, len(found) + 1)],
    )


def _are_few_names(column: _Column) -> bool:
    return column.is_text and 0 < len(column.distinct) <= min(FEW, len(column.values) // 2)


def _are_large(column: _Column) -> bool:
    return bool(column.numbers) and max(column.numbers) > 1 and not _are_counted(column)


_FITS: Mapping[str, Callable[[_Column], float]] = {
    "correct": lambda column: _are_verdicts(column) + 0.5 * _may_be_verdicts(column),
    "score": lambda column: _are_shares(column) + 0.5 * bool(column.numbers),
    "question_id": _name_questions,
    "sample": _are_counted,
    "model": _are_few_names,
    "dataset": _are_few_names,
    "setting": lambda column: 1 < len(column.distinct) <= FEW,
    "segment": _are_few_names,
    "n": _are_large,
    "c": lambda column: bool(column.numbers),
    "rate": _are_shares,
    "tokens_in": _are_large,
    "tokens_out": _are_large,
    "latency_s": lambda column: bool(column.numbers),
    "cost": lambda column: bool(column.numbers),
}
