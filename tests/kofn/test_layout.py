"""Tables as CSV and names in figures: what a spreadsheet runs, and who is meant."""

from io import StringIO

import pandas as pd
import pytest

from kofn.card import names
from kofn.choices.view import View
from kofn.scorecard.analysis import score_runs
from kofn.terminal.screen import console, written
from kofn.writing.layout import Grid, csv_text
from metrics import Outcomes
from reports import Run
from tests.kofn.indexed import index


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "\t", "\r"])
def test_no_name_is_a_formula_in_a_spreadsheet(mark):
    table = pd.DataFrame({"model": [f"{mark}cmd|' /C calc'!A0", f"7B{mark}1"], "gain": [-0.5, 1]})
    _, first, second = csv_text(table).rstrip("\n").split("\n")
    assert first == f"'{mark}cmd|' /C calc'!A0,-0.5"
    assert second == f"7B{mark}1,1.0", "only its start makes a formula"


def test_an_empty_name_and_a_missing_one_are_no_formula():
    table = pd.DataFrame({"model": ["", None, "a"], "gain": [1, 2, 3]})
    assert csv_text(table) == "model,gain\n,1\n,2\na,3\n"


@pytest.mark.parametrize("count", [2, 3])
def test_runs_of_one_model_are_named_apart_in_a_figure(count):
    runs = [Run("7B", f"d{i}", Outcomes([[1, 0], [0, 1]])) for i in range(count)]
    cards = score_runs(index(*runs, Run("70B", "d0", Outcomes([[1], [0]]))), View())
    assert names(cards) == [*(f"7B / d{i}" for i in range(count)), "70B"]


def shown_at(width: int, rows: list[dict[str, str]]) -> list[list[str]]:
    target = console(StringIO(), plain=True)
    target.width = width
    shown = written(target, "", blocks=[[Grid(rows)]])
    return [line.split() for line in shown.splitlines() if line.strip()]


def test_a_row_without_numbers_stands_where_all_columns_do_and_once_where_they_are_apart():
    full = {"run": "7B", "one": "11111111", "two": "22222222"}
    bare = {"run": "70B", "one": "", "two": ""}
    assert shown_at(60, [full, bare])[1:] == [[*full.values()], ["70B"]]
    half = full | {"run": "70B", "one": ""}
    assert shown_at(18, [full, half])[1:] == [
        ["7B", "11111111"],
        ["run", "two"],
        ["7B", "22222222"],
        ["70B", "22222222"],
    ]
