"""Evaluators whose rule is known, in small reports whose numbers are worked out by hand."""

import json
import time

import pytest

from reports import load, reconcile
from reports.evaluations.verdicts.stated import LAST_SAMPLE, SCRAMBLED
from reports.rescoring.choices import stated_option
from reports.rescoring.numbers import number_after_prefix
from tests.reports.evaluations.small_reports import WHERE, report
from tests.reports.mutations import zipped


def test_docvqa_states_the_last_sample_s_mean_likeness():
    golds = ["Nestlé", "Nestle"], ["12 May", "12 may 1999"]
    said = [("nestle", "12 May"), ("Coca Cola", "12 Mai")]
    predictions = [(q, said[r][q], str(golds[q])) for r in range(2) for q in range(2)]
    run = report("DocVQAEvaluator", {"ANLS Acc": 100 * (0 + 5 / 6) / 2}, predictions, n=2)
    assert run.outcomes.correct.tolist() == [[1, 0], [1, 1]]
    assert run.outcomes.scores.tolist() == [[1, 0], [1, pytest.approx(5 / 6)]]
    assert (run.threshold, run.strict, run.verified) == (0.5, False, True)
    assert reconcile(run)[0].reason == LAST_SAMPLE


def test_refcoco_counts_boxes_that_overlap_by_half():
    gold = json.dumps(WHERE)
    predictions = [
        (0, "[250, 250, 500, 500]", gold),
        (1, "[250, 250, 490, 500]", gold),
        (2, "no box", gold),
    ]
    run = report("BBoxIoUEvaluator", {"Accuracy@0.5": 100 / 3}, predictions)
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 0]
    assert run.outcomes.scores.ravel().tolist() == pytest.approx([0.5, 0.48, 0])
    assert (run.threshold, run.strict, run.verified) == (0.5, False, True)
    (line,) = reconcile(run)
    assert line.agrees


def test_mgsm_takes_the_last_number_after_the_answer_s_word():
    assert number_after_prefix("3, then Antwort 4. Antwort: es sind -1,137.0", "de") == "1137.0"
    assert number_after_prefix("3, then Antwort 4.", "en") == ""
    cut = {"pred_postprocessor": {"type": "x.mgsm_postprocess", "lang": "de"}}
    said = [(0, "Antwort: 7.", "7"), (1, "Answer: 7", "7"), (2, "Antwort: 8", "7")]
    run = report("MGSM_Evaluator", {"accuracy": 100 / 3}, said, **cut)
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 0]
    assert run.verified is True


def test_longbench_gives_partial_credit():
    """Worked out by hand: F1 of words 2/3 and 1; one of two numbers; one of two classes."""
    f1 = [(0, "The river Nile.", ["Nile", "the Amazon"]), (1, "amazon", ["Amazon"])]
    run = report("LongBenchF1Evaluator", {"score": 100 * (2 / 3 + 1) / 2}, f1)
    assert run.outcomes.scores.ravel().tolist() == pytest.approx([2 / 3, 1])
    assert (run.threshold, run.strict, run.verified) == (0.5, True, True)
    counted = [(0, "5 or 7", ["7"]), (1, "none", ["7"]), (2, "7", ["7"])]
    run = report("LongBenchCountEvaluator", {"score": 50.0}, counted)
    assert run.outcomes.scores.ravel().tolist() == [0.5, 0, 1]
    assert run.outcomes.correct.ravel().tolist() == [0, 0, 1]
    found = [(0, "Paragraph 12", ["Paragraph 12"]), (1, "12 or 3", ["Paragraph 3"])]
    run = report("LongBenchRetrievalEvaluator", {"score": 75.0}, found)
    assert run.outcomes.scores.ravel().tolist() == [1, 0.5]
    classes = ["Date", "Date of birth", "City"]
    gold = {"answers": ["Date of birth"], "all_classes": classes}
    named = [(0, "Date of birth", gold), (1, "City", gold), (2, "Date of birth, City", gold)]
    run = report("LongBenchClassificationEvaluator", {"score": 50.0}, named)
    assert run.outcomes.scores.ravel().tolist() == [1, 0, 0.5]
    assert run.verified is True


def test_mmstar_takes_the_option_in_the_box():
    gold = {"choices": "{}", "answer": "B", "category": "math"}
    said = [
        (0, "so <|begin_of_box|>B<|end_of_box|>", gold),
        (1, "B", gold),
        (2, "<|begin_of_box|>A<|end_of_box|>", gold),
        (3, "<|begin_of_box|>B<|end_of_box|><|im_end|>", gold),
    ]
    run = report("MMStarEvaluator", {"Overall": 50.0, "math": 50.0}, said)
    assert run.outcomes.correct.ravel().tolist() == [1, 0, 0, 1]
    assert run.verified is True


CHOICES = json.dumps({"A": "red", "B": "dark blue", "C": "green"})


