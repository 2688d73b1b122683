"""Turn runs along a series into the data of the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.series import Stop, series
from kofn.series.analysis import Followed, SeriesCard
from kofn.series.words import stop_detail
from kofn.writing.estimates import in_percent, percent_of, points_of
from kofn.writing.joining import with_name
from metrics.data.words import Text, printable


def stops(followed: Followed) -> tuple[Stop, ...]:
    """Turn the runs of a series into points."""
    compared, order = followed.series, followed.order
    return tuple(
        Stop(
            printable(label),
            value[0] if len(value) == 1 else None,
            estimate.value,
            estimate.interval,
            step is not None and step.sure,
            with_name(followed.names[key], written)
            if step is None
            else stop_detail(run=followed.names[key], value=written, difference=points_of(step)),
        )
        for key, label, value, estimate, step in zip(
            compared.names,
            order.labels,
            order.values,
            compared.estimates,
            followed.steps.values(),
            strict=True,
        )
        for written in (percent_of(estimate),)
    )


def titles(followed: Followed) -> tuple[Text, Text]:
    """Return the titles of both axes."""
    return (
        Text("{along}", along=printable(followed.order.along)),
        in_percent(followed.label),
    )


def reference(followed: Followed) -> float | None:
    """Return the value that all runs are set against; None where each has another."""
    found = followed.series
    if followed.against == "previous":
        return None
    name = found.names[0] if followed.against == "first" else found.best
    return found.estimates[found.names.index(name)].value


def picture(cards: Sequence[SeriesCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw the first series; None where there is nothing."""
    found = next((card.found for card in cards if card.found), None)
    return None if found is None else series(stops(found), titles(found), reference(found))
