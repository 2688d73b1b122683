"""What the command takes, where it writes, and how it refuses."""

import io
import json
import re
import shutil
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest

import kofn
from kofn.command import ALIASES, SUBCOMMANDS, main
from kofn.completion import SHELLS
from tests.kofn.listings import LISTINGS
from tests.reports.tables.outcome_tables import write_table

pytestmark = pytest.mark.usefixtures("short_plans")

CAPTURED = pytest.CaptureFixture[str]


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(write_table(tmp_path / "outcomes.parquet"))


def output(form: str, arguments: list[str], capsys: CAPTURED) -> str:
    assert main([form, *arguments]) == 0
    return capsys.readouterr().out


def helped(name: str, capsys: CAPTURED) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    return " ".join(capsys.readouterr().out.split())


def test_without_arguments_it_says_what_there_is(capsys: CAPTURED) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for asked in (["--help"], ["-h"], ["help"]):
        assert main(asked) == 0
        assert capsys.readouterr().out == out


def test_help_names_every_subcommand_and_the_exit_statuses(capsys: CAPTURED) -> None:
    assert main(["help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert all(name in text and str(offer.summary) in text for name, offer in SUBCOMMANDS.items())
    statuses = text.partition("exit status:")[2]
    assert all(f" {status} " in statuses for status in (0, 1, 2, 3))


SUFFIXES = ["txt", "json", "csv", "md"]
WRITTEN = {("scorecard", suffix) for suffix in SUFFIXES} | {*zip(LISTINGS, cycle(SUFFIXES))}
"""What writes is the same of all subcommands, so that each has one format and one has all."""


@pytest.mark.wide
@pytest.mark.parametrize(("name", "suffix"), sorted(WRITTEN))
def test_a_file_holds_what_would_be_printed(
    name: str, suffix: str, table: str, tmp_path: Path, capsys: CAPTURED
) -> None:
    form = "table" if suffix == "txt" else suffix
    main([name, table, "--format", form])
    printed = capsys.readouterr().out
    file = tmp_path / f"out.{suffix}"
    main([name, table, "-o", str(file)])
    assert capsys.readouterr().out == ""
    if printed:
        assert without_command(file.read_bytes().decode()) == without_command(printed)
    else:
        assert not file.exists()
    beside = {f"{file.name}.json"} if suffix == "csv" and printed else set()
    assert {path.name for path in tmp_path.iterdir()} <= {"outcomes.parquet", file.name} | beside


def without_command(text: str) -> str:
    """Leave out the line of JSON that names the file it is written to."""
    return re.sub(r'^ *"command": .*$', "", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-o", "old.csv"], "old.csv already exists. Give another name, or --force to replace it."),
        (
            ["-o", "new.xml"],
            "new.xml must end in .txt or .json or .csv or .md or .tex",
        ),
        (["-o", "new.csv", "--format", "json"], "new.csv must end in .json, which says the format"),
        (["-o", "table.csv", "--force"], "table.csv is an input, or lies in one (table.csv)"),
        (["-o", "no/such/folder.csv"], "no/such/folder.csv cannot be written: No such file"),
    ],
)
def test_a_file_that_may_not_be_written_is_one_line(
    arguments: list[str],
    line: str,
    tmp_path: Path,
    capsys: CAPTURED,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text("question_id,correct\na,1\na,0\n")
    Path("old.csv").write_text("old")
    assert main(["score", "table.csv", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"error: {line}" in err
    assert Path("old.csv").read_text() == "old"
    assert Path("table.csv").read_text().startswith("question_id")
    assert {path.name for path in tmp_path.iterdir()} == {"old.csv", "table.csv"}


def test_a_file_is_replaced_when_told_so(table: str, tmp_path: Path, capsys: CAPTURED) -> None:
    file = tmp_path / "old.csv"
    file.write_text("old")
    assert main([table, "-o", str(file), "--force"]) == 0
    assert file.read_text() == output("score", [table, "--format", "csv"], capsys)


@pytest.mark.wide
@pytest.mark.parametrize("form", ["csv", "zip"])
def test_a_report_may_come_on_standard_input(
    form: str, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    if form == "zip":
        content = Path(__file__).parents[2].joinpath("sample_data/aisbench_report.zip").read_bytes()
    else:
        content = b"question_id,model,dataset,correct\na,7B,x,1\na,7B,x,0\nb,7B,x,1\nb,7B,x,1\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    document = json.loads(output("score", ["-", "--format", "json"], capsys))
    values = [row["value"] for row in document["scores"] if row["metric"] == "avg@n"]
    assert values
    if form == "csv":
        assert values == [0.75]


def test_standard_input_given_twice_is_read_once_and_said(
    capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO(b"question_id,correct\na,1\nb,0\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    assert main(["-", "-", "--format", "csv", "--metric", "avg@n"]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    errors = [line for line in err.splitlines() if line.startswith("error")]
    assert errors == ["error: Standard input can be read only once. Give - once."]


def test_nothing_on_standard_input_is_one_line(
    capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["-"]) == 2
    assert capsys.readouterr().err.startswith("error: standard input: is empty")


@pytest.mark.wide
@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        (["--metrics", "pass@k"], ["pass@k"]),
        (["--metric", "pass@k"], ["pass@k"]),
        (["--metrics", "pass^k,avg@n", "--metrics", "pass@k"], ["avg@n", "pass@k", "pass^k"]),
    ],
)
def test_a_scorecard_may_have_some_metrics_only(
    flags: list[str], shown: list[str], table: str, capsys: CAPTURED
) -> None:
    document = json.loads(output("score", [table, "--format", "json", *flags], capsys))
    assert [row["metric"] for row in document["scores"]] == shown
    assert sorted(document["chosen"]["metrics"]) == sorted(shown)
    every = json.loads(output("score", [table, "--format", "json"], capsys))["scores"]
    assert document["scores"] == [row for row in every if row["metric"] in shown]


@pytest.mark.wide
@pytest.mark.parametrize("name", ["score", "curve"])
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("pass@4", "pass@k, with k = 4"),
        ("pass^16", "pass^k, with k = 16"),
        ("pass_at_k", "pass@k"),
        ("pass_hat_k", "pass^k"),
        ("maj_at_k_ci", "maj@k"),
        ("Pass@K", "pass@k"),
        ("mG-Pass@k", "mg-pass@k"),
        ("Bayes@N", "bayes@n"),
        ("pass", "pass@k"),
        ("avg", "avg@n"),
        ("avg@4", "avg@n"),
        ("plurality@kk", "plurality@k"),
    ],
)
def test_a_misspelled_metric_is_told_its_name(
    name: str, given: str, meant: str, table: str, capsys: CAPTURED
) -> None:
    assert main([name, table, "--metric", given]) == 2
    line = f"error: There is no metric {given!r}; did you mean {meant}?\n"
    assert capsys.readouterr() == ("", line)


def test_a_metric_like_no_other_is_told_all(table: str, capsys: CAPTURED) -> None:
    assert main([table, "--metric", "x" * 1000]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "known are avg@n, soft, pass@k" in err
    assert len(err) < 400


@pytest.mark.parametrize(
    ("given", "meant"),
    [("scroe", "score"), ("choose_n", "choose-n"), ("saturatoin", "saturation"), ("hlep", "help")],
)
def test_a_misspelled_subcommand_is_told_its_name(
    given: str, meant: str, capsys: CAPTURED, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main([given, "report.zip"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == (
        f"error: {given!r} is neither a subcommand nor a path. Did you mean {meant}? "
        "kofn help says more.\n"
    )


@pytest.mark.parametrize("asked", ["-V", "--version", "version"])
def test_it_tells_its_version(asked: str, capsys: CAPTURED) -> None:
    assert main([asked]) == 0
    assert capsys.readouterr().out == f"kofn {kofn.__version__}\n"


@pytest.mark.parametrize(("old", "name"), ALIASES.items())
def test_earlier_names_of_subcommands_stay(old: str, name: str, capsys: CAPTURED) -> None:
    assert helped(old, capsys) == helped(name, capsys)
    with pytest.raises(SystemExit):
        main(["help", name])
    assert capsys.readouterr().out.startswith(f"usage: kofn {name} ")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--fromat", "json"], "There is no option --fromat. Did you mean --format?"),
        (["--fromat=json"], "There is no option --fromat. Did you mean --format?"),
        (["--xyzzy"], "There is no option --xyzzy."),
        (["--format", "jsn"], '--format: "jsn" is not possible. Did you mean "json"? There are: '),
        (["--level"], "--level: expected one argument."),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_is_meant(
    arguments: list[str], line: str, capsys: CAPTURED
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["score", "x.csv", *arguments])
    assert stopped.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"error: {line}")
    assert err.endswith(" kofn scorecard --help says more.\n")


def test_an_argument_too_many_is_named(capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["tools", "aisbench"])
    line = "error: 'aisbench' is one argument too many. kofn tools --help says more.\n"
    assert capsys.readouterr().err == line


def test_a_path_that_is_not_there_is_told_the_nearest(tmp_path: Path, capsys: CAPTURED) -> None:
    (tmp_path / "outcomes.csv").write_text("question_id,correct\na,1\n")
    assert main([str(tmp_path / "outcmoes.csv")]) == 2
    assert capsys.readouterr().err.endswith(f"Did you mean {tmp_path / 'outcomes.csv'}?\n")
    assert main([str(tmp_path / "report.zip")]) == 2
    assert capsys.readouterr().err.endswith("does not exist. Check the path.\n")


@pytest.mark.wide
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_subcommands_and_options(shell: str, capsys: CAPTURED) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(word in script for word in ("choose-n", "scorecard", "fail-under", "judge-by"))
    if found := shutil.which(shell):
        subprocess.run([found, "-n"], input=script, text=True, check=True)


def test_bash_completes_what_is_typed(tmp_path: Path, capsys: CAPTURED) -> None:
    assert main(["completion", "bash"]) == 0
    (tmp_path / "kofn.bash").write_text(capsys.readouterr().out)
    typed = "COMP_WORDS=(kofn {}); COMP_CWORD={}; $(complete -p kofn | grep -o '_[a-z_]*')"
    for words, meant in (("choo", "choose-n"), ("scorecard --fail", "--fail-under")):
        asked = typed.format(words, len(words.split()))
        shown = f"source kofn.bash; {asked}; echo ${{COMPREPLY[@]}}"
        done = subprocess.run(
            ["bash", "-c", shown], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert meant in done.stdout.split()


def test_a_path_like_a_subcommand_is_a_path(
    tmp_path: Path, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores").write_text("question_id,correct\na,1\na,0\n")
    assert main(["scores"]) == 0
    assert "avg@2" in capsys.readouterr().out


def test_help_says_what_k_is_where_it_is_not_given(capsys: CAPTURED) -> None:
    defaults = {
        "overview": "the most that all runs of a dataset with several samples have",
        "scorecard": "the most that all runs of a dataset with several samples have",
        "trade-offs": "the most that all runs of a dataset with several samples have",
        "compare": "the most that all runs of a dataset with several samples have",
        "plan": "the most that all runs of a dataset with several samples have",
        "rank": "the most that all runs of a dataset with several samples have",
        "series": "the most that all runs of a dataset with several samples have",
        "consistency": "all samples of each question vote, as in cons@n",
        "guidance": "the fewest samples of any question, and all of them vote, as in cons@n",
        "saturation": "those that double, the number of samples and the largest",
        "candidates": "the fewest samples of any question",
        "trust": "the fewest samples of any question",
        "budgets": "4, or the most that all runs of a dataset with several samples have",
    }
    for name in LISTINGS:
        text = helped(name, capsys)
        assert ("--k " in text) == (name in defaults)
        if name in defaults:
            assert f"--k K,K,… samples drawn, such as 1,4,16 (default: {defaults[name]})" in text


@pytest.mark.wide
def test_without_k_the_subcommands_do_what_their_help_says(
    tmp_path: Path, capsys: CAPTURED
) -> None:
    table = tmp_path / "ragged.csv"
    rows = [f"q{i},{(i + j) % 2}" for i in range(12) for j in range(5 if i else 4)]
    table.write_text("\n".join(["question_id,correct", *rows]))

    def shown(name: str, *flags: str) -> str:
        return output(name, [str(table), *flags], capsys)

    assert "pass@4" in shown("score")
    assert shown("score") == shown("score", "--k", "4")
    assert "cons@n" in shown("consistency")
    assert "maj@4" in shown("consistency", "--k", "4")
    assert "pass@4" in shown("guide")
    assert "cons@" in shown("guide")
    assert "maj@4" in shown("guide", "--k", "4")
    curve = json.loads(shown("curve", "--format", "json"))["points"]
    assert [point["k"] for point in curve] == [1, 2, 4, 8, 16, 32, 64]
