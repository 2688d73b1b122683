"""Runs in an order, such as checkpoints: each against the first, the one before it and the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.entrants import Entrants
from metrics.data.frames import rows_frame
from metrics.data.inputs import require_level
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.question import Question
from metrics.data.results import Estimate, Target
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

Steps = tuple[Difference | None, ...]


@result
class Series:
    """A metric along runs in an order, and what changed.

    Attributes
    ----------
    metric : str
    k : int or None
    names : tuple of str
        In the order given.
    estimates : tuple of Estimate
        Each with an interval of its own.
    from_first, from_previous, from_best : tuple of Difference or None
        By how much each run is better than the first, than the one before it, and than the one with
        the highest value; None for that run itself. The intervals of each of the three hold at once
        with ``confidence_level``: they are adjusted (Bonferroni) for one difference fewer than
        there are runs; those of ``from_best`` for all pairs, since the data choose the best run.
    best : str
        The run with the highest value.
    confidence_level : float
    caveats : tuple of Text
    """

    metric: MetricName
    k: int | None
    names: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    from_first: Steps = field(repr=False)
    from_previous: Steps = field(repr=False)
    from_best: Steps = field(repr=False)
    best: str
    confidence_level: float
    caveats: tuple[Text, ...] = ()

    @property
    def first_better(self) -> str | None:
        """The first run that is surely better than the first of all; None where none is.

        With ``confidence_level`` none before it, nor itself, is called better by chance.
        """
        return self._first(lambda step: step.sure and step.value > 0)

    @property
    def first_worse(self) -> str | None:
        """The first run that is surely worse than the first of all, likewise."""
        return self._first(lambda step: step.sure and step.value < 0)

    def _first(self, holds: Callable[[Difference], bool]) -> str | None:
        steps = zip(self.names, self.from_first, strict=True)
        return next((name for name, step in steps if step is not None and holds(step)), None)

    def to_frame(self) -> DataFrame:
        """Return a row for each run, with its three differences; needs pandas."""
        rows = []
        for place, (name, estimate) in enumerate(zip(self.names, self.estimates, strict=True)):
            low, high = estimate.interval or (None, None)
            row: dict[str, Any] = {"run": name, "value": estimate.value, "low": low, "high": high}
            for kind in ("from_first", "from_previous", "from_best"):
                step: Difference | None = getattr(self, kind)[place]
                ends = (None, None) if step is None else step.interval or (None, None)
                row[kind] = None if step is None else step.value
                row[f"{kind}_low"], row[f"{kind}_high"] = ends
            rows.append(row)
        return rows_frame(rows)


def series(
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
) -> Series:
    """Follow a metric along runs in an order, and say what surely changed.

    Parameters
    ----------
    runs : mapping of str to Outcomes, or what `compare` takes
        At least two, by name, in order: by step, by version or by temperature.
    metric : str
    k : int, optional
        By default the fewest samples that any question has in any.
    target, confidence_level, missing, segment, **options
        As in `compare`.
    same_questions : callable, optional
        Says of two runs whether equal ids are the same question; by default they are.

    Returns
    -------
    Series

    Raises
    ------
    MetricError
        If there are fewer than two runs, or two of them cannot be compared.

    Examples
    --------
    Three checkpoints on 60 questions solve 20, 24 and 44 of them:

    >>> runs = {f"step-{s}": [[1]] * c + [[0]] * (60 - c) for s, c in ((1, 20), (2, 24), (3, 44))}
    >>> found = series(runs)
    >>> [round(step.value, 2) for step in found.from_first[1:]], found.first_better, found.best
    ([0.07, 0.4], 'step-3', 'step-3')
    >>> [[round(end, 2) for end in step.interval] for step in found.from_previous[1:]]
    [[-0.01, 0.16], [0.2, 0.47]]
    """
    if len(runs) < 2:
        raise MetricError(Text("A series takes at least two runs."))
    require_level(confidence_level)
    entry = find_metric(metric)
    question = Question(target, confidence_level, missing, segment)
    entrants = Entrants(
        runs, entry, k if entry.takes_k else None, question, options, same_questions
    )
    names = tuple(runs)
    values = tuple(entrants.estimate(name) for name in names)

    @cache
    def step(one: str, other: str, looked_at: int) -> Difference:
        return entrants.difference(one, other, 1 - (1 - confidence_level) / looked_at)

    steps, pairs = len(names) - 1, comb(len(names), 2)
    best = names[max(range(len(names)), key=lambda place: values[place].value)]
    from_first = (None, *(step(names[0], name, steps) for name in names[1:]))
    from_previous = (None, *(step(*names[i : i + 2], steps) for i in range(steps)))
    from_best = tuple(None if name == best else step(best, name, pairs) for name in names)
    every = (each for each in (*from_first, *from_previous, *from_best) if each is not None)
    return Series(
        metric,
        entrants.drawn,
        names,
        values,
        from_first,
        from_previous,
        from_best,
        best,
        confidence_level,
        tuple(dict.fromkeys(text for each in every for text in each.caveats)),
    )
