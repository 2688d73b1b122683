"""Records of Every Eval Ever: questions' scores on samples told apart, copies read once."""

import json
import shutil

import pytest

from reports import LoadError, load, reconcile
from reports.files.errors import ColumnChoice
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "every_eval_ever"
TRUTH = truth_of("every_eval_ever")
FIRST = {"correct": "exact_match:score-first"}


def pair(key):
    """Return the records and what is stated of them, as a folder of two files."""
    path = FOLDER / key.partition("::")[0]
    return path, path.with_name(path.name.replace("_samples.jsonl", ".json"))


def key_of(name):
    return next(key for key in TRUTH if f"/{name}/" in key)


@pytest.fixture
def folder(tmp_path):
    """Copy the two files of an evaluation."""

    def copied(key):
        for path in pair(key):
            shutil.copyfile(path, tmp_path / path.name)
        return tmp_path

    return copied


@pytest.mark.parametrize("key", TRUTH)
def test_every_verdict_is_the_true_one(key, folder):
    ((dataset, truth),) = TRUTH[key].items()
    (run,) = load(folder(key), columns=FIRST if "lm_eval" in key else None).runs
    if "rows_hold" in truth:
        truth = truth | {"n": 1, "correct": [[one] for one in truth["rows_hold"]["score-first"]]}
    assert (run.model, run.dataset) == (key.partition("::")[2], dataset)
    assert_true(run, truth)
    assert run.outcomes.questions == tuple(truth["questions"])
    assert run.verified
    assert next(iter(run.reported.values())) == truth["stated"][0]["score"]
    assert all(line.agrees or line.reason for line in reconcile(run))


def test_a_store_of_many_evaluations_is_read_at_once():
    report = load(FOLDER, columns=FIRST)
    assert len(report.runs) == len(TRUTH)
    assert not [note for note in report.notes if note.severity == "problem"]


@pytest.mark.parametrize("name", ["sums_set", "tooluse_set", "shaky_set", "survey_mcq"])
def test_every_text_is_that_of_its_sample(name, folder):
    key = key_of(name)
    said = {}
    for line in map(json.loads, pair(key)[0].read_text().splitlines()):
        output = line["output"] or {"raw": [line["messages"][-1]["content"]]}
        said.setdefault(line["sample_id"], {})[int(line["metadata"]["epoch"])] = output["raw"][0]
    (run,) = load(folder(key)).runs
    for question in run.outcomes.questions:
        texts = run.texts(question)
        assert list(texts.predictions) == [
            said[question][epoch] for epoch in sorted(said[question])
        ]
        assert texts.reference
        assert texts.prompt


def test_a_sample_that_failed_is_neither_right_nor_wrong(folder):
    (run,) = load(folder(key_of("shaky_set"))).runs
    row = run.outcomes.questions.index("s03")
    assert run.outcomes.correct[row].tolist() == [1, -1, 0]
    assert run.labels["error"].words()[row, 1]


def test_records_that_are_there_twice_are_read_once(folder):
    (run,) = load(folder(key_of("survey_mcq"))).runs
    assert any("24 records are there twice" in str(note.what) for note in run.notes)
    lines = {line.metric: line for line in reconcile(run)}
    assert "reduces them in another way" in str(lines["choice:accuracy (2)"].reason)


def test_tokens_seconds_and_settings_are_those_of_the_records(folder):
    (run,) = load(folder(key_of("sums_set"))).runs
    assert run.columns["tokens_out"][0, 0] == 8
    assert run.columns["latency_s"][0, 0] == pytest.approx(0.362)
    assert run.labels["finish_reason"].words()[0, 0] == "stop"
    assert run.settings["tool"] == "inspect"
    assert run.time.isoformat() == "2026-11-22T04:58:00"


def test_several_results_of_the_same_samples_are_asked_for(folder):
    place = folder(key_of("prod_one"))
    with pytest.raises(ColumnChoice) as asked:
        load(place)
    assert asked.value.options == ("exact_match:score-first", "exact_match:last-number")
    (run,) = load(place, columns=asked.value.answered({}, "exact_match:last-number")).runs
    assert run.settings["evaluator"] == "exact_match:last-number"
    assert run.settings["do_sample"] is True
    assert run.settings["stop"]
    assert run.settings["seed"] == 1


def test_scores_of_questions_that_no_rule_explains_are_counts(folder, monkeypatch):
    monkeypatch.setattr("reports.rescoring.maths.available", False)  # which takes seconds to start
    place = folder(key_of("sums_set"))
    (path,) = place.glob("*_samples.jsonl")
    lines = list(map(json.loads, path.read_text().splitlines()))
    for line in lines:
        line["input"]["reference"] = ["none of these"]
    path.write_text("\n".join(map(json.dumps, lines)))
    (run,) = load(place).runs
    truth = TRUTH[key_of("sums_set")]["sums"]["correct"]
    assert run.outcomes.correct.sum(axis=1).tolist() == [sum(row) for row in truth]
    assert run.texts("q01").predictions == (None,) * 4
    assert any("right ones first" in str(note.what) for note in run.notes)


def test_scores_of_questions_that_are_whole_and_unexplained_are_refused(folder, monkeypatch):
    monkeypatch.setattr("reports.rescoring.maths.available", False)
    place = folder(key_of("survey_mcq"))
    (path,) = place.glob("*_samples.jsonl")
    path.write_text(path.read_text().replace('"reference": ["', '"reference": ["not '))
    with pytest.raises(LoadError, match="Load the log that these records were made from"):
        load(place)


def test_scores_alone_are_refused_with_the_option_that_writes_samples():
    with pytest.raises(LoadError, match="--include-instances"):
        load(pair(key_of("sums_set"))[1])


def test_what_is_cut_or_broken_is_one_sentence():
    path = pair(key_of("sums_set"))[0]
    data = path.read_bytes()
    with pytest.raises(LoadError, match="line 48"):
        load((path.name, data[:-40] + b"\n"))
    with pytest.raises(LoadError, match="sample_id is not a text"):
        load((path.name, data.replace(b'"sample_id": "q02"', b'"sample_id": 7')))
