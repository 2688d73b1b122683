"""The runs of one dataset, and who leads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from kofn.card import attempt
from kofn.choices.runs import has_scores
from kofn.choices.view import View
from kofn.leaderboard.pairs import Matching, find_order, ks_to, lead_over_k, match_by_texts
from kofn.writing.layout import short_name
from metrics import Crossed, Standing
from metrics.data.names import MetricName
from metrics.data.words import Text, printable
from reports.run.differing import unlike_settings
from reports.run.matching import Match
from reports.run.report import Run

ONE_TRY: Final = "avg@n"
MANY: Final = "pass@k"
SOFT: Final = "soft"


@dataclass(frozen=True, eq=False)
class Field:
    """The runs of one dataset, and who leads on one try and on many."""

    dataset: str
    models: Mapping[str, str]  # By the keys of the runs.
    k: int  # Tries that are looked at beside one.
    # By `usual_metric`, and by pass@k where k is more than 1.
    one_try: Standing | None
    many: Standing | None
    # From which k on the one that surely leads on many tries is ahead of the one that does on one;
    # None unless they are two.
    crossed: Crossed | None
    # Which questions of the first on one try each other run has, by the keys of these.
    matches: Mapping[str, Match]
    # In which settings that matter each other run differs from it, by the keys of these.
    settings: Mapping[str, tuple[str, ...]]
    reason: Text | None  # Why none of its runs has a number; None where one has.
    # The score above which a try counts as right, where that is assumed.
    assumed: float | None = None

    @cached_property
    def names(self) -> dict[str, str]:
        """How its runs are called, by their keys: as their models where that tells them apart."""
        return names_of(self.models, self.dataset)


def usual_metric(runs: Iterable[Run]) -> MetricName:
    """Return the metric that decides unless another is chosen: one try, right or wrong.

    Where all runs have soft scores and it is assumed which of them are right, it is the soft score.
    """
    judged = [run for run in runs if run.known is not None]
    soft = bool(judged) and all(map(has_scores, judged))
    return SOFT if soft and assumed_in(judged) is not None else ONE_TRY


def assumed_in(runs: Iterable[Run]) -> float | None:
    """Return the first threshold of some runs that is assumed."""
    return next((run.threshold for run in runs if run.assumed), None)


FindField = Callable[[str, Mapping[str, Run], int, View], Field]


def find_field(
    dataset: str,
    runs: Mapping[str, Run],
    k: int,
    view: View,
    matching: Matching = match_by_texts,
) -> Field:
    """Find out who leads a dataset. What it returns holds no run, so that it can be kept.

    view: Level, target, segment and treatment of failed requests count.
    """
    matched = cache(matching)
    one_try, reason = attempt(find_order, runs, usual_metric(runs.values()), None, view, matched)
    many = attempt(find_order, runs, MANY, k, view, matched)[0] if k > 1 else None
    others = {key: (runs[key], runs[one_try.first]) for key in one_try.ahead} if one_try else {}
    return Field(
        dataset,
        {key: run.model for key, run in runs.items()},
        k,
        one_try,
        many,
        _crossed(runs, one_try, many, view, matched),
        {key: matched(*pair) for key, pair in others.items()},
        {key: tuple(each.name for each in unlike_settings(*pair)) for key, pair in others.items()},
        reason,
        assumed_in(runs.values()),
    )


def names_of(models: Mapping[str, str], dataset: str) -> dict[str, str]:
    """Name the runs of a dataset as their models, or by more where a model has several."""
    every = list(models.values())
    return {
        key: short_name(
            printable(model) if every.count(model) == 1 else run_name(key, model, dataset)
        )
        for key, model in models.items()
    }


def run_name(key: str, model: str, dataset: str) -> str:
    """Name a run among those of its dataset: its model, and what tells it from others of it."""
    for named_so in (dataset, model):  # a table that names neither is called as its file in both
        if key.startswith(usual := printable(f"{model} / {named_so}")):
            return printable(model) + key.removeprefix(usual)
    return key


def _crossed(
    runs: Mapping[str, Run],
    one_try: Standing | None,
    many: Standing | None,
    view: View,
    matching: Matching,
) -> Crossed | None:
    if one_try is None or many is None or many.k is None:
        return None
    before, after = one_try.leader, many.leader
    if before is None or after is None or before == after:
        return None
    ks = ks_to(MANY, many.k)
    return lead_over_k(runs[before], runs[after], MANY, ks, view, matching).crossed
