"""Reports written here as the tool would write them, of known truth, are recovered exactly."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metrics.data.outcomes import ABSENT, FAILED
from reports import load, reconcile
from reports.evaluations.verdicts.alignment import align
from reports.evaluations.verdicts.grouping import as_stored, by_replica
from reports.evaluations.verdicts.stated import PADDED
from tests.reports.evaluations.mixed_reports import (
    PREDICTIONS,
    RESULTS,
    packed,
    predicted,
    quizzes,
    written,
)


@given(st.integers(1, 40), st.integers(1, 40))
def test_regrouping_undoes_the_mixing(questions, n):
    truth = np.arange(questions * n).reshape(questions, n)
    stored = truth.T.reshape(-1)
    assert (by_replica(stored, questions, n) == truth).all()
    assert (as_stored(truth.reshape(-1), questions, n) == truth).all()


@given(quizzes())
def test_what_the_tool_writes_is_recovered_exactly(quiz):
    correct, references = quiz
    (run,) = load(packed(written(correct, references))).runs
    assert run.outcomes.correct.tolist() == correct.tolist()
    assert run.verified is True


@pytest.mark.wide
@given(quizzes())
def test_what_a_corrected_tool_writes_is_taken_as_stored_or_noted(quiz):
    correct, references = quiz
    (run,) = load(packed(written(correct, references, corrected=True))).runs
    if run.outcomes.correct.tolist() != correct.tolist():
        (note,) = [note for note in run.notes if note.severity == "warning"]
        assert "nothing shows whether the samples are grouped" in str(note.what)
        assert len(set(references)) < len(references)


@given(quizzes(), st.data())
def test_failed_requests_are_the_last_samples_of_their_question(quiz, data):
    correct, references = quiz
    questions, n = correct.shape
    counts = data.draw(st.lists(st.integers(0, n), min_size=questions, max_size=questions))
    if not any(counts):
        counts[0] = 1
    assume(questions < 5 or len(set(counts)) > 1 or counts[0] == n)
    for question, count in enumerate(counts):
        correct[question, count:] = 0
    results = written(correct, references, counts=counts)
    (run,) = load(packed(results, predicted(counts, references))).runs
    for question, count in enumerate(counts):
        assert run.outcomes.correct[question, :count].tolist() == correct[question, :count].tolist()
        assert (run.outcomes.correct[question, count:] == FAILED).all()


@pytest.mark.wide
@given(quizzes(), st.data())
def test_questions_without_a_reference_are_absent(quiz, data):
    correct, references = quiz
    questions, n = correct.shape
    kept = data.draw(st.lists(st.booleans(), min_size=questions, max_size=questions))
    if not any(kept):
        kept[0] = True
    golds = [reference if keep else "" for reference, keep in zip(references, kept, strict=True)]
    results = written(correct[kept], [gold for gold in golds if gold])
    (run,) = load(packed(results, predicted([n] * questions, golds))).runs
    assert run.outcomes.correct[kept].tolist() == correct[kept].tolist()
    assert (run.outcomes.correct[np.logical_not(kept)] == ABSENT).all()


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_kept_questions_are_found_by_their_references(kept, random):
    numbers = random.sample(range(1000), len(kept))
    golds = [f"so it is \\boxed{{{number}}}." for number in numbers]
    references = [f"[{x}.0, '{x}']" for x, keep in zip(numbers, kept, strict=True) if keep]
    if references:
        assert align(references, golds).tolist() == np.flatnonzero(kept).tolist()


def test_equal_references_leave_open_which_question_was_dropped():
    assert align(["7"], ["it is 7", "it is 7"]) is None
    correct = np.array([[1, 0], [0, 1]])
    predictions = predicted([2, 2, 2], ["7", "7", "8"])
    (run,) = load(packed(written(correct, ["7", "8"]), predictions)).runs
    assert run.outcomes.correct.tolist() == correct.tolist()
    assert any("unknown which" in str(note.what) for note in run.notes)


@pytest.mark.wide
@given(st.integers(2, 6), st.integers(2, 5))
def test_equal_references_leave_the_decision_to_the_tool(questions, n):
    correct = np.arange(questions * n).reshape(questions, n) % 3 == 0
    results = written(correct, ["A"] * questions)
    (run,) = load(packed(results)).runs
    assert run.outcomes.correct.tolist() == correct.astype(int).tolist()
    assert any("AISBench is known to mix them up" in str(note.what) for note in run.notes)

    corrected = written(correct, ["A"] * questions, corrected=True)
    others = {
        f"G-Pass@{n}_0.0": corrected[f"pass@{n}"],
        "details": corrected["details"],
    }
    (run,) = load(packed(others)).runs
    assert run.outcomes.correct.tolist() == correct.astype(int).tolist()
    assert any("OpenCompass groups samples correctly" in str(note.what) for note in run.notes)


def test_a_few_unsteady_references_do_not_hide_the_order():
    correct = np.arange(60).reshape(20, 3) % 2
    results = written(correct, [str(q) for q in range(20)])
    results["details"][0]["answer"][0] = "written otherwise"
    (run,) = load(packed(results)).runs
    assert run.outcomes.correct.tolist() == correct.tolist()
    assert any("differ within 1 of 20 questions" in str(note.what) for note in run.notes)


def test_a_question_repeated_under_several_ids_is_one_question():
    """A dataset's own n: ids run over questions times n, one request each."""
    correct = np.array([[1, 0, 1], [0, 1, 0]])
    config = """
models = [dict(abbr='alpha', generation_kwargs=dict())]
datasets = [dict(abbr='quiz', n=3, k=3)]
"""
    counts = [1, 1, 1, 1, 0, 1]
    correct[1, 1] = 0
    results = written(correct, ["A", "B"])
    (place,) = [
        (entry, slot)
        for entry, group in enumerate([[(0, 0), (1, 0), (0, 1)], [(1, 1), (0, 2), (1, 2)]])
        for slot, sample in enumerate(group)
        if sample == (1, 1)
    ]
    results["details"][place[0]]["pred"][place[1]] = ""
    (run,) = load(packed(results, predicted(counts, list("AAABBB")), config)).runs
    assert run.outcomes.correct.tolist() == [[1, 0, 1], [0, FAILED, 0]]
    assert run.grouping == "proven"


