"""A judge's numbers corrected for its errors, which separate labels show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from metrics.analyses.judges.correcting import (
    Called,
    VarianceParts,
    all_right,
    any_right,
    count_limits,
    drawn_limits,
    rate_limits,
)
from metrics.analyses.judges.errors import JudgeErrors, errors_of, require_informed
from metrics.analyses.judges.verdicts import any_pass, judge_verdicts, silence_caveats
from metrics.data.evidence import Evidence
from metrics.data.inputs import (
    is_number,
    require_count,
    require_level,
    require_positive,
    require_share,
)
from metrics.data.names import JudgedMetric
from metrics.data.outcomes import Outcomes, Segment
from metrics.data.results import Estimate, Interval
from metrics.data.shown import result
from metrics.data.words import Enumerated, MetricError, Text
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import METRICS, metric_name

ANY_PASS: Final = "any-pass"
COUNTED = {"pass@k": any_right, "pass^k": all_right}
METRICS_OF_JUDGES = ("avg@n", *COUNTED, ANY_PASS)
"""What can be corrected for a judge's errors."""
_ROUND = 1e-9
WIDE = 0.5
"""How wide an interval is from which on a value says next to nothing."""
SEPARATE = Text(
    "The labels belong to other answers. They show how often the judge errs, and its verdicts "
    "are corrected accordingly. This holds if it errs as often here as there."
)
_RATE = Text(
    "Rate called right, corrected for the judge's sensitivity and specificity; Fieller's interval "
    "at the effective number of questions, adjusted as Lang and Reiczigel do."
)
_COUNT = Text(
    "Unbiased, given the judge's sensitivity and specificity, if it errs independently on each "
    "candidate. The interval holds however its errors depend on one another: bounds, with 4000 "
    "draws of both shares (Jeffreys) and of the mean over questions (Student's t, one question "
    "added)."
)
_BOUND = Text(
    "Upper bound: 1 − (1 − rate)^k, as if all questions were equally difficult. Candidates of "
    "one question succeed and fail together, so at least one of them passes less often."
)
_GIVEN = Text("The rate as given.")
_OF_ANEW = Text(
    "The interval holds whether the judge errs independently on each candidate or repeats the "
    "same mistake. Labels of questions (does any candidate pass?) make it narrower."
)


class Division(NamedTuple):
    """Where the variance of a corrected number comes from.

    Attributes
    ----------
    answers, right_labels, wrong_labels : float
        Shares that sum to 1: from the judged answers, and from the labels of right and wrong ones.
    best_split : float
        Which share of the labels should be of right answers.
    next : {"answers", "right_labels", "wrong_labels"}
        What to get more of: answers where they make up more than half, else labels of the kind of
        which one more helps most.
    """

    answers: float
    right_labels: float
    wrong_labels: float
    best_split: float
    next: str

    @property
    def words(self) -> Text:
        """The division and what to do, in words."""
        return Text(
            "{answers:.0%} of the variance comes from the answers, {right:.0%} from the labels "
            "of right answers and {wrong:.0%} from those of wrong ones. {what} It is best to "
            "give {split:.0%} of the labels to right answers.",
            answers=self.answers,
            right=self.right_labels,
            wrong=self.wrong_labels,
            what=_NEXT[self.next],
            split=self.best_split,
        )


