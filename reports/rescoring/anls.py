"""ANLS, the edit similarity of two texts [1]_, by which DocVQA is judged.

References
----------
.. [1] A. F. Biten et al., "Scene Text Visual Question Answering", ICCV 2019.
"""

from __future__ import annotations

from collections.abc import Sequence

THRESHOLD = 0.5
"""From this likeness on an answer counts, and is right."""
MAX_LETTERS = 1000
"""Of the longer text; one so long is not compared letter by letter."""


def anls(answer: str, references: Sequence[str]) -> float:
    """Return the likeness of an answer to the reference it is most like.

    Distances are those of the texts in lower case with single spaces, lengths those of the texts
    as they are, as in AISBench.

    Returns: In [0.5, 1], or 0 for anything less alike.

    Examples
    --------
    >>> anls("Nestle", ["Nestlé", "Cadbury"]), anls("Nokia", ["Nestlé"])
    (0.8333333333333334, 0.0)
    """
    prediction = answer.replace("<|im_end|>", "").strip()
    best = max((_likeness(reference, prediction) for reference in references), default=0.0)
    return best if best >= THRESHOLD else 0.0


def edits(first: str, second: str) -> int:
    """Return how many letters to insert, delete or replace to get one text from the other.

    Examples
    --------
    >>> edits("kitten", "sitting")
    3
    """
    row = list(range(len(first) + 1))
    for i, letter in enumerate(second, start=1):
        above, row = row, [i]
        for j, other in enumerate(first, start=1):
            row.append(min(above[j - 1] + (letter != other), above[j] + 1, row[-1] + 1))
    return row[-1]


def _likeness(reference: str, answer: str) -> float:
    right, given = (" ".join(text.lower().split()) for text in (reference, answer))
    longer = max(len(reference), len(answer))
    if right == given:
        return 1.0
    if longer > MAX_LETTERS or abs(len(right) - len(given)) > THRESHOLD * longer:
        return 0.0
    return 1 - edits(right, given) / longer
