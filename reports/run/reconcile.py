"""Compare the numbers that a file states with those from its samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics import Estimate, estimate, pool
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.results import Interval
from metrics.data.words import Text
from metrics.estimating.estimation import mean_score
from metrics.scoring.registry import find_metric
from reports.run.reasons import BY_ITS_RULE
from reports.run.report import Run, Suite

UNEXPLAINED = Text(
    "kofn knows no reason for this difference; check both numbers before you trust them."
)
NO_OUTCOMES = Text("The file does not say which samples were right, so this cannot be checked.")
NO_COUNTERPART = Text("kofn computes no metric of this name.")


@dataclass(frozen=True, slots=True)
class Comparison:
    """One number that a file states, and the same number from its samples.

    Attributes
    ----------
    metric : str
        The file's own key.
    reported : float
        A fraction.
    recomputed : float or None
        The same, with failed requests counted as wrong; None where it cannot be computed. What was
        computed by the tool's own rule is the stated number.
    agrees : bool
        Whether both are equal up to the digits of the file.
    reason : Text or None
        Why they differ, why there is nothing to compare, or by which rule they agree if not by
        kofn's.
    interval : Interval or None
        That of the recomputed number at 95 %, for questions like these; None if there is none.
    replicas : tuple of float
        The same of each replica, the first sample of every question, the second, and so on, where
        it states their average and all questions have equally many samples; ``recomputed`` is
        their mean.
    """

    metric: str
    reported: float
    recomputed: float | None
    agrees: bool
    reason: Text | None
    interval: Interval | None = None
    replicas: tuple[float, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the samples give another number."""
        return not self.agrees and self.recomputed is not None


def reconcile(run: Run) -> tuple[Comparison, ...]:
    """Compare each metric that a run's file states with the one its samples give.

    Parameters
    ----------
    run : Run

    Returns
    -------
    tuple of Comparison
        In the order of the file.

    Examples
    --------
    >>> run = Run("alpha", "gsm8k", Outcomes([[1, 0], [1, 1]]), {"avg@2": 0.75, "pass@2": 0.5})
    >>> [(line.metric, line.recomputed, line.agrees) for line in reconcile(run)]
    [('avg@2', 0.75, True), ('pass@2', 1.0, False)]
    """
    return tuple(_in_full(run, line) for line in compared(run))


def compared(run: Run) -> Iterator[Comparison]:
    """Compare as `reconcile` does, but compute no interval and no replica, which takes longest."""
    return (_compare(run, metric, value) for metric, value in run.reported.items())


def reconcile_suite(suite: Suite) -> tuple[Comparison, ...]:
    """Compare what a report states for several datasets together with the mean of its samples.

    Parameters
    ----------
    suite : Suite

    Returns
    -------
    tuple of Comparison
        In the order of the report. The means are those of `kofn.metrics.pool`.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> runs = tuple(Run("7B", name, Outcomes([[1, 0]])) for name in ("maths", "logic"))
    >>> (found,) = reconcile_suite(Suite("both", runs, (0.5, 0.5), {"avg@2": 0.6}))
    >>> found.reported, found.recomputed, found.agrees
    (0.6, 0.5, False)
    """
    return tuple(_compare_pooled(suite, metric, value) for metric, value in suite.reported.items())


def agree(reported: float, recomputed: float) -> bool:
    """Return whether two fractions are equal up to the digits of the first.

    A percentage of at most two decimals counts as rounded.

    Examples
    --------
    >>> agree(0.3333, 1 / 3), agree(0.333334, 1 / 3)
    (True, False)
    """
    rounded = abs(reported - round(reported, 4)) < 1e-12
    return abs(reported - recomputed) <= (0.5e-4 if rounded else 1e-9)


def _in_full(run: Run, line: Comparison) -> Comparison:
    """Return a comparison with the interval and the replicas of what was recomputed."""
    if run.outcomes is None or line.recomputed is None:
        return line
    own = _own_name(run, line.metric)
    found = _counterpart(run.outcomes, own, line.reported)
    if found is None:
        return line
    replicas = _of_replicas(run.outcomes, own, line.recomputed)
    return replace(line, interval=found.estimate.interval, replicas=replicas)


def _compare(run: Run, metric: str, reported: float) -> Comparison:
    if run.outcomes is None:
        unknown = NO_OUTCOMES if run.known is None else NEEDS_SAMPLES
        reason = run.explanations.get(metric, unknown)
        return Comparison(metric, reported, None, False, reason)
    recomputed = _recomputed(run, run.outcomes, metric, reported)
    if recomputed is None:
        reason = run.explanations.get(metric, NO_COUNTERPART)
        given = reason == BY_ITS_RULE
        return Comparison(metric, reported, reported if given else None, given, reason)
    if agree(reported, recomputed):
        return Comparison(metric, reported, recomputed, True, None)
    reason = run.explanations.get(metric, UNEXPLAINED)
    return Comparison(metric, reported, recomputed, False, reason)


