"""How doubtful verdicts affect the number of a run, and which of two is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from kofn.card import Card, Find, cards_by_dataset, finder, make_cards, side_of
from kofn.choices.runs import outcomes_of, shared_k
from kofn.choices.view import View
from kofn.trust.labels import correct
from metrics import Difference, Estimate, Labelled, compare, estimate
from metrics.data.names import MetricName
from metrics.data.outcomes import Outcomes
from metrics.intervals.binomial import clopper_pearson
from metrics.scoring.registry import find_metric, metric_name
from reports.readings.audit import Audit, audit
from reports.readings.kinds import UNSUPPORTED
from reports.run.matching import match
from reports.run.report import Run

USUAL: Final = "avg@n"
FEWEST = 30
"""Answers without a statement of which it is said that they are guesses."""
READINGS = ("judged", "read", "least", "most")


class AskedMetric(NamedTuple):
    """A metric, and its k where it takes one."""

    metric: MetricName
    k: int | None


class Guesses(NamedTuple):
    """Answers judged right though no reading finds one, about as many as guessing gives."""

    # Of so many answers without a statement so many are judged right.
    right: int
    answers: int
    options: int  # Among which a guess is made.
    share: float  # What they add to the mean of the run.


@dataclass(frozen=True, eq=False)
class Doubts:
    """A run by its verdicts, and by what its texts say."""

    audit: Audit
    asked: AskedMetric
    judged: Estimate  # By the verdicts of the tool.
    read: Estimate  # With missed answers as right, and generous ones as wrong.
    # least, most: Between which it lies whatever divided and unsupported answers are worth.
    least: Estimate
    most: Estimate
    guesses: Guesses | None
    labelled: Labelled | None  # By labels of a person, where the run has some; of avg@n only.

    @property
    def wrong(self) -> int:
        """How many verdicts are missed or generous."""
        return self.audit.counts["missed"] + self.audit.counts["generous"]

    @property
    def moved(self) -> float:
        """By how much the number changes as read."""
        return abs(self.read.value - self.judged.value)

    @property
    def reach(self) -> float:
        """By how much the number may change at most."""
        others = self.read, self.least, self.most
        return max(abs(each.value - self.judged.value) for each in others)


DoubtCard = Card[Doubts, AskedMetric]


def doubt(run: Run, view: View, asked: AskedMetric) -> Doubts:
    """Read the texts of a run, and compute its number by each reading."""
    outcomes = outcomes_of(run)
    found = audit(run)
    judged, read, least, most = (
        estimate(each, asked.metric, asked.k, **view.asked)
        for each in (outcomes, found.as_read, found.least, found.most)
    )
    labelled = correct(run, found, view)[0] if asked.metric == USUAL else None
    return Doubts(found, asked, judged, read, least, most, guesses_in(found), labelled)


def doubts(
    runs: Mapping[str, Run], view: View, find: Find[Doubts] | None = None
) -> tuple[DoubtCard, ...]:
    """Read the texts of every run that a View names, in their order.

    find: Knows what was found before; see `make_cards`.
    """
    return make_cards(find or finder(doubt), runs, view, what_is_asked(view))


def known_doubts(runs: Mapping[str, Run], view: View) -> tuple[DoubtCard, ...]:
    """Return what `doubts` does, of those runs whose texts were read already."""
    return doubts({key: run for key, run in runs.items() if run.audited.known}, view)


def what_is_asked(view: View) -> Callable[[str, Run], list[tuple[View, AskedMetric]]]:
    """Return what is asked of a run: a metric, and the fewest samples of its questions as k."""
    metric = find_metric(view.metric or USUAL)

    def asked(_: str, run: Run) -> list[tuple[View, AskedMetric]]:
        k = max(view.k, default=0) or shared_k([run], view)
        return [(view, AskedMetric(metric_name(metric.name), k if metric.takes_k else None))]

    return asked


def guesses_in(found: Audit) -> Guesses | None:
    """Return the guesses among answers without a statement, None where they are not shown."""
    options = found.options
    unsupported = found.codes == UNSUPPORTED
    answers = int(np.count_nonzero(unsupported))
    right = int(np.count_nonzero(found.outcomes.correct[unsupported] == 1))
    if options is None or not right or answers < FEWEST:
        return None
    low, high = clopper_pearson(right, answers, 0.95)
    if not low <= 1 / options <= high:
        return None
    return Guesses(right, answers, options, right / found.read)


class Claim(NamedTuple):
    """Which of two runs is better by each reading."""

    dataset: str
    models: tuple[str, str]
    keys: tuple[str, str]
    # The second less the first.
    judged: Difference
    read: Difference
    # Of a difference that is sure as judged: it ``holds`` under every reading, or ``rests`` on
    # which answer is taken. Either way it ``turns`` if the other run is ahead as read. A difference
    # that is not sure as judged stays ``open``.
    verdict: str


def claims(cards: Sequence[DoubtCard]) -> Iterator[Claim]:
    """Compare every two models of a dataset that answered mostly the same questions."""
    for group in cards_by_dataset(cards).values():
        known = [card for card in group if card.found is not None]
        for one, other in combinations(known, 2):
            if one.run.model != other.run.model and _same_questions(one, other):
                yield _claim(one, other)


def _same_questions(one: DoubtCard, other: DoubtCard) -> bool:
    found = match(one.run, other.run, read=False)
    return bool(found) and found.shared >= found.dropped


def _claim(one: DoubtCard, other: DoubtCard) -> Claim:
    assert one.found is not None
    assert other.found is not None
    first, second = one.found.audit, other.found.audit
    asked = one.found.asked

    def between(a: Outcomes, b: Outcomes) -> Difference:
        return compare(a, b, asked.metric, asked.k, **one.view.asked)

    judged, read = between(first.outcomes, second.outcomes), between(first.as_read, second.as_read)
    extremes = between(first.least, second.most), between(first.most, second.least)
    sure = side_of(judged)
    verdict = "open"
    if judged.value * read.value < 0:
        verdict = "turns"
    elif sure:
        verdict = "holds" if {side_of(each) for each in (read, *extremes)} == {sure} else "rests"
    models = one.run.model, other.run.model
    return Claim(one.run.dataset, models, (one.key, other.key), judged, read, verdict)
