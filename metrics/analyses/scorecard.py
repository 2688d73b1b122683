"""Every metric of one run, each with its interval or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metrics.data.frames import rows_frame
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.shown import brief_repr
from metrics.data.words import MetricError, Text, some_of
from metrics.estimating.estimation import estimate_entry
from metrics.estimating.pooling import pool
from metrics.scoring.registry import METRICS, Metric, find_metric, labelled

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

Asked = tuple[str, Mapping[str, Any]]
"""The name of a metric, and its options."""
TAUS = (0.25, 0.5, 0.75, 1.0)
"""The shares at which OpenCompass states G-Pass@k."""

_CATEGORIES = Text(
    "The outcomes are categories above 1; only max@k and bayes@n take them, with a reward of each."
)


def every_metric(taus: Sequence[float] = TAUS) -> tuple[Asked, ...]:
    """Return all metrics but those with weights of one's own, those with a tau at some shares.

    Examples
    --------
    >>> [asked for asked in every_metric((0.5, 1.0)) if asked[0] == "g-pass@k"]
    [('g-pass@k', {'tau': 0.5}), ('g-pass@k', {'tau': 1.0})]
    """
    return tuple(
        (name, options)
        for name, metric in METRICS.items()
        if metric.needs != "weights"
        for options in ([{"tau": tau} for tau in taus] if "tau" in metric.options else [{}])
    )


_NAMED = 5
"""The most scores that are named where they are printed."""


@dataclass(frozen=True, slots=True)
class Score:
    """One line of a scorecard.

    Attributes
    ----------
    metric : Metric
        The registry's entry: name, family, sentence, formula, source.
    k : int
        Samples drawn, or the fewest samples of a question where the metric takes all.
    label : str
        The metric with its number, such as "pass@4"; with its tau as OpenCompass writes it:
        "g-pass@4_0.5".
    estimate : Estimate or None
        None where the metric is undefined on these data.
    reason : Text or None
        Why there is no estimate.
    options : mapping of str to object
        Of the metric, where they are not its own.
    """

    metric: Metric
    k: int
    label: str
    estimate: Estimate | None
    reason: Text | None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The label with the letter in place of the number: "pass@k", "g-pass@k_0.5"."""
        return labelled(self.metric.name, self.options)

    __repr__ = brief_repr

    @property
    def summary(self) -> dict[str, str | float | None]:
        """What it says, in one row; what does not exist is None."""
        estimate, (low, high) = self.estimate, (None, None)
        if estimate is not None and estimate.interval is not None:
            low, high = estimate.interval
        return {
            "metric": self.label,
            "value": None if estimate is None else estimate.value,
            "low": low,
            "high": high,
            "reason": None if self.reason is None else str(self.reason),
        }


class Scores(tuple[Score, ...]):
    """The lines of a scorecard."""

    def __repr__(self) -> str:
        return f"<{len(self)} scores: {some_of((score.label for score in self), _NAMED)}>"

    def to_frame(self) -> DataFrame:
        """Return a row for each metric and k, with its interval or the reason why not.

        It needs pandas.
        """
        return rows_frame([score.summary for score in self])


def score_all(
    data: Any,
    *,
    ks: Sequence[int] = (),
    asked: Sequence[Asked] | None = None,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    prior: tuple[float, float] | None = None,
) -> Scores:
    """Estimate metrics, each at each k.

    Bayes@N is a number about these questions and keeps that target, whatever the others have.

    Parameters
    ----------
    data : Run, Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed.
    ks : sequence of int, optional
        By default the fewest samples of any question.
    asked : sequence of (str, mapping), optional
        Names and options of metrics; by default all, G-Pass@k and Cover@tau at the
        shares .25, .5, .75 and 1.
    target, confidence_level, missing, segment, answers, prior
        As in `estimate`; bayes@n has a prior of its own and takes none.

    Returns
    -------
    Scores
        A tuple of them, in the order asked for.

    Raises
    ------
    MetricError
        If nothing can be estimated: no gradable sample, categories above 1, a bad argument.

    Examples
    --------
    >>> card = score_all([[1, 0, 1], [0, 0, 1]], ks=[2, 4])
    >>> for score in card[2:4]:
    ...     print(score.label, score.estimate and round(score.estimate.value, 3), score.reason)
    pass@2 0.833 None
    pass@4 None pass@4 needs 4 samples of every question; 2 of 2 questions have fewer (at least 3).
    """
    question = Question(target, confidence_level, missing, segment)
    evidence = question.evidence(data, answers)
    fewest = evidence.n_min

    def found(
        metric: Metric, k: int, options: Mapping[str, Any]
    ) -> tuple[Estimate | None, Text | None]:
        asked, before = question, prior
        if metric.needs == "posterior":
            asked, before = question._replace(target="benchmark"), None
        chosen = k if metric.takes_k else None
        try:
            return estimate_entry(metric, evidence, chosen, asked, options, before), None
        except MetricError as error:
            return None, error.text

    def scores() -> Iterator[Score]:
        for name, options in every_metric() if asked is None else asked:
            metric = find_metric(name)
            for k in (ks or (fewest,)) if metric.takes_k else (fewest,):
                label = labelled(metric.label(k), options)
                yield Score(metric, k, label, *found(metric, k, options), options)

    made = Scores(scores())
    if not (evidence.binary or any(score.estimate for score in made)):
        raise MetricError(_CATEGORIES)
    return made


def pool_scores(scores: Sequence[Score], weights: Sequence[float]) -> Score:
    """Average one metric over datasets, or say why that cannot be."""
    first = scores[0]
    estimates = [score.estimate for score in scores if score.estimate is not None]
    label = first.label if len({score.label for score in scores}) == 1 else first.name
    pooled = reason = None
    if len(estimates) < len(scores):
        reason = next(score.reason for score in scores if score.estimate is None)
    elif first.metric.takes_k and label != first.label:
        reason = Text(
            "Its datasets have different numbers of samples; choose a k that all of them reach."
        )
    elif any(estimate.n_effective is None for estimate in estimates):
        reason = Text("Only means over questions can be averaged over datasets.")
    else:
        pooled = pool(estimates, weights)
    return Score(first.metric, first.k, label, pooled, reason, first.options)
