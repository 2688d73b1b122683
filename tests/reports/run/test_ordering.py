"""Runs are put in the order that their names, settings or times tell, and in no other."""

from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import MetricError
from reports import Run
from reports.run.ordering import find_orders, order_by, tokens


def named(*models, **given):
    return {model: Run(model, "gsm8k", None, **given) for model in models}


@pytest.mark.parametrize(
    ("names", "along"),
    [
        (["ckpt-500", "ckpt-3000", "ckpt-12000"], "checkpoint"),
        (["alpha_step_90", "alpha_step_1200", "alpha_step_1300"], "step"),
        (["step-1k", "step-20k", "step-3m"], "step"),
        (["m-v1.2", "m-v1.10", "m-v2"], "version"),
        (["m 0.9.12", "m 0.10.2", "m 1.0.0"], "version"),
        (["m-2025-12-31", "m-2026-01-02", "m-2026-02-01"], "date"),
        (["m_20251231", "m_20260102", "m_20260102_101500"], "date"),
        (["m, temperature=0.2", "m, temperature=0.7", "m, temperature=1.0"], "temperature"),
        (["qwen2-7b-chat", "qwen2-14b-chat", "qwen2-110b-chat"], "size"),
        (["m-iter100", "m-iter200", "m-iter1000"], "iteration"),
    ],
)
def test_names_that_differ_in_one_place_are_a_series_in_its_order(names, along):
    (order,) = find_orders(named(*reversed(names)))
    assert (order.along, order.keys) == (along, tuple(names))
    assert order_by(named(*names[::-1]), along).keys == tuple(names)


@pytest.mark.parametrize(
    "names",
    [
        ["alpha", "beta", "gamma"],
        ["model-1", "model-2", "model-3"],
        ["ckpt-1", "ckpt-2"],
        ["a-step-1", "b-step-2", "c-step-3"],
        ["a-step-1-t0.1", "a-step-2-t0.2", "a-step-3-t0.3"],
        ["a-1", "a-01", "a-2"],
        ["m-v1", "m-2", "m-2026-01-01"],
    ],
)
def test_names_that_differ_elsewhere_are_none(names):
    assert find_orders(named(*names)) == ()


def test_numbers_behind_other_words_are_an_order_if_someone_says_so():
    runs = named("gpt-4.1", "gpt-3.5", "gpt-4")
    assert find_orders(runs) == ()
    assert order_by(runs, "gpt").keys == ("gpt-3.5", "gpt-4", "gpt-4.1")


def test_a_grid_of_two_numbers_is_a_series_along_each():
    names = [f"a-step-{step}-t0.{t}" for step in (10, 20, 30) for t in (1, 5)]
    found = find_orders(named(*names))
    assert [(order.along, order.labels) for order in found] == 2 * [("step", ("10", "20", "30"))]


def test_runs_of_one_model_are_a_series_by_a_setting_or_their_time():
    cool = {
        f"run {t}": Run("m", "d", None, settings={"temperature": t, "seed": 9 - i, "n": 4})
        for i, t in enumerate((1.0, 0, 0.6))
    }
    (order,) = find_orders(cool)
    assert (order.along, order.keys) == ("temperature", ("run 0", "run 0.6", "run 1.0"))
    assert order_by(cool, "seed").keys == ("run 0.6", "run 0", "run 1.0")
    nightly = {str(day): Run("m", "d", None, time=datetime(2026, 1, day)) for day in (3, 1, 2)}
    (order,) = find_orders(nightly)
    assert (order.along, order.keys, order.labels[0]) == (
        "time",
        ("1", "2", "3"),
        "2026-01-01 00:00:00",
    )


def test_a_name_and_a_setting_that_say_the_same_are_one_series():
    runs = {
        f"m-step-{s}": Run(f"m-step-{s}", "d", None, settings={"step": s}) for s in (100, 20, 3)
    }
    assert len(find_orders(runs)) == 1
    assert order_by(runs, "step").labels == ("3", "20", "100")


def test_an_order_that_was_asked_for_leaves_out_what_has_no_place_and_refuses_ties():
    runs = named("a-step-3", "b-step-1", "base")
    assert order_by(runs, "step").keys == ("b-step-1", "a-step-3")
    assert order_by(runs, "step").left_out == ("base",)
    with pytest.raises(MetricError, match="a-step-3 and c-step-3 have the same step, 3"):
        order_by(named("a-step-3", "c-step-3"), "step")
    with pytest.raises(
        MetricError, match=r"have a temperature to order them by\. The runs have: step"
    ):
        order_by(runs, "temperature")


def test_a_number_is_where_it_ends():
    assert tokens("x7y8.5.z")[1] == (("number", (7.0,), "7"), ("number", (8.5,), "8.5"))
    assert tokens("")[1] == tokens("no number")[1] == ()
    assert tokens("1-" * 5000)[1] == ()


@given(
    st.lists(
        st.text(alphabet="ab-_. v0123456789kMB:", max_size=12), min_size=2, max_size=6, unique=True
    )
)
def test_any_names_are_ordered_by_what_they_hold_or_refused(names):
    runs = named(*names)
    for order in find_orders(runs):
        assert len(order.keys) >= 3
        assert list(order.values) == sorted(order.values)
        assert len({*order.values}) == len(order.values)
        assert all(label in key for label, key in zip(order.labels, order.keys, strict=True))
    for along in ("version", "date", "v", "number", "size"):
        with suppress(MetricError):
            order = order_by(runs, along)
            assert {*order.keys, *order.left_out} == {*names}
