"""What the command tells on stderr: notes, differences, and names made harmless."""

from pathlib import Path

import numpy as np
import pytest

from kofn.command import main
from kofn.terminal.subcommand import FORMATS
from metrics.data.outcomes import Outcomes
from metrics.data.words import Text
from reports import LoadError, Note, Report, Run
from tests.kofn.listings import LISTINGS
from tests.wide import wide_but

CAPTURED = pytest.CaptureFixture[str]


def stub(monkeypatch: pytest.MonkeyPatch, *runs: Run, notes: tuple[Note, ...] = ()) -> None:
    report = Report("report.zip", Text("AISBench"), runs, notes)
    monkeypatch.setattr("kofn.terminal.inputs.load", lambda path, **_: report)


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


@pytest.mark.wide
def test_of_each_kind_of_note_there_is_one_line_unless_all_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    failed = "{n} of {all} requests failed. They count as wrong."
    runs = [
        Run(f"m{n}", "a", Outcomes([[1, 0]]), notes=(Note(Text(failed, n=n, all=9), "x.json"),))
        for n in range(3)
    ]
    other = Note(Text("One of a kind. It is told in full."), severity="warning")
    stub(monkeypatch, *runs, notes=(other,))
    assert main(["report.zip"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "warning: report.zip: One of a kind. It is told in full.",
        "info ×3, such as report.zip, x.json: 0 of 9 requests failed.",
        "--all shows all 4 notes in full.",
    ]
    assert main(["report.zip", "--all"]) == 0
    assert capsys.readouterr().err.splitlines()[1:] == [
        f"info: report.zip, x.json: {n} of 9 requests failed. They count as wrong."
        for n in range(3)
    ]


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


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *wide_but(
            [("overview", "table"), ("trust", "table"), ("compare", "json")],
            [(name, form) for name in LISTINGS for form in ("table", "json")],
        ),
        *(("overview", form) for form in FORMATS if form not in ("table", "json", "bibtex")),
    ],
)
def test_very_long_names_are_cut_where_people_read_them(
    name: str, form: str, monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    model, dataset, label, question = (5000 * letter for letter in "mdlq")
    outcomes = Outcomes(
        [[1, 0, 1], [1, 1, 0]],
        scores=[[0.9, 0.2, 0.8], [1, 0.7, 0]],
        questions=[question, "b"],
        segments={"subject": [label, label]},
    )
    columns = {"tokens_out": np.array([[9.0, 8, 7], [5, 6, 7]])}
    runs = (
        Run(model, dataset, outcomes, settings={"temperature": 0.2}, columns=columns),
        Run(f"{model}2", dataset, outcomes, settings={"temperature": 0.7}, columns=columns),
    )
    stub(monkeypatch, *runs)
    flags = ["--format", form, "--segment", f"subject={label}"]
    flags += ["--along", "temperature"] if name == "series" else []
    assert main([name, "report.zip", *flags]) == 0
    printed = capsys.readouterr().out
    whole = form in ("json", "csv")
    assert (f"{model} / {dataset}" in printed) == whole
    assert (200 * "m" in printed) == whole
    for letter in "dlq":
        assert whole or 200 * letter not in printed
    assert whole or "…" in printed.replace(r"\ldots{}", "…")


def test_hostile_file_names_never_reach_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    def refuse(path: str, **_: object) -> Report:
        raise LoadError("a\x1b[2J.zip", Text("is not a zip"), Text("Give another."))

    monkeypatch.setattr("kofn.terminal.inputs.load", refuse)
    assert main(["a.zip"]) == 2
    assert capsys.readouterr().err == "error: a\\x1b[2J.zip: is not a zip. Give another.\n"


@pytest.mark.wide
def test_what_a_summary_states_of_a_suite_is_compared_too(capsys: CAPTURED) -> None:
    report = Path(__file__).parents[1] / "data" / "aisbench" / "multi_subset_n4.zip"
    assert main([str(report), "--all"]) == 0
    told = "difference: alpha-7b-chat / mmlu-weighted: accuracy is 53.8% in the file and 44.4% by"
    assert told in capsys.readouterr().err
