"""A user's costs: prices, a budget, the value of a solved question, a verifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, excerpt, number, one_of, switch, word
from metrics.analyses.choose_n.advice import Rule
from metrics.data.words import MetricError, Text

Basis = Literal["known", "tokens", "lengths", "typed", "seconds", "samples", "recorded"]
PerModel = tuple[tuple[str, tuple[float, ...]], ...]
"""Numbers by model; those of "" hold for every model without its own."""

LARGEST = 1e9
"""The largest price, budget or mean that is read."""
SMALLEST = 1e-12
MODELS = 100
"""The most models that have prices of their own."""
CURRENCY = 12
"""The most letters of a currency."""


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
                        "{key} must be {count} number above 0, at most {largest:g}, with MODEL= in "
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


def _read_questions(texts: Sequence[str]) -> int:
    try:
        count = int(texts[-1])
    except ValueError:
        count = 0
    if not 1 <= count <= LARGEST:
        raise MetricError(
            Text(
                "questions must be a whole number from 1 to {largest:g}; got {got}.",
                largest=LARGEST,
                got=excerpt(texts),
            )
        )
    return count


def _read_currency(texts: Sequence[str]) -> str:
    name = texts[-1].strip()
    if len(name) > CURRENCY or not name.isprintable():
        raise MetricError(
            Text(
                "currency must have at most {most} letters, such as USD; got {got}.",
                most=CURRENCY,
                got=excerpt(texts),
            )
        )
    return name


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
    return Setting(key, read, metavar, help, _spell_per_model, _spell_per_model, field=field)


@dataclass(frozen=True)
class Pricing(Choices):
    """What a sample costs, what a solved question is worth, and whether answers can be checked.

    Examples
    --------
    >>> Pricing("tokens", token_prices=(("", (0.1, 0.4)), ("7B", (0.02, 0.05)))).to_query()
    {'basis': ['tokens'], 'token-price': ['0.1,0.4', '7B=0.02,0.05']}
    """

    # What costs rest on: what is known best (see `kofn.choose_n.prices.with_basis`); measured
    # tokens; tokens estimated from the length of the texts; typed mean numbers of tokens; measured
    # seconds; the number of samples; costs in the file.
    basis: Basis = "known"
    # Of a million tokens, (input, output); of one number both. Without any, costs are in tokens.
    token_prices: PerModel = ()
    typed_tokens: PerModel = ()  # Mean (input, output) tokens of a sample; of one number, output.
    # Of a second, of a sample. Without any, costs are counted in seconds, in samples.
    second_prices: PerModel = ()
    sample_prices: PerModel = ()
    currency: str = ""  # What prices are in; empty where that is not said.
    value: float | None = None  # What a solved question is worth.
    budget: float | None = None  # The most that a question may cost on average.
    total: float | None = None  # The most that all questions may cost.
    questions: int | None = None  # How many questions that are; None for those of the data.
    quality: float | None = None  # The share of questions to solve.
    # Share, of the best that any run solves, that is wanted where none of these is given.
    reach: float = 0.95
    verifier: bool = True  # Whether answers can be checked automatically.
    # The signal that picks one of n answers where they cannot be checked, as
    # `kofn.choices.signals.numbers_of` takes it; empty where none does. It goes before all else.
    picked_by: str = ""

    SETTINGS: ClassVar = (
        one_of(
            "basis",
            get_args(Basis),
            Text(
                "what costs are based on: the best known (default: tokens if all runs have "
                "them, else seconds, else samples, or what has a price), measured tokens, "
                "tokens by the lengths of texts, typed mean tokens, measured seconds, samples, "
                "or costs recorded in the file"
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
        Setting("currency", _read_currency, "NAME", Text("what prices are in, such as USD")),
        number(
            "value",
            (SMALLEST, LARGEST, 0.5),
            Text("what a solved question is worth, in the unit of the costs"),
            metavar="AMOUNT",
        ),
        number(
            "budget",
            (SMALLEST, LARGEST, 0.5),
            Text("the most that a question may cost on average, in the unit of the costs"),
            metavar="AMOUNT",
        ),
        number(
            "total",
            (SMALLEST, LARGEST, 0.5),
            Text("the most that all questions may cost, in the unit of the costs"),
            metavar="AMOUNT",
        ),
        Setting(
            "questions",
            _read_questions,
            "COUNT",
            Text("how many questions there are, such as those of a month (default: those given)"),
        ),
        number("quality", (0.01, 1.0, 0.8), Text("share of the questions to solve")),
        number(
            "reach",
            (0.01, 1.0, 0.95),
            Text("share of the best that any run solves to reach (default: 0.95)"),
        ),
        switch("verifier", Text("whether answers can be checked automatically (default: yes)")),
        word(
            "picked-by",
            "COLUMN",
            Text(
                "the column that picks one of n answers where they cannot be checked, the highest "
                "value; with a minus sign in front the lowest"
            ),
        ),
    )

    @property
    def without_prices(self) -> Pricing:
        """The same, where nothing has a price."""
        return replace(self, token_prices=(), second_prices=(), sample_prices=())

    @property
    def has_prices(self) -> bool:
        """Whether what costs rest on has a price."""
        priced = {"samples": self.sample_prices, "seconds": self.second_prices, "recorded": True}
        return bool(priced.get(self.basis, self.token_prices))

    def limits(self, questions: int) -> dict[Rule, float]:
        """Return the one aim of all runs, by its rule; without a count, for so many questions."""
        if self.value is not None:
            return {"value": self.value}
        if self.budget is not None:
            return {"budget": self.budget}
        if self.total is not None:
            return {"budget": self.total / (self.questions or questions)}
        return {"reach": self.reach} if self.quality is None else {"quality": self.quality}
