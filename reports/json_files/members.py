"""Members of JSON objects that may lack them, or hold something else than a tool writes there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any


def member(held: Any, name: str) -> Any:
    """Return a member of an object by its dotted name; None where there is none.

    Examples
    --------
    >>> member({"response": {"output": "7"}}, "response.output"), member({"a": [1]}, "a.b")
    ('7', None)
    """
    for part in name.split("."):
        held = held.get(part) if hasattr(held, "get") else None
    return held


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object, and of anything else an empty one."""
    return value if isinstance(value, Mapping) else {}


def number(value: Any) -> float | None:
    """Return a number that is neither a truth nor NaN; None of anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return float(value) if is_number else None


def moment(written: Any, form: str | None = None) -> datetime | None:
    """Return when something was, as a tool writes it: in a form, or in that of ISO 8601.

    Examples
    --------
    >>> moment("20261124_1530", "%Y%m%d_%H%M"), moment("yesterday"), moment(None)
    (datetime.datetime(2026, 11, 24, 15, 30), None, None)
    """
    try:
        if form is None:
            return datetime.fromisoformat(str(written)).replace(tzinfo=None)
        return datetime.strptime(str(written), form)
    except ValueError:
        return None
