"""Logs of Inspect: every scorer's values, texts and stated numbers, however the log was written."""

import io
import json
import zipfile
from datetime import datetime
from functools import cache
from shutil import copy, copytree

import numpy as np
import pytest

from metrics.data.outcomes import ABSENT
from reports import LoadError, load, match, reconcile
from reports.column_mapping import with_column
from reports.files.archive import open_tree
from reports.files.errors import ColumnChoice
from reports.harnesses.inspect.runs import reduced
from reports.run.differing import unlike_settings
from reports.run.reasons import BY_ITS_RULE, WITHOUT_FAILED
from tests.reports.harnesses.truths import DATA, truth_of

FOLDER = DATA / "inspect"
TRUTH = {
    key: (task, truth)
    for key, tasks in truth_of("inspect").items()
    for task, truth in tasks.items()
}
CELLS = [(key, scorer) for key, (_, truth) in TRUTH.items() for scorer in truth["scores"]]
SHY, FLAKY, OLD, SLOW = (
    FOLDER / next(key for key in TRUTH if part in key).partition("::")[0]
    for part in ("arith-shy", "arith_arQ", "arith_NgB", "arith-slow")
)


@cache
def read(path, scorer):
    """Read a log once for all tests, which leave it as it is."""
    return load(path, columns={"correct": scorer})


def members(path):
    tree = open_tree(path)
    return {name: tree.read(name) for name in tree.files}


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize(("key", "scorer"), CELLS)
def test_every_value_of_every_scorer_is_the_true_one(key, scorer):
    task, truth = TRUTH[key]
    file, _, model = key.partition("::")
    (run,) = read(FOLDER / file, scorer).runs
    assert (run.model, run.dataset, run.settings["evaluator"]) == (model, task, scorer)
    order = [run.outcomes.questions.index(str(question)) for question in truth["questions"]]
    assert len(order) == run.outcomes.shape[0]
    expected = np.array(truth["scores"][scorer], dtype=float)
    outcomes = run.outcomes
    values = outcomes.correct.astype(float) if outcomes.scores is None else outcomes.scores
    found = np.where(outcomes.correct < 0, np.nan, values)[order]
    np.testing.assert_allclose(found, expected, atol=5e-5)
    if truth["status"] == "success":
        assert run.verified, [line for line in reconcile(run) if not line.agrees]


def test_several_scorers_are_a_choice():
    with pytest.raises(ColumnChoice) as caught:
        load(SHY)
    assert caught.value.options == ("closeness", "graded", "multi.exact", "multi.near")
    report = load(FOLDER / "logs_0.3.120")
    assert [run.dataset for run in report.runs] == ["survey_mcq"]
    assert [choice.options[0] for choice in report.choices] == ["match"]


def test_each_log_takes_the_first_answer_that_it_has():
    told = with_column(with_column({}, "correct", "match"), "correct", "graded")
    runs = load(FOLDER / "logs", columns=told).runs
    by = {run.dataset: run.settings["evaluator"] for run in runs}
    assert by == {"arith": "match", "arith_shy": "graded", "survey_mcq": "choice"}


def test_other_scorers_are_measurements():
    (run,) = read(SHY, "graded").runs
    closeness = run.columns["score.closeness"]
    (by_closeness,) = read(SHY, "closeness").runs
    assert np.isnan(closeness).any()
    np.testing.assert_array_equal(np.isnan(closeness), by_closeness.outcomes.correct < 0)
    np.testing.assert_array_equal(closeness, by_closeness.outcomes.scores)


@pytest.mark.parametrize("path", [SHY, OLD, FLAKY])
def test_every_text_is_that_of_its_sample(path):
    (run,) = read(path, "graded").runs
    for name, data in members(path).items():
        if name.startswith("samples/"):
            sample = json.loads(data)
            texts = run.texts(str(sample["id"]))
            choices = sample["output"]["choices"]
            said = choices[0]["message"]["content"] if choices else None
            assert texts.predictions[sample["epoch"] - 1] == said
            assert texts.prompt[0].text == sample["input"]
            assert texts.reference == sample["target"]
            score = sample["scores"].get("graded")
            if score:
                assert texts.answers[sample["epoch"] - 1] == score["answer"]
    assert run.search("compute 69 * 68")[run.outcomes.questions.index("ar01")]


