"""`kofn questions` lists what the page lists, in every format."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from kofn.command import main
from tests.pages.visiting import outcomes, table

TWO_MODELS = Path(__file__).parents[2] / "data" / "aisbench" / "gsm8k_n5_two_models.zip"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))


@pytest.fixture
def two(tmp_path):
    """Two runs of one dataset: the second is wrong wherever the first is right."""
    correct = outcomes(30, 4)
    for name, verdicts in (("alpha", correct), ("beta", 1 - correct)):
        (tmp_path / f"{name}.parquet").write_bytes(table(verdicts, model=name))
    return correct, [str(tmp_path / f"{name}.parquet") for name in ("alpha", "beta")]


def listed(capsys, *arguments):
    """Return the rows of the CSV, and what was said beside it."""
    status = main(["questions", *arguments, "--format", "csv"])
    captured = capsys.readouterr()
    return status, list(csv.DictReader(io.StringIO(captured.out))), captured.err


def test_csv_has_a_row_for_each_question_of_each_run(two, capsys):
    correct, paths = two
    status, rows, _said = listed(capsys, *paths, "--filter", "flaky")
    right = correct.sum(axis=1)
    flaky = [f"q{i}" for i in range(30) if 0 < right[i] < 4]
    assert status == 0
    assert [row["question"] for row in rows] == flaky * 2
    assert [row["model"] for row in rows] == ["alpha"] * len(flaky) + ["beta"] * len(flaky)
    first = rows[0]
    verdicts = correct[int(first["question"][1:])]
    assert first["samples"] == "".join("#" if verdict else "." for verdict in verdicts)
    assert float(first["right"]) == verdicts.mean()


def test_right_in_a_and_wrong_in_b(two, capsys):
    correct, paths = two
    _status, rows, _said = listed(
        capsys, *paths, "--filter", "a-beats-b", "--a", "beta / maths", "--b", "alpha / maths"
    )
    assert [row["question"] for row in rows] == [
        f"q{i}" for i in np.flatnonzero(correct.sum(axis=1) < 2)
    ]


def test_json_has_the_settings_and_the_questions(two, capsys):
    _correct, paths = two
    assert (
        main(["questions", paths[0], "--sort", "right", "--down", "yes", "--format", "json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert document["filter"]["sort"] == "right"
    assert document["view"]["missing"] == "wrong"
    shares = [row["right"] for row in document["questions"]]
    assert shares == sorted(shares, reverse=True)


def test_a_terminal_and_markdown_show_a_line_for_each_question(two, capsys):
    _correct, paths = two
    main(["questions", paths[0], "--filter", "never"])
    text = capsys.readouterr().out
    assert re.search(r"\n\nalpha / maths, \d+ of 30 questions\n", text)
    assert text.splitlines()[0].endswith("are never solved.")
    assert re.search(r"^ *q\d+ +0/4 +\.\.\.\.", text, re.MULTILINE)
    main(["questions", paths[0], "--filter", "never", "--format", "md"])
    answer, table = capsys.readouterr().out.split("\n\n", 1)
    assert "lost by a vote" in answer
    assert table.startswith("| run | verified | grouping | question | right |")


def test_a_search_reads_the_prompts(capsys):
    status, rows, _said = listed(capsys, str(TWO_MODELS), "--search", "RIBBONS")
    assert status == 0
    assert 0 < len(rows) < 80
    assert {row["dataset"] for row in rows} == {"gsm8k"}


def test_what_cannot_be_listed_is_said(two, capsys):
    _correct, paths = two
    status, rows, said = listed(capsys, *paths, "--filter", "soft-gap")
    assert status == 2
    assert [row["run"] for row in rows] == ["alpha / maths", "beta / maths"]
    assert all("nothing to tell this kind of questions by" in row["reason"] for row in rows)
    assert "No run has questions to list" in said
    status, _rows, said = listed(capsys, paths[0], "--a", "gamma")
    assert status == 2
    assert "No run is called gamma" in said
    status, _rows, said = listed(capsys, paths[0], "--filter", "odd")
    assert status == 2
    assert "filter must be one of all, always" in said
