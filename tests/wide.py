"""Parameters of tests of which all but some are wide."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def wide_but(kept: Container[object], values: Iterable[Any]) -> list[Any]:
    """Mark parameters wide but those that are kept, which any run of the tests has."""
    return [
        value if value in kept else pytest.param(*_each(value), marks=pytest.mark.wide)
        for value in values
    ]


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
