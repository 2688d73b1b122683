"""Columns of the rank of each run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from kofn.compare.columns import METRIC, estimate_of, label_of
from kofn.run_columns import ABOUT, LEVEL, TARGET, remark_columns
from kofn.writing.columns import Column, Columns, Table, in_files
from kofn.writing.kinds import CHANCE, COUNT, ESTIMATE, POINTS, RANKS
from metrics.data.words import Text

if TYPE_CHECKING:
    from kofn.compare.analysis import CompareCard


def caveats(card: CompareCard) -> Iterable[Text]:
    """Return what must be known of the metric."""
    estimate = estimate_of(card)
    return estimate.caveats if estimate else ()


def _placed(name: str) -> Callable[[CompareCard], Any]:
    """Return what finds something of a run that the ranking holds of each."""

    def find(card: CompareCard) -> Any:
        ranking = card.found.contest.ranking if card.found else None
        if ranking is None or card.key not in ranking.names or getattr(ranking, name) is None:
            return None
        return getattr(ranking, name)[ranking.names.index(card.key)]

    return find


RANK: Column[CompareCard] = Column(
    "rank",
    Text("rank"),
    RANKS,
    _placed("ranks"),
    help=Text("the best and the worst rank that a run may have"),
)
COLUMNS: Columns[CompareCard] = (
    *ABOUT,
    *METRIC,
    Column(("value", "low", "high"), label_of, ESTIMATE, estimate_of),
    RANK,
    Column("chance_of_best", Text("chance of best"), CHANCE.optional, _placed("chances")),
    Column(
        "expected_loss",
        Text("expected loss"),
        POINTS.optional,
        _placed("losses"),
        help=Text("what taking the run loses on average against the best"),
    ),
    in_files("questions", COUNT, lambda card: (e := estimate_of(card)) and e.n_questions),
    LEVEL,
    TARGET,
    *remark_columns(caveats),
)
RANKED: Table[CompareCard, CompareCard] = Table("ranks", COLUMNS, lambda cards: cards)
