"""Outputs of EvalScope: subsets as one run, groups as questions, its own numbers checked."""

import json
import shutil

import numpy as np
import pytest

from metrics.data.outcomes import FAILED
from reports import LoadError, combine, load, match, reconcile
from reports.run.reasons import CUT_SHORT, WITHOUT_FAILED
from tests.reports.harnesses.truths import DATA, truth_of, verdicts

FOLDER = DATA / "evalscope"
TRUTH = truth_of("evalscope")
FLAKY = FOLDER / "outputs/20261120_083414"
PASS_AT_K = FOLDER / "outputs/20261120_083614"


@pytest.fixture(scope="module")
def runs():
    """Return every run of the real outputs, by where it lies, and its benchmark."""
    found = {}
    for name in ("outputs", "outputs_1.1.1"):
        for run in load(FOLDER / name).runs:
            found[f"{name}/{run.source.partition('/')[0]}::{run.model}", run.dataset] = run
    return found


def cases():
    return [(key, name) for key, datasets in TRUTH.items() for name in datasets]


@pytest.mark.parametrize(("key", "name"), cases())
def test_every_verdict_and_score_is_the_true_one(runs, key, name):
    truth = TRUTH[key][name]
    benchmark, _, subset = name.rpartition("_")
    run = runs[key, benchmark]
    several = "subset" in run.outcomes.segments
    ids = [f"{subset}/{i}" if several else str(i) for i in truth["questions"]]
    rows = [run.outcomes.questions.index(each) for each in ids]
    assert run.outcomes.shape[1] == truth["n"]
    assert run.outcomes.shape[0] == len(ids) or several
    if truth["correct"] is None:
        scores = {"Rouge-L-R": run.outcomes.scores} | {
            name.removeprefix("score."): values for name, values in run.columns.items()
        }
        for metric in truth["scores"]:
            if metric.startswith("bleu"):
                assert metric not in scores  # its data was missing: the zeros are no scores
            else:
                wanted = np.array(truth["scores"][metric], float)
                np.testing.assert_array_equal(scores[metric][rows], wanted)
    else:
        np.testing.assert_array_equal(run.outcomes.correct[rows], verdicts(truth["correct"]))


def test_every_stated_number_is_checked(runs):
    for run in runs.values():
        assert run.verified, run.source
        lines = {line.metric: line for line in reconcile(run)}
        assert "score" in lines
        if run.dataset != "gsm8k" or "flaky" not in run.model:
            assert all(line.agrees for line in lines.values())
    (at_k,) = load(PASS_AT_K).runs
    assert [line.metric for line in reconcile(at_k)] == [
        "score",
        *(f"pass@{k}" for k in (1, 2, 3, 4)),
    ]


def test_calls_that_failed_are_counted_and_explain_the_tools_mean():
    (run,) = load(FLAKY).runs
    assert (run.outcomes.correct == -1).sum() == 8
    (line,) = reconcile(run)
    assert not line.agrees
    assert line.reason is WITHOUT_FAILED


def test_every_text_is_that_of_its_generation():
    for path in (FLAKY, FOLDER / "outputs_1.1.1", FOLDER / "outputs/20261120_083242"):
        for run in load(path).runs:
            said, asked, gold = {}, {}, {}
            for review in path.rglob(f"reviews/*/{run.dataset}_*.jsonl"):
                subset = review.stem.removeprefix(f"{run.dataset}_")
                several = "subset" in run.outcomes.segments
                for line in map(json.loads, review.read_text().splitlines()):
                    scored = line["sample_score"]
                    group = scored["group_id"]
                    question = f"{subset}/{group}" if several else str(group)
                    at = scored.get("generation_index", line["index"] % run.outcomes.shape[1])
                    said[question, at] = scored["score"]["prediction"]
                    asked[question] = line.get("input") or line["messages"][0]["content"]
                    gold[question] = line["target"] if "input" in line else line["target"][0]
            for question in run.outcomes.questions:
                texts = run.texts(question)
                wanted = [said.get((question, i)) for i in range(run.outcomes.shape[1])]
                assert list(texts.predictions) == wanted
                assert texts.prompt[0].text == asked[question].removeprefix("**User**: \n")
                assert texts.reference == gold[question]


def test_runs_of_two_versions_are_asked_alike_and_judged_by_the_same_metric():
    """1.1.1 writes a prompt as one text with its roles, and names the metric acc."""
    (old,) = load(FOLDER / "outputs_1.1.1").runs
    (new,) = load(FOLDER / "outputs/20261120_083301").runs
    found = match(old, new)
    assert (found.proven, found.reworded) == (True, 0)
    assert old.settings["evaluator"] == new.settings["evaluator"] == "accuracy"
    assert combine([old, new]).outcomes.shape == (24, 7)


