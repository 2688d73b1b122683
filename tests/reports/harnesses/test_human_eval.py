"""Results of human-eval: each completion's verdict, text and prompt."""

import json

import pytest

from reports import LoadError, load
from reports.harnesses import human_eval
from tests.reports.harnesses.truths import DATA, assert_true, truth_of
from tests.reports.mutations import zipped

FOLDER = DATA / "human_eval"
TRUTH = truth_of("human_eval")


@pytest.mark.parametrize("key", TRUTH)
def test_every_verdict_is_the_true_one(key):
    file, _, model = key.partition("::")
    (run,) = load(FOLDER / file).runs
    assert (run.model, run.dataset) == (model, "humaneval")
    assert_true(run, TRUTH[key]["humaneval"])


def test_every_text_is_that_of_its_sample():
    path = FOLDER / "alpha_samples.jsonl_results.jsonl"
    (run,) = load(path).runs
    said = {}
    for line in map(json.loads, path.read_text().splitlines()):
        said.setdefault(line["task_id"], []).append(line["completion"])
    for question in run.outcomes.questions:
        assert list(run.texts(question).predictions) == said[question]
    assert run.search("draft 1-7-2").tolist() == [
        question == "HumanEval/7" for question in run.outcomes.questions
    ]
    assert run.labels["result"].words()[5, 0] == "timed out"


def test_prompts_lie_in_the_problems_beside():
    report = load(FOLDER)
    problems = map(json.loads, (FOLDER / "beta_problems.jsonl").read_text().splitlines())
    prompts = {each["task_id"]: each["prompt"] for each in problems}
    for run in report.runs:
        for question in run.outcomes.questions:
            assert run.texts(question).prompt[0].text == prompts[question]
            assert None not in run.texts(question).predictions
    assert any("truth.json" in str(note.what) for note in report.notes)


def test_problems_of_the_same_folder_go_before_others_and_others_before_none():
    line = {"task_id": "HumanEval/1", "completion": "x", "result": "passed", "passed": True}
    results = b"".join(
        json.dumps({**line, "task_id": f"HumanEval/{i}"}).encode() + b"\n" for i in range(2)
    )

    def problems(word, *tasks):
        texts = ({"task_id": f"HumanEval/{i}", "prompt": f"{word} {i}", "test": ""} for i in tasks)
        return b"".join(json.dumps(each).encode() + b"\n" for each in texts)

    files = {
        "a/problems.jsonl": problems("near a", 0, 1),
        "a/x_results.jsonl": results,
        "b/problems.jsonl": problems("near b", 1),
        "b/x_results.jsonl": results,
        "c/x_results.jsonl": results,
    }
    asked = {
        run.source[0]: [run.texts(q).prompt[0].text for q in run.outcomes.questions]
        for run in load(("r.zip", zipped(files))).runs
    }
    assert asked == {
        "a": ["near a 0", "near a 1"],
        "b": ["near a 0", "near b 1"],
        "c": ["near a 0", "near a 1"],
    }


def test_a_table_that_only_looks_like_it_is_read_as_a_table():
    line = {"task_id": "a", "completion": "x", "result": "fine", "passed": True}
    report = load(("t.jsonl", json.dumps(line).encode()))
    assert "human-eval" in str(report.notes[-1].what)
    assert "table" in str(report.reader)
    csv = load(("t.csv", b"task_id,completion,result,passed\na,x,passed,1\n"))
    assert "human-eval" in str(csv.notes[-1].what)
    more = load(("t.jsonl", json.dumps(line | {"result": "passed", "sample": 3}).encode()))
    assert "table" in str(more.reader)


def test_what_is_broken_is_one_clear_sentence():
    whole = (FOLDER / "beta_samples.jsonl_results.jsonl").read_bytes()
    broken = whole.replace(b'"passed": true}\n', b'"passed": "yes"}\n', 2)
    broken = broken.replace(b'"passed": "yes"}\n', b'"passed": true}\n', 1)
    with pytest.raises(LoadError, match="record 2: passed is not true or false"):
        load(("beta.jsonl", broken))
    with pytest.raises(LoadError, match="line 50"):
        load(("beta.jsonl", whole[:-20] + b"\n"))


def test_how_the_tool_was_recognised_is_said():
    report = load(FOLDER)
    assert str(report.reader) == "human-eval results"
    assert report.runs[0].settings["tool"] == human_eval.TOOL.name
