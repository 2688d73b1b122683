"""Shapes of results written small, as the tool's source writes them.

LiveCodeBench, RefCOCO, Geometry3K, NeedleBench, IFEval, MBPP, judges.
"""

import io
import json
import zipfile

import numpy as np
import pytest

from metrics.data.outcomes import FAILED
from reports import load, reconcile
from reports.evaluations.verdicts.stated import SCRAMBLED
from tests.reports.evaluations.aisbench_archives import DATA
from tests.reports.mutations import unzipped, zipped


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for path, content in files.items():
            target.writestr(
                f"run/{path}", content if isinstance(content, str) else json.dumps(content)
            )
    return "report.zip", buffer.getvalue()


def lone(results):
    (run,) = load(packed({"results/alpha/quiz.json": results})).runs
    return run


TESTS = [
    [[True, True], [True, False]],
    [[False], [1]],
    [[-2], [-1]],
]
"""Outcomes of the tests of three questions, two samples each."""
PASSED = [[1, 0], [0, 1], [0, 0]]


def livecodebench(details):
    flat = [bool(PASSED[q][r]) for r in range(2) for q in range(3)]
    rows = [
        {"example_abbr": f"quiz_test_{i}", "correct": flat[2 * i : 2 * i + 2]} for i in range(3)
    ]
    hits = [sum(row["correct"]) for row in rows]
    return {
        "accuracy (2 runs average)": 100 / 3,
        "extracted_predictions": [{"0": ["print()"]}] * 2,
        "eval_results": [{str(q): [TESTS[q][r]] for q in range(3)} for r in range(2)],
        "avg@2": 100 / 3,
        "pass@2": 100 * np.mean([hit > 0 for hit in hits]),
        "cons@2": 0.0,
    } | ({"details": rows} if details else {})


@pytest.mark.parametrize("details", [True, False])
def test_livecodebench_keeps_the_outcomes_of_its_tests_in_order(details):
    run = lone(livecodebench(details))
    assert run.outcomes.correct.tolist() == PASSED
    assert run.outcomes.scores is None
    assert run.verified is True
    assert any("ends at the first that fails" in str(note.what) for note in run.notes)
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["avg@2"].agrees
    assert lines["pass@2"].recomputed == pytest.approx(2 / 3)
    assert lines["pass@2"].agrees or lines["pass@2"].reason == SCRAMBLED


def test_livecodebench_with_one_sample_states_pass_at_1():
    results = {"pass@1": 100 / 3, "eval_results": [{str(q): [TESTS[q][0]] for q in range(3)}]}
    run = lone(results)
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 0]
    assert run.verified is True


def test_refcoco_keeps_the_overlap_of_each_box():
    rows = [
        {
            "pred": [[0, 0, 9, 9]],
            "answer": [f'{{"bbox": [{i}]}}'],
            "correct": [iou >= 0.5],
            "iou": [iou],
        }
        for i, iou in enumerate([0.5, 0.49, 0.9, 0.0])
    ]
    run = lone({"Accuracy@0.5": 50.0, "details": rows})
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 1, 0]
    assert run.outcomes.scores.ravel().tolist() == [0.5, 0.49, 0.9, 0.0]
    assert (run.threshold, run.strict, run.verified) == (0.5, False, True)
    (note,) = run.notes[:1]
    assert "its score is at least 0.5" in str(note.what)
    assert "The file holds the scores." in str(note.what)


def test_geometry3k_is_judged_apart_from_its_score():
    rows = [
        {
            "extracted_answer": ["7"],
            "accuracy": [1.0],
            "format_score": [0.0],
            "combined_score": [0.9],
        },
        {
            "extracted_answer": ["8"],
            "accuracy": [0.0],
            "format_score": [1.0],
            "combined_score": [0.1],
        },
    ]
    run = lone({"accuracy": 50.0, "details": rows})
    assert run.outcomes.correct.ravel().tolist() == [1, 0]
    assert run.outcomes.scores.ravel().tolist() == [0.9, 0.1]
    assert run.threshold is None
    assert run.verified is True


