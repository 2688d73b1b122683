"""Votes against averages as flat rows, and as a frame for CSV and Parquet."""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from kofn.card import ABOUT, about, frame_of, limits, say
from kofn.consistency.analysis import VoteCard
from kofn.consistency.replicas import odd_ones
from kofn.writing.rendering import ENGLISH
from metrics.data.results import Estimate
from metrics.data.words import Text

SCENARIOS: Mapping[str, Text] = {
    "above": Text("above"),
    "below": Text("below"),
    "about equal": Text("about equal"),
    "cannot tell": Text("cannot tell"),
}
"""Where the vote is, against the average: AISBench's three, and what the data do not decide."""

COLUMNS = ABOUT | {
    "k": "Int64",
    "vote": "string",
    "cons": "Float64",
    "cons_low": "Float64",
    "cons_high": "Float64",
    "avg": "Float64",
    "avg_low": "Float64",
    "avg_high": "Float64",
    "difference": "Float64",
    "difference_low": "Float64",
    "difference_high": "Float64",
    "scenario": "string",
    "tied": "Float64",
    "half_ties": "Float64",
    "aisbench": "Float64",
    "agreement": "Float64",
    "agreed": "Float64",
    "confidently_wrong": "Float64",
    "spread": "Float64",
    "spread_by_chance": "Float64",
    "p_of_spread": "Float64",
    "standing_out": "string",
    "flipped": "Float64",
    "flipped_low": "Float64",
    "flipped_high": "Float64",
    "flips": "Float64",
    "flips_low": "Float64",
    "flips_high": "Float64",
    "within": "Float64",
    "within_low": "Float64",
    "within_high": "Float64",
    "level": "Float64",
    "target": "string",
    "margin": "Float64",
    "questions": "Int64",
    "remarks": "string",
    "reason": "string",
}


def rows(
    cards: Sequence[VoteCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay votes and averages out flat, a row for each run or segment and each k.

    Parameters
    ----------
    cards : sequence of VoteCard
    translations : gettext.NullTranslations, optional
        For remarks and reason.

    Returns
    -------
    list of dict
        With the keys of `COLUMNS`: fractions at full precision, ``k`` None where all samples vote,
        ``difference`` paired, ``half_ties`` the vote if half of the ties count, ``aisbench`` the
        value of AISBench's formula where fewer than all samples vote, ``agreed`` the share of
        questions whose most common answer has a majority, ``spread`` the standard deviation of the
        averages of replicas, ``standing_out`` the numbers of those that chance does not explain,
        ``remarks`` a list of sentences. What does not exist is None.
    """

    def row(card: VoteCard) -> dict[str, Any]:
        return {
            **dict.fromkeys(COLUMNS),
            **about(card),
            "k": card.settings.k,
            "level": card.view.level,
            "target": card.view.target,
            "margin": card.settings.margin,
            "remarks": [say(text, translations) for text in remarks(card)],
            "reason": say(card.reason, translations),
            **_votes(card),
            **_agreement(card),
            **_replicas(card),
        }

    return list(map(row, cards))


def remarks(card: VoteCard) -> Iterator[Text]:
    """Yield the scenario in words, and what must be known of the numbers, each once."""
    if card.found is not None:
        yield card.found.compared.scenario(card.settings.margin).text
        yield from card.found.compared.remarks()
        yield from caveats(card)
        if card.found.replicas is not None:
            yield from odd_ones(card.found.replicas)


def caveats(card: VoteCard) -> Iterator[Text]:
    """Yield the caveats of the estimates, each once."""
    found = card.found.compared if card.found else None
    estimates = () if found is None else (found.cons, found.avg, found.difference)
    yield from dict.fromkeys(caveat for each in estimates for caveat in each.caveats)


def frame(
    cards: Sequence[VoteCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame, the remarks joined to one text; what does not exist is NA."""
    return frame_of(rows(cards, translations), COLUMNS)


def _votes(card: VoteCard) -> dict[str, Any]:
    if card.found is None:
        return {}
    return {
        "vote": card.found.compared.label,
        **_numbers("cons", card.found.compared.cons),
        **_numbers("avg", card.found.compared.avg),
        **_numbers("difference", card.found.compared.difference),
        "scenario": card.found.compared.scenario(card.settings.margin).name,
        "tied": card.found.compared.tied,
        "half_ties": card.found.compared.with_half_ties,
        "aisbench": card.found.compared.by_aisbench,
        "questions": card.found.compared.difference.n_questions,
    }


def _numbers(name: str, estimate: Estimate) -> dict[str, float | None]:
    low, high = limits(estimate)
    return {name: estimate.value, f"{name}_low": low, f"{name}_high": high}


def _agreement(card: VoteCard) -> dict[str, float]:
    agreed = card.found.agreed if card.found else None
    if agreed is None:
        return {}
    return {
        "agreement": agreed.mean,
        "agreed": agreed.majority,
        "confidently_wrong": agreed.confidently_wrong,
    }


def _replicas(card: VoteCard) -> dict[str, Any]:
    found = card.found.replicas if card.found else None
    if found is None:
        return {}
    return {
        "spread": found.spread,
        "spread_by_chance": found.spread_by_chance,
        "p_of_spread": found.p_of_spread,
        "standing_out": ", ".join(map(str, found.standing_out)) or None,
        **_numbers("flipped", found.flipped),
        **_numbers("flips", found.flips),
        **({} if found.within is None else _numbers("within", found.within)),
    }
