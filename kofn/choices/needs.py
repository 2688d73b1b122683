"""What a page needs that the loaded data may lack."""

from __future__ import annotations

from collections.abc import Collection

from kofn.choices.runs import has_scores
from metrics.data.words import Text
from reports.run.report import Run

_SAMPLES = Text("repeated samples")
_RUNS = Text("a second run")
_SCORES = Text("soft scores")


def lacking(runs: Collection[Run]) -> dict[str, Text]:
    """Return what some runs lack, by the capability for which they hold nothing.

    Runs that may be joined count as repeated samples.

    Examples
    --------
    >>> from metrics.data.outcomes import Outcomes
    >>> one = Run("7B", "aime", Outcomes([[1], [0]]))
    >>> {name: str(what) for name, what in lacking([one]).items()}["compare"]
    'a second run'
    >>> list(lacking([Run("7B", "aime", Outcomes([[1, 0]])), one]))
    ['soft_vs_hard']
    """
    repeated = len({(run.model, run.dataset) for run in runs}) < len(runs)
    several = repeated or any(map(_has_several, runs))
    scored = any(map(has_scores, runs))
    needed = {
        "compare": None if len(runs) > 1 else _RUNS,
        "trade_offs": None if several or len(runs) > 1 else _RUNS,
        "choose_n": None if several else _SAMPLES,
        "saturation": None if several else _SAMPLES,
        "consistency": None if several else _SAMPLES,
        "guidance": None if several else _SAMPLES,
        "soft_vs_hard": None if scored else _SCORES,
    }
    return {name: what for name, what in needed.items() if what is not None}


def _has_several(run: Run) -> bool:
    return run.known is not None and run.known.shape[1] > 1 and run.grouping != "unknown"