def test_needlebench_s_scores_are_verdicts():
    rows = [{"pred": ["x"], "answer": ["x"], "score": [score]} for score in (100, 0, 0)]
    run = lone({"score": 100 / 3, "details": rows})
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 0]
    assert run.verified is True


@pytest.mark.parametrize("key", ["is_correct", "cascade_correct", "passed", "accuracy"])
def test_verdicts_have_several_names(key):
    """MBPP and IFEval write is_correct, OpenCompass's cascade its own."""
    details = {str(i): {"result": "pass", key: right} for i, right in enumerate([1, 0])}
    run = lone({"score": 50.0, "pass": 1, "timeout": 0, "details": details})
    assert run.outcomes.correct.tolist() == [[1], [0]]
    assert run.verified is True
    assert dict(run.reported) == {"score": 0.5}


def test_ifeval_is_judged_strictly_and_its_other_numbers_have_no_counterpart():
    details = {
        str(i): {"is_correct": strict, "is_strict_correct": strict, "is_loose_correct": True}
        for i, strict in enumerate([True, False])
    }
    run = lone(
        {
            "Prompt-level-strict-accuracy": 50.0,
            "Inst-level-strict-accuracy": 75.0,
            "Prompt-level-loose-accuracy": 100.0,
            "details": details,
        }
    )
    assert run.verified is True
    assert [line.agrees for line in reconcile(run)] == [True, False, False]
    assert {name: values.tolist() for name, values in run.columns.items()} == {
        "is_strict_correct": [[1], [0]],
        "is_loose_correct": [[1], [1]],
    }


def test_further_verdicts_go_to_the_samples_that_they_are_of():
    """Details of n = 2 hold the samples of different questions in a row, and so each field."""
    strict, loose = [1, 0, 0, 1, 0, 1], [1, 1, 0, 1, 0, 1]
    golds = ["a", "b", "c"] * 2
    rows = [
        {
            "pred": ["x", "y"],
            "answer": golds[place : place + 2],
            "is_correct": [bool(right) for right in strict[place : place + 2]],
            "is_loose_correct": loose[place : place + 2],
        }
        for place in (0, 2, 4)
    ]
    content = {"accuracy (2 runs average)": 50.0, "avg@2": 50.0, "details": rows}
    run = lone(content)
    assert run.outcomes.correct.tolist() == [[1, 1], [0, 0], [0, 1]]
    assert run.columns["is_loose_correct"].tolist() == [[1, 1], [1, 0], [0, 1]]
    del rows[2]["is_loose_correct"]
    assert not lone(content).columns


UUIDS = [[f"{q}{r}" + 30 * "0" for r in range(2)] for q in "abc"]
"""Of the predictions of three questions, two samples each; the second of c failed."""
(A0, A1), (B0, B1), (C0, _) = UUIDS
FOUND_RIGHT = {A0: True, A1: False, B0: False, B1: True, C0: True}
ASKED = [C0, B1, A1, A0, B0]
"""What the judge replies to, in the order of completion."""


