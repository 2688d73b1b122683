"""Every metric of one run, each with its interval or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metrics.data.evidence import Evidence
from metrics.data.frames import rows_frame
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Estimate, Target
from metrics.data.shown import brief_repr
from metrics.data.words import Text
from metrics.estimating.applicability import unsupported
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import METRICS, Metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame


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

    __repr__ = brief_repr

    @property
    def summary(self) -> dict[str, str | float | None]:
        """What it says, in one row; what does not exist is None."""
        found, (low, high) = self.estimate, (None, None)
        if found is not None and found.interval is not None:
            low, high = found.interval
        return {
            "metric": self.label,
            "value": None if found is None else found.value,
            "low": low,
            "high": high,
            "reason": None if self.reason is None else str(self.reason),
        }


class Scores(tuple[Score, ...]):
    """The lines of a scorecard, in the order of the registry."""

    def __repr__(self) -> str:
        return f"<{len(self)} scores: {', '.join(score.label for score in self)}>"

    def to_frame(self) -> DataFrame:
        """Return a row for each metric and k, with its interval or the reason why not.

        It needs pandas.
        """
        return rows_frame([score.summary for score in self])


def score_all(
    data: Any,
    *,
    ks: Sequence[int] = (),
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
) -> Scores:
    """Estimate every registered metric but those with weights of one's own, at each k.

    Parameters
    ----------
    data : Run, Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed.
    ks : sequence of int, optional
        By default the fewest samples of any question.
    target, confidence_level, missing, segment, answers
        As in `estimate`.

    Returns
    -------
    Scores
        A tuple of them, in the order of the registry.

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
    evidence = Evidence(data, missing, segment, answers)
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
                        data,
                        metric.name,
                        chosen,
                        target=target,
                        confidence_level=confidence_level,
                        missing=missing,
                        segment=segment,
                        answers=answers,
                    )
                yield Score(metric, k, metric.label(k), estimated, reason)

    return Scores(scores())
