"""``kofn overview`` prints what the page shows, and JSON has the numbers under it."""

import csv
import io
import json
from dataclasses import replace

import pytest

from kofn.choices.run_numbers import number_runs
from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.command import main
from kofn.overview.analysis import averages, summarize_runs
from kofn.overview.board import lay_out
from kofn.overview.figures import MARK, cells_of, written
from kofn.overview.words import answer, best_with_checks
from metrics import Outcomes, compare, estimate, pool
from metrics.data.words import Text
from reports import load
from reports.run.report import Report, Run, Suite
from tests.pages.visiting import outcomes, table


@pytest.fixture
def paths(tmp_path):
    made = []
    for seed, (model, dataset) in enumerate(
        (model, dataset) for model in ("aspen", "cedar") for dataset in ("x", "y")
    ):
        path = tmp_path / f"{model}-{dataset}.parquet"
        path.write_bytes(table(outcomes(40, 8, seed), model, dataset))
        made.append(str(path))
    return made


def test_the_first_line_is_the_answer_and_each_dataset_has_a_block(paths, capsys):
    assert main(["overview", *paths]) == 0
    out = capsys.readouterr().out
    runs = index_runs([load(path) for path in paths])
    said = str(answer(summarize_runs(runs, View()), best_with_checks(runs, View())))
    assert "If answers can be checked, " in said
    assert out.splitlines()[0] == said
    assert [line[:2] for line in out.splitlines() if line[:2] in ("x:", "y:")] == ["x:", "y:"]
    assert out.count("Next: ") == 2


def test_what_checked_answers_are_worth_is_asked_of_the_same_questions(paths):
    runs, asked = index_runs([load(path) for path in paths]), []
    view = View(segment=("topic", "odd"), missing="omit", level=0.9, runs=("aspen / x",))
    best_with_checks(runs, view, over=lambda _runs, settings, _pricing: asked.append(settings))
    assert asked == [View(segment=("topic", "odd"), missing="omit", level=0.9)]


