"""``kofn report``: one file with the conclusions of the pages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kofn import output
from kofn.choices.runs import index_runs, meant_by, shown_runs
from kofn.choices.view import View
from kofn.command import ALIASES
from kofn.report import markdown
from kofn.report.bound import Bound, bind
from kofn.report.chapters import PARTS, chapters
from kofn.report.quoting import quote_answers
from kofn.terminal import inputs, screen
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from kofn.trust.expectations import Expecting
from kofn.writing.layout import Lines
from metrics.data.words import Enumerated, MetricError, Text, instead_of

SUFFIXES = (".html", ".md")
VIEW = ("level", "target", "missing", "segment", "run")
HOW_TO_WRITE = Text(
    "More: -o report.html for the whole report in one file, --all to print it here."
)
DETAILS = Text(
    """\
The report holds the answer, the figure and the tables of each page, the notes of the readers, how
the numbers were made, settings, versions, and the SHA-256 of the files read. As HTML it is one file
that loads nothing from elsewhere: its figures are interactive, its tables need no scripts, and it
prints on A4. As Markdown, its pictures are in a folder beside it, if the extra for pictures is
installed and finds Chromium. Prompts and answers are left out unless you give --with-texts.

chapters:
  {chapters}

exit status:
  0  every path was read and the report was written
  2  otherwise, with a line that says why; everything that could be read is written nevertheless
""",
    chapters=Enumerated(PARTS),
)


def add_flags(parser: Parser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    output.add_flags(parser, SUFFIXES)
    parser.add_argument(
        "--format",
        choices=("html", "md"),
        help=Text("default: as FILE ends, else md; on a terminal the answers alone"),
    )
    parser.add_argument(
        "--only",
        type=_keys,
        default=(),
        metavar="CHAPTER,…",
        help=Text("only these chapters, such as choose-n,compare"),
    )
    parser.add_argument(
        "--with-texts",
        action="store_true",
        help=Text("quote prompts and answers whose verdicts are doubtful"),
    )
    Expecting.add_arguments(parser)
    View.add_arguments(parser, *VIEW)


def run(arguments: argparse.Namespace) -> int:
    """Write the report; return the exit status."""
    suffix = f".{arguments.format}" if arguments.format else _suffix(arguments.output)
    if arguments.output and (refusal := output.refusal(arguments, [suffix])):
        return inputs.print_remarks((), [refusal])
    view = View.from_arguments(arguments, *VIEW)
    reports, problems = inputs.read(arguments)
    runs = index_runs(reports)
    view = view.changed(runs=meant_by(view.runs, runs))
    problems += inputs.unknown_names(runs, view.runs)
    runs = shown_runs(runs, view.runs)
    if runs:
        expecting = Expecting.from_arguments(arguments)
        parts = [*chapters(reports, view, arguments.only, expecting)]
        texts = quote_answers(runs) if arguments.with_texts else ()
        bound = bind(reports, view, parts, texts, arguments.command)
        if _is_looked_at(arguments):
            sys.stdout.write(_in_short(bound))
        else:
            problems += _write(bound, suffix, arguments)
    elif not problems:
        problems.append(Text("There are no outcomes to report on."))
    notes = inputs.notes(reports, [*runs.values()])
    return inputs.print_remarks(notes, problems, every=arguments.all)


def _is_looked_at(arguments: argparse.Namespace) -> bool:
    """Say whether somebody reads on a terminal, and has not asked for the whole."""
    return not (arguments.output or arguments.format or arguments.all) and sys.stdout.isatty()


def _write(bound: Bound, suffix: str, arguments: argparse.Namespace) -> list[Text]:
    """Write a report to where it was asked for; return what went wrong."""
    path = arguments.output
    try:
        if suffix == ".html":
            from kofn.report.page import html_of

            _put(path, html_of(bound))
        else:
            drawn, reason = markdown.pictures(bound) if path else ({}, None)
            places = {
                key: f"{markdown.pictures_folder(Path(path)).name}/{key}.svg" for key in drawn
            }
            _put(path, markdown.markdown_of(bound, places, reason))
            for key, data in drawn.items():
                folder = markdown.pictures_folder(Path(path))
                folder.mkdir(exist_ok=True)
                output.write(str(folder / f"{key}.svg"), data)
    except OSError as error:
        return [output.unwritable(path, error)]
    except MetricError as error:
        return [error.text]
    return []


def _put(path: str | None, text: str) -> None:
    if path:
        output.write(path, output.encoded(text))
        output.tell_written(path)
    else:
        sys.stdout.write(text)


def _in_short(bound: Bound) -> str:
    """Write the answers of the chapters for a terminal."""
    answers: list[Lines] = [[each.title, each.answer] for each in bound.chapters]
    return screen.written(screen.console(), bound.title, (), answers, [str(HOW_TO_WRITE)])


def _suffix(path: str | None) -> str:
    suffix = Path(path).suffix.lower() if path else ".md"
    return suffix if suffix in SUFFIXES else ".html"


def _keys(text: str) -> Sequence[str]:
    keys = [ALIASES.get(key.strip(), key.strip()) for key in text.split(",")]
    for key in keys:
        if key not in PARTS:
            raise argparse.ArgumentTypeError(
                str(
                    Text(
                        'There is no chapter "{name}". {known}',
                        name=key,
                        known=instead_of(key, PARTS),
                    )
                )
            )
    return keys


REPORT = Subcommand(DETAILS, add_flags, run)
