"""The difference of two runs by every metric, and in every segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kofn.card import Finding, attempt
from kofn.choices.runs import known_of, shared_k
from kofn.choices.view import View
from kofn.compare.contest import without_data
from kofn.compare.pair import Pair
from metrics import BySegment, Difference, compare, compare_segments
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.scoring.registry import METRICS, metric_name
from reports.run.report import Run

LABELS = 60
"""An attribute with more labels than this names questions rather than groups them."""
OFFERED = tuple(
    name
    for name, metric in METRICS.items()
    if metric.needs in ("", "soft") and metric.parts is None
)
"""The metrics that are found of every two runs, question by question."""


def by_metric(pair: Pair, runs: Mapping[str, Run], view: View) -> dict[str, Finding[Difference]]:
    """Compare two runs by every metric, with the k of a View or as many samples as both have.

    Returns
    -------
    dict of str to (Difference or None, Text or None)
        By the name of the metric with its number.
    """
    a, b = runs[pair.base], runs[pair.other]
    k = max(view.k, default=0) or shared_k((a, b), view.missing, view.segment)
    scored = all(Evidence(run).soft is not None for run in (a, b))
    found = {}
    for name in OFFERED:
        metric = METRICS[name]
        if metric.needs == "soft" and not scored:
            continue
        drawn = k if metric.takes_k else None
        found[metric.label(drawn)] = attempt(
            _compare, a, b, metric_name(name), drawn, bool(pair.match), view
        )
    return found


def _compare(
    a: Run, b: Run, metric: MetricName, k: int | None, same: bool, view: View
) -> Difference:
    return without_data(compare(a, b, metric, k, same_questions=same, **view.asked))


def attributes_of(runs: Mapping[str, Run], pair: Pair) -> list[str]:
    """Return the attributes by which both runs have segments."""
    a, b = (known_of(runs[key]) for key in (pair.base, pair.other))
    return [name for name in a.segments if name in b.segments and 1 < len(a.labels(name)) <= LABELS]


def by_segment(
    pair: Pair,
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
