"""``kofn tools``: which tools' files are read, from which versions, and what was checked."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from operator import itemgetter

from kofn.terminal import screen
from kofn.terminal.brief import SCREEN, brief
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from kofn.tools.answer import answer
from kofn.writing import latex
from kofn.writing.columns import Block, Column, for_people
from kofn.writing.kinds import WORD
from kofn.writing.layout import Grid, Lines, csv_text, markdown
from metrics.data.words import Text
from reports.known_tool import KnownTool
from reports.loading import TOOLS

DETAILS = Text(
    """\
formats:
  table  a line for each tool, or with --all a block
  json   {{"answer", "tools": [one object for each]}}
  csv    a row for each tool: tool, versions, newest_checked, reads, checked_on, to_write_more
  md     the same as a Markdown table, which docs/formats.md holds
  latex  the same for a paper
"""
)
HEADS = {
    "tool": Text("tool"),
    "versions": Text("versions"),
    "newest_checked": Text("newest checked"),
    "reads": Text("reads"),
    "checked_on": Text("checked on"),
    "to_write_more": Text("to write more"),
}
"""What paper calls the columns."""
MORE = Text("More: --all for the files each reads, how that was checked, and how to write more.")
_NAMES = {
    "newest_checked": Text("newest"),
    "reads": Text("reads"),
    "checked_on": Text("checked"),
    "to_write_more": Text("advice"),
}
"""What a terminal calls the columns."""


def add_flags(parser: Parser) -> None:
    """Give the parser of the subcommand its arguments."""
    parser.add_argument(
        "--all",
        action="store_true",
        help=Text("say what each reads, on which files that was checked, and how to write more"),
    )
    parser.add_argument(
        "--format", choices=("table", "json", "csv", "md", "latex"), default="table"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the tools; return the exit status."""
    sys.stdout.write(written(TOOLS, arguments.format, whole=arguments.all))
    return 0


def written(tools: Sequence[KnownTool], layout: str, *, whole: bool = True) -> str:
    """Write what is known of tools.

    whole: Whether a terminal shows all that is known.
    """
    rows = [*map(_row, tools)]
    sentence = str(answer(tools))
    match layout:
        case "json":
            return (
                json.dumps({"answer": sentence, "tools": rows}, indent=2, ensure_ascii=False) + "\n"
            )
        case "csv":
            import pandas as pd

            return csv_text(pd.DataFrame(rows))
        case "md" | "latex":
            heads = [{str(HEADS[name]): cell for name, cell in row.items()} for row in rows]
            if layout == "latex":
                return latex.document(sentence, [heads], sentence)
            return f"{sentence}\n\n{markdown(heads)}\n"
    target = screen.console()
    if whole:
        return screen.written(target, sentence, blocks=map(_lines, rows))
    table = Block("", [*map(_column, ("tool", "versions", "newest_checked", "reads"))], rows)
    size = target.width, SCREEN - screen.height_of(target, sentence, ())
    return screen.written(target, sentence, (), *brief([table], size, bars=False, more=MORE))


def _column(key: str) -> Column[dict[str, str]]:
    return for_people(HEADS[key], WORD, itemgetter(key))


def _row(tool: KnownTool) -> dict[str, str]:
    return {
        "tool": tool.name,
        "versions": tool.versions,
        "newest_checked": tool.newest,
        "reads": str(tool.files),
        "checked_on": str(tool.checked),
        "to_write_more": str(tool.more) if tool.more else "",
    }


def _lines(row: dict[str, str]) -> Lines:
    facts = [{"name": str(name), "value": row[key]} for key, name in _NAMES.items() if row[key]]
    return [" ".join((row["tool"], row["versions"])), Grid(facts, head=False)]


TOOLS_COMMAND = Subcommand(DETAILS, add_flags, run)
