"""The issues in a report of SWE-bench, or in the logs of a run, and the outcome of each.

``logs/run_evaluation/RUN/MODEL/ISSUE/report.json`` says whether a patch resolved its issue; an
issue that was tried and has no such file did not get to its end, which the tool counts as wrong.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.strict import parse_file
from reports.run.naming import Named, model_of
from reports.samples.heads import MOST, head, paths_with
from reports.samples.reading import needed, unexpected

_BEGIN = re.compile(rb'\s*\{\s*"[^"]+"\s*:\s*\{[^{}]*"resolved"\s*:\s*(?:true|false)\b')
_REPORT, _PATCH, _LOGS = "report.json", "patch.diff", "logs"
_TRIED = {_PATCH, "run_instance.log", "eval.sh", "test_output.txt"}
_COUNTED = ("cost", "api_calls")
_OF_TESTS = (("passed", "success"), ("failed", "failure"))


def logs_in(tree: Tree) -> Iterator[str]:
    """Find the files that say of issues whether they were resolved."""
    for path in list(tree.files)[:MOST]:
        if _is_log(tree, path):
            yield path


def _is_log(tree: Tree, path: str) -> bool:
    return path.endswith(".json") and _BEGIN.match(head(tree, path).start) is not None


def logged(tree: Tree) -> Iterator[tuple[str, list[Reported]]]:
    """Give each model of the logs, by its folder, with its runs; all have the issues of any."""
    runs: defaultdict[str, dict[str, _Logged]] = defaultdict(dict)
    tried: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for path in tree.files:
        file = PurePosixPath(path)
        if file.name in _TRIED:
            tried[_model_and_run(file.parent.parent)].add(file.parent.name)
        elif _is_log(tree, path):
            content = parse_file(tree, path)
            alone = file.name == _REPORT and [file.parent.name] == list(content)
            model, run = _model_and_run(file.parent.parent if alone else file.parent)
            runs[model].setdefault(run, _Logged(path)).add(tree, path, content)
    for model, by_run in runs.items():
        for run, outcome in by_run.items():
            outcome.failed = tried[model, run] - outcome.resolved.keys()
        issues = frozenset(issue for outcome in by_run.values() for issue in outcome.issues)
        yield model, [outcome.reported(run, issues) for run, outcome in by_run.items()]


def _model_and_run(folder: PurePosixPath) -> tuple[str, str]:
    """Return the folder of a model and the run, of the folder that issues lie in."""
    parts = folder.parts
    if parts[-1:] == (_LOGS,):
        parts = parts[:-1]
    if parts[-3:-2] == ("run_evaluation",):
        return "/".join((*parts[:-2], parts[-1])), parts[-2]
    return "/".join(parts), ""


class _Logged:
    """What logs of one run say."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.resolved: dict[str, bool] = {}
        self.failed: set[str] = set()
        self.measured: dict[str, Mapping[str, float]] = {}
        self.patches: dict[str, str] = {}

    @property
    def issues(self) -> set[str]:
        return self.resolved.keys() | self.failed

    def add(self, tree: Tree, path: str, content: Mapping[str, Any]) -> None:
        """Take in a file."""
        for issue, entry in content.items():
            self.resolved[issue] = needed(entry, "resolved", bool, tree.name, path)
            self.measured[issue] = dict(measured_in(entry))
            patch = str(PurePosixPath(path).with_name(_PATCH))
            if patch in tree.files and len(content) == 1:
                self.patches[issue] = patch

    def reported(self, run: str, issues: frozenset[str]) -> Reported:
        """Return it as a report that lists these issues."""
        content = {
            "resolved_ids": [issue for issue, resolved in self.resolved.items() if resolved],
            "unresolved_ids": [issue for issue, resolved in self.resolved.items() if not resolved],
            "error_ids": sorted(self.failed),
        }
        return Reported(self.path, run, content, issues, self.measured, self.patches)


def measured_in(entry: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Give how many tests a patch passed and failed, and what it cost, of what is said of it."""
    for name in _COUNTED:
        if isinstance(entry.get(name), int | float):
            yield name, float(entry[name])
    if kinds := entry.get("tests_status"):
        for name, of in _OF_TESTS:
            yield f"tests_{name}", float(sum(len(kind[of]) for kind in kinds.values()))


COLUMNS = frozenset({"total_instances", "submitted_instances", "resolved_instances"})
"""What every report has."""
STATUS = {
    "unresolved_ids": "unresolved",
    "empty_patch_ids": "empty patch",
    "error_ids": "error",
    "incomplete_ids": "incomplete",
    "resolved_ids": "resolved",
}
"""Lists of issues, and what became of those in each."""


@dataclass(frozen=True, eq=False)
class Reported:
    """What is known of one run of the tool."""

    # Its file, and the name of the run; "" where nothing tells it.
    path: str
    run: str
    # Lists of issues by what became of them, and whatever else a report says.
    content: Mapping[str, Any]
    issues: frozenset[str]
    # Of each issue, where logs stand for a report.
    measured: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    # The files of their patches, likewise.
    patches: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether it is a report, which names all issues, and not logs."""
        return "total_instances" in self.content


def reports_in(tree: Tree) -> Iterator[str]:
    """Find the reports."""
    found = paths_with(tree, COLUMNS, total_instances=int)
    return (path for path in found if not head(tree, path).listed)


def reported(tree: Tree, path: str) -> tuple[Named, Reported]:
    """Return the model of a report, and what it says."""
    content = parse_file(tree, path)
    model, _, run = PurePosixPath(path).stem.rpartition(".")
    issues = frozenset(issue for name in STATUS for issue in content.get(name) or ())
    if not all(isinstance(issue, str) for issue in issues):
        raise unexpected(tree, path)
    if twice := set(content["resolved_ids"]) & {
        issue for name in STATUS if name != "resolved_ids" for issue in content.get(name) or ()
    }:
        raise tree.error(
            Text("{issue:.80} is both resolved and not", issue=min(twice)),
            Text("Have SWE-bench write the report again."),
            path,
        )
    named = model_of(path, stated=model.replace("__", "/"), file=run.replace("__", "/"))
    return named, Reported(path, run, content, issues)
