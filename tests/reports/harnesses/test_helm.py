"""Runs of HELM: completions judged one by one, trials as samples, changed questions left out."""

import json
import shutil

import numpy as np
import pytest

from reports import LoadError, load, reconcile
from reports.files.errors import ColumnChoice
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

TRUTH = truth_of("helm")
OUTPUTS, TRIALS = ((DATA / "helm" / key.partition("::")[0]).parent for key in TRUTH)
STATS = "per_instance_stats.json"


@pytest.fixture
def folder(tmp_path):
    """A copy of the run with four completions."""
    copy = tmp_path / "run"
    shutil.copytree(OUTPUTS, copy)
    return copy


def changed(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


@pytest.mark.parametrize("key", TRUTH)
def test_every_verdict_is_the_true_one(key):
    file, _, model = key.partition("::")
    (run,) = load((DATA / "helm" / file).parent).runs
    truth = TRUTH[key]["sums"]
    assert (run.model, run.dataset) == (model, "sums")
    assert_true(run, truth)
    assert run.outcomes.questions == tuple(truth["questions"])
    stated = {line.metric: line for line in reconcile(run)}
    assert stated["exact_match"].reported == truth["stated"]["exact_match"]
    assert run.verified


def test_numbers_of_completions_are_reproduced():
    (run,) = load(OUTPUTS).runs
    assert len(run.reported) == 8
    assert all(line.agrees for line in reconcile(run))


@pytest.mark.parametrize("place", [OUTPUTS, TRIALS])
def test_every_text_is_that_of_its_sample(place):
    (run,) = load(place).runs
    said, asked = {}, {}
    for state in json.loads((place / "scenario_state.json").read_text())["request_states"]:
        if "perturbation" not in state["instance"]:
            name = state["instance"]["id"]
            said.setdefault(name, []).extend(c["text"] for c in state["result"]["completions"])
            asked.setdefault(name, state["request"]["prompt"])
    for question in run.outcomes.questions:
        texts = run.texts(question)
        assert list(texts.predictions) == said[question]
        assert list(texts.answers) == [text.strip() for text in said[question]]
        assert texts.prompt[0].text == asked[question]
    assert run.texts("id9").reference == "55"


def test_tokens_seconds_and_settings_are_those_of_the_run():
    (run,) = load(TRIALS).runs
    assert run.columns["tokens_in"].tolist() == [[73.0, 72.0]] * 4
    assert run.columns["tokens_out"].tolist() == [[1.0, 1.0]] * 4
    assert (run.columns["latency_s"] > 0).all()
    known = {"temperature": 0.7, "max_tokens": 8, "n": 2, "shots": 1, "evaluator": "exact_match"}
    assert known.items() <= run.settings.items()
    assert run.time.year == 2026
    (drawn,) = load(OUTPUTS).runs
    assert "latency_s" not in drawn.columns


def test_what_only_requests_tell_is_a_setting():
    (run,) = load(OUTPUTS).runs
    assert (run.settings["top_p"], run.settings["presence_penalty"]) == (1, 0)


def test_changed_questions_are_left_out_and_trials_said_to_be_samples():
    (run,) = load(TRIALS).runs
    notes = " ".join(str(note.what) for note in run.notes)
    assert "8 rows of changed questions" in notes
    assert "other examples" in notes


def test_what_is_shown_of_a_run_gives_the_first_completions(folder):
    for path in folder.iterdir():
        if path.name not in ("display_predictions.json", "display_requests.json", "instances.json"):
            path.unlink()
    (run,) = load(folder).runs
    truth = TRUTH[next(iter(TRUTH))]["sums"]
    np.testing.assert_array_equal(run.outcomes.correct[:, 0], truth["scores"]["exact_match"])
    texts = run.texts("id9")
    assert texts.predictions == (" 58",)
    assert texts.reference == "55"
    assert texts.prompt[0].text.endswith("Compute 33 + 22.\nAnswer:")


def test_completions_that_the_metric_does_not_explain_are_not_judged(folder):
    def change(rows):
        for stat in rows[0]["stats"]:
            if stat["name"]["name"].endswith("exact_match"):
                stat["mean"] = 1 - stat["mean"]

    changed(folder / STATS, change)
    (run,) = load(folder).runs
    assert run.outcomes.shape == (10, 1)
    assert any("could not judge the others" in str(note.what) for note in run.notes)


def test_metrics_that_disagree_are_asked_for(tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(TRIALS, copy)

    def change(rows):
        for stat in rows[0]["stats"]:
            if stat["name"]["name"] == "exact_match":
                stat["mean"] = 1.0

    changed(copy / STATS, change)
    with pytest.raises(ColumnChoice) as asked:
        load(copy)
    assert "quasi_exact_match" in asked.value.options
    (run,) = load(copy, columns=asked.value.answered({}, "quasi_exact_match")).runs
    assert_true(run, TRUTH[[*TRUTH][1]]["sums"])


def test_a_failed_request_is_neither_right_nor_wrong(folder):
    def change(state):
        state["request_states"][0]["result"] |= {"success": False, "error": "timeout"}

    changed(folder / "scenario_state.json", change)
    (run,) = load(folder).runs
    assert run.outcomes.correct[0].tolist() == [-1, -1, -1, -1]
    assert run.labels["error"].words()[0, 0] == "timeout"


def test_a_request_that_is_no_object_is_one_sentence(folder):
    changed(
        folder / "scenario_state.json",
        lambda state: state["request_states"][0].update(request=7),
    )
    (run,) = load(folder).runs
    with pytest.raises(LoadError, match="texts of this question cannot be read"):
        run.search("sum")


def test_what_was_said_alone_is_refused_with_what_to_do():
    with pytest.raises(LoadError, match="Load the whole folder"):
        load(OUTPUTS / "scenario_state.json")


@pytest.mark.parametrize("cut", [500, 20_000, -30])
def test_a_cut_file_is_one_sentence(cut):
    data = (OUTPUTS / STATS).read_bytes()[:cut]
    with pytest.raises(LoadError, match=r"in the middle|does not read"):
        load((STATS, data))
