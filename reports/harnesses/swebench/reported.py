"""The issues in a report of SWE-bench, and the outcome of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.strict import parse_file
from reports.run.naming import Named, model_of
from reports.samples.heads import head, paths_with
from reports.samples.reading import unexpected

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
    """What is known of one run of the tool.

    Attributes
    ----------
    path, run : str
        Its file, and the name of the run; "" where nothing tells it.
    content : mapping
        Lists of issues by what became of them, and whatever else a report says.
    measured : mapping of str to mapping of str to float
        Of each issue, where logs stand for a report.
    patches : mapping of str to str
        The files of their patches, likewise.
    """

    path: str
    run: str
    content: Mapping[str, Any]
    issues: frozenset[str]
    measured: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    patches: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether it is a report, which names all issues, and not logs."""
        return "total_instances" in self.content


def reports_in(tree: Tree) -> Iterator[str]:
    """Find the reports."""
    for path in paths_with(tree, COLUMNS):
        found = head(tree, path)
        if not found.listed and isinstance(found.first.get("total_instances"), int):
            yield path


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
        raise LoadError(
            tree.name,
            Text("{issue:.80} is both resolved and not", issue=min(twice)),
            Text("Have SWE-bench write the report again."),
            path,
        )
    named = model_of(path, stated=model.replace("__", "/"), file=run.replace("__", "/"))
    return named, Reported(path, run, content, issues)