def mmmu(predictions, **given):
    golds = {"choices": CHOICES, "answer": "B", "split": "dev", "category": "Art"} | given
    said = [(q, text, golds) for q, text in enumerate(predictions)]
    right = 100 * sum("right" in text for text in predictions) / len(predictions)
    return report("MMMUEvaluator", {"[dev]: Overall": right, "[dev]: Art": right}, said)


@pytest.mark.parametrize(
    ("predictions", "given"),
    [
        (
            ["right? ANSWER: B", "wrong, ANSWER: A", "wrong. ANSWER: A or B"],
            {"type": "multiple-choice"},
        ),
        (["right. Hence B", "wrong: NO B, so C"], {"type": "multiple-choice"}),
        (["I say right.\nANSWER: Dark Blue", "wrong"], {"type": "open", "answer": "dark blue"}),
        (["(B) is right", "wrong: A or B", "right, DARK BLUE"], {"answer": "B"}),
        (["right <|begin_of_box|>B<|end_of_box|>", "B, wrong"], {"choices": "{}"}),
    ],
)
def test_mmmu_is_judged_by_the_rule_of_the_release_that_gives_its_numbers(predictions, given):
    run = mmmu(predictions, **given)
    assert run.outcomes.correct.ravel().tolist() == ["right" in text for text in predictions]
    assert run.verified is True


def test_mmmu_is_not_judged_where_no_rule_or_several_give_its_numbers():
    """Of the second pair the one is right by its letters, the other by what follows "ANSWER:"."""
    for predictions, said in (
        (["right B.", "right B? I say A."], "where the report states 100.00%"),
        (["It is B. ANSWER: right", "So A or C: wrong. ANSWER: B"], "call different samples right"),
    ):
        run = mmmu(predictions, type="multiple-choice")
        assert run.outcomes is None
        assert said in str(run.notes[0].what)


def test_a_hostile_answer_is_judged_at_once():
    begin = time.process_time()
    for text in ("ANSWER:" + " " * 200_000 + "(", "ANSWER: " * 25_000, "ANSWER:" + "\n " * 99_999):
        stated_option(text + "\u9009", 4)
    assert time.process_time() - begin < 1


def test_triviaqa_drop_and_gpqa_are_judged():
    run = report(
        "TriviaQAEvaluator",
        {"score": 50.0},
        [(0, "It was the great Nile.", ["Nile", "the Nile"]), (1, "Rhine", ["Nile"])],
    )
    assert (run.outcomes.correct.ravel().tolist(), run.verified) == ([1, 0], True)
    run = report(
        "DropOpenAIEvaluator",
        {"accuracy": 50.0},
        [(0, "Answer: 12", "12 yards|twelve"), (1, "Answer: 3", "12")],
    )
    assert (run.outcomes.correct.ravel().tolist(), run.verified) == ([1, 0], True)
    run = report(
        "GPQAEvaluator",
        {"accuracy": 50.0},
        [(0, "Answer: B", "B"), (1, "unsure", "C")],
        pred_postprocessor={"type": "x.GPQA_Simple_Eval_postprocess"},
    )
    assert (run.outcomes.correct.ravel().tolist(), run.verified) == ([1, 0], True)
    assert run.answers.ravel().tolist() == [0, -1]


def test_a_dataset_s_own_n_and_k_are_known_without_details():
    """Ids run over questions times n, one request each; the tool states pass@k of mixed samples."""
    right = [[1, 1, 1], [0, 0, 0]]
    lines = [
        {"data_abbr": "quiz", "id": 3 * q + r, "prediction": str(right[q][r]), "gold": "#### 1"}
        for q in range(2)
        for r in range(3)
    ]
    by_replica = [right[q][r] for r in range(3) for q in range(2)]
    hits = sum(by_replica[:3]), sum(by_replica[3:])
    pass_at_2 = [1 - (3 - c) * (2 - c) / 6 for c in hits]
    stated = {
        "accuracy (3 runs average)": 50.0,
        "avg@3": 50.0,
        "pass@2": 50 * sum(pass_at_2),
        "cons@2": 50.0 * sum(c > 1 for c in hits),
    }
    config = """
models = [dict(abbr='alpha', generation_kwargs=dict())]
datasets = [dict(abbr='quiz', n=3, k=2, eval_cfg=dict(evaluator=dict(type='x.Gsm8kEvaluator')))]
"""
    files = {
        "run/configs/20261120_080955_1.py": config,
        "run/results/alpha/quiz.json": json.dumps(stated),
        "run/predictions/alpha/quiz.jsonl": "\n".join(map(json.dumps, lines)),
    }
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.outcomes.correct.tolist() == right
    assert run.verified is True
    lines = {line.metric: line for line in reconcile(run)}
    assert (lines["pass@2"].recomputed, lines["pass@2"].reason) == (0.5, SCRAMBLED)
