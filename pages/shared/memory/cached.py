"""Functions that compute once for all who view the same reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from pages.shared.memory import session

P = ParamSpec("P")
T = TypeVar("T")


def remember(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Have a function remember what it returned, as long as somebody looks at the loaded reports.

    Parameters
    ----------
    most : int
        Answers of it for the same reports; the one not asked for longest is forgotten.
    """

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        kind = f"{function.__module__}.{function.__qualname__}"
        asked = [not name.startswith("_") for name in signature(function).parameters]

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> T:
            key = tuple(arg for arg, matters in zip(args, asked, strict=True) if matters)
            return session.shelf().find(kind, most, key, partial(function, *args, **kwargs))

        return remembering

    return wrap
