"""What every page and command lets users choose: runs, questions, k, level, target."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, excerpt, number, one_of
from metrics.data.names import MetricName
from metrics.data.outcomes import Missing, Segment
from metrics.data.results import Target
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import metric_name
from reports.run.report import Run

K_MAX = 1_000_000
"""The largest k that is read."""
K_COUNT = 100
"""The most values of k that are read."""
LEVELS = 0.01, 0.9999
"""The lowest and the highest confidence level that is read."""


def _read_k(texts: Sequence[str]) -> tuple[int, ...]:
    parts = [part for text in texts for part in text.split(",", K_COUNT)]
    try:
        ks = tuple(int(part) for part in parts)
    except ValueError:
        ks = ()
    if not (0 < len(ks) <= K_COUNT and min(ks) >= 1 and max(ks) <= K_MAX):
        raise MetricError(
            Text(
                "k must be whole numbers from 1 to {largest}, separated by commas, at most "
                "{most} of them; got {got}.",
                largest=K_MAX,
                most=K_COUNT,
                got=excerpt(texts),
            )
        )
    return tuple(dict.fromkeys(ks))


def _read_segment(texts: Sequence[str]) -> Segment:
    attribute, equals, label = texts[-1].partition("=")
    if not (attribute and equals):
        raise MetricError(
            Text("segment must read attribute=label; got {got}.", got=excerpt(texts[-1:]))
        )
    return attribute.replace("%3D", "=").replace("%25", "%"), label


def _spell_segment(segment: Segment) -> list[str]:
    attribute, label = segment
    return [attribute.replace("%", "%25").replace("=", "%3D") + "=" + label]


@dataclass(frozen=True)
class View(Choices):
    """What to show, and under which assumptions.

    A URL, a command line and JSON spell it alike: ``run=A&run=B&k=1,4&level=0.95``,
    ``--run A --run B --k 1,4 --level 0.95``, ``{"run": ["A", "B"], "k": [1, 4], "level": 0.95}``.

    Examples
    --------
    >>> View(k=(1, 4), level=0.9).to_query()
    {'k': ['1,4'], 'level': ['0.9']}
    >>> view, problems = View.from_query({"k": "1,4", "level": "95"})
    >>> view.k, view.level, str(problems[0])
    ((1, 4), 0.95, "level must be from 0.01 to 0.9999, such as 0.95; got '95'.")
    """

    runs: tuple[str, ...] = ()  # Keys of `kofn.choices.runs.index_runs`; empty for all runs.
    # (attribute, label), spelled ``attribute=label``; None for all questions.
    segment: Segment | None = None
    missing: Missing = "wrong"  # What a failed request counts as.
    k: tuple[int, ...] = ()  # Samples drawn; empty for each run's own smallest number of samples.
    level: float = 0.95  # Confidence level as a fraction, within `LEVELS`: 0.95, never 95.
    # ``"population"``: questions like these. ``"benchmark"``: these questions, other samples.
    target: Target = "population"
    # The metric of a page or command that shows one: a name of `metrics.METRICS`.
    metric: MetricName | None = None

    SETTINGS: ClassVar = (
        Setting(
            "run",
            tuple,
            "RUN",
            Text("only this run, or all of this model; may be repeated"),
            list,
            field="runs",
        ),
        Setting(
            "segment",
            _read_segment,
            "ATTRIBUTE=LABEL",
            Text("only the questions of one segment"),
            _spell_segment,
            lambda segment: _spell_segment(segment)[0],
        ),
        one_of(
            "missing", get_args(Missing), Text("what a failed request counts as (default: wrong)")
        ),
        Setting(
            "k",
            _read_k,
            "K,K,…",
            Text("samples drawn, such as 1,4,16"),
            lambda ks: [",".join(map(str, ks))],
        ),
        number("level", (*LEVELS, 0.95), Text("confidence level as a fraction (default: 0.95)")),
        one_of(
            "target",
            get_args(Target),
            Text(
                "what the interval covers: population, questions like these (default); "
                "or benchmark, these questions with other samples"
            ),
        ),
        Setting(
            "metric",
            lambda texts: metric_name(texts[-1]),
            "METRIC",
            Text("one metric, such as pass@k"),
        ),
    )

    @property
    def plain(self) -> View:
        """What of it counts for whatever runs, metric and k."""
        return replace(self, runs=(), metric=None, k=())

    @property
    def asked(self) -> dict[str, Any]:
        """Its target, level, segment and treatment of failed requests, as `metrics` takes them."""
        return {
            "target": self.target,
            "confidence_level": self.level,
            "missing": self.missing,
            "segment": self.segment,
        }

    @property
    def asked_but_target(self) -> dict[str, Any]:
        """The same for what is about questions like these only."""
        return {name: value for name, value in self.asked.items() if name != "target"}


def coverage_in_words(view: View) -> Text:
    """Say what the intervals of a View are about."""
    level = 100 * view.level
    if view.target == "benchmark":
        return Text(
            "{level:.4g}% intervals for these questions with other samples: what running the same "
            "benchmark again would show.",
            level=level,
        )
    return Text(
        "{level:.4g}% intervals for questions like these: what another benchmark of the kind would "
        "show.",
        level=level,
    )


def best_of(count: int) -> Text | None:
    """Say what an interval of the best of several runs does not cover; None of a single run."""
    if count < 2:
        return None
    return Text(
        "Each is for a run chosen beforehand: the best of several was lucky too. Of 10 equal runs "
        "the best lies in its own interval in 85 to 92% of simulations, in the worst case in 73%."
    )


def one_try(*, known: bool) -> Text:
    """Say what is missed where a single try is all that is known, or all that is looked at."""
    return Text(
        "Only pass@1 is {seen}: it ignores what further tries would solve, and how stable answers "
        "are.",
        seen=Text("known") if known else Text("looked at"),
    )


def missed_in_words(view: View, runs: Collection[Run]) -> Text | None:
    """Say what a View misses of some runs by a single try; None where it looks at several.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> runs = [Run("7B", "gsm8k", Outcomes([[1, 0], [1, 1]]))]
    >>> missed_in_words(View(k=(1,)), runs) is None, missed_in_words(View(k=(1, 2)), runs) is None
    (False, True)
    """
    samples = [run.known.shape[1] for run in runs if run.known is not None]
    if max(samples, default=0) == 1:
        return one_try(known=True)
    return one_try(known=False) if view.k == (1,) else None


def failed_requests(count: int, all: int, missing: Missing) -> Text:
    """Say how many requests failed, and what they count as."""
    return Text(
        "{count} of {all} requests failed and {treatment}.",
        "{count} of {all} requests failed and {treatment}.",
        count=count,
        all=all,
        treatment=treatment_in_words(missing, count),
    )


def treatment_in_words(missing: Missing, count: int) -> Text:
    """Say what failed requests count as."""
    return {
        "wrong": Text("counts as wrong", "count as wrong", count=count),
        "omit": Text("is left out", "are left out", count=count),
        "right": Text("counts as right", "count as right", count=count),
    }[missing]
