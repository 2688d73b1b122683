"""Columns of runs and averages at a glance."""

from __future__ import annotations

from kofn.overview.analysis import GlanceCard, metric_of
from kofn.overview.wins import Win, wins_of
from kofn.overview.words import in_words
from kofn.run_columns import ABOUT, LEVEL, estimate_target, remark_columns
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.kinds import COUNT, DIFFERENCE, ESTIMATE, FLAG, WORD
from metrics.data.words import Text

_estimate = member("found.estimate")


def _k(card: GlanceCard) -> int | None:
    score = card.found.score if card.found else None
    return score.k if score and score.metric.takes_k else None


def doubts(card: GlanceCard) -> list[Text]:
    """Return what makes the number doubtful."""
    return [doubt.text for doubt in card.found.doubts] if card.found else []


COLUMNS: Columns[GlanceCard] = (
    *ABOUT,
    in_files(
        "average",
        FLAG,
        lambda card: not member("found.dataset")(card),
        Text("whether it is one of several runs"),
    ),
    in_files("metric", WORD, lambda card: metric_of(card.view)),
    for_people(Text("metric"), WORD, member("found.score.label")),
    in_files("k", COUNT, _k),
    Column(("value", "low", "high"), Text("value"), ESTIMATE, _estimate),
    LEVEL,
    estimate_target(_estimate),
    in_files("questions", COUNT, member("found.estimate.n_questions")),
    *remark_columns(doubts, "doubts", shown_on=("terminal", "paper")),
)
GLANCES: Table[GlanceCard, GlanceCard] = Table("runs", COLUMNS, lambda cards: cards)


WINS: Table[GlanceCard, Win] = Table(
    "wins",
    (
        Column("criterion", Text("by"), WORD, member("name")),
        in_files("metric", WORD, member("standing.metric")),
        in_files("k", COUNT, member("k")),
        in_files(
            ("value", "low", "high"),
            ESTIMATE,
            lambda win: win.standing.estimates[win.standing.first],
        ),
        in_files("next", WORD, lambda win: next(iter(win.standing.paired))),
        in_files("ahead", DIFFERENCE, lambda win: next(iter(win.standing.paired.values()))),
        for_people(Text("who wins"), WORD, in_words),
    ),
    wins_of,
    nested=lambda win: {"leaders": list(win.standing.leaders)},
)
