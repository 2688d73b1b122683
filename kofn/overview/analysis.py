"""Every run at a glance, its dataset, and the averages at the edge of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kofn.card import MEAN, Card, attempt
from kofn.choices.focus import runs_by_dataset
from kofn.choices.runs import has_tokens, known_of, shared_k, shown_runs
from kofn.choices.view import View
from kofn.finish_reasons.analysis import EndedCard, FinishReasons, count_finish_reasons
from kofn.inventory.stated import StatedNumber, stated_of, stated_of_suite
from kofn.leaderboard.field import ONE_TRY, SOFT, Field, FindField, find_field, usual_metric
from kofn.leaderboard.lines import lines_of, run_of, shared_datasets, whole_suites
from kofn.leaderboard.suite import FindSuite, SuiteStanding, find_suite
from kofn.overview.choices import Further
from kofn.overview.doubts import Doubt, doubts_of
from kofn.trust.doubts import known_doubts
from kofn.trust.words import doubts_in_words
from metrics import estimate
from metrics.analyses.scorecard import Score, pool_scores
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.results import Estimate
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.readings.audit import audit
from reports.run.report import Report, Run

NOTHING_FURTHER = Further()


@dataclass(frozen=True, eq=False)
class KnownOfRun:
    """What is known of a run before it is set against others."""

    questions: int  # With a gradable sample.
    doubts: tuple[Doubt, ...]
    stated: tuple[StatedNumber, ...]  # What its file states, against its samples.
    ended: FinishReasons | None  # How its samples ended; None of categories.
    tokens: bool  # Whether it is known what its answers take.


@dataclass(frozen=True, eq=False)
class Dataset:
    """The runs of one dataset."""

    field: Field
    facts: Mapping[str, KnownOfRun]  # Of those that have verdicts, by their keys.
    # Which numbers and orders rest on doubtful verdicts, of runs whose texts were read.
    verdicts: tuple[Text, ...] = ()

    @property
    def name(self) -> str:
        """As its files name it."""
        return self.field.dataset


@dataclass(frozen=True, eq=False)
class Glance:
    """A run in the table, or an average of several."""

    score: Score | None  # The metric that is shown; None without verdicts.
    dataset: Dataset | None  # Its own; None of an average.
    stated: tuple[StatedNumber, ...] = ()  # What its file states, against its samples.
    doubts: tuple[Doubt, ...] = ()  # Why its number may not be what it seems.
    suite: SuiteStanding | None = None  # Who leads over all datasets together; None of an average.

    @property
    def estimate(self) -> Estimate | None:
        """What is shown of its metric, if there is anything."""
        return None if self.score is None else self.score.estimate


GlanceCard = Card[Glance, None]


def summarize_runs(
    runs: Mapping[str, Run],
    view: View,
    further: Further = NOTHING_FURTHER,
    find: FindField = find_field,
    find_together: FindSuite = find_suite,
) -> tuple[GlanceCard, ...]:
    """Look at every run that a View names, dataset by dataset.

    view: Its metric is the one of the table, avg@n where it names none; the largest k of it counts,
        or else the most that all runs of the dataset with several samples have.
    further: What else is looked at.
    find, find_together: In place of `kofn.leaderboard.field.find_field` and
        `kofn.leaderboard.suite.find_suite`, as ones with a cache.
    """
    shown, plain = shown_runs(runs, view.runs), view.plain
    view = with_usual_metric(shown, view)
    if further.verdicts:
        for run in shown.values():
            attempt(audit, run)
    datasets: dict[str, Dataset] = {}
    for name, group in runs_by_dataset(shown).items():
        known = {
            key: attempt(summarize_run, run, plain, len(shown))[0] for key, run in group.items()
        }
        facts = {key: fact for key, fact in known.items() if fact is not None}
        k = shared_k(group.values(), view)
        verdicts = tuple(doubts_in_words(known_doubts(group, plain)))
        datasets[name] = Dataset(find(name, group, k, plain), facts, verdicts)
    suite = find_together(shown, plain) if len(datasets) > 1 else None

    def glance(key: str, run: Run) -> GlanceCard:
        dataset = datasets[run.dataset]
        score, reason = attempt(score_run, run, view, shown_k(view, dataset))
        fact = dataset.facts.get(key)
        known = (fact.stated, fact.doubts) if fact else ((), ())
        return Card(key, run, view, None, Glance(score, dataset, *known, suite), reason)

    return tuple(glance(key, run) for key, run in shown.items())


def sort_key(card: GlanceCard | None) -> float:
    """Return what to sort cells by: the highest number first, and last where there is none."""
    estimate = card.found.estimate if card and card.found else None
    return 1.0 if estimate is None else -estimate.value


def with_usual_metric(runs: Mapping[str, Run], view: View) -> View:
    """Return a View with the soft score as its metric, where that decides and none is chosen."""
    decides = view.metric is None and usual_metric(runs.values()) == SOFT
    return replace(view, metric=SOFT) if decides else view


def datasets_of(cards: Sequence[GlanceCard]) -> tuple[Dataset, ...]:
    """Return the datasets of some runs, in their order."""
    found = (card.found.dataset for card in cards if card.found)
    return tuple({dataset.name: dataset for dataset in found if dataset is not None}.values())


def suite_of(cards: Sequence[GlanceCard]) -> SuiteStanding | None:
    """Return who leads over all datasets of some runs; None where that is not known."""
    return next((card.found.suite for card in cards if card.found), None)


def ended_runs(cards: Sequence[GlanceCard]) -> Iterator[EndedCard]:
    """Yield how the samples of each run ended, of those with verdicts."""
    for card in cards:
        dataset = card.found.dataset if card.found else None
        facts = dataset.facts.get(card.key) if dataset else None
        if facts and facts.ended:
            yield Card(card.key, card.run, card.view, None, facts.ended)


def metric_of(view: View) -> MetricName:
    """Return the metric of the table."""
    return view.metric or ONE_TRY


def shown_k(view: View, dataset: Dataset) -> int:
    """Return the tries of the metric of the table, if it takes any."""
    return max(view.k, default=dataset.field.k)


def summarize_run(run: Run, view: View, runs: int = 1) -> KnownOfRun:
    """Return the facts of a run, one of so many."""
    evidence = Evidence(known_of(run), view.missing, view.segment)
    questions = int(evidence.sizes[1].sum())
    stated = stated_of(run)
    ended, _reason = attempt(count_finish_reasons, run, view)
    doubts = tuple(doubts_of(run, view, stated, ended, runs))
    return KnownOfRun(questions, doubts, stated, ended, has_tokens(run))


def score_run(run: Run, view: View, k: int) -> Score:
    """Estimate the metric of the table; why it cannot be is its reason."""
    named = metric_of(view)
    metric = find_metric(named)
    known = known_of(run)
    estimated = estimate(
        known,
        named,
        k if metric.takes_k else None,
        answers=run.answers,
        **view.asked,
    )
    fewest = Evidence(known, view.missing, view.segment).n_min
    drawn = k if metric.takes_k else fewest
    return Score(metric, drawn, metric.label(drawn), estimated, None)


def averages(reports: Sequence[Report], cards: Sequence[GlanceCard]) -> Iterator[GlanceCard]:
    """Yield the averages of suites all of whose runs are shown, and of models over datasets.

    The latter are over the datasets that all models have, so that they can be compared.

    reports: With the suites that they sum up themselves, and their weights.
    cards: Of runs, under one View.
    """
    for key, suite, members in whole_suites(reports, cards):
        of_suite = Glance(None, None, stated_of_suite(suite))
        yield _average(key, run_of(suite), members, suite.weights, of_suite)
    runs = {card.key: card.run for card in cards}
    shared, by_key = shared_datasets(runs), {card.key: card for card in cards}
    count = len(shared)
    for name, keys in lines_of(runs).items() if count > 1 else ():
        group = [by_key[keys[dataset]] for dataset in shared if dataset in keys]
        run = Run(runs[next(iter(keys.values()))].model, MEAN, None)
        key = f"{name} / {MEAN}"
        if len(group) == count:
            yield _average(key, run, group, [1.0] * count, Glance(None, None))
        elif group:
            partial = Text("on {count} of {all} datasets", count=len(group), all=count)
            yield Card(key, run, cards[0].view, None, Glance(None, None), partial)


def _average(
    key: str, run: Run, cards: Sequence[GlanceCard], weights: Sequence[float], glance: Glance
) -> GlanceCard:
    scores = [card.found.score for card in cards if card.found and card.found.score]
    pooled: Score | None = None
    reason: Text | None = next((card.reason for card in cards if card.reason), None)
    if len(scores) == len(cards):
        pooled = pool_scores(scores, weights)
        reason = pooled.reason
    doubts: tuple[Doubt, ...] = tuple(d for card in cards if card.found for d in card.found.doubts)
    found = Glance(pooled if pooled and pooled.estimate else None, None, glance.stated, doubts)
    return Card(key, run, cards[0].view, None, found, reason)
