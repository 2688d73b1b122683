"""What the samples of a run cost, and what the estimate is based on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import floor, isfinite, log10
from typing import Any

import numpy as np

from kofn.choose_n.lengths import LENGTHS, Tokens, estimate_tokens
from kofn.choose_n.pricing import Basis, PerModel, Pricing
from kofn.writing.estimates import NA
from kofn.writing.kinds import Kind
from metrics.data.words import MetricError, Text
from reports.run.report import Run

MILLION = 1_000_000
SAMPLES = Text("samples")
"""The unit of costs that only count samples."""
MEASURED: dict[Basis, str] = {"tokens": "tokens_out", "seconds": "latency_s"}
"""The columns of a run by which costs are known, the best first."""
CURRENCY = Text("your currency")
"""The unit of prices whose currency is not named."""
FILE_CURRENCY = Text("the file's currency")
_FINEST = 9
"""The most decimals of an amount; smaller ones are written with an exponent."""


@dataclass(frozen=True, eq=False)
class Priced:
    """The costs of a run's samples."""

    costs: Any  # As `metrics.choose_n` takes them. Shape (M, N).
    basis: Text
    amount: Callable[[float], Text]  # Spells an amount with its unit.
    unit: Text  # The unit alone, for axes and headings.


def known_bases(runs: Iterable[Run]) -> list[Basis]:
    """Return what costs of all these runs can be counted in, what is paid first.

    Runs without verdicts are passed over: no n is chosen for them.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> columns = {"latency_s": np.ones((1, 2))}
    >>> known_bases([Run("7B", "maths", Outcomes([[1, 0]]), columns=columns)])
    ['seconds', 'samples']
    """
    counted = [run for run in runs if run.known is not None]
    return [
        *(basis for basis, name in MEASURED.items() if all(_has(run, name) for run in counted)),
        "samples",
    ]


def _has(run: Run, name: str) -> bool:
    return name in run.columns and bool(np.isfinite(run.columns[name]).any())


def with_basis(pricing: Pricing, runs: Iterable[Run]) -> Pricing:
    """Return a pricing with what costs rest on: what is typed or has a price, else `known_bases`.

    Examples
    --------
    >>> with_basis(Pricing(sample_prices=(("", (2.0,)),)), []).basis
    'samples'
    """
    if pricing.basis != "known":
        return pricing
    given: dict[Basis, PerModel] = {
        "typed": pricing.typed_tokens,
        "tokens": pricing.token_prices,
        "seconds": pricing.second_prices,
        "samples": pricing.sample_prices,
    }
    basis = next((basis for basis, amounts in given.items() if amounts), None)
    return replace(pricing, basis=basis or known_bases(runs)[0])


def spelling_of(pricing: Pricing) -> tuple[Callable[[float], Text], Text]:
    """Return what spells amounts under a settled pricing, and their unit.

    Examples
    --------
    >>> spell, unit = spelling_of(Pricing("tokens", token_prices=(("", (1.0,)),)))
    >>> str(spell(0.5)), str(unit), str(spelling_of(Pricing("lengths"))[1])
    ('0.5 of your currency', 'your currency', 'tokens')
    """
    if not pricing.has_prices:
        counted = {"samples": (_in_samples, SAMPLES), "seconds": (_in_seconds, Text("seconds"))}
        return counted.get(pricing.basis, (in_tokens, Text("tokens")))
    if pricing.currency:
        return partial(_in_currency, pricing.currency), Text("{name}", name=pricing.currency)
    unnamed = FILE_CURRENCY if pricing.basis == "recorded" else CURRENCY
    return partial(_in_unnamed, unnamed), unnamed


