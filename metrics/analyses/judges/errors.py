r"""How often a judge errs, from answers of which a person said whether they are right.

Answers of one question are judged alike, so labels that cluster by question count as fewer: as
Korn and Graubard's effective number, never more than there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.judges.verdicts import any_pass, judge_verdicts, person_labels
from metrics.data.inputs import is_number, require_level
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.intervals.binomial import clopper_pearson
from metrics.intervals.korn_graubard import population_size, worth
from metrics.intervals.paired import independent_limits

SURE = 0.95
"""The level at which labels that cluster are counted."""
FEW_LABELS = 10
_SHARE = Text("Share of labels; exact binomial limits at the effective number of labels.")
_SUM = Text("Sum of two shares less 1; their limits combined (MOVER).")


class Agreed(NamedTuple):
    """How often a judge agrees with labels of one kind.

    Attributes
    ----------
    agreed : float
        How many of them the judge agrees with.
    labels : float
        How many independent labels there are, or are worth.
    """

    agreed: float
    labels: float

    @property
    def share(self) -> float:
        """How often the judge agrees."""
        return self.agreed / self.labels

    @property
    def near(self) -> float:
        """The share with one label more of each kind, which is never 0 or 1."""
        return (self.agreed + 1) / (self.labels + 2)

    @property
    def variance(self) -> float:
        """The variance of how often it agrees."""
        return self.near * (1 - self.near) / self.labels


@result
class JudgeErrors:
    """How often a judge errs.

    Attributes
    ----------
    sensitivity : Estimate
        How often it calls right what is right, s.
    specificity : Estimate
        How often it calls wrong what is wrong, t.
    informedness : Estimate
        s + t − 1: 1 for a judge that never errs, 0 for one that says nothing.
    right_labels, wrong_labels : Agreed
        How often it agreed with labels of right and of wrong answers, as effective numbers.
    groups : bool
        Whether questions were labelled (is any candidate right?) and not answers.
    caveats : tuple of Text
        What the reader must know before using them.
    """

    sensitivity: Estimate
    specificity: Estimate
    informedness: Estimate
    right_labels: Agreed
    wrong_labels: Agreed
    groups: bool
    caveats: tuple[Text, ...] = ()


def judge_errors(
    data: Any,
    by: Any = None,
    human: Any = None,
    *,
    groups: bool = False,
    probability: Any = None,
    threshold: float = 0.5,
    strict: bool = False,
    confidence_level: float = 0.95,
) -> JudgeErrors:
    """Estimate how often a judge errs, from human labels.

    Parameters
    ----------
    data : Run, Outcomes, what has columns, or array_like of float, shape (M, N) or (M,)
        What was judged and labelled: a calibration set, or a run of which a part has labels. An
        array holds the judge's own numbers, with a row for each question.
    by : str, or array_like of float, shape (M, N), optional
        The judge's numbers, or the name of their column; by default the verdicts of a run.
    human : str, or array_like of 0/1, shape (M, N), optional
        The labels, NaN where nobody looked; by default the column ``human``. With ``groups`` of
        shape (M,), by default ``human_group``.
    groups : bool, default: False
        Whether a label says if any candidate of a question is right. The judge then says so where
        it calls any right.
    probability : str or array_like of float, optional
        With what chance each label was drawn; by default the column ``human_probability`` or
        ``human_group_probability``, if there is one. Labels with a chance of 0 were not drawn at
        random and are left out.
    threshold : float, default: 0.5
        What the judge's number must reach to call an answer right; 0/1 may stay as they are.
    strict : bool, default: False
        Whether the number must exceed the threshold.
    confidence_level : float, default: 0.95
        In (0, 1).

    Returns
    -------
    JudgeErrors

    Raises
    ------
    MetricError
        If there are no labels of right or of wrong answers, or none was drawn at random.

    Examples
    --------
    >>> errors = judge_errors([0.9, 0.8, 0.2, 0.1, 0.7], human=[1, 1, 1, 0, 0])
    >>> round(errors.sensitivity.value, 3), errors.specificity.value
    (0.667, 0.5)
    """
    verdicts = judge_verdicts(data, by, threshold, strict)
    labels = person_labels(data, human, probability, verdicts.shape, groups)
    judged = any_pass(verdicts) if groups else verdicts
    says, right = judged.correct, labels.right
    units = np.arange(len(says)) if judged.clusters is None else judged.clusters
    both = labels.known & (says >= 0)
    right_labels, wrong_labels = (
        _agreed((says == truth) & both, both & (right == truth), units, named)
        for truth, named in ((1, Text("right")), (0, Text("wrong")))
    )
    caveats = tuple(labels.caveats())
    return errors_of(right_labels, wrong_labels, confidence_level, groups, caveats)


def errors_of(
    right_labels: Any,
    wrong_labels: Any,
    confidence_level: float,
    groups: bool = False,
    caveats: tuple[Text, ...] = (),
) -> JudgeErrors:
    """Return how often a judge errs, from how often it agreed with so many labels."""
    level = require_level(confidence_level)
    right, wrong = _counts(right_labels, "right_labels"), _counts(wrong_labels, "wrong_labels")
    shares = [
        Estimate(
            each.share,
            _limits(each, level),
            level,
            "population",
            round(each.labels),
            _SHARE,
            tuple(_few_labels(each)),
            each.labels,
        )
        for each in (right, wrong)
    ]
    s, t = shares
    informedness = Estimate(
        s.value + t.value - 1,
        _informed(right, wrong, level),
        level,
        "population",
        s.n_questions + t.n_questions,
        _SUM,
        bounds=Interval(-1.0, 1.0),
    )
    return JudgeErrors(s, t, informedness, right, wrong, groups, caveats)


def require_informed(errors: JudgeErrors) -> None:
    """Raise `MetricError` where a judge is no better than chance by its labels."""
    informedness = errors.informedness
    assert informedness.interval is not None
    if informedness.value <= 0:
        raise MetricError(
            Text(
                "By these labels, the judge knows nothing about what is right: sensitivity "
                "{s:.1%} + specificity {t:.1%} − 1 = {value:.2f} ({low:.2f} to {high:.2f}). "
                "More labels or another judge are needed.",
                s=errors.sensitivity.value,
                t=errors.specificity.value,
                value=informedness.value,
                low=informedness.interval.low,
                high=informedness.interval.high,
            )
        )


def _agreed(
    same: NDArray[np.bool_], labelled: NDArray[np.bool_], units: NDArray[Any], named: Text
) -> Agreed:
    """Return how often a judge agrees with labels of one kind, and what these are worth."""
    sizes = np.bincount(units, labelled.sum(axis=1))
    held = sizes > 0
    m = round(float(sizes.sum()))
    if not m:
        raise MetricError(Text("No label says that an answer is {named}.", named=named))
    agreed = np.bincount(units, (same & labelled).sum(axis=1))[held]
    return Agreed(*_effective(agreed, sizes[held], m))


def _effective(agreed: NDArray[Any], sizes: NDArray[Any], m: int) -> tuple[float, float]:
    share = float(agreed.sum()) / m
    if (sizes == 1).all():
        return float(agreed.sum()), float(m)
    counted = worth(sizes)
    if counted.number <= 1:
        raise MetricError(Text("Labels of a single question say nothing about others."))
    deviations = agreed - share * sizes
    variance = counted.unbiased * float(deviations @ deviations) / m**2
    size = min(float(population_size(share, variance, m, SURE, counted)), float(m))
    return share * size, size


def _counts(given: Any, name: str) -> Agreed:
    pair = tuple(given) if np.iterable(given) and not isinstance(given, str) else ()
    allowed = len(pair) == 2 and all(map(is_number, pair)) and 0 <= pair[0] <= pair[1] < np.inf
    if not allowed:
        raise MetricError(
            Text(
                "{name} must be how often the judge agreed and the number of labels; got {got!r}.",
                name=name,
                got=given,
            )
        )
    if pair[1] == 0:
        raise MetricError(Text("{name} must have at least one label.", name=name))
    return Agreed(float(pair[0]), float(pair[1]))


def _limits(each: Agreed, level: float) -> Interval:
    low, high = clopper_pearson(*each, level)
    return Interval(float(low), float(high))


def _informed(right: Agreed, wrong: Agreed, level: float) -> Interval:
    """Return the limits of s − (1 − t)."""
    s, t = _limits(right, level), _limits(wrong, level)
    missed = 1 - wrong.share, 1 - t.high, 1 - t.low
    low, high = independent_limits(missed, (right.share, *s))
    return Interval(float(low), float(high))


def _few_labels(each: Agreed) -> Iterator[Text]:
    if each.labels < FEW_LABELS:
        yield Text("{count:.3g} labels are very few.", count=each.labels)
