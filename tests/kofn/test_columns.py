"""Tables that are described once: what each place makes of their columns."""

import json
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

import pytest
import streamlit as st

from kofn.choose_n.prices import kind_of_amounts
from kofn.command import SUBCOMMANDS
from kofn.writing.columns import Block, Column, Described, Table, dtypes, frame, rows, shown_columns
from kofn.writing.kinds import CHANCE, COUNT, DIFFERENCE, ESTIMATE, FLAG, RANKS, REMARKS, WORD
from kofn.writing.layout import Grid
from metrics import Interval
from metrics.data.words import Text
from pages.shared.showing.tables import MOST, show_table

GOLDEN = Path(__file__).parents[1] / "data" / "golden"


class Found(NamedTuple):
    value: float
    interval: Interval | None


class Line(NamedTuple):
    run: str
    found: Found | None = None
    ranks: tuple[int, int] | None = None
    sure: bool | None = None
    remarks: tuple[Text, ...] = ()
    metric: str = "avg@4"


COLUMNS = (
    Column("run", Text("run"), WORD, lambda line: line.run),
    Column(
        ("value", "low", "high"),
        lambda line: Text("{metric}", metric=line.metric),
        ESTIMATE,
        lambda line: line.found,
        help="with its interval",
    ),
    Column("gap", None, DIFFERENCE, lambda line: line.found),
    Column("rank", Text("rank"), RANKS, lambda line: line.ranks, ("terminal",)),
    Column("sure", Text("sure"), FLAG, lambda line: line.sure),
    Column("remarks", None, REMARKS, lambda line: [*line.remarks]),
    Column("", Text("remarks"), REMARKS, lambda line: [*line.remarks], ("paper",)),
)
GOOD = Line("7B", Found(0.661, Interval(0.61, 0.712)), (1, 2), True, (Text("A."), Text("B.")))
NONE = Line("4B")


def test_files_hold_numbers_under_their_keys_and_none_where_there_is_none() -> None:
    first, second = rows(COLUMNS, [GOOD, NONE])
    assert first == {
        **{"run": "7B", "value": 0.661, "low": 0.61, "high": 0.712},
        **{"gap": 0.661, "gap_low": 0.61, "gap_high": 0.712},
        **{"rank_first": 1, "rank_last": 2, "sure": True, "remarks": ["A.", "B."]},
    }
    assert {key for key, cell in second.items() if cell is None} == set(first) - {"run", "remarks"}
    table = frame(COLUMNS, [GOOD, NONE])
    assert table.dtypes.astype(str).to_dict() == dtypes(COLUMNS)
    assert table["remarks"].tolist()[0] == "A. B."
    assert table["remarks"].isna().tolist() == [False, True]


def test_each_place_shows_its_columns_and_leaves_out_optional_ones_without_a_value() -> None:
    def heads(place, *lines):
        return [each.head for each in shown_columns(COLUMNS, lines, place)]

    assert heads("terminal", GOOD) == ["run", "avg@4", "rank", "sure"]
    assert heads("terminal", NONE) == ["run", "avg@4"]
    assert heads("paper", NONE, GOOD) == ["run", "avg@4", "sure", "remarks"]
    assert heads("page", GOOD) == ["Run", "avg@4", "Sure"]
    cells = {each.head: each.cells for each in shown_columns(COLUMNS, [GOOD, NONE], "terminal")}
    assert cells["avg@4"] == ["66.1% (61.0 to 71.2)", "N/A"]
    assert cells["rank"] == ["1 to 2", ""]
    assert cells["sure"] == ["yes", ""]


def test_kinds_write_numbers_as_people_read_them() -> None:
    assert str(RANKS.write(2, 2)) == "2"
    assert str(COUNT.write(1234)) == "1,234"
    assert str(CHANCE.write(0.998)) == "more than 99%"
    assert str(DIFFERENCE.write(*DIFFERENCE.parts(-0.02))) == "−2.0 points"
    assert DIFFERENCE.parts((0.1, 0.0, 0.2)) == (0.1, 0.0, 0.2)


def test_nan_is_nothing() -> None:
    column = Column("x", Text("x"), ESTIMATE, lambda line: (float("nan"), None, None))
    assert rows([column], [GOOD]) == [{"x": None, "x_low": None, "x_high": None}]