@result
class Corrected:
    """A number that a judge gives, corrected for its errors.

    Attributes
    ----------
    metric : str
        Which one.
    estimate : Estimate
        Corrected.
    observed : Estimate
        The judge's own number, uncorrected.
    errors : JudgeErrors
        How often it errs.
    check : Interval or None
        A second interval: for a rate, from draws of all three shares (Jeffreys); for pass@k and
        pass^k, for a judge that errs independently at each candidate, which labels of single
        answers cannot show. None where that is impossible.
    division : Division
        Where the width comes from, and what to label next.
    way : Text
        Why it is corrected in this way, given how the labels were made.
    """

    metric: JudgedMetric
    estimate: Estimate
    observed: Estimate
    errors: JudgeErrors
    check: Interval | None
    division: Division
    way: Text

    def at_most(self, k: int) -> Estimate:
        """Return an upper bound on how often any of k candidates is right, from a corrected rate.

        Examples
        --------
        >>> judged = correct_judge(0.5, n=400, right_labels=(90, 100), wrong_labels=(80, 100))
        >>> round(judged.estimate.value, 3), round(judged.at_most(3).value, 3)
        (0.429, 0.813)
        """
        k = require_count(k, "k")
        estimate = self.estimate
        if self.metric != "avg@n" or estimate.interval is None:
            raise MetricError(
                Text("The upper bound is for a rate, avg@n; got {got}.", got=self.metric)
            )
        value, low, high = (1 - (1 - rate) ** k for rate in (estimate.value, *estimate.interval))
        return Estimate(
            value,
            Interval(low, high),
            estimate.confidence_level,
            estimate.target,
            estimate.n_questions,
            _BOUND,
            estimate.caveats,
        )


def correct_judge(
    rate_or_data: Any,
    *,
    right_labels: Any,
    wrong_labels: Any,
    by: Any = None,
    metric: JudgedMetric = "avg@n",
    k: int | None = None,
    n: float | None = None,
    threshold: float = 0.5,
    strict: bool = False,
    confidence_level: float = 0.95,
    segment: Segment | None = None,
    rng: int = 0,
) -> Corrected:
    r"""Correct a judge's number for its errors, estimated from a separate calibration set.

    With sensitivity s, specificity t and J = s + t − 1 a rate q becomes :math:`(q + t - 1) / J`;
    pass@k and pass^k are unbiased where the judge errs independently at each sample. Intervals hold
    however close J is to 0, where they may cover the whole range, and however errors at the samples
    of one question depend on one another.

    Parameters
    ----------
    rate_or_data : float, Estimate, Run, Outcomes or array_like of float, shape (M, N)
        The share that the judge calls right, or what was judged; an array holds the judge's own
        numbers.
    right_labels : tuple of float
        (x1, m1): of m1 answers known to be right the judge called x1 right. `judge_errors` returns
        both, reduced to effective numbers where labels cluster by question.
    wrong_labels : tuple of float
        (x0, m0): of m0 answers known to be wrong it called x0 wrong.
    by : str, or array_like of float, shape (M, N), optional
        The judge's numbers, or the name of their column; by default the verdicts of a run.
    metric : {"avg@n", "pass@k", "pass^k", "any-pass"}
        ``"any-pass"``: whether the judge calls any of all candidates right. It needs labels of
        questions (``judge_errors(..., groups=True)``), the others labels of answers.
    k : int, optional
        Samples drawn, for pass@k and pass^k; by default the fewest of any question.
    n : float, optional
        Independent answers behind a plain rate. With several answers per question they are fewer
        than the answers: pass the data or the estimate.
    threshold, strict
        As in `judge_errors`.
    confidence_level, segment
        As in `estimate`.
    rng : int
        Seed of the draws behind ``check`` and the intervals of pass@k and pass^k.

    Returns
    -------
    Corrected
        Of questions like these.

    Raises
    ------
    MetricError
        If J is 0 or less, so that the judge says nothing about what is right; or if no share from 0
        to 1 could give its number, so that judge and labels do not match.

    Examples
    --------
    Half of 400 answers are called right by a judge that is right in 90 and 80 of 100:

    >>> judged = correct_judge(0.5, n=400, right_labels=(90, 100), wrong_labels=(80, 100))
    >>> round(judged.estimate.value, 3), [round(x, 2) for x in judged.estimate.interval]
    (0.429, [0.32, 0.53])
    """
    level = require_level(confidence_level)
    require_corrected(metric)
    errors = errors_of(right_labels, wrong_labels, level, metric == ANY_PASS)
    require_informed(errors)
    observed, evidence, caveats = _observed(
        rate_or_data, by, metric, k, n, threshold, strict, level, segment
    )
    if metric in COUNTED:
        return _correct_by_counts(observed, evidence, errors, metric, k, level, caveats, rng)
    return _rate(observed, errors, metric, level, caveats, rng)


