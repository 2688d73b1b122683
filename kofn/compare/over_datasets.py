"""Two models on all datasets that both ran: the difference on each, and on all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kofn.card import Finding, attempt
from kofn.choices.focus import runs_by_dataset
from kofn.choices.view import View
from kofn.compare.contest import key_of_name, metric_and_k, name_across_datasets, without_data
from kofn.leaderboard.pairs import Matching
from metrics import Difference, best_of_suites, compare, compare_suite
from metrics.analyses.compare.best import Best, allowed
from metrics.data.names import MetricName
from metrics.data.words import Text
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class OverDatasets:
    """How much better one model is than another, dataset by dataset."""

    metric: MetricName
    k: int | None  # The same for all datasets.
    keys: Mapping[str, tuple[str, str]]  # By dataset, the runs of the baseline and of the other.
    each: Mapping[str, Finding[Difference]]  # By dataset, or why there is none.
    # Of all datasets together, which count equally; None where `reason` says why.
    all: Difference | None
    reason: Text | None
    # With what chance the baseline and the other are the better one, on average over datasets.
    best: Best | None = None


def compare_over_datasets(
    runs: Mapping[str, Run], base: str, other: str, view: View, same: Matching
) -> OverDatasets | None:
    """Set one model against another on the datasets of some runs; None if they share only one.

    base, other: The keys of two runs of a dataset; those called alike on others are taken with
        them.
    same: As in `kofn.compare.contest.contend`.
    """
    names = [name_across_datasets(key, runs[key]) for key in (base, other)]
    pairs = {}
    for dataset, group in runs_by_dataset(runs).items():
        a, b = (key_of_name(name, group) for name in names)
        if a is not None and b is not None and a != b:
            pairs[dataset] = a, b
    if len(pairs) < 2:
        return None
    chosen = {key: runs[key] for pair in pairs.values() for key in pair}
    metric, k = metric_and_k(chosen, view)
    matched = {name: same(runs[a], runs[b]) for name, (a, b) in pairs.items()}
    each = {
        name: attempt(
            compare, runs[a], runs[b], metric, k, same_questions=bool(matched[name]), **view.asked
        )
        for name, (a, b) in pairs.items()
    }
    sides: list[dict[str, Run]] = [
        {name: runs[pair[place]] for name, pair in pairs.items() if matched[name]}
        for place in (0, 1)
    ]
    by_model = dict(zip((base, other), sides, strict=True))
    found, reason = attempt(compare_suite, *sides, metric, k, **view.asked)
    most = 1.0 if found is None or found.sure else allowed(found.confidence_level)
    best, _unlike = attempt(best_of_suites, by_model, metric, k, most=most, **view.asked)
    return OverDatasets(
        metric,
        k,
        pairs,
        {
            name: (None if each_found is None else without_data(each_found), why)
            for name, (each_found, why) in each.items()
        },
        None if found is None else without_data(found),
        reason,
        best,
    )