def test_a_block_stands_upright_or_in_a_table() -> None:
    below = [Text("A caveat.")]
    run, value = {"run": "7B"}, {"avg@4": "66.1% (61.0 to 71.2)"}
    every = {**run, **value, "rank": "1 to 2", "sure": "yes"}
    assert list(Block("head", COLUMNS, [GOOD], below)) == ["head", Grid([every]), "A caveat."]
    upright = [{"number": name, "value": cell} for name, cell in (run | value).items()]
    assert list(Block("head", COLUMNS[:2], [GOOD], below, upright=True)) == [
        "head",
        Grid(upright, head=False),
        "A caveat.",
    ]
    bare = Grid([run], head=False)
    assert list(Block("head", COLUMNS[:1], [GOOD], head=False)) == ["head", bare]


def test_help_names_every_key_and_explains_those_that_need_it() -> None:
    text = str(Described(COLUMNS))
    assert text.startswith("  run, value, low, high, gap, gap_low, gap_high, rank_first,")
    assert "  - value, low, high: with its interval" in text
    long = replace(COLUMNS[1], help="words that go on " * 9)
    _keys, _first, *others = str(Described([long])).splitlines()
    assert others
    assert all(line.startswith("    ") for line in others), "below the words of the first"


def test_what_people_read_may_be_other_lines_than_those_of_files() -> None:
    table = Table("runs", COLUMNS[:1], lambda cards: cards, lambda cards: cards[:1])
    assert [row["run"] for row in table.rows([GOOD, NONE])] == ["7B", "4B"]
    assert [row["run"] for row in table.written([GOOD, NONE], "paper")] == ["7B"]
    nested = Table("runs", COLUMNS[:1], lambda cards: cards, nested=lambda line: {"more": 1})
    assert nested.rows([GOOD]) == [{"run": "7B", "more": 1}]
    assert list(nested.frame([GOOD])) == ["run"]


def test_a_page_aligns_columns_and_explains_them(monkeypatch) -> None:
    asked = {}
    monkeypatch.setattr(st, "dataframe", lambda table, **more: asked.update(more, table=table))
    show_table(COLUMNS, [GOOD] * (MOST + 1), "Runs")
    assert list(asked["table"]) == ["Run", "avg@4", "Sure"]
    assert asked["column_config"]["avg@4"]["alignment"] == "right"
    assert asked["column_config"]["Run"]["alignment"] == "left"
    assert asked["column_config"]["avg@4"]["help"] == "with its interval"
    assert asked["height"] == 390
    show_table(COLUMNS, [GOOD] * MOST, "Runs")
    assert asked["height"] == "auto"


def test_a_page_sorts_whole_numbers_as_numbers(monkeypatch) -> None:
    asked = {}
    monkeypatch.setattr(st, "dataframe", lambda table, **more: asked.update(more, table=table))
    show_table([Column("k", Text("k"), COUNT, lambda line: line)], [2, 10, None], "Curve")
    assert asked["table"]["k"].sort_values().tolist()[:2] == [2, 10]
    assert asked["table"]["k"].isna().sum() == 1
    assert asked["placeholder"] == "N/A"


@pytest.mark.parametrize("name", [path.stem for path in sorted(GOLDEN.glob("*.json"))])
def test_help_has_the_columns_of_csv(name: str) -> None:
    head = json.loads((GOLDEN / f"{name}.json").read_text())["table.csv"][0]
    words = resolve_name(SUBCOMMANDS[name].dotted_name).details.replace("\n", " ")
    keys = [key for key in head.split(",") if not key.startswith("segment.")]
    assert not [key for key in keys if key not in words]


def test_amounts_on_a_page_stay_numbers_that_are_written_alike(monkeypatch):
    asked = {}
    monkeypatch.setattr(
        st, "dataframe", lambda table, **how: asked.update(table=table, **how) or None
    )
    for values, cells, spelling in (
        ([3285.121, None, 26969.4], [3285.0, 26969.0], "localized"),
        ([0.5, None, 38.41], [0.5, 38.41], "%.3f"),
    ):
        column = Column("", Text("cost"), kind_of_amounts(values), lambda line: line)
        show_table((column,), values, "costs")
        assert asked["table"]["Cost"].dropna().tolist() == cells
        assert asked["column_config"]["Cost"]["type_config"]["format"] == spelling
