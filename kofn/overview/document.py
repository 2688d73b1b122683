"""What JSON holds of a dataset: what there is to say of it, and the numbers under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kofn.card import say
from kofn.choices.view import View
from kofn.overview.analysis import Dataset
from kofn.overview.next_steps import next_step
from kofn.overview.sentences import careful, stated_in, wrong
from kofn.standings.sentences import told
from kofn.writing.rendering import printable
from metrics import Standing


def in_words(dataset: Dataset, datasets: Sequence[Dataset], view: View) -> dict[str, Any]:
    """Return what there is to say of one of some datasets, and the numbers under it, for JSON."""
    field = dataset.field
    return {
        "dataset": printable(dataset.name),
        "leads": [say(text) for text in told(field)],
        "wrong": [say(text) for text in wrong(stated_in(dataset), worst=len(datasets) == 1)],
        "careful": [say(text) for text in careful(dataset, view)],
        "next": say(next_step(dataset).label),
        "one_try": _standing(field.one_try),
        "many": _standing(field.many),
    }


def _standing(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    return {
        "metric": standing.metric,
        "k": standing.k,
        "order": list(standing.estimates),
        "leaders": list(standing.leaders),
        "ahead": [
            {
                "run": key,
                "difference": found.value,
                "low": None if found.interval is None else found.interval.low,
                "high": None if found.interval is None else found.interval.high,
                "paired": found.paired,
                "questions": found.n_questions,
                "left_out": found.n_dropped,
            }
            for key, found in standing.ahead.items()
        ],
    }