def _of_replicas(outcomes: Outcomes, metric: str, average: float) -> tuple[float, ...]:
    """Return the numbers of the replicas that have this average; empty where it is not of them."""
    verdicts = outcomes.correct
    asked = (verdicts > ABSENT).any(axis=1)
    if not _OF_REPLICAS.fullmatch(metric) or not (verdicts[asked] > ABSENT).all():
        return ()
    rows = np.flatnonzero(asked)
    if not (is_headline(metric) or metric.startswith("avg@")):
        part = part_of(metric, {kind: each[asked] for kind, each in outcomes.segments.items()})
        rows = rows if part is None else rows[part]
    right = (verdicts[rows] == 1).mean(axis=0)
    soft = None if outcomes.scores is None else np.nan_to_num(outcomes.scores[rows]).mean(axis=0)
    for numbers in (right, soft):
        if numbers is not None and abs(numbers.mean() - average) < 1e-9:
            return tuple(numbers.tolist())
    return ()


def _recomputed(run: Run, outcomes: Outcomes, metric: str, reported: float) -> float | None:
    if voted := _VOTE.fullmatch(_own_name(run, metric)):
        return _first_votes(run, outcomes, int(voted[1]))
    found = _counterpart(outcomes, _own_name(run, metric), reported)
    return found and found.value


def _first_votes(run: Run, outcomes: Outcomes, k: int) -> float | None:
    """Return how many questions the votes of their first k samples answer right.

    Of several answers with as many votes the first to come wins; blank ones have none. Questions
    that lack one of these samples do not count.
    """
    if run.answers is None or run.answer_labels is None or not 1 <= k <= outcomes.shape[1]:
        return None
    whole = (outcomes.correct[:, :k] > FAILED).all(axis=1)
    if not whole.any():
        return None
    blank = [code for code, label in enumerate(run.answer_labels) if not label.strip()]
    given, right = run.answers[whole, :k], outcomes.correct[whole, :k] == 1
    cast = (given >= 0) & ~np.isin(given, blank)
    votes = np.stack([(given == given[:, [i]]).sum(axis=1) for i in range(k)], axis=1) * cast
    first = votes.argmax(axis=1)[:, None]
    chosen = np.take_along_axis(given, first, axis=1)
    won = cast.any(axis=1) & (right & (given == chosen)).any(axis=1)
    return float(won.mean())


def _compare_pooled(suite: Suite, metric: str, reported: float) -> Comparison:
    if any(run.outcomes is None for run in suite.runs):
        counted = all(run.known is not None for run in suite.runs)
        return Comparison(metric, reported, None, False, NEEDS_SAMPLES if counted else NO_OUTCOMES)
    keys = [next(iter(run.reported), "") if metric in _AVERAGES else metric for run in suite.runs]
    counterparts = [
        _counterpart(run.outcomes, _own_name(run, key), run.reported.get(key, reported))
        for run, key in zip(suite.runs, keys, strict=True)
        if run.outcomes is not None
    ]
    known = [each.estimate for each in counterparts if each is not None]
    if len(known) < len(suite.runs):
        return Comparison(metric, reported, None, False, NO_COUNTERPART)
    pooled = pool(known, suite.weights)
    recomputed, interval = pooled.value, pooled.interval
    if agree(reported, recomputed):
        return Comparison(metric, reported, recomputed, True, None, interval)
    reasons = (
        _compare(run, key, run.reported[key]).reason
        for run, key in zip(suite.runs, keys, strict=True)
        if key in run.reported
    )
    reason = next((reason for reason in reasons if reason is not None), UNEXPLAINED)
    return Comparison(metric, reported, recomputed, False, reason, interval)


def is_headline(metric: str) -> bool:
    """Return whether a key states the mean that an evaluator is named for.

    Examples
    --------
    >>> is_headline("accuracy (5 runs average)"), is_headline("avg@5")
    (True, False)
    """
    return _HEADLINE.fullmatch(metric) is not None


def part_of(metric: str, segments: Mapping[str, NDArray[np.str_]]) -> NDArray[np.bool_] | None:
    """Return which questions a key states the mean of, if those of a split or category.

    metric: Such as ``[dev]: Overall``, ``[dev]: Art`` or ``math (4 runs average)``.
    segments: Labels of the questions, "" where one is not known. Shape (M,).
    Returns: None where no such questions are known. Shape (M,).

    Examples
    --------
    >>> labels = {"split": np.array(["dev", "test"]), "category": np.array(["Art", "Art"])}
    >>> [part_of(key, labels).tolist() for key in ("[test]: Overall", "[dev]: Art", "Art")]
    [[False, True], [True, False], [True, True]]
    """
    match = _PART.fullmatch(metric)
    if match is None:
        return None
    known = {kind: labels for kind, labels in segments.items() if "" not in labels}
    parts = [] if match[1] is None else [[known["split"] == match[1]] if "split" in known else []]
    if match[1] is None or match[2] != "Overall":
        parts.append([labels == match[2] for kind, labels in known.items() if kind != "split"])
    if not all(parts):
        return None
    members = np.all([np.any(kinds, axis=0) for kinds in parts], axis=0)
    return members if members.any() else None


