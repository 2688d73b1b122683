"""What was found about a run, or why nothing was; and how tables name runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, Protocol, TypeVar, runtime_checkable

from kofn.choices.runs import shown_runs
from kofn.choices.view import View
from kofn.run_columns import ABOUT, segment_of
from kofn.writing import columns
from kofn.writing.joining import with_name
from kofn.writing.layout import Lines, short_name
from metrics import Difference
from metrics.data.counts import NEEDS_SAMPLES
from metrics.data.results import Estimate
from metrics.data.shown import brief_repr
from metrics.data.words import Enumerated, MetricError, Text, plain, printable
from reports.files.errors import LoadError
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

Found = TypeVar("Found", covariant=True)
Settings = TypeVar("Settings", covariant=True)
T = TypeVar("T")
S = TypeVar("S")
C = TypeVar("C", bound="Card[Any, Any]")
Asked = ParamSpec("Asked")
MEAN = "mean"
"""What the average over datasets stands under, in place of a dataset."""
GROUPINGS = {"proven": Text("proven"), "stated": Text("stated"), "unknown": Text("unknown")}
"""How it may be known which samples are of one question."""
Finding = tuple[T | None, Text | None]
"""What was found, or the reason why there is nothing."""


@runtime_checkable
class Tabular(Protocol):
    """What has rows."""

    def to_frame(self) -> pd.DataFrame:
        """Return them as a table."""


@dataclass(frozen=True, eq=False)
class Card(Generic[Found, Settings]):
    """A run, what was asked of it, and what was found or why not."""

    key: str  # The run's name, from `kofn.choices.runs.index_runs`.
    run: Run  # With the notes of its reader.
    view: View  # With the segment.
    settings: Settings  # Of the analysis, beside the View.
    found: Found | None = None  # None where `reason` says why.
    reason: Text | None = None
    # The keys of the runs that it is the average over, one a dataset; empty of a single run.
    over: tuple[str, ...] = ()

    __repr__ = brief_repr

    @property
    def assumed(self) -> float | None:
        """The score above which a try counts as right, where that is assumed."""
        return self.run.threshold if self.run.assumed else None

    def about(self, found: T | None, reason: Text | None) -> Card[T, Settings]:
        """Return the card of a part of what was found, or why there is none."""
        return Card(self.key, self.run, self.view, self.settings, found, reason, self.over)

    def to_frame(self) -> pd.DataFrame:
        """Return the rows of what was found, or one with the reason, behind what they are about."""
        import pandas as pd

        rows = pd.DataFrame({"reason": [say(self.reason)]})
        if isinstance(self.found, Tabular):
            rows = self.found.to_frame()
        (cells,) = columns.rows(ABOUT, [self])
        for place, (name, cell) in enumerate(cells.items()):
            rows.insert(place, name, cell)
        return rows


Find = Callable[[str, Run, View, Any], Finding[T]]


def runs_of(cards: Iterable[Card[Any, Any]]) -> dict[str, Run]:
    """Return the runs of cards by their keys, each once."""
    return {card.key: card.run for card in cards}


def cards_found(cards: Iterable[Card[T, S]]) -> Iterator[tuple[Card[T, S], T]]:
    """Yield the cards of which something was found, with that."""
    return ((card, card.found) for card in cards if card.found is not None)


def cards_by_dataset(cards: Iterable[C]) -> dict[str, list[C]]:
    """Group cards by their dataset, in their order."""
    groups: dict[str, list[C]] = {}
    for card in cards:
        groups.setdefault(card.run.dataset, []).append(card)
    return groups


def attempt(analyse: Callable[Asked, T], *asked: Asked.args, **named: Asked.kwargs) -> Finding[T]:
    """Return what an analysis finds, or what stands in its way."""
    try:
        return analyse(*asked, **named), None
    except (MetricError, LoadError) as error:
        return None, error.text


def finder(analyse: Callable[[Run, View, Any], T]) -> Find[T]:
    """Return a function for `make_cards` from an analysis of a run under a View and settings."""
    return lambda key, run, view, settings: attempt(analyse, run, view, settings)


def make_cards(
    find: Find[T],
    runs: Mapping[str, Run],
    view: View,
    asked: Callable[[str, Run], Iterable[tuple[View, S]]],
) -> tuple[Card[T, S], ...]:
    """Make the cards of every run that a View names, in the order of `runs`.

    find: From the key of a run, it, a View and settings to a finding; see `finder`.
    view: A name in ``view.runs`` that no run has is passed over.
    asked: What is asked of a run, by its key and it: a View and settings for each card.
    """
    return tuple(
        Card(key, run, each, settings, *find(key, run, each, settings))
        for key, run in shown_runs(runs, view.runs).items()
        for each, settings in asked(key, run)
    )


def make_one_each(
    find: Find[T], runs: Mapping[str, Run], view: View, settings: S
) -> tuple[Card[T, S], ...]:
    """Make one card of every run that a View names, as `make_cards` does."""
    return make_cards(find, runs, view, lambda key, run: [(view, settings)])


def is_mean(card: Card[Any, Any]) -> bool:
    """Return whether a card is of a model over datasets, not of a run."""
    return bool(card.over) or (card.run.dataset == MEAN and not card.run.source)


def name_of(card: Card[Any, Any]) -> str:
    """Return what a run is called, or a model over datasets in the reader's language."""
    return f"{card.key.removesuffix(MEAN)}{Text('mean')}" if is_mean(card) else card.key


