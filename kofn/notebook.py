"""Answer notebooks: what a subcommand finds about some runs, without files and flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from kofn.card import Card
from kofn.choices.codec import Choices
from kofn.choices.runs import index_runs, meant_by, require_segment, shown_runs
from kofn.choices.view import View
from kofn.command import SUBCOMMANDS
from kofn.leaderboard.unnamed_datasets import comparable_runs
from kofn.terminal.inputs import unknown_names
from kofn.terminal.subcommand import NOTHING_DRAWN, Listing
from metrics import Outcomes, Text
from metrics.data.words import MetricError, instead_of
from reports import Report, Run, load

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

_SUBCOMMAND = ".subcommand"
CAPABILITIES = {
    name.replace("-", "_"): offer.dotted_name.removesuffix(_SUBCOMMAND)
    for name, offer in SUBCOMMANDS.items()
    if offer.dotted_name.endswith(_SUBCOMMAND)
}
"""Where the `Listing` of each is, by its name."""


def find(
    name: str, data: Any, settings: Mapping[str, Any]
) -> tuple[Listing[Any], list[Report], Sequence[Card[Any, Any]]]:
    """Return a capability, the reports it was asked about, and the cards that it found.

    name: Of `CAPABILITIES`.
    settings: By the names of the subcommand's flags, with ``_`` for ``-``.
    Raises TypeError if the capability has no such setting. Raises MetricError or LoadError if a
    setting or the data cannot be used.
    """
    listing: Listing[Any] = resolve_name(CAPABILITIES[name])
    reports = list(_reports(data))
    runs = index_runs(reports)
    if listing.compares:
        runs, reports = comparable_runs(runs, reports)
    view, *chosen = _chosen(name, listing, settings)
    view = replace(view, runs=meant_by(view.runs, runs))
    for problem in unknown_names(runs, view.runs):
        raise MetricError(problem)
    if view.segment:
        require_segment(runs.values(), *view.segment)
    cards = listing.compute(shown_runs(runs, view.runs), view, *chosen)
    return listing, reports, cards


def draw(name: str, data: Any, settings: Mapping[str, Any]) -> go.Figure:
    """Return the figure of a capability; see `find`."""
    listing, reports, cards = find(name, data, settings)
    figure = listing.drawn(cards, reports)
    if figure is None:
        reason = next((card.reason for card in cards if card.reason), None)
        raise MetricError(reason or NOTHING_DRAWN)
    return figure


def tabulate(name: str, data: Any, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return the frame of a capability; see `find`."""
    listing, reports, cards = find(name, data, settings)
    return listing.as_frame([*cards, *listing.pooled(reports, cards)])


def _chosen(name: str, listing: Listing[Any], settings: Mapping[str, Any]) -> list[Any]:
    """Read settings as flags are read."""
    query = {key.replace("_", "-"): _spelled(value) for key, value in settings.items()}
    kinds: list[tuple[type[Choices], Sequence[str]]] = [(View, listing.view)]
    kinds += listing.choices.values()
    keys = [setting.key for kind, own in kinds for setting in kind.settings(own)]
    for key in query:
        if key not in keys:
            hint = instead_of(key, keys)
            raise TypeError(f"{name} has no setting {key.replace('-', '_')!r}. {hint}")
    chosen = []
    for kind, own in kinds:
        allowed = {setting.key for setting in kind.settings(own)}
        given = {key: value for key, value in query.items() if key in allowed}
        choices, problems = kind.from_query(given)
        for problem in problems:
            raise MetricError(problem)
        chosen.append(choices)
    return chosen


def _spelled(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(map(str, value))
    return [str(value)]


def _reports(data: Any) -> Iterable[Report]:
    """Yield what holds the runs of some data."""
    if isinstance(data, Report):
        yield data
    elif isinstance(data, Run):
        yield Report(data.source or data.model, Text("run"), (data,))
    elif isinstance(data, Sequence) and data and isinstance(data[0], Report | Run):
        for each in data:
            yield from _reports(each)
    elif isinstance(data, Outcomes) or _is_matrix(data):
        outcomes = data if isinstance(data, Outcomes) else Outcomes(data)
        yield Report("run", Text("run"), (Run("run", "questions", outcomes),))
    else:
        yield load(data)


def _is_matrix(data: Any) -> bool:
    shape = getattr(data, "shape", None)
    if shape is not None and not hasattr(data, "columns"):
        return len(shape) == 2
    if isinstance(data, str) or not (isinstance(data, Sequence) and data):
        return False
    return isinstance(data[0], Sequence) and not isinstance(data[0], str)
