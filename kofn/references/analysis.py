"""Questions of a dataset whose reference is worth checking, according to several models."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kofn.card import Finding, attempt
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.leaderboard.field import names_of
from kofn.leaderboard.pairs import Matching, match_by_texts
from metrics import Estimate, Suspect, Suspects, estimate, suspects, without
from metrics.analyses.references.label_errors import REASONS, Reason
from metrics.data.names import MetricName
from reports.run.report import Run

_METRICS: Final = ("avg@n", "pass@k", "cons@n")


@dataclass(frozen=True, eq=False)
class References:
    """What the models of a dataset say of its references."""

    dataset: str
    names: Mapping[str, str]  # How the runs are called, by key.
    # Runs whose questions are not known to be the same as those of the first.
    left_out: tuple[str, ...]
    suspects: Suspects

    @property
    def strong(self) -> tuple[Reason, ...]:
        """The reasons that say more than that a question is hard, or all where none of them is."""
        found = tuple(each for each in REASONS[:2] if self.suspects.of({each}))
        return found or REASONS

    @property
    def listed(self) -> tuple[Suspect, ...]:
        """The questions of which more is known than that nobody succeeds."""
        return self.suspects.of(self.strong) if self.strong != REASONS else ()


def check_references(
    runs: Mapping[str, Run], view: View, same: Matching = match_by_texts
) -> dict[str, Finding[References]]:
    """Look for questions to check in every dataset that two models or more ran.

    view: Its segment, level and treatment of failed requests count.
    same: Says which questions of two runs are the same.
    """
    groups = {name: one_each(group) for name, group in runs_by_dataset(runs).items()}
    return {
        name: attempt(check, group, view, same) for name, group in groups.items() if len(group) > 1
    }


def one_each(runs: Mapping[str, Run]) -> dict[str, Run]:
    """Return of each model of a dataset the run with the most samples that has verdicts."""
    best: dict[str, str] = {}
    for key, run in runs.items():
        if run.outcomes is None:
            continue
        held = runs[best[run.model]].outcomes if run.model in best else None
        if held is None or run.outcomes.shape[1] > held.shape[1]:
            best[run.model] = key
    return {key: runs[key] for key in runs if key in best.values()}


def check(runs: Mapping[str, Run], view: View, same: Matching = match_by_texts) -> References:
    """Look for questions to check; raise MetricError where fewer than two runs can be compared."""
    first, *others = runs
    matched = [key for key in others if same(runs[first], runs[key])]
    shown = {key: runs[key] for key in (first, *matched)}
    found = suspects(shown, missing=view.missing, segment=view.segment, confidence_level=view.level)
    dataset = runs[first].dataset
    return References(
        dataset,
        names_of({key: run.model for key, run in shown.items()}, dataset),
        tuple(key for key in others if key not in matched),
        found,
    )


class MetricWithout(NamedTuple):
    """A metric of a run beside that without some questions."""

    # run, name: Its key, and how it is called.
    run: str
    name: str
    metric: MetricName
    k: int | None
    # Fractions; None where it is undefined, as where no question would be left.
    value: float | None
    without: float | None


def with_and_without(
    found: References, runs: Mapping[str, Run], view: View, reasons: Collection[Reason]
) -> list[MetricWithout]:
    """Set metrics of each run beside those without the questions that have one of some reasons."""
    out = {each.question for each in found.suspects.of(reasons)}
    shown = {key: runs[key] for key in found.names}
    k = shared_k(shown.values(), view)
    asked: dict[str, Any] = {"missing": view.missing, "segment": view.segment}
    one: Callable[..., Estimate] = estimate
    lines = []
    for key, run in shown.items():
        for metric in _METRICS if k > 1 else _METRICS[:1]:
            drawn = k if metric == "pass@k" else None
            value, _reason = attempt(one, run, metric, drawn, **asked)
            rest, _reason = attempt(without, run, out, metric, drawn, **asked)
            name = found.names[key]
            lines.append(
                MetricWithout(key, name, metric, drawn, value.value if value else None, rest)
            )
    return lines
