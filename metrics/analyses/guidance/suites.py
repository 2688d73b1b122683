"""The decision matrix of a model over several datasets, which count equally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.guidance.attainable import open_ranges, possible_cells
from metrics.analyses.guidance.decision import (
    RESAMPLES,
    Guidance,
    cell_of,
    guidance,
    probabilities,
)
from metrics.analyses.guidance.decision_matrix import DIMENSIONS
from metrics.analyses.guidance.gaps import FAR, Gaps
from metrics.analyses.guidance.targets import verdicts
from metrics.analyses.guidance.three_metrics import draw_kinds
from metrics.data.evidence import Evidence
from metrics.data.results import Curve, Estimate
from metrics.data.threads import one_thread
from metrics.estimating.pooling import mean_apart, pool


@one_thread()
def guidance_of_means(
    runs: Sequence[Any],
    *,
    answers: Sequence[Any],
    k: int | None = None,
    resamples: int = RESAMPLES,
    rng: int = 0,
    **settings: Any,
) -> Guidance:
    """Place the means over datasets in AISBench's decision matrix.

    Joint draws are the means of independent draws of each dataset. Without k the datasets must have
    equally many samples.

    Examples
    --------
    >>> easy, hard = [[1, 1, 1, 0]] * 40, [[1, 0, 0, 0]] * 40
    >>> found = guidance_of_means([easy, hard], answers=[None, None])
    >>> found.cell, found.estimates["avg"].value
    (('high', 'medium', 'medium'), 0.5)
    """
    each = [
        guidance(run, k=k, answers=own, resamples=1, rng=rng, **settings)
        for run, own in zip(runs, answers, strict=True)
    ]
    first = each[0]
    asked = {name: settings[name] for name in ("missing", "segment") if name in settings}
    sides = [Evidence(run, **asked) for run in runs]
    drawn = np.mean(
        [
            draw_kinds(side, k, resamples=resamples, rng=rng + place)
            for place, side in enumerate(sides)
        ],
        axis=0,
    )
    estimates = {name: pool([one.estimates[name] for one in each]) for name in DIMENSIONS}
    samples = tuple(sorted({n for side in sides for n in side.tally.each_n}))
    scenarios = [verdict.scenario for verdict in first.verdicts]
    n = min(one.n for one in each)
    gap_chance = float((drawn[:, 0] - drawn[:, 2] > FAR).mean())
    agreement = _mean([one.agreement for one in each])
    return replace(
        first,
        n=n,
        estimates=estimates,
        probability=probabilities(drawn, first.high, first.low),
        possible=possible_cells(samples, k, first.high, first.low),
        cell=cell_of([estimates[name].value for name in DIMENSIONS], first.high, first.low),
        verdicts=tuple(verdicts(scenarios, estimates, drawn, n)),
        open_ranges=open_ranges(samples, k, estimates["avg"].value),
        agreement=agreement,
        bias=None,
        gaps=_mean_gaps([one.gaps for one in each], gap_chance),
    )


def _mean(estimates: Sequence[Estimate | None]) -> Estimate | None:
    known = [each for each in estimates if each is not None]
    return mean_apart(known) if len(known) == len(estimates) else None


def _mean_gaps(gaps: Sequence[Gaps], gap_chance: float) -> Gaps:
    wrong = [each.wrong for each in gaps if each.wrong is not None]
    curves = [each.solved for each in gaps]
    shared = sorted(set.intersection(*(set(each.k.tolist()) for each in curves)))
    values = np.mean([each.value[np.isin(each.k, shared)] for each in curves], axis=0)
    unknown = np.full(len(shared), np.nan)
    return Gaps(
        gap_chance,
        mean_apart([each.checked for each in gaps]),
        _mean([each.vote for each in gaps]),
        _mean([each.voted for each in gaps]),
        sum(wrong) if len(wrong) == len(gaps) else None,
        Curve(np.array(shared, dtype=np.int64), values, unknown, unknown),
        any(each.copied for each in gaps),
    )
