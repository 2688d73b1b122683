"""How results look where they are printed: named, and never longer than a glance."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from metrics.data.words import shortened

Result = TypeVar("Result")
_WIDTH = 64
"""Letters of one value."""
_FEW = 4
"""So many items are shown one by one."""


def brief_repr(result: Any) -> str:
    """Return the `repr` of a dataclass or named tuple: what is large by its size, no empty field.

    Examples
    --------
    >>> from kofn.metrics import Tally
    >>> Tally([16] * 17, range(17), [6] * 17)
    Tally(n=<17 int64>, c=<17 int64>, questions=<17 int64>)
    """
    values = fields_of(result).items()
    shown = (f"{name}={_brief(value)}" for name, value in values if not _is_empty(value))
    return f"{type(result).__name__}({', '.join(shown)})"


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def result(cls: type[Result]) -> type[Result]:
    """Make a class of what was found: a frozen dataclass that is printed briefly."""
    found = dataclass(frozen=True, eq=False, repr=False)(cls)
    found.__repr__ = brief_repr  # type: ignore[method-assign]
    return found


def set_fields(result: object, **fields: Any) -> None:
    """Give a frozen result its fields, and let nobody write to arrays among them."""
    for name, value in fields.items():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        object.__setattr__(result, name, value)


def fields_of(result: Any) -> dict[str, Any]:
    """Return the fields of a dataclass or named tuple, by name."""
    names = getattr(result, "_fields", None) or [each.name for each in fields(result)]
    return {name: getattr(result, name) for name in names}


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, Collection) and len(value) == 0)


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"<{' x '.join(map(str, value.shape))} {value.dtype}>"
    if isinstance(value, Collection) and not isinstance(value, str) and len(value) > _FEW:
        return f"<{len(value)} in a {type(value).__name__}>"
    return shortened(repr(value[: 4 * _WIDTH] if isinstance(value, str) else value), _WIDTH)
