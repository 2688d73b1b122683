"""A table in, a table out: what the subcommands find, as frames of pandas.

Each is a function from a report, a run, several of them, a table or a matrix of 0 and 1 to the
frame that ``--format csv`` writes. Keywords are the flags of the subcommand of the same name, with
``_`` for ``-``: ``k``, ``metrics``, ``level``, ``target``, ``segment``, ``run`` ….

>>> import pandas as pd
>>> from kofn import tables
>>> samples = {"model": ["7B"] * 4, "question_id": ["a", "a", "b", "b"], "correct": [1, 0, 1, 1]}
>>> found = tables.scorecard(pd.DataFrame(samples), metrics="pass@k", k=2)
>>> found[["model", "metric", "k", "value"]].to_dict("records")
[{'model': '7B', 'metric': 'pass@k', 'k': 2, 'value': 1.0}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from kofn.command import SUBCOMMANDS

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "budgets",
    "candidates",
    "choose_n",
    "compare",
    "consistency",
    "guidance",
    "inventory",
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


class Tabulate(Protocol):
    """From data, and settings by their names, to a frame."""

    def __call__(self, data: Any, /, **settings: Any) -> pd.DataFrame:
        """Make it."""


budgets: Tabulate
candidates: Tabulate
choose_n: Tabulate
compare: Tabulate
consistency: Tabulate
guidance: Tabulate
inventory: Tabulate
overview: Tabulate
plan: Tabulate
questions: Tabulate
rank: Tabulate
saturation: Tabulate
scorecard: Tabulate
series: Tabulate
soft_vs_hard: Tabulate
trade_offs: Tabulate
trust: Tabulate


def _tabulating(name: str) -> Tabulate:
    def tabulate(data: Any, /, **settings: Any) -> pd.DataFrame:
        from kofn.notebook import tabulated

        return tabulated(name, data, settings)

    subcommand = name.replace("_", "-")
    tabulate.__name__ = tabulate.__qualname__ = name
    tabulate.__doc__ = (
        f"Return what ``kofn {subcommand}`` finds: {SUBCOMMANDS[subcommand].summary}.\n\n"
        "Parameters\n----------\n"
        "data : Report, Run, several of them, a table, or a matrix of 0 and 1\n"
        f"**settings\n    The flags of ``kofn help {subcommand}``, with ``_`` for ``-``.\n\n"
        "Returns\n-------\npandas.DataFrame\n"
    )
    return tabulate


globals().update({name: _tabulating(name) for name in __all__})
