"""``kofn completion``: a script with which a shell completes subcommands, options and paths."""

from __future__ import annotations

import argparse
from pkgutil import resolve_name

from kofn.command import SUBCOMMANDS, parser_of
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from metrics.data.words import Text

SHELLS = ("bash", "zsh", "fish")
DETAILS = Text(
    """\
Write the script to the place where the shell looks:

  bash  kofn completion bash > ~/.local/share/bash-completion/completions/kofn
  zsh   kofn completion zsh > ~/.zfunc/_kofn     with fpath+=~/.zfunc before compinit in ~/.zshrc
  fish  kofn completion fish > ~/.config/fish/completions/kofn.fish
"""
)


def add_flags(parser: Parser) -> None:
    """Give the parser of the subcommand its argument."""
    parser.add_argument("shell", choices=SHELLS, help=Text("the shell to complete in"))


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    print(shtab.complete(whole_parser(), arguments.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """Return a parser of every subcommand with all its options."""
    import shtab

    parser, choices = parser_of()
    for name, offer in SUBCOMMANDS.items():
        subcommand: Subcommand = resolve_name(offer.dotted_name)
        of_one: Parser = choices.choices[name]
        subcommand.add_flags(of_one)
        for action in of_one._actions:
            if action.dest in ("paths", "output", "reports"):
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return parser


COMPLETION = Subcommand(DETAILS, add_flags, run)
