"""``kofn consistency``: the rows, in words, and what it refuses."""

import json

import pytest

from kofn.command import main
from kofn.consistency.columns import COLUMNS
from kofn.writing.columns import dtypes
from metrics import consistency
from tests.kofn.consistency.voted_runs import table, verdicts


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "a.parquet"
    file.write_bytes(table(verdicts()))
    return str(file)


def test_the_command_prints_the_rows(path, capsys) -> None:
    assert main(["consistency", path, "--format", "json", "--k", "3", "--margin", "0.1"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["votes"]
    assert row["cons"] == consistency(verdicts(), 3).cons.value
    assert document["choices"] == {"margin": 0.1, "by": ""}
    assert document["view"]["k"] == [3]
    assert main(["consistency", path, "--format", "csv"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head == ",".join(dtypes(COLUMNS))
    assert line.startswith("alpha / maths,alpha,maths,")


def test_the_command_says_it_in_words(path, capsys) -> None:
    assert main(["consistency", path]) == 0
    text = capsys.readouterr().out
    assert "alpha / maths, 40 questions" in text
    assert "cons@5" in text
    assert "points" in text
    assert main(["consistency", path, "--format", "md", "--k", "2"]) == 0
    text = capsys.readouterr().out
    assert "| maj@2 |" in text
    assert "a tie counts as wrong" in text


def test_the_command_refuses_what_it_cannot_do(path, capsys) -> None:
    assert main(["consistency", path, "--k", "9"]) == 2
    captured = capsys.readouterr()
    assert "maj@9 needs 9 samples" in captured.out
    assert "No run has votes to count" in captured.err
    assert main(["consistency", path, "--run", "beta"]) == 2
    assert "No run is called beta" in capsys.readouterr().err
    assert main(["consistency", path, "--by", "subject"]) == 2
    assert 'There is no segment "subject". There are none.' in capsys.readouterr().err
    assert main(["consistency", path, "--margin", "20"]) == 2
    assert "margin must be from 0 to 1" in capsys.readouterr().err
