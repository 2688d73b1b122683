"""What the samples of a run cost, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from kofn.lengths import LENGTHS, Tokens, estimate_tokens
from kofn.pricing import Basis, PerModel, Pricing
from metrics.words import MetricError, Text
from reports.report import Run

MILLION = 1_000_000


@dataclass(frozen=True, eq=False)
class Priced:
    """The costs of a run's samples.

    Attributes
    ----------
    costs : float, or float array, shape (M, N)
        As `metrics.choose_n` takes them.
    basis : Text
        What they rest on.
    amount : callable
        Spells an amount with its unit.
    unit : Text
        The unit alone, for axes and headings.
    """

    costs: Any
    basis: Text
    amount: Callable[[float], Text]
    unit: Text


def price_run(
    run: Run, pricing: Pricing, tokens_of: Callable[[Run], Tokens] = estimate_tokens
) -> Priced:
    """Work out what the samples of a run cost.

    Parameters
    ----------
    run : Run
        With outcomes.
    pricing : Pricing
    tokens_of : callable
        Estimates tokens from texts, for basis "lengths"; a page gives one that remembers.

    Raises
    ------
    MetricError
        If the run has not what the costs shall rest on, or its model has no price although others
        have.
    LoadError
        If texts can no longer be read.
    """
    return _BASES[pricing.basis](run, pricing, tokens_of)


def bases_of(run: Run) -> tuple[Basis, ...]:
    """Return what the costs of a run can rest on."""
    has: dict[Basis, bool] = {
        "samples": True,
        "tokens": "tokens_out" in run.columns,
        "lengths": run.has_texts,
        "typed": True,
        "seconds": "latency_s" in run.columns,
        "recorded": "cost" in run.columns,
    }
    return tuple(basis for basis, there in has.items() if there)


def quantity(amount: float) -> str:
    """Write an amount with three significant digits at least, without zeros at its end.

    Examples
    --------
    >>> quantity(1234.5), quantity(12.345), quantity(0.00012345), quantity(0.5), quantity(0)
    ('1,234', '12.3', '0.000123', '0.5', '0')
    """
    if amount == 0:
        return "0"
    digits = max(0, 2 - floor(log10(abs(amount))))
    written = f"{amount:,.{digits}f}"
    return written.rstrip("0").rstrip(".") if digits else written


def _samples(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    price = _of_model(pricing.sample_prices, run.model)
    if price is None:
        basis = Text("Costs are counted in samples.")
        return Priced(1.0, basis, _in_samples, Text("samples"))
    basis = Text("A sample costs {price}.", price=quantity(price[0]))
    return Priced(price[0], basis, _in_money, Text("currency of the prices"))


def _tokens(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    measured = {name: run.columns.get(name) for name in ("tokens_in", "tokens_out")}
    if measured["tokens_out"] is None:
        raise MetricError(
            Text(
                "The file has no numbers of tokens. Let them be estimated from the length of the "
                "texts, or type their mean."
            )
        )
    told = Text("tokens as measured, prompt and answer")
    if measured["tokens_in"] is None:
        told = Text("tokens of the answer as measured; those of the prompt are not in the file")
    return _of_tokens(run, pricing, measured["tokens_in"], measured["tokens_out"], told)


def _lengths(run: Run, pricing: Pricing, tokens_of: Callable[[Run], Tokens]) -> Priced:
    tokens = tokens_of(run)
    told = Text(
        "tokens estimated from the texts of {count} question: {rule}",
        "tokens estimated from the texts of {count} questions: {rule}",
        count=tokens.questions,
        rule=LENGTHS,
    )
    return _of_tokens(run, pricing, tokens.prompt, tokens.answer, told)


def _typed(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    mean = _of_model(pricing.typed_tokens, run.model)
    if mean is None:
        raise MetricError(Text("Type how many tokens a sample has on average."))
    told = Text("tokens as typed, right and wrong samples alike")
    return _of_tokens(run, pricing, mean[0] if len(mean) == 2 else None, mean[-1], told)


def _seconds(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    seconds = run.columns.get("latency_s")
    if seconds is None:
        raise MetricError(Text("The file has no times of the samples."))
    price = _of_model(pricing.second_prices, run.model)
    if price is None:
        return Priced(seconds, Text("Costs are seconds as measured."), _in_seconds, Text("seconds"))
    basis = Text("Seconds as measured, at {price} each.", price=quantity(price[0]))
    return Priced(seconds * price[0], basis, _in_money, Text("currency of the prices"))


def _recorded(run: Run, pricing: Pricing, tokens_of: Any) -> Priced:
    costs = run.columns.get("cost")
    if costs is None:
        raise MetricError(Text("The file has no costs of the samples."))
    return Priced(
        costs, Text("Costs as the file has them."), _in_money, Text("currency of the file")
    )


_BASES: dict[Basis, Callable[[Run, Pricing, Any], Priced]] = {
    "samples": _samples,
    "tokens": _tokens,
    "lengths": _lengths,
    "typed": _typed,
    "seconds": _seconds,
    "recorded": _recorded,
}


def _of_tokens(run: Run, pricing: Pricing, prompt: Any, answer: Any, told: Text) -> Priced:
    price = _of_model(pricing.token_prices, run.model)
    if price is None:
        costs = answer if prompt is None else prompt + answer
        return Priced(costs, Text("Costs are {tokens}.", tokens=told), _in_tokens, Text("tokens"))
    costs = answer * price[-1] / MILLION
    if prompt is not None:
        costs = costs + prompt * price[0] / MILLION
    basis = Text(
        "A million tokens cost {input} in and {output} out; {tokens}.",
        input=quantity(price[0]),
        output=quantity(price[-1]),
        tokens=told,
    )
    return Priced(costs, basis, _in_money, Text("currency of the prices"))


def _of_model(entries: PerModel, model: str) -> tuple[float, ...] | None:
    """Return the numbers of a model; None where no model has any."""
    known = dict(entries)
    found = known.get(model, known.get(""))
    if entries and found is None:
        raise MetricError(
            Text("There are prices of other models but none of {model}.", model=model)
        )
    return found


def _in_samples(amount: float) -> Text:
    return Text("{amount} samples", amount=quantity(amount))


def _in_tokens(amount: float) -> Text:
    return Text("{amount} tokens", amount=quantity(amount))


def _in_seconds(amount: float) -> Text:
    return Text("{amount} s", amount=quantity(amount))


def _in_money(amount: float) -> Text:
    return Text("{amount}", amount=quantity(amount))
