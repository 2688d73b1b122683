"""Which rule judges the predictions of a report without verdicts, and when none does."""

import random

from reports.rescoring import known_rules, maths
from reports.rescoring.rule import Evaluation, Prediction, Step
from reports.rescoring.rules import rules_of, rules_to_try
from tests.reports.evaluations.small_reports import report


def marks(evaluation, *samples):
    (rule, *_) = rules_of(evaluation)
    return list(rule.mark(samples))


def test_an_evaluator_without_a_known_rule_has_none():
    assert rules_of(Evaluation()) == ()
    assert rules_of(Evaluation(Step("RougeEvaluator"))) == ()
    assert rules_of(Evaluation(Step("AccEvaluator"), Step("my_own_postprocess"))) == ()
    assert rules_of(Evaluation(Step("AccEvaluator"), Step("first_option_postprocess"))) == ()
    assert rules_to_try(None) == ()


def test_a_reference_that_is_none_gives_no_mark():
    choice = Evaluation(Step("AccEvaluator"), Step("last_option_postprocess", {"options": "AB"}))
    assert marks(choice, Prediction("B", None), Prediction("", "A"), Prediction("so A", "A")) == [
        None,
        (0, None),
        (1, "A"),
    ]
    for evaluator in ("TEXTEvaluator", "DocVQAEvaluator", "TriviaQAEvaluator"):
        assert (
            marks(Evaluation(Step(evaluator)), Prediction("B", None), Prediction("B", []))
            == [None] * 2
        )
    assert marks(Evaluation(Step("BBoxIoUEvaluator")), Prediction("[0, 0, 1, 1]", "{")) == [None]
    assert marks(Evaluation(Step("DropOpenAIEvaluator")), Prediction("B", 3)) == [None]


def test_chinese_words_need_a_dictionary_that_kofn_has_not():
    assert rules_of(Evaluation(Step("LongBenchF1Evaluator", {"language": "zh"}))) == ()
    chinese = Evaluation(Step("LongBenchRetrievalEvaluator", {"language": "zh"}))
    assert marks(chinese, Prediction("段落3", ["段落3"]), Prediction("3", ["3"])) == [
        (1, None),
        None,
    ]


def test_a_known_rule_that_does_not_give_the_stated_number_is_not_the_rule():
    run = report("Gsm8kEvaluator", {"accuracy": 50.0}, [(0, "7", "#### 7"), (1, "8", "#### 8")])
    assert run.outcomes is None
    assert run.verified is None
    (note,) = run.notes
    assert note.severity == "problem"
    assert "by the last number, give 100.00% where the report states 50.00%" in str(note.what)


def test_an_unknown_rule_must_give_every_stated_number():
    random.seed(1)
    said = [(q, str(random.randrange(3)), f"#### {q % 3}") for q in range(12)]
    right = sum(text == gold[-1] for _, text, gold in said)
    assert report("MyEvaluator", {"accuracy": 100 * right / 12}, said).verified is True
    assert report("MyEvaluator", {"accuracy": 41.0}, said).outcomes is None
    assert report("MyEvaluator", {"rouge1": 41.0}, said).outcomes is None


def test_nothing_is_concluded_from_a_number_that_many_rules_give():
    assert report("MyEvaluator", {"accuracy": 0.0}, [(0, "x", "#### 7")]).outcomes is None


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(maths, "available", False)
    run = report("MATHEvaluator", {"accuracy": 100.0}, [(0, "\\boxed{7}", "7")])
    assert run.outcomes is None
    assert any("--extra math" in str(note.what) for note in run.notes)


def test_a_file_that_takes_too_long_is_given_up(monkeypatch):
    from reports.evaluations.verdicts import rescored

    monkeypatch.setattr(rescored, "SECONDS", -1)
    run = report("Gsm8kEvaluator", {"accuracy": 100.0}, [(0, "7", "#### 7")])
    assert run.outcomes is None
    assert any("takes more than" in str(note.what) for note in run.notes)


def test_texts_of_any_length_are_judged_by_their_end():
    said = "x" * known_rules.LONGEST + " so 7"
    run = report("Gsm8kEvaluator", {"accuracy": 100.0}, [(0, said, "#### 7")])
    assert run.outcomes.correct.tolist() == [[1]]
