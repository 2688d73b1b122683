"""Records of Every Eval Ever: a line for each sample of an evaluation, from any tool."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.every_eval_ever.files import EVALUATION, RECORD, samples_of
from reports.harnesses.every_eval_ever.runs import runs_of
from reports.harnesses.every_eval_ever.writing import write
from reports.known_tool import KnownTool, Lacking, having
from reports.samples.reading import Part, PartsReader
from reports.samples.verdict_choice import VerdictChooser

__all__ = ["TOOL", "read", "sniff", "write"]

TOOL = KnownTool(
    "Every Eval Ever",
    Text("UUID_samples.jsonl, and UUID.json beside it for what is stated and how it was made"),
    "schema 0.2.2 and 0.3.0",
    Text(
        "twelve evaluations of Inspect and lm-evaluation-harness, converted by every_eval_ever "
        "0.2.3rc1 and 0.3.0"
    ),
    Text("Its converters write the samples with --include-instances where the tool kept them."),
    RECORD,
    (
        Lacking(
            Text("states scores of whole evaluations, and holds no samples"),
            Text(
                "Load *_samples.jsonl too, which a converter writes where the tool's log has the "
                "samples (--include-instances)."
            ),
            having(*EVALUATION),
        ),
    ),
    asks=("correct",),
    newest="0.3.0",
)


def _parts(tree: Tree, asking: VerdictChooser) -> Iterator[Part]:
    for path, about in samples_of(tree):
        yield Part(path, partial(runs_of, tree, path, about, asking), (about,) if about else ())


_READER = PartsReader(Text("records of Every Eval Ever"), _parts)
sniff, read = _READER.sniff, _READER.read