def require_corrected(metric: JudgedMetric) -> None:
    """Raise `MetricError` unless a judge's errors can be allowed for in a metric."""
    if metric not in METRICS_OF_JUDGES:
        raise MetricError(
            Text(
                "A judge's errors can be corrected in {known}; got {got!r}.",
                known=Enumerated(METRICS_OF_JUDGES),
                got=metric,
            )
        )


def _observed(
    data: Any,
    by: Any,
    metric: JudgedMetric,
    k: int | None,
    n: float | None,
    threshold: float,
    strict: bool,
    level: float,
    segment: Segment | None,
) -> tuple[Estimate, Evidence | None, tuple[Text, ...]]:
    """Return the metric as the judge has it, the verdicts behind it, and what to know of them."""
    if isinstance(data, Estimate) or is_number(data):
        if metric in COUNTED:
            raise MetricError(Text("{name} is corrected from verdicts, not a rate.", name=metric))
        return (data if isinstance(data, Estimate) else _stated_rate(data, n, level)), None, ()
    if n is not None:
        raise MetricError(Text("n belongs to a plain rate; these data have their own."))
    verdicts = judge_verdicts(data, by, threshold, strict)
    silent = tuple(silence_caveats(verdicts, data))
    if metric in COUNTED:
        return (
            estimate(verdicts, metric_name(metric), k, confidence_level=level, segment=segment),
            Evidence(verdicts, "wrong", segment),
            (*silent, _OF_ANEW),
        )
    if metric == ANY_PASS:
        silent = (*silent, *_of_sizes(verdicts))
        verdicts = any_pass(verdicts)
    return estimate(verdicts, "avg@n", confidence_level=level, segment=segment), None, silent


def _stated_rate(rate: Any, n: float | None, level: float) -> Estimate:
    value = require_share(rate, "rate_or_data")
    if n is None:
        raise MetricError(
            Text(
                "A rate needs n, the number of independent answers behind it. Or give the verdicts."
            )
        )
    answers = require_positive(n, "n")
    return Estimate(value, None, level, "population", round(answers), _GIVEN, (), answers)


def _of_sizes(verdicts: Outcomes) -> Iterator[Text]:
    samples = verdicts.samples("omit")
    held = samples[samples > 0]
    if held.min() < held.max():
        yield Text(
            "Questions have {least} to {most} candidates; those with more candidates pass more "
            "often.",
            least=int(held.min()),
            most=int(held.max()),
        )


def _rate(
    observed: Estimate,
    errors: JudgeErrors,
    metric: JudgedMetric,
    level: float,
    caveats: tuple[Text, ...],
    rng: int,
) -> Corrected:
    q, size = observed.value, observed.n_effective
    if not size:
        raise MetricError(Text("One question says nothing about questions like it."))
    right, wrong = errors.right_labels, errors.wrong_labels
    limits, parts = rate_limits(q, size, right, wrong, level)
    if limits is None:
        raise MetricError(_mismatch(q, errors))
    value = (q + wrong.share - 1) / errors.informedness.value
    estimate = _estimate(value, limits, observed, errors, _RATE, q, caveats)
    drawn = drawn_limits(q, size, right, wrong, level, rng)
    return Corrected(metric, estimate, observed, errors, drawn, _division(parts, errors), SEPARATE)


