"""The scorecards of several runs under one View, for the page, the command and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from kofn.card import (
    Card,
    Find,
    finder,
    make_cards,
)
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import known_of, shared_k, shown_runs
from kofn.choices.view import View
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.rewards_and_priors import Given
from metrics.analyses.scorecard import Score, Scores, score_all
from metrics.data.evidence import Evidence, Known
from metrics.data.shown import brief_repr
from metrics.data.words import Text
from metrics.scoring.registry import METRICS
from reports.run.html_tables import html_table
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Scorecard:
    """The scores of a run or a suite."""

    scores: tuple[Score, ...]  # One for each metric and k, in the order of the registry.
    pooled: Text | None = None  # Of a suite, over how many datasets they are means.

    __repr__ = brief_repr

    def _repr_html_(self) -> str:
        rows = [score.summary for score in self.scores]
        return html_table("" if self.pooled is None else str(self.pooled), rows)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each metric and k, with its interval or the reason why not."""
        return Scores(self.scores).to_frame()


ScoreCard = Card[Scorecard, ScoreChoices]
EVERY_METRIC = ScoreChoices()
NOTHING = Given()


def score_run(
    run: Run, view: View, chosen: ScoreChoices = EVERY_METRIC, given: Given = NOTHING
) -> Scorecard:
    """Estimate every metric of a run, or those chosen."""
    known = known_of(run)
    scores = score_all(
        known,
        asked=[
            (name, _with_prior_of_each(name, options, known, view, given))
            for name, options in chosen.asked()
        ],
        ks=view.k,
        **view.asked,
        answers=run.answers,
        prior=chosen.beta,
    )
    return Scorecard(scores)


def _with_prior_of_each(
    name: str, options: Mapping[str, Any], known: Known, view: View, given: Given
) -> Mapping[str, Any]:
    """Give every gradable question the prior outcomes that are meant for each, or its own."""
    if (not given.prior and "R0" not in options) or "R0" not in METRICS[name].options:
        return options
    questions = Evidence(known, view.missing, view.segment).ids
    if not given.prior:
        return {**options, "R0": [options["R0"]] * len(questions)}
    return {**options, "R0": given.prior_of(questions)}


def score_runs(
    runs: Mapping[str, Run],
    view: View,
    chosen: ScoreChoices = EVERY_METRIC,
    given: Given = NOTHING,
    find: Find[Scorecard] | None = None,
) -> tuple[ScoreCard, ...]:
    """Make the scorecard of every run that a View names, in the order of `runs`.

    Where the View has no k, it is the most that the runs of a dataset share.

    chosen: By default every metric.
    given: Rewards and prior outcomes from files.
    find: In place of `score_run`, such as one with a cache.
    """
    chosen = replace(chosen, rewards=given.rewards or chosen.rewards)
    views = {
        dataset: view if view.k else replace(view, k=(shared_k(group.values(), view),))
        for dataset, group in runs_by_dataset(shown_runs(runs, view.runs)).items()
    }
    return make_cards(
        find or finder(partial(score_run, given=given) if given.prior else score_run),
        runs,
        view,
        lambda key, run: [(views[run.dataset], chosen)],
    )


def scores_of(card: ScoreCard) -> tuple[Score, ...]:
    """Return the scores of a run; none where there is a reason."""
    return card.found.scores if card.found else ()
