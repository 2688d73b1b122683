"""What is told of the place of each run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kofn.about import ABOUT, LEVEL, TARGET, told
from kofn.compare.columns import METRIC, contest_of, estimate_of, label_of
from kofn.writing.columns import Column, Columns, Table
from kofn.writing.kinds import CHANCE, COUNT, ESTIMATE, POINTS, RANKS
from metrics.data.words import Text

if TYPE_CHECKING:
    from kofn.compare.analysis import CompareCard


def caveats(card: CompareCard) -> Iterable[Text]:
    """Return what must be known of the metric."""
    estimate = estimate_of(card)
    return estimate.caveats if estimate else ()


def _ranks(card: CompareCard) -> tuple[int, int] | None:
    contest = contest_of(card)
    if contest is None or contest.ranking is None or card.key not in contest.estimates:
        return None
    first, last = contest.ranking.ranks[contest.ranking.names.index(card.key)]
    return first, last


def _chance(card: CompareCard) -> float | None:
    return _of_ranking(card, "chances")


def _loss(card: CompareCard) -> float | None:
    return _of_ranking(card, "losses")


def _of_ranking(card: CompareCard, name: str) -> float | None:
    contest = contest_of(card)
    if contest is None or contest.ranking is None or card.key not in contest.estimates:
        return None
    numbers = getattr(contest.ranking, name)
    return None if numbers is None else numbers[contest.ranking.names.index(card.key)]


RANK: Column[CompareCard] = Column(
    "rank", Text("rank"), RANKS, _ranks, help="the best and the worst rank that a run may have"
)
COLUMNS: Columns[CompareCard] = (
    *ABOUT,
    *METRIC,
    Column(("value", "low", "high"), label_of, ESTIMATE, estimate_of),
    RANK,
    Column("chance_of_best", Text("chance of best"), CHANCE.optional, _chance),
    Column(
        "expected_loss",
        Text("expected loss"),
        POINTS.optional,
        _loss,
        help="what taking the run loses on average against the best",
    ),
    Column("questions", None, COUNT, lambda card: (e := estimate_of(card)) and e.n_questions),
    LEVEL,
    TARGET,
    *told(caveats),
)
RANKED: Table[CompareCard, CompareCard] = Table("ranks", COLUMNS, lambda cards: cards)
