"""From guidance to what is drawn of it for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.places import places
from kofn.guidance.analysis import GuidanceCard, best_first
from kofn.guidance.tables import field


def picture(cards: Sequence[GuidanceCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw numbered runs in one matrix; None where there is nothing."""
    drawn = field(best_first(cards), numbers)
    return places(drawn) if drawn.runs else None
