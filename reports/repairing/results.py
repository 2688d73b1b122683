"""A results file with corrected numbers and their intervals, in its own layout."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any, BinaryIO

from reports.evaluations.verdicts.stated import scales_of
from reports.files.tree import Tree
from reports.json_files.entries import Entries
from reports.repairing.details import put_back
from reports.repairing.finding import Number
from reports.run.report import Run

INTERVALS = "intervals"
"""Key of the intervals: an object, which no reader of such files takes for a metric."""
LEVEL = 0.95
_DETAILS = "details"
_WITHIN = "\n        "
_CLOSING = {b"[": "]", b"{": "}"}


def scales(tree: Tree, run: Run) -> dict[str, float]:
    """Return by key what the results of a run write for the whole, such as 100."""
    with closing(tree.open(run.source)) as stream:
        return scales_of(_begun(tree, run.source, stream)[1], run.evaluator)


def rewritten(
    tree: Tree,
    path: str,
    scale: Mapping[str, float],
    stated: Mapping[str, Number],
    lose: Callable[[str], None] | None = None,
) -> Iterator[bytes]:
    """Write a results file anew, piece by piece.

    stated: What the file states, by its own key.
    lose: If the entries of the details are mixed; see `put_back`.
    """
    with closing(tree.open(path)) as stream:
        entries, content = _begun(tree, path, stream)
        head = _spelled(_put_right(content, scale, stated))
        if not entries.found:
            yield _utf8(head)
            return
        begun = len(entries.rest)
        closing_bracket = _CLOSING[entries.rest[-1:]]
        yield _utf8(head[: head.rindex(f"{closing_bracket}\n}}")])
        if lose is None:
            pieces = (block.data[1:-1] for block in entries)
        else:
            mended = put_back(entries, tree.name, path, lose)
            pieces = (_utf8(_spelled(entry).replace("\n", _WITHIN)) for entry in mended)
        between = _WITHIN
        for piece in pieces:
            yield between.encode() + piece
            between = f",{_WITHIN}"
        yield entries.rest[begun:]


def _begun(tree: Tree, path: str, stream: BinaryIO) -> tuple[Entries, dict[str, Any]]:
    """Return the entries of the details, and what the file has before them."""
    entries = Entries(stream, _DETAILS, tree.name, path)
    data = (
        entries.rest + _CLOSING[entries.rest[-1:]].encode() + b"}"
        if entries.found
        else tree.read(path)
    )
    content: dict[str, Any] = json.loads(data.decode("utf-8-sig"))
    return entries, content


def _put_right(
    content: Mapping[str, Any], scale: Mapping[str, float], stated: Mapping[str, Number]
) -> dict[str, Any]:
    """Return the members of a results file with the right numbers, and their intervals."""
    right, intervals = dict(content), {}
    for key in content.keys() & stated.keys():
        line, whole = stated[key].line, scale[key]
        if stated[key].is_faulty and line.recomputed is not None:
            right[key] = whole * line.recomputed
    for key in content:
        if key in stated and (interval := stated[key].line.interval):
            low, high = (scale[key] * end for end in interval)
            intervals[key] = {"low": low, "high": high}
    details = {key: right.pop(key) for key in [_DETAILS] if key in right}
    return right | {INTERVALS: {"confidence_level": LEVEL, **intervals}} | details


def _spelled(content: Any) -> str:
    """Write JSON as the tool does."""
    return json.dumps(content, ensure_ascii=False, indent=4)


def _utf8(text: str) -> bytes:
    """Encode JSON; halves of letters, which UTF-8 does not have, are spelled as JSON does."""
    return text.encode(errors="backslashreplace")
