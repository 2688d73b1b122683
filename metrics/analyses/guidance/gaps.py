"""What lies between one try, a vote and a check: what each would gain on these questions."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log1p

import numpy as np

from metrics.analyses.questions import question_statistics
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence
from metrics.data.question import Question
from metrics.data.results import Curve, Estimate, Interval
from metrics.estimating.applicability import why_undefined
from metrics.estimating.caveats import are_copied
from metrics.estimating.curves import curve_entry
from metrics.estimating.estimation import PAIRED, difference_of, estimate_entry, mean_of_scores
from metrics.scoring.payoffs import any_correct
from metrics.scoring.registry import METRICS
from metrics.scoring.scores import DIFFERENCE, gain_scores, question_scores

FAR, NEAR = 0.1, 0.05
"""Two metrics are far apart beyond the one, and near one another within the other."""

_TRIES = 64


@dataclass(frozen=True, slots=True)
class Gaps:
    """What a vote and a check gain on a single try, of questions like these."""

    apart: float  # Probability that pass exceeds cons by more than `FAR`.
    checked: Estimate  # pass - avg: what it gains to check all k tries.
    vote: Estimate | None  # plurality@k; None without answers, or with unequal numbers of samples.
    voted: Estimate | None  # plurality@k - avg.
    # On how many of these questions the samples agree on one wrong answer; None without answers.
    wrong: int | None
    solved: Curve  # pass@k from k to n, without intervals; of very many, some.
    # Whether samples are copies of one another, or look like it, so that gaps mean nothing.
    copied: bool


def find_gaps(
    evidence: Evidence,
    k: int,
    drawn: Vector,
    question: Question,
) -> Gaps:
    """Measure the gaps of a run.

    The first columns of the joint draws are pass, avg and cons.

    Examples
    --------
    >>> from metrics import guidance
    >>> found = guidance([[1, 1, 0, 0], [0, 0, 0, 0]] * 50).gaps
    >>> found.apart, round(found.checked.value, 2), found.vote
    (1.0, 0.25, None)
    """
    vote = voted = None
    metric = METRICS["plurality@k"]
    if why_undefined(metric, evidence, k, "population", {}) is None:
        vote = estimate_entry(metric, evidence, k, question, {})
        votes, tries = (
            each.scores(evidence, k, {}).each_question(evidence).values
            for each in (metric, METRICS["avg@n"])
        )
        voted = difference_of(question_scores(votes - tries, *DIFFERENCE), evidence, question)
    gained = gain_scores(evidence, any_correct, lambda n: k)
    checked = (
        difference_of(gained, evidence, question)
        if k > 1
        else mean_of_scores(gained, question, Interval(0.0, 0.0), PAIRED, ())
    )
    return Gaps(
        float((drawn[:, 0] - drawn[:, 2] > FAR).mean()),
        checked,
        vote,
        voted,
        _agreed_on_wrong(evidence),
        curve_entry(
            METRICS["pass@k"],
            evidence,
            np.unique(np.linspace(k, evidence.n_min, _TRIES).astype(np.int64)),
            None,
            {},
        ),
        are_copied(evidence),
    )


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