def test_what_was_measured_and_how_it_ended():
    (run,) = read(FLAKY, "match").runs
    sample = json.loads(members(FLAKY)["samples/ar02_epoch_2.json"])
    row = run.outcomes.questions.index("ar02")
    (usage,) = sample["model_usage"].values()
    assert run.columns["tokens_out"][row, 1] == usage["output_tokens"]
    assert run.columns["latency_s"][row, 1] == sample["working_time"]
    errors = run.labels["error"].words()
    np.testing.assert_array_equal(errors != "", run.outcomes.correct < 0)
    assert set(run.labels["finish_reason"].words()[errors == ""]) == {"stop"}
    assert set(run.outcomes.segments["category"]) == {"add", "mul", "sub"}
    assert run.time == datetime(2026, 11, 20, 8, 30, 14)
    assert run.settings["n"] == 4
    assert run.settings["tool_version"] == "0.3.285"


def test_means_that_leave_failures_out_are_explained():
    (run,) = read(FLAKY, "match").runs
    lines = {line.metric: line for line in reconcile(run)}
    assert not lines["accuracy"].agrees
    assert lines["accuracy"].reason is WITHOUT_FAILED
    assert lines["pass@4"].agrees
    (run,) = read(FLAKY, "closeness").runs
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["accuracy"].reason is WITHOUT_FAILED
    assert lines["pass_at_2 mean"].reason is BY_ITS_RULE


def test_a_stated_number_that_the_samples_do_not_give_is_noticed():
    files = members(FLAKY)
    header = json.loads(files["header.json"])
    for each in header["results"]["scores"]:
        each["metrics"]["accuracy" if "accuracy" in each["metrics"] else "mean"]["value"] = 0.123
    files["header.json"] = json.dumps(header).encode()
    (run,) = load(("x.eval", zipped(files)), columns={"correct": "match"}).runs
    assert run.verified is False
    survey = next((FOLDER / "logs").glob("*.json")).read_text()
    (run,) = load(("x.json", survey.replace('"value": 0.5,', '"value": 0.51,').encode())).runs
    assert run.verified is False
    assert any("mode" in str(note.what) for note in run.notes)


def test_an_interrupted_log_gives_what_there_is():
    (run,) = load(SLOW).runs
    assert np.count_nonzero(run.outcomes.correct == ABSENT) == 25
    assert any("status is started, with 35 of 90" in str(note.what) for note in run.notes)


def test_a_log_that_lacks_samples_says_how_many():
    files = members(FLAKY)
    for name in [name for name in files if name.startswith("samples/ar01")]:
        del files[name]
    (run,) = load(("x.eval", zipped(files)), columns={"correct": "match"}).runs
    notes = [str(note.what) for note in run.notes]
    assert any(note.startswith("116 of 120 samples that the tool counted") for note in notes)


def test_a_folder_or_a_zip_of_logs_is_read(tmp_path):
    logs = {path.name: path.read_bytes() for path in (SLOW, FLAKY)}
    for name, data in logs.items():
        (tmp_path / name).write_bytes(data)
    for source in (tmp_path, ("logs.zip", zipped(logs))):
        report = load(source, columns={"correct": "match"})
        assert {run.dataset for run in report.runs} == {"arith", "arith_slow"}
        for run in report.runs:
            assert run.texts("ar01").predictions[0]


def test_what_is_broken_is_one_clear_sentence(tmp_path):
    data = bytearray(SLOW.read_bytes())
    at = data.index(b"samples/ar02_epoch_1.json") + 200
    data[at : at + 40] = bytes(40)
    with pytest.raises(LoadError, match=r"samples/ar02_epoch_1\.json: cannot be read"):
        load(("x.eval", bytes(data)))
    files = members(SLOW)
    none = {name: data for name, data in files.items() if not name.startswith("samples/")}
    with pytest.raises(LoadError, match="log-samples"):
        load(("x.eval", zipped(none)))
    files["samples/ar02_epoch_1.json"] = b'{"id": ["a"]}'
    with pytest.raises(LoadError, match=r"samples/ar02_epoch_1\.json"):
        load(("x.eval", zipped(files)))


