"""The scores of LongBench's evaluators, and the word overlap of texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from reports.rescoring.answers import plain

_NUMBER = re.compile(r"\d+")
_PARAGRAPH = {"en": re.compile(r"Paragraph (\d+)"), "zh": re.compile(r"段落(\d+)")}


def shared_words(answer: str, references: Sequence[str]) -> float:
    """Return the largest F1 of the words an answer shares with a reference.

    Letters of both cases are alike; punctuation and articles do not count.

    Examples
    --------
    >>> shared_words("The river Nile.", ["Nile", "Amazon"])
    0.6666666666666666
    """
    words = plain(answer).split()
    return max((_f1(words, plain(reference).split()) for reference in references), default=0.0)


def _f1(answer: Sequence[str], right: Sequence[str]) -> float:
    shared = (Counter(answer) & Counter(right)).total()
    return 2 * shared / (len(answer) + len(right)) if shared else 0.0


def share_of_numbers(answer: str, number: str) -> float:
    """Return the share of the numbers in an answer that are the right one.

    Examples
    --------
    >>> share_of_numbers("5 or 7", "7"), share_of_numbers("none", "7")
    (0.5, 0.0)
    """
    numbers = _NUMBER.findall(answer)
    return numbers.count(number) / len(numbers) if numbers else 0.0


def paragraph(reference: str, language: str = "en") -> str | None:
    """Return the number of the paragraph that a reference names, or None.

    Examples
    --------
    >>> paragraph("Paragraph 12"), paragraph("12")
    ('12', None)
    """
    found = _PARAGRAPH.get(language, _PARAGRAPH["en"]).search(reference)
    return found[1] if found else None


def share_of_classes(answer: str, reference: str, classes: Sequence[str]) -> float:
    """Return one over the number of classes that an answer names, if the right one is among them.

    A name that is part of the right one does not count, unless it stands right after another such
    name: the evaluator takes names from the list that it walks along.

    Examples
    --------
    >>> share_of_classes("A city, or abbey", "city", ["city", "abbey", "town"])
    0.5
    """
    named = [name for name in classes if name in answer]
    for name in named:
        if name in reference and name != reference:
            named.remove(name)
    return 1 / len(named) if reference in named else 0.0
