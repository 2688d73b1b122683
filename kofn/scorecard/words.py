"""Sentences about scores: who leads, whether limits hold, and what a screen leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from kofn.choices.focus import by_dataset
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.leaderboard.field import Field, FindField, find_field
from kofn.leaderboard.suite import FindSuite, SuiteStanding, find_suite
from kofn.leaderboard.words import leading, left_out, on_many_tries
from kofn.scorecard.analysis import ScoreCard
from kofn.writing.estimates import NA, percent, told_apart
from kofn.writing.joining import joined, said_of
from metrics.analyses.scorecard import Score
from metrics.data.words import Text

NO_VALUE = Text("It has no value.")
NO_INTERVAL = Text("It has no interval.")
HOW_TO_SEE_MORE = Text(
    "More: --all for every metric of every run and every note, --run NAME for one run, "
    "--metrics METRIC,… for others."
)


def answer(cards: Sequence[ScoreCard]) -> Text:
    """Say who leads the runs of some cards, dataset by dataset."""
    return answer_of(fields_of(cards), suite_of(cards))


def answer_of(fields: Sequence[Field], suite: SuiteStanding | None = None) -> Text:
    """Say who leads some datasets, together where that is known."""
    return joined([*leading(fields, suite), *on_many_tries(fields), *left_out(suite)])


def suite_of(cards: Sequence[ScoreCard], find: FindSuite = find_suite) -> SuiteStanding | None:
    """Find out who leads over the datasets of some cards; averages of suites do not count."""
    own = {card.key: card.run for card in cards if not (card.found and card.found.pooled)}
    return find(own, _plain(cards[0].view)) if own else None


def fields_of(cards: Sequence[ScoreCard], find: FindField = find_field) -> list[Field]:
    """Find out who leads the datasets of some cards; averages of suites do not count.

    Parameters
    ----------
    find : callable
        In place of `kofn.leaderboard.field.find_field`, such as one with a cache.
    """
    own = {card.key: card for card in cards if not (card.found and card.found.pooled)}
    fields = []
    for dataset, runs in by_dataset({key: card.run for key, card in own.items()}).items():
        view = own[next(iter(runs))].view
        k = max(view.k, default=0) or shared_k(runs.values(), view.missing, view.segment)
        fields.append(find(dataset, runs, k, _plain(view)))
    return fields


def _plain(view: View) -> View:
    return View(segment=view.segment, missing=view.missing, level=view.level, target=view.target)


def no_such_score(metric: str) -> Text:
    """Say that no scorecard has a metric."""
    return Text("No scorecard has {metric}, which fail-under is of.", metric=metric)


def of_run(name: str, reason: Text | None) -> Text:
    """Say why there is nothing of a run."""
    return said_of(name, reason or NO_VALUE)


def held_against(name: str, score: Score, least: float) -> Text:
    """Say whether the lower limit of a score of a run is as high as asked."""
    found = score.estimate
    if found is None or found.interval is None:
        return Text(
            "{run}: {metric} is {value}. {why}",
            run=name,
            metric=score.label,
            value=NA,
            why=(found is None and score.reason) or NO_INTERVAL,
        )
    low, high = found.interval
    told = {
        "run": name,
        "metric": score.label,
        "value": percent(found.value, low, high),
        "line": told_apart(least, low)[0],
    }
    if low >= least:
        return Text("{run}: {metric} is {value}, surely {line} or more.", **told)
    if high < least:
        return Text("{run}: {metric} is {value}, surely below {line}.", **told)
    return Text("{run}: {metric} is {value}, which may be below {line}.", **told)
