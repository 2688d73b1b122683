"""The choice of n for several runs under a View and a Pricing, for the page, the command, files."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from kofn.card import ABOUT, Card, Finding, about, attempt, frame_of, say
from kofn.choices.focus import Focus, in_focus
from kofn.choices.runs import known_of, shown_runs
from kofn.choices.signals import numbers_of
from kofn.choices.view import View
from kofn.choose_n.early.analysis import Early, end_early
from kofn.choose_n.early.ending import Ending
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.prices import Priced, price_run
from kofn.choose_n.pricing import Pricing
from kofn.writing.rendering import ENGLISH
from metrics import Choice, Selection
from metrics.analyses.candidates.ways import Way
from metrics.analyses.choose_n.among import select
from metrics.analyses.choose_n.picks import picks_of
from metrics.analyses.choose_n.tradeoff import Tradeoff
from metrics.analyses.choose_n.weighing import Weighed, weigh
from metrics.data.evidence import Evidence
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class PricedChoice:
    """How many samples to pay for, what costs rest on, and what the runs of the dataset say.

    Attributes
    ----------
    choice : Choice
        Under the aim of `together`.
    priced : Priced
    together : Finding of Selection
        The choice among all runs of the dataset, or why there is none; the same for each of them.
    early : Finding of Early
        Votes that end early, or why there are none; of the run to take only, or of the one that
        comes nearest to the aim, and only where votes count.
    """

    choice: Choice
    priced: Priced
    together: Finding[Selection]
    early: Finding[Early] = (None, None)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each n."""
        return self.choice.to_frame()


ChoiceCard = Card[PricedChoice, Pricing]
USUAL = Ending()


def choose_runs(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    focus: Focus | None = None,
    ending: Ending = USUAL,
    tokens_of: Callable[[Run], Tokens] = estimate_tokens,
) -> tuple[ChoiceCard, ...]:
    """Choose among the runs of each dataset that a View names, the dataset in focus first."""
    groups = in_focus(shown_runs(runs, view.runs), focus)
    found = {}
    for dataset, group in groups.items():
        chosen = choose_together(group, view, pricing, tokens_of)
        found[dataset] = with_early_votes(chosen, group, view, pricing, ending, tokens_of)
    return tuple(
        Card(key, run, view, pricing, *found[dataset][key])
        for dataset, group in groups.items()
        for key, run in group.items()
    )


def choose_together(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens] = estimate_tokens,
) -> dict[str, Finding[PricedChoice]]:
    """Choose among the runs of one dataset, and n for each of them.

    Parameters
    ----------
    runs : mapping of str to Run
    view : View
        Its segment, missing and level count.
    pricing : Pricing
    tokens_of : callable
        As in `kofn.choose_n.prices.price_run`.

    Returns
    -------
    dict of str to Finding
        Quality is selected@n where a signal picks, else pass@n where the pricing has a verifier,
        else a vote; intervals are about questions like these.
    """
    weigh_one = partial(_weigh, view=view, pricing=pricing, tokens_of=tokens_of)
    tried = {key: attempt(weigh_one, run) for key, run in runs.items()}
    if len({found[0].metric for found, _ in tried.values() if found}) > 1:
        tried = {key: attempt(weigh_one, run, metric="maj@k") for key, run in runs.items()}
    weighed = {key: found for key, (found, _) in tried.items() if found}
    limits = pricing.limits(max((_questions(each) for each, _ in weighed.values()), default=1))

    def choice_of(key: str) -> Choice:
        return select({key: weighed[key][0]}, limits, view.level).choices[key]

    together: Finding[Selection] = None, None
    if weighed:
        every = {key: each for key, (each, _) in weighed.items()}
        together = attempt(select, every, limits, view.level)
    selection = together[0]
    return {
        key: (None, reason)
        if found is None
        else (
            PricedChoice(
                choice_of(key) if selection is None else selection.choices[key], found[1], together
            ),
            None,
        )
        for key, (found, reason) in tried.items()
    }


def with_early_votes(
    found: dict[str, Finding[PricedChoice]],
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    ending: Ending,
    tokens_of: Callable[[Run], Tokens] = estimate_tokens,
) -> dict[str, Finding[PricedChoice]]:
    """Add to what `choose_together` found what votes of the run to take save by ending early."""
    known = {key: each for key, (each, _) in found.items() if each is not None}
    if not known or not all(each.choice.votes for each in known.values()):
        return found
    selection, _ = next(iter(known.values())).together
    key = selection.run if selection is not None else None
    if key is None:
        key = max(known, key=lambda name: known[name].choice.table.quality.max())

    def early() -> Early:
        costs = price_run(runs[key], pricing, tokens_of).costs
        return end_early(runs[key], view, ending, known[key].choice, costs)

    return {**found, key: (replace(known[key], early=attempt(early)), None)}


