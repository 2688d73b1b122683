"""Find the rule that gives a tool's score of each question, if no sample verdicts are kept.

A tool that keeps how many answers to each question are right, or whether the first is, says little
of one question and much of all: of the rules that are known, one that gives all these numbers is
taken for the tool's own. Where two rules give them and call different samples right, neither is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from metrics.data.words import Text
from reports.rescoring import numbers
from reports.rescoring.known_rules import rule_by_texts
from reports.rescoring.maths import thread_time
from reports.rescoring.rule import NOT_JUDGED, Evaluation, Mark, Prediction, Rule, Step
from reports.rescoring.rules import prepared, rules_of

SECONDS = 120
"""CPU time for judging one run."""

_LETTERS = (
    "first_option_postprocess",
    "first_capital_postprocess",
    "last_capital_postprocess",
    "GPQA_Simple_Eval_postprocess",
)

Verdicts = Sequence[bool | None]
"""Of the samples of one question; None where nothing came back or could be compared."""


class AskedQuestion(NamedTuple):
    """One question: its reference, and what was said each time, None where nothing came back."""

    gold: str
    predictions: Sequence[str | None]


class JudgedSamples(NamedTuple):
    """What a rule makes of each question's samples."""

    rule: Rule
    marks: Sequence[Sequence[Mark | None]]

    def verdicts(self) -> list[Verdicts]:
        """Return which samples are right."""
        return [
            [
                None if mark is None or mark is NOT_JUDGED else self.rule.is_right(mark)
                for mark in marks
            ]
            for marks in self.marks
        ]


def rules_for(gold: str) -> Iterable[Iterable[Rule]]:
    """Return the rules that may find an answer like this reference, in groups, the slow ones last.

    Examples
    --------
    >>> [[str(rule.name) for rule in group] for group in rules_for("7")][0]
    ['equal texts', 'the last number']
    """
    number = rule_by_texts(
        Text("the last number"),
        numbers.last_number,
        str.strip,
        numbers.equal_numbers,
        numbers.NONE,
    )
    yield rule_by_texts(Text("equal texts"), str.strip, str.strip), number
    if len(gold) == 1 and gold.isupper():
        for name in _LETTERS:
            options = {"options": "ABCDEFGHIJ"} if "option" in name else {}
            yield from [rules_of(Evaluation(Step("AccEvaluator"), Step(name, options)))]
    yield rules_of(Evaluation(Step("MATHVerifyEvaluator")))


def judged(
    asked: Sequence[AskedQuestion],
    groups: Iterable[Iterable[Rule]],
    fits: Callable[[Sequence[Verdicts]], bool],
) -> JudgedSamples | None:
    """Judge every sample by the rule that gives what is known.

    groups: Those of a later group are tried if none of an earlier one fits.
    fits: Whether verdicts give what is known of each question.
    Returns: None where no rule fits, rules that fit differ, or it takes too long.

    Examples
    --------
    >>> asked = [AskedQuestion("7", ("so 7", "so 8")), AskedQuestion("9", ("10 or 9", "9"))]
    >>> found = judged(asked, rules_for("7"), lambda all: [sum(v) for v in all] == [1, 2])
    >>> str(found.rule.name), found.verdicts()
    ('the last number', [[True, False], [True, True]])
    """
    limit = thread_time() + SECONDS
    for rules in groups:
        fitting: list[JudgedSamples] = []
        for rule in rules:
            marks = _marked(rule, asked, limit)
            if thread_time() > limit:
                return None
            if marks is not None and fits((each := JudgedSamples(rule, marks)).verdicts()):
                fitting.append(each)
        if fitting:
            all_agree = all(each.verdicts() == fitting[0].verdicts() for each in fitting)
            return fitting[0] if all_agree else None
    return None


def _marked(
    rule: Rule, asked: Sequence[AskedQuestion], limit: float
) -> list[list[Mark | None]] | None:
    """Mark all samples; None if a reference is of no use to the rule, or that takes too long."""
    prepare = prepared(None)
    marks_of_rows: list[list[Mark | None]] = []
    for question in asked:
        answered = [place for place, text in enumerate(question.predictions) if text is not None]
        samples = (
            Prediction(prepare(question.predictions[place] or ""), question.gold)
            for place in answered
        )
        marks: list[Mark | None] = [None] * len(question.predictions)
        for place, mark in zip(answered, rule.mark(samples), strict=True):
            if mark is None or thread_time() > limit:
                return None
            marks[place] = mark
        marks_of_rows.append(marks)
    return marks_of_rows
