"""A gate of questions: each has so many right samples, too few, or it cannot be told."""

import json
from pathlib import Path

import pytest

from kofn.command import main

CAPTURED = pytest.CaptureFixture[str]


@pytest.fixture
def table(tmp_path: Path) -> str:
    """Write three samples a question, of which 0 to 3 are right; of q4 two are missing."""
    rows = ["model,question_id,sample,correct"]
    rows += [f"7B,q{right},{s},{int(s < right)}" for right in range(4) for s in range(3)]
    rows += ["7B,q4,0,1"]
    (tmp_path / "table.csv").write_text("\n".join(rows))
    return str(tmp_path / "table.csv")


def required(folder: Path, *lines: str) -> str:
    path = folder / "required.csv"
    path.write_text("\n".join(["question_id,least", *lines]))
    return str(path)


@pytest.mark.parametrize(
    ("lines", "flags", "status", "said"),
    [
        (["q3,3", "q1,1"], [], 0, "2 of 2 required questions have enough right samples."),
        (["q3,3", "q1,2"], [], 1, "Too few: q1 with 1 of 2."),
        (["q3,3", "q9,1"], [], 1, "The run has no question called q9."),
        (["q4,2"], [], 0, "Missing samples leave 1 open."),
        (["q4,2"], ["--strict"], 3, "Missing samples leave 1 open."),
        (["q4,4"], ["--strict"], 1, "Too few: q4 with 1 of 4."),
    ],
)
def test_required_questions_decide_the_status(
    table: str,
    tmp_path: Path,
    capsys: CAPTURED,
    lines: list[str],
    flags: list[str],
    status: int,
    said: str,
) -> None:
    asked = ["questions", table, "--require", required(tmp_path, *lines), *flags]
    assert main(asked) == status
    assert said in capsys.readouterr().out
    assert main([*asked, "--format", "json"]) == status
    gate = json.loads(capsys.readouterr().out)["gate"]
    assert gate["status"] == status
    assert said in gate["verdicts"][0]["says"]


@pytest.mark.parametrize("lines", [["q1"], ["q1,x"], ["q1,0"], ["q1,1", "q1,2"], []])
def test_a_list_that_is_none_is_refused(
    table: str, tmp_path: Path, capsys: CAPTURED, lines: list[str]
) -> None:
    assert main(["questions", table, "--require", required(tmp_path, *lines)]) == 2
    assert "must be a CSV with the columns question_id and least" in capsys.readouterr().err


def test_a_list_that_is_not_there_is_told(table: str, capsys: CAPTURED) -> None:
    assert main(["questions", table, "--require", "nowhere.csv"]) == 2
    assert "nowhere.csv cannot be read: No such file or directory." in capsys.readouterr().err
