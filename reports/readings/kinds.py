"""What the statements in a text say about its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reports.readings.statements import SEVERAL, Statement

KINDS = ("agrees", "missed", "generous", "divided", "unsupported")
AGREES, MISSED, GENEROUS, DIVIDED, UNSUPPORTED = range(len(KINDS))
ENDS = 120
"""Letters behind a statement that ends its text, at most."""


def kind(
    statements: Sequence[Statement],
    length: int,
    is_right: bool,
    names_reference: Callable[[str], bool],
) -> int:
    """Return the kind of a sample, by its place in `KINDS`."""
    if not statements:
        return UNSUPPORTED
    values = [each.value for each in statements]
    named = [value != SEVERAL and names_reference(value) for value in values]
    if SEVERAL in values or len(set(named)) > 1 or (not named[0] and len(set(values)) > 1):
        return DIVIDED
    if named[0] == is_right:
        return AGREES
    if statements[-1].rule == "last":
        return DIVIDED
    if is_right:
        return GENEROUS
    return MISSED if length - statements[-1].end <= ENDS else UNSUPPORTED
