"""What the metrics in a row of LightEval say about its answers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.rescoring.repeats.counted import Verdicts
from reports.samples.counted import right_of
from reports.samples.verdict_choice import DISAGREE, VerdictChooser

_AVERAGE = re.compile(r"(.*)avg@n(?::n=(\d+))?")
_PASS = re.compile(r"(.*)pass@k:k=(\d+)(?:&n=(\d+))?|(.*)pass@(\d+)(?::(\d+)_samples)?")
_VOTE = re.compile(r".*(?:maj@|g-pass@|G-Pass@).*")
_EXACT = 1e-6


class LightEvalMetric(NamedTuple):
    """A metric that tells how many answers to a question are right."""

    family: str  # What its name begins with, such as ``math_``: metrics of one family judge alike.
    k: int  # Of pass@k; 1 where it is the share of right answers.
    n: int  # Answers that it looks at, the first ones; 0 where its name does not tell.

    def value(self, right: int, n: int) -> float:
        """Return what it says of n answers of which some are right."""
        return 1 - math.comb(n - right, self.k) / math.comb(n, self.k)


def metric_of(name: str) -> LightEvalMetric | None:
    """Return what a name of a metric tells; None where it tells of no number of answers.

    Examples
    --------
    >>> metric_of("pass@k:k=2&n=4"), metric_of("math_pass@1:4_samples"), metric_of("maj@n:n=4")
    (LightEvalMetric(family='', k=2, n=4), LightEvalMetric(family='math_', k=1, n=4), None)
    """
    if _VOTE.fullmatch(name):
        return None
    if match := _AVERAGE.fullmatch(name):
        return LightEvalMetric(match[1], 1, int(match[2] or 0))
    if match := _PASS.fullmatch(name):
        if match[2]:
            return LightEvalMetric(match[1], int(match[2]), int(match[3] or 0))
        return LightEvalMetric(match[4], int(match[5]), int(match[6] or 0))
    return None


class ChosenMetric(NamedTuple):
    """The metric that the verdicts are of."""

    name: str
    n: int  # Answers that it looks at.
    # How many of them are right, question by question; None where it is a score of one answer.
    counts: Sequence[int] | None
    alike: Sequence[str] = ()  # Metrics that say the same.


def chosen(
    tree: Tree, path: str, rows: Sequence[Mapping[str, float]], answers: int, asking: VerdictChooser
) -> ChosenMetric:
    """Say which metric is meant, and what it tells.

    answers: To each question.
    """
    shared = [name for name in (rows[0] if rows else {}) if all(name in row for row in rows)]
    metrics: dict[str, ChosenMetric] = {}
    for name in shared:
        values = [row[name] for row in rows]
        if answers == 1:
            if all(0 <= value <= 1 for value in values) and not _VOTE.fullmatch(name):
                metrics[name] = ChosenMetric(name, 1, None)
        elif (metric := metric_of(name)) and metric.k == 1:
            n = min(metric.n or answers, answers)
            counts = right_of(values, [n] * len(values))
            if counts is not None and all(0 <= count <= n for count in counts):
                metrics[name] = ChosenMetric(name, n, counts)
    if not metrics:
        raise tree.error(
            Text(
                "no metric says how many of {count} answers to a question are right", count=answers
            ),
            Text("Add avg@n to the metrics of the task, with n as many as the answers."),
            path,
        )
    ordered = sorted(metrics.values(), key=lambda each: -each.n)
    first = ordered[0]
    all_agree = all(_agree(first, other, rows) for other in ordered)
    name = asking.choose(tree, path, [each.name for each in ordered], DISAGREE, alike=all_agree)
    return metrics[name]._replace(
        alike=[each.name for each in ordered if _agree(metrics[name], each, rows)]
    )


def _agree(a: ChosenMetric, b: ChosenMetric, rows: Sequence[Mapping[str, float]]) -> bool:
    """Return whether two metrics say the same of each answer that both look at."""
    one, other = metric_of(a.name), metric_of(b.name)
    if a.counts is None or one is None or other is None:
        return all(row[a.name] == row[b.name] for row in rows)
    return one.family == other.family or a.counts == b.counts


def gives(
    chosen: ChosenMetric, rows: Sequence[Mapping[str, float]], right: Sequence[Verdicts]
) -> bool:
    """Return whether verdicts give all metrics of the same family, of the first answers too."""
    family = metric_of(chosen.name)
    for name in rows[0] if family else ():
        metric = metric_of(name)
        if family is None or metric is None or metric.family != family.family:
            continue
        n = min(metric.n or chosen.n, chosen.n)
        if metric.k > n:
            continue
        for row, verdicts in zip(rows, right, strict=True):
            count = sum(each is True for each in verdicts[:n])
            if abs(metric.value(count, n) - row.get(name, -1)) > _EXACT:
                return False
    return True
