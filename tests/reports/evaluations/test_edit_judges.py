"""Judges of edited images, in reports written small as the tool's source writes them.

Three edits, two samples each; the second of the last failed. The judge scores semantic consistency
by two criteria from 0 to 10; of one edit it says something else, and of the mean that is a 0.
"""

import io
import json
import zipfile

import numpy as np
import pytest

from metrics import estimate
from metrics.data.outcomes import FAILED
from reports import load, reconcile
from reports.evaluations.verdicts.edit_judges import scores_in
from reports.evaluations.verdicts.stated import UNSEEN

UUIDS = [["a0", "a1"], ["b0", "b1"], ["c0"]]
SAID = {"a0": [9, 8], "a1": [10, 5], "b0": [7], "b1": [0, 10], "c0": [6, 7]}
STATED = (8 + 5 + 0 + 0 + 6) / 5
SCORES = [[0.8, 0.5], [np.nan, 0.0], [0.6, np.nan]]
CORRECT = [[1, 0], [FAILED, 0], [1, FAILED]]


def row(uuid, said):
    if len(said) == 2:
        named = dict(zip(["editing success", "over editing"], said, strict=True))
        return {"pred": [named], "org_uuid": [uuid], "eval_success": [True]}
    reason = ["prediction format error"]
    return {"pred": [said], "org_uuid": [uuid], "eval_success": [False], "failed reason": reason}


def edited(details=True, results=True, said=SAID, stated=STATED, uuids=UUIDS):
    """A report; the judge's replies come in an order of completion."""
    lines = [
        {"data_abbr": "gedit", "id": q, "uuid": uuid, "prediction": f"{uuid}.png"}
        for q, row in enumerate(uuids)
        for uuid in row
    ]
    replies = [
        {"id": i, "prediction": f"[1] I think…</think>So: {points}.", "gold": uuid}
        for i, (uuid, points) in reversed(list(enumerate(said.items())))
    ]
    rows = [{"example_abbr": f"gedit_test_{i}"} | row(*one) for i, one in enumerate(said.items())]
    content = {"SC": stated} | ({"details": rows} if details else {})
    files = {
        "configs/20261120_080955_1.py": "models = [dict(abbr='alpha', "
        "generation_kwargs=dict(num_return_sequences=2))]\ndatasets = [dict(abbr='gedit', "
        "eval_cfg=dict(evaluator=dict(type='bench.LMMJudgeImageEditEvaluator', metric='SC')))]",
        "predictions/alpha/gedit.jsonl": "\n".join(map(json.dumps, lines)),
        "predictions/alpha/gedit-SC_judge.jsonl": "\n".join(map(json.dumps, replies)),
    } | ({"results/alpha/gedit-SC_judge.json": json.dumps(content)} if results else {})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for path, text in files.items():
            target.writestr(f"run/{path}", text)
    (run,) = load(("report.zip", buffer.getvalue())).runs
    return run


def notes(run):
    return " ".join(str(note.what) for note in run.notes)


@pytest.mark.parametrize("details", [True, False])
def test_the_lower_score_goes_back_to_question_and_sample(details):
    run = edited(details)
    assert run.outcomes.correct.tolist() == CORRECT
    np.testing.assert_array_equal(run.outcomes.scores, SCORES)
    assert (run.threshold, run.strict, run.answers) == (0.5, True, None)
    assert not [note for note in run.notes if note.severity == "problem"]


@pytest.mark.parametrize("details", [True, False])
def test_the_stated_mean_is_that_of_the_edits_judged(details):
    run = edited(details)
    assert run.verified is True
    (line,) = reconcile(run)
    assert line.metric == "SC"
    assert line.reported == pytest.approx(0.38)
    assert line.recomputed == pytest.approx(1.9 / 6)
    assert line.reason == UNSEEN
    assert estimate(run.outcomes, "soft", missing="omit").value == pytest.approx(
        (0.65 + 0.0 + 0.6) / 3
    )


def test_without_failed_requests_the_numbers_agree():
    run = edited(uuids=[["a0", "a1"], ["b0", "b1"], ["c0", "c1"]], said=SAID | {"c1": [3, 3]})
    assert run.verified is False
    run = edited(
        uuids=[["a0", "a1"], ["b0", "b1"], ["c0", "c1"]], said=SAID | {"c1": [3, 3]}, stated=22 / 6
    )
    assert run.verified is True
    assert all(line.agrees for line in reconcile(run))


def test_what_is_unusual_is_said():
    said = notes(edited())
    assert "lower of the two, divided by 10. The judge gives no verdict" in said
    assert "A sample is right if its score exceeds 0.5" in said
    assert "no usable judgement of 1 of 5 samples. The stated mean counts each as 0" in said
    assert "1 of 6 requests failed" in said


def test_without_results_the_replies_and_the_configuration_tell():
    run = edited(results=False)
    assert run.outcomes.correct.tolist() == CORRECT
    assert run.verified is None


def test_an_edit_without_a_reply_is_not_judged():
    """The tool counts an empty reply in its place, which is a mean over all five."""
    run = edited(details=False, said={uuid: SAID[uuid] for uuid in UUIDS[0]}, stated=13 / 5)
    assert run.outcomes.correct.tolist() == [[1, 0], [FAILED, FAILED], [FAILED, FAILED]]
    assert run.verified is True
    assert "no usable judgement of 3 of 5 samples" in notes(run)


@pytest.mark.parametrize(
    "points", [[11, 12], {"a": 1}, {"a": 1, "b": 11}, {"a": 1, "b": None}, {"a": True, "b": 1}, "x"]
)
def test_what_is_no_judgement_is_none(points):
    results = {"PQ": 3.0, "details": [{"pred": [points]}, {"pred": [{"a": 6, "b": 8}]}]}
    (run,) = load(("gedit-PQ_judge.json", json.dumps(results).encode())).runs
    assert run.outcomes.correct.tolist() == [[FAILED], [1]]
    assert run.verified is True


@pytest.mark.parametrize(
    ("reply", "scores"),
    [
        ("[ 8 ,10 ]", [8, 10]),
        ("[8.5, 9] and [7, 9]", [7, 9]),
        ("[a] [-1, 2] [3]", [3]),
        ("[" * 50_000 + "1, " * 50_000, []),
        ("", []),
    ],
)
def test_the_first_list_of_whole_numbers_is_the_judgement(reply, scores):
    assert scores_in(reply) == scores
