r"""Whether models agree on one wrong answer more often than chance has them agree.

Chance is what is seen where nothing but chance is at work: wrong answers of two models to different
questions are the same with a chance c, and no answer is a larger share q of all wrong ones. Both
are measured on all wrong answers, and on those that most samples of a model give, and the larger
counts. Given that the right answer is none of them, both are higher still,
:math:`c' = c / (1 - c)` and likewise q'. That a of w models which are wrong agree has then at most
the chance

.. math:: \binom{w}{a} c' q'^{\,a-2}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import outcome_matrix

Codes = NDArray[Any]
_CUT = "…"
"""The end of a label that is only the beginning of a long answer."""


def shared_answers(
    runs: Mapping[str, Any], given: Mapping[str, Any] | None
) -> tuple[dict[str, Codes], Callable[[int], str]]:
    """Return the answers of the runs that have any, as codes of one kind, and what names a code.

    Those of the runs are matched by their labels, and an answer of which a run knows only the
    beginning is none; `given` codes are of one kind.
    """
    if given is not None:
        return {name: outcome_matrix(each, "answers") for name, each in given.items()}, str
    known: dict[str, int] = {}
    codes: dict[str, Codes] = {}
    for name, run in runs.items():
        answers, own_labels = (getattr(run, part, None) for part in ("answers", "answer_labels"))
        if answers is not None and own_labels is not None:
            own = np.full(len(own_labels) + 1, -1, dtype=np.int64)
            for place, label in enumerate(own_labels):
                if label and not label.endswith(_CUT):
                    own[place] = known.setdefault(label, len(known))
            codes[name] = own[answers]
    labels = tuple(known)
    return codes, lambda code: labels[code]


class AgreedAnswer(NamedTuple):
    """An answer that runs give with most of their samples though it is judged wrong."""

    answer: str  # Its label; of codes without labels the code.
    runs: tuple[str, ...]  # Which give it.
    wrong: int  # How many runs give any one wrong answer with most of their samples.
    # How likely as many agree by chance, at most; adjusted for the number of questions that two
    # runs or more get wrong so (Benjamini and Hochberg).
    p_value: float


class Wrong(NamedTuple):
    """Wrong answers."""

    # The answer as its code. Shape (W,).
    run: NDArray[np.int64]
    question: NDArray[np.int64]
    answer: NDArray[np.int64]

    def once(self) -> Wrong:
        """Return each once."""
        codes = np.unique(self.answer, return_inverse=True)[1]
        first = np.unique(_keys(codes, self.run, self.question), return_index=True)[1]
        return Wrong(self.run[first], self.question[first], self.answer[first])


def agreed_on_wrong(
    common_wrong: NDArray[np.int64], wrong: Wrong, names: Sequence[str], named: Callable[[int], str]
) -> Iterator[tuple[int, AgreedAnswer]]:
    """Yield the questions on which two runs or more agree on a wrong answer.

    Each row of `common_wrong` is a run, with the wrong answer that most of its samples give to each
    question, -1 for none; `named` gives the answer of a code.
    """
    among = (common_wrong >= 0).sum(axis=0)
    asked = np.flatnonzero(among >= 2)
    same, share = chances(common_wrong, wrong)
    agreeing = []
    for question in asked.tolist():
        column = common_wrong[:, question]
        answer, agreed = Counter(column[column >= 0].tolist()).most_common(1)[0]
        chance = 1.0
        if agreed > 1:
            chance = min(1.0, comb(int(among[question]), agreed) * same * share ** (agreed - 2))
        agreeing.append((question, answer, agreed, chance))
    adjusted = benjamini_hochberg([chance for *_, chance in agreeing])
    for (question, answer, agreed, _chance), p_value in zip(agreeing, adjusted, strict=True):
        if agreed > 1:
            runs = tuple(
                name
                for name, each in zip(names, common_wrong[:, question], strict=True)
                if each == answer
            )
            yield question, AgreedAnswer(named(answer), runs, int(among[question]), p_value)


def chances(common_wrong: NDArray[np.int64], wrong: Wrong) -> tuple[float, float]:
    """Return c' and q'; see `agreed_on_wrong`.

    Examples
    --------
    Letters, of which two models choose any but the right one:

    >>> common_wrong = np.random.default_rng(0).integers(0, 4, (2, 4000))
    >>> wrong = Wrong(*np.nonzero(common_wrong >= 0), common_wrong.ravel())
    >>> [round(chance, 1) for chance in chances(common_wrong, wrong)]
    [0.3, 0.3]
    """
    runs, questions = np.nonzero(common_wrong >= 0)
    most = Wrong(runs, questions, common_wrong[runs, questions])
    (seen, of, share), (same_pairs, pairs, largest) = map(_same_pairs, (most, wrong.once()))
    return (
        _beside_the_right(max(seen / of if of else 0.0, (same_pairs + 1) / (pairs + 1))),
        _beside_the_right(max(share, largest)),
    )


def _same_pairs(wrong: Wrong) -> tuple[float, float, float]:
    """Count the pairs of two runs and two questions, those of them that are the same, and q."""
    runs, questions, codes = wrong
    if not len(codes):
        return 0.0, 0.0, 0.0
    codes = np.unique(codes, return_inverse=True)[1]

    def pairs(*same: NDArray[np.int64]) -> float:
        """Count the pairs that have all of this in common."""
        counts = np.unique(_keys(*same), return_counts=True)[1].astype(np.float64)
        return float((counts * (counts - 1)).sum()) / 2

    def independent_pairs(*same: NDArray[np.int64]) -> float:
        """Count those of other runs and other questions."""
        alone = pairs(*same, runs) + pairs(*same, questions) - pairs(*same, runs, questions)
        return pairs(*same) - alone

    once = codes[np.unique(_keys(codes, questions), return_index=True)[1]]
    largest = float(np.bincount(once).max()) / len(once)
    return independent_pairs(codes), independent_pairs(np.zeros_like(codes)), largest


def _keys(*columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each combination of some codes from 0 on."""
    keys = np.zeros_like(columns[0])
    for column in columns:
        keys = keys * (int(column.max(initial=0)) + 1) + column
    return keys


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted so that of those below a level at most that share is wrong.

    Examples
    --------
    >>> [round(p, 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(-p, kind="stable")
    ranks = np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum.accumulate(p[order] * len(p) / ranks)
    return [float(each) for each in np.minimum(adjusted, 1.0)]


def _beside_the_right(chance: float) -> float:
    return min(1.0, chance / (1 - chance)) if chance < 1 else 1.0
