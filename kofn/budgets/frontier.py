"""Which run, with how many answers, is best for its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kofn.budgets.analysis import BudgetCard
from kofn.card import names
from kofn.choose_n.prices import quantity
from kofn.writing.estimates import percent
from kofn.writing.layout import named
from metrics.analyses.choose_n.pareto import pareto
from metrics.data.words import Text


class Best(NamedTuple):
    """Answers that nothing else beats on tokens and value at once.

    Attributes
    ----------
    run : int
        The place of the run.
    k : int
    budget, spent, value : float
    """

    run: int
    k: int
    budget: float
    spent: float
    value: float


def best_of(cards: Sequence[BudgetCard]) -> tuple[Best, ...]:
    """Return what no k and cut of any run of a dataset beats, in the order of tokens."""
    found = [
        Best(place, *row)
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
    if not found:
        return ()
    best = pareto([each.spent for each in found], [each.value for each in found])
    kept = [found[place] for place in np.flatnonzero(best)]
    return tuple(sorted(kept, key=lambda each: (each.spent, each.run, each.k)))


def best_in_words(cards: Sequence[BudgetCard]) -> Text | None:
    """Say up to how many tokens one answer is best, and what solves most; None without any."""
    best = best_of(cards)
    if not best:
        return None
    alone = [each.spent for each in best if each.k == 1]
    most = best[-1]
    several = sum(card.found is not None for card in cards) > 1
    whose = Text(" of {run}", run=named(names(cards)[most.run])) if several else Text("")
    told = Text(
        "Most is solved by {k} answer{whose} of at most {budget} tokens: {value} for {spent} "
        "tokens a question.",
        "Most is solved by {k} answers{whose} of at most {budget} tokens: {value} for {spent} "
        "tokens a question.",
        k=most.k,
        count=most.k,
        whose=whose,
        budget=quantity(most.budget),
        value=percent(most.value),
        spent=quantity(most.spent),
    )
    if not alone or most.k == 1:
        return told
    return Text(
        "As measured, one answer can be best for its tokens up to {spent} tokens a question, "
        "beyond only several. {told}",
        spent=quantity(max(alone)),
        told=told,
    )
