"""Which numbers a table contains, and how they were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kofn.choices.view import View
from kofn.citing.sources import HOLM, KORN, OWEN, ZOU, CitedWork
from metrics.analyses.scorecard import Score
from metrics.data.results import Estimate, Target
from metrics.data.words import Text
from metrics.estimating.estimation import METHODS
from metrics.scoring.registry import METRICS, Metric
from reports.run.report import Run


class Used(NamedTuple):
    """A number that is reported."""

    name: str  # Its metric, of `metrics.METRICS`, or how it is called.
    k: int | None = None  # That the label takes.
    # How it and its interval were made; None where both are told elsewhere.
    method: Text | None = None
    options: tuple[tuple[str, str], ...] = ()  # Of the metric, where they are not the usual ones.
    target: Target | None = None  # Of its interval; None for that of the View.

    @property
    def label(self) -> str:
        """The metric with its number."""
        metric = METRICS.get(self.name)
        return self.name if metric is None else metric.label(self.k)


class MethodNote(NamedTuple):
    """A further sentence on how numbers were made."""

    text: Text
    sources: tuple[CitedWork, ...] = ()


DIFFERENCE = "differences"
"""What differences are called."""
CALLED = {DIFFERENCE: Text("differences"), "gap": Text("gap")}
"""What has a name that is no metric's."""
HOLM_ADJUSTED = MethodNote(
    Text(
        "Runs count as different, and ranks as certain, after p-values are adjusted for all "
        "pairs of a dataset (Holm 1979)."
    ),
    (HOLM,),
)
PICKED = MethodNote(
    Text(
        "selected@k is the chance that the candidate that the signal ranks first among k is "
        "right, computed from all n candidates."
    )
)
BONFERRONI = MethodNote(
    Text(
        "Intervals of differences hold simultaneously: they are adjusted for the number of "
        "differences (Bonferroni)."
    )
)


def used_of_score(score: Score) -> Iterator[Used]:
    """Yield how a score was made; nothing where there is a reason instead."""
    if score.estimate is not None:
        options = tuple((name, str(value)) for name, value in sorted(score.options.items()))
        found = score.estimate
        yield Used(score.metric.name, score.k, found.method, options, found.target)


def sources_of(method: Text) -> tuple[CitedWork, ...]:
    """Return the works that a way to make intervals names.

    Examples
    --------
    >>> [source.short for source in sources_of(METHODS["population"])]
    ['Korn and Graubard 1998']
    """
    text = str(method)
    named = {"Korn": KORN, "MOVER": ZOU, "likelihood": OWEN}
    return tuple(source for word, source in named.items() if word in text)


def used_of_estimates(
    name: str, k: int | None, estimates: Iterable[Estimate | None]
) -> Iterator[Used]:
    """Yield how estimates of one metric were made."""
    for each in estimates:
        if each is not None:
            yield Used(name, k, each.method, (), each.target)


def used_of_metric(metric: Metric, k: int | None, run: Run, view: View) -> Used:
    """Say how a metric of a run is estimated under a View, without estimating it.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> run = Run("7B", "gsm8k", Outcomes([[1, 0], [1, 1]]))
    >>> used_of_metric(METRICS["pass@k"], 2, run, View()).method == METHODS["population"]
    True
    """
    clustered = run.outcomes is not None and run.outcomes.clusters is not None
    if metric.needs == "posterior":
        way = "shrunken"
    elif metric.parts is not None:
        way = "blend"
    elif view.target == "population":
        way = "clustered" if clustered else "population"
    else:
        whole = metric.needs == "answers" or (metric.needs == "soft" and metric.takes_k)
        way = "pooled" if whole else "benchmark"
    target = "benchmark" if metric.needs == "posterior" else view.target
    return Used(metric.name, k, METHODS[way], (), target)