def judge_run(details, asked=ASKED):
    """The results have the model's questions and samples, those of each in the judge's order.

    Each failed request has an empty reply at the end of its question.
    """
    base = [(q, UUIDS[q][r]) for r, q in [(0, 1), (0, 0), (0, 2), (1, 0), (1, 1)]]
    question = {uuid: q for q, row in enumerate(UUIDS) for uuid in row}
    of_question = [[uuid for uuid in asked if question[uuid] == q] for q in range(3)]
    said = [
        (["AB"[not FOUND_RIGHT[uuid]] for uuid in uuids] + ["B"] * 2)[:2] for uuids in of_question
    ]
    flat = [(said[q][r], str(q)) for r in range(2) for q in range(3)]
    rows = [
        {
            "example_abbr": f"aime-judge_test_{i}",
            "pred": [letter for letter, _ in flat[2 * i : 2 * i + 2]],
            "answer": [gold for _, gold in flat[2 * i : 2 * i + 2]],
            "correct": [letter == "A" for letter, _ in flat[2 * i : 2 * i + 2]],
        }
        for i in range(3)
    ]
    answers = [
        {
            "data_abbr": "aime-judge",
            "id": question[uuid],
            "prediction": f"<think>B?</think>It is {'AB'[not FOUND_RIGHT[uuid]]}",
            "gold": uuid,
        }
        for uuid in asked
    ]
    lines = [{"data_abbr": "aime", "id": q, "uuid": uuid, "prediction": "…"} for q, uuid in base]
    right = 100 * sum(letter == "A" for letter, _ in flat) / 6
    stated = {
        "accuracy (2 runs average)": right,
        "avg@2": right,
        "pass@2": 200 / 3,
        "cons@2": 100 / 3,
    }
    cached = [answer | {"id": i} for i, answer in enumerate(answers)]
    return {
        "configs/20261120_080955_1.py": "models = [dict(abbr='alpha', "
        "generation_kwargs=dict(num_return_sequences=2))]\ndatasets = [dict(abbr='aime')]",
        "results/alpha/aime-judge.json": stated | ({"details": rows} if details else {}),
        "predictions/alpha/aime.jsonl": "\n".join(map(json.dumps, lines)),
        "predictions/alpha/aime-judge.jsonl": "\n".join(map(json.dumps, answers)),
        "predictions/alpha/aime-judge-cached.jsonl": "\n".join(map(json.dumps, cached)),
    }


@pytest.mark.parametrize("details", [True, False])
def test_a_judge_s_verdicts_go_back_to_question_and_sample(details):
    report = load(packed(judge_run(details)))
    (run,) = report.runs
    assert (run.dataset, report.notes) == ("aime-judge", ())
    assert run.outcomes.correct.tolist() == [[1, 0], [0, 1], [1, FAILED]]
    (failed,) = [note for note in run.notes if "1 of 6 requests failed" in str(note.what)]
    assert failed.where == "run/predictions/alpha/aime.jsonl"
    assert not [note for note in run.notes if note.severity == "problem"]
    assert (run.verified, run.answers) == (True, None)
    assert run.texts("0").predictions == ("…", "…")
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["accuracy (2 runs average)"].agrees
    assert (lines["pass@2"].recomputed, lines["pass@2"].reason) == (1.0, SCRAMBLED)


@pytest.mark.parametrize("details", [True, False])
def test_a_prediction_without_a_judgement_is_missing(details):
    (run,) = load(packed(judge_run(details, asked=[C0, A1, A0, B0]))).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [0, FAILED], [1, FAILED]]
    said = [str(note.what) for note in run.notes]
    assert any("no usable judgement of 1 of 6 samples" in text for text in said)
    assert any("1 of 6 requests failed" in text for text in said)
    assert run.verified is True


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("predictions/alpha/aime.jsonl", A0, "z"),
        ("predictions/alpha/aime-judge.jsonl", "It is B", "It is A"),
        ("predictions/alpha/aime-judge.jsonl", '"id": 1', '"id": 0'),
    ],
)
def test_verdicts_that_cannot_be_put_back_are_a_problem(file, old, new):
    files = judge_run(details=True)
    files[file] = files[file].replace(old, new)
    (run,) = load(packed(files)).runs
    assert run.outcomes is None
    (note,) = [note for note in run.notes if note.severity == "problem"]
    assert "do not match the predictions in" in str(note.what)


