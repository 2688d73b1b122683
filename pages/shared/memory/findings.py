"""Findings on a visitor's runs, computed once for the same settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from kofn.card import Find, Finding, attempt
from kofn.choices.view import View
from pages.shared.memory import session
from pages.shared.memory.cached import remember
from reports.run.report import Run

Found = TypeVar("Found")


def remembered(analyse: Callable[[Run, View, Any], Found]) -> Find[Found]:
    """Return a function for `kofn.card.make_cards` that takes what was found before from a cache.

    Parameters
    ----------
    analyse : callable
        A function of a module. What it finds must not hold the run, so that it can be removed.
    """
    name = f"{analyse.__module__}.{analyse.__qualname__}"

    def find(key: str, run: Run, view: View, settings: Any) -> Finding[Found]:
        return _found(name, session.identity(key, run), view, settings, analyse, run)

    return find


@remember(2000)
def _found(
    name: str,
    identity: str,
    view: View,
    settings: Any,
    _analyse: Callable[[Run, View, Any], Found],
    _run: Run,
) -> Finding[Found]:
    return attempt(_analyse, _run, view, settings)
