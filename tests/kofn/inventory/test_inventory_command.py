"""``kofn inventory``: what came in, and whether the numbers that files state hold."""

import csv
import io
import json
from pathlib import Path

import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import main
from kofn.inventory.analysis import every_stated, take_in, take_in_suites
from kofn.inventory.facts import facts_of
from metrics import Outcomes
from reports import load
from tests.reports.tables.outcome_tables import write_table

ROOT = Path(__file__).parents[3]
REPORT = str(ROOT / "tests/data/aisbench/gsm8k_n5_two_models.zip")
SAMPLE = str(ROOT / "sample_data/aisbench_report.zip")


def out(capsys, *arguments):
    assert main(["inventory", *arguments]) == 0
    return capsys.readouterr().out


def test_counts_are_of_the_data_and_of_a_segment() -> None:
    outcomes = Outcomes([[1, 0, -2], [-1, 1, 1], [-2, -2, -2]], segments={"kind": ["a", "b", "b"]})
    found = facts_of(outcomes)
    assert (found.questions, found.ungradable, found.n_min, found.n_max) == (3, 1, 2, 3)
    assert (found.failed, found.segments) == (1, (("kind", "a"), ("kind", "b")))
    assert facts_of(outcomes, ("kind", "a")).questions == 1


@pytest.mark.wide
def test_every_format_has_the_stated_numbers_and_opens_with_the_answer(capsys) -> None:
    table, document = out(capsys, REPORT), json.loads(out(capsys, REPORT, "--format", "json"))
    assert document["answer"].startswith("2 runs came in: 2 models on ")
    assert table.startswith(document["answer"])
    stated = every_stated(take_in(index_runs([load(REPORT)]), View()))
    assert [row["recomputed"] for row in document["reported"]] == [
        each.line.recomputed for each in stated
    ]
    assert [row["questions"] for row in document["runs"]] == [40, 40]
    rows = list(csv.DictReader(io.StringIO(out(capsys, REPORT, "--format", "csv"))))
    assert [row["metric"] for row in rows] == [each.line.metric for each in stated]
    for row, line in zip(document["reported"], rows, strict=True):
        assert (row["replicas"] or []) == list(map(float, line["replicas"].split()))
    averaged = next(row for row in document["reported"] if "runs average" in row["metric"])
    assert len(averaged["replicas"]) == 5
    assert ", ".join(f"{100 * each:.1f}" for each in averaged["replicas"]) in table
    wrong = [row for row in rows if row["agrees"] == "False"]
    assert wrong
    assert all(row["reason"] for row in wrong)
    assert "mixes the samples" in table.split("alpha-7b-chat", 1)[1]


def test_a_table_that_states_nothing_is_one_row_and_nothing_is_said_of_numbers(
    tmp_path, capsys
) -> None:
    path = str(write_table(tmp_path / "a.parquet"))
    (row,) = csv.DictReader(io.StringIO(out(capsys, path, "--format", "csv")))
    assert (row["questions"], row["n_max"], row["metric"]) == ("15", "4", "")
    assert "reported" not in out(capsys, path)


@pytest.mark.wide
def test_what_is_stated_of_a_suite_counts_but_is_no_run(capsys) -> None:
    report = load(SAMPLE)
    cards = take_in(index_runs([report]), View())
    suites = list(take_in_suites([report], cards))
    assert suites
    assert all(card.found.stated for card in suites)
    document = json.loads(out(capsys, SAMPLE, "--format", "json"))
    assert len(document["runs"]) == len(cards)
    assert len(document["reported"]) == len(every_stated([*cards, *suites]))
    assert "33 of 51 reported numbers are wrong" in document["answer"]
