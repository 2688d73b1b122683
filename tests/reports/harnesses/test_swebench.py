"""Reports of SWE-bench: one run is one sample, and those of a model are its samples."""

import json
import shutil

import numpy as np
import pytest

from reports import LoadError, load
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "swebench"
TRUTH = truth_of("swebench")
ONE = FOLDER / "beta-agent.run2.json"


def lone(content):
    return load(("m.r1.json", json.dumps(content).encode()))


@pytest.mark.parametrize("key", [key for key in TRUTH if "+" not in key])
def test_a_report_is_one_sample_of_each_issue(key):
    file, _, model = key.partition("::")
    (run,) = load(FOLDER / file).runs
    assert (run.model, run.dataset) == (model, "swebench")
    assert_true(run, TRUTH[key]["swebench"])
    assert run.verified


def test_the_reports_of_a_model_are_its_samples():
    runs = {run.model: run for run in load(FOLDER).runs}
    assert list(runs) == ["acme/alpha-agent", "beta-agent"]
    for key in (key for key in TRUTH if "+" in key):
        model = key.rpartition("::")[2]
        assert_true(runs[model], TRUTH[key]["swebench"])
        assert runs[model].verified
        assert "samples" in str(runs[model].notes[0].what)
    run = runs["acme/alpha-agent"]
    rows = {issue: row for row, issue in enumerate(run.outcomes.questions)}
    assert run.outcomes.segments["repository"][rows["dlab__plot-8"]] == "dlab__plot"
    assert run.labels["result"].words()[rows["beta__webkit-12"], 3] == "empty patch"
    assert run.labels["error"].words()[rows["corp__sheet-1090"], 3] == "container_unavailable"


def test_tests_and_patches_lie_in_the_logs(tmp_path):
    shutil.copytree(FOLDER / "logs", tmp_path / "logs", ignore=shutil.ignore_patterns("beta*"))
    for path in FOLDER.glob("acme__alpha-agent.run?.json"):
        shutil.copy(path, tmp_path)
    at = tmp_path / "logs/run_evaluation/run1/acme__alpha-agent/acme__calc-207"
    # SWE-bench 5.0.2, swebench/harness/run_evaluation.py: patch.diff beside report.json
    (at / "patch.diff").write_text("--- a\n+++ b\n")
    (run,) = load(tmp_path).runs
    row = run.outcomes.questions.index("acme__calc-207")
    assert run.texts("acme__calc-207").predictions == ("--- a\n+++ b\n", None, None, None)
    assert run.columns["tests_passed"][row, 0] == 4
    assert run.columns["tests_failed"][row, 0] == 0
    assert np.isnan(run.columns["tests_passed"][row, 1])


def test_a_report_on_thousands_of_issues_is_known_by_its_beginning():
    issues = [f"organisation__repository-{number}" for number in range(3000)]
    content = json.loads(ONE.read_text()) | {"total_instances": 3000, "incomplete_ids": []}
    content |= {"completed_ids": issues, "unresolved_ids": issues[4:], "resolved_ids": issues[:4]}
    (run,) = lone(content | {"submitted_ids": issues}).runs
    assert run.outcomes.shape == (3000, 1)
    assert run.outcomes.correct.sum() == 4


def verdicts_of(model):
    (truth,) = (TRUTH[key]["swebench"] for key in TRUTH if key.endswith(f"run1.json::{model}"))
    return dict(zip(truth["questions"], (row[0] for row in truth["correct"]), strict=True))


def correct(run):
    return dict(zip(run.outcomes.questions, run.outcomes.correct[:, 0].tolist(), strict=True))


def notes(run):
    return " ".join(str(note.what) for note in run.notes)


def test_logs_stand_for_reports_that_are_not_there():
    runs = {run.model: run for run in load(FOLDER / "logs").runs}
    assert list(runs) == ["acme/alpha-agent", "beta-agent"]
    for model, run in runs.items():
        truth = verdicts_of(model)
        assert correct(run) == {issue: truth[issue] for issue in run.outcomes.questions}
        assert "leave out issues without a patch" in notes(run)
        assert run.settings["runs"] == '["run1"]'
    run = runs["acme/alpha-agent"]
    row = run.outcomes.questions.index("acme__calc-207")
    assert run.columns["tests_passed"][row, 0] == 4