def test_json_has_the_numbers_under_the_sentences(paths, capsys):
    main(["overview", *paths, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    runs = index_runs([load(path) for path in paths])
    first = document["datasets"][0]
    assert first["dataset"] == "x"
    best, (other,) = first["one_try"]["order"][0], first["one_try"]["ahead"]
    found = compare(runs[other["run"]].outcomes, runs[best].outcomes)
    assert (other["difference"], other["low"], other["high"]) == (found.value, *found.interval)
    sure = other["low"] > 0
    assert first["one_try"]["leaders"] == [best] + ([] if sure else [other["run"]])
    assert ("leads on one try" in first["leads"][0]) is sure
    assert document["answer"]
    means = [row for row in document["runs"] if row["dataset"] == "mean"]
    each = [estimate(runs[f"aspen / {name}"].outcomes, "avg@n") for name in ("x", "y")]
    assert means[0]["value"] == pool(each).value
    assert [row["average"] for row in document["runs"]] == [False] * 4 + [True] * 2


@pytest.mark.wide
def test_csv_and_markdown_have_the_same_numbers(paths, capsys):
    main(["overview", *paths, "--metric", "pass@k", "--k", "2", "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    runs = index_runs([load(path) for path in paths])
    for row in rows[:4]:
        found = estimate(runs[row["run"]].outcomes, "pass@k", 2)
        assert [float(row[key]) for key in ("value", "low", "high")] == [
            found.value,
            *found.interval,
        ]
    main(["overview", *paths, "--metric", "pass@k", "--k", "2", "--format", "md"])
    assert capsys.readouterr().out.count("| pass@2 |") == 6


def suite() -> Report:
    runs = [
        Run(model, name, Outcomes(outcomes(30, 4, seed)))
        for seed, (model, name) in enumerate(
            (model, name) for model in ("aspen", "cedar") for name in ("law", "logic", "gsm8k")
        )
    ]
    suites = tuple(Suite("mmlu", (runs[at], runs[at + 1]), (3.0, 1.0), {}) for at in (0, 3))
    return Report("a.zip", Text("a report"), tuple(runs), suites=suites)


def cards_of(report, view=None):
    runs = index_runs([report])
    cards = summarize_runs(runs, view or View())
    return (*cards, *averages([report], cards)), runs


def test_suites_and_the_mean_stand_at_the_edge():
    cards, runs = cards_of(suite())
    board = lay_out(cards)
    assert board.columns == ("mean", "mmlu", "law", "logic", "gsm8k")
    assert board.averages == 2
    at = board.lines.index("cedar")
    each = [estimate(runs[f"cedar / {name}"].outcomes, "avg@n") for name in ("law", "logic")]
    assert board.cells[at][1].found.score.estimate.value == pool(each, [3, 1]).value
    means = [row[0].found.score.estimate.value for row in board.cells]
    assert means == sorted(means, reverse=True)


def test_a_mean_over_unlike_k_says_why_not_and_is_over_the_datasets_that_all_have():
    report = suite()
    few = Run("cedar", "gsm8k", Outcomes(outcomes(30, 2, 9)))
    runs = (*report.runs[:5], few)
    cards, _runs = cards_of(Report("a.zip", Text("x"), runs), View(metric="pass@k"))
    reasons = {card.key: str(card.reason) for card in cards if card.reason}
    assert "different numbers of samples" in reasons["cedar / mean"]
    cards, _runs = cards_of(Report("a.zip", Text("x"), runs[:5]))
    values = {card.key: card.found.score.estimate.value for card in cards}
    own = [values[f"aspen / {name}"] for name in {run.dataset for run in runs[3:5]}]
    assert values["aspen / mean"] == pytest.approx(sum(own) / 2)
    again = (*runs[:5], replace(runs[3], source="again"))
    cards, _runs = cards_of(Report("a.zip", Text("x"), again))
    reasons = [str(card.reason) for card in cards if card.reason]
    assert reasons == ["on 1 of 2 datasets"]


def test_a_further_run_of_a_model_has_a_line_of_its_own():
    twice = (Run("aspen", "x", Outcomes(outcomes(30, 4, 1))),) * 2
    cards, _runs = cards_of(Report("a.zip", Text("x"), twice))
    board = lay_out(cards)
    assert sorted(board.lines) == ["aspen", "aspen #2"]


@pytest.mark.parametrize(("right", "order"), [((10, 20), ("b", "a")), ((20, 10), ("a", "b"))])
def test_the_best_model_stands_on_top(right, order):
    runs = tuple(
        Run(model, name, Outcomes([[1]] * count + [[0]] * (30 - count)))
        for model, count in zip("ab", right, strict=True)
        for name in "xy"
    )
    cards, _runs = cards_of(Report("a.zip", Text("x"), runs))
    assert lay_out(cards).lines == order


def test_a_doubtful_cell_is_marked_and_says_why():
    correct = outcomes(30, 4)
    correct[0, 0] = -1
    runs = (
        Run("aspen", "x", Outcomes(correct)),
        Run("cedar", "x", Outcomes(outcomes(30, 4, 7))),
    )
    cards, runs = cards_of(Report("a.zip", Text("x"), runs))
    board = lay_out(cards)
    cells = {board.lines[cell.line]: cell for cell in cells_of(board, number_runs(runs))}
    assert cells["aspen"].text.endswith(MARK)
    assert not cells["cedar"].text.endswith(MARK)
    assert "1 of 120 requests failed and counts as wrong." in str(cells["aspen"].detail)
    assert [MARK in written(row[0]) for row in board.cells] == [
        line == "aspen" for line in board.lines
    ]


def test_a_cell_writes_its_estimate_and_a_bar_as_high():
    low, high = (Run("a", "x", Outcomes([[value]] * 40)) for value in (0, 1))
    texts = [written(cards_of(Report("a", Text("x"), (run,)))[0][0]) for run in (low, high)]
    assert texts[0].startswith("0.0% (0.0 to ")
    assert (texts[0][-1], texts[1][-1]) == ("▁", "█")


@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex"])
def test_one_run_has_every_format(form, paths, capsys):
    assert main(["overview", paths[0], "--format", form]) == 0
    assert "aspen" in capsys.readouterr().out
