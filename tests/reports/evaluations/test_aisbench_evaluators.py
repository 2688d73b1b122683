"""Real reports of more evaluators of AISBench 3.1, against the truth of each sample.

tests/data/aisbench/evaluators holds whole reports without their logs. The truth beside each is
computed from the predictions by the documented rule of the evaluator, not by the tool's code.
"""

import json

import numpy as np
import pytest

from metrics.data.outcomes import FAILED
from reports import load, reconcile
from reports.evaluations.verdicts.programs import any_test_ran
from reports.run.reconcile import NO_COUNTERPART, UNEXPLAINED
from tests.reports.evaluations.aisbench_archives import DATA, loaded, notes
from tests.reports.mutations import unzipped, zipped

FOLDER = DATA / "evaluators"
REPORTS = sorted(path.stem for path in FOLDER.glob("*.zip"))
NOT_JUDGED = {
    "lcb_n4_tests_could_not_run": "no test ran for any of 80 programs",
    "evaluation_crashed_n4": "no results: the evaluation failed or never ran",
}
"""Reports that do not hold the truth, and what is said of them."""
NOT_SCORED = {"LCBCodeGenerationEvaluator"}
"""Evaluators whose files do not hold the soft scores."""
BY_EVALUATOR = {"BFCLSingleTurnEvaluator", "HumanEvalEvaluator"}
"""Evaluators whose verdicts no rule of kofn's gives."""


def truth(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def changed(name, change):
    """The report, each of its results files changed."""
    files = unzipped(FOLDER / f"{name}.zip")
    for path in [path for path in files if "/results/" in path]:
        files[path] = json.dumps(change(json.loads(files[path])))
    return files


def without_details(content):
    return {key: value for key, value in content.items() if key != "details"}


def expected(entry):
    verdicts = np.array(entry["correct"], dtype=np.int8)
    for question, count in entry.get("missing_predictions", {}).items():
        verdicts[int(question), entry["n"] - count :] = FAILED
    return verdicts


def assert_true(run, entry):
    """Verdicts, failed requests, scores and grouping are the truth, and every number explained."""
    verdicts = expected(entry)
    assert run.outcomes.correct.tolist() == verdicts.tolist()
    assert (run.verified, run.grouping) == (True, "proven")
    if "scores" in entry and entry["evaluator"] not in NOT_SCORED:
        scores = np.where(verdicts == FAILED, np.nan, entry["scores"])
        np.testing.assert_allclose(run.outcomes.scores, scores, atol=1e-12)
    else:
        assert run.outcomes.scores is None
    for line in reconcile(run):
        assert line.agrees or line.reason not in (None, NO_COUNTERPART, UNEXPLAINED), line
    assert not notes(run, "problem")


@pytest.mark.parametrize("block", [None, 500])
@pytest.mark.parametrize("name", REPORTS)
def test_every_sample_is_as_the_truth_says_or_not_judged(monkeypatch, name, block):
    if block:
        monkeypatch.setattr("reports.json_files.entries.BLOCK", block)
    entries, path = truth(name), FOLDER / f"{name}.zip"
    runs = (load(path) if block else loaded(path)).runs
    assert {(run.model, run.dataset) for run in runs} == {
        (model, dataset) for model, datasets in entries.items() for dataset in datasets
    }
    for run in runs:
        if name in NOT_JUDGED:
            assert run.outcomes is None
            (problem,) = notes(run, "problem")
            assert NOT_JUDGED[name] in problem
        else:
            assert_true(run, entries[run.model][run.dataset])


@pytest.mark.parametrize("name", [name for name in REPORTS if name not in NOT_JUDGED])
def test_without_details_every_sample_is_as_the_truth_says_or_not_judged(name):
    for run in load(("r.zip", zipped(changed(name, without_details)))).runs:
        entry = truth(name)[run.model][run.dataset]
        if entry["evaluator"] in BY_EVALUATOR:
            assert run.outcomes is None
            assert len(notes(run, "problem")) == 1
        else:
            assert_true(run, entry)


@pytest.mark.parametrize("details", [True, False])
@pytest.mark.parametrize("name", [name for name in REPORTS if name not in NOT_JUDGED])
def test_without_a_configuration_no_run_is_judged_by_the_rule_of_another(name, details):
    files = changed(name, dict if details else without_details)
    kept = {path: data for path, data in files.items() if "/configs/" not in path}
    for run in load(("r.zip", zipped(kept))).runs:
        if run.outcomes is None:
            assert len(notes(run, "problem")) == 1
        else:
            assert_true(run, truth(name)[run.model][run.dataset])


@pytest.mark.parametrize("name", REPORTS)
def test_a_wrong_number_leaves_no_judged_predictions_and_is_never_verified(name):
    """Without details the stated mean must bear out the rule; with them it must agree."""

    def off(content):
        key = next(key for key, value in content.items() if isinstance(value, float))
        return without_details(content) | {key: content[key] + 0.01}

    for run in load(("r.zip", zipped(changed(name, off)))).runs:
        assert run.verified is not True
        assert run.outcomes is None or run.rule is None


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("mgsm_n4", "the number given as the answer"),
        ("mmmu_n4", 'the answer stated after "ANSWER:"'),
        ("mmstar_n4", "the option that is named by its letter or text"),
        ("ceval_n4_zh_model", "the letter of the option"),
    ],
)
def test_a_rule_is_called_what_it_is(name, rule):
    for run in load(("r.zip", zipped(changed(name, without_details)))).runs:
        assert str(run.rule) == rule


