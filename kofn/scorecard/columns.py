"""Columns of each score of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kofn.card import is_verified
from kofn.run_columns import ABOUT, LEVEL, RUN, estimate_target, remark_columns
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.scorecard.table import MetricColumn, RunLine, ScoreTable, named_scores, short_names
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.joining import with_name
from kofn.writing.kinds import COUNT, ESTIMATE, FLAG, NUMBER, REMARKS, WORD
from metrics.analyses.scorecard import Score
from metrics.data.words import Text, printable
from metrics.scoring.registry import METRICS


class ScoreLine(NamedTuple):
    """A score of a run, as it is called; none where the card says why."""

    card: ScoreCard
    score: Score | None = None
    called: Text | None = None

    @property
    def reason(self) -> Text | None:
        """Why there is no value."""
        return self.card.reason if self.score is None else self.score.reason

    @property
    def caveats(self) -> Sequence[Text]:
        """What must be known of it."""
        found = self.score.estimate if self.score else None
        return found.caveats if found else ()


def _lines(cards: Sequence[ScoreCard]) -> list[ScoreLine]:
    return [ScoreLine(card, score) for card in cards for score in scores_of(card) or (None,)]


def lines_of(card: ScoreCard) -> list[ScoreLine]:
    """Return the lines that are read of a run: the vote of all samples stands once."""
    return [ScoreLine(card, score, called) for called, score in named_scores(card)] or [
        ScoreLine(card)
    ]


def caveats_of(card: ScoreCard) -> list[Text]:
    """Return the caveats of a run's scores, each once."""
    return list(dict.fromkeys(text for line in lines_of(card) for text in line.caveats))


def _numbered(line: ScoreLine) -> Text | None:
    """Return the reason, or the numbers that caveats have below a block."""
    numbers = [1 + caveats_of(line.card).index(text) for text in line.caveats]
    sentence = Text("{numbers}", numbers=" ".join(f"[{number}]" for number in numbers))
    return line.reason or (sentence if numbers else None)


def _tau(line: ScoreLine) -> float | None:
    return line.score.options.get("tau") if line.score else None


COLUMNS: Columns[ScoreLine] = (
    *ABOUT,
    in_files("metric", WORD, member("score.metric.name")),
    for_people(Text("metric"), WORD, member("called")),
    in_files("k", COUNT, member("score.k")),
    in_files("tau", NUMBER, _tau, Text("of G-Pass@k and Cover@tau")),
    Column(("value", "low", "high"), Text("value"), ESTIMATE, member("score.estimate")),
    LEVEL,
    estimate_target(member("score.estimate")),
    Column(
        "questions",
        Text("questions"),
        COUNT.optional,
        member("score.estimate.n_questions"),
        ("paper",),
    ),
    in_files("method", WORD, member("score.estimate.method")),
    *remark_columns(member("caveats"), "caveats", member("reason")),
    for_people(Text("remarks"), WORD, _numbered, ("terminal",)),
)
SCORES: Table[ScoreCard, ScoreLine] = Table(
    "scores", COLUMNS, _lines, lambda cards: [line for card in cards for line in lines_of(card)]
)


def score_columns(table: ScoreTable, samples: Mapping[str, str]) -> Columns[RunLine]:
    """Return the columns of a table of scores, whose line is a run.

    table: Which column it is sorted by is marked.
    samples: How many a question has, by the key of the run.
    """
    cards = [line.card for line in table.lines]
    called = dict(zip((card.key for card in cards), short_names(cards), strict=True))
    several = len({card.run.dataset for card in cards}) > 1
    dataset: Columns[RunLine] = (
        Column("dataset", Text("Dataset"), WORD, lambda line: printable(line.card.run.dataset)),
    )
    return (
        *(dataset if several else ()),
        Column("run", RUN.label, WORD, lambda line: called[line.card.key]),
        Column(
            "n",
            Text("n"),
            WORD,
            lambda line: samples[line.card.key],
            help=Text("Samples of each question."),
        ),
        *(_of_metric(column, column.key == table.sort) for column in table.columns),
        Column("verified", Text("Verified"), FLAG, _verified),
    )


def _of_metric(column: MetricColumn, sorts: bool) -> Column[RunLine]:
    heading = Text("{label}", label=f"{column.heading}{' ↓' * sorts}")
    meaning = METRICS[column.metric].sentence
    return Column(
        column.key, heading, ESTIMATE, lambda line: line.estimate(column.key), help=meaning
    )


def _verified(line: RunLine) -> bool | None:
    return None if line.card.run.verified is None else is_verified(line.card.run)


def side_by_side(cards: Sequence[ScoreCard]) -> Columns[ScoreCard]:
    """Return a column for each metric of some runs, whose line is a run."""
    names = dict.fromkeys(line.called for card in cards for line in lines_of(card) if line.called)
    return (RUN, *map(_scores, names), for_people(Text("remarks"), REMARKS, _remarks, ("paper",)))


def _scores(called: Text) -> Column[ScoreCard]:
    def found(card: ScoreCard) -> Score | None:
        return next((line.score for line in lines_of(card) if line.called == called), None)

    return for_people(called, ESTIMATE, lambda card: member("estimate")(found(card)))


def _remarks(card: ScoreCard) -> list[Text]:
    return list(dict.fromkeys(text for line in lines_of(card) for text in _remarks_of(line)))


def _remarks_of(line: ScoreLine) -> list[Text]:
    if line.reason is None:
        return [*line.caveats]
    if line.called is None:
        return [line.reason]
    return [*line.caveats, with_name(line.called, line.reason)]
