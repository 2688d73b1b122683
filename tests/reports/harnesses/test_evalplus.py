"""Results of EvalPlus: base and plus apart, in the layout of today and in that of before 0.2."""

import json

import pytest

from reports import LoadError, load, reconcile
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "evalplus"
TRUTH = truth_of("evalplus")
REAL = (FOLDER / "alpha_samples_eval_results.json").read_bytes()


@pytest.mark.parametrize("key", TRUTH)
def test_every_verdict_is_the_true_one(key):
    file, _, model = key.partition("::")
    base, plus = load(FOLDER / file).runs
    assert [(run.model, run.dataset) for run in (base, plus)] == [
        (model, "humaneval"),
        (model, "humaneval+"),
    ]
    assert_true(base, TRUTH[key]["humaneval (base)"])
    assert_true(plus, TRUTH[key]["humaneval+ (base and plus)"])


def test_every_text_is_that_of_its_sample_and_how_it_was_made_is_told():
    content = json.loads(REAL)
    for run in load(FOLDER / "alpha_samples_eval_results.json").runs:
        for question in run.outcomes.questions:
            said = tuple(each["solution"] for each in content["eval"][question])
            assert run.texts(question).predictions == said
        assert run.search("draft 1-7-2").nonzero()[0].tolist() == [7]
        assert run.settings["dataset_version"] == content["hash"]
        assert f"{run.time:%Y-%m-%d %H:%M}" == content["date"]
        assert run.labels["result"].words()[2, 0] == "pass"


def test_the_name_of_a_file_tells_model_and_temperature():
    # evalplus 0.3.1, evalplus/codegen.py, line 206
    name = "meta-llama--Llama-3-8B_vllm_temp_0.8_eval_results.json"
    base, plus = load((name, REAL)).runs
    assert base.model == plus.model == "meta-llama/Llama-3-8B"
    assert base.settings["temperature"] == 0.8
    assert base.settings["evaluator"] != plus.settings["evaluator"]


def test_stated_numbers_are_checked():
    content = json.loads(REAL)
    stated = {"base": {"pass@1": 0.56}, "plus": {"pass@1": 0.5}}
    base, plus = load(("a.json", json.dumps(content | {"pass_at_k": stated}).encode())).runs
    assert base.verified
    assert not plus.verified
    assert [line.agrees for line in reconcile(plus)] == [False]


def test_without_further_tests_there_is_one_run():
    content = json.loads(REAL)
    for programs in content["eval"].values():
        for each in programs:
            each["plus_status"] = None
    (run,) = load(("a.json", json.dumps(content).encode())).runs
    assert run.dataset == "humaneval"
    assert any("--base-only" in str(note.what) for note in run.notes)


def test_keys_may_come_in_any_order():
    content = json.loads(REAL)
    known = load(("alpha_samples_eval_results.json", REAL)).runs
    backwards = {
        task: [dict(reversed(each.items())) for each in programs]
        for task, programs in content["eval"].items()
    }
    for reordered in (
        json.dumps(content, sort_keys=True),
        json.dumps(dict(reversed(content.items())), indent=2, sort_keys=True),
        json.dumps({"eval": backwards, "hash": content["hash"]}),
    ):
        found = load(("alpha_samples_eval_results.json", reordered.encode())).runs
        assert [run.outcomes.digest for run in found] == [run.outcomes.digest for run in known]
        question = known[0].outcomes.questions[2]
        assert found[0].texts(question).predictions == known[0].texts(question).predictions


def test_the_older_layout_is_read_too(tmp_path):
    # after evalplus/evalplus, commit 0310ad2ea66c, evalplus/evaluate.py, lines 171 to 182
    tried = {
        "HumanEval/0": {
            "nfiles": 2,
            "base": [["success", [True]], ["failed", [False]]],
            "plus": [["failed", [False]], ["success", [True]]],
        },
        "HumanEval/1": {
            "nfiles": 2,
            "base": [["success", []], ["timed out", []]],
            "plus": [["success", []], ["timed out", []]],
        },
    }
    content = {"date": "2023-11-20 08:37", "hash": "ab", "eval": tried}
    (tmp_path / "m_temp_0.2_eval_results.json").write_text(json.dumps(content))
    lines = [
        {"task_id": task, "solution": f"{task} {i}"} for i in (0, 1) for task in reversed(tried)
    ]
    (tmp_path / "m_temp_0.2.jsonl").write_text("\n".join(map(json.dumps, lines)))
    base, plus = load(tmp_path).runs
    again = json.dumps(content, sort_keys=True).encode()
    assert load(("x_eval_results.json", again)).runs[0].outcomes.digest == base.outcomes.digest
    assert (base.model, base.settings["temperature"]) == ("m", 0.2)
    assert base.outcomes.correct.tolist() == [[1, 0], [1, 0]]
    assert plus.outcomes.correct.tolist() == [[0, 0], [1, 0]]
    assert plus.texts("HumanEval/1").predictions == ("HumanEval/1 0", "HumanEval/1 1")


def test_what_is_broken_is_one_clear_sentence():
    with pytest.raises(LoadError, match="ends in the middle of a value"):
        load(("a.json", REAL[:-200]))
    content = json.loads(REAL)
    del content["eval"]["HumanEval/3"][2]["base_status"]
    with pytest.raises(LoadError, match="not of the type that the tool writes"):
        load(("a.json", json.dumps(content).encode()))