def test_a_prompt_of_several_messages_is_taken_apart(tmp_path):
    line = {
        "index": 0,
        "input": "**System**: \nBe brief.\n\n**User**: \n1 + 1?\n\n**bold**",
        "target": "2",
        "sample_score": {"group_id": 0, "score": {"value": {"acc": 1}, "prediction": "2"}},
    }
    (run,) = load(("m_sums.jsonl", json.dumps(line).encode() + b"\n")).runs
    assert [(turn.role, turn.text) for turn in run.texts("0").prompt] == [
        ("system", "Be brief."),
        ("user", "1 + 1?\n\n**bold**"),
    ]


def test_reviews_that_are_cut_are_no_failed_calls(tmp_path):
    shutil.copytree(FLAKY, tmp_path / "run")
    (review,) = (tmp_path / "run").rglob("reviews/*/*.jsonl")
    review.write_bytes(b"".join(review.read_bytes().splitlines(keepends=True)[:60]))
    (run,) = load(tmp_path).runs
    notes = [str(note.what) for note in run.notes]
    assert any(note.startswith("60 of 70 generations that the tool counted") for note in notes)
    assert not (run.outcomes.correct == FAILED).any()
    assert {line.reason for line in reconcile(run)} == {CUT_SHORT}


def test_fields_of_the_dataset_that_divide_its_questions_are_segments(tmp_path):
    shutil.copytree(FLAKY, tmp_path / "run")
    (review,) = (tmp_path / "run").rglob("reviews/*/*.jsonl")
    lines = list(map(json.loads, review.read_text().splitlines()))
    for line in lines:
        scored = line["sample_score"]
        scored["sample_metadata"] = {"id": scored["group_id"], "kind": "ab"[scored["group_id"] % 2]}
    review.write_text("\n".join(map(json.dumps, lines)))
    (run,) = load(tmp_path).runs
    assert (run.outcomes.correct == FAILED).any()
    kinds = run.outcomes.segments["kind"].tolist()
    assert kinds == ["ab"[int(question) % 2] for question in run.outcomes.questions]


def test_tokens_seconds_and_why_each_ended_are_read():
    (run,) = load(FLAKY).runs
    line = json.loads(next(FLAKY.rglob("predictions/*/*.jsonl")).read_text().splitlines()[0])
    row, at = divmod(line["index"], 3)
    usage = line["model_output"]["usage"]
    assert run.columns["tokens_in"][row, at] == usage["input_tokens"]
    assert run.columns["tokens_out"][row, at] == usage["output_tokens"]
    assert run.columns["latency_s"][row, at] == line["model_output"]["time"]
    assert run.labels["finish_reason"].words()[row, at] == "stop"
    told = {"temperature": 0.7, "seed": 7, "n": 3, "shots": 0, "tool_version": "1.14.1"}
    assert told.items() <= run.settings.items()
    assert not any("key" in name for name in run.settings)
    assert f"{run.time:%Y%m%d_%H%M%S}" == FLAKY.name


def test_reviews_alone_tell_how_many_generations_a_question_has(tmp_path):
    path = next((FOLDER / "outputs_1.1.1").rglob("general_mcq_west.jsonl"))
    shutil.copy(path, tmp_path)
    (run,) = load(tmp_path / path.name).runs
    truth = TRUTH["outputs_1.1.1/20261120_084125::beta-14b-chat"]["general_mcq_west"]
    np.testing.assert_array_equal(run.outcomes.correct, verdicts(truth["correct"]))
    assert (run.model, run.dataset, run.verified) == ("unknown model", path.stem, None)
    assert "the model" in str(run.notes[0].what)
    (named,) = load(next(FLAKY.rglob("reviews/*/*.jsonl"))).runs
    assert named.model == "flaky-7b-chat"


def test_means_alone_say_what_is_missing(tmp_path):
    shutil.copytree(PASS_AT_K / "reports", tmp_path / "reports")
    (run,) = load(tmp_path).runs
    assert run.outcomes is None
    assert run.reported["pass@4"] == 0.7692
    assert "reviews" in str(run.notes[0].what)


def test_votes_are_counted_as_the_tool_does(tmp_path):
    # EvalScope 1.14.1, evalscope/metrics/aggregators/aggregators.py, lines 247 to 333: the first k,
    # ties to the answer that came first, blank answers without a vote
    place = tmp_path / "run"
    shutil.copytree(PASS_AT_K, place)
    reviews = next(place.rglob("reviews/*/*.jsonl"))
    lines = [json.loads(line) for line in reviews.read_text().splitlines()]
    groups = {}
    for line in lines:
        scored = line["sample_score"]
        value = scored["score"]["extracted_prediction"], scored["score"]["value"]["accuracy"]
        groups.setdefault(scored["group_id"], {})[scored["generation_index"]] = value
    stated = {}
    for k in (1, 2, 3, 4):
        right = 0
        for each in groups.values():
            first = [each[i] for i in range(k)]
            answers = [answer for answer, _ in first if answer and answer.strip()]
            best = max(dict.fromkeys(answers), key=answers.count, default=None)
            right += any(answer == best and value == 1 for answer, value in first)
        stated[k] = round(right / len(groups), 4)
    path = next(place.rglob("reports/*/*.json"))
    content = json.loads(path.read_text())
    for entry in content["metrics"][1:]:
        k = entry["identity"]["dimensions"]["k"]
        entry["identity"]["aggregation"] = "vote_at_k"
        entry["score"] = stated[k]
    path.write_text(json.dumps(content))
    (run,) = load(place).runs
    lines = {line.metric: line for line in reconcile(run)}
    assert all(lines[f"vote@{k}"].agrees for k in stated)
    assert run.verified
    content["metrics"][2]["score"] += 0.01
    path.write_text(json.dumps(content))
    assert load(place).runs[0].verified is False


