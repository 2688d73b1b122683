"""Logs of bigcode-evaluation-harness: each program's verdict, text and tests."""

import json
import shutil

import pytest

from reports import LoadError, load, reconcile
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

# The files are written as bigcode_eval/tasks/humanevalpack.py (process_results, logs.json) and
# bigcode_eval/evaluator.py, save_json_files, do it in bigcode-project/bigcode-evaluation-harness at
# commit 8fc5bae; their verdicts are those of its custom_metrics/code_eval.py.
FOLDER = DATA / "bigcode"
TRUTH = truth_of("bigcode")["logs.json::alpha"]["mini"]


def test_every_verdict_is_the_true_one_and_every_number_verified():
    (run,) = load(FOLDER).runs
    assert_true(run, TRUTH)
    assert run.dataset == "mini"
    assert run.verified
    assert {line.metric: line.reported for line in reconcile(run)} == TRUTH["stated"]
    assert all(line.agrees for line in reconcile(run))
    assert run.labels["result"].words()[0].tolist()[0] == "timed out"


def test_every_text_is_that_of_its_sample():
    (run,) = load(FOLDER).runs
    said = json.loads((FOLDER / "generations_mini.json").read_text())
    tests = json.loads((FOLDER / "references_mini.json").read_text())
    for question in run.outcomes.questions:
        texts = run.texts(question)
        assert list(texts.predictions) == said[int(question)]
        assert texts.reference == tests[int(question)]
    assert run.search("s.upper()").tolist() == [q == "3" for q in run.outcomes.questions]


def test_a_log_alone_has_its_verdicts_and_says_what_is_unknown():
    (run,) = load(FOLDER / "logs.json").runs
    assert_true(run, TRUTH)
    assert run.verified is None
    assert {str(note.what) for note in run.notes} == {
        "No results beside it state which task it was.",
        "The file does not name the model; the whole folder of the run may.",
    }


def test_of_several_tasks_it_is_the_one_whose_numbers_it_gives(tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(FOLDER, folder)
    config = {"model": "alpha", "temperature": 0.2, "n_samples": 5}
    path = folder / "evaluation_results.json"
    stated = json.loads(path.read_text())
    path.write_text(json.dumps({"other": {"pass@1": 0.5}} | stated | {"config": config}))
    (run,) = load(folder).runs
    assert (run.model, run.dataset) == ("alpha", "mini")
    assert run.settings["temperature"] == 0.2
    assert "keeps only the log of the last" in str(run.notes[0].what)


def test_means_alone_are_refused_with_what_to_do():
    with pytest.raises(LoadError, match=r"holds only pass@k of whole tasks.*HumanEvalPack"):
        load(FOLDER / "evaluation_results.json")


def test_what_is_cut_or_broken_is_one_sentence(tmp_path):
    data = (FOLDER / "logs.json").read_bytes()
    with pytest.raises(LoadError, match="ends in the middle"):
        load(("logs.json", data[:3000]))
    with pytest.raises(LoadError, match="not of the type"):
        load(("logs.json", data[:600] + data[600:].replace(b"true", b'"yes"', 1)))


@pytest.mark.parametrize("broken", [5, True, {"0": "pass"}])
def test_programs_that_are_no_list_are_one_sentence(tmp_path, broken):
    folder = tmp_path / "run"
    shutil.copytree(FOLDER, folder)
    path = folder / "generations_mini.json"
    path.write_text(json.dumps([broken, *json.loads(path.read_text())[1:]]))
    (run,) = load(folder).runs
    with pytest.raises(LoadError, match="texts of this question cannot be read"):
        run.texts("0")
    with pytest.raises(LoadError, match="texts of this question cannot be read"):
        run.search("pass")
