"""Columns of best-of-n selection, in files and for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from kofn.candidates.analysis import CandidateCard, Examined, Who, label
from kofn.candidates.details import PickDetails, WholeCard, without_details
from kofn.candidates.judging import Judged
from kofn.candidates.ranking_metrics import ListNumber, Worth, worth_of
from kofn.candidates.signals import RivalSignal
from kofn.candidates.words import MEANINGS, STATUSES, WHO, Item, way_name
from kofn.card import Card, names
from kofn.choose_n.prices import quantity
from kofn.run_columns import ABOUT, LEVEL, RUN
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member
from kofn.writing.estimates import percent, span
from kofn.writing.kinds import (
    COUNT,
    DIFFERENCE,
    ESTIMATE,
    FLAG,
    NUMBER,
    REMARKS,
    SHARE,
    WORD,
    WRITTEN,
    one_of,
)
from metrics.analyses.diversity.diversity import Measure
from metrics.analyses.judges.corrected import COUNTED, Corrected
from metrics.analyses.judges.powered import Powered
from metrics.analyses.trust.calibration import SignalCalibration
from metrics.data.results import UNIT, Estimate
from metrics.data.words import Text

COSTS = ("tokens", "seconds", "cost")

# Files --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CandidateLine:
    """A number of a run, or why there is none."""

    card: WholeCard
    number: str | None = None
    k: int | None = None
    value: Worth | None = None
    share: bool | None = None
    target: str | None = None
    questions: int | None = None
    costs: Mapping[str, float] = field(default_factory=dict)
    caveats: Sequence[Text] = ()
    reason: Text | None = None


def _examined(line: CandidateLine) -> Examined | None:
    return None if line.card.found is None else line.card.found.examined


def _cost(what: str) -> Column[CandidateLine]:
    return in_files(what, NUMBER, lambda line: line.costs.get(what))


COLUMNS: Columns[CandidateLine] = (
    *ABOUT,
    Column("signal", Text("signal"), WORD, lambda line: member("signal")(_examined(line))),
    Column("number", Text("number"), WORD, member("number")),
    Column("k", Text("k"), COUNT.optional, member("k")),
    in_files(("value", "low", "high"), ESTIMATE, member("value")),
    for_people(Text("value"), WRITTEN, lambda line: written_number(line.value, line.share)),
    in_files("share", FLAG, member("share"), Text("whether it is a fraction of 1")),
    LEVEL,
    in_files("target", WORD, member("target"), Text("what its interval is about")),
    in_files("questions", COUNT, member("questions")),
    *map(_cost, COSTS),
    in_files("caveats", REMARKS, lambda line: [*line.caveats]),
    in_files("reason", WORD, member("reason")),
    for_people(
        Text("remarks"),
        REMARKS,
        lambda line: [line.reason] if line.reason is not None else [*line.caveats],
        ("paper",),
    ),
)


def written_number(value: Worth | None, share: bool | None) -> Text | None:
    """Write a share in percent and any other number plainly, with its interval.

    Examples
    --------
    >>> str(written_number((0.5, 0.25, 0.75), True)), str(written_number((2.5, 2.25, 2.75), False))
    ('50.0% (25.0 to 75.0)', '2.50 (2.25 to 2.75)')
    >>> str(written_number((2.5, None, None), False)), written_number(None, None)
    ('2.50', None)
    """
    if value is None:
        return None
    if share:
        return percent(*value)
    number, low, high = value
    if low is None or high is None:
        return Text("{value:.2f}", value=number)
    return Text("{value:.2f} ({low:.2f} to {high:.2f})", value=number, low=low, high=high)


def numbers(cards: Sequence[WholeCard]) -> Iterator[CandidateLine]:
    """Yield every number of runs, of a way at each k; a run without any has one line."""
    for card in cards:
        if card.found is None:
            yield CandidateLine(card, target=card.view.target, reason=card.reason)
            continue
        examined = card.found.examined
        plain = CandidateLine(card, target=card.view.target, questions=examined.n_questions)
        yield from _of_ways(plain, examined)
        yield from numbers_behind(plain, card.found.details)


def _of_ways(plain: CandidateLine, found: Examined) -> Iterator[CandidateLine]:
    for way in found.ways:
        points = zip(way.k.tolist(), way.value, way.low, way.high, strict=True)
        for k, value, low, high in points:
            yield replace(
                plain,
                number=label(way, k) if way.who != "one" else way.metric,
                k=k,
                value=(float(value), float(low), float(high)),
                share=True,
                caveats=way.caveats,
                costs={what: k * mean for what, mean in found.costs.items()},
            )
    for name, k, what in (
        ("efficiency", found.k, found.efficiency),
        ("ranking", None, found.ranking),
    ):
        estimate, reason = what or (None, None)
        if estimate is not None:
            yield replace(
                plain,
                number=name,
                k=k,
                value=worth_of(estimate),
                share=True,
                target=estimate.target,
                questions=estimate.n_questions,
                caveats=estimate.caveats,
            )
        elif reason is not None:
            yield replace(plain, number=name, k=k, reason=reason)


def numbers_behind(plain: CandidateLine, found: PickDetails) -> Iterator[CandidateLine]:
    """Yield the numbers that lie behind a pick; pass@k is the oracle's."""

    def line(name: str, estimate: Estimate, **more: Any) -> CandidateLine:
        known: dict[str, Any] = {
            "number": name,
            "value": worth_of(estimate),
            "share": estimate.bounds == UNIT,
            "target": estimate.target,
            "caveats": estimate.caveats,
        }
        return replace(plain, **(known | more))

    for number in found.lists.numbers if found.lists else ():
        if number.name == "pass@k":
            continue
        for k, value in number.at.items():
            yield replace(
                plain,
                number=f"{number.name[:-1]}{k}" if k else number.name,
                k=k or None,
                value=value,
                share=number.share,
                target=number.target,
                caveats=number.caveats,
            )
    for measure in found.diversity.measures if found.diversity else ():
        if measure.estimate is not None:
            yield line(measure.name, measure.estimate)
    for name, (corrected, reason) in found.judged.numbers.items() if found.judged else ():
        if corrected is None:
            yield replace(plain, number=f"corrected {name}", reason=reason)
            continue
        yield line(f"judged {name}", corrected.observed)
        if isinstance(corrected, Powered):
            yield line(f"labels only {name}", corrected.labels_only)
        estimate = corrected.estimate
        caveats = corrected.way, *estimate.caveats
        yield line(f"corrected {name}", estimate, caveats=caveats)
    if found.judged is not None and found.judged.errors is not None:
        yield line("sensitivity", found.judged.errors.sensitivity)
        yield line("specificity", found.judged.errors.specificity)
    if found.nested is not None:
        yield line("chosen, nested", found.nested.nested.value, k=found.nested.nested.k)