def _correct_by_counts(
    observed: Estimate,
    evidence: Evidence | None,
    errors: JudgeErrors,
    metric: JudgedMetric,
    k: int | None,
    level: float,
    caveats: tuple[Text, ...],
    rng: int,
) -> Corrected:
    assert evidence is not None
    drawn = evidence.n_min if k is None else k
    if evidence.tally.n_questions < 2:
        raise MetricError(Text("One question says nothing about questions like it."))
    called, anew = Called.of(evidence, drawn), COUNTED[metric]
    counted = count_limits(called, anew, errors.right_labels, errors.wrong_labels, level, rng)
    q = float(called.mean @ np.arange(drawn + 1)) / drawn
    if counted.limits is None:
        raise MetricError(_mismatch(q, errors))
    value, possible = counted.value, counted.possible
    if not possible.low - _ROUND <= value <= possible.high + _ROUND:
        value = sum(possible) / 2
        caveats = (_dependent_errors(counted.value, METRICS[metric].label(drawn)), *caveats)
    estimate = _estimate(value, counted.limits, observed, errors, _COUNT, q, caveats)
    division = _division(counted.parts, errors)
    return Corrected(metric, estimate, observed, errors, counted.anew, division, SEPARATE)


def _dependent_errors(anew: float, name: str) -> Text:
    return Text(
        "The judge's errors go together within a question: if they were independent, {name} "
        "would be {anew:.1%}, beyond what is possible. The middle of the possible range is "
        "given instead. Label whole questions (human_group).",
        name=name,
        anew=anew,
    )


def _estimate(
    value: float,
    limits: Interval,
    observed: Estimate,
    errors: JudgeErrors,
    method: Text,
    q: float,
    caveats: tuple[Text, ...],
) -> Estimate:
    inside = min(max(value, 0.0), 1.0)
    interval = Interval(min(limits.low, inside), max(limits.high, inside))
    return Estimate(
        inside,
        interval,
        observed.confidence_level,
        "population",
        observed.n_questions,
        method,
        (*_of_width(interval, errors), *_of_mismatch(q, errors), *caveats, *errors.caveats),
    )


def _of_width(interval: Interval, errors: JudgeErrors) -> Iterator[Text]:
    informedness = errors.informedness
    assert informedness.interval is not None
    if informedness.interval.low <= 0:
        yield Text(
            "By these labels, the judge may know nothing about what is right: sensitivity + "
            "specificity − 1 is {value:.2f} ({low:.2f} to {high:.2f}). More labels or another "
            "judge are needed.",
            value=informedness.value,
            low=informedness.interval.low,
            high=informedness.interval.high,
        )
    if interval.high - interval.low >= WIDE:
        yield Text(
            "The data allow anything from {low:.1%} to {high:.1%}, which says almost nothing. "
            "Do not use the value yet.",
            low=interval.low,
            high=interval.high,
        )


def _mismatch(q: float, errors: JudgeErrors) -> Text:
    return Text(
        "The judge calls {q:.1%} right, outside the {least:.1%} to {most:.1%} that it would "
        "give if nothing or everything were right, and by more than its labels allow. Judge and "
        "labels do not match.",
        q=q,
        least=1 - errors.specificity.value,
        most=errors.sensitivity.value,
    )


def _of_mismatch(q: float, errors: JudgeErrors) -> Iterator[Text]:
    least, most = 1 - errors.specificity.value, errors.sensitivity.value
    if not least <= q <= most:
        yield Text(
            "The judge calls {q:.1%} right, outside the {least:.1%} to {most:.1%} that it would "
            "give if nothing or everything were right. It may err differently here than on its "
            "labels.",
            q=q,
            least=least,
            most=most,
        )


def _division(parts: VarianceParts, errors: JudgeErrors) -> Division:
    total = sum(parts)
    right, wrong = errors.right_labels.labels, errors.wrong_labels.labels
    best = np.sqrt([parts.right_labels * right, parts.wrong_labels * wrong])
    several = parts.right_labels / right > parts.wrong_labels / wrong
    helps = "right_labels" if several else "wrong_labels"
    return Division(
        parts.answers / total,
        parts.right_labels / total,
        parts.wrong_labels / total,
        float(best[0] / best.sum()),
        "answers" if parts.answers > total / 2 else helps,
    )


_NEXT = {
    "answers": Text("More questions narrow it further than more labels do."),
    "right_labels": Text("Label right answers next: most are among those the judge calls right."),
    "wrong_labels": Text("Label wrong answers next: most are among those the judge calls wrong."),
}
