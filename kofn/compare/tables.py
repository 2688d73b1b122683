"""Differences and ranks as flat rows, and as frames for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kofn.card import ABOUT, about, frame_of, say
from kofn.compare.analysis import CompareCard
from kofn.compare.contest import of_two
from kofn.compare.instrument import matched_in_words
from kofn.compare.pair import Pair
from kofn.compare.together import Together
from kofn.writing.rendering import ENGLISH, printable
from metrics import BySegment
from metrics.data.words import Text

if TYPE_CHECKING:
    import pandas as pd

SAID = {"level": "Float64", "target": "string", "remarks": "string", "reason": "string"}
"""The last columns of this table, and of that of ranks."""
COLUMNS = ABOUT | {
    "base": "string",
    "metric": "string",
    "k": "Int64",
    "value": "Float64",
    "base_value": "Float64",
    "difference": "Float64",
    "low": "Float64",
    "high": "Float64",
    "p_value": "Float64",
    "p_adjusted": "Float64",
    "told_apart": "boolean",
    "paired": "boolean",
    "proven": "boolean",
    "better_on": "Int64",
    "as_good_on": "Int64",
    "worse_on": "Int64",
    "questions": "Int64",
    "left_out": "Int64",
    "mcnemar": "Float64",
    "could_show": "Float64",
    "settings": "string",
    **SAID,
}


def rows(
    cards: Sequence[CompareCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay each run but the baselines out flat.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`: fractions at full precision, ``difference`` that of the run less the
        baseline, ``p_adjusted`` after Holm over all pairs of the dataset, ``told_apart`` whether
        that decides, ``proven`` whether prompt and reference of the shared questions are the same,
        ``could_show`` the smallest difference shown with a chance of 80 %. What does not exist is
        None.
    """
    told = [card for card in cards if not (card.found and card.key == card.found.contest.base)]
    return [_row(card, translations) for card in told]


def _row(card: CompareCard, translations: gettext.NullTranslations) -> dict[str, Any]:
    row = dict.fromkeys(COLUMNS) | about(card) | asked(card)
    row |= {"remarks": [], "reason": say(card.reason, translations)}
    if card.found is None:
        return row
    contest, pair = card.found.contest, card.found.pair
    row |= {"base": contest.base, "metric": contest.metric, "k": contest.k}
    if pair is None:
        return row
    found = pair.difference
    low, high = found.interval or (None, None)
    assert contest.ranking is not None
    return row | {
        "value": contest.estimates[pair.other].value,
        "base_value": contest.estimates[pair.base].value,
        "difference": found.value,
        "low": low,
        "high": high,
        "p_value": contest.p_values[pair.other],
        "p_adjusted": of_two(contest.ranking.p_values, pair.base, pair.other),
        "told_apart": contest.told_apart(pair.base, pair.other),
        "paired": found.paired,
        "proven": pair.match.proven,
        "better_on": found.wins,
        "as_good_on": found.ties,
        "worse_on": found.losses,
        "questions": found.n_questions,
        "left_out": found.n_dropped,
        "mcnemar": found.mcnemar,
        "could_show": pair.power and pair.power.smallest,
        "settings": say(pair.settings, translations),
        "remarks": [say(text, translations) for text in remarks_of(pair)],
    }


def remarks_of(pair: Pair) -> list[Text]:
    """Return what must be known of a difference."""
    return list(dict.fromkeys([*matched_in_words(pair.match), *pair.difference.caveats]))


def asked(card: CompareCard) -> dict[str, Any]:
    """Return what differs from one View to another, for a row."""
    return {"level": card.view.level, "target": card.view.target}


def frame(
    cards: Sequence[CompareCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the remarks joined to one text; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)


def together_rows(cards: Sequence[CompareCard]) -> list[dict[str, Any]]:
    """Return the differences of models on all their datasets together, for JSON."""
    known: dict[int, tuple[str, str, Together]] = {}
    for card in cards:
        if card.found and card.found.together and card.found.pair:
            names = card.found.contest.names
            found = card.found.together
            known.setdefault(id(found), (names[card.found.pair.base], names[card.key], found))
    return [_together(*each) for each in known.values()]


def _together(base: str, other: str, found: Together) -> dict[str, Any]:
    low, high = (found.all and found.all.interval) or (None, None)
    return {
        "base": base,
        "run": other,
        "metric": found.metric,
        "k": found.k,
        "datasets": list(map(printable, found.keys)),
        "difference": found.all and found.all.value,
        "low": low,
        "high": high,
        "questions": found.all and found.all.n_questions,
        "chance_of_best": found.best and dict(zip((base, other), found.best.chances, strict=True)),
        "expected_loss": found.best and dict(zip((base, other), found.best.losses, strict=True)),
        "reason": say(found.reason),
    }


def segment_rows(found: BySegment) -> list[Mapping[str, Any]]:
    """Return the difference in each segment, for JSON."""
    return [
        {
            "segment": printable(label),
            "difference": each.value,
            "low": None if each.interval is None else each.interval.low,
            "high": None if each.interval is None else each.interval.high,
            "part": found.parts[label],
            "questions": each.n_questions,
        }
        for label, each in found.segments.items()
    ]


def along_rows(pair: Pair) -> list[Mapping[str, Any]]:
    """Return the difference at each k, for JSON."""
    if pair.along is None:
        return []
    columns = ("k", "difference", "low", "high")
    along = pair.along
    values = (along.k.tolist(), along.value.tolist(), along.low.tolist(), along.high.tolist())
    return [dict(zip(columns, each, strict=True)) for each in zip(*values, strict=True)]
