"""Errors for files that cannot be read: what is wrong, where, and what to do about it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from metrics.data.words import Enumerated, ListedApart, Text, some_of
from reports.column_mapping import JUDGE, MISSING, RIGHT, ColumnMapping, with_column

_SHOWN = 8
_MANY = 20


class LoadError(ValueError):
    """A file that gives no outcomes: which file, where in it, what was expected, how to fix it.

    Parameters
    ----------
    file : str
        The file, as the user named it.
    problem : Text
        What is wrong and what was expected, as a clause without a full stop.
    fix : Text
        What to do about it, as a full sentence.
    place : str, optional
        Where in the file: a member of an archive, a key, a line, a byte. The name of a file that
        is alone is not repeated.

    Examples
    --------
    >>> from reports import load
    >>> try:
    ...     load(("t.csv", bytes(2)))
    ... except LoadError as error:
    ...     print(error.file)
    t.csv
    """

    def __init__(self, file: str, problem: Text, fix: Text, place: str = "") -> None:
        super().__init__(file, problem, fix, place)
        self.file, self.problem, self.fix = file, problem, fix
        alone, _, rest = place.partition(", ")
        self.place = rest if alone == PurePath(file).name else place

    @property
    def text(self) -> Text:
        """The whole message."""
        if self.place:
            return Text(
                "{file}, {place}: {problem}. {fix}",
                file=self.file,
                place=self.place,
                problem=self.problem,
                fix=self.fix,
            )
        return Text("{file}: {problem}. {fix}", file=self.file, problem=self.problem, fix=self.fix)

    @property
    def within(self) -> Text:
        """The message without the name of the file."""
        return Text("{problem}. {fix}", problem=self.problem, fix=self.fix)

    def kept(self) -> Self:
        """Return the error without its causes and traceback, which keep what was read in memory."""
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)

    def __str__(self) -> str:
        return str(self.text)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self.args, self.__dict__)


@dataclass(frozen=True)
class Glimpse:
    """A column of a table, as its first rows show it."""

    name: str
    # Its first few different ones; untrusted text, of a long one the beginning.
    values: tuple[str, ...]
    words: tuple[str, ...] = ()  # All of them, where they are few texts.


@dataclass(frozen=True)
class Glimpses:
    """The columns of a table that could be meant."""

    columns: tuple[Glimpse, ...]  # In the order of the table.
    likely: Mapping[str, tuple[str, ...]]  # Their names by what they could be, the likeliest first.
    known: Mapping[str, str]  # Those that are something by their names.


class OpenChoice(LoadError):
    """A table that leaves open which column is what: ask, and load it again with the answer."""

    options: tuple[str, ...]
    table: Glimpses | None = None  # Its columns; None for a file of a tool, which names verdicts.
    gives: Mapping[str, Text] = MappingProxyType({})  # What the table is with some of the answers.

    def answered(self, columns: ColumnMapping, option: str) -> ColumnMapping:
        """Return what is known of the columns with one of the answers."""
        raise NotImplementedError


class ColumnChoice(OpenChoice):
    """A table where several columns could be meant.

    role: What the column is: ``load(source, columns={role: name})`` answers.
    candidates: The columns it could be.
    gives: What the table is with each.
    """

    def __init__(
        self,
        file: str,
        problem: Text,
        place: str,
        role: str,
        candidates: tuple[str, ...],
        gives: Mapping[str, Text] | None = None,
    ) -> None:
        fix = Text(
            "Say which column is {role}, such as --column {role}={first}; there are: {names}.",
            role=role,
            first=shlex.quote(candidates[0]),
            names=some_of(candidates, _SHOWN),
        )
        if gives is not None:
            flags = (_flag(role, name, gives[name]) for name in candidates)
            fix = Text("Say which: {flags}.", flags=ListedApart(map(str, flags)))
        super().__init__(file, problem, fix, place)
        self.role, self.candidates = role, candidates
        self.options = candidates
        self.gives = gives or {}

    def answered(self, columns: ColumnMapping, option: str) -> ColumnMapping:
        """Return what is known of the columns with one of the candidates."""
        return with_column(columns, self.role, option)


def _flag(role: str, column: str, gives: Text) -> Text:
    """Return the option that selects a reading, and what it gives."""
    flag = f"--column {role}={shlex.quote(f'{column:.80}')}"
    return Text("{flag} ({gives})", flag=flag, gives=gives)


class VerdictChoice(ColumnChoice):
    """A tool's file with several verdicts, such as those of several scorers or filters."""

    def __init__(
        self, file: str, problem: Text, place: str, role: str, candidates: tuple[str, ...]
    ) -> None:
        super().__init__(file, problem, place, role, candidates)
        self.fix = Text(
            "Say which is meant, such as --column {role}={first}; there are: {names}.",
            role=role,
            first=shlex.quote(candidates[0]),
            names=some_of(candidates, _SHOWN),
        )


