"""Samples logged by lm-evaluation-harness, and the results beside them.

A line is one filter's verdict on one question, so that a file has as many lines as questions times
filters, and a filter is chosen. Where a question was asked several times, a line holds all answers
and one verdict: of the first answer, of a vote, or a mean.
"""

from __future__ import annotations

from metrics.data.words import Text
from reports.harnesses.lm_eval.logs import RECORD, RESULTS
from reports.harnesses.lm_eval.runs import parts_of
from reports.known_tool import KnownTool, Lacking, having
from reports.samples.reading import PartsReader

TOOL = KnownTool(
    "lm-evaluation-harness",
    Text("samples_TASK_DATE.jsonl, and results_DATE.json beside it"),
    "0.4",
    Text(
        "real files of 0.4.13: two tasks of 26 questions with 4 repeats, two models; a task of 24 "
        "questions with 3 seeds"
    ),
    Text("--log_samples writes the samples of each task beside the means."),
    RECORD,
    (
        Lacking(
            Text("holds only means of whole tasks, not the samples"),
            Text(
                "Load samples_*.jsonl too, which lm_eval writes with --log_samples (and "
                "--output_path)."
            ),
            having(*RESULTS),
        ),
        Lacking(
            Text(
                "holds samples of lm-evaluation-harness in a changed form: each row is a "
                "filter's verdict on all answers to a question"
            ),
            Text(
                "Load samples_*.jsonl as the tool wrote it, with results_*.json beside it; or "
                "judge every answer in resps against target, and give a table with a row for "
                "each answer: question_id (its doc_id), sample, correct."
            ),
            having("doc_id", "resps", "filtered_resps"),
        ),
    ),
    asks=("correct", "filter"),
    newest="0.4.13",
)


_READER = PartsReader(Text("samples of lm-evaluation-harness"), parts_of)
sniff, read = _READER.sniff, _READER.read
