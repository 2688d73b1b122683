"""Several runs by a metric: who leads, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import comb
from typing import TYPE_CHECKING, Any, Protocol

from metrics.analyses.compare.best import Best, Means, allowed, chances_of_best
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.entrants import Entrants
from metrics.analyses.compare.pairwise import Pair, Pairwise, surely_better
from metrics.data.frames import rows_frame
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.intervals.inversion import holm
from metrics.scoring.registry import find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame


@result
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
        Why a run has no estimate.
    means : Means or None
        Scores of the first and each of `paired`, in this order, on the questions that all of them
        have. None for a blend of dataset means, where no other is paired, and where counts do not
        tell which questions two runs share.
    behind : tuple of str
        Those of `paired` that are surely worse than another run. The claims hold at once for all
        pairs of runs at the level of the differences, as those of `rank` (Holm).
    """

    metric: MetricName
    k: int | None
    estimates: Mapping[str, Estimate]
    ahead: Mapping[str, Difference] = field(repr=False)
    left_out: Mapping[str, Text] = field(repr=False)
    means: Means | None = field(default=None, repr=False)
    behind: tuple[str, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.behind is None:
            paired = self.paired
            errors = [(found.p_value or 0.0) if found.sure else 1.0 for found in paired.values()]
            gains = [found.value for found in paired.values()]
            behind = surely_behind((self.first, *paired), gains, errors, self.confidence_level)
            object.__setattr__(self, "behind", behind)

    @property
    def first(self) -> str:
        """The run with the highest value."""
        return next(iter(self.estimates))

    @property
    def confidence_level(self) -> float:
        """That of the estimates."""
        return self.estimates[self.first].confidence_level

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
        """The first, and each that is not surely worse than another on the same questions."""
        behind = self.behind or ()
        return self.first, *(name for name in self.paired if name not in behind)

    @property
    def leader(self) -> str | None:
        """The run that is surely better than each other; None where that is not known."""
        alone = len(self.leaders) == 1 and not self.unpaired
        return self.first if self.ahead and alone else None

    @property
    def best(self) -> Best | None:
        """With what chance the first and each of `paired` is the best, where several may lead.

        It is at most what the intervals allow: one of them, adjusted for all pairs, holds 0.
        """
        if self.means is None or len(self.leaders) == 1:
            return None
        return chances_of_best(*self.means, allowed(self.confidence_level))

    def to_frame(self) -> DataFrame:
        """Return a row for each run with a number; needs pandas."""
        leaders = self.leaders
        rows = []
        for name, estimate in self.estimates.items():
            low, high = estimate.interval or (None, None)
            behind = self.ahead.get(name)
            below, above = (behind and behind.interval) or (None, None)
            rows.append(
                {
                    "run": name,
                    "value": estimate.value,
                    "low": low,
                    "high": high,
                    "leads": name in leaders,
                    "behind": None if behind is None else behind.value,
                    "behind_low": below,
                    "behind_high": above,
                }
            )
        return rows_frame(rows)


def surely_behind(
    names: Sequence[str],
    gains: Iterable[float],
    p_values: Iterable[float],
    confidence_level: float,
) -> tuple[str, ...]:
    """Name the runs that are surely worse than another, with all pairs in view.

    gains: By how much a run is better than each after it, pair by pair as in `Pairwise`. Those of
        the first come first, and the others may be missing.
    p_values: Of these, each by itself.
    """
    adjusted = holm(list(p_values), comb(len(names), 2))
    better = surely_better(gains, adjusted, len(names), 1 - confidence_level)
    worse = better.sum(axis=0).tolist()
    return tuple(name for name, count in zip(names, worse, strict=True) if count)


class Comparable(Protocol):
    """Runs, or models over several datasets, that can be compared."""

    def same(self, one: str, other: str) -> bool:
        """Return whether both answered the same questions."""

    def difference(self, one: str, other: str) -> Difference:
        """Say how much better the other is than the one."""

    def pairwise(self, names: Sequence[str]) -> Pairwise | None:
        """Return each two compared at once; None where that cannot be."""

    def one_by_one(self, names: Sequence[str]) -> dict[Pair, Difference]:
        """Say how much better each is than each after it, pair by pair."""

    def side_by_side(self, names: Sequence[str]) -> Means | None:
        """Return their means on the questions that all have; None where these are unknown."""


def standing_of(
    runs: Comparable,
    metric: MetricName,
    k: int | None,
    known: Mapping[str, Estimate],
    left_out: Mapping[str, Text],
) -> Standing:
    """Order runs by their estimates, and say how far the first is ahead."""
    names = sorted(known, key=lambda name: -known[name].value)
    first, *others = names
    at_once, behind = runs.pairwise(names), None
    if at_once is not None and all(runs.same(name, first) for name in others):
        pairs = at_once.differences(len(others))
        ahead = {name: standing for (_first, name), standing in pairs.items()}
        level = known[first].confidence_level
        behind = surely_behind(names, at_once.gains, at_once.p_values, level)
    else:
        ahead = {name: runs.difference(name, first) for name in others}
    ordered = {name: known[name] for name in names}
    standing = Standing(metric, k, ordered, ahead, left_out, behind=behind)
    if not standing.paired:
        return standing
    return replace(standing, means=runs.side_by_side((first, *standing.paired)))


def stand(
    runs: Mapping[str, Any],
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    target: Target = "population",
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    same_questions: Callable[[Any, Any], bool] | None = None,
    **options: Any,
) -> Standing:
    """Order runs by a metric, and say which one is surely better than all others, if any is.

    Differences are those of the first, which is quick for many runs; `rank` has those of all pairs.

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
        raise MetricError(Text("There is no run that could lead."))
    entry, question = find_metric(metric), Question(target, confidence_level, missing, segment)
    entrants = Entrants(runs, entry, k, question, options, same_questions)
    k = entrants.drawn
    known: dict[str, Estimate] = {}
    left_out: dict[str, Text] = {}
    for name in runs:
        try:
            known[name] = entrants.estimate(name)
        except MetricError as error:
            left_out[name] = error.text
    if not known:
        raise MetricError(next(iter(left_out.values())))
    return standing_of(entrants, metric, k, known, left_out)
