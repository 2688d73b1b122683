"""Damaged results and predictions are one problem that names the place; the rest still loads."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import LoadError, load
from tests.reports.evaluations.mixed_reports import (
    PREDICTIONS,
    RESULTS,
    packed,
    predicted,
    quizzes,
    written,
)


def problems(results, predictions=None):
    """The problems of a report that holds another results file, which must load all the same."""
    good = json.dumps(written(np.array([[1, 0], [0, 1]]), ["A", "B"]))
    name, data = packed(results, predictions)
    buffer = io.BytesIO(data)
    with zipfile.ZipFile(buffer, "a") as target:
        target.writestr("run/results/beta/quiz.json", good)
    report = load((name, buffer.getvalue()))
    (run,) = [run for run in report.runs if run.model == "beta"]
    assert run.outcomes.correct.tolist() == [[1, 0], [0, 1]]
    everything = [*report.notes, *(note for run in report.runs for note in run.notes)]
    return [str(note.what) for note in everything if note.severity == "problem"]


ROW = {"pred": ["A", "B"], "answer": ["A", "A"], "correct": [True, False]}


@pytest.mark.parametrize(
    ("details", "place", "problem"),
    [
        (None, "details", "found null where entries numbered from 0 were expected"),
        ([], "details", "found a list of 0 where entries numbered from 0 were expected"),
        ("none", "details", 'found "none" where entries numbered from 0 were expected'),
        (
            {"0": ROW, "2": ROW},
            "details",
            "found an object where entries numbered from 0 were expected",
        ),
        ([ROW, None], "details[1]", "found null where an entry was expected"),
        ([{"note": "x"}], "details[0]", "holds neither verdict nor answer"),
        ([ROW | {"correct": []}], "details[0]", "holds neither verdict nor answer"),
        ([ROW, {"pred": ["A", "B"]}], "details[1]", "has no correct"),
        (
            [ROW, ROW | {"correct": [True]}],
            "details[1].correct",
            "found a list of 1 where the first entry has a list of 2",
        ),
        (
            [ROW, ROW | {"correct": True}],
            "details[1].correct",
            "found true where the first entry has a list of 2",
        ),
        (
            [ROW, ROW | {"answer": ["A"]}],
            "details[1].answer",
            "found a list of 1 where the first entry has a list of 2",
        ),
        ([ROW | {"correct": [True, None]}], "details[0].correct", "found null where true or false"),
        (
            [ROW | {"correct": ["true", "no"]}],
            "details[0].correct",
            'found "true" where true or false',
        ),
        ([ROW | {"correct": [0.5, 1]}], "details[0].correct", "found 0.5 where true or false"),
    ],
)
def test_unusable_details_are_one_problem_that_names_the_place(details, place, problem):
    (text,) = problems({"accuracy": 50.0, "details": details})
    assert text.startswith(f"report.zip, {RESULTS}, {place}: {problem}")


@pytest.mark.parametrize(
    ("results", "problem"),
    [
        ({"error": "No predictions found."}, "the evaluation failed (No predictions found.)"),
        ({"error": "Traceback " * 1_000}, "the evaluation failed (Traceback "),
        ({}, "is not an object of metrics"),
        ("[1, 2]", "is not an object of metrics"),
        ('{"accuracy": 50.0, "details": [{"pred": ["A', "the JSON ends in the middle of a value"),
        ('{"accuracy": 1e999}', "the number that begins 1e999 is beyond 64 bits"),
        ('{"accuracy": 1, "accuracy": 2}', "the key 'accuracy' occurs 2 times in one object"),
        ({"accuracy": 50.0, "total_count": 9, "details": [ROW]}, "perhaps only the wrong ones"),
    ],
)
def test_unusable_results_are_one_problem(results, problem):
    (text,) = problems(results)
    assert text.startswith(f"report.zip, {RESULTS}")
    assert problem in text
    assert len(text) < 500


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"id": 0, "predic', "line 2"),
        (b'{"prediction": "A"}', "line 2: the id None is not a question number from 0"),
        (b'{"id": -1}', "line 2: the id -1 is not a question number from 0"),
        (b'{"id": 1e3}', "line 2: the id 1000.0 is not a question number from 0"),
        (b'{"id": true}', "line 2: the id True is not a question number from 0"),
        (b'{"id": 99999999999}', "line 2: the id 99999999999 is not a question number from 0"),
        (b"[1]", "line 2: is not a JSON object"),
        (b"\xff\xfe", "line 2"),
    ],
)
def test_unusable_predictions_leave_the_verdicts(line, problem):
    results = written(np.array([[1, 0], [0, 1]]), ["A", "B"])
    predictions = b'{"id": 0, "prediction": "A", "gold": "A"}\n' + line + b"\n"
    (text,) = problems(results, predictions)
    assert text.startswith(f"report.zip, {PREDICTIONS}, ")
    assert problem in text


def test_verdicts_may_be_written_as_numbers():
    results = written(np.array([[1, 0], [0, 1]]), ["A", "B"])
    results["details"][0]["correct"] = [1, 0.0]
    (run,) = load(packed(results)).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [0, 1]]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(0, 100) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def replace_somewhere(draw, value):
    """The same value with one part of it, perhaps itself, replaced."""
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(value)))
        return value | {key: replace_somewhere(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 5)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], replace_somewhere(draw, value[place]), *value[place + 1 :]]
    return draw(JSON)


def load_or_refuse(source):
    """Return the runs, or none where the file is refused with a reason; nothing else is raised."""
    try:
        return load(source).runs
    except LoadError:
        return ()


@given(quizzes(most=4), st.data())
def test_any_value_may_stand_in_the_place_of_any_other(quiz, data):
    correct, references = quiz
    results = written(correct, references)
    content = replace_somewhere(data.draw, results)
    predictions = predicted([correct.shape[1]] * len(correct), references)
    for run in load_or_refuse(packed(json.dumps(content), predictions)):
        assert run.outcomes is not None or any(note.severity == "problem" for note in run.notes)


@given(quizzes(most=4), st.data())
def test_any_byte_may_be_damaged(quiz, data):
    correct, references = quiz
    files = [
        json.dumps(written(correct, references)).encode(),
        predicted([correct.shape[1]] * len(correct), references),
        b"models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=2))]",
    ]
    which = data.draw(st.integers(0, 2))
    start = data.draw(st.integers(0, len(files[which])))
    end = data.draw(st.integers(start, min(len(files[which]), start + 40)))
    files[which] = files[which][:start] + data.draw(st.binary(max_size=4)) + files[which][end:]
    load_or_refuse(packed(*files))


def test_references_that_fit_no_order_are_refused():
    correct = np.arange(60).reshape(20, 3) % 2
    results = written(correct, [str(q) for q in range(20)])
    for i, entry in enumerate(results["details"]):
        entry["answer"] = [f"{i} {slot}" for slot in range(3)]
    assert problems(results) == [
        "report.zip, run/results/alpha/quiz.json, details: references differ within questions, "
        "whether samples are read as stored or as AISBench mixes them, so samples cannot be "
        "assigned to questions. Evaluate again; if that does not help, give the outcomes as a "
        "Parquet table."
    ]


def test_texts_without_references_are_no_verdicts():
    details = {"0": {"prompt": "?", "predictions": "A"}}
    (text,) = problems({"accuracy": 100.0, "details": details})
    assert "The details hold no verdicts" in text