def test_a_log_alone_is_one_sample_of_one_issue():
    path = FOLDER / "logs/run_evaluation/run1/acme__alpha-agent/acme__calc-101/report.json"
    (run,) = load(path).runs
    assert correct(run) == {"acme__calc-101": 0}
    assert run.model == "unknown model"
    assert run.columns["tests_failed"].tolist() == [[1.0]]


def test_what_was_tried_and_has_no_verdict_is_wrong_and_what_was_not_tried_is_neither(tmp_path):
    logs = tmp_path / "logs/run_evaluation"
    beta = FOLDER / "logs/run_evaluation/run1/beta-agent"
    for run in ("run2", "run10"):
        shutil.copytree(beta, logs / run / "beta-agent")
    # swebench/harness/run_evaluation.py, run_instance: the log is there before the patch is tried
    (logs / "run2/beta-agent/dlab__plot-8/report.json").unlink()
    (logs / "run2/beta-agent/dlab__plot-8/run_instance.log").write_text("timed out")
    shutil.rmtree(logs / "run10/beta-agent/beta__webkit-90")
    (run,) = load(tmp_path).runs
    rows = {issue: row for row, issue in enumerate(run.outcomes.questions)}
    assert run.outcomes.shape == (9, 2)
    assert run.outcomes.correct[rows["dlab__plot-8"], 0] == 0
    assert run.labels["result"].words()[rows["dlab__plot-8"], 0] == "error"
    assert run.outcomes.correct[rows["beta__webkit-90"], 1] == -1
    assert "run2, run10" in notes(run)
    assert run.unfinished.count == 1


def test_the_layouts_of_submissions_are_read(tmp_path):
    # SWE-bench/experiments: evaluation/verified/MODEL/logs/ISSUE/report.json, and
    # evaluation/bash-only/MODEL/per_instance_details.json
    model = tmp_path / "20260101_alpha"
    shutil.copytree(FOLDER / "logs/run_evaluation/run1/acme__alpha-agent", model / "logs")
    (run,) = load(tmp_path).runs
    assert (run.model, run.outcomes.shape) == ("20260101_alpha", (12, 1))
    shutil.rmtree(model / "logs")
    told = {f"a__b-{i}": {"cost": i / 4, "api_calls": i, "resolved": i > 1} for i in range(3)}
    (model / "per_instance_details.json").write_text(json.dumps(told))
    (run,) = load(tmp_path).runs
    assert correct(run) == {"a__b-0": 0, "a__b-1": 0, "a__b-2": 1}
    assert run.columns["cost"].tolist() == [[0.0], [0.25], [0.5]]
    assert run.model == "20260101_alpha"


def test_a_log_that_does_not_say_what_became_of_an_issue_is_refused(tmp_path):
    shutil.copytree(FOLDER / "logs", tmp_path / "logs")
    path = next(tmp_path.rglob("report.json"))
    path.write_text(path.read_text()[:300])
    with pytest.raises(LoadError, match=r"report\.json"):
        load(tmp_path)


def test_reports_on_other_issues_are_runs_of_their_own(tmp_path):
    shutil.copy(ONE, tmp_path)
    few = json.loads(ONE.read_text())
    few |= {"incomplete_ids": [], "total_instances": 11}
    (tmp_path / "beta-agent.run9.json").write_text(json.dumps(few))
    first, second = load(tmp_path).runs
    assert (first.outcomes.shape, second.outcomes.shape) == ((12, 1), (11, 1))
    assert "other issues" in str(first.notes[0].what)


def test_what_is_broken_is_one_clear_sentence():
    content = json.loads(ONE.read_text())
    with pytest.raises(LoadError, match="both resolved and not"):
        lone(content | {"unresolved_ids": content["resolved_ids"]})
    with pytest.raises(LoadError, match="not of the type that the tool writes"):
        lone(content | {"resolved_ids": [[1]]})
    with pytest.raises(LoadError, match="ends in the middle"):
        load(("m.r1.json", ONE.read_bytes()[:-30]))
    assert lone(content | {"resolved_instances": 9}).runs[0].verified is False
