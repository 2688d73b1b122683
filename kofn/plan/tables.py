"""Plans as flat rows, as tables that people read, and as frames for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kofn.card import ABOUT, about, frame_of, say
from kofn.plan.analysis import PlanCard, Planned
from kofn.plan.choices import PlanChoices
from kofn.writing.estimates import points
from kofn.writing.layout import Row
from kofn.writing.rendering import ENGLISH, render
from metrics.data.arrays import Vector
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ABOUT | {
    "base": "string",
    "metric": "string",
    "k": "Int64",
    "samples": "Int64",
    "pilot": "boolean",
    "smallest": "Float64",
    "difference": "Float64",
    "questions": "Int64",
    "width": "Float64",
    "questions_for_width": "Int64",
    "bill": "Float64",
    "affordable": "Int64",
    "smallest_affordable": "Float64",
    "power": "Float64",
    "level": "Float64",
    "reason": "string",
}


def rows(
    cards: Sequence[PlanCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay plans out flat, a row for each dataset, number of samples and difference.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`: ``smallest`` the smallest difference that the pilot's questions show
        with so many samples, ``questions`` how many show ``difference``, ``questions_for_width``
        how many make the interval so narrow, ``affordable`` how many ``bill`` pays for and
        ``smallest_affordable`` what they show; ``pilot`` marks the samples that there are. What
        does not exist is None.
    """
    return [row for card in cards for row in _rows(card, translations)]


def _rows(card: PlanCard, translations: gettext.NullTranslations) -> Iterator[dict[str, Any]]:
    row = dict.fromkeys(COLUMNS) | about(card)
    row |= {"power": card.settings.power, "level": card.view.level}
    if card.found is None:
        yield row | {"reason": say(card.reason, translations)}
        return
    found, goals = card.found, card.settings
    row |= {"base": found.base, "metric": found.plan.metric, "k": found.plan.k}
    row |= {"width": goals.width, "bill": goals.total}
    for place, samples in enumerate(found.needs.samples.tolist()):
        at = {
            "samples": samples,
            "pilot": samples == found.plan.n_samples,
            "smallest": _share(found.needs.smallest, place),
            "questions_for_width": _count(found.needs.questions_for_width, place),
            "affordable": _count(found.needs.affordable, place),
            "smallest_affordable": _share(found.needs.smallest_affordable, place),
        }
        for difference, takes in found.takes.items():
            yield row | at | {"difference": difference, "questions": _count(takes, place)}


def _share(column: Vector | None, place: int) -> float | None:
    return None if column is None or np.isnan(column[place]) else float(column[place])


def _count(column: Vector | None, place: int) -> int | None:
    return None if column is None or np.isnan(column[place]) else int(column[place])


def frame(
    cards: Sequence[PlanCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)


def lines(
    found: Planned, goals: PlanChoices, translations: gettext.NullTranslations = ENGLISH
) -> list[Row]:
    """Write a plan as people read it, a line for each number of samples."""

    def said(text: Text) -> str:
        return render(text, translations)

    columns: dict[str, list[str]] = {
        said(Text("samples")): [f"{samples:,}" for samples in found.needs.samples],
        said(Text("these questions show")): _written(found.needs.smallest, said),
    }
    for difference, takes in found.takes.items():
        columns[said(Text("{d} take", d=points(difference)))] = _counted(takes, said)
    if goals.width is not None and found.needs.questions_for_width is not None:
        head = Text("{width} wide takes", width=points(goals.width))
        columns[said(head)] = _counted(found.needs.questions_for_width, said)
    if found.needs.affordable is not None and found.needs.smallest_affordable is not None:
        head = Text("{bill:,g} pays for", bill=goals.total)
        columns[said(head)] = _counted(found.needs.affordable, said)
        columns[said(Text("and shows"))] = _written(found.needs.smallest_affordable, said)
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _written(smallest: Vector, said: Any) -> list[str]:
    nothing = said(Text("nothing"))
    return [nothing if np.isnan(each) else said(points(float(each))) for each in smallest]


def _counted(questions: Vector, said: Any) -> list[str]:
    return [
        said(Text("too many"))
        if np.isnan(each)
        else said(Text("{count:,} question", "{count:,} questions", count=int(each)))
        for each in questions
    ]
