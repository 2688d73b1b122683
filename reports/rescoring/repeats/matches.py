"""How HELM matches an answer with a reference."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from typing import Any

from metrics.data.words import Text
from reports.rescoring.rule import Mark, Prediction, Rule, each

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NUMBER = re.compile(r"-?[\d,]+(?:.\d+)?")


def plain(text: str, articles: bool = False) -> str:
    """Return a text in small letters without punctuation, articles and repeated spaces.

    Examples
    --------
    >>> plain("The  Eiffel-Tower."), plain("The end", articles=True)
    ('eiffeltower', 'the end')
    """
    text = text.lower().translate(_PUNCTUATION)
    return " ".join((text if articles else _ARTICLES.sub(" ", text)).split())


def final_number(text: str) -> str:
    """Return the last number without commas.

    Examples
    --------
    >>> final_number("of 1,200 eggs 15 are left.")
    '15'
    """
    found = _NUMBER.findall(text)
    return found[-1].replace(",", "") if found else ""


def _equal(gold: str, said: str) -> bool:
    return bool(said) and gold.strip() == said.strip()


_MATCHES: Mapping[str, tuple[Text, Callable[[str, str], bool]]] = {
    "exact_match": (Text("equal texts"), _equal),
    "quasi_exact_match": (
        Text("equal texts, punctuation, articles and capitals aside"),
        lambda gold, said: bool(said) and plain(gold) == plain(said),
    ),
    "quasi_leave_articles_exact_match": (
        Text("equal texts, punctuation and capitals aside"),
        lambda gold, said: bool(said) and plain(gold, True) == plain(said, True),
    ),
    "prefix_exact_match": (
        Text("whether the answer begins with the reference"),
        lambda gold, said: bool(said) and said.strip().startswith(gold.strip()),
    ),
    "quasi_prefix_exact_match": (
        Text("whether the answer begins with the reference, punctuation and capitals aside"),
        lambda gold, said: bool(said) and plain(said).startswith(plain(gold)),
    ),
    "exact_match_indicator": (
        Text("the last word"),
        lambda gold, said: _equal(gold.split(" ")[-1].strip(), said.split(" ")[-1].strip()),
    ),
    "final_number_exact_match": (
        Text("the last number"),
        lambda gold, said: _equal(final_number(gold), final_number(said)),
    ),
}


def rule_of(metric: str) -> Rule | None:
    """Return the rule of a metric, which takes a list of references; None of one that is not known.

    Examples
    --------
    >>> rule = rule_of("exact_match")
    >>> [mark.credit for mark in rule.mark([Prediction(" 55", ["55"]), Prediction("5", ["55"])])]
    [1.0, 0.0]
    """
    if metric not in _MATCHES:
        return None
    name, matches = _MATCHES[metric]

    def mark(sample: Prediction) -> Mark | None:
        golds: list[Any] = sample.gold
        right = any(matches(gold, sample.prediction) for gold in golds)
        return Mark(float(right), sample.prediction.strip() or None)

    return Rule(name, each(mark))
