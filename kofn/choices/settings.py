"""How one thing that a user chooses is spelled: in a URL, as a flag and in JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.data.words import Enumerated, MetricError, Text

Read = Callable[[Sequence[str]], Any]
"""From one or more untrusted strings to a value; raises MetricError."""


def _as_json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Setting:
    """How one field of some choices is spelled."""

    key: str  # Its name in a URL, as a flag and in JSON.
    read: Read
    metavar: str  # What the flag's value looks like.
    help: Text
    spell: Callable[[Any], list[str]] = lambda value: [str(value)]  # To strings that `read` takes.
    document: Callable[[Any], Any] = _as_json  # To what `json.dumps` takes.
    bare: bool = False  # Whether its flag stands alone, for yes.
    field: str = ""  # Its attribute, by default called as the key.

    def __post_init__(self) -> None:
        """Name the attribute."""
        object.__setattr__(self, "field", self.field or self.key.replace("-", "_"))


def word(key: str, metavar: str, help: Text, field: str = "") -> Setting:
    """Return the setting of any text."""
    return Setting(key, lambda texts: texts[-1], metavar, help, field=field)


def run_in_detail(help: Text) -> Setting:
    """Return the setting of the run that a page shows in detail, by its name or key."""
    return word("detail", "RUN", help)


def file_setting(key: str, help: Text) -> Setting:
    """Return the setting of a path: only commands take one, addresses of pages do not."""
    return word(key, "FILE", help)


def one_of(
    key: str, allowed: Sequence[str], help: Text, metavar: str = "", field: str = ""
) -> Setting:
    """Return the setting of one of some words."""
    metavar = metavar or "|".join(allowed)
    return Setting(key, read_one_of(key, allowed), metavar, help, field=field)


def number(
    key: str,
    within: tuple[float, float, float],
    help: Text,
    metavar: str = "FRACTION",
    field: str = "",
) -> Setting:
    """Return the setting of a number from the lowest to the highest, such as the third."""
    return Setting(key, read_number(key, *within), metavar, help, field=field)


def switch(key: str, help: Text, field: str = "", *, bare: bool = False) -> Setting:
    """Return the setting of what is on or off; its flag takes yes or no, or stands alone."""
    words = read_one_of(key, ("yes", "no"))
    document = _as_json if bare else _yes_or_no
    return Setting(
        key,
        lambda texts: words(texts) == "yes",
        "yes|no",
        help,
        lambda chosen: [_yes_or_no(chosen)],
        document,
        bare,
        field,
    )


def _yes_or_no(chosen: bool) -> str:
    return "yes" if chosen else "no"


def read_one_of(key: str, allowed: Sequence[str]) -> Callable[[Sequence[str]], str]:
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


def read_number(
    key: str, lowest: float, highest: float, example: float
) -> Callable[[Sequence[str]], float]:
    """Return a reader of a number within limits.

    Examples
    --------
    >>> read_number("level", 0.01, 0.9999, 0.95)(["95"])
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


def excerpt(texts: Sequence[str]) -> str:
    """Quote what was given, for an error; cut where it is long."""
    text = ",".join(texts[:10])
    return repr(text if len(text) <= 40 else text[:39] + "…")
