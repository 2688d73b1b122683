"""What is found of runs, computed once for all who view the same reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from kofn.card import Card, Find, Finding, attempt
from kofn.choices.view import View
from kofn.workers import asking
from pages.shared.memory import session
from reports.run.report import Run

P = ParamSpec("P")
T = TypeVar("T")


def remember(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Have a function remember what it returned, as long as somebody looks at the loaded reports.

    What was asked is told by all arguments but those whose names begin with an underscore. Runs by
    their names are told by what is known of their questions, too, and cards by their runs.

    most: Answers of it for the same reports; the one not asked for longest is forgotten.
    """

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        kind, asked = f"{function.__module__}.{function.__qualname__}", signature(function)

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> T:
            given = asked.bind(*args, **kwargs)
            given.apply_defaults()
            key = tuple(
                _cache_key(value)
                for name, value in given.arguments.items()
                if not name.startswith("_")
            )
            return session.report_cache().find(kind, most, key, partial(function, *args, **kwargs))

        return remembering

    return wrap


def _cache_key(value: Any) -> Any:
    """Return what tells an argument from others; it does not hold a run."""
    if isinstance(value, Mapping):
        texts = sum(run.digests.known is not None for run in value.values())
        found_out = texts, *asking.answers_known(value.values())
        return found_out, *(session.identity(key, run) for key, run in value.items())
    if isinstance(value, Card):
        return session.identity(value.key, value.run)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(_cache_key, value))
    return value


def remember_findings(analyse: Callable[[Run, View, Any], T]) -> Find[T]:
    """Return a function for `kofn.card.make_cards` that takes what was found before from a cache.

    analyse: A function of a module. What it finds must not hold the run, so that it can be removed.
    """
    name = f"{analyse.__module__}.{analyse.__qualname__}"

    def find(key: str, run: Run, view: View, settings: Any) -> Finding[T]:
        return _analysed(name, session.identity(key, run), view, settings, analyse, run)

    return find


@remember(2000)
def _analysed(
    name: str,
    identity: str,
    view: View,
    settings: Any,
    _analyse: Callable[[Run, View, Any], T],
    _run: Run,
) -> Finding[T]:
    return attempt(_analyse, _run, view, settings)