def test_a_sample_that_would_take_much_memory_is_refused():
    files = members(SLOW)
    sample = files["samples/ar02_epoch_1.json"]
    empty = b"[" + b"[]," * 6_000_000 + b"[]]"
    files["samples/ar02_epoch_1.json"] = sample.replace(
        b'"metadata":', b'"metadata": {"a": ' + empty + b'}, "_":', 1
    )
    with pytest.raises(LoadError, match="would take"):
        load(("x.eval", zipped(files)))


def test_texts_that_lie_apart_or_in_parts_are_put_together():
    files = members(SLOW)
    name = "samples/ar02_epoch_1.json"
    sample = json.loads(files[name])
    sample["messages"][0]["content"] = [{"type": "text", "text": "attachment://abc"}]
    sample["attachments"] = {"abc": "What is it?"}
    sample["output"]["completion"] = ""
    sample["output"]["choices"][0]["message"]["content"] = [
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "text", "text": "seven"},
    ]
    files[name] = json.dumps(sample).encode()
    (run,) = load(("x.eval", zipped(files))).runs
    texts = run.texts("ar02")
    assert texts.prompt[0].text == "What is it?"
    assert texts.predictions[0] == "hm\nseven"


def test_reducers_are_those_of_the_tool():
    values = np.array([[1, 1, 0.5, 0], [np.nan, 0, 1, 0], [np.nan] * 4])
    assert reduced("mean", values) == pytest.approx((2.5 / 4 + 1 / 3) / 2)
    assert reduced("pass_at_2", values) == pytest.approx((1 - 1 / 6 + 1 - 1 / 3) / 2)
    assert reduced("at_least_2", values) == 0.5
    assert reduced("median", values) == pytest.approx((0.75 + 0) / 2)
    assert reduced("max", values) == 1
    assert reduced("mode", values) == pytest.approx((1 + 0) / 2)


def assert_like_its_log(run, log):
    """Require that a run of a frame has the values of the log that it was made of."""
    order = [run.outcomes.questions.index(each) for each in log.outcomes.questions]
    np.testing.assert_array_equal(run.outcomes.correct[order], log.outcomes.correct)
    for name in ("tokens_in", "tokens_out", "latency_s"):
        np.testing.assert_array_equal(run.columns[name][order], log.columns[name])
    assert run.outcomes.segments.keys() == log.outcomes.segments.keys()
    for name, stated in run.reported.items():
        assert log.reported[name] == pytest.approx(stated)
    assert run.verified == log.verified
    assert run.texts(log.outcomes.questions[0]).reference


@pytest.mark.wide
def test_frames_give_what_their_logs_give(tmp_path):
    for name in ("samples.parquet", "evals.parquet"):
        (tmp_path / name).write_bytes((FOLDER / "dataframes" / name).read_bytes())
    report = load(tmp_path, columns={"correct": "graded"})
    assert len(report.runs) == 6
    logs = read(FOLDER / "logs", "graded").runs
    assert len(logs) == 4
    of_frame = {(run.model, run.dataset, run.time): run for run in report.runs}
    for log in logs:
        assert_like_its_log(of_frame[log.model, log.dataset, log.time], log)


def test_what_a_log_holds_is_left_out_of_its_frames(tmp_path):
    """The logs of 0.3.120 are not in this folder; their evaluations are in one of two frames."""
    copytree(FOLDER / "logs", tmp_path / "logs")
    for name in ("samples.parquet", "samples_with_model.parquet"):
        copy(FOLDER / "dataframes" / name, tmp_path)
    report = load(tmp_path, columns={"correct": ("graded", "choice")})
    alone = read(FOLDER / "logs", ("graded", "choice"))
    frame = read(FOLDER / "dataframes/samples.parquet", ("graded", "choice"))
    others = len(frame.runs) - len(alone.runs)
    assert others > 0
    assert [run.source.startswith("logs/") for run in report.runs].count(False) == others
    notes = [(note.where, note.count) for note in report.notes if "left out here" in str(note.what)]
    assert notes == [
        ("samples.parquet", len(alone.runs)),
        ("samples_with_model.parquet", len(frame.runs)),
    ]


