"""``kofn repair``: an AISBench report with corrected numbers, and the original inside."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from kofn import output
from kofn.repair.note import changes, note, unchanged_files
from kofn.repair.words import answer
from kofn.terminal import inputs, waiting
from kofn.terminal.parsing import Parser
from kofn.terminal.subcommand import Subcommand
from kofn.writing.joining import with_name
from metrics.data.words import Text, plain
from reports import LoadError
from reports.repairing import examine, write_folder, write_zip

DETAILS = Text("""\
AISBench mixes the samples of different questions before it computes pass@k and cons@k, and states
some means of the last samples only. The repaired report has the right numbers in results/ and in
the newest summary, in the layout of the tool, with their 95% intervals: in results under the key
intervals, in the summary in further columns. Each entry of the details holds the samples of one
question again. Predictions, configurations and logs are unchanged. original.zip inside is the
report as it was; NOTE.txt says what was changed.

Only what is known to be wrong is changed. Before FILE appears, kofn reads it again: it must give
the same outcomes, and nothing to repair.

FILE.zip becomes a zip, any other FILE a folder. An existing zip is replaced only with --force; a
folder that holds files is never replaced, and input files are never overwritten.

exit status:
  0  the repaired report was written
  2  otherwise, with a line that says why: nothing to repair, another tool, or what failed
""")
ZIP = ".zip"


def add_flags(parser: Parser) -> None:
    """Give the parser of the subcommand its arguments."""
    parser.add_argument(
        "paths",
        nargs=1,
        metavar="PATH",
        help=Text(
            "a report of AISBench: a folder, zip or results file, or - for one on standard input"
        ),
    )
    output.add_flags(parser, (ZIP, ""), required=True)


def run(arguments: argparse.Namespace) -> int:
    """Write the repaired report; return the exit status."""
    is_zip = arguments.output.lower().endswith(ZIP)
    if refusal := output.refusal(arguments, (ZIP,)) if is_zip else _folder_refusal(arguments):
        return inputs.print_remarks((), [refusal])
    (path,) = arguments.paths
    try:
        with waiting.show_progress(Text("Repairing {path}", path=path)) as progress:
            repair = examine(inputs.source(path), progress)
        sentence = plain(answer(repair))
        if not repair:
            return inputs.print_remarks((), [with_name(path, sentence)])
        write = write_zip if is_zip else write_folder
        written = write(repair, arguments.output, partial(note, repair))
    except LoadError as error:
        return inputs.print_remarks((), [error.text])
    except OSError as error:
        return inputs.print_remarks((), [output.unwritable(arguments.output, error)])
    lines = [sentence, "", *changes(repair.changes), *map(str, unchanged_files(written))]
    sys.stdout.write("\n".join(lines) + "\n")
    output.tell_written(arguments.output)
    return 0


def _folder_refusal(arguments: argparse.Namespace) -> Text | None:
    folder = Path(arguments.output)
    if folder.is_dir() and any(folder.iterdir()):
        return Text("{file} already holds files; give another folder.", file=folder)
    return output.folder_refusal(arguments)


REPAIR = Subcommand(DETAILS, add_flags, run)