def price_run(
    run: Run, pricing: Pricing, tokens_of: Callable[[Run], Tokens] = estimate_tokens
) -> Priced:
    """Work out what the samples of a run cost.

    tokens_of: Estimates tokens from texts, for basis "lengths"; a page gives one that remembers.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        settled = with_basis(pricing, [run])
        return _BASES[settled.basis](run, settled, tokens_of)


def quantity(amount: float) -> str:
    """Write an amount with three significant digits or all before the point, without end zeros.

    Examples
    --------
    >>> quantity(1234.5), quantity(12.345), quantity(0.00012345), quantity(0.5), quantity(0)
    ('1,234', '12.3', '0.000123', '0.5', '0')
    """
    if amount == 0:
        return "0"
    written = format(amount, column_format([amount]))
    return written.rstrip("0").rstrip(".") if "." in written and "e" not in written else written


def column_format(amounts: Sequence[float]) -> str:
    """Return the format that writes amounts alike, three digits of the smallest.

    Examples
    --------
    >>> [format(amount, column_format([0.5, 38.41])) for amount in (0.5, 38.41)]
    ['0.500', '38.410']
    """
    least = min((abs(each) for each in amounts if each and isfinite(each)), default=1.0)
    decimals = max(0, 2 - floor(log10(least)))
    return f",.{decimals}f" if decimals <= _FINEST else ".2e"


def column(amounts: Sequence[float]) -> list[str]:
    """Write amounts alike, N/A where there is none."""
    spelling = column_format(amounts)
    return [format(each, spelling) if isfinite(each) else str(NA) for each in amounts]


def kind_of_amounts(amounts: Sequence[float | None]) -> Kind:
    """Return the kind of a column of amounts that are written alike.

    Examples
    --------
    >>> kind_of_amounts([0.5, None, 38.41]).write(38.41)
    '38.410'
    """
    spelling = column_format([each for each in amounts if each is not None])
    on_pages = "localized" if spelling == ",.0f" else "%" + spelling.lstrip(",")
    return Kind("Float64", lambda x: format(x, spelling), format=on_pages)


def _samples(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    spell, unit = spelling_of(pricing)
    price = _price(pricing.sample_prices, run.model)
    if price is None:
        return Priced(1.0, Text("Costs are counted in samples."), spell, unit)
    return Priced(price[0], Text("A sample costs {price}.", price=spell(price[0])), spell, unit)


def _tokens(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    measured = {name: run.columns.get(name) for name in ("tokens_in", "tokens_out")}
    if measured["tokens_out"] is None:
        raise MetricError(
            Text(
                "The file has no numbers of tokens. Let them be estimated from the length of the "
                "texts, or type their mean."
            )
        )
    basis = Text("tokens as measured, prompt and answer")
    if measured["tokens_in"] is None:
        basis = Text("tokens of the answer as measured; those of the prompt are not in the file")
    return _of_tokens(run, pricing, measured["tokens_in"], measured["tokens_out"], basis)


def _lengths(run: Run, pricing: Pricing, tokens_of: Callable[[Run], Tokens]) -> Priced:
    tokens = tokens_of(run)
    basis = Text(
        "tokens estimated from the texts of {count} question: {rule}",
        "tokens estimated from the texts of {count} questions: {rule}",
        count=tokens.questions,
        rule=LENGTHS,
    )
    return _of_tokens(run, pricing, tokens.prompt, tokens.answer, basis)


def _typed(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    mean = _of_model(pricing.typed_tokens, run.model)
    if mean is None:
        raise MetricError(
            Text("Type how many tokens a sample of {model} has on average.", model=run.model)
        )
    basis = Text("tokens as typed, right and wrong samples alike")
    return _of_tokens(run, pricing, mean[0] if len(mean) == 2 else None, mean[-1], basis)


def _seconds(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    seconds = run.columns.get("latency_s")
    if seconds is None:
        raise MetricError(Text("The file has no times of the samples."))
    spell, unit = spelling_of(pricing)
    price = _price(pricing.second_prices, run.model)
    if price is None:
        return Priced(seconds, Text("Costs are seconds as measured."), spell, unit)
    basis = Text("Seconds as measured, at {price} each.", price=spell(price[0]))
    return Priced(seconds * price[0], basis, spell, unit)


def _recorded(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    costs = run.columns.get("cost")
    if costs is None:
        raise MetricError(Text("The file has no costs of the samples."))
    return Priced(costs, Text("Costs as the file has them."), *spelling_of(pricing))


_BASES: dict[Basis, Callable[[Run, Pricing, Any], Priced]] = {
    "samples": _samples,
    "tokens": _tokens,
    "lengths": _lengths,
    "typed": _typed,
    "seconds": _seconds,
    "recorded": _recorded,
}


def _of_tokens(run: Run, pricing: Pricing, prompt: Any, answer: Any, counted: Text) -> Priced:
    spell, unit = spelling_of(pricing)
    price = _price(pricing.token_prices, run.model)
    if price is None:
        costs = answer if prompt is None else prompt + answer
        return Priced(costs, Text("Costs are {tokens}.", tokens=counted), spell, unit)
    costs = answer * price[-1] / MILLION
    if prompt is not None:
        costs = costs + prompt * price[0] / MILLION
    basis = Text(
        "A million tokens cost {input} in and {output} out; {tokens}.",
        input=quantity(price[0]),
        output=spell(price[-1]),
        tokens=counted,
    )
    return Priced(costs, basis, spell, unit)


def _of_model(entries: PerModel, model: str) -> tuple[float, ...] | None:
    """Return the numbers of a model, or else those of every model; None where there are none."""
    known = dict(entries)
    return known.get(model, known.get(""))


def _price(entries: PerModel, model: str) -> tuple[float, ...] | None:
    """Return the price of a model; None where no model has any."""
    found = _of_model(entries, model)
    if entries and found is None:
        raise MetricError(
            Text("There are prices of other models but none of {model}.", model=model)
        )
    return found


def _in_samples(amount: float) -> Text:
    written = quantity(amount)
    return Text("{amount} sample", "{amount} samples", amount=written, count=_count(written))


def in_tokens(amount: float) -> Text:
    """Write an amount of tokens."""
    written = quantity(amount)
    return Text("{amount} token", "{amount} tokens", amount=written, count=_count(written))


def _count(written: str) -> int:
    """Return a whole number that takes the same form of a noun as a written quantity."""
    return 1 if written == "1" else 2


def _in_seconds(amount: float) -> Text:
    return Text("{amount} s", amount=quantity(amount))


def _in_currency(name: str, amount: float) -> Text:
    return Text("{amount} {currency}", amount=quantity(amount), currency=name)


def _in_unnamed(unit: Text, amount: float) -> Text:
    return Text("{amount} of {currency}", amount=quantity(amount), currency=unit)
