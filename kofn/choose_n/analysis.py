"""The choice of n for several runs under a View and a Pricing, for the page, the command, files."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from kofn.card import ABOUT, Card, about, finder, frame_of, make_one_each, say
from kofn.choices.runs import outcomes_of
from kofn.choices.view import View
from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.choose_n.prices import Priced, price_run
from kofn.choose_n.pricing import Pricing
from kofn.writing.estimates import percent
from kofn.writing.rendering import ENGLISH
from metrics import Choice, choose_n
from metrics.analyses.choose_n.tradeoff import Tradeoff
from metrics.data.words import Text
from reports.run.report import Run


@dataclass(frozen=True, eq=False)
class PricedChoice:
    """How many samples to pay for, and what costs rest on."""

    choice: Choice
    priced: Priced

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each n."""
        return self.choice.to_frame()


ChoiceCard = Card[PricedChoice, Pricing]


def choose_runs(
    runs: Mapping[str, Run],
    view: View,
    pricing: Pricing,
    tokens_of: Callable[[Run], Tokens] = estimate_tokens,
) -> tuple[ChoiceCard, ...]:
    """Choose n for every run that a View names, in the order of `runs`; see `choose_run`."""
    return make_one_each(finder(partial(choose_run, tokens_of=tokens_of)), runs, view, pricing)


def choose_run(
    run: Run, view: View, pricing: Pricing, tokens_of: Callable[[Run], Tokens] = estimate_tokens
) -> PricedChoice:
    """Choose n for one run.

    Parameters
    ----------
    run : Run
    view : View
        Its segment, missing and level count.
    pricing : Pricing
    tokens_of : callable
        As in `kofn.choose_n.prices.price_run`.

    Returns
    -------
    PricedChoice
        Quality is pass@n where the pricing has a verifier, else a vote; intervals are about
        questions like these.
    """
    outcomes = outcomes_of(run)
    priced = price_run(run, pricing, tokens_of)
    choice = choose_n(
        outcomes,
        cost_per_sample=priced.costs,
        verifier=pricing.verifier,
        budget=pricing.budget,
        value_per_solved=pricing.value,
        reach=pricing.reach,
        confidence_level=view.level,
        missing=view.missing,
        segment=view.segment,
        answers=run.answers,
    )
    return PricedChoice(choice, priced)


def answer(chosen: ChoiceCard) -> Text:
    """Say the recommended n and what it buys, or why there is none."""
    told, *rest = parts(chosen)
    if not rest:
        return told
    buys, further, doubt = rest
    return Text(
        "{advice} {buys} {further} {doubt}", advice=told, buys=buys, further=further, doubt=doubt
    )


def parts(chosen: ChoiceCard) -> tuple[Text, ...]:
    """Return the sentences of an answer: advice, what it buys, at what price, how sure it is.

    Where no n is recommended, the reason alone.
    """
    if chosen.found is None:
        assert chosen.reason is not None
        return (chosen.reason,)
    choice, amount = chosen.found.choice, chosen.found.priced.amount
    advice = choice.advice[choice.rule]
    told = advice.sentence(amount)
    if not advice.safe_n or advice.interval is None:
        return (told,)
    table, at = choice.table, choice.table.index(advice.safe_n)
    buys = Text(
        "It solves {value} of the questions for {cost} a question on average.",
        value=percent(table.quality[at], table.quality_low[at], table.quality_high[at]),
        cost=amount(table.cost[at]),
    )
    if np.isnan(table.cost_per_further[at]):
        further = Text("The last step to it solves no further question.")
    elif at == 0:
        further = Text("Each solved question costs {cost}.", cost=amount(table.cost_per_solved[at]))
    else:
        further = Text(
            "With the last step to it, each further solved question costs {cost}.",
            cost=amount(table.cost_per_further[at]),
        )
    doubt = Text(
        "These questions alone say n = {n}; {level:.4g}% of their resamples say {low} to {high}.",
        n=advice.n,
        level=100 * choice.confidence_level,
        low=advice.interval[0],
        high=advice.interval[1],
    )
    return told, buys, further, doubt


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
    "chosen": "boolean",
    "reason": "string",
}
_NUMBERS = tuple(field.name for field in fields(Tradeoff))


def rows(
    chosen: Sequence[ChoiceCard], translations: gettext.NullTranslations = ENGLISH
) -> list[dict[str, Any]]:
    """Lay choices out flat, one row for each run and n.

    Returns
    -------
    list of dict
        The keys of `COLUMNS`; ``chosen`` marks the safe n of the recommended rule. A run without a
        choice has one row, with its reason. What does not exist is None.
    """

    def row(one: ChoiceCard, at: int | None) -> dict[str, Any]:
        choice = one.found.choice if one.found else None
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
            "chosen": None if choice is None else numbers["n"] == choice.safe_n,
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
    return frame_of(rows(chosen, translations), COLUMNS)
