"""A part of a report: what it gives by itself, and what the user is told to add."""

import json

import pytest

from kofn.command import main
from reports import LoadError, load

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
    with pytest.raises(LoadError, match="failed requests of a run of AISBench, none of which"):
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
