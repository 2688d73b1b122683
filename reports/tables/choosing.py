"""Find columns by the names that they usually have, or by the ones that the user gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

import pyarrow as pa

from metrics.words import Text
from reports.tables.kinds import (
    is_label,
    is_list_of_texts,
    is_number,
    is_text,
)
from reports.tables.names import (
    ALIASES,
    COUNT,
    EXTRACTED,
    LISTS_OF_SCORES,
    MEASURED,
    NUMBERED,
    OF_QUESTIONS,
    RATE,
    SCORE,
    TEXTS,
    WIDE_SCORES,
    WIDE_VERDICTS,
    key,
)
from reports.tables.source import Source
from reports.tables.unsuitable import listed, transposed

Accepts = Callable[[pa.DataType], bool]

_KNOWN = {
    *(*TEXTS, *LISTS_OF_SCORES, *WIDE_VERDICTS, *WIDE_SCORES),
    *(name for names in ALIASES.values() for name in names),
}
_INDEX = ("", "unnamed:_0", "__index_level_0__")


class Chooser:
    """The columns of a table by the `key` of their names, and what the user said of them.

    Raises
    ------
    LoadError
        If the user named something that no table has, or a column that this one lacks.
    """

    def __init__(self, source: Source, schema: pa.Schema) -> None:
        self.source, self.schema, self.chosen = source, schema, source.chosen
        self.fields = {key(column.name): column for column in schema}
        self.numbered: dict[str, dict[int, list[pa.Field]]] = defaultdict(lambda: defaultdict(list))
        for column in schema:
            if match := NUMBERED.fullmatch(key(column.name)):
                self.numbered[match[1]][int(match[2])].append(column)
        for role, name in self.chosen.items():
            if role not in ALIASES:
                raise source.error(
                    Text("{role} is nothing that a column of a table can be", role=f"{role:.40}"),
                    Text("There are: {roles}.", roles=", ".join(ALIASES)),
                )
            if name not in schema.names and key(name) not in self.numbered:
                raise source.lacks(
                    Text("has no column {name} to be {role}", name=f"{name:.80}", role=role),
                    Text("There are: {names}.", names=listed(schema.names)),
                    role,
                )

    def find(self, role: str, accepts: Accepts, names: Iterable[str] = ()) -> list[str]:
        """Return the columns that may be something, the likeliest first."""
        if role in self.chosen:
            name = self.chosen[role]
            fits = name in self.schema.names and accepts(self.schema.field(name).type)
            return [name] if fits else []
        known = (self.fields.get(name) for name in names or ALIASES[role])
        return [column.name for column in known if column and accepts(column.type)]

    def first(self, role: str, accepts: Accepts) -> str | None:
        """Return the likeliest of `find`."""
        return next(iter(self.find(role, accepts)), None)

    def naming(self) -> str | None:
        """Return the column called question, if it holds single values."""
        column = self.fields.get("question")
        return column.name if column and is_label(column.type) else None

    def is_single(self, *roles: str) -> bool:
        """Whether the user named a column, rather than what numbered columns have in common."""
        return any(self.chosen.get(role) in self.schema.names for role in roles)

    def wide(self, role: str, prefixes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """Return the numbered columns that may be something, each kind in order of its numbers."""
        if role in self.chosen:
            prefixes = [key(self.chosen[role])]
            if prefixes[0] in OF_QUESTIONS and (group := self.group(prefixes[0], is_number)):
                raise transposed(self.source, group)
        return tuple(filter(None, (self.group(prefix, is_number) for prefix in prefixes)))

    def wide_measures(self, width: int) -> dict[str, tuple[str, ...]]:
        """Return the other numbered columns of numbers, one for each sample."""
        roles = {name: role for role, names in MEASURED.items() for name in names}
        groups = {
            roles.get(prefix, prefix): self.group(prefix, is_number)
            for prefix in self.numbered
            if prefix in roles or prefix not in {*_KNOWN, *self.chosen.values()}
        }
        return {role: group for role, group in groups.items() if len(group) == width}

    def wide_answers(self, width: int) -> tuple[str, ...]:
        """Return the numbered columns of extracted answers."""
        groups = (self.group(prefix, is_label) for prefix in EXTRACTED)
        return next((group for group in groups if len(group) == width), ())

    def wide_texts(self, width: int) -> tuple[str, ...]:
        """Return the numbered columns of what the model said."""
        known = (
            prefix
            for prefix in ALIASES["prediction"]
            if all(len(columns) == 1 for columns in self.numbered.get(prefix, {}).values())
        )
        groups = (self.group(prefix, is_text) for prefix in known)
        return next((group for group in groups if len(group) == width), ())

    def counts(self) -> tuple[str | int | None, str | None, str | None]:
        """Return the columns of samples and of correct ones, or the share of these."""
        n: str | int | None = self.first("n", is_number)
        right = self.first("c", is_number)
        for name, column in self.fields.items():
            if right is None and is_number(column.type) and (match := COUNT.fullmatch(name)):
                n, right = n or int(match[1]), column.name
        if n is None:
            return None, None, None
        each_sample = self.first("sample", is_label) is not None
        rate = None if right or each_sample else next(iter(self.rates()), None)
        return n, right, rate

    def others(self, accepts: Accepts, used: Iterable[str]) -> list[str]:
        """Return the columns of numbers whose names say nothing."""
        taken = {*used, *(name for name, column in self.fields.items() if name in _KNOWN)}
        return [
            column.name
            for name, column in self.fields.items()
            if accepts(column.type)
            and not pa.types.is_null(column.type)
            and not taken & {name, column.name}
            and name not in _INDEX
        ]

    def unread(self) -> list[str]:
        """Return the columns of text whose names say that they hold scores or measurements."""
        named = {self.chosen[role] for role in MEASURED if role in self.chosen}
        known = {*SCORE, *(name for names in MEASURED.values() for name in names)}
        stems = {
            column.name
            for prefix in known & self.numbered.keys()
            for columns in self.numbered[prefix].values()
            for column in columns
        }
        return [
            column.name
            for column in self.schema
            if (is_text(column.type) or is_list_of_texts(column.type))
            and (column.name in named | stems or key(column.name) in known)
        ]

    def rates(self) -> list[str]:
        """Return the columns of rates."""
        return [
            column.name
            for name, column in self.fields.items()
            if is_number(column.type) and RATE.fullmatch(name)
        ]

    def group(self, prefix: str, accepts: Accepts) -> tuple[str, ...]:
        """Return the columns of a prefix in the order of their numbers."""
        samples = {
            number: fitting
            for number, columns in self.numbered.get(prefix, {}).items()
            if (fitting := [column.name for column in columns if accepts(column.type)])
        }
        for number, (first, *again) in samples.items():
            if again:
                raise self.source.error(
                    Text("both columns hold sample {number} of a question", number=number),
                    Text("Number the samples once, such as correct_1, correct_2."),
                    first,
                    again[0],
                )
        names = tuple(samples[number][0] for number in sorted(samples))
        return names if len(names) > 1 else ()
