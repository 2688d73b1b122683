"""Scorecards as one table: a row for each run, a column for each metric and k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kofn.choices.view import View
from kofn.scorecard.analysis import ScoreCard, scores_of
from metrics.analyses.scorecard import Score
from metrics.data.results import Estimate
from metrics.data.words import Text, printable

MAJ, CONS = "maj@k", "cons@n"
"""Two votes that are one where k are all samples."""


@dataclass(frozen=True)
class MetricColumn:
    """A metric, at one k or at the k of each dataset."""

    key: str  # As `ScoreChoices.sort` has it: "pass@4", or "pass@k" where no k is chosen.
    heading: Text  # With the number where all runs have the same.
    metric: str  # Its name in the registry.


@dataclass(frozen=True, eq=False)
class RunLine:
    """A run, and its scores by the key of their column."""

    card: ScoreCard
    scores: Mapping[str, Score]

    def estimate(self, column: str) -> Estimate | None:
        """Return a score; None where there is none."""
        score = self.scores.get(column)
        return None if score is None else score.estimate


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """What a page shows."""

    columns: tuple[MetricColumn, ...]
    lines: tuple[RunLine, ...]  # Sorted within each dataset; over all where no dataset has two.
    sort: str  # The key of the column they are sorted by; empty where there is none.

    @property
    def sorted_by(self) -> MetricColumn | None:
        """The column that runs are sorted by."""
        return next((column for column in self.columns if column.key == self.sort), None)


def lay_out(cards: Sequence[ScoreCard], view: View, sort: str = "") -> ScoreTable:
    """Lay scorecards under one View and one choice of metrics out as a table.

    view: With the k that were chosen, if any.
    sort: The key of a column; the first where no column is called so.
    """
    lines = [
        RunLine(card, {_key(score, view): score for score in scores_of(card)}) for card in cards
    ]
    keys = dict.fromkeys(key for line in lines for key in line.scores)
    columns = tuple(_columns(lines, list(keys), view))
    known = [column.key for column in columns]
    by = sort if sort in known else next(iter(known), "")
    return ScoreTable(columns, tuple(_sorted(lines, by)), by)


def named_scores(card: ScoreCard) -> list[tuple[Text, Score]]:
    """Name the scores of a run; the vote of all samples stands once, under both its names."""
    lines = [RunLine(card, {score.label: score for score in scores_of(card)})]
    columns = _columns(lines, list(lines[0].scores), card.view)
    return [(column.heading, lines[0].scores[column.key]) for column in columns]


def _is_one(score: Score, cons: Score) -> bool:
    """Return whether a vote is one of all samples: then its estimate is that of cons@n."""
    return score.metric.name == MAJ and score.k == cons.k and score.estimate == cons.estimate


def _key(score: Score, view: View) -> str:
    return score.label if view.k and score.metric.takes_k else score.name


def _columns(lines: Sequence[RunLine], keys: Sequence[str], view: View) -> Iterator[MetricColumn]:
    named = {key: score.metric.name for line in lines for key, score in line.scores.items()}
    cons = next((key for key in keys if named[key] == CONS), "")
    both = [line.scores for line in lines if cons in line.scores]
    same = [
        key
        for key in keys
        if both and all(key in scores and _is_one(scores[key], scores[cons]) for scores in both)
    ]
    for key in keys:
        scores = [line.scores[key] for line in lines if key in line.scores]
        heading = Text("{label}", label=_common(scores))
        if key in same:
            every = _common([each[cons] for each in both])
            heading = Text("{first}, {second}", first=_common(scores), second=every)
        elif key == cons and same:
            continue
        elif any(score.estimate and score.estimate.target != view.target for score in scores):
            heading = Text("{label}, of these questions", label=_common(scores))
        yield MetricColumn(key, heading, named[key])


def _common(scores: Sequence[Score]) -> str:
    labels = {score.label for score in scores}
    return labels.pop() if len(labels) == 1 else scores[0].name


def _sorted(lines: Sequence[RunLine], by: str) -> list[RunLine]:
    datasets: dict[str, list[RunLine]] = {}
    for line in lines:
        datasets.setdefault(line.card.run.dataset, []).append(line)
    groups = list(datasets.values())
    if all(len(group) == 1 for group in groups):
        groups = [list(lines)]
    return [line for group in groups for line in sorted(group, key=lambda line: _rank(line, by))]


def _rank(line: RunLine, by: str) -> float:
    found = line.estimate(by)
    return float("inf") if found is None else -found.value


def short_names(cards: Sequence[ScoreCard]) -> list[str]:
    """Name runs by their model, or by their key where a model has several on a dataset."""
    pairs = Counter((card.run.model, card.run.dataset) for card in cards)
    return [
        printable(card.run.model) if pairs[card.run.model, card.run.dataset] == 1 else card.key
        for card in cards
    ]
