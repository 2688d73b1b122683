"""Prompt versions, and metrics of several datasets together, from the summary."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metrics.data.words import Text
from reports.evaluations.files.config import Config
from reports.files.tree import Tree
from reports.run.report import Run, Suite

MAX_BYTES = 8 << 20
"""Of a summary; a thousand datasets with twenty metrics of ten models each take 3 MiB."""

_NO_VERSION = "-"
"""What stands for the version of a prompt in the row of a group."""


Groups = Mapping[tuple[str, str], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a summary states."""

    # What the tool calls the version of each dataset: a digest of how it asks its questions.
    versions: Mapping[str, str] = field(default_factory=dict)
    groups: Groups = field(default_factory=dict)  # The metrics of each group of datasets and model.
    path: str = ""

    def suites(self, config: Config, runs: Sequence[Run]) -> tuple[Suite, ...]:
        """Return the groups of which every dataset is among the runs of the same folder.

        config: Which datasets, with which weights, a group is of.
        """
        known = {(run.model, run.dataset): run for run in runs}
        return tuple(
            Suite(
                name,
                tuple(known[model, dataset] for dataset in weights),
                tuple(weights.values()),
                metrics,
                self.path,
            )
            for (name, model), metrics in self.groups.items()
            if (weights := config.suites.get(name))
            and any(weights.values())
            and all((model, dataset) in known for dataset in weights)
        )


def read_summary(tree: Tree, path: str) -> Summary:
    """Read a summary.

    path: The newest one, comma separated: dataset, version, metric, mode and one column a model.
    """
    if tree.files[path] > MAX_BYTES:
        problem = Text(
            "is {size} MiB; kofn reads summaries of up to {limit} MiB",
            size=tree.files[path] >> 20,
            limit=MAX_BYTES >> 20,
        )
        raise tree.error(problem, Text("Summarize the run again."), path)
    text = tree.read(path).decode("utf-8-sig", "replace")
    try:
        header, *rows = [*csv.reader(text.splitlines(), quoting=csv.QUOTE_NONE)] or [[]]
    except csv.Error as error:
        problem = Text("is not a table of metrics ({reason})", reason=str(error))
        raise tree.error(problem, Text("Summarize the run again."), path) from error
    whole = [row for row in rows if len(row) == len(header) > 4]
    versions = {row[0]: row[1] for row in whole if row[1] != _NO_VERSION}
    return Summary(versions, _groups(header[4:], whole), path)


def _groups(models: Sequence[str], rows: Sequence[Sequence[str]]) -> Groups:
    """Return the metrics of each group and model."""
    stated: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for name, version, metric, _mode, *cells in rows:
        if version == _NO_VERSION:
            for model, cell in zip(models, cells, strict=True):
                if (value := _share(cell)) is not None:
                    stated[name, model][metric] = value
    return stated


def _share(cell: str) -> float | None:
    """Return a percentage as a fraction."""
    try:
        value = float(cell) / 100
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
