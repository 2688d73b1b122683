"""A Python configuration as data: ``dict(...)`` calls, displays and constants, never executed."""

from __future__ import annotations

import ast
import math
from typing import Any

_LARGEST = 1 << 63
"""What a number is below, so that it is one that a tool was told."""


def at(node: ast.expr | None, *keys: str) -> ast.expr | None:
    """Follow keys through ``dict(...)`` calls and dict displays."""
    for key in keys:
        node = entries_of(node).get(key)
    return node


def entries_of(node: ast.expr | None) -> dict[str, ast.expr]:
    """Return what a ``dict(...)`` call or a dict display holds; nothing of anything else."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            return {keyword.arg: keyword.value for keyword in keywords if keyword.arg}
        case ast.Dict(keys=keys, values=values):
            return {
                str(key.value): value
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
            }
    return {}


def constant(node: ast.expr | None) -> Any:
    """Return a constant, or a list of those within; None for anything else.

    Examples
    --------
    >>> constant(ast.parse("-0.5", mode="eval").body), constant(ast.parse("f()", mode="eval").body)
    (-0.5, None)
    """
    match node:
        case ast.Constant(value=bool() | str() as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return value if math.isfinite(value) and abs(value) < _LARGEST else None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand):
            value = constant(operand)
            return None if value is None or isinstance(value, bool) else -value
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return [constant(item) for item in elts if isinstance(item, ast.Constant)]
    return None
