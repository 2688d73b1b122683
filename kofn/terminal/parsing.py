"""Arguments, refused in one line that says which may be meant."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

UNUSABLE = 2


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
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)

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
            return f"{' '.join(map(repr, left))} is one argument too many."
        near = get_close_matches(option, self._option_string_actions, 1)
        said = f" Did you mean {near[0]}?" if near else ""
        return f"There is no option {option}.{said}"

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong, and end."""
        said = message.removeprefix("argument ")
        sentence = said if said.endswith((".", "?")) else f"{said}."
        help = f"{self.prog} --help" if self.prog != "kofn" else "kofn help"
        self.exit(UNUSABLE, f"error: {_escaped(sentence)} {help} says more.\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Name the word that may be meant where one of a few is expected."""
        if action.choices is None or value in action.choices:
            return
        known = list(map(str, action.choices))
        near = get_close_matches(str(value), known, 1)
        meant = f'Did you mean "{near[0]}"? ' if near else ""
        said = f'"{value:.80}" is not possible. {meant}There are: {", ".join(known)}.'
        raise argparse.ArgumentError(action, said)


def _escaped(text: str) -> str:
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
