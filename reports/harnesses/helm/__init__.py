"""Runs of HELM: the scores and the texts of each instance."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.helm.folder import folders
from reports.harnesses.helm.runs import runs_of
from reports.known_tool import KnownTool, Lacking, having, having_only
from reports.samples.reading import Part, PartsReader
from reports.samples.verdict_choice import VerdictChooser

_OF_INSTANCES = (
    *("train_trial_index", "perturbation", "split", "sub_split", "extra_data"),
    *("contrast_inputs", "contrast_references"),
)
_INSTANCES = Text(
    "Load the whole folder of the run: per_instance_stats.json, which helm-run writes beside it, "
    "holds the score of each instance."
)
TOOL = KnownTool(
    "HELM",
    Text(
        "the folder of a run: per_instance_stats.json or display_predictions.json, with run_spec, "
        "scenario_state and stats beside"
    ),
    "0.5",
    Text(
        "two real runs of 0.5.16: 10 instances by 4 completions, and 4 by 2 train trials, each "
        "also with perturbed texts"
    ),
    Text("helm-run writes all that is needed; helm-summarize adds display_predictions.json."),
    frozenset({"instance_id", "train_trial_index", "predicted_text", "stats"}),
    (
        Lacking(
            Text("holds only means of a run of HELM, not the single instances"),
            _INSTANCES,
            having("name", "count", "sum", "sum_squared"),
        ),
        Lacking(
            Text("holds the requests of a run of HELM, but no scores"),
            _INSTANCES,
            having_only("instance_id", "request", perhaps=_OF_INSTANCES),
        ),
        Lacking(
            Text("holds the instances of a run of HELM, but no scores"),
            _INSTANCES,
            having_only("input", "references", "id", perhaps=_OF_INSTANCES),
        ),
        Lacking(
            Text("states how a run of HELM was made, but no scores"),
            _INSTANCES,
            having("scenario_spec", "adapter_spec"),
        ),
        Lacking(
            Text("describes a scenario of HELM, but holds no scores"),
            _INSTANCES,
            having("name", "description", "tags", "definition_path"),
        ),
    ),
    asks=("correct",),
    newest="0.5.16",
)


def _parts(tree: Tree, asking: VerdictChooser) -> Iterator[Part]:
    for folder in folders(tree):
        yield Part(folder.main, partial(runs_of, folder, asking), folder.known)


_READER = PartsReader(Text("HELM runs"), _parts)
sniff, read = _READER.sniff, _READER.read
