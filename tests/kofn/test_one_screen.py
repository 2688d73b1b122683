"""What the command shows by default stands on one screen, in full sentences and whole numbers."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from kofn.command import main
from kofn.overview.wins import find_wins
from kofn.terminal import screen
from kofn.terminal.brief import SCREEN, brief
from kofn.writing.columns import Block, Column
from kofn.writing.kinds import WORD
from metrics import Outcomes, Text, estimate
from reports import Report, Run
from sample_data import make

CAPTURED = pytest.CaptureFixture[str]
INTERVAL = r"\d+(?:\.\d+)?% \(\d+(?:\.\d+)? to \d+(?:\.\d+)?\)"


def runs_of(models: int, datasets: int, questions: int = 12, n: int = 4) -> list[Run]:
    rng = np.random.default_rng(7)
    return [
        Run(
            f"model-{m:02d}",
            f"set-{d:02d}",
            Outcomes((rng.random((questions, n)) < (m + 1) / (models + 1)).astype(int)),
        )
        for m in range(models)
        for d in range(datasets)
    ]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch):
    def give(*runs: Run) -> None:
        report = Report("report.zip", Text("AISBench"), runs)
        monkeypatch.setattr("kofn.terminal.inputs.load", lambda path, **_: report)

    return give


def shown(width: int, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch, *asked: str) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    assert main([*(asked or ["report.zip"])]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= width
    return lines


@pytest.mark.wide
@pytest.mark.parametrize("width", [80, 120])
def test_the_sample_is_one_screen(
    width: int, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = shown(width, capsys, monkeypatch, str(make.REPORT))
    assert len(lines) <= SCREEN
    assert "best on one try" in lines[0] + lines[1]
    rows = [line for line in lines if re.match(r"(aspen|cedar|sequoia)\S* +\d", line)]
    assert len(rows) == 21
    assert all(len(re.findall(INTERVAL, row)) == 4 for row in rows)
    heads = [line for line in lines if "avg@16" in line]
    assert heads[0].split()[1:5] == ["avg@16", "pass@16", "pass^16", "cons@16"]
    assert "--all" in " ".join(lines[-3:])


def test_of_more_runs_than_a_table_has_the_means_of_models_are_shown(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kofn.terminal.brief.MOST_RUNS", 4)
    given(*runs_of(2, 2))
    assert "set-00" in " ".join(shown(120, capsys, monkeypatch, "saturation", "report.zip")[3:])
    given(*runs_of(3, 2))
    lines = shown(120, capsys, monkeypatch, "saturation", "report.zip")
    rows = [line for line in lines if re.match(r"model-\d\d +\S", line)]
    assert len(rows) == 3
    assert not [line for line in lines if line.startswith("set-")]


def test_of_what_does_not_fit_the_last_metric_is_left_out(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(*runs_of(2, 1))
    lines = shown(60, capsys, monkeypatch)
    rows = [line for line in lines if re.match(r"model\S+ +\d", line)]
    assert [len(re.findall(INTERVAL, row)) for row in rows] == [3, 3]
    assert "--all shows 1 more column." in lines


@pytest.mark.parametrize(("width", "heads"), [(60, 1), (44, 2), (26, 3), (20, 2)])
def test_heads_stand_on_several_lines_where_a_column_would_be_left_out_else(width, heads):
    columns = (
        Column("", Text("tool"), WORD, lambda line: line),
        Column("", Text("cost of a question"), WORD, lambda line: "6,872"),
        Column("", Text("cost of all questions"), WORD, lambda line: "1,234,567"),
    )
    (lines,), below = brief([Block("", columns, ["aspen"])], (width, SCREEN), bars=False)
    (grid,) = lines
    every = grid.columns()
    assert {head.count("\n") + 1 for head, _cells, _side in every} == {heads}
    whole = [" ".join(head.split()) for head, _cells, _side in every]
    assert whole == ["tool", "cost of a question", "cost of all questions"][: len(every)]
    assert bool(below[0].startswith("--all shows")) == (len(every) < 3)
    assert sum(max(map(cell_len, head.split("\n"))) + 2 for head, *_ in every) - 2 <= width


def test_numbers_are_those_of_the_library_whole_where_there_is_room(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = runs_of(1, 1)[0]
    given(run)
    found = estimate(run, "pass@k", 4)
    low, high = found.interval or (0, 0)
    written = f"{found.value:.1%} ({low:.1%} to {high:.1%})".replace("%", "").replace(" (", "% (")
    assert any(written in line for line in shown(120, capsys, monkeypatch))
    rough = f"{found.value:.0%} ({100 * low:.0f} to {100 * high:.0f})"
    assert any(rough in line for line in shown(80, capsys, monkeypatch))


def test_of_many_runs_models_are_shown_with_their_means(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kofn.scorecard.brief.MOST_RUNS", 8)
    runs = runs_of(5, 2)
    given(*runs)
    for width in (80, 120):
        lines = shown(width, capsys, monkeypatch)
        assert len(lines) <= SCREEN
        rows = [line for line in lines if re.match(r"model-\d+ +\d+ ", line)]
        head = next(line for line in lines if line.startswith("model  "))
        assert "rank" in head
        assert "avg@n, mean of 2 datasets" in head
        assert [row.split()[0] for row in rows] == [f"model-{m:02d}" for m in reversed(range(5))]
        mean = np.mean([run.outcomes.correct.mean() for run in runs if run.model == "model-04"])
        assert f"{mean:.1%}" in rows[0]
        assert "every run" in " ".join(lines[-2:])


@pytest.mark.wide
def test_who_may_lead_shares_the_first_places(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = runs_of(1, 1)[0]
    given(*(Run(f"m{at}", "set-00", run.outcomes) for at in range(60)))
    rows = shown(80, capsys, monkeypatch)
    assert sum(bool(re.match(r"m\d+ +1 to 60 ", row)) for row in rows) > 20
    assert len(rows) <= SCREEN
    assert any(re.fullmatch(r"--all shows \d+ more lines?\.", row) for row in rows)


def test_runs_in_no_order_are_cut_and_said_to_be(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(*(Run(f"m{at}", f"d{at}", run.outcomes) for at, run in enumerate(runs_of(50, 1))))
    lines = shown(80, capsys, monkeypatch)
    assert len(lines) <= SCREEN
    count = sum(bool(re.match(r"m\d+ / d", line)) for line in lines)
    assert f"--all shows {50 - count} more lines." in lines


@pytest.mark.wide
def test_all_and_a_run_show_every_metric(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(*runs_of(2, 2))
    every = shown(100, capsys, monkeypatch, "report.zip", "--all")
    assert sum("mg-pass@4" in line for line in every) == 4
    one = shown(100, capsys, monkeypatch, "report.zip", "--run", "model-00 / set-01")
    assert sum("mg-pass@4" in line for line in one) == 1
    some = shown(100, capsys, monkeypatch, "report.zip", "--metrics", "mg-pass@k,avg@n")
    assert [line.split()[:3] for line in some if "avg@4" in line] == [
        [name, "avg@4", "mg-pass@4"] for name in ("set-00", "set-01")
    ]


def test_what_is_missing_or_doubtful_is_said_below(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run("7B", "a", Outcomes([[1, 0]] * 30), verified=False)
    given(run, Run("8B", "a", None))
    lines = shown(100, capsys, monkeypatch)
    assert any(line.startswith("7B / a !") for line in lines)
    assert any(line.startswith("!: 7B / a: not verified") for line in lines)
    assert not any(line.startswith("8B") for line in lines)
    assert any(line.startswith("N/A: 8B / a: The file does not say") for line in lines)


def test_names_keep_their_marks_and_wide_letters_their_columns(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = runs_of(1, 1)[0].outcomes
    given(*(Run(name, "a", outcomes) for name in ("[bold]x[/bold]", "通义千问", "plain :smile:")))
    lines = shown(120, capsys, monkeypatch)
    rows = [line for line in lines if re.search(INTERVAL, line) and "%" in line][1:]
    names = {re.split(r" {2,}", row)[0] for row in rows}
    assert {"[bold]x[/bold]", "通义千问", "plain :smile:"} <= names
    starts = {cell_len(row[: re.search(INTERVAL, row).start()]) for row in rows if "·" in row}
    assert len(starts) == 1


def test_colours_are_kept_to_where_they_are_wanted(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given(*runs_of(2, 1))
    assert main(["report.zip"]) == 0
    assert "\x1b[" not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert main(["report.zip", "-o", str(tmp_path / "a.txt")]) == 0
    assert "\x1b[" not in (tmp_path / "a.txt").read_text()
    assert main(["report.zip"]) == 0
    assert "\x1b[36m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["report.zip"]) == 0
    assert "\x1b[36m" not in capsys.readouterr().out


@pytest.mark.wide
@pytest.mark.usefixtures("asked_once")
@pytest.mark.parametrize("subcommand", ["scorecard", "consistency", "overview", "saturation"])
def test_long_lines_wrap_between_words(
    subcommand: str, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = shown(80, capsys, monkeypatch, subcommand, str(make.OUTCOMES), "--all")
    monkeypatch.setenv("COLUMNS", "5000")
    assert main([subcommand, str(make.OUTCOMES), "--all"]) == 0
    unwrapped = capsys.readouterr().out
    assert sorted(" ".join(lines).split()) == sorted(unwrapped.split())


def test_what_many_runs_win_is_found_out_once_for_a_screen(
    given, capsys: CAPTURED, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def find(*arguments: object) -> object:
        asked.append(arguments)
        return find_wins(*arguments)

    monkeypatch.setattr("kofn.overview.wins.find_wins", find)
    given(*runs_of(7, 6, questions=4, n=2))
    assert len(shown(80, capsys, monkeypatch, "overview", "report.zip")) <= SCREEN
    assert len(asked) == 1


@pytest.mark.parametrize(("cut", "lines"), [(True, 1), (False, 3)])
def test_a_remark_is_whole_on_a_terminal_or_a_line_of_it(cut: bool, lines: int) -> None:
    target = Console(file=io.StringIO(), force_terminal=True, width=20, no_color=True)
    remark = "warning: a.zip holds samples of other questions."
    screen.print_line(target, remark, cut=cut)
    printed = target.file.getvalue().splitlines()
    assert len(printed) == lines
    assert ("".join(printed)[-1] == "…") is cut
    assert all(cell_len(each) <= 20 for each in printed)