def older(index, *results):
    """Return a review of 0.x: a line a question, with all its choices.

    After modelscope/evalscope, commit be1558adc7f1, evalscope/evaluator/evaluator.py, lines 126 to
    134 (what is added to the answer of the API) and 226 to 279 (the review of each choice).
    """
    return {
        "choices": [
            {
                "finish_reason": "stop",
                "index": i,
                "message": {"role": "assistant", "content": f"So it is {pred}."},
                "review": {"gold": "7", "pred": pred, "result": pred == "7"},
            }
            for i, pred in enumerate(results)
        ],
        "created": 1732000000,
        "model": "qwen",
        "object": "chat.completion",
        "usage": {"completion_tokens": 12, "prompt_tokens": 30, "total_tokens": 42},
        "model_spec": {"api_url": "x", "model_id": "qwen", "api_key": "secret"},
        "answer_id": "answer-1",
        "subset_name": "main",
        "raw_input": {"question": f"{index} + 0?"},
        "index": index,
        "reviewed": True,
        "review_id": "review-1",
        "reviewer_spec": {"metric": ["Pass@1", "Pass@2"]},
        "review_time": 1732000001.0,
    }


@pytest.fixture
def outputs_of_0(tmp_path):
    """Return outputs of 0.17: the report is after evalscope/report/utils.py of the same version."""
    root = tmp_path / "20250601_101010"
    lines = [older(7, "7", "7"), older(0, "3", "7"), older(3, "1", "2")]
    for kind, name, text in (
        ("reviews", "gsm8k_main.jsonl", "\n".join(map(json.dumps, lines))),
        ("reports", "gsm8k.json", json.dumps(REPORT_OF_0)),
    ):
        (root / kind / "qwen").mkdir(parents=True)
        (root / kind / "qwen" / name).write_text(text)
    (root / "configs").mkdir()
    (root / "configs/task_config_ab12cd.yaml").write_text(
        "model: qwen\ngeneration_config:\n  temperature: 0.6\n  n: 2\ndatasets: [gsm8k]\n"
    )
    return root


def metric(name, score):
    subsets = [{"name": "main", "score": score, "num": 3}]
    categories = [{"name": ["default"], "num": 3, "score": score, "subsets": subsets}]
    return {"name": name, "num": 3, "score": score, "macro_score": score, "categories": categories}


REPORT_OF_0 = {
    "name": "qwen@gsm8k",
    "dataset_name": "gsm8k",
    "model_name": "qwen",
    "score": 0.5,
    "metrics": [metric("Pass@1", 0.5), metric("Pass@2", 0.6667)],
}


def test_outputs_of_0_are_read_too(outputs_of_0):
    (run,) = load(outputs_of_0).runs
    assert (run.model, run.dataset) == ("qwen", "gsm8k")
    assert run.outcomes.questions == ("0", "3", "7")
    assert run.outcomes.correct.tolist() == [[0, 1], [0, 0], [1, 1]]
    assert run.texts("0").predictions == ("So it is 3.", "So it is 7.")
    assert run.texts("0").answers == ("3", "7")
    assert run.texts("0").reference == "7"
    assert dict(run.reported) == {"score": 0.5, "pass@2": 0.6667}
    assert run.verified
    assert run.settings["temperature"] == 0.6
    assert "secret" not in repr(dict(run.settings))
    (alone,) = load(next(outputs_of_0.rglob("*.jsonl"))).runs
    assert (alone.dataset, alone.outcomes.shape) == ("gsm8k", (3, 2))


def test_what_is_broken_is_one_clear_sentence(tmp_path):
    path = next(FLAKY.rglob("reviews/*/*.jsonl"))
    with pytest.raises(LoadError, match="line 1"):
        load((path.name, path.read_bytes()[:-50].replace(b"\n", b" ")))
    place = tmp_path / "run"
    shutil.copytree(FLAKY, place)
    (place / "configs/task_config.yaml").write_bytes(b"a: &a [1]\nb: {<<: [*a, *a]\n\tc")
    (run,) = load(place).runs
    assert "not YAML" in str(run.notes[0].what)
    next(place.rglob("reports/*/*.json")).write_text(
        '{"metrics": 3, "dataset_name": 1, "model_name": 2}'
    )
    (run,) = load(place).runs
    assert run.verified is None
