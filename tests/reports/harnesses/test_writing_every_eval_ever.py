"""Runs written as records of Every Eval Ever come back as they were."""

import hashlib
import json

import numpy as np
import pytest
from jsonschema import Draft7Validator

from kofn.command import main
from metrics.data.outcomes import Outcomes
from reports import Run, load, reconcile
from reports.files.once import Once
from reports.harnesses import every_eval_ever
from reports.run.reasons import CUT_SHORT
from reports.run.texts import Store
from reports.run.turns import question_texts
from tests.reports.harnesses.truths import DATA

ROOT = DATA.parents[1]
# evaleval/every_eval_ever, as its release 0.3.0 holds them (MIT, with its licence beside them):
# every_eval_ever/schemas/eval.schema.json, of what is stated, and
# every_eval_ever/schemas/instance_level_eval.schema.json, of a record.
SCHEMAS = DATA / "schemas" / "every_eval_ever-0.3.0"
STATED, RECORD = (
    Draft7Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text()))
    for name in ("eval", "instance_level_eval")
)


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


@pytest.mark.wide
def test_runs_come_back_with_outcomes_texts_and_measurements(store):
    runs, folder, _ = store
    again = {key(run): run for run in load(folder).runs}
    assert again.keys() == {key(run) for run in runs}
    for run in runs:
        back = again[key(run)]
        assert back.verified is run.verified
        assert back.reported == run.reported
        assert list(map(told, reconcile(back))) == list(map(told, reconcile(run)))
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


def told(line):
    return line.metric, line.recomputed, line.agrees, str(line.reason)


def test_files_are_valid_by_the_published_schemas(store):
    _, folder, _ = store
    paths = sorted(folder.rglob("*_samples.jsonl"))
    assert paths
    for path in paths:
        stated = json.loads(
            path.with_name(path.name.replace("_samples.jsonl", ".json")).read_text()
        )
        STATED.validate(stated)
        details = stated["detailed_evaluation_results"]
        assert details["file_path"] == path.relative_to(folder).as_posix()
        assert details["checksum"] == hashlib.sha256(path.read_bytes()).hexdigest()
        records = list(map(json.loads, path.read_text().splitlines()))
        assert len(records) == details["total_rows"]
        for record in records:
            RECORD.validate(record)
            assert record["evaluation_id"] == stated["evaluation_id"]


def test_failed_absent_and_soft_samples_and_segments_come_back(tmp_path):
    verdicts = [[1, -1, 0], [0, 1, -2], [-1, -1, -1]]
    scores = [[0.75, np.nan, 0.25], [0.5, 1.0, np.nan], [np.nan] * 3]
    outcomes = Outcomes(
        verdicts,
        scores,
        ("a", "b/c", "\u202e"),
        segments={"level": ["easy", "hard", "easy"]},
        clusters=["passage 2", "passage 1", "passage 2"],
    )
    run = Run(
        "lab/m:1",
        "d|0",
        outcomes,
        threshold=0.25,
        strict=False,
        settings={"temperature": 0.5, "seed": 3, "tool": "mine"},
        columns={"cost": np.full((3, 3), 0.25)},
    )
    every_eval_ever.write([run], tmp_path)
    (back,) = load(tmp_path).runs
    assert key(back) == key(run)
    assert (back.threshold, back.strict) == (0.25, False)
    assert back.outcomes.clusters.tolist() == outcomes.clusters.tolist() == [1, 0, 1]
    for path in tmp_path.rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            RECORD.validate(json.loads(line))
    assert back.outcomes.segments["level"].tolist() == ["easy", "hard", "easy"]
    assert back.settings.items() >= {"temperature": 0.5, "seed": 3, "tool": "mine"}.items()
    assert back.columns["cost"][0].tolist() == [0.25] * 3
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["d_0"]


def test_what_kofn_computed_itself_verifies_nothing(tmp_path):
    every_eval_ever.write([Run("lab/m", "d", Outcomes([[1, 0]]))], tmp_path)
    (back,) = load(tmp_path).runs
    assert back.verified is None
    assert not back.reported


def test_a_file_of_records_that_is_cut_says_so(tmp_path):
    run = Run("lab/m", "d", Outcomes(np.eye(4, dtype=int)), reported={"avg@4": 0.25})
    every_eval_ever.write([run], tmp_path)
    (path,) = tmp_path.rglob("*_samples.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:13]))
    (back,) = load(tmp_path).runs
    (note,) = (note for note in back.notes if "cut short" in str(note.what))
    assert str(note.what).startswith("13 of 16 records that the tool counted are here")
    assert [line.reason for line in reconcile(back)] == [CUT_SHORT]


def test_the_same_run_has_the_same_files(store, tmp_path):
    runs, folder, _ = store
    every_eval_ever.write(runs, tmp_path)
    names = [{path.name for path in place.rglob("*.json*")} for place in (folder, tmp_path)]
    assert names[0] == names[1]


def test_runs_that_are_alike_are_written_each(tmp_path):
    outcomes = Outcomes([[1, 1], [1, 1]])
    runs = [Run("lab/model", "sums", outcomes, reported={"acc": said}) for said in (1.0, 0.5)]
    every_eval_ever.write(runs, tmp_path)
    assert sorted(run.reported["acc"] for run in load(tmp_path).runs) == [0.5, 1.0]


@pytest.mark.parametrize("prompt", ["one turn", "chat", "plain", "silent"])
def test_who_speaks_in_a_prompt_comes_back(tmp_path, prompt):
    said = {
        "one turn": [{"role": "HUMAN", "prompt": "2 + 2 = ?"}],
        "chat": [
            {"role": "system", "content": "Add.\n\nuser: no"},
            {"role": "user", "content": "2 + 2 = ?"},
            {"content": ""},
            {"role": "user", "content": "\U0001f600"},
        ],
        "plain": "2 + 2 = ?",
        "silent": [{"role": "user", "content": ""}],
    }[prompt]
    store = Said(said)
    run = Run("lab/m", "d", Outcomes([[1, 0]]), store=store)
    every_eval_ever.write([run], tmp_path)
    (back,) = load(tmp_path).runs
    assert back.texts("0").prompt == run.texts("0").prompt
    assert "turns" not in back.labels


class Said(Store):
    """The texts of a question asked so."""

    def __init__(self, prompt):
        self.index, self.prompt = Once(), prompt

    def read(self, row):
        return question_texts(self.prompt, "4", ["4", "5"])


def test_how_many_samples_were_asked_for_comes_back(tmp_path):
    """The log was interrupted: two samples of three are in it."""
    (folder,) = DATA.glob("inspect/logs_interrupted")
    (run,) = load(folder).runs
    every_eval_ever.write([run], tmp_path)
    (back,) = load(tmp_path).runs
    assert (back.settings["n"], back.outcomes.shape) == (run.settings["n"], run.outcomes.shape)
    assert back.settings["n"] > back.outcomes.shape[1]


def test_a_question_without_a_prompt_comes_back_without_one(tmp_path):
    (run,) = load(DATA / "bigcode").runs
    every_eval_ever.write([run], tmp_path)
    (back,) = load(tmp_path).runs
    assert run.texts(run.outcomes.questions[0]).prompt == ()
    assert back.texts(run.outcomes.questions[0]).prompt == ()


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
    assert "is not empty. Give another folder" in capsys.readouterr().err
    assert main([*command, "--force"]) == 0
    assert main([*command[:-1], str(DATA), "--force"]) == 2
    assert "inputs are never overwritten" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("")
    assert main([*command[:-1], str(file)]) == 2
