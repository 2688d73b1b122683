"""Columns of comparisons with the baseline, and of two models on all datasets together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kofn.card import say
from kofn.compare.analysis import CompareCard
from kofn.compare.contest import Contest, value_of_pair
from kofn.compare.over_datasets import OverDatasets
from kofn.compare.pair import ComparedPair
from kofn.compare.words import matched_in_words, settings_in_words
from kofn.run_columns import ABOUT, LEVEL, TARGET, remark_columns
from kofn.writing.columns import Column, Columns, Table, for_people, in_files, member, rows
from kofn.writing.estimates import points
from kofn.writing.kinds import (
    COUNT,
    DIFFERENCE,
    ESTIMATE,
    FLAG,
    NUMBER,
    POINTS,
    SHARE,
    WORD,
    WRITTEN,
)
from metrics import BySegment, Difference
from metrics.data.results import Estimate
from metrics.data.words import Text, printable


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


METRIC: Columns[CompareCard] = (
    in_files("metric", WORD, member("found.contest.metric")),
    in_files("k", COUNT, member("found.contest.k")),
)


def difference_of(card: CompareCard) -> Difference | None:
    """Return by how much a run is better than the baseline; None of the baseline."""
    contest = contest_of(card)
    return contest.against.get(card.key) if contest else None


def remarks(card: CompareCard) -> Iterable[Text]:
    """Return what must be known of a difference."""
    contest, base = _to_base(card) or (None, "")
    if contest is None:
        return ()
    return [*matched_in_words(contest.match(base, card.key)), *contest.against[card.key].caveats]


def _to_base(card: CompareCard) -> tuple[Contest, str] | None:
    """Return the contest of a run that is set against the baseline, and that."""
    contest = contest_of(card)
    if contest is None or contest.base is None or card.key not in contest.against:
        return None
    return contest, contest.base


def _is_base(card: CompareCard) -> bool:
    contest = contest_of(card)
    return contest is not None and card.key == contest.base


def _written(card: CompareCard) -> Text | None:
    found = difference_of(card)
    if found is None:
        contest = contest_of(card)
        return Text("baseline") if contest and contest.ranking and _is_base(card) else None
    return points(*DIFFERENCE.parts(found))


def _base_value(card: CompareCard) -> float | None:
    contest, base = _to_base(card) or (None, "")
    return contest.estimates[base].value if contest else None


def _value(card: CompareCard) -> float | None:
    contest, _base = _to_base(card) or (None, "")
    return contest.estimates[card.key].value if contest else None


def _settings(card: CompareCard) -> Text | None:
    pair = card.found.pair if card.found else None
    return settings_in_words(pair.settings) if pair else None


def _is_one_set(card: CompareCard) -> bool:
    """Whether it holds the answers of the baseline, so that no difference is chance."""
    return bool(member("found.pair.same")(card))


def _p_value(card: CompareCard) -> float | None:
    if _is_one_set(card):
        return None
    contest = contest_of(card)
    return contest.p_values.get(card.key) if contest else None


def _adjusted(card: CompareCard) -> float | None:
    contest, base = _to_base(card) or (None, "")
    if contest is None or contest.ranking is None or _is_one_set(card):
        return None
    return value_of_pair(contest.ranking.p_values, base, card.key)


def _is_told_apart(card: CompareCard) -> bool | None:
    contest, base = _to_base(card) or (None, "")
    return contest.told_apart(base, card.key) if contest else None


def _member(name: str) -> Callable[[CompareCard], Any]:
    return lambda card: getattr(difference_of(card), name, None)


COLUMNS: Columns[CompareCard] = (
    *ABOUT,
    in_files("base", WORD, member("found.contest.base")),
    *METRIC,
    in_files("value", SHARE, _value),
    for_people(label_of, ESTIMATE, estimate_of),
    in_files("base_value", SHARE, _base_value),
    in_files(
        ("difference", "low", "high"),
        DIFFERENCE,
        difference_of,
        Text("of the run from the baseline"),
    ),
    for_people(Text("difference from baseline"), WRITTEN.optional, _written),
    Column("p_value", Text("p"), NUMBER.optional, _p_value, ("terminal", "paper")),
    in_files("p_adjusted", NUMBER, _adjusted, Text("after Holm, over all pairs of the dataset")),
    Column(
        "told_apart", Text("different"), FLAG, _is_told_apart, help=Text("whether that decides")
    ),
    in_files("paired", FLAG, _member("paired")),
    in_files(
        "proven",
        FLAG,
        member("found.pair.match.proven"),
        Text("whether prompt and reference of the shared questions are the same"),
    ),
    Column("better_on", Text("better on"), COUNT.optional, _member("wins")),
    in_files("as_good_on", COUNT, _member("ties")),
    Column("worse_on", Text("worse on"), COUNT.optional, _member("losses")),
    in_files("questions", COUNT, _member("n_questions")),
    in_files("left_out", COUNT, _member("n_dropped")),
    in_files("mcnemar", NUMBER, _member("mcnemar"), Text("its exact p-value, of one sample each")),
    Column(
        "could_show",
        Text("smallest difference it could detect"),
        POINTS.optional,
        member("found.pair.power.smallest"),
        ("terminal", "paper"),
        help=Text("with a chance of 80 %"),
    ),
    Column(
        "settings",
        Text("settings"),
        WORD,
        _settings,
        ("paper",),
    ),
    LEVEL,
    TARGET,
    *remark_columns(remarks),
)


def _without_base(cards: Sequence[CompareCard]) -> list[CompareCard]:
    return [card for card in cards if not _is_base(card)]


def _nested(card: CompareCard) -> dict[str, Any]:
    pair = card.found.pair if card.found else None
    return {"along": along_rows(pair) if pair else [], "segments": _in_segments(card)}


COMPARED: Table[CompareCard, CompareCard] = Table(
    "compare", COLUMNS, _without_base, lambda cards: cards, _nested
)


class Both(NamedTuple):
    """Two models on all their datasets together."""

    base: str
    other: str
    found: OverDatasets

    def by_name(self, numbers: Sequence[float]) -> dict[str, float]:
        """Return a number of each by its name."""
        return dict(zip((self.base, self.other), numbers, strict=True))


def pairs_of_models(cards: Sequence[CompareCard]) -> list[Both]:
    """Return each two models that ran several datasets, once."""
    known: dict[int, Both] = {}
    for card in cards:
        if card.found and card.found.together and card.found.pair:
            names = card.found.contest.names
            found = card.found.together
            known.setdefault(id(found), Both(names[card.found.pair.base], names[card.key], found))
    return list(known.values())


TOGETHER: Columns[Both] = (
    Column("base", Text("baseline"), WORD, member("base")),
    Column("run", Text("run"), WORD, member("other")),
    in_files("metric", WORD, member("found.metric")),
    in_files("k", COUNT, member("found.k")),
    in_files("datasets", WORD, lambda both: list(map(printable, both.found.keys))),
    for_people(Text("datasets"), COUNT, lambda both: len(both.found.keys)),
    Column(("difference", "low", "high"), Text("difference"), DIFFERENCE, member("found.all")),
    in_files("questions", COUNT, member("found.all.n_questions")),
    in_files(
        "chance_of_best",
        NUMBER,
        lambda both: both.found.best and both.by_name(both.found.best.chances),
    ),
    in_files(
        "expected_loss",
        NUMBER,
        lambda both: both.found.best and both.by_name(both.found.best.losses),
    ),
    Column("reason", Text("remarks"), WORD, member("found.reason")),
)


class SegmentLine(NamedTuple):
    """The difference in a segment."""

    label: str
    found: Difference
    part: float


def parts(parted: BySegment) -> list[SegmentLine]:
    """Return the difference in each segment."""
    return [
        SegmentLine(label, each, parted.parts[label]) for label, each in parted.segments.items()
    ]


SEGMENTS: Columns[SegmentLine] = (
    Column("segment", Text("segment"), WORD, lambda part: printable(part.label)),
    Column(("difference", "low", "high"), Text("difference"), DIFFERENCE, member("found")),
    Column("part", Text("part"), POINTS, member("part")),
    Column("questions", Text("questions"), COUNT, member("found.n_questions")),
)


def _in_segments(card: CompareCard) -> dict[str, Any] | None:
    if not card.settings.by or card.found is None or card.found.pair is None:
        return None
    found, reason = card.found.segments
    if found is None:
        return {"attribute": card.settings.by, "each": [], "p_value": None, "reason": say(reason)}
    return {
        "attribute": printable(found.attribute),
        "each": rows(SEGMENTS, parts(found)),
        "p_value": found.p_value,
        "reason": None,
    }


def along_rows(pair: ComparedPair) -> list[Mapping[str, Any]]:
    """Return the difference at each k, for JSON."""
    if pair.along is None:
        return []
    columns = ("k", "difference", "low", "high")
    along = pair.along
    values = (along.k.tolist(), along.value.tolist(), along.low.tolist(), along.high.tolist())
    return [dict(zip(columns, each, strict=True)) for each in zip(*values, strict=True)]
