"""What is fewer than the tool counted itself is called cut short, with both numbers."""

import json
import shutil

import pytest

from reports import load, reconcile
from reports.run.reasons import CUT_SHORT
from tests.reports.harnesses.truths import DATA


def rewritten(path, change):
    value = json.loads(path.read_text())
    path.write_text(json.dumps(change(value) or value))


def without_last(key):
    return lambda value: value.update({key: value[key][:-1]})


def counted_more(name):
    def change(value):
        for stat in value:
            if stat["name"]["name"] == name:
                stat["mean"] += 2

    return change


def of_more_documents(value):
    for task in value["config_tasks"].values():
        task["effective_num_docs"] = 30


def with_programs(value):
    value["config"] = {"model": "m", "n_samples": 6}


CUT = {
    "tau2/alpha_maxsteps": (
        "results.json",
        without_last("simulations"),
        "3 of 4 conversations",
    ),
    "helm/benchmark_output": (
        "stats.json",
        counted_more("num_instances"),
        "4 of 6 instances",
    ),
    "livecodebench": ("*_eval_all.json", lambda rows: rows[:-1], "5 of 6 problems"),
    "swebench": (
        "beta-agent.run2.json",
        lambda value: value.update(total_instances=13),
        "12 of 13 issues",
    ),
    "lighteval": ("results_*.json", of_more_documents, "26 of 30 questions"),
    "bigcode": ("evaluation_results.json", with_programs, "30 of 36 programs"),
}


@pytest.mark.parametrize("tool", CUT)
def test_both_numbers_are_said(tool, tmp_path):
    name, change, said = CUT[tool]
    shutil.copytree(DATA / tool, tmp_path / "run", ignore=shutil.ignore_patterns("logs"))
    if tool == "bigcode":
        shutil.copy(DATA / tool / "logs.json", tmp_path / "run")
    for path in tmp_path.rglob(name):
        rewritten(path, change)
    runs = load(tmp_path).runs
    notes = [str(note.what) for run in runs for note in run.notes if note.severity == "warning"]
    assert any(note.startswith(f"{said} that the tool counted are here") for note in notes)


@pytest.mark.parametrize("tool", CUT)
def test_nothing_is_said_where_all_is_there(tool):
    for run in load(DATA / tool).runs:
        assert not any("cut short" in str(note.what) for note in run.notes)


def test_numbers_of_more_problems_than_are_here_are_no_doubt(tmp_path):
    shutil.copytree(DATA / "livecodebench", tmp_path / "run")
    (path,) = tmp_path.rglob("*_eval_all.json")
    rewritten(path, lambda rows: rows[:-1])
    (run,) = load(tmp_path).runs
    assert {line.reason for line in reconcile(run)} <= {CUT_SHORT, None}
    assert run.verified


def test_programs_that_are_gone_are_counted_in_the_older_layout_of_evalplus():
    tried = {"HumanEval/0": {"nfiles": 3, "base": [["success", []]], "plus": [["success", []]]}}
    data = json.dumps({"date": "2023-11-20 08:37", "hash": "ab", "eval": tried}).encode()
    for run in load(("m_temp_0.2_eval_results.json", data)).runs:
        assert any(str(note.what).startswith("1 of 3 programs") for note in run.notes)
