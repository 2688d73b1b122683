"""Details of LightEval: a row of Parquet for each question, with all its answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.lighteval.files import NEW, RESULTS, details_of, results_of, stating
from reports.harnesses.lighteval.runs import runs_of
from reports.known_tool import KnownTool, Lacking, having
from reports.samples.reading import Part, PartsReader
from reports.samples.verdict_choice import VerdictChooser

TOOL = KnownTool(
    "LightEval",
    Text("details_TASK_DATE.parquet, and results_DATE.json for the model and its settings"),
    "0.13, and 0.6 to 0.8",
    Text(
        "two real runs of 0.13.0, 26 questions by 4 samples; the columns of 0.6 to 0.8 on files "
        "made from the tool's source code"
    ),
    Text("--save-details writes the answers beside the means; avg@n says how many are right."),
    NEW,
    (
        Lacking(
            Text("holds only means of whole tasks, not the answers"),
            Text("Load the folder details/ too, which lighteval writes with --save-details."),
            having(*RESULTS),
        ),
    ),
    asks=("correct",),
    newest="0.13.0",
)


def _parts(tree: Tree, asking: VerdictChooser) -> Iterator[Part]:
    results = tuple(results_of(tree))
    stated = stating(tree, results)
    for path in details_of(tree):
        yield Part(path, partial(runs_of, tree, path, stated, asking), results)


_READER = PartsReader(Text("LightEval details"), _parts)
sniff, read = _READER.sniff, _READER.read
