"""Results of LiveCodeBench: each problem with all programs written for it."""

import json

import numpy as np
import pytest

from reports import LoadError, load, reconcile
from tests.reports.harnesses.truths import DATA, assert_true, truth_of

FOLDER = DATA / "livecodebench"
((KEY, TRUTH),) = truth_of("livecodebench").items()
FILE, _, MODEL = KEY.partition("::")
ROWS = json.loads((FOLDER / FILE).read_text())


@pytest.fixture(scope="module")
def run():
    (run,) = load(FOLDER).runs
    return run


def test_every_verdict_is_the_true_one_and_stated_numbers_agree(run):
    truth = TRUTH["codegeneration"]
    assert (run.model, run.dataset) == (MODEL, "livecodebench_codegeneration")
    assert_true(run, truth)
    assert dict(run.reported) == truth["stated"]
    assert run.verified
    assert all(line.agrees for line in reconcile(run))


def test_every_text_is_that_of_its_sample(run):
    for row in ROWS:
        texts = run.texts(row["question_id"])
        assert texts.prompt[0].text == row["question_content"]
        assert list(texts.predictions) == row["output_list"]
        found = [
            run.answer_labels[code]
            for code in run.answers[run.outcomes.questions.index(row["question_id"])]
        ]
        assert all(
            code.startswith(said.rstrip("…"))
            for code, said in zip(row["code_list"], found, strict=True)
        )


def test_segments_times_errors_and_settings_are_read(run):
    assert run.outcomes.segments["difficulty"].tolist() == [row["difficulty"] for row in ROWS]
    assert set(run.outcomes.segments["contest_month"]) == {"2026-01", "2026-02"}
    passed = run.outcomes.correct == 1
    np.testing.assert_array_equal(np.isnan(run.columns["execution_s"]), ~passed)
    assert run.labels["error"].words()[1, 1] == json.loads(ROWS[1]["metadata"][1])["error_message"]
    assert {"temperature": 0.2, "n": 5, "tool": "LiveCodeBench"}.items() <= run.settings.items()


def test_a_file_alone_says_that_nothing_names_the_model():
    (run,) = load(FOLDER / FILE).runs
    assert dict(run.reported) == {"pass@1": pytest.approx(16 / 30)}
    assert run.verified
    assert any("name the model" in str(note.what) for note in run.notes)


def test_problems_of_several_tests_are_questions_of_their_own():
    # after LiveCodeBench/LiveCodeBench, commit 28fef95, lcb_runner/benchmarks/
    # test_output_prediction.py, insert_output_evaluation: pred_list in place of code_list, test_id
    rows = [
        {"question_id": 1, "test_id": i, "output_list": ["a", "b"], "pred_list": ["1", "2"]}
        | {"graded_list": [i == 0, True], "pass@1": (1 + (i == 0)) / 2}
        for i in (0, 1)
    ]
    (run,) = load(
        ("Scenario.testoutputprediction_2_0.2_eval_all.json", json.dumps(rows).encode())
    ).runs
    assert run.outcomes.questions == ("1/0", "1/1")
    assert run.outcomes.correct.tolist() == [[1, 1], [0, 1]]
    assert run.dataset == "livecodebench_testoutputprediction"


def test_what_is_broken_is_one_clear_sentence():
    with pytest.raises(LoadError, match="ends in the middle of a value"):
        load(("a_eval_all.json", (FOLDER / FILE).read_bytes()[:-300]))
    rows = [ROWS[0] | {"graded_list": [1, -2, True, True, True]}, *ROWS[1:]]
    with pytest.raises(LoadError, match="record 1: graded_list is not a verdict"):
        load(("a_eval_all.json", json.dumps(rows).encode()))
