"""The figures of the pages, as plotly draws them, of whatever holds runs.

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

from typing import TYPE_CHECKING, Any, Protocol

from kofn.command import SUBCOMMANDS

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = [
    "budgets",
    "candidates",
    "choose_n",
    "compare",
    "consistency",
    "guidance",
    "overview",
    "plan",
    "questions",
    "rank",
    "saturation",
    "scorecard",
    "series",
    "soft_vs_hard",
    "trade_offs",
    "trust",
]


class Draw(Protocol):
    """From data, and settings by their names, to a figure."""

    def __call__(self, data: Any, /, **settings: Any) -> go.Figure:
        """Draw it."""


budgets: Draw
candidates: Draw
choose_n: Draw
compare: Draw
consistency: Draw
guidance: Draw
overview: Draw
plan: Draw
questions: Draw
rank: Draw
saturation: Draw
scorecard: Draw
series: Draw
soft_vs_hard: Draw
trade_offs: Draw
trust: Draw


def _drawing(name: str) -> Draw:
    def draw(data: Any, /, **settings: Any) -> go.Figure:
        from kofn.notebook import drawn

        return drawn(name, data, settings)

    subcommand = name.replace("_", "-")
    draw.__name__ = draw.__qualname__ = name
    draw.__doc__ = (
        f"Draw what ``kofn {subcommand}`` finds: {SUBCOMMANDS[subcommand].summary}.\n\n"
        "Parameters\n----------\n"
        "data : Report, Run, several of them, a table, or a matrix of 0 and 1\n"
        f"**settings\n    The flags of ``kofn help {subcommand}``, with ``_`` for ``-``.\n\n"
        "Returns\n-------\nplotly.graph_objects.Figure\n"
    )
    return draw


globals().update({name: _drawing(name) for name in __all__})
