"""Tools whose readers are declarations of fields: verdicts, texts, and what is stated of them."""

import json

import numpy as np
import pytest

from reports import load
from reports.run.states import States
from tests.reports.harnesses.truths import DATA, truth_of, verdicts
from tests.reports.mutations import zipped

TOOLS = ("verifiers", "promptfoo", "deepeval", "nemo_skills")
RUNS = [
    pytest.param(tool, key, dataset, id=f"{tool}-{key}")
    for tool in TOOLS
    for key, of in truth_of(tool).items()
    for dataset in of
]


def read(tool, file, model):
    (run,) = (run for run in load(DATA / tool / file).runs if run.model == model)
    return run


@pytest.mark.parametrize(("tool", "key", "dataset"), RUNS)
def test_every_verdict_is_the_true_one_and_its_text_says_so(tool, key, dataset):
    file, _, model = key.partition("::")
    run = read(tool, file, model)
    truth = truth_of(tool)[key][dataset]
    named = [question.partition(" #")[0] for question in run.outcomes.questions]
    order = [named.index(str(question)) for question in truth["questions"]]
    true = verdicts(truth["correct"])
    assert run.dataset == dataset
    assert run.verified is not False
    np.testing.assert_array_equal(run.outcomes.correct[order], true)
    for row, is_right in zip(order, true, strict=True):
        texts = run.texts(run.outcomes.questions[row])
        said = [text == texts.reference for text in texts.predictions]
        assert said == [verdict == 1 for verdict in is_right]
        assert texts.reference == str(sum(map(int, texts.prompt[0].text[:-1].split()[-3::2])))


@pytest.mark.parametrize(
    ("tool", "file", "known"),
    [
        (
            "verifiers",
            "v0.4.0",
            {"temperature": 0.7, "max_tokens": 64, "evaluator": "exact", "tool_version": "0.4.0"},
        ),
        ("verifiers", "v0.1.14", {"temperature": 0.7, "tool_version": "0.1.14"}),
        (
            "promptfoo",
            "sums.json",
            {"temperature": 0.7, "evaluator": "equals", "tool_version": "0.123.1"},
        ),
        ("deepeval", "", {"temperature": 0.7, "evaluator": "Exact Match"}),
        ("nemo_skills", "", {"evaluator": "symbolic", "n": 3}),
    ],
)
def test_what_made_a_run_and_what_divides_it(tool, file, known):
    run = read(tool, file, "alpha-7b")
    assert run.settings.items() >= known.items()
    (divided,) = ({*labels} for labels in run.outcomes.segments.values() if "easy" in labels)
    assert divided == {"easy", "hard"}


def test_means_that_are_stated_are_checked():
    stating = [("verifiers", "v0.1.14"), ("promptfoo", "sums.json")]
    for tool, file in (*stating, ("deepeval", ""), ("nemo_skills", "")):
        assert read(tool, file, "alpha-7b").verified is True
    whole = json.loads((DATA / "promptfoo/sums.json").read_text())
    for stated in whole["results"]["prompts"]:
        stated["metrics"]["testPassCount"] += 1
        stated["metrics"]["testFailCount"] -= 1
    changed = load(("sums.json", json.dumps(whole).encode())).runs
    assert [run.verified for run in changed] == [False, False]


def test_a_request_that_failed_is_no_wrong_answer():
    run = read("promptfoo", "sums.json", "alpha-7b")
    assert run.outcomes.correct[3].tolist().count(-1) == 1
    assert isinstance(run.states, States)
    assert [*run.labels["error"].values] == ["server is down"]


def test_two_prompts_are_two_runs():
    lines = (DATA / "promptfoo/sums.jsonl").read_text().splitlines()
    twice = [*lines, *(line.replace('"promptId":"1', '"promptId":"2') for line in lines)]
    runs = load(("sums.jsonl", "\n".join(twice).encode())).runs
    assert [run.model for run in runs] == ["alpha-7b", "beta-14b"] * 2
    assert len({run.settings["prompt_version"] for run in runs}) == 2


def test_an_episode_that_was_not_scored_has_failed(tmp_path):
    (path,) = (DATA / "verifiers/v0.4.0").glob("*alpha*/traces.jsonl")
    first, *others = path.read_text().splitlines()
    broken = json.loads(first)
    broken["traces"][0] |= {"rewards": {}, "errors": [{"type": "ProviderError", "message": "x"}]}
    (run,) = load(
        ("t.zip", zipped({"traces.jsonl": "\n".join([json.dumps(broken), *others])}))
    ).runs
    assert np.count_nonzero(run.outcomes.correct == -1) == 1
    assert "ProviderError" in run.labels["error"].values


def test_files_of_seeds_are_samples_of_one_run_in_the_order_of_their_numbers():
    files = {
        path.relative_to(DATA).as_posix().replace("rs2", "rs10"): path.read_bytes()
        for path in (DATA / "nemo_skills/alpha-7b").rglob("*.json*")
    }
    (run,) = load(("run.zip", zipped(files))).runs
    np.testing.assert_array_equal(
        run.outcomes.correct, read("nemo_skills", "alpha-7b", "alpha-7b").outcomes.correct
    )


def test_a_judge_goes_before_the_symbolic_comparison():
    path = DATA / "nemo_skills/alpha-7b/eval-results/sums/output-rs0.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    judged = [line | {"judgement": "Same value. Judgement: Yes"} for line in lines]
    held = "\n".join(map(json.dumps, judged))
    (run,) = load(("r.zip", zipped({"sums/output-rs0.jsonl": held}))).runs
    assert run.outcomes.correct.all()
    assert not run.columns["symbolic_correct"].all()
    assert run.settings["evaluator"] == "judge"
