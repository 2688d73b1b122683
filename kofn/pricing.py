"""What a sample costs, and what may be spent: a user's prices, and a run's costs under them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any, ClassVar, Literal, get_args

from kofn.codec import (
    Choices,
    Setting,
    excerpt,
    number,
    one_of,
    spell_yes_or_no,
    yes_or_no,
)
from kofn.lengths import LENGTHS, Tokens, estimate_tokens
from metrics.words import MetricError, Text
from reports.report import Run

Basis = Literal["samples", "tokens", "lengths", "typed", "seconds", "recorded"]
PerModel = tuple[tuple[str, tuple[float, ...]], ...]
"""Numbers by model; those of "" hold for every model without its own."""

MILLION = 1_000_000
LARGEST = 1e9
"""The largest price, budget or mean that is read."""
SMALLEST = 1e-12
MODELS = 100
"""The most models that have prices of their own."""


def _read_per_model(key: str, numbers: tuple[int, ...]) -> Callable[[Sequence[str]], PerModel]:
    """Return a reader of ``[MODEL=]NUMBER[,NUMBER]``; `numbers` says how many there may be."""

    def read(texts: Sequence[str]) -> PerModel:
        found: dict[str, tuple[float, ...]] = {}
        for text in texts[:MODELS]:
            model, equals, values = text.rpartition("=")
            try:
                amounts = tuple(float(value) for value in values.split(",", max(numbers)))
            except ValueError:
                amounts = ()
            known = len(amounts) in numbers and all(0 <= a <= LARGEST for a in amounts)
            if not (known and sum(amounts) > 0) or (equals and not model):
                raise MetricError(
                    Text(
                        "{key} must be {count} number from 0 to {largest:g}, not 0, with MODEL= in "
                        "front where it is of one model; got {got}.",
                        "{key} must be up to {count} numbers from 0 to {largest:g}, separated by "
                        "a comma and not all 0, with MODEL= in front where they are of one model; "
                        "got {got}.",
                        key=key,
                        count=max(numbers),
                        largest=LARGEST,
                        got=excerpt([text]),
                    )
                )
            found[model.replace("%3D", "=").replace("%25", "%")] = amounts
        return tuple(found.items())

    return read


def _spell_per_model(prices: PerModel) -> list[str]:
    return [
        (model.replace("%", "%25").replace("=", "%3D") + "=" if model else "")
        + ",".join(f"{amount:.12g}" for amount in amounts)
        for model, amounts in prices
    ]


def _per_model(
    key: str, field: str, metavar: str, help: Text, numbers: tuple[int, ...] = (1,)
) -> Setting:
    read = _read_per_model(key, numbers)
    return Setting(key, field, read, metavar, help, _spell_per_model, _spell_per_model)


@dataclass(frozen=True)
class Pricing(Choices):
    """What a sample costs, what a solved question is worth, and whether answers can be checked.

    Attributes
    ----------
    basis : {"samples", "tokens", "lengths", "typed", "seconds", "recorded"}
        What costs rest on: the number of samples; measured tokens; tokens estimated from the
        length of the texts; typed mean numbers of tokens; measured seconds; costs in the file.
    token_prices : tuple of (model, (input, output))
        Of a million tokens; of one number both. Without any, costs are counted in tokens.
    typed_tokens : tuple of (model, (input, output))
        Mean tokens of a sample; of one number, output.
    second_prices, sample_prices : tuple of (model, (price,))
        Of a second, of a sample. Without any, costs are counted in seconds, in samples.
    value : float or None
        What a solved question is worth.
    budget : float or None
        The most that a question may cost on average.
    reach : float
        Share of the quality at the largest n that is wanted where neither is given.
    verifier : bool
        Whether answers can be checked automatically.

    Examples
    --------
    >>> Pricing("tokens", token_prices=(("", (0.1, 0.4)), ("7B", (0.02, 0.05)))).to_query()
    {'basis': ['tokens'], 'token-price': ['0.1,0.4', '7B=0.02,0.05']}
    """

    basis: Basis = "samples"
    token_prices: PerModel = ()
    typed_tokens: PerModel = ()
    second_prices: PerModel = ()
    sample_prices: PerModel = ()
    value: float | None = None
    budget: float | None = None
    reach: float = 0.95
    verifier: bool = True

    SETTINGS: ClassVar = (
        Setting(
            "basis",
            "basis",
            one_of("basis", get_args(Basis)),
            "|".join(get_args(Basis)),
            Text(
                "what costs rest on: samples (default), measured tokens, tokens by the lengths of "
                "texts, typed mean tokens, measured seconds, or costs recorded in the file"
            ),
        ),
        _per_model(
            "token-price",
            "token_prices",
            "[MODEL=]IN,OUT",
            Text("price of a million input and output tokens; may be repeated for models"),
            (1, 2),
        ),
        _per_model(
            "tokens",
            "typed_tokens",
            "[MODEL=]IN,OUT",
            Text("mean input and output tokens of a sample, for basis typed; may be repeated"),
            (1, 2),
        ),
        _per_model(
            "second-price",
            "second_prices",
            "[MODEL=]PRICE",
            Text("price of a second; may be repeated for models"),
        ),
        _per_model(
            "sample-price",
            "sample_prices",
            "[MODEL=]PRICE",
            Text("price of a sample; may be repeated for models"),
        ),
        Setting(
            "value",
            "value",
            number("value", SMALLEST, LARGEST, 0.5),
            "AMOUNT",
            Text("what a solved question is worth, in the unit of the costs"),
        ),
        Setting(
            "budget",
            "budget",
            number("budget", SMALLEST, LARGEST, 0.5),
            "AMOUNT",
            Text("the most that a question may cost on average, in the unit of the costs"),
        ),
        Setting(
            "reach",
            "reach",
            number("reach", 0.01, 1.0, 0.95),
            "FRACTION",
            Text("share of the quality at the largest n to reach (default: 0.95)"),
        ),
        Setting(
            "verifier",
            "verifier",
            yes_or_no("verifier"),
            "yes|no",
            Text("whether answers can be checked automatically (default: yes)"),
            spell_yes_or_no,
            lambda chosen: spell_yes_or_no(chosen)[0],
        ),
    )


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
