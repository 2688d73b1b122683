"""Pairs of runs compared on the questions that both answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kofn.choices.runs import NO_VERDICTS
from kofn.choices.view import View
from metrics import Lead, Standing, lead, stand
from metrics.data.names import MetricName
from metrics.data.words import MetricError
from metrics.scoring.registry import METRICS
from reports.files.errors import LoadError
from reports.run.matching import Match, match
from reports.run.report import Run, join

Matching = Callable[[Run, Run], Match]
"""Says which questions of two runs are the same."""
EVERY = 64
"""Up to so many tries every k is looked at, and beyond it as many more."""


def match_by_texts(a: Run, b: Run) -> Match:
    """Match two runs by their texts; where these can no longer be read, by their ids alone."""
    try:
        return match(a, b)
    except LoadError:
        return match(a, b, read=False)


def match_so_far(a: Run, b: Run) -> Match:
    """Match two runs by their ids, and by their texts where these were read before."""
    return match(a, b, read=False)


def lead_over_k(
    a: Run,
    b: Run,
    metric: MetricName,
    ks: Sequence[int],
    view: View,
    matching: Matching = match_by_texts,
) -> Lead:
    """Say by how much b leads a at each k, and where they cross, paired on the same questions.

    What it returns holds no run, so that it can be kept.

    view: Segment, level, target and treatment of failed requests count.
    """
    along = lead(a, b, metric, ks, same_questions=bool(matching(a, b)), **view.asked)
    return replace(along, ends=None)


def find_order(
    runs: Mapping[str, Run],
    metric: MetricName,
    k: int | None,
    view: View,
    matching: Matching = match_by_texts,
) -> Standing:
    """Order the runs of a dataset by a metric, and say who leads; as `lead_over_k`.

    What it returns holds no run, so that it can be kept.
    """
    judged = {key: run for key, run in runs.items() if run.known is not None}
    if not judged:
        raise MetricError(NO_VERDICTS)

    def same(run: Run, first: Run) -> bool:
        join([(run, first) for run in judged.values() if run is not first], None, view.segment)
        return bool(matching(run, first))

    standing = stand(judged, metric, k, same_questions=same, **view.asked)
    silent = dict.fromkeys(runs.keys() - judged.keys(), NO_VERDICTS)
    ahead = {key: replace(each, ends=None) for key, each in standing.ahead.items()}
    return replace(standing, ahead=ahead, left_out={**standing.left_out, **silent})


def ks_to(metric: MetricName, last: int) -> list[int]:
    """Return the k to look at up to a last one; of a slow metric those that double.

    Examples
    --------
    >>> ks_to("pass@k", 4), ks_to("plurality@k", 10), len(ks_to("pass@k", 5000))
    ([1, 2, 3, 4], [1, 2, 4, 8, 10], 128)
    """
    if METRICS[metric].payoff is None:
        return doubling_ks(last)
    beyond = np.geomspace(EVERY, max(last, EVERY), EVERY + 1).tolist()
    return sorted({*range(1, min(last, EVERY) + 1), *(min(round(k), last) for k in beyond)})


def doubling_ks(last: int) -> list[int]:
    """Return 1, 2, 4 … up to a last k, and this.

    Examples
    --------
    >>> doubling_ks(10)
    [1, 2, 4, 8, 10]
    """
    return sorted({*(1 << power for power in range(last.bit_length())), last})
