"""Where the tool keeps measurements: ``performances/<model>/<dataset>_details.jsonl``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reports.files.errors import LoadError
from reports.files.tree import Tree, remembered
from reports.run.naming import UNKNOWN

_DETAILS = "_details.jsonl"
_HEAD = 4096
_FIRST = re.compile(rb'\s*\{"data_abbr".{1,2000}?"time_points"\s*:', re.DOTALL)


@dataclass(frozen=True)
class Performance:
    """What was measured of one model on one dataset."""

    model: str
    dataset: str
    details: str | None = None  # A line for each request.
    table: str | None = None  # Means and percentiles over all requests.
    counts: str | None = None  # How many requests there were.
    # Files of the databases that hold the times of requests, by their names.
    times: Mapping[str, str] = field(default_factory=dict)
    configs: Sequence[str] = ()  # Of the run, the newest first.

    @property
    def path(self) -> str:
        """The file that messages name."""
        return self.details or self.table or ""


@remembered
def find_performances(tree: Tree) -> tuple[Performance, ...]:
    """Find what was measured, in the order of the folders."""
    found: defaultdict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    times: dict[tuple[str, ...], dict[str, str]] = {}
    configs: dict[tuple[str, ...], list[str]] = {}
    for path in tree.files:
        match path.split("/"):
            case (*root, "performances", model, file) if file.endswith(_DETAILS):
                found[*root, model, file.removesuffix(_DETAILS)]["details"] = path
            case (*root, "performances", model, file) if file.endswith(".csv"):
                found[*root, model, file.removesuffix(".csv")]["table"] = path
            case (*root, "performances", model, file) if file.endswith(".json"):
                found[*root, model, file.removesuffix(".json")]["counts"] = path
            case (*root, "performances", model, "db_data", file):
                times.setdefault((*root, model), {})[file] = path
            case (*root, "configs", file) if file.endswith(".py"):
                configs.setdefault(tuple(root), []).append(path)
            case (*root, file) if file.endswith(_DETAILS) and _is_measured(tree, path):
                model = root[-1] if root else UNKNOWN
                found[*root[:-1], model, file.removesuffix(_DETAILS)]["details"] = path
    return tuple(
        Performance(
            place[-2],
            place[-1],
            times=times.get(place[:-1], {}),
            configs=sorted(configs.get(place[:-2], ()), reverse=True),
            **files,
        )
        for place, files in sorted(found.items())
        if files.keys() & {"details", "table"}
    )


def _is_measured(tree: Tree, path: str) -> bool:
    """Whether a file that lies elsewhere begins like the lines of requests."""
    try:
        with tree.open(path) as stream:
            return _FIRST.match(stream.read(_HEAD)) is not None
    except LoadError:
        return False
