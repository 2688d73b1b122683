"""Entries read in blocks are those of the whole file, in any layout, and as strictly refused."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.files.errors import LoadError
from reports.json_files.entries import Entries
from reports.json_files.fields import MISSING, FieldReader, Parsed
from reports.json_files.strict import parse

texts = st.text(st.characters(codec="utf-8"), max_size=20) | st.sampled_from(
    ["\n        }\n    ]", '"correct": [true]', "}\n", "\\", '"}'.join("abc"), "\u2028"]
)
values = texts | st.booleans() | st.none() | st.lists(texts | st.booleans(), max_size=3)
entry = st.fixed_dictionaries({"pred": values, "correct": values})
layouts = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]),
        "separators": st.sampled_from([None, (",", ":"), (" , ", " : "), (",\r\n", ":\t")]),
        "ensure_ascii": st.booleans(),
    }
)


@pytest.fixture(scope="module", autouse=True)
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reports.json_files.entries.BLOCK", 97)
        yield


def written(value, **layout):
    return json.dumps(value, **layout).encode()


def columns(data, member="details"):
    """Read two fields of every entry in blocks."""
    entries = Entries(io.BytesIO(data), member, "f.json")
    assert entries.found
    reader = FieldReader("f.json", "details")
    fields = [reader.read(block) for block in entries]
    parse(entries.rest, "f.json")
    return entries, {
        key: [value for one in fields for value in one.values(key)] for key in ("pred", "correct")
    }


@pytest.mark.wide
@given(st.lists(entry, min_size=1, max_size=8), st.booleans(), layouts)
def test_blocks_hold_all_entries_and_the_rest_of_the_file(rows, named, layout):
    details = {str(i): row for i, row in enumerate(rows)} if named else rows
    left = {"type": "GEN", "n": 3} if named else []
    whole = {"accuracy": 50.0, "details": details | left if named else details, "type": "GEN"}
    entries, found = columns(written(whole, **layout))
    assert found == {key: [row[key] for row in rows] for key in ("pred", "correct")}
    assert json.loads(entries.rest) == whole | {"details": left}


@given(st.lists(entry, min_size=1, max_size=8), layouts)
def test_a_file_that_is_an_object_of_entries_is_read_the_same_way(rows, layout):
    data = written({str(i): row for i, row in enumerate(rows)}, **layout)
    _, found = columns(data, "")
    assert found == {key: [row[key] for row in rows] for key in ("pred", "correct")}


def test_an_offset_is_where_the_entries_of_a_block_stand():
    rows = [{"pred": "x" * 50, "correct": i} for i in range(9)]
    data = json.dumps({"details": rows}, indent=4).encode()
    found = list(Entries(io.BytesIO(data), "details", "f.json"))
    assert len(found) > 3
    for block in found:
        assert data[block.offset :].startswith(block.data[1:-1])


def dumped(*rows, indent=4):
    return json.dumps({"details": list(rows)}, indent=indent)


ROW = {"pred": ["7"], "correct": [True]}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"pred": [', '"correct": [],\n            "pred": [', "'correct' occurs 2 times"),
        ('"pred": [', '"corr\\u0065ct": [], "pred": [', "'correct' occurs 2 times"),
        ("true", "NaN", "NaN is not a number"),
        ("true", "1e999", "beyond 64 bits"),
        ("true", "1" * 30, "beyond 64 bits"),
        ("true", "[" * 100_000, "nested too deeply|JSON"),
        ('"7"', '"7', "not JSON"),
        ('"7"', '"\udcff"', "is not UTF-8"),
        ("        }\n    ]", "        },\n", "not JSON"),
        ("        }\n    ]\n}", "        },\n", "ends in the middle"),
        ("        }\n    ]", "        },\n    ]", "not JSON"),
        ("    ]\n}", "", "ends in the middle"),
    ],
)
@pytest.mark.parametrize("before", [0, 5])
def test_what_strict_json_refuses_is_refused_in_blocks(old, new, message, before):
    text = dumped(*[ROW] * before, ROW)
    start, _, end = text.rpartition(old)
    data = f"{start}{new}{end}".encode(errors="surrogateescape")
    with pytest.raises(LoadError, match=message):
        columns(data)


def test_a_layout_of_ones_own_is_read_strictly():
    text = dumped(ROW, ROW).replace('"pred": [', '"pred":\t[')
    _, found = columns(text.encode())
    assert found["pred"] == [["7"], ["7"]]


def test_entries_with_keys_of_their_own_are_read_strictly():
    _, found = columns(dumped(ROW, {"pred": ["8"]}).encode())
    assert found == {"pred": [["7"], ["8"]], "correct": [[True], MISSING]}


def test_what_is_no_object_has_no_fields():
    fields = Parsed([3, {"a": 1}])
    assert (fields.keys, fields.values("a")) == ((), [MISSING, 1])


def test_a_list_that_follows_is_never_taken_for_entries():
    data = json.dumps({"details": [ROW, ROW], "others": [ROW, ROW]}, indent=4).encode()
    try:
        _, found = columns(data)
    except LoadError:
        return
    assert found["pred"] == [["7"], ["7"]]


def test_an_endless_entry_is_refused(monkeypatch):
    monkeypatch.setattr("reports.json_files.entries.MAX_ENTRY", 10_000)
    data = dumped(ROW | {"pred": ["x" * 20_000]}).encode()
    with pytest.raises(LoadError, match="an entry is longer than"):
        columns(data)


@pytest.mark.parametrize("layout", [{}, {"separators": (",", ":")}, {"indent": 2}])
@pytest.mark.parametrize("twice", ["pred", "correct"])
def test_a_key_that_occurs_twice_is_seen_in_any_layout(layout, twice):
    for place in range(7):
        rows = [json.dumps(ROW, **layout)] * 7
        rows[place] = rows[place].replace("{", f'{{"{twice}": [], ', 1)
        data = f'{{"details": [{", ".join(rows)}]}}'
        with pytest.raises(LoadError, match="occurs 2 times"):
            columns(data.encode())


ALIKE = {"id": 0, "pred": [{"id": 1}, {"id": 2}], "correct": True}


@pytest.mark.parametrize("indent", [1, 4, "\t"])
def test_objects_in_entries_that_begin_as_these_do_are_told_apart_by_their_indent(indent):
    _, found = columns(json.dumps({"details": [ALIKE] * 9}, indent=indent).encode())
    assert found["pred"] == [ALIKE["pred"]] * 9


def test_entries_of_objects_that_begin_alike_are_refused_rather_than_cut():
    try:
        _, found = columns(json.dumps({"details": [ALIKE] * 9}).encode())
    except LoadError:
        return
    assert found["pred"] == [ALIKE["pred"]] * 9


@pytest.mark.parametrize(
    "text",
    [
        '{"meta": {"details": [{"pred": 1}]}, "details": [{"pred": 2}]}',
        '[{"details": [{"pred": 1}]}]',
        '{"accuracy": 50.0}',
        '{"details": []}',
        '{"details": [3, {"pred": 1}]}',
        '{"said": "\\"details\\": [{\\"pred\\": 1}]"}',
    ],
)
def test_nothing_but_entries_at_the_top_is_found(text):
    json.loads(text)
    assert not Entries(io.BytesIO(text.encode()), "details", "f.json").found


@pytest.mark.parametrize("odd", ["3", "[]", "{}", '{"x": {}}, 3', "[{}], {}"])
@pytest.mark.parametrize("place", [1, 4, 7, 8])
def test_an_entry_of_another_kind_is_in_a_block_or_in_the_rest(odd, place):
    texts = [json.dumps(ROW)] * 8
    texts.insert(place, odd)
    data = f'{{"details": [{", ".join(texts)}]}}'.encode()
    entries = Entries(io.BytesIO(data), "details", "f.json")
    found = [entry for block in entries for entry in json.loads(block.data)]
    assert found + json.loads(entries.rest)["details"] == json.loads(data)["details"]
