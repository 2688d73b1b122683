"""What the loaded runs say, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kofn.choices.view import View
from kofn.choose_n.analysis import ChoiceCard, choose_means, choose_runs
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.words import checked_in_short
from kofn.overview.analysis import GlanceCard, datasets_of, suite_of
from kofn.overview.sentences import wrong
from kofn.standings.datasets import leading
from kofn.standings.field import assumed_in
from kofn.writing.joining import joined
from metrics.data.words import Text
from reports.run.report import Run

Choose = Callable[[Mapping[str, Run], View, Pricing], Sequence[ChoiceCard]]


def answer(cards: Sequence[GlanceCard], checked: Text | None = None) -> Text:
    """Say who leads over all datasets, or the only one, and what is stated wrongly.

    Parameters
    ----------
    cards : sequence of GlanceCard
    checked : Text, optional
        What answers that can be checked solve; see `checked_of`.
    """
    fields = [dataset.field for dataset in datasets_of(cards)]
    stated = [each for card in cards if card.found for each in card.found.stated]
    suite = suite_of(cards)
    beside = [] if checked is None else [checked]
    return joined([*leading(fields, suite), *beside, *wrong(stated)])


def checked_of(
    runs: Mapping[str, Run], view: View, choose: Choose = choose_runs, over: Choose = choose_means
) -> Text | None:
    """Say which model solves most for its cost where answers can be checked, as Choose n does.

    None of a single model, and where nobody but kofn says which answers are right.

    Parameters
    ----------
    runs : mapping of str to Run
    view : View
    choose, over : callable
        In place of `choose_runs` on one dataset and `choose_means` over several, such as ones with
        a cache.
    """
    if len({run.model for run in runs.values()}) < 2 or assumed_in(runs.values()) is not None:
        return None
    settings = View(segment=view.segment, missing=view.missing, level=view.level)
    chosen = over(runs, settings, Pricing())
    if not chosen and len({run.dataset for run in runs.values()}) == 1:
        chosen = choose(runs, settings, Pricing())
    return checked_in_short(chosen) if chosen else None


def scope(cards: Sequence[GlanceCard]) -> Text:
    """Say what is looked at."""
    own = [card for card in cards if card.found and card.found.dataset]
    return Text(
        "{runs}, {models}, {datasets}",
        runs=Text("{count} run", "{count} runs", count=len(own)),
        models=Text("{count} model", "{count} models", count=len({c.run.model for c in own})),
        datasets=Text("{count} dataset", "{count} datasets", count=len(datasets_of(own))),
    )