def test_a_damaged_frame_is_one_sentence(tmp_path):
    for name in ("samples.parquet", "evals.parquet"):
        (tmp_path / name).write_bytes((FOLDER / "dataframes" / name).read_bytes())
    data = bytearray((tmp_path / "evals.parquet").read_bytes())
    data[707:715] = bytes([255]) * 8  # within a packed page
    (tmp_path / "evals.parquet").write_bytes(data)
    with pytest.raises(LoadError, match=r"evals\.parquet: cannot be read as Parquet"):
        load(tmp_path, columns={"correct": "graded"})


def test_questions_of_logs_and_frames_are_the_same_by_their_inputs():
    """Templates of solvers stand in logs only; that they differ, the settings say."""
    frames = FOLDER / "dataframes" / "samples_with_model.parquet"
    (log,) = load(next((FOLDER / "logs").glob("*.json"))).runs
    (frame,) = (
        run
        for run in load(frames, columns={"correct": "choice"}).runs
        if run.model == log.model and "survey" in run.dataset
    )
    found = match(log, frame)
    assert (found.proven, found.reworded, found.refused) == (True, 0, None)
    assert frame.texts("1").prompt[0].role == "user"
    assert frame.texts("1").prompt[0].text in log.texts("1").prompt[0].text
    assert "ANSWER: $LETTER" in log.texts("1").prompt[0].text
    shy, flaky = (read(path, "graded").runs[0] for path in (SHY, FLAKY))
    assert match(shy, flaky).reworded == 0
    assert [each.name for each in unlike_settings(shy, flaky)] == [*("prompt_version", "solver")]


def test_what_a_log_was_told_is_in_its_settings_and_in_those_of_its_frame(tmp_path):
    (log,) = load(next((FOLDER / "logs").glob("*.json"))).runs
    assert log.settings["dataset_name"] == "survey_mcq"
    assert log.settings["dataset_size"] == 24
    for name in ("samples.parquet", "evals.parquet"):
        (tmp_path / name).write_bytes((FOLDER / "dataframes" / name).read_bytes())
    frames = load(tmp_path, columns={"correct": "choice"}).runs
    (frame,) = (run for run in frames if run.time == log.time)
    assert frame.settings.items() <= log.settings.items()
    assert log.settings.keys() - frame.settings.keys() == {"prompt_version", "solver", "range"}


def test_a_sample_that_is_not_scored_is_no_failed_request():
    (run,) = read(SHY, "closeness").runs
    notes = [str(note.what) for note in run.notes]
    assert any("answered but not scored" in note for note in notes)
    assert not any("have no verdict" in note for note in notes)


def test_a_number_that_the_tools_own_rule_gives_is_checked():
    (run,) = load(next((FOLDER / "logs").glob("*.json"))).runs
    line = {line.metric: line for line in reconcile(run)}["mode accuracy"]
    assert (line.agrees, line.recomputed, line.reason) == (True, line.reported, BY_ITS_RULE)


def test_a_frame_alone_asks_and_names_its_task_by_the_log():
    frame = FOLDER / "dataframes" / "samples_one_log.csv"
    with pytest.raises(ColumnChoice) as caught:
        load(frame)
    assert caught.value.options == ("closeness", "graded", "multi.exact", "multi.near")
    (run,) = load(frame, columns={"correct": "score_closeness"}).runs
    (log,) = read(SHY, "closeness").runs
    assert (run.model, run.dataset) == (log.model, "arith-shy")
    order = [run.outcomes.questions.index(each) for each in log.outcomes.questions]
    np.testing.assert_array_equal(run.outcomes.correct[order], log.outcomes.correct)
    assert any("evals_df" in str(note.what) for note in run.notes)
    with_models = load(
        FOLDER / "dataframes" / "samples_with_model.parquet", columns={"correct": "match"}
    )
    assert len({run.model for run in with_models.runs}) == 3
