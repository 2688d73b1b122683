"""Stated numbers against recomputed ones: every difference has its reason, and no other."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.words import Text
from reports import load, reconcile, reconcile_suite
from reports.evaluations.verdicts.stated import (
    DROPPED,
    FAILED_RIGHT,
    LAST_SAMPLE,
    OF_ALL_SAMPLES,
    SCRAMBLED,
    SOFT,
    UNCHECKED,
)
from reports.run.reconcile import NO_COUNTERPART, NO_OUTCOMES, UNEXPLAINED, agree
from reports.run.report import Run
from tests.reports.evaluations.aisbench_archives import loaded

DATA = Path(__file__).parents[2] / "data" / "aisbench"
REPORTS = sorted(path.stem for path in DATA.glob("*.zip"))


def runs(name):
    entries = json.loads((DATA / f"{name}.json").read_text())
    for run in loaded(DATA / f"{name}.zip").runs:
        yield run, entries[run.model][run.dataset]


@pytest.mark.parametrize("name", REPORTS)
def test_recomputed_numbers_are_the_true_ones(name):
    for run, entry in runs(name):
        true = {key: value / 100 for key, value in entry["true"].items()}
        kept = 1 - len(entry.get("dropped_from_details", [])) / entry["num_questions"]
        for line in reconcile(run):
            key = line.metric.split()[0].replace(str(entry["n"]), "n")
            wanted = true[
                {
                    "accuracy": "soft_accuracy",
                    "score": "soft_accuracy",
                    "avg@n": "hard_accuracy",
                }.get(key, key)
            ]
            assert line.recomputed == pytest.approx(wanted / kept, abs=1e-12)


@pytest.mark.wide
@pytest.mark.parametrize("name", REPORTS)
def test_replicas_are_those_of_the_tool_and_average_to_what_it_states(name):
    for run, entry in runs(name):
        dropped = set(entry.get("dropped_from_details", []))
        true = [row for at, row in enumerate(entry["correct"]) if at not in dropped]
        for line in reconcile(run):
            if line.replicas:
                assert sum(line.replicas) / len(line.replicas) == pytest.approx(line.recomputed)
            if line.metric.startswith("avg@"):
                own = [sum(each) / len(true) for each in zip(*true, strict=True)]
                assert line.replicas == pytest.approx(own)
            assert bool(line.replicas) == ("average" in line.metric or "avg@" in line.metric)


def test_replicas_of_soft_scores_and_of_parts_and_where_there_are_none():
    correct, scores = [[1, 0], [1, 1], [0, 1]], [[0.9, 0.4], [0.8, 0.7], [0.1, 1.0]]
    kinds = {"kind": ["a", "b", "b"]}
    outcomes = Outcomes(correct, scores=scores, segments=kinds)
    stated = {"score (2 runs average)": 0.65, "avg@2": 2 / 3, "b (2 runs average)": 0.75}
    found = {line.metric: line for line in reconcile(Run("m", "d", outcomes, stated))}
    assert all(line.agrees for line in found.values())
    assert found["score (2 runs average)"].replicas == pytest.approx((0.6, 0.7))
    assert found["avg@2"].replicas == pytest.approx((2 / 3, 2 / 3))
    assert found["b (2 runs average)"].replicas == pytest.approx((0.5, 1.0))
    (fewer,) = reconcile(Run("m", "d", Outcomes([[0, 0], [0, ABSENT]]), {"avg@2": 0.0}))
    assert (fewer.recomputed, fewer.replicas) == (0, ())
    (other,) = reconcile(Run("m", "d", Outcomes(correct), {"pass@2": 1.0}))
    assert other.replicas == ()
    failed = Outcomes([[1, FAILED], [1, 1]])
    (line,) = reconcile(Run("m", "d", failed, {"accuracy (2 runs average)": 0.75}))
    assert line.replicas == (1.0, 0.5)


@pytest.mark.parametrize("name", REPORTS)
def test_every_difference_has_the_reason_that_is_known_of_it(name):
    for run, entry in runs(name):
        for line in reconcile(run):
            kind = line.metric.partition("@")[0]
            if line.agrees:
                assert line.reason is None
                assert line.reported == pytest.approx(line.recomputed, abs=1e-9)
            elif kind in ("pass", "cons"):
                assert line.reason == SCRAMBLED
            elif entry["evaluator"] == "AccEvaluator":
                assert line.reason == LAST_SAMPLE
            else:
                assert "dropped_from_details" in entry
                assert line.reason == DROPPED


@pytest.mark.wide
def test_nearly_every_grouped_number_of_the_tool_is_wrong():
    """Of 19 results files with pass@n, one states it rightly, by chance."""
    lines = [
        (run.model, run.dataset, line.agrees)
        for name in REPORTS
        for run, _ in runs(name)
        for line in reconcile(run)
        if line.metric.startswith("pass@")
    ]
    assert len(lines) == 19
    assert sum(agrees for *_, agrees in lines) == 1


def lone(content):
    return load(("quiz.json", json.dumps(content).encode())).runs[0]


ROWS = [
    {"pred": ["A"] * 3, "answer": ["A", "B", "A"], "correct": [True, True, False]},
    {"pred": ["A"] * 3, "answer": ["B", "A", "B"], "correct": [False, True, False]},
]
"""Two questions, three samples, mixed up: truly A has 2 of 3 right, and B 1 of 3."""


def test_the_tool_s_consistency_of_fewer_samples_is_no_majority_of_them():
    tidy = [
        {"pred": list("ABA"), "answer": list("AAA"), "correct": [True, False, True]},
        {"pred": list("BAA"), "answer": list("BBB"), "correct": [True, False, False]},
    ]
    lines = {
        line.metric: line for line in reconcile(lone({"avg@3": 50, "cons@1": 100, "details": tidy}))
    }
    assert lines["avg@3"].agrees
    assert lines["cons@1"].recomputed == pytest.approx(0.5)
    assert lines["cons@1"].reason == OF_ALL_SAMPLES


def test_a_number_that_neither_way_gives_is_called_unexplained():
    lines = {
        line.metric: line
        for line in reconcile(lone({"avg@3": 50, "pass@3": 50, "cons@3": 0, "details": ROWS}))
    }
    assert lines["avg@3"].agrees
    assert lines["pass@3"].recomputed == 1
    assert lines["pass@3"].reason == UNEXPLAINED
    assert lines["cons@3"].recomputed == 0.5
    assert lines["cons@3"].reason == UNEXPLAINED


def test_a_mean_that_the_samples_do_not_give_is_noted():
    run = lone({"avg@3": 60, "details": ROWS})
    assert run.verified is False
    assert any("do not give the mean" in str(note.what) for note in run.notes)
    assert lone({"rouge1": 60, "details": ROWS}).verified is None


def test_a_failed_request_that_was_judged_right_is_the_reason():
    results = {"accuracy": 100.0, "details": [{"pred": ["", ""], "correct": [True, True]}]}
    results = {"accuracy (2 runs average)": 100.0, "avg@2": 100.0, "details": results["details"]}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as files:
        files.writestr("results/alpha/quiz.json", json.dumps(results))
        files.writestr("predictions/alpha/quiz.jsonl", '{"data_abbr": "quiz", "id": 0}')
    (run,) = load(("report.zip", buffer.getvalue())).runs
    assert run.outcomes.correct.tolist() == [[1, FAILED]]
    assert run.verified is True
    for line in reconcile(run):
        assert (line.reported, line.recomputed, line.reason) == (1, 0.5, FAILED_RIGHT)


def test_soft_scores_that_cannot_be_had_are_the_reason():
    annotators = [{"answer": "exit", "answer_id": i} for i in range(10)]
    details = [{"pred": ["exit"], "answer": [annotators], "correct": [False]}]
    (line,) = reconcile(lone({"accuracy": 90.0, "details": details}))
    assert (line.recomputed, line.reason) == (0, SOFT)


def test_stated_numbers_of_any_file_are_compared():
    outcomes = Outcomes([[1, 1, 0], [1, FAILED, 0], [ABSENT] * 3])
    reason = Text("Known.")
    run = Run(
        "alpha",
        "quiz",
        outcomes,
        {"avg@3": 0.5, "cons@2": 0.2, "G-Pass@2_1.0": 1 / 6, "pass@4": 1.0, "bleu": 0.3},
        explanations={"cons@2": reason},
    )
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["avg@3"].agrees
    assert lines["G-Pass@2_1.0"].agrees
    assert lines["cons@2"].recomputed == pytest.approx(1 / 6)
    assert lines["cons@2"].reason == reason
    for metric in ("pass@4", "bleu"):
        assert lines[metric].recomputed is None
        assert lines[metric].reason == NO_COUNTERPART


def test_soft_means_count_failed_requests_as_nothing_and_leave_absent_ones_out():
    nan = float("nan")
    outcomes = Outcomes(
        [[1, 0], [1, FAILED], [ABSENT, ABSENT]], [[0.9, 0.3], [0.6, nan], [nan, nan]]
    )
    (line,) = reconcile(Run("alpha", "quiz", outcomes, {"accuracy": 0.45}))
    assert line.agrees
    assert line.recomputed == pytest.approx(0.45)


def test_numbers_agree_up_to_the_digits_of_the_file():
    assert agree(0.6089, 0.60888888)
    assert not agree(0.6089, 0.6088)
    assert not agree(0.60888888, 0.60889)
    assert agree(2 / 3, 2 / 3 + 1e-12)


def test_categories_have_no_counterpart():
    run = Run("alpha", "quiz", Outcomes([[2, 1]]), {"accuracy": 0.5})
    assert reconcile(run)[0].reason == NO_COUNTERPART


def test_without_samples_nothing_is_recomputed_and_what_is_known_to_be_wrong_is_said():
    run = lone({"avg@4": 50, "pass@4": 75, "cons@4": 25})
    assert run.outcomes is None
    reasons = {line.metric: line.reason for line in reconcile(run)}
    assert reasons == {"avg@4": NO_OUTCOMES, "pass@4": UNCHECKED, "cons@4": UNCHECKED}
    assert all((line.recomputed, line.agrees) == (None, False) for line in reconcile(run))


def suites(name, change=lambda path, data: data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(DATA / f"{name}.zip") as files, zipfile.ZipFile(buffer, "w") as target:
        for path in files.namelist():
            target.writestr(path, change(path, files.read(path)))
    return load(("report.zip", buffer.getvalue())).suites


def test_the_rows_of_groups_are_recomputed_from_all_samples():
    entries = json.loads((DATA / "multi_subset_n4.json").read_text())
    found = suites("multi_subset_n4")
    assert [(suite.name, suite.model) for suite in found[:3]] == [
        ("bbh", "alpha-7b-chat"),
        ("bbh", "beta-14b-chat"),
        ("mmlu", "alpha-7b-chat"),
    ]
    for suite in found:
        truths = [entries[suite.model][run.dataset]["true"] for run in suite.runs]
        for line in reconcile_suite(suite):
            key = {"pass@4": "pass@n", "cons@4": "cons@n"}.get(line.metric, "hard_accuracy")
            values = [true[key] / 100 for true in truths]
            wanted = sum(w * v for w, v in zip(suite.weights, values, strict=True))
            assert line.recomputed == pytest.approx(wanted / sum(suite.weights), abs=1e-12)


@pytest.mark.wide
def test_differences_of_groups_have_the_reasons_of_their_datasets():
    for suite in suites("multi_subset_n4"):
        for line in reconcile_suite(suite):
            if suite.name == "bbh":
                mixed = line.metric in ("pass@4", "cons@4")
                assert line.reason == (SCRAMBLED if mixed else None)
            else:
                assert line.reason == LAST_SAMPLE


def test_a_group_with_a_dataset_without_samples_stays_unchecked():
    def change(path, data):
        if "lukaemon_mmlu_virology" in path:
            return b'{"accuracy": 60.0}' if path.endswith(".json") else b""
        return data

    for suite in suites("multi_subset_n4", change):
        if suite.name.startswith("mmlu"):
            assert {line.reason for line in reconcile_suite(suite)} == {NO_OUTCOMES}


@pytest.mark.wide
@pytest.mark.parametrize("table", [b"", b"dataset", b"\xff,\n,", b"a,b,c,d,m\nbbh,-,x,gen,many\n"])
def test_a_summary_of_another_form_states_nothing(table):
    def change(path, data):
        return table if path.endswith(".csv") else data

    assert suites("multi_subset_n4", change) == ()


def test_a_number_is_checked_for_what_it_is_by_its_counterpart():
    verdicts = Outcomes([[1, 0], [0, -2], [0, 1]])
    run = Run(
        "m",
        "d",
        verdicts,
        {"first": 1 / 3, "any": 0.5, "judge": 0.2},
        counterparts={"first": "sample@1"},
        explanations={"judge": Text("It is another judge's.")},
    )
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["first"].agrees
    assert lines["any"].recomputed is None
    assert str(lines["judge"].reason) == "It is another judge's."
