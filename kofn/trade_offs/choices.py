"""Which two numbers are plotted against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import one_of, run_in_detail
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

Kind = Literal["samples", "tokens", "seconds", "money"]
COSTS: tuple[Kind, ...] = get_args(Kind)
AXES = (*(name for name, metric in METRICS.items() if metric.needs != "weights"), *COSTS)
"""What an axis may show."""
Per = Literal["1", "1000"]


@dataclass(frozen=True)
class TradeChoices(Choices):
    """Both axes, and for how many questions costs are."""

    # Of `AXES`; empty for what `kofn.trade_offs.analysis.usual_x` and `usual_y` have.
    x: str = ""
    y: str = ""
    per: Per = "1"  # Questions that a cost is for.
    detail: str = ""  # The run whose intervals are drawn where there are many; empty for none.

    SETTINGS: ClassVar = (
        one_of(
            "x",
            AXES,
            Text("a metric, or samples, tokens, seconds, money (default: tokens, else avg@n)"),
            metavar="METRIC|COST",
        ),
        one_of(
            "y",
            AXES,
            Text("what x is set against (default: pass@k; soft-max@k of scores alone)"),
            metavar="METRIC|COST",
        ),
        one_of(
            "per", get_args(Per), Text("the number of questions that a cost is for (default: 1)")
        ),
        run_in_detail(Text("the run whose intervals are drawn")),
    )
    KEYS: ClassVar = ("x", "y", "per")
    """Of the settings that change numbers."""
