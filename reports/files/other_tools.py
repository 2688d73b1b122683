"""Files of other tools: told apart by their columns, keys or members, and not read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from metrics.data.words import Text
from reports.files.errors import LoadError

SUMMARY = ("dataset", "version", "metric", "mode")
"""The first columns of a report's summary."""


class Foreign(NamedTuple):
    """What a file of another tool is, and what kofn needs instead."""

    what: Text
    needs: Text

    def error(self, file: str, place: str = "") -> LoadError:
        """Make the error of such a file."""
        problem = Text("looks like {what}; kofn does not read that", what=self.what)
        return LoadError(file, problem, self.needs, place)


_A_ROW_EACH = Text(
    "Give a table (Parquet, CSV or JSONL) with a row for each sample: question_id, sample, correct."
)
_FROM_INSPECT = Text(
    "Give the log itself, or what inspect_ai.analysis.samples_df makes of it, with its scores."
)
FROM_A_SHEET = Text(
    "Save the sheet as CSV (UTF-8), with a row for each sample: question_id, sample, correct."
)
"""What is needed instead of a spreadsheet."""

_WHOLE_REPORT = Text(
    "Load the whole folder of the run: results/ and predictions/ say how every sample fared."
)

_KNOWN: tuple[tuple[frozenset[str], Text, Text], ...] = (
    (
        frozenset(SUMMARY),
        Text("the summary of a report of AISBench or OpenCompass, which holds means only"),
        _WHOLE_REPORT,
    ),
    (
        frozenset({"data_abbr", "id", "error_info"}),
        Text("the failed requests of a run of AISBench, none of which has an answer"),
        _WHOLE_REPORT,
    ),
    (
        frozenset({"doc_id", "resps", "filtered_resps"}),
        Text(
            "samples logged by lm-evaluation-harness, where a line is a filter's verdict on all "
            "samples of a question"
        ),
        Text(
            "Load samples_*.jsonl as the tool wrote it, with results_*.json beside it; or judge "
            "every answer in resps by target, and give a table with a row for each: question_id "
            "(its doc_id), sample, correct."
        ),
    ),
    (frozenset({"sample_id", "eval_id", "epoch"}), Text("samples of Inspect"), _FROM_INSPECT),
    (
        frozenset({"eval_id", "task_name", "completed_samples"}),
        Text("the evaluations of Inspect without their samples"),
        _FROM_INSPECT,
    ),
    (
        frozenset({"index", "model_output"}),
        Text("predictions of EvalScope"),
        Text("Load the whole folder of the run: reviews/ holds the score of each generation."),
    ),
    (
        frozenset({"question_id", "output_list", "code_list"}),
        Text("outputs of LiveCodeBench without verdicts"),
        Text(
            "Let it evaluate them (--evaluate): *_eval_all.json holds the verdict of each sample."
        ),
    ),
    (frozenset({"cells", "nbformat"}), Text("a Jupyter notebook"), _A_ROW_EACH),
    (frozenset({"xl/workbook.xml"}), Text("a spreadsheet of Excel"), FROM_A_SHEET),
    (frozenset({"word/document.xml"}), Text("a document of Word"), _A_ROW_EACH),
)
"""Names that a file of each kind has, what it is and what kofn needs instead."""


def foreign(names: Iterable[str]) -> Foreign | None:
    """Return which tool's file it is that has these columns, keys or members.

    Examples
    --------
    >>> found = foreign(["cells", "metadata", "nbformat"])
    >>> str(found.what) if found else None
    'a Jupyter notebook'
    """
    there = frozenset(names)
    return next((Foreign(what, needs) for names, what, needs in _KNOWN if names <= there), None)
