"""Who leads a dataset, and whether the data can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kofn.card import attempt
from kofn.choices.runs import outcomes_of
from kofn.choices.view import View
from metrics import Difference, Estimate, compare, estimate
from metrics.scoring.registry import find_metric
from reports.run.matching import same_questions
from reports.run.report import Run

ONE_TRY, MANY = "avg@n", "pass@k"


@dataclass(frozen=True, eq=False)
class Standing:
    """The runs of a dataset by one metric.

    That the first is better than each of the others is claimed where the interval of every
    difference leaves out 0. Choosing the first by the same data does not make that claim wrong too
    often: see Gutmann and Maymin, "Is the selected population the best?", Annals of Statistics 15,
    1987.

    Attributes
    ----------
    metric : str
    k : int or None
        Tries; None for a metric of all samples.
    estimates : mapping of str to Estimate
        By the keys of the runs, the best first.
    ahead : mapping of str to Difference
        By how much the first is better than each of the others.
    """

    metric: str
    k: int | None
    estimates: Mapping[str, Estimate]
    ahead: Mapping[str, Difference]

    @property
    def first(self) -> str:
        """The key of the run with the highest value."""
        return next(iter(self.estimates))

    @property
    def leaders(self) -> tuple[str, ...]:
        """The first, and those that are not surely worse."""
        return (self.first, *(key for key, found in self.ahead.items() if not found.sure))

    @property
    def unpaired(self) -> tuple[str, ...]:
        """Those not known to have answered the questions of the first."""
        return tuple(key for key, found in self.ahead.items() if not found.paired)


def stand(runs: Mapping[str, Run], metric: str, k: int | None, view: View) -> Standing | None:
    """Order the runs of a dataset that have a metric; None where none has.

    Parameters
    ----------
    runs : mapping of str to Run
    metric : str
    k : int or None
        Of a metric that takes one.
    view : View
        Level, target, segment and treatment of failed requests count.
    """
    k = k if find_metric(metric).takes_k else None
    known = {}
    for key, run in runs.items():
        found, _reason = attempt(_estimate, run, metric, k, view)
        if found is not None:
            known[key] = found
    if not known:
        return None
    first, *others = sorted(known, key=lambda key: -known[key].value)
    ahead = {
        key: compare(
            runs[key],
            runs[first],
            metric,
            k,
            same_questions=same_questions(runs[key], runs[first]),
            **view.asked,
        )
        for key in others
    }
    return Standing(
        metric,
        k,
        {key: known[key] for key in (first, *others)},
        {key: replace(found, ends=None) for key, found in ahead.items()},
    )


def _estimate(run: Run, metric: str, k: int | None, view: View) -> Estimate:
    return estimate(outcomes_of(run), metric, k, **view.asked)
