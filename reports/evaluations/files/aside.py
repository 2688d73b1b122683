"""Files that the tool writes beside predictions, under similar names.

``<dataset>_failed.jsonl`` has the requests that failed, ``<dataset>-<judge>-cached.jsonl`` the
replies of a judge in another order. A dataset may be called so itself: its records tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.strict import parse

_FAILED, _CACHED = "_failed.jsonl", "-cached.jsonl"
_UUID = re.compile(r"[0-9a-f]{32}")
_MAX_RECORD = 1 << 20


def lies_aside(tree: Tree, path: str) -> bool:
    """Whether a file is written beside predictions and holds none of its own."""
    if not path.endswith((_FAILED, _CACHED)) or _has_results(tree, path):
        return False
    record = _first_record(tree, path)
    if record is None:
        return f"{path.removesuffix(_FAILED).removesuffix(_CACHED)}.jsonl" in tree.files
    if path.endswith(_FAILED):
        return "prediction" not in record
    return _UUID.fullmatch(str(record.get("gold"))) is not None


def _has_results(tree: Tree, path: str) -> bool:
    match PurePosixPath(path).with_suffix(".json").parts:
        case (*root, "predictions", model, file):
            return str(PurePosixPath(*root, "results", model, file)) in tree.files
    return False


def _first_record(tree: Tree, path: str) -> Mapping[str, Any] | None:
    """Return the first record of a file, unless it is long or broken."""
    try:
        with tree.open(path) as stream:
            record = parse(stream.readline(_MAX_RECORD), tree.name, path)
    except LoadError:
        return None
    return record if isinstance(record, dict) else None
