"""What a user chose, one frozen dataclass per subject, converted to a URL, flags and JSON."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from kofn.choices.settings import Setting
from metrics.data.words import MetricError, Text


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

        query: Untrusted. A key that names no setting is somebody else's and passed over.
        Returns: The settings, and one sentence for each that was left at its default.
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
    def add_arguments(
        cls, parser: argparse.ArgumentParser, *keys: str, **defaults: Text | str
    ) -> None:
        """Give a parser the flags of some settings, by their keys; without keys, of all.

        Their help adds what `defaults` say, by key, of where a flag is not given.
        """
        for setting in cls.settings(keys):
            about = setting.help
            if setting.key in defaults:
                about = Text("{help} (default: {value})", help=about, value=defaults[setting.key])
            how: dict[str, Any] = {"action": "append", "metavar": setting.metavar}
            if setting.bare:
                how = {"action": "append_const", "const": "yes"}
            how |= {"dest": setting.key, "default": [], "help": str(about)}
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
