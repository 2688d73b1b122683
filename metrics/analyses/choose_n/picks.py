"""Answers that a signal picks, where they cannot be checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.candidates.picking import Picks
from metrics.analyses.candidates.selected import (
    PICKED_LAST,
    doubling_ks,
    fall_caveats,
    fall_of,
)
from metrics.analyses.candidates.signals import (
    Candidates,
    double_use_caveats,
    unknown_signal_caveats,
)
from metrics.analyses.candidates.ways import Way
from metrics.data.arrays import Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.question import Question
from metrics.data.words import MetricError, Text
from metrics.estimating.applicability import require_supported
from metrics.scoring.registry import Metric

_QUESTION = Question()


@dataclass(frozen=True, eq=False)
class Picked:
    """What a signal picks."""

    metric: Metric  # What it is worth, selected@k.
    pool: Candidates  # The samples, with what speaks for them.
    # What must be known of the signal, such as that more samples make its pick worse.
    remarks: tuple[Text, ...]

    def quality(self, ks: Integers) -> Vector:
        """Return the chance of each question that the best of k is right, shape (K, M)."""
        return Picks(self.pool, ks).values


def picks_of(data: Any, evidence: Evidence, metric: MetricName | Way) -> MetricName | Picked:
    """Return what a way picks among the samples of data; the name of a metric as it is."""
    if not isinstance(metric, Way):
        return metric
    if metric.votes:
        raise MetricError(Text("n is chosen for a way that picks by a signal, not for its votes."))
    quality = metric.metric(data)
    require_supported(quality, evidence, None, _QUESTION)
    pool = metric.candidates(data, evidence)
    last = evidence.n_min
    ks = np.union1d(doubling_ks(last), [last]).astype(np.int64)
    picks = Picks(pool, ks)
    each = {k: picks.scores(i) for i, k in enumerate(ks.tolist())}
    fall = fall_of(each, last, evidence, _QUESTION)
    remarks = (
        *fall_caveats(fall),
        *double_use_caveats(pool),
        *unknown_signal_caveats(pool, PICKED_LAST),
    )
    return Picked(quality, pool, remarks)
