"""Tables as CSV and names in figures: what a spreadsheet runs, and who is meant."""

import pandas as pd
import pytest

from kofn.card import names
from kofn.choices.view import View
from kofn.scorecard.analysis import score_runs
from kofn.writing.layout import csv_text
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