def test_a_configuration_of_another_n_is_noted():
    config = "models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=8))]"
    results = written(np.array([[1, 0, 1], [0, 1, 0]]), ["A", "B"])
    (run,) = load(packed(results, config=config)).runs
    assert run.outcomes.shape == (2, 3)
    assert any("asks for 8 samples" in str(note.what) for note in run.notes)


@pytest.mark.parametrize("evaluator", ["AccEvaluator", "RougeEvaluator"])
def test_texts_are_compared_only_where_that_is_the_rule(evaluator):
    texts = zip("ABAB", "AABB", strict=True)
    details = {str(i): {"predictions": p, "references": r} for i, (p, r) in enumerate(texts)}
    config = f"""
models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=2))]
datasets = [dict(abbr='quiz', eval_cfg=dict(evaluator=dict(type='bench.{evaluator}')))]
"""
    (run,) = load(packed({"rouge1": 31.5, "details": details}, config=config)).runs
    if evaluator == "AccEvaluator":
        assert run.outcomes.correct.tolist() == [[1, 0], [0, 1]]
    else:
        assert run.outcomes is None
        (note,) = [note for note in run.notes if note.severity == "problem"]
        assert "RougeEvaluator keeps no scores of samples" in str(note.what)
        assert run.reported == {"rouge1": 0.315}


@pytest.mark.parametrize(
    ("evaluator", "stated"),
    [
        ("type='bench.RougeEvaluator'", {"rouge1": 40.0}),
        ("type='bench.JiebaRougeEvaluator'", {"rougeL": 40.0}),
        ("type='bench.OCRBenchV2Evaluator'", {"English Overall Score": 0.4}),
        ("type='bench.LongBenchF1Evaluator', language='zh'", {"score": 40.0}),
    ],
)
def test_what_no_evaluation_gives_is_not_asked_for(evaluator, stated):
    """These keep nothing of a sample; details would hold texts only, which are refused next."""
    config = f"""
models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=2))]
datasets = [dict(abbr='quiz', eval_cfg=dict(evaluator=dict({evaluator})))]
"""
    (run,) = load(packed(stated, predicted([2, 2], ["A", "B"]), config)).runs
    assert run.outcomes is None
    (note,) = [note for note in run.notes if note.severity == "problem"]
    name = evaluator.split("bench.")[1].split("'")[0]
    assert str(note.what).startswith(f"{name} keeps no scores of samples, not even with --dump")
    assert str(note.what).endswith("a Parquet table with columns question_id, sample and score.")
    assert "--reuse" not in str(note.what)
    assert [*run.reported.values()] == [0.4]


