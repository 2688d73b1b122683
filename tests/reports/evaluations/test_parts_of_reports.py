"""A part of a report: what it gives by itself, and what the user is told to add."""

import json

import pytest

from kofn.command import main
from reports import LoadError, load
from tests.reports.mutations import zipped

PREDICTIONS = "".join(
    json.dumps(
        {
            "data_abbr": "gsm8k",
            "id": question,
            "success": True,
            "uuid": f"{question}",
            "origin_prompt": f"What is {question} + 1?",
            "prediction": f"It is {question + 1}",
            "gold": f"#### {question + 1}",
        }
    )
    + "\n"
    for question in range(4)
)
CONFIG = """models = [dict(abbr='alpha', generation_kwargs=dict(temperature=1))]
datasets = [dict(abbr='gsm8k', eval_cfg=dict(evaluator=dict(type='x.Gsm8kEvaluator')))]
"""


def written(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def problem(report):
    (run,) = report.runs
    assert run.outcomes is None
    (note,) = [note for note in run.notes if note.severity == "problem"]
    return str(note.what)


@pytest.mark.parametrize("path", ["gsm8k.jsonl", "predictions/alpha/gsm8k.jsonl"])
def test_predictions_alone_ask_for_the_folder_that_names_the_evaluator(tmp_path, path):
    said = problem(load(written(tmp_path, {path: PREDICTIONS})))
    assert "no results, and nothing names the evaluator" in said
    assert "load its whole folder" in said


def test_predictions_and_configuration_are_judged_though_nothing_was_evaluated(tmp_path):
    files = {"predictions/alpha/gsm8k.jsonl": PREDICTIONS, "configs/20261120_080000_1.py": CONFIG}
    (run,) = load(written(tmp_path, files)).runs
    assert run.outcomes.correct.tolist() == [[1]] * 4
    assert run.verified is None


def test_results_without_details_ask_for_the_folder_first(tmp_path):
    said = problem(load(written(tmp_path, {"gsm8k.json": '{"accuracy": 50.0}'}) / "gsm8k.json"))
    assert "--dump-eval-details" in said
    assert "load its whole folder" in said


def test_a_list_of_failed_requests_is_no_predictions(tmp_path):
    line = json.dumps({"data_abbr": "gsm8k", "id": 3, "input": "x", "error_info": "HTTP 500"})
    folder = written(tmp_path, {"gsm8k_failed.jsonl": f"{line}\n{line}\n"})
    with pytest.raises(LoadError, match="failed requests of an AISBench run; none of them"):
        load(folder / "gsm8k_failed.jsonl")


def test_parts_of_predictions_without_results_are_one_dataset(tmp_path):
    answers = {
        str(n): {"origin_prompt": "?", "prediction": f"{n}", "gold": f"{n}"} for n in range(3)
    }
    parts = {f"predictions/alpha/gsm8k_{n}.json": json.dumps(answers) for n in (0, 1)}
    assert [run.dataset for run in load(written(tmp_path, parts)).runs] == ["gsm8k"]


def test_the_command_names_a_file_that_stands_alone_once(tmp_path, capsys):
    path = written(tmp_path, {"gsm8k.json": '{"accuracy": 50.0}'}) / "gsm8k.json"
    main(["score", str(path)])
    assert f"problem: {path}: The results state metrics" in capsys.readouterr().err


RESULTS = {
    "results/alpha/gsm8k.json": ([1, 0, 0, 0], 25.0),
    "results/beta/gsm8k.json": ([1, 1, 1, 0], 75.0),
    "results/beta/quiz.json": ([0, 1, 1, 0], 50.0),
}


def results(correct, accuracy):
    details = [
        {"pred": [str(i)], "answer": [str(i)], "correct": [bool(right)]}
        for i, right in enumerate(correct)
    ]
    return json.dumps({"accuracy": accuracy, "details": details})


@pytest.mark.parametrize("root", ["results/", "", "my upload/", "20260301_090000/results/"])
def test_the_folders_of_results_alone_say_the_models(root):
    files = {path.replace("results/", root): results(*held) for path, held in RESULTS.items()}
    report = load(("anything.zip", zipped(files)))
    assert {
        (run.model, run.dataset): run.outcomes.correct.ravel().tolist() for run in report.runs
    } == {
        ("alpha", "gsm8k"): [1, 0, 0, 0],
        ("beta", "gsm8k"): [1, 1, 1, 0],
        ("beta", "quiz"): [0, 1, 1, 0],
    }
    taken = [
        note for note in report.notes if "takes the names of the files' folders" in str(note.what)
    ]
    assert bool(taken) == ("results" not in root)


@pytest.mark.parametrize("root", ["predictions/", ""])
def test_the_folders_of_predictions_alone_say_the_models(root):
    files = {f"{root}{model}/gsm8k.jsonl": PREDICTIONS for model in ("alpha", "beta")}
    report = load(("anything.zip", zipped(files)))
    assert [(run.model, run.dataset) for run in report.runs] == [
        ("alpha", "gsm8k"),
        ("beta", "gsm8k"),
    ]


def test_results_and_predictions_in_the_folder_of_a_model_are_one_run():
    files = {
        "alpha/gsm8k.json": results([1, 0, 0, 0], 25.0),
        "alpha/gsm8k.jsonl": PREDICTIONS,
        "beta/gsm8k.json": results([1, 1, 1, 0], 75.0),
    }
    report = load(("anything.zip", zipped(files)))
    assert [run.model for run in report.runs] == ["alpha", "beta"]
    assert report.runs[0].outcomes.correct.tolist() == [[1], [0], [0], [0]]
    assert report.runs[0].texts("2").predictions == ("It is 3",)


@pytest.mark.parametrize("path", ["gsm8k.json", "results/gsm8k.json", "20260301_090000/gsm8k.json"])
def test_a_file_in_no_folder_of_a_model_has_an_unknown_model(path):
    files = {path: results([1, 0], 50.0), "notes.txt": "none"}
    report = load(("anything.zip", zipped(files)))
    assert [run.model for run in report.runs] == ["unknown model"]
    assert not report.notes