class Example(NamedTuple):
    """A text beside its reference, and what some rules make of it."""

    # Untrusted; of a long text the end.
    text: str
    reference: str
    verdicts: tuple[bool, ...]  # By each rule.


class Rules(NamedTuple):
    """What rules would make of texts that nobody judged."""

    gives: Mapping[str, Text]  # What each rule gives.
    examples: tuple[Example, ...]


class RuleChoice(OpenChoice):
    """A table with texts and references, and no verdicts.

    candidates: The columns that could hold verdicts all the same.
    rules: ``load(source, judge=rule)`` answers.
    """

    def __init__(
        self, file: str, problem: Text, place: str, candidates: tuple[str, ...], rules: Rules
    ) -> None:
        ways = (
            Text("--judge-by {rule} ({gives})", rule=rule, gives=gives)
            for rule, gives in rules.gives.items()
        )
        fix = Text("Say by which rule kofn is to judge: {ways}", ways=ListedApart(map(str, ways)))
        if candidates:
            fix = Text(
                "{fix}; or which column holds verdicts, such as --column correct={first}.",
                fix=fix,
                first=shlex.quote(f"{candidates[0]:.80}"),
            )
        else:
            fix = Text("{fix}.", fix=fix)
        super().__init__(file, problem, fix, place)
        self.options = tuple(rules.gives)
        self.candidates, self.rules = candidates, rules

    def answered(self, columns: ColumnMapping, option: str) -> ColumnMapping:
        """Return what is known of the columns with one of the rules."""
        return with_column(columns, JUDGE, option)


class RoleChoice(OpenChoice):
    """A table with a column that could be one thing or another.

    column: ``load(source, columns={role: column})`` answers.
    roles: What it could be.
    gives: What the table is with each; of roles that give the same, it is said once.
    """

    def __init__(
        self,
        file: str,
        problem: Text,
        place: str,
        column: str,
        roles: tuple[str, ...],
        gives: Mapping[str, Text] | None = None,
    ) -> None:
        given = gives or {}
        roles_by_offer: dict[str, list[str]] = {}
        for role in roles:
            flag = f"--column {role}={shlex.quote(f'{column:.80}')}"
            roles_by_offer.setdefault(str(given.get(role, "")), []).append(flag)
        ways = (
            Text("{flags} ({gives})", flags=Enumerated(flags), gives=text)
            if text
            else Text("{flags}", flags=Enumerated(flags))
            for text, flags in roles_by_offer.items()
        )
        fix = Text("Say what it is: {flags}.", flags=ListedApart(map(str, ways)))
        super().__init__(file, problem, fix, place)
        self.column, self.roles = column, roles
        self.options = roles
        self.gives = given

    def answered(self, columns: ColumnMapping, option: str) -> ColumnMapping:
        """Return what is known of the columns with one of the roles."""
        return with_column(columns, option, self.column)


class WordChoice(OpenChoice):
    """A column of verdicts in words that kofn does not know.

    counts: What it holds, and how often; ``load(source, columns={"right": word})`` answers, or
        ``{"missing": word}`` for a word that says that there is no verdict.
    """

    def __init__(
        self, file: str, problem: Text, place: str, column: str, counts: Mapping[str, int]
    ) -> None:
        held = (Text("{word} ({count})", word=f"{word:.40}", count=n) for word, n in counts.items())
        fix = Text(
            "Give --column {right}=TEXT for each text that means right; every other text then "
            "means wrong. Give --column {missing}=TEXT for each text that means that there is "
            "no verdict. The texts are: {words}.",
            right=RIGHT,
            missing=MISSING,
            words=some_of(held, _MANY),
        )
        super().__init__(file, problem, fix, place)
        self.column, self.counts = column, dict(counts)
        self.options = tuple(counts)

    def answered(self, columns: ColumnMapping, option: str) -> ColumnMapping:
        """Return what is known of the columns with one of the words meaning right."""
        return with_column(columns, RIGHT, option)


def gone(name: str, path: str) -> LoadError:
    """Say that a file is no longer there."""
    return _another(name, path, Text("can no longer be opened"))


def changed(name: str, path: str) -> LoadError:
    """Say that a file is no longer the one that was loaded."""
    return _another(name, path, Text("was changed since it was loaded"))


def _another(name: str, path: str, problem: Text) -> LoadError:
    path, _, _ = path.partition("\0")  # beyond it, what was made of the file
    return LoadError(name, problem, Text("Load the report again to see its texts."), path)


def restored(kind: type[LoadError], args: tuple[Any, ...], state: dict[str, Any]) -> LoadError:
    """Return an error as it was pickled, whatever one of its kind is made of."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
