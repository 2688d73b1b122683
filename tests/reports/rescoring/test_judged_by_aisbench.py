"""What AISBench judged, by its rules before and after August 2026, is found again sample by sample.

Two real reports of 40 made-up questions and 4 samples: one by the newest source, of five data sets,
one by the release before, of the same answers. Their truth was taken from details put in order.
"""

import json
from pathlib import Path

import pytest

from reports import load
from tests.reports.evaluations.aisbench_archives import loaded
from tests.reports.mutations import unzipped, zipped

DATA = Path(__file__).parents[2] / "data" / "verdicts"
REPORTS = ("head_n4", "old_gpqa_n4")


def without_details(members):
    return {
        path: json.dumps({k: v for k, v in json.loads(data).items() if k != "details"}).encode()
        if "/results/" in f"/{path}"
        else data
        for path, data in members.items()
    }


@pytest.mark.parametrize("detailed", [True, False])
@pytest.mark.parametrize("name", REPORTS)
def test_every_verdict_is_the_tool_s(name, detailed):
    path = DATA / f"{name}.zip"
    bare = (path.name, zipped(without_details(unzipped(path))))
    report = loaded(path) if detailed else load(bare)
    truth = json.loads((DATA / f"{name}.json").read_text())
    assert {f"{run.model} / {run.dataset}" for run in report.runs} == truth.keys()
    for run in report.runs:
        entry = truth[f"{run.model} / {run.dataset}"]
        assert run.outcomes.correct.tolist() == entry["tool"]
        assert run.verified is True
        said = run.texts(run.outcomes.questions[0]).predictions
        assert len(said) == 4
        assert all(said)


def test_the_two_rules_judge_the_same_answers_differently():
    old, new = (json.loads((DATA / f"{name}.json").read_text()) for name in reversed(REPORTS))
    for run, entry in old.items():
        assert entry["tool"] != new[run]["tool"]
        assert entry["truth"] == new[run]["truth"]
