"""Find columns by their usual names, or by the names that the user gave."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
import pyarrow as pa

from metrics.data.words import Enumerated, Text, instead_of, some_of
from reports.column_mapping import SEVERAL, WHOLE, WORDS, columns_in_role
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.tables.schema.data_types import (
    is_label,
    is_list,
    is_list_of_texts,
    is_number,
    is_prompt,
    is_text,
)
from reports.tables.schema.design import FirstRows
from reports.tables.schema.names import (
    ALIASES,
    ATTEMPTS,
    COUNT,
    ID,
    LISTS_OF_SCORES,
    MEASURED,
    MEASURED_ONCE,
    OF_QUESTIONS,
    RATE,
    SCORE,
    TEXTS,
    USUAL,
    VERDICT,
    WIDE_SCORES,
    WIDE_VERDICTS,
    is_embedding,
    key,
    no_role,
    numbered,
)
from reports.tables.schema.spelled import are_names
from reports.tables.source import Source

Accepts = Callable[[pa.DataType], bool]
Groups = tuple[tuple[str, ...], ...]

_SINGLE_ROWS = (
    *("question_id", "correct", "score", "n", "c", "cluster", "extracted", "finish_reason"),
    *("facts", "gold_facts", "embedding", *MEASURED, *MEASURED_ONCE),
)
_KNOWN = {
    *(*TEXTS, *LISTS_OF_SCORES, *WIDE_VERDICTS, *WIDE_SCORES),
    *(name for names in ALIASES.values() for name in names),
}
_SINGLE_NAMES = {*VERDICT, *(name for names in ALIASES.values() for name in names)} - {*TEXTS}
"""Names of which a table may have one column only."""
_WITHIN_RUNS = ("sample", "segment", "cluster")
INDEX = ("", "unnamed:_0", "__index_level_0__")
_OF_ROWS = {
    *INDEX,
    *(*TEXTS, *LISTS_OF_SCORES, *WIDE_VERDICTS),
    *(name for role in _SINGLE_ROWS for name in ALIASES[role]),
    *VERDICT,
    "error",
}
"""Names of what belongs to a row or a question."""


class Chooser:
    """The columns of a table by the `key` of their names, and what the user said of them.

    Raises LoadError if the user named something that no table has, or a column that this one lacks.
    """

    def __init__(self, source: Source, schema: pa.Schema, first: pa.Table | pa.RecordBatch) -> None:
        self.source, self.schema, self.head = source, schema, first
        self.chosen, self.rows = source.chosen, FirstRows(source)
        self.notes: list[Note] = []
        self.told_of: list[str] = []
        several = Counter(map(key, schema.names))
        self.fields = {key(c.name): c for c in schema if several[key(c.name)] == 1}
        self.numbered: dict[str, dict[int, list[pa.Field]]] = defaultdict(lambda: defaultdict(list))
        for column in schema:
            if found := numbered(key(column.name)):
                self.numbered[found[0]][found[1]].append(column)
        pairs = [
            (role, name)
            for role in source.column_mapping
            if role not in (*WORDS, *WHOLE)
            for name in columns_in_role(source.column_mapping, role)
        ]
        for role, name in pairs:
            if role not in (*ALIASES, *SEVERAL):
                raise source.error(*no_role(role, (*ALIASES, *SEVERAL)))
            if name not in schema.names and (role in SEVERAL or key(name) not in self.numbered):
                raise source.lacks(
                    Text("has no column {name} to use as {role}", name=f"{name:.80}", role=role),
                    instead_of(f"{name:.80}", [f"{each:.60}" for each in schema.names]),
                    role,
                    name,
                )
        mapped_keys = {key(name) for _, name in pairs}
        for column in schema:
            if several[key(column.name)] > 1 and key(column.name) in mapped_keys | _SINGLE_NAMES:
                raise source.error(
                    Text("several columns have this name, upper and lower case and blanks aside"),
                    Text("Give every column its own name."),
                    column.name,
                )

    def find(self, role: str, accepts: Accepts, names: Iterable[str] = ()) -> list[str]:
        """Return the columns that may be something, the likeliest first."""
        if role in self.chosen:
            name = self.chosen[role]
            fits = name in self.schema.names and accepts(self.schema.field(name).type)
            return [name] if fits else []
        known = (self.fields.get(name) for name in names or ALIASES[role])
        of_runs = (self.chosen.get(of_run) for of_run in ("model", "dataset"))
        taken = {*self.source.apart, *(of_runs if role in _WITHIN_RUNS else ())}
        return [
            column.name
            for column in known
            if column and accepts(column.type) and column.name not in taken
        ]

    def first(self, role: str, accepts: Accepts) -> str | None:
        """Return the likeliest of `find`."""
        return next(iter(self.find(role, accepts)), None)

    def is_numeric(self, name: str) -> bool:
        """Whether a column holds numbers."""
        return is_number(self.schema.field(name).type)

    def unnamed(self) -> list[str]:
        """Return the column without a name, which tables begin with that were written by pandas."""
        known = (self.fields.get(name) for name in INDEX)
        return [column.name for column in known if column and is_label(column.type)]

    def is_single(self, *roles: str) -> bool:
        """Whether the user named a column, rather than what numbered columns have in common."""
        return any(self.chosen.get(role) in self.schema.names for role in roles)

    def wide(self, role: str, prefixes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
        """Return the numbered columns that may be something, each kind in order of its numbers."""
        if role in self.chosen:
            prefixes = [key(self.chosen[role])]
            if prefixes[0] in OF_QUESTIONS and (group := self.group(prefixes[0], is_number)):
                raise transposed_error(self.source, group)
        groups = {prefix: self.group(prefix, is_number) for prefix in prefixes}
        if role == "correct" and not any(groups.values()) and not self.find(role, is_number):
            groups |= {prefix: self._only_column(prefix) for prefix in prefixes}
        for prefix, group in groups.items():
            if group and role not in self.chosen:
                self._require_samples(prefix, group)
        return tuple(filter(None, groups.values()))

    def _only_column(self, prefix: str) -> tuple[str, ...]:
        """Return the only column of a prefix, if it is the first of several that might be."""
        first = [columns for n, columns in self.numbered.get(prefix, {}).items() if n in (0, 1)]
        names = [each.name for columns in first for each in columns if is_number(each.type)]
        return tuple(names) if len(names) == 1 and len(self.numbered[prefix]) == 1 else ()

    def _require_samples(self, prefix: str, group: tuple[str, ...]) -> None:
        """Refuse numbers that are no samples, such as years; note those that are left out."""
        numbers = sorted(number for number, columns in self.numbered[prefix].items() if columns)
        missing = [number for number in range(numbers[0], numbers[-1]) if number not in numbers]
        if numbers[0] > 1 or (missing and not prefix):
            raise self.source.error(
                Text(
                    "the columns {names} are not numbered 0, 1, 2 or 1, 2, 3, as samples are",
                    names=listed_names(group),
                ),
                Text(
                    "If each is a sample of the same question, call them correct_1, correct_2, "
                    "correct_3; if each is a dataset or a number of samples, write a row for each."
                ),
            )
        if missing:
            what = Text(
                "There is no column {names}: the others are read, and missing samples count "
                "neither as right nor as wrong.",
                names=some_of((f"{prefix}_{number}" for number in missing), 5),
            )
            self.notes.append(Note(what, self.source.place, severity="warning"))

    def as_wide(self, correct: Groups, score: Groups) -> tuple[Groups, Groups]:
        """Leave out scores of fewer or more samples than the verdicts have, with a note."""
        width = len((*correct, *score)[0])
        odd = [group for group in score if len(group) != width]
        if not (correct and odd):
            return correct, score
        what = Text(
            "{columns} are left out: there are {got} of them, but {width} columns of outcomes.",
            columns=listed_names(odd[0]),
            got=len(odd[0]),
            width=width,
        )
        self.notes.append(Note(what, self.source.place, severity="warning"))
        self.told_of += odd[0]
        return correct, tuple(group for group in score if len(group) == width)

    def wide_groups(
        self, width: int, accepts: Accepts, prefixes: Iterable[str]
    ) -> dict[str, tuple[str, ...]]:
        """Return the numbered columns of each prefix of which there is one for each sample."""
        groups = {prefix: self.group(prefix, accepts) for prefix in prefixes}
        return {prefix: group for prefix, group in groups.items() if len(group) == width}

    def wide_measures(self, width: int) -> dict[str, tuple[str, ...]]:
        """Return the other numbered columns of numbers, one for each sample."""
        roles = {name: role for role, names in MEASURED.items() for name in names}
        others = self.numbered.keys() - roles.keys() - {*_KNOWN, *self.chosen.values()}
        likely = [prefix for prefix in self.numbered if prefix in roles or prefix in others]
        groups = self.wide_groups(width, is_number, likely)
        return {roles.get(prefix, prefix): group for prefix, group in groups.items()}

    def wide_texts(self, width: int) -> tuple[str, ...]:
        """Return the numbered columns of what the model said."""
        known = (
            prefix
            for prefix in ALIASES["prediction"]
            if all(len(columns) == 1 for columns in self.numbered.get(prefix, {}).values())
        )
        return next(iter(self.wide_groups(width, is_text, known).values()), ())

    def embeddings(self) -> list[str]:
        """Return the columns of vectors."""
        mapped = self.chosen.get("embedding")
        return [
            column.name
            for name, column in self.fields.items()
            if is_prompt(column.type)
            and (column.name == mapped or is_embedding(name))
            and column.name not in self.source.apart
        ]

    def counts(self) -> tuple[str | int | None, str | None, str | None]:
        """Return the columns of samples and of correct ones, or the share of these."""
        n: str | int | None = self.first("n", is_number)
        right = self.first("c", is_number)
        for name, column in self.fields.items():
            if right is None and is_number(column.type) and (match := COUNT.fullmatch(name)):
                n, right = n or int(match[1]), column.name
        likely = [name for name in self.rates() if key(name) not in SCORE]
        if n is None and right is None and likely:
            n = next(iter(self.attempts()), None)
        if n is None:
            return None, right, None
        each_sample = self.first("sample", is_label) is not None
        rate = None if right or each_sample else next(iter(self.rates()), None)
        return n, right, rate

    def attempts(self) -> list[str]:
        """Return the columns that may say how many samples a question has."""
        known = (self.fields.get(name) for name in ATTEMPTS)
        return [column.name for column in known if column and is_number(column.type)]

    def repeats(self) -> bool:
        """Whether a column that names questions has one of them in several rows."""
        runs = [self.first(role, is_label) for role in ("model", "dataset")]
        by = (*filter(None, runs), *self.source.settings)
        ids = [column.name for name, column in self.fields.items() if ID.fullmatch(name)]
        named = self.find("question_id", is_label) or self.find("prompt", is_label) or ids
        return any(self.rows.distinct(*by, name) < len(self.rows.values(name)) for name in named)

    def most(self, name: str) -> float:
        """Return the largest number that a column has at first."""
        held = self.rows.numbers(name)
        return 0.0 if held is None else float(np.nanmax(held, initial=0))

    def dividing(self, used: Iterable[str]) -> list[str]:
        """Return the columns of few values that may tell runs apart, the likeliest first."""
        taken = {*used, *self.chosen.values(), *self.source.apart}
        found = [
            column
            for name, column in self.fields.items()
            if name not in _OF_ROWS
            and column.name not in taken
            and not self.is_one_of_several(name)
            and self._may_be_few(column)
        ]
        found.sort(key=lambda column: (key(column.name) not in USUAL, is_number(column.type)))
        return [column.name for column in found]

    def is_one_of_several(self, name: str) -> bool:
        """Whether a `key` has a number, and others what stands before it."""
        found = numbered(name)
        return found is not None and len(self.numbered[found[0]]) > 1

    def _may_be_few(self, column: pa.Field) -> bool:
        if is_text(column.type):
            return column.name in self.head.schema.names and are_names(self.head[column.name])
        return is_number(column.type) and not pa.types.is_null(column.type)

    def others(self, accepts: Accepts, used: Iterable[str]) -> list[str]:
        """Return the columns of numbers whose names say nothing."""
        known = (name for name, column in self.fields.items() if name in _KNOWN)
        taken = {*used, *known, *self.source.apart}
        return [
            column.name
            for name, column in self.fields.items()
            if accepts(column.type)
            and not pa.types.is_null(column.type)
            and not taken & {name, column.name}
            and name not in INDEX
        ]

    def note_unused(self, used: Collection[str]) -> None:
        """Say which columns nothing is made of, and no other note names."""
        held = [*used, *self._unread(), *self.source.apart, *self.source.chosen.values()]
        held += self.told_of
        names = [
            column.name
            for column in self.schema
            if column.name not in held and not is_list(column.type)
        ]
        if names:
            what = Text(
                "{columns} is not used.",
                "{columns} are not used.",
                columns=some_of((f"{name:.60}" for name in names), 20),
                count=len(names),
            )
            self.notes.append(Note(what, self.source.place, severity="info"))

    def note_unread(self, read: Collection[str]) -> None:
        """Say which columns are left out as texts whose names promise numbers."""
        if names := [name for name in self._unread() if name not in read]:
            what = Text(
                "{columns} is left out: it holds texts that are no plain numbers.",
                columns=some_of((f"{name:.60}" for name in names), 5),
            )
            self.notes.append(Note(what, self.source.place, severity="warning"))

    def note_too_many(self, names: Sequence[str]) -> None:
        """Say which columns of numbers are left out, since there are so many."""
        if names:
            what = Text(
                "{columns} are left out: there are too many columns of numbers.",
                columns=some_of((f"{name:.60}" for name in names), 5),
            )
            self.told_of += names
            self.notes.append(Note(what, self.source.place, severity="warning"))

    def note_lists(self, read: Collection[str]) -> None:
        """Say which columns of lists nothing is made of."""
        names = [
            column.name
            for column in self.schema
            if is_list(column.type) and column.name not in {*read, *self.source.apart}
        ]
        if names:
            what = Text(
                "{columns} hold lists and are left out; lists are read only as facts, "
                "gold_facts or embedding.",
                columns=some_of((f"{name:.60}" for name in names), 5),
            )
            self.notes.append(Note(what, self.source.place))

    def _unread(self) -> list[str]:
        """Return the columns of text whose names say that they hold scores or measurements."""
        measured = MEASURED | MEASURED_ONCE
        named = {self.chosen[role] for role in measured if role in self.chosen}
        known = {*SCORE, *(name for names in measured.values() for name in names)}
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
        if "rate" in self.chosen:
            return self.find("rate", is_number)
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


def transposed_error(source: Source, columns: Iterable[str]) -> LoadError:
    """Say that columns are questions, where rows should be."""
    return source.error(
        Text(
            "{columns} seem to be questions, and each row one sample of all of them",
            columns=listed_names([*columns]),
        ),
        Text(
            "Swap rows and columns: write a row for each question, with a column question_id "
            "and columns 1, 2, 3 for its samples; or a row for each sample: question_id, "
            "sample, correct."
        ),
    )


def listed_names(names: Sequence[str]) -> Enumerated:
    """Return names as a message gives them."""
    return some_of((f"{name:.60}" for name in names), 8)
