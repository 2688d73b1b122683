"""Every run at a glance, and the dataset it is of, for the page, the command and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kofn.card import Card, attempt
from kofn.choices.focus import by_dataset
from kofn.choices.runs import outcomes_of, shared_k, shown_runs
from kofn.choices.view import View
from kofn.inventory.stated import Stated
from kofn.overview.doubts import Doubt, doubts_of
from kofn.overview.standings import MANY, ONE_TRY, Standing, stand
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics import estimate
from metrics.analyses.scorecard import Score
from metrics.data.evidence import Evidence
from metrics.data.words import Text
from metrics.scoring.registry import find_metric
from reports.run.reconcile import reconcile
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of a run before it is set against others.

    Attributes
    ----------
    questions : int
        With a gradable sample.
    doubts : tuple of Doubt
    stated : tuple of Stated
        What its file states, against its samples.
    """

    questions: int
    doubts: tuple[Doubt, ...]
    stated: tuple[Stated, ...]


@dataclass(frozen=True, eq=False)
class Field:
    """The runs of one dataset.

    Attributes
    ----------
    dataset : str
    names : mapping of str to str
        How its runs are called here, by their keys: as their models where that tells them apart.
    facts : mapping of str to Facts
        Of those that have verdicts.
    k : int
        Tries that all of them have, but those of a single sample of a question.
    one_try, many : Standing or None
        By avg@n, and by pass@k where k is more than 1.
    reason : Text or None
        Why none of its runs has a number; None where one has.
    """

    dataset: str
    names: Mapping[str, str]
    facts: Mapping[str, Facts]
    k: int
    one_try: Standing | None
    many: Standing | None
    reason: Text | None = None


@dataclass(frozen=True, eq=False)
class Glance:
    """A run in the table, or an average of several.

    Attributes
    ----------
    score : Score or None
        The metric that is shown; None without verdicts.
    field : Field or None
        Its dataset; None of an average.
    stated : tuple of Stated
        What its file states, against its samples.
    doubts : tuple of Doubt
        Why its number may not be what it seems.
    """

    score: Score | None
    field: Field | None
    stated: tuple[Stated, ...] = ()
    doubts: tuple[Doubt, ...] = ()


GlanceCard = Card[Glance, None]
Stand = Callable[[Mapping[str, Run], str, int | None, View], Standing | None]


def look_over(runs: Mapping[str, Run], view: View, stand: Stand = stand) -> tuple[GlanceCard, ...]:
    """Look at every run that a View names, dataset by dataset.

    Parameters
    ----------
    runs : mapping of str to Run
    view : View
        Its metric is the one of the table, avg@n where it names none; the largest k of it counts,
        or else the most that all runs of the dataset with several samples have.
    stand : callable
        In place of `kofn.overview.standings.stand`, such as one with a cache.
    """
    shown, plain = shown_runs(runs, view.runs), replace(view, runs=(), metric=None, k=())
    fields: dict[str, Field] = {}
    for dataset, group in by_dataset(shown).items():
        found = {key: attempt(look_at, run, plain) for key, run in group.items()}
        facts = {key: fact for key, (fact, _reason) in found.items() if fact is not None}
        reason = None if facts else next(reason for _fact, reason in found.values())
        k = shared_k(group.values(), view.missing, view.segment)
        one_try = stand(group, ONE_TRY, None, plain)
        many = stand(group, MANY, k, plain) if k > 1 else None
        fields[dataset] = Field(dataset, _names(group), facts, k, one_try, many, reason)

    def glance(key: str, run: Run) -> GlanceCard:
        field = fields[run.dataset]
        score, reason = attempt(score_run, run, view, shown_k(view, field))
        fact = field.facts.get(key)
        known = (fact.stated, fact.doubts) if fact else ((), ())
        return Card(key, run, view, None, Glance(score, field, *known), reason)

    return tuple(glance(key, run) for key, run in shown.items())


def fields_of(cards: Sequence[GlanceCard]) -> tuple[Field, ...]:
    """Return the datasets of some runs, in their order."""
    found = (card.found.field for card in cards if card.found)
    return tuple({field.dataset: field for field in found if field is not None}.values())


def metric_of(view: View) -> str:
    """Return the metric of the table."""
    return view.metric or ONE_TRY


def shown_k(view: View, field: Field) -> int:
    """Return the tries of the metric of the table, if it takes any."""
    return max(view.k, default=field.k)


def called(key: str, run: Run) -> str:
    """Name a run among those of its dataset: its model, and what tells it from others of it."""
    model = printable(run.model)
    return model + key.removeprefix(printable(f"{run.model} / {run.dataset}"))


def _names(runs: Mapping[str, Run]) -> dict[str, str]:
    models = [run.model for run in runs.values()]
    return {
        key: named(printable(run.model) if models.count(run.model) == 1 else called(key, run))
        for key, run in runs.items()
    }


def look_at(run: Run, view: View) -> Facts:
    """Return the facts of a run."""
    evidence = Evidence(outcomes_of(run), view.missing, view.segment)
    questions = int(evidence.sizes[1].sum())
    stated = tuple(Stated(run.model, run.dataset, line) for line in reconcile(run))
    return Facts(questions, tuple(doubts_of(run, view, stated)), stated)


def score_run(run: Run, view: View, k: int) -> Score:
    """Estimate the metric of the table; why it cannot be is its reason."""
    metric = find_metric(metric_of(view))
    outcomes = outcomes_of(run)
    found = estimate(
        outcomes,
        metric.name,
        k if metric.takes_k else None,
        answers=run.answers,
        **view.asked,
    )
    fewest = Evidence(outcomes, view.missing, view.segment).n_min
    drawn = k if metric.takes_k else fewest
    return Score(metric, drawn, metric.label(drawn), found, None)


def label_of(cards: Sequence[GlanceCard]) -> Text:
    """Name the metric of the table."""
    labels = {card.found.score.label for card in cards if card.found and card.found.score}
    name = labels.pop() if len(labels) == 1 else metric_of(cards[0].view)
    return Text("{metric}", metric=name)
