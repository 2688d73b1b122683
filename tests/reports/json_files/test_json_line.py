"""A line of JSON read member by member is what strict JSON makes of it, or as clearly refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.files.errors import LoadError
from reports.json_files.line import read_line
from reports.json_files.strict import parse

texts = st.text(st.characters(codec="utf-8"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 99) | texts, st.lists, max_leaves=5
)
objects = st.dictionaries(texts, values, max_size=5)


@given(objects, st.booleans(), st.sampled_from([None, (",", ":")]))
def test_members_are_those_of_the_line(record, ascii_only, separators):
    line = json.dumps(record, ensure_ascii=ascii_only, separators=separators).encode() + b"\n"
    found = read_line(line, "f.jsonl", "line 1")
    assert {key: found.get(key) for key in record} == record
    assert found.get("no such key") is None


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 1, "id": 2}',
        b'{"id": 1, "i\\u0064": 2}',
        b'{"id":1,"id":2}',
        b'{"id": NaN}',
        b'{"id": 1e999}',
        b'{"id": 1',
        b'{"id": 1} {}',
        b'{"id": "\xff"}',
        b'{"id": ' + b"[" * 100_000,
        b"",
    ],
)
def test_what_strict_json_refuses_is_refused(line):
    with pytest.raises(LoadError) as strict:
        parse(line, "f.jsonl", "line 1")
    with pytest.raises(LoadError) as caught:
        read_line(line, "f.jsonl", "line 1").get("id")
    assert str(caught.value) == str(strict.value)


def test_a_byte_order_mark_and_other_values_are_accepted():
    assert read_line(b'\xef\xbb\xbf{"id": 1}', "f.jsonl", "line 1").get("id") == 1
    assert read_line(b"[1]", "f.jsonl", "line 1") == [1]
