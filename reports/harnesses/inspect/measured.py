"""What a sample cost, and which of its metadata divide the questions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from reports.harnesses.inspect.records import Usage

LONGEST = 64
"""Letters of a label beyond which it names no segment."""


def spent(usage: Mapping[str, Usage], model: str) -> dict[str, float | None]:
    """Return the tokens that the model itself took, and the cost of all models.

    Examples
    --------
    >>> usage = {"7B": Usage(10, 20, total_cost=0.25), "judge": Usage(5, 1, total_cost=0.5)}
    >>> found = spent(usage, "7B")
    >>> found["tokens_in"], found["tokens_out"], found["cost"]
    (10, 20, 0.75)
    """
    mine = [usage[model]] if model in usage else [*usage.values()]
    costs = [each.total_cost for each in usage.values() if each.total_cost is not None]
    return {
        "tokens_in": sum(map(_taken_in, mine)) if mine else None,
        "tokens_out": sum(each.output_tokens for each in mine) if mine else None,
        "tokens_reasoning": mine[0].reasoning_tokens if len(mine) == 1 else None,
        "cost": math.fsum(costs) if costs else None,
    }


def dividing(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short texts and truths of a sample's metadata."""
    return {
        name: value
        for name, value in metadata.items()
        if isinstance(value, bool) or (isinstance(value, str) and 0 < len(value) <= LONGEST)
    }


def _taken_in(usage: Usage) -> float:
    cached = (usage.input_tokens_cache_read, usage.input_tokens_cache_write)
    return usage.input_tokens + sum(each or 0 for each in cached)
