"""Several runs by a metric: who leads, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from metrics.analyses.compare.best import Best, Means, chances_of_best, means_of
from metrics.analyses.compare.compare import compare
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.sides import Sides, identified
from metrics.data.evidence import Evidence, fewest_samples
from metrics.data.frames import rows_frame
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Estimate, Target
from metrics.data.shown import brief_repr
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame


@dataclass(frozen=True, eq=False)
class Standing:
    """Runs by a metric, and who leads.

    Attributes
    ----------
    metric : str
    k : int or None
        Tries; None for a metric that takes no k.
    estimates : mapping of str to Estimate
        Of each run, the best first.
    ahead : mapping of str to Difference
        By how much the first is better than each of the others.
    left_out : mapping of str to Text
        Why a run has no such number.
    means : Means or None
        What the first and each of `paired` score on the questions that all of them have, in this
        order; None of a blend of dataset means, where no other is paired, and where of counts it is
        not known which questions two runs share.
    """

    metric: str
    k: int | None
    estimates: Mapping[str, Estimate]
    ahead: Mapping[str, Difference] = field(repr=False)
    left_out: Mapping[str, Text] = field(repr=False)
    means: Means | None = field(default=None, repr=False)

    __repr__ = brief_repr

    @property
    def first(self) -> str:
        """The run with the highest value."""
        return next(iter(self.estimates))

    @property
    def paired(self) -> dict[str, Difference]:
        """By how much the first is better than those that answered the same questions."""
        return {name: found for name, found in self.ahead.items() if found.paired}

    @property
    def unpaired(self) -> tuple[str, ...]:
        """Those not known to have answered the questions of the first: none leads them."""
        return tuple(name for name in self.ahead if name not in self.paired)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The first, and each that is not surely worse on the same questions."""
        return self.first, *(name for name, found in self.paired.items() if not found.sure)

    @property
    def leader(self) -> str | None:
        """The run that is surely better than each other; None where that is not known.

        Choosing it by the same data does not make that claim wrong too often [1]_.

        References
        ----------
        .. [1] S. Gutmann and Z. Maymin, "Is the selected population the best?", Annals of
           Statistics 15, 1987.
        """
        alone = len(self.leaders) == 1 and not self.unpaired
        return self.first if self.ahead and alone else None

    @property
    def best(self) -> Best | None:
        """With what chance the first and each of `paired` is the best, where several may lead."""
        return (
            None if self.means is None or len(self.leaders) == 1 else chances_of_best(*self.means)
        )

    def to_frame(self) -> DataFrame:
        """Return a row for each run with a number; needs pandas."""
        leaders = self.leaders
        rows = []
        for name, found in self.estimates.items():
            low, high = found.interval or (None, None)
            behind = self.ahead.get(name)
            below, above = (behind and behind.interval) or (None, None)
            rows.append(
                {
                    "run": name,
                    "value": found.value,
                    "low": low,
                    "high": high,
                    "leads": name in leaders,
                    "behind": None if behind is None else behind.value,
                    "behind_low": below,
                    "behind_high": above,
                }
            )
        return rows_frame(rows)


def stand(
    runs: Mapping[str, Any],
    metric: str = "avg@n",
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: Callable[[Any, Any], bool] | None = None,
    **options: Any,
) -> Standing:
    """Order runs by a metric, and say who leads: whose paired differences to all others are sure.

    Only the first is compared with each other, so that many runs are quick; `rank` compares all.

    Parameters
    ----------
    runs : mapping of str to Outcomes, or what `compare` takes
        By name.
    metric : str
    k : int, optional
        By default the fewest samples that any question has in any run.
    target, confidence_level, missing, segment, **options
        As in `compare`.
    same_questions : callable, optional
        Says of two runs whether equal ids are the same question; by default they are.

    Returns
    -------
    Standing

    Raises
    ------
    MetricError
        If no run has such a number.

    Examples
    --------
    Of 60 questions a solves 54, and two others 30:

    >>> few, many = [[1]] * 30 + [[0]] * 30, [[1]] * 54 + [[0]] * 6
    >>> found = stand({"b": few, "a": many, "c": few})
    >>> found.leader, round(found.ahead["b"].value, 4)
    ('a', 0.4)
    """
    if not runs:
        raise MetricError(Text("Without a run nothing leads."))
    entry = find_metric(metric)
    if entry.takes_k and k is None:
        k = fewest_samples(runs.values(), missing, segment)
    asked: dict[str, Any] = {
        "target": target,
        "confidence_level": confidence_level,
        "missing": missing,
        "segment": segment,
        **options,
    }
    known: dict[str, Estimate] = {}
    left_out: dict[str, Text] = {}
    for name, run in runs.items():
        try:
            known[name] = estimate(run, metric, k, **asked)
        except MetricError as error:
            left_out[name] = error.text
    if not known:
        raise MetricError(next(iter(left_out.values())))
    first, *others = sorted(known, key=lambda name: -known[name].value)
    ahead = {
        name: compare(
            runs[name],
            runs[first],
            metric,
            k,
            same_questions=same_questions is None or same_questions(runs[name], runs[first]),
            **asked,
        )
        for name in others
    }
    found = Standing(metric, k, {name: known[name] for name in (first, *others)}, ahead, left_out)
    if not found.paired or entry.parts is not None:
        return found
    compared = [runs[name] for name in (first, *found.paired)]
    sides = [Evidence(identified(run), missing, segment) for run in compared]

    def pair(i: int, j: int) -> Sides:
        a, b = compared[i], compared[j]
        same = same_questions is None or same_questions(a, b)
        return Sides.of_both((a, b), (sides[i], sides[j]), same)

    drawn = k or min(side.n_min for side in sides)
    means, apart = means_of(sides, entry, drawn, options, target, True, pair)
    return found if apart else replace(found, means=means)