class _Counterpart(NamedTuple):
    """What kofn computes in place of a number that a file states."""

    outcomes: Outcomes
    metric: MetricName
    k: int | None = None
    options: Mapping[str, Any] = {}

    @property
    def value(self) -> float:
        """The number alone."""
        evidence = Evidence(self.outcomes)
        k = evidence.n_min if self.k is None else self.k
        return mean_score(find_metric(self.metric), evidence, k, self.options)

    @property
    def estimate(self) -> Estimate:
        """The number with its interval."""
        return estimate(self.outcomes, self.metric, self.k, **self.options)


def _of_part(outcomes: Outcomes, metric: str) -> _Counterpart | None:
    graded = (outcomes.correct > ABSENT).any(axis=1)
    segments = {kind: labels[graded] for kind, labels in outcomes.segments.items()}
    part = part_of(metric, segments)
    return None if part is None else _Counterpart(Outcomes(outcomes.correct[graded][part]), "avg@n")


def _own_name(run: Run, metric: str) -> str:
    """Return what kofn calls a metric: without the suite that the tools may put before it."""
    if metric in run.counterparts:
        return run.counterparts[metric]
    return metric.removeprefix(run.dataset.partition("_")[0] + "/")


def _counterpart(outcomes: Outcomes, metric: str, reported: float) -> _Counterpart | None:
    """Return what a file's key states; None if kofn has no such metric or k is out of reach."""
    if outcomes.correct.max() > 1:
        return None
    if is_headline(metric):
        return _headline(outcomes, reported)
    for pattern, find in _COUNTERPARTS:
        if found := pattern.fullmatch(metric):
            numbers = [float(number) for number in found.groups()]
            defined = all(1 <= k <= outcomes.tally().n_min for k in numbers[:1])
            return find(outcomes, *numbers) if defined else None
    return _of_part(outcomes, metric)


def _headline(outcomes: Outcomes, reported: float) -> _Counterpart:
    """Return the mean score, or the share of right samples where that is what the file states.

    Which of the two an evaluator is named for, its key does not tell.
    """
    share = _Counterpart(outcomes, "avg@n")
    if outcomes.scores is None or agree(reported, share.value):
        return share
    return _Counterpart(outcomes, "soft")


def _counterpart_at(name: MetricName) -> Callable[[Outcomes, float], _Counterpart]:
    return lambda outcomes, k: _Counterpart(outcomes, name, int(k))


def _one_sample(outcomes: Outcomes, number: float) -> _Counterpart | None:
    """Return the share of questions whose sample of this number is right, counted from 1."""
    mine = outcomes.correct[:, int(number) - 1]
    asked = mine[mine > ABSENT][:, None]
    return _Counterpart(Outcomes(asked), "avg@n") if asked.size else None


def _majority(outcomes: Outcomes, k: float) -> _Counterpart:
    whole = k == outcomes.shape[1]
    return _Counterpart(outcomes, "cons@n") if whole else _Counterpart(outcomes, "maj@k", int(k))


def _reaching(outcomes: Outcomes, k: float, tau: float) -> _Counterpart:
    return _Counterpart(outcomes, "g-pass@k", int(k), {"tau": tau})


_VOTE = re.compile(r"vote@(\d{1,6})")
_AVERAGES = {"naive_average", "weighted_average"}
"""Names of the mean over the first metric of each dataset of a suite."""
_AVERAGED = r"(?: \(\d+ runs average\))?"
_OF_REPLICAS = re.compile(r"avg@\d+|.* \(\d+ runs average\)")
_HEADLINE = re.compile(
    r"(?:accuracy|score|Accuracy|Overall|ANLS Acc|humaneval_pass@1|resolved"
    rf"|Prompt-level-strict-accuracy|Accuracy@0\.5|SC|PQ){_AVERAGED}"
)
_PART = re.compile(rf"(?:\[([^\]]*)\]: )?(.+?){_AVERAGED}")
_COUNTERPARTS: tuple[tuple[re.Pattern[str], Callable[..., _Counterpart | None]], ...] = (
    (re.compile(r"avg@\d+"), lambda outcomes: _Counterpart(outcomes, "avg@n")),
    (re.compile(r"sample@(\d{1,6})"), _one_sample),
    (re.compile(r"pass@(\d{1,6})"), _counterpart_at("pass@k")),
    (re.compile(r"pass\^(\d{1,6})"), _counterpart_at("pass^k")),
    (re.compile(r"G-Pass@(\d{1,6})_(0\.\d{1,3}|1\.0)"), _reaching),
    (re.compile(r"mG-Pass@(\d{1,6})"), _counterpart_at("mg-pass@k")),
    (re.compile(r"cons@(\d{1,6})"), _majority),
    (re.compile(r"maj@(\d{1,6})"), _counterpart_at("maj@k")),
)
"""A file's keys, each with k and tau if it has them, and what kofn computes for each."""
