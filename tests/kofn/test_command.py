"""The command prints the library's numbers, and exits as it should."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import main
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.columns import SCORES
from kofn.writing.layout import csv_text
from reports import load
from sample_data import make
from tests.kofn.listings import LISTINGS
from tests.reports.tables.outcome_tables import write_table

CAPTURED = pytest.CaptureFixture[str]


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(write_table(tmp_path / "outcomes.parquet"))


def library(path: str, view: View) -> list[dict[str, object]]:
    return SCORES.rows(score_runs(index_runs([load(path)]), view))


@pytest.mark.parametrize("form", [["score"], []], ids=["score", "short"])
def test_json_holds_the_library_s_numbers_exactly(
    table: str, form: list[str], capsys: CAPTURED
) -> None:
    flags = [
        "--format",
        "json",
        "--k",
        "1,4,64",
        "--level",
        "0.9",
        "--target",
        "benchmark",
        "--missing",
        "omit",
    ]
    assert main([*form, table, *flags]) == 0
    document = json.loads(capsys.readouterr().out)
    view = View(k=(1, 4, 64), level=0.9, target="benchmark", missing="omit")
    assert document["scores"] == library(table, view)
    assert document["view"] == view.to_json()
    undefined = [row for row in document["scores"] if row["k"] == 64]
    assert undefined
    assert all(row["value"] is None and row["reason"] for row in undefined)


def test_flags_may_come_before_the_path(table: str, capsys: CAPTURED) -> None:
    assert main(["--format", "csv", "--k", "2", table]) == 0
    shown = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["k"] for row in shown if row["metric"] == "pass@k"] == ["2"]


def test_csv_is_the_frame(table: str, capsys: CAPTURED) -> None:
    assert main([table, "--format", "csv"]) == 0
    expected = csv_text(SCORES.frame(score_runs(index_runs([load(table)]), View())))
    assert capsys.readouterr().out == expected


def test_the_table_shows_value_and_interval(table: str, capsys: CAPTURED) -> None:
    assert main([table]) == 0
    out = capsys.readouterr().out
    value = library(table, View())[0]["value"]
    assert re.search(rf"^7B / gsm8k +{value:.1%} \(", out, re.MULTILINE)
    assert main([table, "--all"]) == 0
    out = capsys.readouterr().out
    assert "7B / gsm8k, 15 questions" in out
    assert re.search(rf"^  avg@4 +{value:.1%} \(", out, re.MULTILINE)


def test_markdown_is_one_table(table: str, capsys: CAPTURED) -> None:
    assert main([table, "--format", "md"]) == 0
    _answer, _gap, *lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("95% intervals for questions like these: ")
    assert lines[2:4] == [
        "| run | verified | grouping | metric | value | questions | remarks |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    assert len(lines) == 4 + len(library(table, View())) - 1
    assert any("| maj@4, cons@4 |" in line for line in lines)


def test_a_segment_and_a_run_may_be_chosen(tmp_path: Path, table: str, capsys: CAPTURED) -> None:
    other = str(write_table(tmp_path / "other.parquet", "70B"))
    flags = ["--run", "70B / gsm8k", "--segment", "subject=algebra", "--format", "json"]
    assert main([table, other, *flags]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert {(row["run"], row["segment"]) for row in scores} == {("70B / gsm8k", "subject=algebra")}
    assert {row["questions"] for row in scores if row["value"] is not None} == {7}


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        (["--level", "95"], "error: level must be from 0.01 to 0.9999, such as 0.95; got '95'.\n"),
        (["--target", "x"], "error: target must be one of population, benchmark; got 'x'.\n"),
        (["--segment", "algebra"], "error: segment must read attribute=label; got 'algebra'.\n"),
    ],
)
def test_a_wrong_flag_is_one_line(
    table: str, flags: list[str], line: str, capsys: CAPTURED
) -> None:
    assert main([table, *flags]) == 2
    assert capsys.readouterr() == ("", line)


def test_an_unusable_file_is_one_line(tmp_path: Path, capsys: CAPTURED) -> None:
    bad = tmp_path / "report.zip"
    bad.write_bytes(b"PK\x03\x04 and no more")
    assert main([str(bad)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("error: ")
    assert "report.zip" in line


def test_a_missing_path_is_one_line(tmp_path: Path, capsys: CAPTURED) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "nowhere" in err


def test_the_other_files_are_scored_all_the_same(
    tmp_path: Path, table: str, capsys: CAPTURED
) -> None:
    bad = tmp_path / "empty.parquet"
    bad.write_bytes(b"")
    assert main([str(bad), table, "--format", "json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["scores"] == library(table, View())
    assert err.startswith("error: ")
    assert "empty.parquet" in err


@pytest.mark.wide
@pytest.mark.parametrize("name", LISTINGS)
def test_an_unknown_run_is_an_error_with_the_names_there_are(
    name: str, table: str, capsys: CAPTURED
) -> None:
    assert main([name, table, "--run", "8B"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "error: No run is called 8B. There are: 7B / gsm8k.\n"


@pytest.mark.wide
@pytest.mark.parametrize("name", LISTINGS)
def test_an_unknown_segment_is_an_error_with_the_names_there_are(
    name: str, table: str, capsys: CAPTURED
) -> None:
    for segment, told in (
        ("foo=bar", 'There is no segment "foo". There are: subject.'),
        ("Subjct=algebra", 'There is no segment "Subjct". Did you mean "subject"?'),
        ("subject=algebar", 'Segment "subject" has no label "algebar". Did you mean "algebra"?'),
    ):
        assert main([name, table, "--segment", segment]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"error: {told}")
        assert err.count("\n") == 1


def test_an_unknown_role_is_an_error_before_anything_is_read(capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "missing.csv", "--column", "corect=verdict"])
    assert stopped.value.code == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert 'there is no column role "corect". Did you mean "correct"? There are: ' in line


@pytest.mark.wide
def test_segments_are_named_of_every_kind_of_file(tmp_path: Path, capsys: CAPTURED) -> None:
    (tmp_path / "bare.csv").write_text("question_id,correct\na,1\nb,0\n")
    for path, known in (
        (tmp_path / "bare.csv", "There are none."),
        (make.OUTCOMES, "There are: "),
        (make.REPORT, "There are none."),
    ):
        for flags in (
            ["score", "--segment", "foo=bar"],
            ["consistency", "--by", "foo"],
            ["compare", "--by", "foo"],
        ):
            assert main([*flags, str(path)]) == 2
            *_notes, line = capsys.readouterr().err.splitlines()
            assert line.startswith(f'error: There is no segment "foo". {known}')


@pytest.mark.parametrize("name", LISTINGS)
def test_nothing_to_print_is_an_error(
    name: str, table: str, tmp_path: Path, capsys: CAPTURED
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("model,question_id,correct,subject\nx,a,1,history\nx,b,0,history\n")
    flags = ["--run", "7B / gsm8k", "--segment", "subject=history"]
    assert main([name, table, str(other), *flags]) == 2
    out, err = capsys.readouterr()
    assert "7B / gsm8k" in out
    assert "subject=history" in out
    assert re.fullmatch("error: No run has .*; the notes explain why.\n", err)


def test_help_says_what_comes_out(capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert "exit status:" in text
    assert '"scores"' in text
    assert "--level FRACTION" in text


@pytest.mark.parametrize("arguments", [["score"], ["score", "x", "--format", "xml"]])
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_column_can_be_named(tmp_path: Path, capsys: CAPTURED) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,rule,judge\na,1,0\nb,1,0\n")
    assert main([str(table)]) == 2
    assert "Say which column is correct, such as --column correct=rule" in capsys.readouterr().err
    assert main([str(table), "--column", "correct=judge", "--format", "json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert {row["value"] for row in scores if row["metric"] == "avg@n"} == {0.0}
    with pytest.raises(SystemExit):
        main([str(table), "--column", "correct"])
    assert "must read ROLE=NAME" in capsys.readouterr().err


def test_a_file_that_is_given_twice_is_read_once_and_said_so(table, capsys):
    assert main(["score", table, table, "--format", "csv", "--metric", "avg@n"]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert printed.err.count("was given twice and is read once") == 1
