"""What lies between one try, a vote and a check: what each would gain on these questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, log1p

import numpy as np

from metrics.analyses.guidance.decision_matrix import Dimension
from metrics.analyses.questions import question_statistics
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Curve, Estimate, Interval
from metrics.estimating.applicability import unsupported
from metrics.estimating.caveats import are_copied
from metrics.estimating.curves import curve
from metrics.estimating.estimation import PAIRED, estimate
from metrics.estimating.limits import difference_limits
from metrics.intervals.paired import paired_limits
from metrics.scoring.payoffs import any_correct
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import gain_scores

FAR, NEAR = 0.1, 0.05
"""Two metrics are far apart beyond the one, and near one another within the other."""

_TRIES = 64


@dataclass(frozen=True, slots=True)
class Gaps:
    """What a vote and a check gain on a single try, of questions like these.

    Attributes
    ----------
    apart : float
        Probability that pass exceeds cons by more than `FAR`.
    checked : Estimate
        pass - avg: what it gains to check all k tries.
    vote : Estimate or None
        plurality@k; None without answers, or with unequal numbers of samples.
    voted : Estimate or None
        plurality@k - avg.
    wrong : int or None
        On how many of these questions the samples agree on one wrong answer; None without answers.
    solved : Curve
        pass@k from k to n, without intervals; of very many, some.
    copied : bool
        Whether samples are copies of one another, or look like it, so that gaps mean nothing.
    """

    apart: float
    checked: Estimate
    vote: Estimate | None
    voted: Estimate | None
    wrong: int | None
    solved: Curve
    copied: bool


def find_gaps(
    evidence: Evidence,
    k: int,
    estimates: Mapping[Dimension, Estimate],
    drawn: Vector,
    confidence_level: float,
) -> Gaps:
    """Measure the gaps of a run.

    Parameters
    ----------
    evidence : Evidence
    k : int
        Tries.
    estimates : mapping of {"pass", "avg", "cons"} to Estimate
    drawn : float array, shape (B, 3) or wider
        Joint draws; the first columns are pass, avg and cons.
    confidence_level : float
        Of the intervals.

    Examples
    --------
    >>> from metrics import guidance
    >>> found = guidance([[1, 1, 0, 0], [0, 0, 0, 0]] * 50).gaps
    >>> found.apart, round(found.checked.value, 2), found.vote
    (1.0, 0.25, None)
    """
    vote = voted = None
    metric = METRICS["plurality@k"]
    if unsupported(metric, evidence, k, "population", {}) is None:
        vote = estimate(
            evidence.counted,
            "plurality@k",
            k,
            confidence_level=confidence_level,
            missing=evidence.missing,
            segment=evidence.segment,
            answers=evidence.answers,
        )
        voted = _difference(evidence, k, estimates["avg"], vote)
    gained = gain_scores(evidence, any_correct, lambda n: k)
    limits = Interval(0.0, 0.0)
    if k > 1:
        limits = difference_limits(gained, evidence, Question(confidence_level=confidence_level))
    checked = _gain(estimates["avg"], gained.mean, limits, Interval(gained.low, gained.high))
    return Gaps(
        float((drawn[:, 0] - drawn[:, 2] > FAR).mean()),
        checked,
        vote,
        voted,
        _agreed_on_wrong(evidence),
        curve(
            evidence.counted,
            "pass@k",
            np.unique(np.linspace(k, evidence.n_min, _TRIES).astype(int)).tolist(),
            confidence_level=None,
            missing=evidence.missing,
            segment=evidence.segment,
        ),
        are_copied(evidence),
    )


def _difference(evidence: Evidence, k: int, avg: Estimate, vote: Estimate) -> Estimate:
    each = (METRICS[name].scores(evidence, k, {}) for name in ("plurality@k", "avg@n"))
    votes, tries = (scores.each_question(evidence).values for scores in each)
    ones = np.ones(len(votes), dtype=np.int64)
    clusters = evidence.clusters
    limits = paired_limits(votes - tries, ones, avg.confidence_level, clusters=clusters)
    return _gain(avg, vote.value - avg.value, Interval(*limits), Interval(-1.0, 1.0))


def _gain(avg: Estimate, value: float, limits: Interval, bounds: Interval) -> Estimate:
    about = avg.confidence_level, avg.target, avg.n_questions
    return Estimate(value, limits, *about, PAIRED, bounds=bounds)


def _agreed_on_wrong(evidence: Evidence) -> int | None:
    if evidence.answers is None or evidence.outcomes is None or not evidence.binary:
        return None
    found = question_statistics(
        evidence.outcomes, evidence.answers, missing=evidence.missing, segment=evidence.segment
    )
    return int(found.confidently_wrong().sum())


def tries_needed(passed: float, k: int, line: float) -> int | None:
    r"""Return the fewest tries with which pass can exceed a line, whatever the difficulties.

    With n >= k tries pass is at most :math:`1 - (1 - \text{pass@}k)^{n/k}`, by Jensen's inequality.

    Parameters
    ----------
    passed : float
        pass@k.
    k : int
    line : float
        In [0, 1].

    Returns
    -------
    int or None
        None where no number of tries does.

    Examples
    --------
    >>> tries_needed(0.6, 4, 0.8), tries_needed(0.0, 4, 0.8)
    (8, None)
    """
    if passed <= 0 or line >= 1:
        return None
    if passed >= 1 or passed > line:
        return k
    return max(k + 1, ceil(k * log1p(-line) / log1p(-passed)))


def most_solved(passed: float, k: int, n: int) -> float:
    """Return the most that pass@n can be, for n >= k, whatever the difficulties.

    Examples
    --------
    >>> round(most_solved(0.6, 4, 8), 2)
    0.84
    """
    return float(1 - (1 - passed) ** (n / k))
