"""A results file: its metrics, and its details, read block by block where possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metrics.data.words import Text
from reports.evaluations.details import DetailTable
from reports.evaluations.details.streamed import Streamed, Unlike, read_wrong
from reports.evaluations.files.tool import AGAIN
from reports.evaluations.verdicts.failures import Totals, totals_of
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.entries import Entries
from reports.json_files.strict import MAX_WHOLE, NOT_FINITE, parse, parse_file

MOST_METRICS = 10_000
"""Of a results file; real ones have up to a hundred."""


def read_results(tree: Tree, path: str) -> Mapping[str, Any]:
    """Read a results file.

    Returns: The file; its ``details`` as a `DetailTable` if they were read block by block, or of
    wrong samples what `read_wrong` keeps. NaN and Infinity, which Python writes, are None.
    Raises LoadError if it is not JSON, no object of metrics, or an evaluation that failed.
    """
    content = _by_blocks(tree, path) or parse_file(tree, path, absent=NOT_FINITE)
    if not isinstance(content, Mapping) or not content:
        raise tree.error(Text("is not an object of metrics"), AGAIN, path)
    if len(content) > MOST_METRICS:
        problem = Text(
            "holds {count} metrics; kofn reads up to {limit}",
            count=len(content),
            limit=MOST_METRICS,
        )
        raise tree.error(problem, AGAIN, path)
    if isinstance(content.get("error"), str):
        problem = Text("the evaluation failed ({error:.200})", error=content["error"])
        raise tree.error(problem, AGAIN, path)
    return content


def _by_blocks(tree: Tree, path: str) -> Mapping[str, Any] | None:
    """Read the file in blocks; None if it must be read whole, be it to say best what is wrong."""
    try:
        with tree.open(path) as stream:
            entries = Entries(stream, "details", tree.name, path)
            if not entries.found:
                short: Mapping[str, Any] = parse(entries.whole, tree.name, path, absent=NOT_FINITE)
                return short
            totals = totals_of(entries.before)
            details = _details(entries, totals, tree, path)
            content = parse(entries.rest, tree.name, path, absent=NOT_FINITE)
    except LoadError:
        if tree.files[path] > MAX_WHOLE:
            raise
        return None
    except Unlike:
        return None
    if totals_of(content) != totals or _left(content["details"]):
        return None
    return {**content, "details": details}


def _details(
    entries: Entries, totals: Totals | None, tree: Tree, path: str
) -> DetailTable | list[dict[str, Any]]:
    """Read details; where the samples are counted, they may be those of the wrong ones only."""
    if totals is None:
        return Streamed(tree, path, entries)
    return read_wrong(entries, totals.questions * totals.n, tree.name, path)


def _left(details: Any) -> bool:
    """Whether there are entries that were in no block; details say more than these."""
    return any(key.isdigit() for key in details) if isinstance(details, Mapping) else bool(details)
