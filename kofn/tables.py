"""What the subcommands find, as pandas data frames.

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

from typing import TYPE_CHECKING

from kofn.subcommand_functions import Ask, ask_functions

if TYPE_CHECKING:
    import pandas as pd

budgets: Ask[pd.DataFrame]
candidates: Ask[pd.DataFrame]
choose_n: Ask[pd.DataFrame]
compare: Ask[pd.DataFrame]
consistency: Ask[pd.DataFrame]
guidance: Ask[pd.DataFrame]
inventory: Ask[pd.DataFrame]
overview: Ask[pd.DataFrame]
plan: Ask[pd.DataFrame]
questions: Ask[pd.DataFrame]
rank: Ask[pd.DataFrame]
saturation: Ask[pd.DataFrame]
scorecard: Ask[pd.DataFrame]
series: Ask[pd.DataFrame]
soft_vs_hard: Ask[pd.DataFrame]
trade_offs: Ask[pd.DataFrame]
trust: Ask[pd.DataFrame]

__all__ = [*__annotations__]

globals().update(ask_functions(__all__, "tabulate", "Return", "pandas.DataFrame"))