NUMBERS: Table[WholeCard, CandidateLine] = Table("numbers", COLUMNS, numbers)
"""What files hold."""


def read_numbers(cards: Sequence[WholeCard]) -> list[CandidateLine]:
    """Return the numbers that people read: of the k of ways, those that double."""
    shown = {
        card.key: {each.k for each in rows_by_k(card.found)} for card in without_details(cards)
    }
    return [line for line in numbers(cards) if line.k is None or line.k in shown[line.card.key]]


# Each k of a run ----------------------------------------------------------------------------------


class AtK(NamedTuple):
    """One k: what each way is worth there, and what it takes."""

    k: int
    worth: Mapping[Who, tuple[float, float, float]]
    costs: Mapping[str, float]


def rows_by_k(found: Examined | None) -> list[AtK]:
    """Return the k to read: those that double, and that of the answer."""
    if found is None:
        return []
    ks = found.ways[0].k.tolist()
    return [
        AtK(
            k,
            {way.who: worth for way in found.ways if (worth := way.at(k)) is not None},
            {what: k * mean for what, mean in found.costs.items()},
        )
        for k in ks
        if k & (k - 1) == 0 or k in (found.k, ks[-1])
    ]


def worth_columns(found: Examined) -> Columns[AtK]:
    """Return what is read of each k: every way, and what it takes."""
    units = {"tokens": Text("tokens"), "seconds": Text("seconds"), "cost": Text("cost")}
    ways: Columns[AtK] = [
        for_people(way_name(found, way), ESTIMATE, _worth_to(way.who)) for way in found.ways
    ]
    costs: Columns[AtK] = [
        for_people(units[what], WRITTEN, _costing(what)) for what in COSTS if what in found.costs
    ]
    return (for_people(Text("k"), COUNT, member("k")), *ways, *costs)


def _worth_to(who: Who) -> Callable[[AtK], Any]:
    return lambda line: line.worth.get(who)


def _costing(what: str) -> Callable[[AtK], Any]:
    return lambda line: quantity(line.costs[what])


# Every run ----------------------------------------------------------------------------------------


def _solved_by(who: Who) -> Column[CandidateCard]:
    return for_people(WHO[who], SHARE.optional, lambda card: card.found and card.found.value(who))


def run_columns(cards: Sequence[CandidateCard]) -> Columns[CandidateCard]:
    """Return what is read of each run beside the others."""
    called = {card.key: name for card, name in zip(cards, names(cards), strict=True)}
    return (
        for_people(RUN.label, WORD, lambda card: called[card.key]),
        for_people(Text("picked by"), WORD, member("found.signal")),
        for_people(Text("of what is possible"), ESTIMATE.optional, member("found.efficiency.0")),
        *map(_solved_by, WHO),
        for_people(Text("ranks right above wrong"), ESTIMATE.optional, member("found.ranking.0")),
        for_people(Text("k"), COUNT, member("found.k")),
        for_people(Text("why not"), WORD, member("reason")),
    )


