"""Strict JSON: equal to the standard library where the standard is clear, refused elsewhere."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.files.errors import LoadError
from reports.json_files.strict import parse

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)


@given(values, st.booleans(), st.sampled_from([None, 4]))
def test_what_json_writes_is_read_back(value, ascii_only, indent):
    data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()
    assert parse(data, "f.json") == value


@given(values.filter(lambda v: isinstance(v, dict | list)), st.data())
def test_a_value_cut_anywhere_is_refused(value, data):
    whole = json.dumps(value).encode()
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(LoadError):
        parse(cut, "f.json")


@given(st.binary(max_size=60))
def test_any_bytes_give_a_value_or_a_refusal(data):
    with contextlib.suppress(LoadError):
        parse(data, "f.json")


def test_a_byte_order_mark_is_accepted():
    assert parse(b'\xef\xbb\xbf{"a": 1}', "f.json") == {"a": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": NaN}', "line 1, column 7: NaN is not a number that JSON allows"),
        (b'{"NaN": "Infinity",\n "b": -Infinity}', "line 2, column 7: -Infinity is not"),
        (b'{"a": [NaNny]}', "NaN is not a number"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "the key 'c' occurs 2 times in one object"),
        (b'{"a": 1e999}', "column 7: the number that begins 1e999 is beyond 64 bits"),
        (b"[9223372036854775808]", "column 2: the number that begins 922337203685 is beyond"),
        (b"[" + b"9" * 100_000 + b"]", "begins 999999999999 is beyond 64 bits"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"a": "\xff"}', "byte 7: is not UTF-8 text. Save it as UTF-8."),
        ('{"a": 1}'.encode("utf-16"), "is not UTF-8 text"),
        (b'{"a": [1, 2', "line 1, column 12: the JSON ends in the middle"),
        (b'{"a": 1,\n "b": "tex', "line 2, column 11: the JSON ends in the middle"),
        (b'{"a": tr', "the JSON ends in the middle"),
        (b"", "the JSON ends in the middle"),
        (b'{"a": 1}\n{"a": 2}', "line 2, column 1: is not JSON (Extra data)"),
        (b"{'a': 1}", "line 1, column 2: is not JSON"),
        (b"<html>", "line 1, column 1: is not JSON"),
    ],
)
def test_what_the_standard_leaves_open_is_refused_with_its_place(data, message):
    with pytest.raises(LoadError) as caught:
        parse(data, "f.json")
    assert message in str(caught.value)
    assert str(caught.value).startswith("f.json, ") or not caught.value.place


def test_the_place_of_one_line_among_many_names_that_line_and_the_column():
    with pytest.raises(LoadError, match=r"^p\.jsonl, line 17, column 7: NaN"):
        parse(b'{"a": NaN}\n', "p.jsonl", "line 17")
