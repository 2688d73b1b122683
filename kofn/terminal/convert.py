"""``kofn convert``: any report as one table of outcomes, or as a store of evaluations."""

from __future__ import annotations

import argparse

from kofn import output
from kofn.terminal import inputs
from kofn.terminal.parsing import Parser
from kofn.terminal.remarks import Remark
from kofn.terminal.subcommand import Subcommand
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.words import Text
from reports import LoadError, tables
from reports.harnesses import every_eval_ever
from reports.tables.writing.files import SUFFIXES

TABLE, RECORDS = FORMATS = ("table", "every-eval-ever")

DETAILS = Text(
    """\
The table has a row for every sample of every question: run, model, dataset, question_id, sample,
correct, status (graded, failed or absent), score, threshold, strict, extracted (equal numbers are
equal answers), cluster, verified, grouping, settings (how the run was made, as JSON in its first
row), a column segment.NAME for each division of the questions, label.NAME for words such as why a
sample ended, state (right, wrong, no answer, cut or failed) where more is known than verdicts, and
whatever else was measured. kofn loads the table again with the same outcomes. In CSV, an apostrophe
precedes texts that a spreadsheet would run as a formula; kofn removes it again.

With --to every-eval-ever, FILE is a folder: data/DATASET/DEVELOPER/MODEL/ has, for each run, its
settings and results and a record for each sample with its texts, in the schema of Every Eval Ever.

An existing file is replaced only with --force. Input files are never overwritten.

exit status:
  0  every path was read and the table was written
  2  otherwise, with a line that says why; everything that could be read is written nevertheless,
     unless FILE cannot be written
"""
)


def add_flags(parser: Parser) -> None:
    """Give the parser of the subcommand its arguments."""
    inputs.add_flags(parser)
    output.add_flags(parser, SUFFIXES, required=True)
    parser.add_argument(
        "--to",
        choices=FORMATS,
        default=TABLE,
        help=Text(
            "what to write: one table (the default), or a folder of records of Every Eval Ever"
        ),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the table; return the exit status."""
    is_table = arguments.to == TABLE
    if refusal := (
        output.refusal(arguments, SUFFIXES) if is_table else output.folder_refusal(arguments)
    ):
        return inputs.print_remarks((), [refusal])
    reports, problems = inputs.read(arguments)
    runs = [run for report in reports for run in report.runs]
    notes = list(inputs.notes(reports, runs))
    if any(run.outcomes is not None for run in runs):
        try:
            write = tables.write if is_table else every_eval_ever.write
            for note in write(runs, arguments.output):
                notes.append(Remark(note.severity, note.where or arguments.output, note.what))
        except OSError as error:
            problems.append(output.unwritable(arguments.output, error))
        except LoadError as error:
            problems.append(error.text)
    elif any(run.counts is not None for run in runs):
        problems.append(NEEDS_SAMPLES)
    else:
        problems.append(Text("There are no outcomes to write; the lines above explain why."))
    return inputs.print_remarks(notes, problems, every=arguments.all)


CONVERT = Subcommand(DETAILS, add_flags, run)
