"""How much texts differ: by their words, or by their characters where words have no spaces."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np
import scipy

from metrics.data.arrays import Integers, Vector
from metrics.data.frames import Rows
from metrics.data.shown import result

MOST = 64
"""Candidates of a question that are compared with one another; of more these, evenly spread."""
CLONE = 0.9
"""The share of its tokens that a clone has in common with another candidate."""
_UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff01-\uff65\U00020000-\U0003ffff"
)
_ONE = re.compile(f"[{_UNSPACED}]")
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_ROUNDING = 1e-12


@result
class TextDiversity(Rows):
    """How much the texts of each question differ; NaN where it has fewer than two.

    Attributes
    ----------
    distinct_1, distinct_2 : float array, shape (M,)
        Different tokens, and pairs of neighbouring tokens, as a share of all.
    apart : float array, shape (M,)
        1 - the largest overlap of a candidate with any other one, averaged over candidates.
    clones : float array, shape (M,)
        The share of candidates that have 90 % of their tokens in common with another.
    texts : int array, shape (M,)
        Candidates with a text.
    """

    distinct_1: Vector
    distinct_2: Vector
    apart: Vector
    clones: Vector
    texts: Integers

    def __post_init__(self) -> None:
        for array in (self.distinct_1, self.distinct_2, self.apart, self.clones, self.texts):
            array.flags.writeable = False

    def take(self, places: Integers) -> TextDiversity:
        """Return questions by their places, -1 for one without texts."""
        none = places < 0

        def taken(each: Vector) -> Vector:
            return np.where(none, np.nan, each[places])

        return TextDiversity(
            taken(self.distinct_1),
            taken(self.distinct_2),
            taken(self.apart),
            taken(self.clones),
            np.where(none, 0, self.texts[places]),
        )


def text_diversity(groups: Iterable[Sequence[str | None]]) -> TextDiversity:
    r"""Measure how much the texts of each question differ.

    Tokens are words between spaces, as written, or single characters in Chinese, Japanese, Thai and
    other scripts without spaces. Two texts overlap by twice the number of tokens they share, each
    as often as both have it, divided by the number of tokens of both:

    .. math:: \frac{2 \sum_t \min(a_t, b_t)}{\sum_t (a_t + b_t)}

    It is 1 for the same tokens in any order, and equals one minus the Bray-Curtis distance.

    Parameters
    ----------
    groups : iterable of sequences of str or None
        The texts of each question; None where a candidate has none. They are read one question at a
        time. Of more than 64 texts, 64 evenly spaced ones are compared.

    Returns
    -------
    TextDiversity

    Examples
    --------
    >>> found = text_diversity([["a b c d", "a b c d", "a b x y"], ["答案是42", "答案是7"]])
    >>> found.apart.round(3).tolist(), found.clones.round(3).tolist()
    ([0.167, 0.25], [0.667, 0.0])
    """
    each = [_of_question([text for text in texts if text is not None]) for texts in groups]
    table = np.array(each, dtype=np.float64).reshape(len(each), 5)
    distinct_1, distinct_2, apart, clones = np.ascontiguousarray(table[:, :4].T)
    return TextDiversity(distinct_1, distinct_2, apart, clones, table[:, 4].astype(np.int64))


def tokens_of(text: str) -> list[str]:
    """Return the words of a text, and the characters of scripts without spaces.

    Examples
    --------
    >>> tokens_of("The answer is 42."), tokens_of("答案是42。")
    (['The', 'answer', 'is', '42.'], ['答', '案', '是', '42', '。'])
    """
    if text.isascii() or not _ONE.search(text):
        return text.split()
    return _TOKEN.findall(text)


def _of_question(texts: Sequence[str]) -> tuple[float, ...]:
    """Return distinct-1, distinct-2, how far apart they are, clones, and how many texts."""
    if len(texts) < 2:
        return (*[np.nan] * 4, len(texts))
    some = np.linspace(0, len(texts) - 1, min(MOST, len(texts))).astype(int).tolist()
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    coded = [
        np.array([*map(numbers.__getitem__, tokens_of(texts[i]))], dtype=np.int64) for i in some
    ]
    codes, words = np.concatenate(coded), len(numbers)
    text = np.repeat(np.arange(len(coded)), [len(each) for each in coded])
    counts = np.bincount(text * words + codes, minlength=len(coded) * words)
    near = _nearest(counts.reshape(len(coded), words))
    pairs = (codes[:-1] * words + codes[1:])[text[1:] == text[:-1]]
    return (
        _share(words, len(codes)),
        _share(len(np.unique(pairs)), len(pairs)),
        float(near.mean()),
        float((near <= 1 - CLONE + _ROUNDING).mean()),
        len(texts),
    )


def _nearest(counts: Integers) -> Vector:
    """Return how far each text is from the nearest other one, by the counts of its tokens."""
    if not counts.shape[1]:
        return np.zeros(len(counts))
    distance = scipy.spatial.distance.squareform(
        np.nan_to_num(scipy.spatial.distance.pdist(counts, "braycurtis"), nan=0.0)
    )
    np.fill_diagonal(distance, np.inf)
    return np.asarray(distance.min(axis=1))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
