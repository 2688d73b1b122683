"""The n that a rule chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.data.shown import brief_repr
from metrics.data.words import Text

Rule = Literal["value", "budget", "quality", "reach"]


@dataclass(frozen=True, slots=True)
class Advice:
    """The n that one rule chooses.

    Attributes
    ----------
    rule : {"value", "budget", "quality", "reach"}
    limit : float
        The worth, the budget, the quality, or the share of the best to reach.
    target : float or None
        The quality to reach; None where the rule asks for none.
    n : int or None
        The n chosen on the data as observed; 0 where no n is worth its price, within budget or good
        enough; None where the rule is undefined.
    interval : tuple of int or None
        Percentiles of n over resampled questions; None with a single question or cluster.
    safe_n : int or None
        The n to use: for "reach" large enough, for "value" small enough, in a share of the
        resamples; for "budget" the last whose limit of the mean cost is within it; for "quality"
        the first whose limit is good enough. 0 and None as above.
    best : str or Text
        The best quality for "reach", such as "pass@16", and whose it is among several runs.
    n_max : int
        The largest n.
    sure : float
        The share of resamples, or the confidence level.
    """

    rule: Rule
    limit: float
    target: float | None
    n: int | None
    interval: tuple[int, int] | None
    safe_n: int | None
    best: str | Text
    n_max: int
    sure: float

    __repr__ = brief_repr
