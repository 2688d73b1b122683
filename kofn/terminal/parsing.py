"""Refuse arguments in one line that suggests what may be meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from kofn.writing.languages import LANGUAGES
from kofn.writing.wrapping import is_wide, wrapped
from metrics.data.words import Text, instead_of, reader

UNUSABLE = 2
_FIRST_COLUMN = re.compile(r" *(?:\S+ {2,})?")
OWN = (
    Text("usage: "),
    Text("options"),
    Text("positional arguments"),
    Text("show this help message and exit"),
    Text("argument %(argument_name)s: %(message)s"),
    Text("the following arguments are required: %s"),
    Text("not allowed with argument %s"),
    Text("ambiguous option: %(option)s could match %(matches)s"),
    Text("ignored explicit argument %r"),
    Text("invalid %(type)s value: %(value)r"),
    Text("expected one argument"),
    Text("expected at most one argument"),
    Text("expected at least one argument"),
)
"""What argparse says itself, for the catalogues."""


def _translated(message: str) -> str:
    catalogue = reader()
    return catalogue.gettext(message) if catalogue else message


vars(argparse)["_"] = _translated  # its own words are found by nothing else


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as argparse lays it out, broken where Chinese may be."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width) if is_wide(text) else super()._split_lines(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not is_wide(text):
            return super()._fill_text(text, width, indent)
        return "\n".join(each for line in text.splitlines() for each in _hanging(line, width))


def _hanging(line: str, width: int) -> Iterator[str]:
    """Break a line of two columns within the second, and any other as far right as it begins."""
    found = _FIRST_COLUMN.match(line)
    start = found[0] if found else ""
    first, *rest = wrapped(line[len(start) :], width - len(start))
    yield start + first
    yield from (" " * len(start) + each for each in rest)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line each.

    Examples
    --------
    >>> parser = Parser(prog="kofn score")
    >>> _ = parser.add_argument("--format", choices=("table", "json"))
    >>> print(parser.unknown(["--fromat", "json"]))
    There is no option --fromat. Did you mean --format?
    """

    def __init__(self, **options: Any) -> None:
        texts = {name: str(value) for name, value in options.items() if isinstance(value, Text)}
        super().__init__(formatter_class=_Formatter, **options | texts)

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        """Add an argument whose help is a `Text`."""
        if isinstance(options.get("help"), Text):
            options["help"] = str(options["help"])
        return super().add_argument(*names, **options)

    def add_language(self) -> None:
        """Add the flag that `kofn.writing.languages.asked_for` reads beforehand."""
        self.add_argument(
            "--lang",
            choices=tuple(LANGUAGES),
            help=Text("language of all that is said (default: KOFN_LANG, else as the system has)"),
        )

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse all arguments; an unknown option is an error that names the nearest one."""
        found, left = self.parse_known_args(args, namespace)
        if left:
            self.error(self.unknown(left))
        return found

    def unknown(self, left: Sequence[str]) -> str:
        """Say what is not known of what was given."""
        option = next((word.partition("=")[0] for word in left if word.startswith("-")), "")
        if not option:
            return str(
                Text("{argument} is one argument too many.", argument=" ".join(map(repr, left)))
            )
        for near in get_close_matches(option, self._option_string_actions, 1):
            return str(
                Text("There is no option {option}. Did you mean {near}?", option=option, near=near)
            )
        return str(Text("There is no option {option}.", option=option))

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong, and end."""
        sentence = _escaped(message.removeprefix("argument "))
        help = f"{self.prog} --help" if self.prog != "kofn" else "kofn help"
        ended = sentence.endswith((".", "?", "。", "？"))
        whole = (
            Text("error: {problem} {command} says more.", problem=sentence, command=help)
            if ended
            else Text("error: {problem}. {command} says more.", problem=sentence, command=help)
        )
        self.exit(UNUSABLE, f"{whole}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Name the word that may be meant where one of a few is expected."""
        if action.choices is None or value in action.choices:
            return
        known = list(map(str, action.choices))
        sentence = Text(
            '"{value}" is not possible. {known}',
            value=f"{value:.80}",
            known=instead_of(str(value), known),
        )
        raise argparse.ArgumentError(action, str(sentence))


def _escaped(text: str) -> str:
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
