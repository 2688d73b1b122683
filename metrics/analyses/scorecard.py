"""Every metric of one run, each with its interval or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing, Outcomes, Segment
from metrics.data.results import Estimate, Target
from metrics.data.words import Text
from metrics.estimating.applicability import unsupported
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import METRICS, Metric


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
        The metric with its number, such as "pass@4".
    estimate : Estimate or None
        None where the metric is undefined on these data.
    reason : Text or None
        Why there is no estimate.
    """

    metric: Metric
    k: int
    label: str
    estimate: Estimate | None
    reason: Text | None


def score_all(
    outcomes: Outcomes,
    *,
    ks: Sequence[int] = (),
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
) -> tuple[Score, ...]:
    """Estimate every registered metric but those with weights of one's own, at each k.

    Parameters
    ----------
    outcomes : Outcomes
        One run.
    ks : sequence of int, optional
        By default the fewest samples of any question.
    target, confidence_level, missing, segment, answers
        As in `metrics.estimate`.

    Returns
    -------
    tuple of Score
        In the order of the registry.

    Raises
    ------
    MetricError
        If nothing can be estimated: no gradable sample, categories above 1, a bad argument.

    Examples
    --------
    >>> card = score_all(Outcomes([[1, 0, 1], [0, 0, 1]]), ks=[2, 4])
    >>> for score in card[2:4]:
    ...     print(score.label, score.estimate and round(score.estimate.value, 3), score.reason)
    pass@2 0.833 None
    pass@4 None pass@4 needs 4 samples of every question; 2 of 2 questions have fewer (at least 3).
    """
    evidence = Evidence(outcomes, missing, segment, answers)
    fewest = evidence.n_min

    def scores() -> Iterator[Score]:
        for metric in METRICS.values():
            if metric.needs == "weights":
                continue
            for k in (ks or (fewest,)) if metric.takes_k else (fewest,):
                chosen = k if metric.takes_k else None
                reason = unsupported(metric, evidence, chosen, target, {})
                estimated = None
                if reason is None:
                    estimated = estimate(
                        outcomes,
                        metric.name,
                        chosen,
                        target=target,
                        confidence_level=confidence_level,
                        missing=missing,
                        segment=segment,
                        answers=answers,
                    )
                yield Score(metric, k, metric.label(k), estimated, reason)

    return tuple(scores())
