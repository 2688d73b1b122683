"""The tables of the documents are those that kofn tells from."""

import re
from pathlib import Path

import pytest

from metrics.analyses.choose_n.simulated import BY_PICK, BY_VOTE, ONE_RUN, SEVERAL_RUNS

INTERVALS = Path(__file__).parents[4] / "docs" / "intervals.md"


def rows(columns):
    """The rows of numbers of the tables about choosing n that have so many columns."""
    text = INTERVALS.read_text("utf-8").split("## Choosing n")[1].split("\n## ")[0]
    found = [re.findall(r"[\d.]+", line) for line in text.splitlines() if line.startswith("| ")]
    return [tuple(map(float, row)) for row in found if len(row) == columns]


def test_the_documents_have_the_figures_of_one_run():
    assert rows(6) == [pytest.approx(tuple(each), abs=1e-9) for each in ONE_RUN]


def test_the_documents_have_the_figures_of_votes_and_picks():
    both = BY_VOTE + BY_PICK
    told = [(row.questions, row.mixed, row.reach, row.quality, row.value) for row in both]
    assert rows(5) == [pytest.approx(each, abs=1e-9) for each in told]
    assert {row.budget for row in both} == {1.0}


def test_the_documents_have_the_figures_of_several_runs():
    assert rows(9) == [pytest.approx(tuple(each), abs=1e-9) for each in SEVERAL_RUNS]