def _weigh(
    run: Run,
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens],
    metric: str = "pass@k",
) -> tuple[Weighed, Priced]:
    evidence = Evidence(known_of(run), view.missing, view.segment, run.answers)
    signal = pricing.picked_by
    wanted = picks_of(run, evidence, Way(numbers_of(run, signal)) if signal else metric)
    priced = price_run(run, pricing, tokens_of)
    return weigh(evidence, wanted, priced.costs, pricing.verifier, each=True), priced


def _questions(weighed: Weighed) -> int:
    return weighed.questions.n_questions


def _taken(found: PricedChoice) -> str | None:
    """Return the key of the run to take."""
    selection, _ = found.together
    return None if selection is None else selection.run


COLUMNS = ABOUT | {
    "metric": "string",
    "n": "Int64",
    "quality": "Float64",
    "quality_low": "Float64",
    "quality_high": "Float64",
    "attempts": "Float64",
    "cost": "Float64",
    "cost_in_full": "Float64",
    "gain": "Float64",
    "independent_gain": "Float64",
    "gain_per_cost": "Float64",
    "cost_per_further": "Float64",
    "cost_per_solved": "Float64",
    "cost_per_solved_low": "Float64",
    "cost_per_solved_high": "Float64",
    "unit": "string",
    "level": "Float64",
    "questions": "Int64",
    "rule": "string",
    "safe": "boolean",
    "chosen": "boolean",
    "reason": "string",
    "ends_early": "string",
}
_NUMBERS = tuple(field.name for field in fields(Tradeoff))


def rows(
    chosen: Sequence[ChoiceCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay choices out flat, one row for each run and n.

    Returns
    -------
    list of dict
        The keys of `COLUMNS` but ``ends_early``; ``safe`` marks the n to use of a run, ``chosen``
        that of the run to take. A run without a choice has one row, with its reason. What does not
        exist is None.
    """

    def row(one: ChoiceCard, at: int | None) -> dict[str, Any]:
        choice = one.found.choice if one.found else None
        taken = one.found is not None and _taken(one.found) == one.key
        numbers: dict[str, Any] = dict.fromkeys(_NUMBERS)
        if choice is not None and at is not None:
            found = {name: getattr(choice.table, name)[at].item() for name in _NUMBERS}
            numbers = {name: x if np.isfinite(x) else None for name, x in found.items()}
        return {
            **about(one),
            "metric": None if choice is None else choice.metric,
            **numbers,
            "unit": None if one.found is None else say(one.found.priced.unit, translations),
            "level": one.view.level,
            "questions": None if choice is None else choice.n_questions,
            "rule": None if choice is None else choice.rule,
            "safe": None if choice is None else numbers["n"] == choice.safe_n,
            "chosen": None if choice is None else taken and numbers["n"] == choice.safe_n,
            "reason": say(one.reason, translations),
        }

    return [
        row(one, at)
        for one in chosen
        for at in (range(len(one.found.choice.table.n)) if one.found else (None,))
    ]


def frame(
    chosen: Sequence[ChoiceCard], translations: gettext.NullTranslations = ENGLISH
) -> pd.DataFrame:
    """Return `rows` as a frame for CSV and Parquet, with the columns and types of `COLUMNS`."""
    ended = [row for one in chosen for row in _ended_early(one, translations)]
    return frame_of([*rows(chosen, translations), *ended], COLUMNS)


def _ended_early(
    one: ChoiceCard, translations: gettext.NullTranslations
) -> Iterator[dict[str, Any]]:
    """Yield a row for each rule that ends votes of a run early, and each most samples."""
    if one.found is None or one.found.early[0] is None:
        return
    for name, curve in one.found.early[0].curves.items():
        for at, cap in enumerate(curve.cap.tolist()):
            yield dict.fromkeys(COLUMNS) | {
                **about(one),
                "metric": "plurality@k",
                "n": cap,
                "quality": curve.value[at],
                "quality_low": curve.low[at],
                "quality_high": curve.high[at],
                "attempts": curve.samples[at],
                "cost": curve.cost[at],
                "unit": say(one.found.priced.unit, translations),
                "level": one.view.level,
                "questions": curve.each[at].value.n_questions,
                "ends_early": name,
            }
