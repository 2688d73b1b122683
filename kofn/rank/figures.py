"""Turn ranks into figures for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from charts.ranks import ranks
from kofn.compare.analysis import CompareCard
from kofn.compare.figures import places, rank_title


def picture(cards: Sequence[CompareCard], numbers: Mapping[str, int]) -> go.Figure | None:
    """Draw the ranks of numbered runs on the first dataset; None where there is nothing."""
    contest = next((card.found.contest for card in cards if card.found), None)
    if contest is None or contest.ranking is None:
        return None
    return ranks(places(contest, numbers), rank_title(contest))
