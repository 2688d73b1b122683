"""The plotly figures of the pages, for anything that holds runs.

Each is a function from a report, a run, several of them, a table or a matrix of 0 and 1 to a
`plotly.graph_objects.Figure`. Keywords are the flags of the subcommand of the same name, with ``_``
for ``-``: ``k``, ``metric``, ``level``, ``target``, ``segment``, ``run`` ….

>>> from kofn import figures, reports
>>> run = reports.load("sample_data/aisbench_report.zip")["sequoia-72b-chat / gsm8k"]
>>> figure = figures.saturation(run, metric="pass@k")
>>> type(figure).__name__, len(figure.data) > 0
('Figure', True)

Where there is nothing to draw, such as a comparison of one run, `MetricError` says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kofn.subcommand_functions import Ask, ask_functions

if TYPE_CHECKING:
    import plotly.graph_objects as go

budgets: Ask[go.Figure]
candidates: Ask[go.Figure]
choose_n: Ask[go.Figure]
compare: Ask[go.Figure]
consistency: Ask[go.Figure]
guidance: Ask[go.Figure]
overview: Ask[go.Figure]
plan: Ask[go.Figure]
questions: Ask[go.Figure]
rank: Ask[go.Figure]
saturation: Ask[go.Figure]
scorecard: Ask[go.Figure]
series: Ask[go.Figure]
soft_vs_hard: Ask[go.Figure]
trade_offs: Ask[go.Figure]
trust: Ask[go.Figure]

__all__ = [*__annotations__]

globals().update(ask_functions(__all__, "draw", "Draw", "plotly.graph_objects.Figure"))
