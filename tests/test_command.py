"""The command prints the library's numbers, tells the rest on stderr, and exits as it should."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kofn.command import CLOSED_PIPE, SUBCOMMANDS, main
from kofn.layout import csv_text
from kofn.runs import index_runs
from kofn.scores.scorecard import frame, rows, score_runs
from kofn.view import View
from metrics.outcomes import Outcomes
from metrics.words import Text
from reports import LoadError, Note, Report, Run, load

CAPTURED = pytest.CaptureFixture[str]
LISTINGS = [name for name in SUBCOMMANDS if name != "convert"]


def write_table(path: Path, model: str = "7B", m: int = 15, n: int = 4, seed: int = 0) -> Path:
    rng = np.random.default_rng(seed)
    correct = (rng.random((m, n)) < rng.random((m, 1))).ravel()
    table = pa.table(
        {
            "model": [model] * (m * n),
            "dataset": ["gsm8k"] * (m * n),
            "question_id": np.repeat(np.arange(m), n).astype(str),
            "sample": np.tile(np.arange(n), m),
            "correct": correct.astype(int),
            "subject": np.repeat(np.where(np.arange(m) % 2, "algebra", "geometry"), n),
        }
    )
    pq.write_table(table, path)
    return path


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(write_table(tmp_path / "outcomes.parquet"))


def library(path: str, view: View) -> list[dict[str, object]]:
    return rows(score_runs(index_runs([load(path)]), view))


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
    assert View.from_json(document["view"]) == (view, ())
    undefined = [row for row in document["scores"] if row["k"] == 64]
    assert undefined
    assert all(row["value"] is None and row["reason"] for row in undefined)


def test_flags_may_come_before_the_path(table: str, capsys: CAPTURED) -> None:
    assert main(["--format", "csv", "--k", "2", table]) == 0
    shown = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["k"] for row in shown if row["metric"] == "pass@k"] == ["2"]


def test_csv_is_the_frame(table: str, capsys: CAPTURED) -> None:
    assert main([table, "--format", "csv"]) == 0
    expected = csv_text(frame(score_runs(index_runs([load(table)]), View())))
    assert capsys.readouterr().out == expected


def test_the_table_shows_value_and_interval(table: str, capsys: CAPTURED) -> None:
    assert main([table]) == 0
    out = capsys.readouterr().out
    value = library(table, View())[0]["value"]
    assert "7B / gsm8k, 15 questions" in out
    assert re.search(rf"^  avg@4 +{value:.1%}  ", out, re.MULTILINE)


def test_markdown_is_one_table(table: str, capsys: CAPTURED) -> None:
    assert main([table, "--format", "md"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("95% intervals for questions like these: ")
    assert lines[2:4] == [
        "| run | metric | value | interval | questions | remarks |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    assert len(lines) == 4 + len(library(table, View()))


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


@pytest.mark.parametrize("name", LISTINGS)
def test_an_unknown_run_is_an_error_with_the_names_there_are(
    name: str, table: str, capsys: CAPTURED
) -> None:
    assert main([name, table, "--run", "8B"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "error: No run is called 8B; there are: 7B / gsm8k.\n"


@pytest.mark.parametrize("name", LISTINGS)
def test_nothing_to_print_is_an_error(name: str, table: str, capsys: CAPTURED) -> None:
    assert main([name, table, "--segment", "subject=history"]) == 2
    out, err = capsys.readouterr()
    assert "7B / gsm8k, subject=history" in out
    assert re.fullmatch("error: No run here has .*; notes and reasons say why.\n", err)


def stub(monkeypatch: pytest.MonkeyPatch, *runs: Run, notes: tuple[Note, ...] = ()) -> None:
    report = Report("report.zip", Text("AISBench"), runs, notes)
    monkeypatch.setattr("kofn.inputs.load", lambda path, **_: report)


def test_notes_and_differences_go_to_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    outcomes = Outcomes([[1, 0], [1, 1], [0, 0]])
    note = Note(Text("2 samples were regrouped."), "results/x.json", severity="warning")
    run = Run("7B", "gsm8k", outcomes, {"avg@2": 0.5, "pass@2": 0.25}, notes=(note,))
    stub(monkeypatch, run, notes=(Note(Text("No summary was found.")),))
    assert main(["report.zip"]) == 0
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "info: report.zip: No summary was found."
    assert second == "warning: report.zip, results/x.json: 2 samples were regrouped."
    assert third.startswith(
        "difference: 7B / gsm8k: pass@2 is 25.0% in the file and 66.7% by its samples: "
    )


def test_notes_of_runs_not_chosen_are_not_told(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    noted = (Note(Text("About 7B.")),)
    outcomes = Outcomes([[1, 0]])
    stub(monkeypatch, Run("7B", "a", outcomes, notes=noted), Run("70B", "a", outcomes))
    assert main(["report.zip", "--run", "70B / a"]) == 0
    assert "About 7B" not in capsys.readouterr().err


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_hostile_names_never_reach_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED, form: str
) -> None:
    name = "7B\x1b]0;owned\x07\x9b2J\r\n\u202e"
    note = Note(Text("{name} is odd.", name=name), name, severity="problem")
    stub(monkeypatch, Run(name, name, Outcomes([[1, 0]]), {name: 0.5}, notes=(note,)))
    assert main(["report.zip", "--format", form]) == 0
    for stream in capsys.readouterr():
        assert not set(stream) & set("\x1b\x07\x9b\r\u202e")


def test_hostile_file_names_never_reach_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    def refuse(path: str, **_: object) -> Report:
        raise LoadError("a\x1b[2J.zip", Text("is not a zip"), Text("Give another."))

    monkeypatch.setattr("kofn.inputs.load", refuse)
    assert main(["a.zip"]) == 2
    assert capsys.readouterr().err == "error: a\\x1b[2J.zip: is not a zip. Give another.\n"


def test_help_says_what_comes_out(capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert "exit status:" in text
    assert '"scores"' in text
    assert "--level FRACTION" in text


@pytest.mark.parametrize("arguments", [[], ["score"], ["score", "x", "--format", "xml"]])
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: kofn" in capsys.readouterr().err


def kofn(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kofn", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_it_runs_as_a_process_from_any_folder(tmp_path: Path, table: str) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONWARNINGS": "error"}
    model = str(write_table(tmp_path / "zh.parquet", "通义千问"))
    done = kofn(Path(model).name, "--format", "table", cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert r"\u901a\u4e49\u5343\u95ee / gsm8k" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_reader_that_stops_reading_is_no_crash(table: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as closed:
        command = [sys.executable, "-m", "kofn", table]
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.returncode == CLOSED_PIPE
    assert done.stderr == b""


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


def test_what_a_summary_states_of_a_suite_is_compared_too(capsys: CAPTURED) -> None:
    report = Path(__file__).parent / "data" / "aisbench" / "multi_subset_n4.zip"
    assert main([str(report)]) == 0
    told = "difference: alpha-7b-chat / mmlu-weighted: accuracy is 53.8% in the file and 44.4% by"
    assert told in capsys.readouterr().err


def test_what_few_need_is_not_imported_by_all() -> None:
    code = "import sys, kofn.command; print(*{'scipy.optimize', 'scipy.sparse'} & {*sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
