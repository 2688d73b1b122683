"""Tools whose readers are declarations of fields: verdicts, texts, and what is stated of them."""

import json
from functools import cache

import numpy as np
import pytest

from reports import LoadError, load
from reports.files.errors import VerdictChoice
from reports.run.finish_reasons import States
from tests.reports.harnesses.truths import DATA, truth_of, verdicts
from tests.reports.mutations import zipped

TOOLS = ("verifiers", "promptfoo", "deepeval", "nemo_skills", "lmms_eval")
RUNS = [
    pytest.param(tool, key, dataset, id=f"{tool}-{key}")
    for tool in TOOLS
    for key, of in truth_of(tool).items()
    for dataset in of
]


@cache
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


def test_lmms_eval_keeps_one_of_three_answers_and_says_so():
    run = read("lmms_eval", "gpt-4.1", "gpt-4.1")
    assert run.verified is True
    assert "asked every question 3 times" in str(run.notes[0].what)
    assert read("lmms_eval", "gpt-4o-mini", "gpt-4o-mini").notes == ()
    known = {"temperature": 0.7, "max_tokens": 64, "evaluator": "exact", "tool": "lmms-eval"}
    assert run.settings.items() >= known.items()
    assert run.columns["tokens_out"].tolist() == [[4.0]] * 6


def lmms(**more):
    (path,) = (DATA / "lmms_eval/gpt-4.1").glob("*samples*")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line | {name: get(at) for name, get in more.items()} for at, line in enumerate(lines)]


def loaded(lines, **told):
    data = "\n".join(map(json.dumps, lines)).encode()
    (run,) = load(("20260101_000000_samples_sums.jsonl", data), **told).runs
    return run


def test_scores_of_lmms_eval_may_lie_in_objects_and_be_soft():
    lines = lmms(anls=lambda at: {"score": at / 5, "question_id": "q", "category": "ab"[at % 2]})
    for line in lines:
        del line["exact"]
    run = loaded(lines)
    np.testing.assert_allclose(run.outcomes.scores[:, 0], np.arange(6) / 5)
    assert {name: [*labels] for name, labels in run.outcomes.segments.items()} == {
        "category": [*"ababab"]
    }


def test_metrics_of_lmms_eval_that_disagree_are_asked_about():
    lines = lmms(other=lambda at: 0.0)
    with pytest.raises(VerdictChoice):
        loaded(lines)
    assert not loaded(lines, columns={"correct": "other"}).outcomes.correct.any()


def test_lines_of_filters_without_names_are_refused():
    with pytest.raises(LoadError, match="several lines for a question"):
        loaded([*lmms(), *lmms()])


def test_every_verdict_of_simple_evals_is_the_true_one():
    for key, of in truth_of("simple_evals").items():
        file, _, model = key.partition("::")
        run = read("simple_evals", file, model)
        (dataset,) = of
        assert (run.dataset, run.verified) == (dataset, True)
        named = [question.partition(" #")[0] for question in run.outcomes.questions]
        order = [named.index(question) for question in of[dataset]["questions"]]
        np.testing.assert_array_equal(run.outcomes.correct[order], verdicts(of[dataset]["correct"]))
        texts = run.texts(run.outcomes.questions[0])
        assert "<b>them</b> & get it.\n<p>Score: 1.0</p>" in texts.predictions[0]


def test_choices_whose_letters_are_drawn_anew_are_told_by_what_they_say():
    file = "gpqa_gpt-4.1_20261124_085545_allresults.json"
    run = read("simple_evals", file, "gpt-4.1")
    sums = [sum(map(int, name.partition("?")[0].split()[2::2])) for name in run.outcomes.questions]
    said = np.array([int(label) for label in run.answer_labels])[run.answers]
    np.testing.assert_array_equal(said == np.array(sums)[:, None], run.outcomes.correct == 1)


def piece(score, extracted, correct="4", asked="What is 2 + 2?"):
    message = '<div class="message {}">\n<pre>{}</pre>\n</div>\n</div>'
    return (
        f"{message.format('user', asked)}{message.format('assistant', 'x')}<h3>Results</h3>\n"
        f"<p>Correct Answer: {correct}</p>\n<p>Extracted Answer: {extracted}</p>\n"
        f"<p>Score: {score}</p>\n"
    )


def whole(*pieces, score=0.5):
    return json.dumps({"score": score, "metrics": {}, "htmls": pieces, "convos": []}).encode()


def test_programs_of_simple_evals_are_as_many_samples_as_were_run():
    pieces = (
        piece(0.5, [1, 0], [1, 1], "def f():"),
        piece(1.0, [1, 1], [1, 1], "def g():"),
    )
    name = "humaneval_gpt-4.1_20261124_085545_DEBUG_allresults.json"
    (run,) = load((name, whole(*pieces, score=0.75))).runs
    assert (run.model, run.dataset, run.verified) == ("gpt-4.1", "humaneval", True)
    assert run.outcomes.correct.tolist() == [[1, 0], [1, 1]]
    assert run.texts(run.outcomes.questions[0]).predictions == (None, None)


def test_verdicts_of_simple_evals_may_be_words():
    pieces = (piece(True, "4"), piece(False, "5", asked="What is 3 + 3?"))
    (run,) = load(("simpleqa_a_b_20261124_085545_allresults.json", whole(*pieces))).runs
    assert (run.model, run.dataset) == ("a_b", "simpleqa")
    assert run.outcomes.correct.tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("tool", "file", "name", "place"),
    [
        ("deepeval", "test_run_20261124_062610.json", "input", "testCases.1"),
        ("nemo_skills", "alpha-7b/eval-results/sums/output-rs0.jsonl", "problem", ""),
    ],
)
def test_a_record_without_its_question_is_named(tool, file, name, place):
    data = (DATA / tool / file).read_text()
    if place:
        whole = json.loads(data)
        del whole["testCases"][1][name]
        changed = json.dumps(whole)
    else:
        lines = [json.loads(line) for line in data.splitlines()]
        lines[1] = {key: of for key, of in lines[1].items() if key not in (name, "id")}
        changed = "\n".join(map(json.dumps, lines))
    with pytest.raises(LoadError, match="record 2: does not say which question it answers"):
        load((file.rpartition("/")[2], changed.encode()))
