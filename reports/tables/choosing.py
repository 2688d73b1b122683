"""Find columns by the names that they usually have, or by the ones that the user gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

import pyarrow as pa

from metrics.words import Text
from reports.errors import LoadError
from reports.tables.kinds import holds_objects, is_label, is_list_of_numbers, is_number, is_text
from reports.tables.names import (
    ALIASES,
    COUNT,
    EXTRACTED,
    LISTS_OF_SCORES,
    MEASURED,
    NUMBERED,
    RATE,
    TEXTS,
    WIDE_SCORES,
    WIDE_VERDICTS,
    key,
)
from reports.tables.source import Source
from reports.tables.spelled import odd_value

Accepts = Callable[[pa.DataType], bool]

_KNOWN = {
    *(*TEXTS, *LISTS_OF_SCORES, *WIDE_VERDICTS, *WIDE_SCORES),
    *(name for names in ALIASES.values() for name in names),
}
_INDEX = ("", "unnamed:_0", "__index_level_0__")
_NAME_IT = Text(
    "Name the column of verdicts correct (0 or 1), or that of soft scores score (0 to 1)."
)


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
                    Text("There are: {names}.", names=self._listed(schema.names)),
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

    def is_single(self, *roles: str) -> bool:
        """Whether the user named a column, rather than what numbered columns have in common."""
        return any(self.chosen.get(role) in self.schema.names for role in roles)

    def wide(self, role: str, prefixes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """Return the numbered columns that may be something, each kind in order of its numbers."""
        if role in self.chosen:
            prefixes = [key(self.chosen[role])]
        return tuple(filter(None, (self._group(prefix, is_number) for prefix in prefixes)))

    def wide_measures(self, width: int) -> dict[str, tuple[str, ...]]:
        """Return the other numbered columns of numbers, one for each sample."""
        roles = {name: role for role, names in MEASURED.items() for name in names}
        groups = {
            roles.get(prefix, prefix): self._group(prefix, is_number)
            for prefix in self.numbered
            if prefix in roles or prefix not in {*_KNOWN, *self.chosen.values()}
        }
        return {role: group for role, group in groups.items() if len(group) == width}

    def wide_answers(self, width: int) -> tuple[str, ...]:
        """Return the numbered columns of extracted answers."""
        groups = (self._group(prefix, is_label) for prefix in EXTRACTED)
        return next((group for group in groups if len(group) == width), ())

    def wide_texts(self, width: int) -> tuple[str, ...]:
        """Return the numbered columns of what the model said."""
        known = (
            prefix
            for prefix in ALIASES["prediction"]
            if all(len(columns) == 1 for columns in self.numbered.get(prefix, {}).values())
        )
        groups = (self._group(prefix, is_text) for prefix in known)
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
        rate = None if right or each_sample else next(iter(self._rates()), None)
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

    def no_outcomes(self) -> LoadError:
        """Say that no column holds outcomes, and ask for one where there is any to choose."""
        names = (*ALIASES["correct"], *ALIASES["score"])
        unsuited = [self.fields[name] for name in names if name in self.fields]
        unsuited[:0] = [
            self.schema.field(self.chosen[role])
            for role in ("correct", "score")
            if self.chosen.get(role) in self.schema.names
        ]
        if unsuited:
            return self._unsuited(unsuited[0])
        if rates := self._rates():
            return self._rate_alone(rates[0])
        others = (*self.others(is_number, ()), *self.others(is_list_of_numbers, ()))
        wide = {
            prefix: group
            for prefix in self.numbered
            if prefix and prefix not in self.fields and (group := self._group(prefix, is_number))
        }
        problem = Text(
            "has no column of outcomes among {names}", names=self._listed(self.schema.names)
        )
        if wide:
            problem = Text(
                "{problem}, where the numbered ones go together as {wide}",
                problem=problem,
                wide=self._listed([*wide]),
            )
        of_wide = {name for group in wide.values() for name in group}
        candidates = (*wide, *(name for name in others if name not in of_wide))
        if not candidates:
            return self.source.error(problem, self._what_is_nested() or _NAME_IT)
        return self.source.ask(problem, "correct", candidates)

    def no_questions(self) -> LoadError:
        """Say that nothing tells the questions apart, and ask for it."""
        if (rates := self._rates()) and not self.find("correct", is_number):
            return self._rate_alone(rates[0])
        problem = Text("has outcomes but no column that says which question a row belongs to")
        candidates = tuple(
            column.name
            for name, column in self.fields.items()
            if is_label(column.type) and name not in (*ALIASES["correct"], *ALIASES["score"])
        )
        if not candidates:
            return self.source.error(problem, Text("Name that column question_id."))
        return self.source.ask(problem, "question_id", candidates)

    def _unsuited(self, column: pa.Field) -> LoadError:
        odd = odd_value(self.source, column.name) if is_text(column.type) else None
        row, value = odd or (0, "")
        holds = (
            Text("row {row:,} holds {value:.40}", row=row, value=repr(value))
            if odd
            else Text("holds {type:.60}", type=str(column.type))
        )
        return self.source.error(
            Text(
                "{holds}; outcomes must be booleans, numbers, lists of them, or words such as yes "
                "and no",
                holds=holds,
            ),
            Text("Write 1 or true for right, 0 or false for wrong, and null for a failed request."),
            column.name,
        )

    def _rate_alone(self, column: str) -> LoadError:
        return self.source.error(
            Text("holds a rate, but no column says of how many samples"),
            Text(
                "Without their number no interval and no pass@k can be computed: add it as a "
                "column n, or give one row for each sample."
            ),
            column,
        )

    def _what_is_nested(self) -> Text | None:
        """Say how to bring out what objects in the columns hold, if any do."""
        names = [column.name for column in self.schema if holds_objects(column.type)]
        if not names:
            return None
        return Text(
            "There are objects in {names}: write what they hold as columns of their own, as "
            "pandas.json_normalize does, and name that of verdicts correct (0 or 1).",
            names=self._listed(names),
        )

    def _rates(self) -> list[str]:
        return [
            column.name
            for name, column in self.fields.items()
            if is_number(column.type) and RATE.fullmatch(name)
        ]

    def _group(self, prefix: str, accepts: Accepts) -> tuple[str, ...]:
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

    @staticmethod
    def _listed(names: list[str]) -> str:
        return ", ".join(f"{name:.60}" for name in names[:8]) + (", …" if len(names) > 8 else "")
