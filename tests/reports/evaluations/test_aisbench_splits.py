"""MMMU, whose references say which split and subject a question is of, and numbers by both."""

import io
import json
import zipfile

import pytest

from metrics.data.outcomes import ABSENT, FAILED
from reports import load, reconcile
from reports.evaluations.verdicts.stated import DROPPED

QUESTIONS = [
    ("dev", "Art", "Humanities"),
    ("validation", "Art", "Humanities"),
    ("validation", "Music", "Humanities"),
    ("validation", "Physics", "Science"),
]
CORRECT = [[1, 1], [1, 0], [0, 0], [1, 1]]
STATED = {
    "[validation]: Overall (2 runs average)": 50.0,
    "[validation]: Art (2 runs average)": 50.0,
    "[validation]: Humanities (2 runs average)": 25.0,
    "[validation]: Music (2 runs average)": 0.0,
    "[validation]: Physics (2 runs average)": 100.0,
    "[validation]: Science (2 runs average)": 100.0,
    "[dev]: Overall (2 runs average)": 100.0,
    "[dev]: Art (2 runs average)": 100.0,
    "[dev]: Humanities (2 runs average)": 100.0,
    "avg@2": 62.5,
}


def gold(question):
    split, category, discipline = QUESTIONS[question]
    labels = {"split": split, "category": category, "l2-category": discipline}
    return {"choices": "{}", "answer": f"right {question}"} | labels


def reported(details, stated=STATED, golds=gold, answered=range(4)):
    box = "<|begin_of_box|>{}<|end_of_box|>"
    lines = [
        {"id": q, "prediction": box.format(["no", f"right {q}"][right]), "gold": golds(q)}
        for q in answered
        for right in CORRECT[q]
    ]
    flat = [(q, r) for r in range(2) for q in range(4)]
    rows = [
        {
            "example_abbr": f"mmmu_test_{i // 2}",
            "pred": ["…", "…"],
            "answer": [golds(q) for q, _ in flat[i : i + 2]],
            "correct": [bool(CORRECT[q][r]) for q, r in flat[i : i + 2]],
        }
        for i in range(0, 8, 2)
    ]
    config = (
        "models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=2))]\n"
        "datasets = [dict(abbr='mmmu', eval_cfg=dict(evaluator=dict(type='x.MMMUEvaluator')))]"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        target.writestr("run/configs/20261120_080955_1.py", config)
        target.writestr("run/predictions/alpha/mmmu.jsonl", "\n".join(map(json.dumps, lines)))
        content = dict(stated) | ({"details": rows} if details else {})
        target.writestr("run/results/alpha/mmmu.json", json.dumps(content))
    (run,) = load(("report.zip", buffer.getvalue())).runs
    return run


@pytest.mark.parametrize("details", [True, False])
def test_every_number_of_a_split_and_its_subjects_is_checked(details):
    run = reported(details)
    assert run.outcomes.correct.tolist() == CORRECT
    assert run.outcomes.segments["split"].tolist() == ["dev"] + 3 * ["validation"]
    assert run.outcomes.segments["category"].tolist() == ["Art", "Art", "Music", "Physics"]
    assert run.outcomes.segments["l2-category"].tolist() == 3 * ["Humanities"] + ["Science"]
    assert all(line.agrees for line in reconcile(run))
    assert run.verified is True


def test_a_number_of_a_split_that_is_wrong_is_seen():
    run = reported(True, STATED | {"[validation]: Art (2 runs average)": 75.0})
    (line,) = [line for line in reconcile(run) if not line.agrees]
    assert (line.metric, line.recomputed) == ("[validation]: Art (2 runs average)", 0.5)
    assert run.verified is False


def test_a_rule_that_does_not_give_the_number_of_a_split_is_not_the_rule():
    run = reported(False, STATED | {"[validation]: Art (2 runs average)": 75.0})
    assert run.outcomes is None
    (note,) = [note for note in run.notes if note.severity == "problem"]
    assert "50.00% where the report states 75.00% ([validation]: Art" in str(note.what)


@pytest.mark.parametrize("label", [None, 7, "x" * 65])
def test_labels_that_are_none_are_left_out(label):
    run = reported(True, golds=lambda question: gold(question) | {"category": label})
    assert run.outcomes.correct.tolist() == CORRECT
    assert {*run.outcomes.segments} == {"split", "l2-category"}
    unknown = {line.metric for line in reconcile(run) if line.recomputed is None}
    assert unknown == {metric for metric in STATED if any(c in metric for c in ("Art", "Mu", "Ph"))}


def test_a_split_of_which_nothing_can_be_judged_has_no_mean():
    """The evaluator finds no answer equal to the number, and counts all to it as wrong."""
    of_dev = {metric: 0.0 for metric in STATED if metric.startswith("[dev]")}
    stated = STATED | of_dev | {"avg@2": 37.5}
    run = reported(False, stated, golds=lambda q: gold(q) | ({} if q else {"answer": 7}))
    assert run.outcomes.correct.tolist() == [[ABSENT] * 2, *CORRECT[1:]]
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["[dev]: Overall (2 runs average)"].recomputed is None
    assert lines["[validation]: Overall (2 runs average)"].agrees
    assert lines["avg@2"].reason == DROPPED


def test_an_unanswered_question_is_of_an_unknown_split():
    """No line of it is left that could say; the tool knows, and counts it there as wrong."""
    stated = {"avg@2": 50.0, "[validation]: Overall (2 runs average)": 100 / 3}
    run = reported(False, stated, answered=(0, 2, 3))
    assert run.outcomes.correct.tolist() == [[1, 1], [FAILED, FAILED], [0, 0], [1, 1]]
    assert run.outcomes.segments["split"].tolist() == ["dev", "", "validation", "validation"]
    assert {line.recomputed for line in reconcile(run) if line.metric.startswith("[")} == {None}
