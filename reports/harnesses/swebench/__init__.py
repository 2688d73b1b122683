"""Reports of SWE-bench: which issues the patches of a run resolved.

One run of the tool is one sample: the reports of a model are the samples of one run here.
"""

from __future__ import annotations

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.swebench.reported import COLUMNS, logs_in, reports_in
from reports.harnesses.swebench.runs import parts_of
from reports.known_tool import KnownTool, Lacking, having
from reports.run.report import Report
from reports.samples.heads import Head
from reports.samples.reading import report


def _is_prediction(_: str, head: Head) -> bool:
    """Whether a file holds predictions: listed, a line each, or by their issues."""
    first = next(iter(head.first.values()), None)
    held = frozenset(first) if isinstance(first, dict) else head.names
    return _PREDICTION <= held <= _PREDICTION | _BESIDE


_PREDICTION = frozenset({"instance_id", "model_patch"})
_BESIDE = frozenset({"model_name_or_path", "full_output", "cost", "text"})
TOOL = KnownTool(
    "SWE-bench",
    Text(
        "MODEL.RUN.json, several of a model as samples, with logs/ beside them for patches and "
        "tests; logs/ or a report.json alone; per_instance_details.json"
    ),
    "2 to 5",
    Text(
        "seven real reports of 5.0.2 and their logs, two models on 12 issues; "
        "per_instance_details.json on a file made from its description"
    ),
    columns=COLUMNS,
    lacking=(
        Lacking(
            Text("holds patches that SWE-bench has not tested yet"),
            Text(
                "Load MODEL.RUN.json, which python -m swebench.harness.run_evaluation "
                "--predictions_path FILE --run_id RUN writes, with the result of each issue."
            ),
            _is_prediction,
        ),
        Lacking(
            Text("names the issues that were resolved, but not those that were tried"),
            Text("Load MODEL.RUN.json of SWE-bench, or logs/ with the report.json of each issue."),
            having("resolved", "no_generation"),
        ),
    ),
    newest="5.0.2",
)


def sniff(tree: Tree) -> bool:
    """Whether a tree holds reports of the tool, or logs of what became of single issues."""
    return any(reports_in(tree)) or any(logs_in(tree))


def read(tree: Tree) -> Report:
    """Read the reports of a tree, those of a model in one folder on the same issues as one run.

    Of a model without any, the logs tell which issues were resolved of those that were tried.
    """
    return report(tree, Text("SWE-bench reports"), parts_of(tree))