def test_a_dataset_of_the_configuration_is_no_judge():
    """The evaluation of one dataset failed; another's name begins with its name."""
    line = json.dumps({"id": 0, "uuid": "x", "prediction": "7", "data_abbr": "aime"})
    row = {"predictions": ["7"], "references": ["7"], "correct": [True]}
    files = {
        "configs/20261120_080955_1.py": "models = [dict(abbr='alpha')]\n"
        "datasets = [dict(abbr='aime'), dict(abbr='aime-2025')]",
        "predictions/alpha/aime.jsonl": line,
        "predictions/alpha/aime-2025.jsonl": line,
        "results/alpha/aime-2025.json": {"accuracy": 100.0, "details": {"0": row}},
    }
    runs = load(packed(files)).runs
    assert [run.dataset for run in runs] == ["aime", "aime-2025"]
    assert runs[1].outcomes.correct.tolist() == [[1]]


def bfcl(*wrong, total=4):
    rows = [
        {"example_abbr": f"bfcl_test_{i}", "id": [name], "correct": [False], "error": ["…"]}
        for i, name in enumerate(wrong)
    ]
    right = float(total - len(wrong))
    counts = {"accuracy": right / total, "correct_count": right, "total_count": float(total)}
    return counts | ({"details": rows} if wrong else {})


@pytest.mark.parametrize(
    ("wrong", "verdicts"),
    [
        (("multi_turn_base_2",), [1, 1, 0, 1]),
        (("live_simple_3-2-1", "live_simple_0-0-0"), [0, 1, 1, 0]),
        ((), [1, 1, 1, 1]),
        (("unnumbered", "simple_1"), [0, 0, 1, 1]),
    ],
)
def test_bfcl_lists_the_wrong_samples_only(wrong, verdicts):
    run = lone(bfcl(*wrong))
    assert run.outcomes.correct.ravel().tolist() == verdicts
    assert run.verified is True
    assert any("wrong samples" in str(note.what) for note in run.notes)
    named = not any("without their questions" in str(note.what) for note in run.notes)
    assert named is ("unnumbered" not in wrong)


def test_bfcl_with_counts_that_do_not_add_up_is_a_problem():
    run = lone(bfcl("simple_1") | {"total_count": 9.0})
    assert run.outcomes is None
    assert any("1 of 9 samples, perhaps only the wrong" in str(note.what) for note in run.notes)


def test_models_may_differ_in_their_number_of_samples():
    """The tool's summary stops with an assertion then: results are whole, the summary missing."""
    row = {"pred": ["7", "8"], "answer": ["7", "7"], "correct": [True, False]}
    one = {"predictions": ["7"], "references": ["7"], "correct": [True]}
    config = "models = [dict(abbr='a', generation_kwargs=dict(num_return_sequences=2)), "
    files = {
        "configs/20261120_080955_1.py": config + "dict(abbr='b')]\ndatasets = [dict(abbr='quiz')]",
        "results/a/quiz.json": {"accuracy (2 runs average)": 50.0, "avg@2": 50.0, "details": [row]},
        "results/b/quiz.json": {"accuracy": 100.0, "details": {"0": one}},
    }
    report = load(packed(files))
    assert [run.outcomes.shape for run in report.runs] == [(1, 2), (1, 1)]
    assert all(run.verified for run in report.runs)
    assert (report.notes, report.suites) == ((), ())


@pytest.mark.parametrize("beside", ["predictions", "nothing"])
@pytest.mark.parametrize(
    ("tool", "name"),
    [("aisbench", "gsm8k_n5_two_models"), ("aisbench", "custom_mcq_n4"), ("opencompass", "n4")],
)
def test_details_in_another_order_are_put_in_that_of_their_numbers(tool, name, beside):
    files = {
        path: data
        for path, data in unzipped(DATA.parent / tool / f"{name}.zip").items()
        if beside in path or "/predictions/" not in path
    }
    path = next(path for path in files if "/results/" in path)
    content = json.loads(files[path])
    content["details"] = content["details"][1::2] + content["details"][::2]
    truth = {run.source: run for run in load(("r.zip", zipped(files))).runs}
    files[path] = json.dumps(content).encode()
    for run in load(("r.zip", zipped(files))).runs:
        assert run.outcomes.digest == truth[run.source].outcomes.digest
        if run.has_texts:
            assert run.texts("1") == truth[run.source].texts("1")
