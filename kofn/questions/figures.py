"""From listed questions to what is drawn of them for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.heat import heat
from kofn.card import Card
from kofn.questions import shapes
from kofn.questions.filters import QuestionFilter
from kofn.questions.paging import Page
from kofn.questions.tables import Listed


def picture(
    cards: Sequence[Card[Listed | Page, QuestionFilter]], numbers: Mapping[str, int]
) -> go.Figure | None:
    """Draw every question of the first run by every sample; None where there is nothing."""
    found = next((card.found for card in cards if isinstance(card.found, Listed)), None)
    if found is None:
        return None
    drawn = shapes.picture([found.questions])
    return heat(drawn.panels, drawn.questions, drawn.soft)