def test_scores_that_contradict_the_verdicts_are_left_out():
    annotators = [{"answer": "exit", "answer_id": i} for i in range(10)]
    results = {
        "accuracy": 100.0,
        "details": [{"pred": ["exit"], "answer": [annotators], "correct": [False]}],
    }
    (run,) = load(packed(results)).runs
    assert run.outcomes.scores is None
    assert any("contradict 1 of 1 verdicts" in str(note.what) for note in run.notes)


def test_alignment_gives_up_rather_than_guess_or_take_forever():
    assert align(["7", "8"], [None, "it is 7", None, None]) is None
    assert align(["7"] * 2000, ["7"] * 4000) is None
    assert align(["7", "8"], ["7"]) is None


def test_without_references_the_names_of_the_metrics_decide():
    correct = np.array([[1, 0, 1], [0, 0, 1]])
    results = written(correct, ["A", "B"])
    for entry in results["details"]:
        del entry["answer"]
    (run,) = load(packed(results)).runs
    assert run.outcomes.correct.tolist() == correct.tolist()
    assert any("hold no references" in str(note.what) for note in run.notes)


def test_a_request_under_an_id_of_its_own_is_one_sample():
    """Older predictions number the requests; none is left out, so none is known to have failed."""
    correct = np.array([[1, 0, 1], [0, 1, 0]])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        target.writestr(RESULTS, json.dumps(written(correct, ["A", "B"])))
        records = {str(i): {"origin_prompt": "", "prediction": "…"} for i in range(6)}
        target.writestr(PREDICTIONS.removesuffix("l"), json.dumps(records))
    (run,) = load(("report.zip", buffer.getvalue())).runs
    assert run.outcomes.correct.tolist() == correct.tolist()


@pytest.mark.parametrize("configured", [2, 4, 5])
def test_a_configured_n_that_the_references_deny_gives_way_to_the_prompts(configured):
    details = {
        str(i): {"prompt": f"question {i // 3}", "predictions": p, "references": "AB"[i // 3]}
        for i, p in enumerate("AABBCC")
    }
    kwargs = f"dict(num_return_sequences={configured})"
    config = f"models = [dict(abbr='alpha', generation_kwargs={kwargs})]"
    equal = [entry["predictions"] == entry["references"] for entry in details.values()]
    headline = 100 * (equal[2] + equal[5]) / 2
    (run,) = load(packed({"accuracy": headline, "details": details}, config=config)).runs
    assert run.outcomes.correct.tolist() == np.array(equal).astype(int).reshape(2, 3).tolist()
    assert any(f"asks for {configured} samples" in str(note.what) for note in run.notes)


def test_a_lone_file_without_details_says_both_what_it_lacks_and_how_to_get_it():
    (run,) = load(("quiz.json", b'{"accuracy (4 runs average)": 50.0}')).runs
    assert run.outcomes is None
    assert [note.severity for note in run.notes] == ["problem", "info"]
    assert "--reuse <run id>" in str(run.notes[0].what)


def test_an_evaluation_of_more_samples_than_were_asked_for_is_noted_with_both_numbers():
    """Two lines of each id, evaluated as four: the tool judges two empty answers of each."""
    correct = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]])
    config = "models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=4))]"
    golds = list("ABCDE")
    results = written(correct, golds, counts=[2] * 5)
    (run,) = load(packed(results, predicted([2] * 5, golds), config)).runs
    assert run.outcomes.correct.tolist() == correct[:, :2].tolist()
    assert run.verified is True
    assert run.answers.shape == (5, 2)
    (note,) = [note for note in run.notes if "num_return_sequences" in str(note.what)]
    assert "hold 2 samples of every question, but the evaluation counts 4" in str(note.what)
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["avg@4"].recomputed == 0.6
    assert lines["avg@4"].reason == PADDED
