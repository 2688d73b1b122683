"""What a user chose, as one frozen dataclass a subject, and its way to a URL, flags and JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from metrics.data.words import Enumerated, MetricError, Text


def _as_text(value: object) -> list[str]:
    return [str(value)]


def _as_json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Setting:
    """How one field of some choices is spelled.

    Attributes
    ----------
    key : str
        Its name in a URL, as a flag and in JSON.
    field : str
        Its attribute.
    read : callable
        From one or more untrusted strings; raises MetricError.
    metavar : str
        What the flag's value looks like.
    help : Text
        One line for ``--help``.
    spell : callable
        To strings that `read` takes.
    document : callable
        To what `json.dumps` takes; `read` takes its text, or the texts of a list.
    bare : bool
        Whether its flag stands alone, for yes.
    """

    key: str
    field: str
    read: Callable[[Sequence[str]], Any]
    metavar: str
    help: Text
    spell: Callable[[Any], list[str]] = _as_text
    document: Callable[[Any], Any] = _as_json
    bare: bool = False


def in_detail(help: Text) -> Setting:
    """Return the setting of the run that a page shows in detail, by its name or key."""
    return Setting("detail", "detail", lambda texts: texts[-1], "RUN", help)


def of_file(key: str, field: str, help: Text) -> Setting:
    """Return the setting of a path: only commands take one, addresses of pages do not."""
    return Setting(key, field, lambda texts: texts[-1], "FILE", help)


@dataclass(frozen=True)
class Choices:
    """A base for frozen dataclasses whose fields all have defaults and a Setting each.

    A URL, a command line and JSON spell them alike: ``k=1,4&level=0.95``,
    ``--k 1,4 --level 0.95``, ``{"k": [1, 4], "level": 0.95}``.
    """

    SETTINGS: ClassVar[tuple[Setting, ...]] = ()

    @classmethod
    def settings(cls, keys: Collection[str]) -> list[Setting]:
        """Return the settings of these keys; without any key, all."""
        return [setting for setting in cls.SETTINGS if not keys or setting.key in keys]

    def changed(self, **fields: Any) -> Self:
        """Return these choices with some fields changed, and what depends on them."""
        return replace(self, **fields)

    def to_query(self) -> dict[str, list[str]]:
        """Spell every choice that differs from the default, as query parameters."""
        default = type(self)()
        return {
            setting.key: setting.spell(value)
            for setting in self.SETTINGS
            if (value := getattr(self, setting.field)) != getattr(default, setting.field)
        }

    @classmethod
    def from_query(cls, query: Mapping[str, str | Iterable[str]]) -> tuple[Self, tuple[Text, ...]]:
        """Read query parameters; leave out, and report, what cannot be used.

        Parameters
        ----------
        query : mapping of str to str or iterable of str
            Untrusted. A key that names no setting is somebody else's and passed over.

        Returns
        -------
        choices
        problems : tuple of Text
            One sentence for each setting that was left at its default.
        """
        chosen: dict[str, Any] = {}
        problems: list[Text] = []
        for setting in cls.SETTINGS:
            value = query.get(setting.key, ())
            texts = [value] if isinstance(value, str) else list(value)
            try:
                if texts:
                    chosen[setting.field] = setting.read(texts)
            except MetricError as error:
                problems.append(error.text)
        return cls(**chosen), tuple(problems)

    def to_json(self, *keys: str) -> dict[str, Any]:
        """Spell choices, defaults included, as what `json.dumps` takes; without keys, all."""
        chosen = ((setting, getattr(self, setting.field)) for setting in self.settings(keys))
        return {
            setting.key: None if value is None else setting.document(value)
            for setting, value in chosen
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> tuple[Self, tuple[Text, ...]]:
        """Read what `to_json` wrote; see `from_query`."""
        return cls.from_query(
            {
                key: [str(item) for item in (value if isinstance(value, list) else [value])]
                for key, value in document.items()
                if value is not None
            }
        )

    @classmethod
    def add_arguments(
        cls, parser: argparse.ArgumentParser, *keys: str, **defaults: Text | str
    ) -> None:
        """Give a parser the flags of some settings, by their keys; without keys, of all.

        Their help adds what `defaults` say, by key, of where a flag is not given.
        """
        for setting in cls.settings(keys):
            told = setting.help
            if setting.key in defaults:
                told = Text("{help} (default: {value})", help=told, value=defaults[setting.key])
            how: dict[str, Any] = {"action": "append", "metavar": setting.metavar}
            if setting.bare:
                how = {"action": "append_const", "const": "yes"}
            how |= {"dest": setting.key, "default": [], "help": str(told)}
            parser.add_argument(f"--{setting.key}", **how)

    @classmethod
    def from_arguments(cls, namespace: argparse.Namespace, *keys: str) -> Self:
        """Read off the flags that `add_arguments` added; raise MetricError if one is wrong."""
        choices, problems = cls.from_query(
            {setting.key: getattr(namespace, setting.key) for setting in cls.settings(keys)}
        )
        for problem in problems:
            raise MetricError(problem)
        return choices


def one_of(key: str, allowed: Sequence[str]) -> Callable[[Sequence[str]], str]:
    """Return a reader of one of some words."""

    def read(texts: Sequence[str]) -> str:
        if texts[-1] not in allowed:
            raise MetricError(
                Text(
                    "{key} must be one of {allowed}; got {got}.",
                    key=key,
                    allowed=Enumerated(allowed),
                    got=excerpt(texts[-1:]),
                )
            )
        return texts[-1]

    return read


def number(
    key: str, lowest: float, highest: float, example: float
) -> Callable[[Sequence[str]], float]:
    """Return a reader of a number within limits.

    Examples
    --------
    >>> number("level", 0.01, 0.9999, 0.95)(["95"])
    Traceback (most recent call last):
    metrics.data.words.MetricError: level must be from 0.01 to 0.9999, such as 0.95; got '95'.
    """

    def read(texts: Sequence[str]) -> float:
        try:
            value = float(texts[-1])
        except ValueError:
            value = float("nan")
        if not lowest <= value <= highest:
            raise MetricError(
                Text(
                    "{key} must be from {lowest} to {highest}, such as {example}; got {got}.",
                    key=key,
                    lowest=lowest,
                    highest=highest,
                    example=example,
                    got=excerpt(texts[-1:]),
                )
            )
        return value

    return read


def yes_or_no(key: str) -> Callable[[Sequence[str]], bool]:
    """Return a reader of a choice that is on or off; `spell_yes_or_no` writes it."""

    def read(texts: Sequence[str]) -> bool:
        return one_of(key, ("yes", "no"))(texts) == "yes"

    return read


def spell_yes_or_no(chosen: bool) -> list[str]:
    """Spell a choice that is on or off."""
    return ["yes" if chosen else "no"]


def excerpt(texts: Sequence[str]) -> str:
    """Quote what was given, for an error; cut where it is long."""
    text = ",".join(texts[:10])
    return repr(text if len(text) <= 40 else text[:39] + "…")
