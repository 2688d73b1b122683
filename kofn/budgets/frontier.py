"""Which run, and with how many answers, is best for its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kofn.budgets.analysis import BudgetCard
from metrics.analyses.choose_n.pareto import pareto


class Undominated(NamedTuple):
    """Answers that nothing else beats on tokens and value at once."""

    run: int  # The place of the run.
    k: int
    budget: float
    spent: float
    value: float


def best_of(cards: Sequence[BudgetCard]) -> tuple[Undominated, ...]:
    """Return what no k and cut of any run of a dataset beats, in the order of tokens."""
    points = [
        Undominated(place, *row)
        for place, card in enumerate(cards)
        if card.found is not None
        for row in zip(
            *(
                getattr(card.found.budgets, name)[card.found.budgets.best].tolist()
                for name in ("k", "budget", "spent", "value")
            ),
            strict=True,
        )
    ]
    if not points:
        return ()
    best = pareto([each.spent for each in points], [each.value for each in points])
    kept = [points[place] for place in np.flatnonzero(best)]
    return tuple(sorted(kept, key=lambda each: (each.spent, each.run, each.k)))
