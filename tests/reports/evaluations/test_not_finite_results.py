"""NaN and Infinity, which Python writes into results, are no number; everything else stands."""

import json

import numpy as np
import pytest

from metrics.data.outcomes import FAILED
from reports import LoadError, load
from reports.evaluations.details import DetailTable
from reports.evaluations.verdicts.results import read_results
from reports.files.archive import open_tree

NAN, INFINITY = float("nan"), float("inf")
ROWS = [
    {"pred": [f"{i}", "?"], "answer": [f"{i}"] * 2, "correct": [True, False]} for i in range(30)
]


def run_of(content, indent=None):
    (run,) = load(("quiz.json", json.dumps(content, indent=indent).encode())).runs
    return run


def notes(run):
    return [str(note.what) for note in run.notes]


@pytest.mark.wide
@pytest.mark.parametrize("number", [NAN, INFINITY, -INFINITY, None])
@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("first", [True, False], ids=["before", "behind"])
def test_a_metric_without_a_number_is_not_stated(number, indent, first):
    metrics = {"accuracy": 50.0, "f1": number}
    content = metrics | {"details": ROWS} if first else {"details": ROWS} | metrics
    run = run_of(content, indent)
    assert run.reported == {"accuracy": 0.5}
    assert run.outcomes.correct.tolist() == [[1, 0]] * 30
    said = "The file has no number for f1, but null, NaN or Infinity."
    assert said in notes(run)


def test_details_beside_nan_are_read_block_by_block(monkeypatch):
    monkeypatch.setattr("reports.json_files.entries.BLOCK", 256)
    rows = [row | {"logprob": [NAN if i == 3 else 0.5, 0.5]} for i, row in enumerate(ROWS)]
    content = {"f1": NAN, "details": rows, "accuracy": INFINITY}
    tree = open_tree(("quiz.json", json.dumps(content).encode()))
    found = read_results(tree, "quiz.json")
    assert isinstance(found["details"], DetailTable)
    assert (found["f1"], found["accuracy"]) == (None, None)


def test_a_headline_that_is_nan_leaves_the_run_unverified():
    run = run_of({"accuracy": NAN, "details": ROWS})
    assert (run.reported, run.verified) == ({}, None)


def test_finite_results_say_nothing_of_it():
    assert not any("NaN" in note for note in notes(run_of({"accuracy": 50.0, "details": ROWS})))


@pytest.mark.parametrize("number", [NAN, INFINITY, None])
def test_a_sample_without_the_score_it_is_judged_by_is_missing(number):
    rows = [{"pred": ["a", "b"], "answer": [f"{i}"] * 2, "iou": [0.75, 0.25]} for i in range(30)]
    rows[4] = rows[4] | {"iou": [number, 1.0]}
    run = run_of({"accuracy": 50.0, "details": rows})
    expected = np.array([[1, 0]] * 30)
    expected[4] = FAILED, 1
    assert run.outcomes.correct.tolist() == expected.tolist()
    assert np.isnan(run.outcomes.scores[4, 0])
    assert run.outcomes.scores[4, 1] == 1
    said = "1 of 60 samples have no score (null, NaN or Infinity). They count as missing."
    assert said in notes(run)


def test_scores_beside_verdicts_are_left_out_with_a_note():
    rows = [row | {"score": [1.0, 0.0]} for row in ROWS]
    assert run_of({"accuracy": 50.0, "details": rows}).outcomes.scores is not None
    rows[4] = rows[4] | {"score": [NAN, 0.0]}
    run = run_of({"accuracy": 50.0, "details": rows})
    assert run.outcomes.scores is None
    assert run.outcomes.correct.tolist() == [[1, 0]] * 30
    assert any("1 of 60 samples have no score" in note for note in notes(run))


def test_a_verdict_that_is_nan_is_refused():
    content = {"accuracy": 50.0, "details": [ROWS[0] | {"correct": [NAN, True]}]}
    assert any(
        "found null where true or false was expected" in note for note in notes(run_of(content))
    )


def test_nan_is_refused_elsewhere():
    line = b'{"data_abbr": "quiz", "id": 0, "prediction": NaN, "uuid": "x"}\n'
    with pytest.raises(LoadError, match="NaN is not a number"):
        load(("quiz.jsonl", line))


def test_texts_beside_nan_are_found():
    rows = [
        {"prompt": f"What is NaN, {i}?", "origin_prediction": "It is", "pred": "7", "answer": "7"}
        | {"correct": True, "logprob": NAN if i % 3 else -INFINITY}
        for i in range(30)
    ]
    content = {"accuracy": 100.0, "details": {str(i): row for i, row in enumerate(rows)}}
    run = run_of(content)
    texts = run.texts("17")
    assert texts.prompt[0].text == "What is NaN, 17?"
    assert texts.predictions == ("It is",)
