"""Details of the wrong samples only, written as AISBench writes those of BFCL.

The writer follows the tool: each replica lists its wrong samples in the order of the dataset; the
lists one after the other are cut into rows of n; and what is computed of a row counts its right
samples, of which there are none. It shares nothing with the reader.
"""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.data.outcomes import FAILED
from reports import load, reconcile
from reports.evaluations.verdicts.stated import WRONG_ONLY

CORRECT = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 0]])
"""Nine wrong samples of five questions: three rows of three."""


def written(correct, names=None):
    questions, n = correct.shape
    names = names or [f"live_simple_{q}-{q}-0" for q in range(questions)]
    wrong = [names[q] for r in range(n) for q in range(questions) if not correct[q][r]]
    right = correct.sum(axis=0)
    means = {
        "accuracy": float(np.mean(right / questions)),
        "correct_count": float(np.mean(right)),
        "total_count": float(questions),
    }
    if n == 1 or not wrong:
        last = {"accuracy": right[-1] / questions, "correct_count": int(right[-1])}
        return means | last
    assert len(wrong) % n == 0, "the evaluation fails"
    rows = [wrong[i : i + n] for i in range(0, len(wrong), n)]
    return {
        **{f"{metric} ({n} runs average)": value for metric, value in means.items()},
        **{f"{metric}@{n}": 0.0 for metric in ("avg", "pass", "cons")},
        "details": [
            {"example_abbr": f"bfcl_test_{i}", "id": row, "correct": [False] * n, "error": ["…"]}
            for i, row in enumerate(rows)
        ],
    }


def predicted(counts):
    lines = [{"id": q, "prediction": "[]"} for q, count in enumerate(counts) for _ in range(count)]
    return "\n".join(map(json.dumps, reversed(lines)))


def reported(results=None, predictions=None, n=3):
    config = (
        f"models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences={n}))]\n"
        "datasets = [dict(abbr='bfcl', "
        "eval_cfg=dict(evaluator=dict(type='bench.BFCLSingleTurnEvaluator')))]"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        target.writestr("run/configs/20261120_080955_1.py", config)
        if results is not None:
            target.writestr("run/results/alpha/bfcl.json", json.dumps(results))
        if predictions is not None:
            target.writestr("run/predictions/alpha/bfcl.jsonl", predictions)
    (run,) = load(("report.zip", buffer.getvalue())).runs
    return run


def notes(run):
    return " ".join(str(note.what) for note in run.notes)


def test_the_wrong_samples_of_several_replicas_go_to_their_questions():
    run = reported(written(CORRECT))
    assert run.outcomes.correct.tolist() == CORRECT.tolist()
    assert "hold only the 9 wrong samples; the others of 15 are right" in notes(run)
    assert "of a question are wrong, but not which" not in notes(run)


def test_what_the_tool_computes_from_the_wrong_samples_only_is_explained():
    run = reported(written(CORRECT))
    assert run.verified is True
    lines = {line.metric: line for line in reconcile(run)}
    assert {*lines} == {"accuracy (3 runs average)", "avg@3", "pass@3", "cons@3"}
    assert lines["accuracy (3 runs average)"].agrees
    assert (lines["avg@3"].reported, lines["avg@3"].recomputed) == (0.0, 0.4)
    assert {lines[f"{metric}@3"].reason for metric in ("avg", "pass", "cons")} == {WRONG_ONLY}


def test_a_lone_file_says_how_many_samples_there_are():
    (run,) = load(("bfcl.json", json.dumps(written(CORRECT)).encode())).runs
    assert run.outcomes.correct.tolist() == CORRECT.tolist()
    assert run.verified is True


@given(st.integers(1, 6), st.integers(2, 4), st.data())
def test_how_many_samples_of_each_question_are_wrong_is_always_found(questions, n, data):
    bits = st.lists(st.booleans(), min_size=questions * n, max_size=questions * n)
    flat = np.array(data.draw(bits), dtype=np.int8)
    spare = np.flatnonzero(flat == 0)[: (flat == 0).sum() % n]
    flat[spare] = 1
    correct = flat.reshape(questions, n)
    run = reported(written(correct), n=n)
    assert run.outcomes.correct.sum(axis=1).tolist() == correct.sum(axis=1).tolist()
    if "of a question are wrong, but not which" not in notes(run):
        assert run.outcomes.correct.tolist() == correct.tolist()


def test_if_all_are_right_the_file_is_that_of_one_replica():
    run = reported(written(np.ones((4, 3), dtype=int)), predicted([3, 3, 3, 3]))
    assert run.outcomes.correct.tolist() == [[1, 1, 1]] * 4
    assert run.verified is True
    assert "left out" not in notes(run)


def test_failed_requests_are_the_last_samples():
    run = reported(written(CORRECT), predicted([3, 1, 2, 3, 0]))
    assert run.outcomes.correct.tolist() == [
        [1, 0, 1],
        [0, FAILED, FAILED],
        [1, 1, FAILED],
        [0, 1, 1],
        [FAILED] * 3,
    ]
    assert "6 of 15 requests failed" in notes(run)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("simple", [[1, 0], [1, FAILED]]), ("irrelevance", [[0, 1], [0, FAILED]])],
)
def test_where_the_order_is_open_wrong_samples_keep_clear_of_failed_ones(kind, expected):
    """The first replica is wrong in 0, the second in 1: one ascending list.

    To call nothing is right in questions of irrelevance, so there the wrong one was answered.
    """
    correct = np.array([[0, 1], [1, 0]])
    run = reported(written(correct, [f"{kind}_0", f"{kind}_1"]), predicted([2, 1]), n=2)
    assert run.outcomes.correct.tolist() == expected
    assert "of a question are wrong, but not which" in notes(run)


def test_questions_without_numbers_stand_first():
    names = ["odd", "even", "prime", "square", "cube"]
    run = reported(written(CORRECT, names))
    assert sorted(run.outcomes.correct.sum(axis=1)) == sorted(CORRECT.sum(axis=1))
    assert "without their questions" in notes(run)


@pytest.mark.parametrize(
    "change",
    [
        {"total_count (3 runs average)": 9.0},
        {"correct_count (3 runs average)": 2.5},
        {"details": [{"id": ["simple_1"] * 3, "correct": [False, True, False]}] * 3},
        {"details": [{"id": ["simple_1"] * 3, "correct": [False] * 3}] * 3},
        {"details": [{"correct": [False] * 3}] * 3},
        {"details": [{"id": [7, 8, 9], "correct": [False] * 3}] * 3},
    ],
)
def test_what_does_not_add_up_is_a_problem(change):
    run = reported(written(CORRECT) | change)
    assert run.outcomes is None
    assert "samples, perhaps only the wrong ones" in notes(run)


def test_without_details_they_are_asked_for():
    results = written(CORRECT)
    del results["details"]
    run = reported(results, predicted([3] * 5))
    assert run.outcomes is None
    assert "--mode eval --reuse run --dump-eval-details" in notes(run)


def test_an_evaluation_that_the_tool_cannot_do_is_not_asked_for_again():
    run = reported(predictions=predicted([3] * 5))
    assert run.outcomes is None
    (note,) = [note for note in run.notes if note.severity == "problem"]
    assert "unless their number is a multiple of 3. Evaluating again does not help" in str(
        note.what
    )
    assert "num_return_sequences=1" in str(note.what)
    run = reported(predictions=predicted([1] * 5), n=1)
    assert "--reuse run" in notes(run)
