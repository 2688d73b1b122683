"""Real reports in part: without details, results or predictions, and single files of them."""

from datetime import datetime

import pytest

from reports import load
from tests.reports.evaluations.aisbench_archives import (
    REPORTS,
    assert_true,
    members,
    notes,
    truth,
    without,
)
from tests.reports.mutations import zipped


@pytest.mark.parametrize("name", REPORTS)
def test_without_details_the_predictions_are_judged_as_the_tool_judges_them(name):
    report = load(without(name))
    assert_true(report, name)
    for run in report.runs:
        (note,) = [note for note in notes(run) if "kofn judged the predictions itself" in note]
        assert note.endswith("That gives exactly the averages that the report states.")


def test_without_anything_to_judge_by_there_is_a_way_to_get_it():
    for run in load(without("gsm8k_demo_n5_nodump", golds=False)).runs:
        assert run.outcomes is None
        assert run.reported["avg@5"] > 0
        (note,) = notes(run, "problem")
        assert "--mode eval --reuse 20261120_081253 --dump-eval-details" in note


def test_failed_requests_are_found_without_details():
    (run,) = load(without("gsm8k_n5_failed_then_eval_only", golds=False)).runs
    assert run.outcomes is None
    assert run.time == datetime(2026, 11, 20, 8, 8, 28)
    assert any("11 of 200 requests failed" in note for note in notes(run, "warning"))


def test_predictions_without_results_are_judged_without_a_check():
    entries = truth("gsm8k_n1")
    for run in load(without("gsm8k_n1", "/results/", "/summary/")).runs:
        assert run.outcomes.correct.tolist() == entries[run.model][run.dataset]["correct"]
        assert run.verified is None
        (note,) = notes(run, "warning")
        assert "no average to check" in note


def test_predictions_that_cannot_be_judged_are_listed():
    for run in load(without("gsm8k_n1", "/results/", "/configs/")).runs:
        assert run.outcomes is None
        assert run.source.endswith("gsm8k.jsonl")
        (note,) = notes(run, "problem")
        assert "no results" in note
        assert "--reuse 20261120_080955" in note


def test_results_without_predictions_load_with_a_note():
    files = {
        path: data
        for path, data in members("gsm8k_n5_failed_requests").items()
        if "pred" not in path
    }
    (run,) = load(("report.zip", zipped(files))).runs
    correct = truth("gsm8k_n5_failed_requests")["flaky-7b-chat"]["gsm8k"]["correct"]
    assert run.outcomes.correct.tolist() == correct
    assert any("predictions are missing" in note for note in notes(run, "info"))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("gsm8k_n1", "alpha-7b-chat/gsm8k"),
        ("gsm8k_n5_two_models", "alpha-7b-chat/gsm8k"),
        ("custom_mcq_n4", "alpha-7b-chat/site_quiz"),
        ("multi_subset_n4", "beta-14b-chat/lukaemon_mmlu_virology"),
        ("textvqa_n3", "beta-14b-chat/textvqa"),
    ],
)
def test_a_results_file_alone_gives_the_same_verdicts(name, path):
    model, dataset = path.split("/")
    (data,) = [
        data for file, data in members(name).items() if file.endswith(f"results/{path}.json")
    ]
    (run,) = load((f"{dataset}.json", data)).runs
    assert run.outcomes.correct.tolist() == truth(name)[model][dataset]["correct"]
    assert (run.dataset, run.model, run.time) == (dataset, "unknown model", None)
    assert any("does not say which model" in note for note in notes(run, "info"))


def test_a_results_file_alone_tells_that_a_question_is_missing_but_not_which():
    name = "math500_n3_missing_reference"
    (data,) = [data for path, data in members(name).items() if "/results/" in path]
    (run,) = load(("math.json", data)).runs
    assert run.outcomes.shape == (23, 3)
    assert any(
        "1 of 24 questions are missing from the details, and it is unknown which" in note
        for note in notes(run)
    )


def test_a_prediction_file_alone_tells_what_it_can():
    name = "gsm8k_n5_failed_requests"
    (data,) = [data for path, data in members(name).items() if path.endswith("/gsm8k.jsonl")]
    (run,) = load(("gsm8k.jsonl", data)).runs
    assert run.outcomes is None
    assert any("11 of 200 requests failed" in note for note in notes(run, "warning"))