# What lies behind a pick --------------------------------------------------------------------------


class OfRun(NamedTuple):
    """A signal of a run beside the one that picks."""

    card: Card[Any, Any]
    rival: RivalSignal


RIVALS: Columns[OfRun] = (
    for_people(RUN.label, WORD, member("card.key"), ("paper",)),
    for_people(Text("picked by"), WORD, member("rival.name")),
    for_people(Text("solves"), SHARE, member("rival.value")),
    for_people(Text("more than the first"), DIFFERENCE.optional, member("rival.difference")),
    for_people(
        Text("ranks right above wrong"), ESTIMATE.optional, member("rival.ranking"), ("page",)
    ),
)
"""Other signals on the same candidates."""
BEHIND: Columns[CandidateLine] = (
    for_people(Text("number"), WORD, member("number")),
    for_people(Text("value"), WRITTEN, lambda line: written_number(line.value, line.share)),
)
"""Lists, diversity and judges."""
CHECKLIST: Columns[Item] = (
    for_people(Text("point"), WORD, member("name")),
    for_people(Text("state"), one_of(STATUSES), member("state")),
    for_people(Text("how it stands"), WORD, member("sentence")),
)
"""What should be seen to."""


def list_columns(found: Sequence[ListNumber]) -> Columns[ListNumber]:
    """Return what is read of numbers of lists: each k, or whole lists."""
    ks = sorted({k for number in found for k in number.at})
    return (
        for_people(Text("number"), WORD, member("name")),
        for_people(Text("what it says"), WORD, lambda number: MEANINGS[number.name]),
        *(for_people(Text("k = {k}", k=k) if k else Text("value"), WRITTEN, _at_k(k)) for k in ks),
    )


def _at_k(k: int) -> Callable[[ListNumber], Any]:
    return lambda number: written_number(number.at.get(k), number.share)


DIVERSITY: Columns[Measure] = (
    for_people(Text("number"), WORD, member("name")),
    for_people(Text("mean"), WRITTEN, lambda each: _mean(each.estimate)),
    for_people(Text("solved where less"), ESTIMATE.optional, member("split.less")),
    for_people(Text("solved where more"), ESTIMATE.optional, member("split.more")),
    for_people(Text("difference"), DIFFERENCE.optional, member("split.difference")),
    for_people(Text("what it says"), WORD, member("sentence")),
)
"""How much candidates differ."""


def _mean(estimate: Estimate | None) -> Text | None:
    return None if estimate is None else written_number(worth_of(estimate), estimate.bounds == UNIT)


class Bin(NamedTuple):
    """Samples whose signals lie between two numbers."""

    between: Text
    mean: float
    right: tuple[float, float, float]
    samples: int


BINS: Columns[Bin] = (
    for_people(Text("signal"), WORD, member("between")),
    for_people(Text("on average"), SHARE, member("mean")),
    for_people(Text("right"), ESTIMATE, member("right")),
    for_people(Text("samples"), COUNT, member("samples")),
)
"""What a signal says, and what is right."""


def bins(found: SignalCalibration) -> list[Bin]:
    """Lay out what a signal says."""
    rows = zip(
        found.least,
        found.most,
        found.signal,
        found.value,
        found.low,
        found.high,
        found.samples,
        strict=True,
    )
    return [
        Bin(
            Text("{low:.2g} – {high:.2g}", low=low, high=high),
            float(mean),
            (float(value), float(least), float(most)),
            int(count),
        )
        for low, high, mean, value, least, most, count in rows
    ]


class Correction(NamedTuple):
    """A number as a judge gives it, and without its errors."""

    name: str
    number: Corrected | Powered

    @property
    def anew(self) -> Text | None:
        """Where it would lie if the judge erred anew each time."""
        check = self.number.check if isinstance(self.number, Corrected) else None
        return span(*check) if check is not None and self.number.metric in COUNTED else None

    @property
    def labels_only(self) -> Estimate | None:
        """What labels alone say."""
        return self.number.labels_only if isinstance(self.number, Powered) else None


CORRECTIONS: Columns[Correction] = (
    for_people(Text("number"), WORD, member("name")),
    for_people(Text("as judged"), ESTIMATE, member("number.observed")),
    for_people(Text("without its errors"), ESTIMATE, member("number.estimate")),
    for_people(Text("if it errs anew each time"), replace(WRITTEN, absent=None), member("anew")),
    for_people(Text("by labels alone"), ESTIMATE.optional, member("labels_only")),
)
"""Numbers corrected for the errors of a judge."""


def corrections(found: Judged) -> list[Correction]:
    """Lay out the numbers that are known."""
    return [
        Correction(name, number)
        for name, (number, _) in found.numbers.items()
        if number is not None
    ]
