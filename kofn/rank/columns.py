"""What is told of the place of each run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kofn.about import ABOUT, LEVEL, TARGET, told
from kofn.writing.columns import Column, Columns, Table
from kofn.writing.kinds import CHANCE, COUNT, ESTIMATE, POINTS, RANKS, WORD
from metrics.data.words import Text

if TYPE_CHECKING:
    from kofn.compare.analysis import CompareCard
    from kofn.compare.contest import Contest
    from metrics.data.results import Estimate


def contest_of(card: CompareCard) -> Contest | None:
    """Return the contest of a run's dataset."""
    return card.found.contest if card.found else None


def label_of(card: CompareCard) -> Text | None:
    """Name the metric of a run's dataset."""
    contest = contest_of(card)
    return Text("{metric}", metric=contest.label) if contest else None


def estimate_of(card: CompareCard) -> Estimate | None:
    """Return the metric of a run."""
    contest = contest_of(card)
    return contest.estimates.get(card.key) if contest else None


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


METRIC: Columns[CompareCard] = (
    Column("metric", None, WORD, lambda card: (c := contest_of(card)) and c.metric),
    Column("k", None, COUNT, lambda card: (c := contest_of(card)) and c.k),
)
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
