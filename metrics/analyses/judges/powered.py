r"""What is right, from labels of a random part of the questions and a judge's verdicts of all.

With the label y and the verdict v of the same m units, and the verdicts x of the other M − m
questions,

.. math::
    \lambda = \frac{\mathrm{cov}(y, v)}{s_v^2 + \frac{m}{M-m} s_x^2} \in [0, 1], \qquad
    e = y - \lambda v, \qquad \hat\theta = \bar e + \lambda \bar x

which is unbiased whatever the judge is worth [1]_; :math:`\lambda = 0` leaves the labels alone. The
means of e and of x are independent, so their limits, mid-P at Korn and Graubard's effective
number of questions, combine to

.. math::
    \hat\theta - \sqrt{(\bar e - l_1)^2 + \lambda^2 (\bar x - l_2)^2}, \qquad
    \hat\theta + \sqrt{(u_1 - \bar e)^2 + \lambda^2 (u_2 - \bar x)^2}

References
----------
.. [1] A. N. Angelopoulos, J. C. Duchi and T. Zrnic, "PPI++: efficient prediction-powered
   inference", 2023; A. N. Angelopoulos et al., "Prediction-powered inference", Science 382, 2023.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from metrics.analyses.judges.corrected import ANY_PASS, COUNTED, require_corrected
from metrics.analyses.judges.verdicts import (
    PersonLabels,
    any_pass,
    judge_verdicts,
    person_labels,
    silence_caveats,
)
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_level
from metrics.data.names import JudgedMetric
from metrics.data.outcomes import Outcomes, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.tally import row_counts
from metrics.data.words import MetricError, Text
from metrics.estimating.caveats import design_caveats
from metrics.estimating.estimation import estimate_entry, mean_of
from metrics.intervals.binomial import mid_p
from metrics.intervals.korn_graubard import population_size
from metrics.intervals.paired import independent_limits
from metrics.scoring.draws import payoff_table
from metrics.scoring.payoffs import Payoff, all_correct, any_correct
from metrics.scoring.registry import METRICS, metric_name
from metrics.scoring.scores import question_scores

FEWEST = 10
"""The fewest labelled questions that tell of others."""
ENOUGH = 30
"""The fewest labelled questions with which a judge helps; with fewer its interval is the wider."""
RANDOM_PART = Text(
    "The labels belong to a random part of these questions. They count as they are, and the "
    "judge only adds precision. This holds however often it errs."
)
_UNEQUAL = Text(
    "The labels were drawn with unequal chances. Draw questions with equal chances, and from "
    "each the same number of samples, or all."
)
_ALIKE = 1e-6
_SURE = 0.999


@result
class Powered:
    """A number from labels of a random part of the questions, with the help of a judge.

    Attributes
    ----------
    metric : str
        Which one.
    estimate : Estimate
        From labels and judge together.
    labels_only : Estimate
        By the labels alone, on the labelled questions.
    observed : Estimate
        The judge's own number on all questions, uncorrected.
    weight : float
        How much the judge counts, from 0 to 1.
    labelled : int
        Questions with a label.
    way : Text
        Why it is estimated in this way, given how the labels were made.
    """

    metric: JudgedMetric
    estimate: Estimate
    labels_only: Estimate
    observed: Estimate
    weight: float
    labelled: int
    way: Text

    @property
    def gain(self) -> float:
        """By what share the interval is narrower than that of the labels alone."""
        return 1 - _width(self.estimate) / _width(self.labels_only)


def prediction_powered(
    data: Any,
    human: Any = None,
    *,
    by: Any = None,
    metric: JudgedMetric = "avg@n",
    k: int | None = None,
    probability: Any = None,
    threshold: float = 0.5,
    strict: bool = False,
    confidence_level: float = 0.95,
    segment: Segment | None = None,
) -> Powered:
    """Estimate a metric from labels of a random part of the questions and a judge of all.

    Nothing is assumed about the judge. It adds little: nothing below 30 labelled questions; with
    200, the interval is 6 to 21 % narrower than that of the labels alone, which is also returned.

    Parameters
    ----------
    data : Run, Outcomes or array_like of float, shape (M, N)
        What was judged; an array holds the judge's own numbers.
    human : str, or array_like of 0/1, shape (M, N), optional
        The labels, NaN where nobody looked; by default the column ``human``. For ``"any-pass"`` of
        shape (M,), by default ``human_group``.
    by : str, or array_like of float, shape (M, N), optional
        The judge's numbers, or the name of their column; by default the verdicts of a run.
    metric : {"avg@n", "pass@k", "pass^k", "any-pass"}
        For pass@k and pass^k all samples of a labelled question must have a label; ``"any-pass"``
        is whether any candidate of a question is right.
    k : int, optional
        Samples drawn, for pass@k and pass^k; by default the fewest of any question.
    probability : str or array_like of float, optional
        With what chance each label was drawn; by default the column ``human_probability`` or
        ``human_group_probability``, if there is one. Labels with a chance of 0 are left out.
    threshold, strict
        As in `judge_errors`.
    confidence_level, segment
        As in `estimate`.

    Returns
    -------
    Powered
        Of questions like these.

    Raises
    ------
    MetricError
        If fewer than 10 questions have labels that were drawn at random, or the labels were drawn
        with unequal chances.

    Examples
    --------
    A person looked at one answer of each of the first 40 of 100 questions:

    >>> rng = np.random.default_rng(1)
    >>> right = (rng.random((100, 4)) < rng.random((100, 1))).astype(int)
    >>> judge = np.where(rng.random(right.shape) < 0.9, right, 1 - right)
    >>> human = np.full(right.shape, np.nan)
    >>> human[:40, 0] = right[:40, 0]
    >>> found = prediction_powered(judge, human)
    >>> round(found.estimate.value, 3), round(found.weight, 2), found.labelled
    (0.574, 0.74, 40)
    """
    level = require_level(confidence_level)
    require_corrected(metric)
    groups, held = metric == ANY_PASS, getattr(data, "outcomes", data)
    verdicts = judge_verdicts(data, by, threshold, strict)
    labels = person_labels(data, human, probability, verdicts.shape, groups)
    judged = any_pass(verdicts) if groups else verdicts
    name = metric_name("avg@n" if groups else metric)
    question = Question("population", level, "wrong", segment)
    evidence = question.evidence(judged)
    observed = estimate_entry(
        METRICS[name], evidence, k if metric in COUNTED else None, question, {}
    )
    by_judge = np.where(evidence.matrix >= 0, evidence.matrix, np.nan)
    right = np.where(np.isnan(by_judge), np.nan, labels.right[evidence.rows])
    looked_at = np.asarray(~np.isnan(right).all(axis=1))
    m = int(looked_at.sum())
    if m < FEWEST:
        raise MetricError(
            Text(
                "Labels of {count} question, drawn at random, are too few; {least} are needed.",
                "Labels of {count} questions, drawn at random, are too few; {least} are needed.",
                count=m,
                least=FEWEST,
            )
        )
    if labels.chance is not None:
        samples = row_counts(~np.isnan(by_judge))
        if isinstance(held, Outcomes) and not groups:
            samples = np.maximum(samples, held.samples("omit")[evidence.rows])
        _require_alike(labels.chance[evidence.rows], right, samples)
    y, v, x = _units(right, by_judge, looked_at, metric, evidence.n_min if k is None else k)
    part = evidence.only(evidence.rows[looked_at])
    alone = _mean_of_labels(y, part, question)
    equal_weights = evidence.clusters is None and m >= ENOUGH
    weight = _weight(y, v, x) if equal_weights else 0.0
    caveats = (
        *_of_draw(labels, v, x),
        *labels.caveats(),
        *silence_caveats(verdicts, data),
    )
    if not weight:
        powered = replace(alone, caveats=(_of_no_use(evidence, m), *alone.caveats, *caveats))
        return Powered(metric, powered, alone, observed, weight, m, RANDOM_PART)
    value, interval = _combined(y - weight * v, x, weight, level)
    gain = 1 - (interval.high - interval.low) / _width(alone)
    powered = Estimate(
        value,
        interval,
        level,
        "population",
        m + len(x),
        Text(
            "Prediction-powered: mean of the labels less {weight:.2f} times the judge there, plus "
            "{weight:.2f} times the judge elsewhere; mid-P limits of both parts at the "
            "effective number of questions, combined (MOVER).",
            weight=weight,
        ),
        (*_of_gain(gain), *alone.caveats, *caveats),
    )
    return Powered(metric, powered, alone, observed, weight, m, RANDOM_PART)


def _units(
    right: Vector, by_judge: Vector, looked_at: Flags, metric: JudgedMetric, k: int
) -> tuple[Vector, Vector, Vector]:
    """Return label and verdict of each labelled question, and the verdict of each other."""
    some, others = right[looked_at], by_judge[looked_at]
    labelled = ~np.isnan(some)
    if metric not in COUNTED:
        each = some, np.where(labelled, others, np.nan), by_judge[~looked_at]
        y, v, x = (np.nanmean(block, axis=1) for block in each)
        return y, v, x
    partly = int((labelled != ~np.isnan(others)).any(axis=1).sum())
    if partly:
        raise MetricError(
            Text(
                "{metric} needs labels of all samples of a question; {count} question has labels "
                "of some.",
                "{metric} needs labels of all samples of a question; {count} questions have labels "
                "of some.",
                metric=metric,
                count=partly,
            )
        )
    payoff = {"pass@k": any_correct, "pass^k": all_correct}[metric]
    y, v, x = (_expected(payoff, k, each) for each in (some, others, by_judge[~looked_at]))
    return y, v, x


def _expected(payoff: Payoff, k: int, verdicts: Vector) -> Vector:
    """Return what k draws of the samples of each question earn on average."""
    samples = row_counts(~np.isnan(verdicts))
    right = np.nansum(verdicts, axis=1).astype(np.int64)
    values = np.empty(len(verdicts))
    for n in np.unique(samples).tolist():
        here = samples == n
        values[here] = payoff_table(payoff, k, n)[right[here]]
    return values


def _weight(y: Vector, v: Vector, x: Vector) -> float:
    m, rest = len(y), len(x)
    if rest < 2:
        return 0.0
    spread = float(v.var(ddof=1)) + m / rest * float(x.var(ddof=1))
    return float(np.clip(np.cov(y, v)[0, 1] / spread, 0, 1)) if spread else 0.0


def _combined(e: Vector, x: Vector, weight: float, level: float) -> tuple[float, Interval]:
    labelled, judged = _limited(e, -weight, level), _limited(x, 0.0, level)
    mean, low, high = (weight * each for each in judged)
    ends = independent_limits((-mean, -high, -low), labelled)
    value = min(max(labelled[0] + mean, 0.0), 1.0)
    low, high = (min(max(float(end), 0.0), 1.0) for end in ends)
    return value, Interval(min(low, value), max(high, value))


def _limited(values: Vector, least: float, level: float) -> tuple[float, float, float]:
    """Return the mean of values from `least` to 1, and its limits."""
    span = 1 - least
    share = float(values.mean() - least) / span
    variance = float(values.var(ddof=1)) / len(values) / span**2
    size = population_size(share, variance, len(values), level)
    low, high = mid_p(share, size, level)
    return least + span * share, least + span * float(low), least + span * float(high)


def _mean_of_labels(y: Vector, part: Evidence, question: Question) -> Estimate:
    """Return the mean of the labels alone."""
    scores = question_scores(y)
    return mean_of(scores, part, question, design_caveats(scores, "population"))


def _require_alike(chance: Vector, right: Vector, samples: Integers) -> None:
    """Raise unless all labelled questions count alike by the chances of their labels."""
    labels = row_counts(~np.isnan(right))
    rows = labels > 0
    samples, labels = samples[rows], labels[rows]
    each = np.where(np.isnan(right), np.nan, chance)[rows]
    mean = np.nanmean(each, axis=1)
    equal_each = np.nanmax(np.abs(each - mean[:, None])) <= _ALIKE
    same = np.ptp(mean) <= _ALIKE and np.ptp(samples) == 0
    if not equal_each or not (same or np.ptp(mean * samples / labels) <= _ALIKE):
        raise MetricError(_UNEQUAL)


def _of_draw(labels: PersonLabels, v: Vector, x: Vector) -> Iterator[Text]:
    """Yield what speaks against the labelled questions being a random part."""
    if labels.chance is None:
        yield Text(
            "It is unknown how the labelled questions were chosen; this holds only if they were "
            "chosen at random."
        )
    if len(x) < 2:
        return
    squares = [float(((each - each.mean()) ** 2).sum()) + 1 for each in (v, x)]
    variance = sum(s / (len(e) * (len(e) - 1)) for s, e in zip(squares, (v, x), strict=True))
    gap = float(v.mean() - x.mean())
    if abs(gap) > ndtri((1 + _SURE) / 2) * variance**0.5:
        yield Text(
            "The judge calls {here:.1%} of the labelled samples right and {there:.1%} of the "
            "others. Chance alone does not explain this, so the labelled ones may not be a "
            "random part.",
            here=float(v.mean()),
            there=float(x.mean()),
        )


def _of_no_use(evidence: Evidence, m: int) -> Text:
    if evidence.clusters is not None:
        return Text("Some questions belong together, so only the labels count, without the judge.")
    if m < ENOUGH:
        return Text(
            "With fewer than {enough} labelled questions, the judge adds nothing; only the "
            "labels count.",
            enough=ENOUGH,
        )
    return Text("The judge adds nothing to these labels; only they count.")


def _of_gain(gain: float) -> Iterator[Text]:
    if gain > 0:
        yield Text(
            "The judge makes the interval {gain:.0%} narrower than that of the labels alone.",
            gain=gain,
        )
    else:
        yield Text("The interval of the labels alone is no wider; use that one.")


def _width(estimate: Estimate) -> float:
    assert estimate.interval is not None
    return estimate.interval.high - estimate.interval.low
