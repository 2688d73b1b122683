"""What the summary states of several datasets together: the rows of its groups."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence

from metrics.data.words import Text
from reports.evaluations.files.config import Config
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.run.report import Run, Suite

MAX_BYTES = 8 << 20
"""Of a summary; a thousand datasets with twenty metrics of ten models each take 3 MiB."""

_NO_VERSION = "-"
"""What stands for the version of a prompt in the row of a group."""


def read_suites(tree: Tree, path: str, config: Config, runs: Sequence[Run]) -> tuple[Suite, ...]:
    """Read the rows of groups of datasets.

    Parameters
    ----------
    tree : Tree
    path : str
        The newest summary, comma separated: dataset, version, metric, mode and one column a model.
    config : Config
        Which datasets, with which weights, a group is of.
    runs : sequence of Run
        Of the same folder.

    Returns
    -------
    tuple of Suite
        Those of which every dataset is among the runs.

    Raises
    ------
    LoadError
        If the file is too large or cannot be read.
    """
    if tree.files[path] > MAX_BYTES:
        problem = Text(
            "is {size:,} MiB; a summary of metrics takes up to {limit}",
            size=tree.files[path] >> 20,
            limit=MAX_BYTES >> 20,
        )
        raise LoadError(tree.name, problem, Text("Summarize the run again."), path)
    text = tree.read(path).decode("utf-8-sig", "replace")
    try:
        rows = csv.reader(text.splitlines(), quoting=csv.QUOTE_NONE)
        header = next(rows, [])
        stated = _stated(header, rows)
    except csv.Error as error:
        problem = Text("is not a table of metrics ({reason})", reason=str(error))
        raise LoadError(tree.name, problem, Text("Summarize the run again."), path) from error
    known = {(run.model, run.dataset): run for run in runs}
    return tuple(
        Suite(
            name,
            tuple(known[model, dataset] for dataset in weights),
            tuple(weights.values()),
            metrics,
            path,
        )
        for (name, model), metrics in stated.items()
        if (weights := config.suites.get(name))
        and any(weights.values())
        and all((model, dataset) in known for dataset in weights)
    )


def _stated(
    header: Sequence[str], rows: Iterable[Sequence[str]]
) -> dict[tuple[str, str], dict[str, float]]:
    """Return the metrics of each group and model."""
    stated: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in rows:
        if len(row) == len(header) > 4 and row[1] == _NO_VERSION:
            for model, cell in zip(header[4:], row[4:], strict=True):
                if (value := _share(cell)) is not None:
                    stated[row[0], model][row[2]] = value
    return stated


def _share(cell: str) -> float | None:
    """Return a percentage as a fraction."""
    try:
        value = float(cell) / 100
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
