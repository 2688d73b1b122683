"""The paths that a subcommand reads, and its readers' notes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

from kofn.choices.joining import Joining
from kofn.choices.runs import place_in, unknown_runs
from kofn.output import STANDARD_INPUT
from kofn.terminal import screen, waiting
from kofn.terminal.parsing import Parser
from kofn.terminal.remarks import Remark, kind_lines
from metrics.data.words import Text, instead_of
from reports import LoadError, Report, Run, load
from reports.column_mapping import JUDGE, ColumnMapping, with_column
from reports.combining import join_repeated_runs
from reports.file_groups import group_files
from reports.files.notes import Note
from reports.files.stored_files import CHUNK, Upload
from reports.labelling import with_labels
from reports.readings.judging import RULES
from reports.roles import require_roles

LIKENED = 2000
"""The most names beside a path that are likened to it."""
_TWICE = Text("Standard input can be read only once. Give {path} once.", path=STANDARD_INPUT)


def add_flags(parser: Parser) -> None:
    """Give a parser the paths, and the columns of tables."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help=Text(
            "a report folder, a zip, a table, a pattern or an address, or the files of a report; "
            "{sign} for one on standard input",
            sign=STANDARD_INPUT,
        ),
    )
    parser.add_argument(
        "--column",
        action="append",
        type=_column,
        default=[],
        metavar="ROLE=NAME",
        help=Text(
            "what a column of a table holds: correct=verdict, model=ckpt; right=PASS says which "
            "verdict means right; may be repeated"
        ),
    )
    parser.add_argument(
        "--where",
        metavar="CONDITION",
        help=Text("use only these rows of a table, as in SQL: \"split = 'test' AND level <= 3\""),
    )
    parser.add_argument(
        "--judge-by",
        choices=RULES,
        help=Text(
            "judge a table that has no verdicts: exact, the text equals the reference; or by the "
            "last letter, number or formula in the text"
        ),
    )
    Joining.add_arguments(parser)
    parser.add_argument(
        "--all",
        action="store_true",
        help=Text("show everything, and each note in full instead of one of each kind"),
    )


def read(arguments: argparse.Namespace) -> tuple[list[Report], list[Text]]:
    """Load every path; what cannot be loaded, or joined if asked, is a sentence instead."""
    reports: list[Report] = []
    problems: list[Text] = []
    columns: ColumnMapping = {}
    for role, name in arguments.column:
        columns = with_column(columns, role, name)
    if arguments.judge_by:
        columns = with_column(columns, JUDGE, arguments.judge_by)
    for group in group_files(arguments.paths):
        first, *others = dict.fromkeys(arguments.paths[number] for number in group)
        if first == STANDARD_INPUT in arguments.paths[: group[0]]:
            problems.append(_TWICE)
            continue
        given: Any = [first, *others] if others else source(first)
        try:
            with waiting.show_progress(Text("Reading {path}", path=first)) as progress:
                report = load(given, progress=progress, columns=columns, where=arguments.where)
            _take(report, reports)
        except LoadError as error:
            problems.append(_with_near_path(error.text, first))
    reports, unfit = with_labels(reports)
    problems += unfit
    if Joining.from_arguments(arguments).joined:
        with waiting.show_progress(Text("Comparing texts")) as progress:
            reports, refused = join_repeated_runs(reports, progress)
        problems += refused
    return reports, problems


def _take(report: Report, reports: list[Report]) -> None:
    """Take a report in; of one that is given twice only say so."""
    for place, other in enumerate(reports):
        if other.digest == report.digest:
            what = Text("The same file was given twice and is read once.")
            reports[place] = replace(other, notes=(*other.notes, Note(what, severity="warning")))
            return
    reports.append(report)


def source(path: str) -> str | Upload:
    """Return what a path means: itself, or what comes on standard input."""
    if path != STANDARD_INPUT:
        return path
    return Upload.of("standard input", iter(lambda: sys.stdin.buffer.read(CHUNK), b""), 0)


def _with_near_path(problem: Text, path: str) -> Text:
    """Return what is wrong with a path and, where nothing is there, which one may be meant."""
    given = Path(path)
    if "://" in path or os.path.exists(path) or not given.parent.is_dir():
        return problem
    names = (each.name for each in islice(os.scandir(given.parent), LIKENED))
    near = get_close_matches(given.name, names, 1)
    if not near:
        return problem
    return Text("{problem} Did you mean {near}?", problem=problem, near=given.with_name(near[0]))


def unknown_names(runs: Mapping[str, Run], names: Iterable[str]) -> list[Text]:
    """Say which names no run has, and which there are."""
    return [
        Text("No run is called {name}. {known}", name=f"{name:.80}", known=instead_of(name, runs))
        for name in unknown_runs(runs, names)
    ]


def notes(reports: Sequence[Report], runs: Sequence[Run]) -> Iterator[Remark]:
    """Say what the readers of the reports noted, about all and about some runs."""
    shown = set(map(id, runs))
    for report in reports:
        of_runs = (note for run in report.runs if id(run) in shown for note in run.notes)
        for note in (*report.notes, *of_runs):
            yield Remark(note.severity, place_in(report, note.where, report.name), note.what)


def print_remarks(
    remarks: Iterable[Remark], problems: Sequence[Text], *, every: bool = True
) -> int:
    """Print remarks and errors to stderr, each once; return the exit status.

    every: Whether each remark is shown in full; otherwise a line for each kind.
    """
    target = screen.console(sys.stderr)
    each = list(dict.fromkeys(remarks))
    lines = [*map(str, each)] if every else [*kind_lines(each)]
    for line in dict.fromkeys(lines):
        screen.print_line(target, line, cut=not every)
    if len(lines) < len(each) or (not every and target.is_terminal and each):
        hint = Text(
            "--all shows {count} note in full.",
            "--all shows all {count} notes in full.",
            count=len(each),
        )
        screen.print_line(target, str(hint))
    for problem in dict.fromkeys(problems):
        screen.print_line(target, str(Remark("error", "", problem)))
    return 2 if problems else 0


def _column(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not (role and equals and name):
        sentence = Text("{text!r} must read ROLE=NAME, such as correct=verdict", text=text)
        raise argparse.ArgumentTypeError(str(sentence))
    try:
        require_roles({role: name}, "")
    except LoadError as error:
        raise argparse.ArgumentTypeError(str(error.within)) from error
    return role, name
