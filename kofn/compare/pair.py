"""Two runs of a dataset in detail: every metric and segment, each k, and detectable differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from kofn.card import Finding, attempt
from kofn.choices.runs import known_of, shared_k
from kofn.choices.view import View
from kofn.compare.contest import Contest, without_data
from kofn.leaderboard.pairs import ks_to, lead_over_k
from metrics import BySegment, Difference, Lead, compare, compare_segments, plan
from metrics.data.evidence import Evidence, fewest_samples
from metrics.data.names import MetricName
from metrics.data.words import Text
from metrics.scoring.registry import METRICS, metric_name
from reports.run.differing import Differing, differing_settings
from reports.run.matching import Match
from reports.run.report import Run
from reports.run.same_answers import SameAnswers, same_answers

ALONG: Final = "pass@k"
"""What is followed along k where the metric takes none."""
ROUND = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Differences that one may wish to show."""


@dataclass(frozen=True, eq=False)
class Power:
    """What a benchmark could have shown of two runs."""

    # The smallest difference that it shows with `chance`; None where there is none.
    smallest: float | None
    chance: float
    finer: float | None  # A round difference that takes more questions.
    questions: int | None  # How many that takes; None if too many.


@dataclass(frozen=True, eq=False)
class ComparedPair:
    """How much better one run is than the baseline."""

    base: str
    other: str
    difference: Difference  # Of the other less the baseline.
    match: Match
    along: Lead | None  # The same at each k; None where there is a single one.
    followed: str
    power: Power | None  # None where `no_power` says why.
    no_power: Text | None
    # Where those of the two differ; None where neither states any.
    settings: tuple[Differing, ...] | None
    # Where both are one set of answers under two rules, so that nothing differs by chance.
    same: SameAnswers | None = None


def pair_up(
    contest: Contest,
    runs: Mapping[str, Run],
    other: str,
    view: View,
    same: Callable[[Run, Run], SameAnswers | None] = same_answers,
) -> ComparedPair:
    """Look at a run of a contest and its baseline in detail.

    same: Says whether two runs are one set of answers.
    """
    assert contest.base is not None
    a, b, match = runs[contest.base], runs[other], contest.match(contest.base, other)
    difference = contest.against[other]
    followed = contest.metric if contest.k else ALONG
    along = _lead_over_k(a, b, followed, view, match)
    power, no_power = attempt(_power, a, b, contest, view) if difference.paired else _UNPAIRED
    return ComparedPair(
        contest.base,
        other,
        difference,
        match,
        along,
        followed,
        power,
        no_power,
        differing_settings(a, b) if a.settings or b.settings else None,
        attempt(same, a, b)[0],
    )


_UNPAIRED: Finding[Power] = (
    None,
    Text("What could have been shown is not known of two that are not paired."),
)


def _lead_over_k(a: Run, b: Run, metric: MetricName, view: View, match: Match) -> Lead | None:
    last = fewest_samples((a, b), view.missing, view.segment)
    ks = ks_to(metric, last)
    for defined in (ks, ks[1:]):  # some metrics begin at k = 2
        if len(defined) > 1:
            found, _reason = attempt(lead_over_k, a, b, metric, defined, view, lambda *_: match)
            if found is not None:
                return found
    return None


def _power(a: Run, b: Run, contest: Contest, view: View) -> Power:
    found = plan(a, b, contest.metric, contest.k, **view.asked_but_target)
    smallest = found.smallest()
    finer = None if smallest is None else next((d for d in ROUND if d < 0.75 * smallest), None)
    questions = None if finer is None else found.questions(finer)
    return Power(smallest, found.power, finer, questions)


LABELS = 60
"""An attribute with more labels than this names questions rather than groups them."""
OFFERED = tuple(
    name
    for name, metric in METRICS.items()
    if metric.needs in ("", "soft") and metric.parts is None
)
"""The metrics that are found of every two runs, question by question."""


def by_metric(
    pair: ComparedPair, runs: Mapping[str, Run], view: View
) -> dict[str, Finding[Difference]]:
    """Compare two runs by every metric, with the k of a View or as many samples as both have.

    Returns: By the name of the metric with its number.
    """
    a, b = runs[pair.base], runs[pair.other]
    k = max(view.k, default=0) or shared_k((a, b), view)
    scored = all(Evidence(run).soft is not None for run in (a, b))
    differences = {}
    for name in OFFERED:
        metric = METRICS[name]
        if metric.needs == "soft" and not scored:
            continue
        drawn = k if metric.takes_k else None
        differences[metric.label(drawn)] = attempt(
            _compare, a, b, metric_name(name), drawn, bool(pair.match), view
        )
    return differences


def _compare(
    a: Run, b: Run, metric: MetricName, k: int | None, same: bool, view: View
) -> Difference:
    return without_data(compare(a, b, metric, k, same_questions=same, **view.asked))


def attributes_of(runs: Mapping[str, Run], pair: ComparedPair) -> list[str]:
    """Return the attributes by which both runs have segments."""
    a, b = (known_of(runs[key]) for key in (pair.base, pair.other))
    return [name for name in a.segments if name in b.segments and 1 < len(a.labels(name)) <= LABELS]


def by_segment(
    pair: ComparedPair,
    runs: Mapping[str, Run],
    attribute: str,
    metric: MetricName,
    k: int | None,
    view: View,
) -> Finding[BySegment]:
    """Compare two runs in every segment, of all questions whatever segment a View chooses."""
    asked = {key: value for key, value in view.asked.items() if key != "segment"}
    a, b = runs[pair.base], runs[pair.other]
    found, reason = attempt(compare_segments, a, b, attribute, metric, k, **asked)
    if found is None:
        return None, reason
    segments = {label: without_data(each) for label, each in found.segments.items()}
    return replace(found, overall=without_data(found.overall), segments=segments), None