def full_name(card: Card[object, object]) -> str:
    """Name a run, with its segment."""
    return str(Enumerated(filter(None, (name_of(card), segment_of(card)))))


def blocks_of(
    cards: Iterable[Card[T, S]], lines_in: Callable[[Card[T, S], T], Lines]
) -> Iterator[Lines]:
    """Yield what is told of each card and what was found, or in a line why nothing was."""
    for card in cards:
        if card.found is None:
            yield columns.Block(str(with_name(title(card), card.reason or "")))
        else:
            yield lines_in(card, card.found)


def title(card: Card[object, object], *more: Text | None) -> str:
    """Name a run and its segment above its block, with what else there is to say of it."""
    whose = map(short_name, filter(None, (name_of(card), segment_of(card))))
    sentences = map(say, (*more, verified_in_words(card.run), grouping_in_words(card.run)))
    return str(Enumerated([*whose, *filter(None, sentences)]))


def is_verified(run: Run) -> bool:
    """Return whether the samples of a run give the file's own numbers and are grouped as known."""
    return run.verified is True and run.grouping != "unknown"


def is_doubtful(run: Run) -> bool:
    """Return whether the verdicts of a run, or their grouping, are not what they should be."""
    return run.verified is False or (run.grouping != "proven" and is_repeated(run))


def is_repeated(run: Run) -> bool:
    """Whether questions have several samples, so that it matters which are of one."""
    return run.known is not None and int(run.known.sizes()[0].max(initial=0)) > 1


def are_counted(cards: Iterable[Card[Any, Any]]) -> bool:
    """Whether nothing is found since the samples of all runs stay elsewhere.

    Examples
    --------
    >>> run = Run("7B", "gsm8k", None)
    >>> are_counted([Card("7B", run, View(), None, None, NEEDS_SAMPLES)])
    True
    """
    return all(card.found is None and card.reason == NEEDS_SAMPLES for card in cards)


def verified_in_words(run: Run) -> Text | None:
    """Say whether a run is verified; None where its file states no numbers."""
    if run.verified is None:
        return None
    if is_verified(run):
        return Text("verified")
    if run.verified:
        return Text("not verified, although the samples give the mean that the file states")
    return Text("not verified: the file states other numbers")


def checks(run: Run) -> dict[str, str]:
    """Return what is known of a run's verdicts and grouping as words for a table.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> checks(Run("7B", "gsm8k", Outcomes([[1, 0]]), verified=True, grouping="unknown"))
    {'verified': 'yes', 'grouping': 'unknown'}
    """
    words = {True: Text("yes"), False: Text("no"), None: Text("")}
    grouping = Text("") if run.known is None else GROUPINGS[run.grouping]
    return {
        str(Text("verified")): str(words[run.verified]),
        str(Text("grouping")): str(grouping),
    }


def grouping_in_words(run: Run) -> Text | None:
    """Say how it is known which samples of a run are of one question; None if of course by ids."""
    if not is_repeated(run) or (run.verified is None and run.grouping == "proven"):
        return None
    return {
        "proven": Text("grouping proven"),
        "stated": Text("grouping stated by the file only"),
        "unknown": Text("grouping unknown"),
    }[run.grouping]


def names(cards: Sequence[Card[object, object]]) -> list[str]:
    """Name runs in a figure: by their model, or by their key where a model has several."""
    models = [printable(card.run.model) for card in cards]
    return [
        model if models.count(model) == 1 else card.key
        for card, model in zip(cards, models, strict=True)
    ]


def say(text: Text | None) -> str | None:
    r"""Render a sentence for a cell, `printable`; None stays None.

    Examples
    --------
    >>> print(say(Text("{file} is empty.", file="a\x1b[2J.csv")), say(None))
    a\x1b[2J.csv is empty. None
    """
    return None if text is None else plain(text)


def limits(estimate: Estimate | Difference | None) -> tuple[float, float] | tuple[None, None]:
    """Return the ends of an interval, None without one."""
    return (estimate and estimate.interval) or (None, None)


def side_of(estimate: Estimate | Difference, point: float = 0.0) -> int:
    """Return 1 or -1 where an interval lies above or below a point, 0 where neither is sure.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from metrics import estimate
    >>> found = estimate([[1, 1, 1, 0]] * 40, "avg@n")
    >>> side_of(found), side_of(found, 1 / 2), side_of(found, 0.75), side_of(found, 1.0)
    (1, 1, 0, -1)
    >>> side_of(replace(found, interval=None))
    0
    """
    ends = estimate.interval
    return 0 if ends is None else (ends.low > point) - (ends.high < point)


def value_of(estimate: Estimate | Difference | None) -> dict[str, float | None]:
    """Return an estimate and the ends of its interval for JSON, None without one."""
    low, high = limits(estimate)
    return {"value": None if estimate is None else estimate.value, "low": low, "high": high}
