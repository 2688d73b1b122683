"""Split, subject and discipline of MMMU and MMStar questions, from their references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports.files.errors import LoadError
from reports.json_files.strict import parse

KEYS = ("split", "category", "l2-category")
LONGEST = 64
"""Letters of a label."""


def labels_in(reference: Any) -> Mapping[str, Any]:
    """Return the labels in a reference, an object or the JSON of one.

    Examples
    --------
    >>> labels_in('{"answer": "A", "category": "math"}'), labels_in("A")
    ({'category': 'math'}, {})
    """
    if isinstance(reference, str) and reference.startswith("{"):
        try:
            reference = parse(reference.encode("utf-8", "surrogatepass"), "")
        except LoadError:
            return {}
    said = reference if isinstance(reference, Mapping) else {}
    return {key: said[key] for key in KEYS if key in said}


def segments_of(labels: Sequence[Mapping[str, Any] | None]) -> dict[str, list[str]]:
    """Return the label of each question by kind, of those kinds that all references name.

    Parameters
    ----------
    labels : sequence of M mappings or None
        Those in the reference of each question; None where that is not known.

    Examples
    --------
    >>> segments_of([{"split": None, "category": "math"}, None])
    {'category': ['math', '']}
    """
    known = [said for said in labels if said is not None]
    return {
        key: ["" if said is None else said[key] for said in labels]
        for key in KEYS
        if known and all(_is_label(said.get(key)) for said in known)
    }


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST
