"""Prices as one table by model: what is read of a pricing comes back to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.choose_n.price_list import price_rows, with_rows
from kofn.choose_n.pricing import Pricing

MODELS = ["7B", "a=b%", "72B"]
AMOUNTS = st.one_of(st.none(), st.floats(1e-9, 1e9))


def amounts(row):
    """Return amounts, 0 for none."""
    return {key: amount or 0.0 for key, amount in row.items()}


@pytest.mark.wide
@pytest.mark.parametrize("basis", ["tokens", "lengths", "typed", "seconds", "samples"])
@given(data=st.data())
def test_what_is_typed_is_what_is_shown_and_survives_an_address(basis, data):
    keys = list(price_rows(Pricing(basis), ["x"])[0])
    rows = [{key: data.draw(AMOUNTS) for key in keys} for _ in MODELS]
    priced = with_rows(Pricing(basis), MODELS, rows)
    shown = price_rows(priced, MODELS)
    for row, seen in zip(rows, shown, strict=True):
        assert amounts(seen) == amounts(row)
    read, problems = Pricing.from_query(priced.to_query())
    assert problems == ()
    for row, seen in zip(shown, price_rows(read, MODELS), strict=True):
        assert amounts(seen) == pytest.approx(amounts(row), rel=1e-9)


def test_a_price_of_all_models_becomes_one_of_each_once_a_row_is_typed():
    pricing = Pricing("tokens", token_prices=(("", (1.0, 2.0)), ("9B", (5.0, 5.0))))
    rows = price_rows(pricing, ["7B", "72B"])
    assert rows == [{"input": 1.0, "output": 2.0}] * 2
    rows[0]["output"] = 4.0
    assert dict(with_rows(pricing, ["7B", "72B"], rows).token_prices) == {
        "9B": (5.0, 5.0),
        "7B": (1.0, 4.0),
        "72B": (1.0, 2.0),
    }


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf"), 1e12, 0.0, None])
def test_what_is_no_price_is_none(amount):
    assert with_rows(Pricing("samples"), ["7B"], [{"price": amount}]).sample_prices == ()


def test_costs_of_the_file_have_no_price():
    assert price_rows(Pricing("recorded"), ["7B"]) == [{}]
