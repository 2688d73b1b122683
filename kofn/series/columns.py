"""Columns of each run along a series."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kofn.run_columns import ABOUT, LEVEL, TARGET, remark_columns
from kofn.series.analysis import SeriesCard
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.kinds import COUNT, DIFFERENCE, ESTIMATE, FLAG, WORD
from metrics import Difference
from metrics.data.results import Estimate
from metrics.data.words import Text, printable

AGAINST = {
    "first": Text("difference from the first"),
    "previous": Text("difference from the one before"),
    "best": Text("difference from the best"),
}


def _of_this_run(card: SeriesCard, of_all: Callable[[Any], Sequence[Any]]) -> Any:
    """Return what is told of each run of a series, of this one."""
    if card.found is None:
        return None
    return of_all(card.found)[card.found.series.names.index(card.key)]


def _estimate(card: SeriesCard) -> Estimate | None:
    found: Estimate | None = _of_this_run(card, lambda found: found.series.estimates)
    return found


def _step(kind: str) -> Callable[[SeriesCard], Difference | None]:
    return lambda card: _of_this_run(card, lambda found: getattr(found.series, f"from_{kind}"))


def _step_of(card: SeriesCard) -> Difference | None:
    return card.found.steps[card.key] if card.found else None


def _is_better(card: SeriesCard) -> bool | None:
    step = _step("first")(card)
    return None if step is None else step.sure and step.value > 0


def _is_sure(card: SeriesCard) -> bool | None:
    step = _step_of(card)
    return None if step is None else step.sure


def _remarks(card: SeriesCard) -> list[Text]:
    estimate, step = _estimate(card), _step("first")(card)
    unpaired = [] if step is None or step.paired else [step.method]
    return [*(estimate.caveats if estimate else ()), *unpaired]


def _order_name(card: SeriesCard) -> str | None:
    return printable(card.found.order.along) if card.found else None


def _place(card: SeriesCard) -> str | None:
    label = _of_this_run(card, lambda found: found.order.labels)
    return label and printable(label)


COLUMNS: Columns[SeriesCard] = (
    *ABOUT,
    in_files("along", WORD, _order_name, Text("what the order is by")),
    Column(
        "place",
        lambda card: Text("{along}", along=along) if (along := _order_name(card)) else None,
        WORD,
        _place,
        help=Text("where the run stands in it"),
    ),
    in_files("metric", WORD, member("found.series.metric")),
    in_files("k", COUNT, member("found.series.k")),
    Column(
        ("value", "low", "high"),
        lambda card: card.found and Text("{metric}", metric=card.found.label),
        ESTIMATE,
        _estimate,
    ),
    in_files(
        "from_first",
        DIFFERENCE,
        _step("first"),
        Text(
            "how much better it is than the first, with limits that hold for all runs of the "
            "series at once; the next ones likewise"
        ),
    ),
    in_files("from_previous", DIFFERENCE, _step("previous")),
    in_files("from_best", DIFFERENCE, _step("best")),
    for_people(
        lambda card: card.found and AGAINST[card.found.against], DIFFERENCE.optional, _step_of
    ),
    for_people(Text("sure"), FLAG, _is_sure),
    in_files("surely_better_than_first", FLAG, _is_better),
    in_files("questions", COUNT, lambda card: (e := _estimate(card)) and e.n_questions),
    LEVEL,
    TARGET,
    *remark_columns(_remarks),
)


def _in_series(cards: Sequence[SeriesCard]) -> list[SeriesCard]:
    return [card for card in cards if card.found is not None]


FOLLOWED: Table[SeriesCard, SeriesCard] = Table("series", COLUMNS, lambda cards: cards, _in_series)
