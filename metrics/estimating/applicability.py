"""Whether a metric is defined on the data at hand, and whether its arguments make sense."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from metrics.data.counts import NEEDS_SAMPLES, Counts
from metrics.data.evidence import Evidence
from metrics.data.inputs import require_k, require_level
from metrics.data.question import Question
from metrics.data.results import Target
from metrics.data.words import Enumerated, MetricError, Text
from metrics.estimating.caveats import are_many, copies_in_words
from metrics.scoring.registry import Metric, labelled
from metrics.scoring.soft import NO_SCORES

UNGROUPED = Text(
    "It is unknown which samples belong to the same question; without that, only means over "
    "samples are defined."
)
_TARGETS = get_args(Target)


OF_THESE_ONLY = Text(
    "It is a shrunken score of these questions and says nothing about questions like them."
)


def require_arguments(
    metric: Metric, k: Any, question: Question, options: Mapping[str, Any]
) -> None:
    """Raise `MetricError` for an argument that is out of range, whatever the data."""
    require_target(question.target)
    require_level(question.confidence_level)
    for name in options.keys() - set(metric.options):
        raise MetricError(
            Text(
                "{metric} has no option {name}; it takes {known}.",
                metric=metric.name,
                name=name,
                known=Enumerated(metric.options) or Text("none"),
            )
        )
    if k is not None and not metric.takes_k:
        raise MetricError(
            Text("{name} takes all samples of a question; leave k out.", name=metric.name)
        )
    if k is not None:
        require_k(k)


def require_supported(
    metric: Metric,
    evidence: Evidence,
    k: int | None,
    question: Question,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Raise `MetricError` where a metric is undefined on the data, or an argument out of range."""
    require_arguments(metric, k, question, options)
    if reason := why_undefined(metric, evidence, k, question.target, options):
        raise MetricError(reason)


def require_target(target: Any) -> None:
    """Raise `MetricError` unless it is a target."""
    if target not in _TARGETS:
        raise MetricError(
            Text("target must be 'population' or 'benchmark'; got {got!r}.", got=target)
        )


def why_undefined(
    metric: Metric,
    evidence: Evidence,
    k: int | None,
    target: Target,
    options: Mapping[str, Any],
) -> Text | None:
    """Return why a metric is undefined on these data, or None where it is defined."""
    if not evidence.grouped and (metric.draws != "one" or metric.needs == "posterior"):
        return UNGROUPED
    lacking = _lacking(metric, evidence, options)
    if lacking is not None:
        return lacking
    if metric.needs == "posterior" and target == "population":
        return OF_THESE_ONLY
    copies = evidence.copies if target == "benchmark" else None
    if copies is not None and are_many(copies, metric.draws == "one"):
        return Text(
            "{copies}. An interval for these questions would be too narrow; the one for "
            "questions like these remains valid.",
            copies=copies_in_words(copies, evidence),
        )
    n, questions = evidence.sizes
    if metric.needs in ("answers", "posterior") and n.min() != n.max():
        return Text("It needs the same number of samples for every question.")
    k = evidence.n_min if k is None else k
    if metric.takes_k and k > evidence.n_min:
        return Text(
            "{label} needs {k} samples of every question; {count} of {all} questions has fewer "
            "(at least {fewest}).",
            "{label} needs {k} samples of every question; {count} of {all} questions have fewer "
            "(at least {fewest}).",
            label=metric.label(k),
            k=k,
            count=int(questions[n < k].sum()),
            all=int(questions.sum()),
            fewest=evidence.n_min,
        )
    for payoff, chosen in metric.payoffs(options):
        earned = payoff(metric.drawn(evidence.n_min, k), **chosen)
        if earned[0] == earned[-1]:
            return Text(
                "{label} is {value:g} whatever the outcomes.",
                label=labelled(metric.label(k), options),
                value=float(earned[0]),
            )
    return None


def _lacking(metric: Metric, evidence: Evidence, options: Mapping[str, Any]) -> Text | None:
    """Return what a metric needs beside verdicts and is not given."""
    if metric.needs in ("soft", "answers") and isinstance(evidence.data, Counts):
        return NEEDS_SAMPLES
    if metric.needs == "soft" and evidence.soft is None:
        return NO_SCORES
    if metric.needs == "answers" and evidence.votes is None:
        return Text("There are no extracted answers to vote with.")
    if metric.needs == "weights" and options.get("weights") is None:
        return Text("It needs weights of your own: k numbers from 0 to 1 that sum to at most 1.")
    return None