def test_mmmu_s_answers_are_those_the_tool_parsed():
    (data,) = [d for p, d in unzipped(FOLDER / "mmmu_n4.zip").items() if "/results/" in p]
    flat = [said for entry in json.loads(data)["details"] for said in entry["parsed_pred"]]
    (run,) = load(("r.zip", zipped(changed("mmmu_n4", without_details)))).runs
    questions, n = run.outcomes.shape
    for place, parsed in enumerate(flat):
        replica, question = divmod(place, questions)
        code = run.answers[question, replica]
        label = "" if code < 0 else run.answer_labels[code]
        assert label.lower() == parsed.lower()
    assert n == 4


@pytest.mark.wide
@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize("name", ["mmstar_n4", "mmmu_n4"])
def test_options_are_the_answers_however_they_are_given(name, configured):
    files = unzipped(FOLDER / f"{name}.zip")
    kept = {p: data for p, data in files.items() if configured or "/configs/" not in p}
    (run,) = load(("r.zip", zipped(kept))).runs
    (judged,) = load(("r.zip", zipped(changed(name, without_details)))).runs
    for details, rule in zip(run.answers.ravel(), judged.answers.ravel(), strict=True):
        assert (details < 0) == (rule < 0)
        assert details < 0 or run.answer_labels[details] == judged.answer_labels[rule]


def test_drop_s_answers_are_what_follows_the_word():
    replies = ["So.\nAnswer: 12", "Answer: 12", "12 or so"]
    row = {"pred": replies, "answer": ["12|twelve"] * 3, "correct": [True, True, False]}
    files = {
        "run/configs/20261120_080955_1.py": "models = [dict(abbr='alpha', generation_kwargs="
        "dict(num_return_sequences=3))]\ndatasets = [dict(abbr='drop', eval_cfg=dict(evaluator="
        "dict(type='x.DropOpenAIEvaluator')))]",
    }
    for last, codes in ((True, [[0, 0, 1]]), (False, None)):
        row["correct"][2] = last
        content = {"avg@3": 100.0 if last else 200 / 3, "details": [row]}
        files["run/results/alpha/drop.json"] = json.dumps(content)
        (run,) = load(("r.zip", zipped(files))).runs
        assert (None if run.answers is None else run.answers.tolist()) == codes


def test_failed_requests_of_both_data_sets_are_counted():
    said = [
        note
        for run in loaded(FOLDER / "refcoco_n4_failed.zip").runs
        for note in notes(run, "warning")
    ]
    assert any("3 of 80 requests failed" in note for note in said)
    assert any("8 of 96 requests failed" in note for note in said)


@pytest.mark.parametrize("name", ["docvqa_n4", "infovqa_n4_zh_model", "longbench_n4"])
def test_predictions_that_kofn_judges_have_one_sentence_on_that(name):
    for run in loaded(FOLDER / f"{name}.zip").runs:
        (sentence,) = [note for note in notes(run) if "verdict" in note or "judged" in note]
        assert "judged the predictions itself" in sentence


def test_mmstar_s_numbers_of_categories_are_those_of_its_samples():
    (run,) = loaded(FOLDER / "mmstar_n4.zip").runs
    lines = {line.metric: line for line in reconcile(run)}
    assert lines["math (4 runs average)"].recomputed == pytest.approx(0.625)
    assert set(run.outcomes.segments["category"]) == {
        "math",
        "logical reasoning",
        "coarse perception",
    }


@pytest.mark.parametrize("evaluator", ["HumanevalXEvaluator", None])
@pytest.mark.parametrize("details", [True, False])
def test_humaneval_x_which_tests_nothing_is_not_judged(details, evaluator):
    """The tool states 0 of a file that it reads before it is written; details are texts only."""
    golds = [f"def f{q}(x):\n" for q in range(3)]
    said = {str(4 * q + r): f"    return {r}" for q in range(3) for r in range(4)}
    lines = [
        {"id": int(i) // 4, "uuid": i, "prediction": text, "gold": golds[int(i) // 4]}
        for i, text in said.items()
    ]
    rows = {
        i: {"origin_prediction": text, "predictions": text, "references": golds[int(i) // 4]}
        for i, text in said.items()
    }
    files = {
        "run/configs/20261120_080955_1.py": "models = [dict(abbr='alpha', generation_kwargs="
        "dict(num_return_sequences=4))]\ndatasets = [dict(abbr='humanevalx-python', eval_cfg="
        f"dict(evaluator=dict(type='ais_bench.benchmark.datasets.{evaluator}')))]",
        "run/predictions/alpha/humanevalx-python.jsonl": "\n".join(map(json.dumps, lines)),
        "run/results/alpha/humanevalx-python.json": json.dumps(
            {"accuracy": 0.0, "type": "GEN"} | ({"details": rows} if details else {})
        ),
    }
    if evaluator is None:
        del files["run/configs/20261120_080955_1.py"]
    (run,) = load(("r.zip", zipped(files))).runs
    assert (run.outcomes, run.verified) == (None, None)
    (problem,) = notes(run, "problem")
    assert evaluator is None or "tests nothing and states 0 %" in problem


def test_a_test_that_ran_is_told_from_none_that_did():
    assert not any_test_ran([{"0": [[-1, -1]], "1": [[-1]]}, {"0": [[-1]], "1": [[-1]]}])
    assert any_test_ran([{"0": [[-1, -1]], "1": [[-2]]}])
    assert any_test_ran({"0": [[False]]})
