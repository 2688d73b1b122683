"""A View survives the URL, the command line and JSON, and whatever else is put there."""

import argparse
import json
from typing import get_args
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.choices.view import K_COUNT, K_MAX, LEVELS, View
from metrics.data.outcomes import Missing
from metrics.data.results import Target
from metrics.data.words import MetricError
from metrics.scoring.registry import METRICS

NAMES = st.text(st.characters(exclude_categories=["Cs"]))
VIEWS = st.builds(
    View,
    runs=st.lists(NAMES, max_size=4).map(tuple),
    segment=st.none() | st.tuples(NAMES.filter(bool), NAMES),
    missing=st.sampled_from(get_args(Missing)),
    k=st.lists(st.integers(1, K_MAX), max_size=6, unique=True).map(tuple),
    level=st.floats(*LEVELS),
    target=st.sampled_from(get_args(Target)),
    metric=st.none() | st.sampled_from(sorted(METRICS)),
)

KEYS = [setting.key for setting in View.SETTINGS]


@given(VIEWS)
def test_a_view_survives_a_url(view: View) -> None:
    url = urlencode(view.to_query(), doseq=True)
    assert View.from_query(parse_qs(url, keep_blank_values=True)) == (view, ())


@given(VIEWS)
def test_a_view_survives_json(view: View) -> None:
    document = json.loads(json.dumps(view.to_json()))
    told = {
        key: [str(each) for each in value] if isinstance(value, list) else str(value)
        for key, value in document.items()
        if value is not None
    }
    assert View.from_query(told) == (view, ())


@given(VIEWS)
def test_a_view_survives_the_command_line(view: View) -> None:
    parser = argparse.ArgumentParser()
    View.add_arguments(parser)
    flags = [f"--{key}={value}" for key, values in view.to_query().items() for value in values]
    assert View.from_arguments(parser.parse_args(flags)) == view


def test_the_default_view_is_an_empty_url() -> None:
    assert View().to_query() == {}


def test_only_what_was_chosen_is_in_the_url() -> None:
    view = View(runs=("7B / gsm8k", "7B / aime"), k=(1, 4), level=0.9)
    assert view.to_query() == {"run": ["7B / gsm8k", "7B / aime"], "k": ["1,4"], "level": ["0.9"]}


@pytest.mark.parametrize(
    "query",
    [
        {"level": "95"},
        {"level": "0"},
        {"level": "1e-300"},
        {"level": "0.9999999999999999"},
        {"level": "1"},
        {"level": "nan"},
        {"level": "inf"},
        {"level": ""},
        {"level": "-0.5"},
        {"k": "0"},
        {"k": "-1"},
        {"k": "4.0"},
        {"k": ""},
        {"k": "1,,2"},
        {"k": "9" * 5000},
        {"k": str(K_MAX + 1)},
        {"k": ",".join(map(str, range(1, K_COUNT + 2)))},
        {"k": [str(k) for k in range(1, K_COUNT + 2)]},
        {"segment": "subject"},
        {"segment": "=algebra"},
        {"target": "everyone"},
        {"missing": "forget"},
        {"metric": "__class__"},
    ],
)
def test_an_invalid_value_is_reported_and_left_out(query: dict[str, str]) -> None:
    view, problems = View.from_query({**query, "run": ["7B / gsm8k"]})
    assert view == View(runs=("7B / gsm8k",))
    (problem,) = problems
    (key,) = query
    assert str(problem).startswith((f"{key} must ", f"There is no {key} "))
    assert len(str(problem)) < 400


@given(
    st.dictionaries(
        st.sampled_from(KEYS) | st.text(),
        st.text() | st.lists(st.text(), max_size=5),
        max_size=8,
    )
)
def test_no_query_is_refused(query: dict[str, str | list[str]]) -> None:
    view, problems = View.from_query(query)
    assert View.from_query(view.to_query()) == (view, ())
    assert all(str(problem) for problem in problems)


def test_somebody_elses_parameters_are_passed_over() -> None:
    assert View.from_query({"embed": "true", "__proto__": "1"}) == (View(), ())


def test_the_last_of_several_single_values_counts() -> None:
    assert View.from_query({"level": ["0.9", "0.8"]})[0].level == 0.8


def test_k_may_be_repeated_and_listed() -> None:
    assert View.from_query({"k": ["1,4", "16", "4"]})[0].k == (1, 4, 16)


def test_an_attribute_may_hold_an_equals_sign() -> None:
    view = View(segment=("a=b%", "c=d%3D"))
    assert view.to_query() == {"segment": ["a%3Db%25=c=d%3D"]}
    assert View.from_query(view.to_query())[0] == view


def test_a_wrong_flag_is_an_error() -> None:
    parser = argparse.ArgumentParser()
    View.add_arguments(parser, "level")
    of_level = r"level must be from 0\.01 to 0\.9999, such as 0\.95; got '95'\.$"
    for values in (["95"], ["0.9", "95"]):
        arguments = [part for value in values for part in ("--level", value)]
        with pytest.raises(MetricError, match=of_level):
            View.from_arguments(parser.parse_args(arguments), "level")


def test_a_parser_takes_only_the_settings_it_was_given(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    View.add_arguments(parser, "k")
    with pytest.raises(SystemExit):
        parser.parse_args(["--metric", "pass@k"])
    assert "--metric" in capsys.readouterr().err


def test_as_many_values_of_k_are_read_as_may_be():
    ks = tuple(range(1, K_COUNT + 1))
    assert View.from_query({"k": ",".join(map(str, ks))})[0].k == ks
