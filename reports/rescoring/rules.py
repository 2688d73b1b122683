"""Which rules an evaluator may use: those its configuration names, or else all known ones.

A name stands for what its latest versions do; where versions differ, the rules of each are given,
and the report's own numbers tell which one it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from metrics.data.words import Text
from reports.rescoring import answers, letters, maths, numbers
from reports.rescoring.known_rules import (
    ANLS,
    LONGEST,
    OF_CHOICES,
    OF_ONE_KIND,
    TRIVIA,
    VQA,
    Extract,
    likeliest_option,
    overlap,
    retrieval,
    rule_by_pattern,
    rule_by_texts,
)
from reports.rescoring.patterns import has_one_group
from reports.rescoring.rule import Evaluation, Rule, Step


class Version(NamedTuple):
    """A rule as it was for some time."""

    extract: Extract  # From a text to the answer in it.
    name: Text  # What it takes, and since or until when.


VERSIONS: Mapping[str, tuple[Version, ...]] = {
    "GPQA_Simple_Eval_postprocess": (
        Version(
            letters.last_stated_letter,
            Text("the last letter after “Answer:”, as AISBench does since 6 August 2026"),
        ),
        Version(
            letters.first_stated_letter,
            Text("the first letter after “Answer:”, as AISBench did before 6 August 2026"),
        ),
    ),
}
"""By the postprocessor that configurations name, the latest version first."""


_NUMBERS: Mapping[str, Extract] = {
    "gsm8k_postprocess": numbers.last_number,
    "gsm8k_dataset_postprocess": numbers.after_hashes,
    "mgsm_postprocess": numbers.number_after_prefix,
}
_LETTERS: Mapping[str, Extract] = {
    "first_option_postprocess": letters.first_option,
    "first_option_postprocess_v1": letters.first_option_of_end,
    "last_option_postprocess": letters.last_option,
    "first_capital_postprocess": letters.first_capital,
    "last_capital_postprocess": letters.last_capital,
    "first_capital_postprocess_multi": letters.first_capitals,
    "multiple_select_postprocess": letters.capitals,
    "bbh_mcq_postprocess": letters.bbh_letter,
}
_TEXTS: Mapping[str, Extract] = {
    "bbh_freeform_postprocess": answers.freeform,
    "general_postprocess": answers.general,
}
_EXTRACTS = {**_NUMBERS, **_LETTERS, **_TEXTS}
"""Functions from a text to the answer in it, as configurations name them."""

_VERSIONS: Mapping[str, tuple[Extract, ...]] = {
    name: tuple(version.extract for version in versions) for name, versions in VERSIONS.items()
}
"""Those that changed from release to release, the latest first."""

_BY_VALUE = {"MATHEvaluator", "MATHVerifyEvaluator"}
_EQUALITY = {
    "AccEvaluator",
    "GPQAEvaluator",
    "BBHEvaluator_mcq",
    "AGIEvalEvaluator",
    "AGIEvalEvaluator_mcq",
    "MMLUProBaseEvaluator",
    "VocalSoundEvaluator",
    "MGSM_Evaluator",
}
_OF_ALL_AT_ONCE = {
    "RougeEvaluator",
    "JiebaRougeEvaluator",
    "LongBenchRougeEvaluator",
    "LongBenchCodeSimEvaluator",
    "BleuEvaluator",
    "BleuFloresEvaluator",
    "OCRBenchV2Evaluator",
}
"""Evaluators whose files hold nothing of a sample, and whose rules draw lots, need a dictionary of
Chinese words or are dozens."""


def rules_of(evaluation: Evaluation) -> tuple[Rule, ...]:
    """Return the rules that an evaluation may follow, the likeliest first.

    Returns: Empty where its evaluator, or what it does before, is not known.

    Examples
    --------
    >>> [str(rule.name) for rule in rules_of(Evaluation(Step("TEXTEvaluator")))]
    ['VQA accuracy']
    """
    name = evaluation.evaluator.name if evaluation.evaluator else ""
    given = evaluation.evaluator.options if evaluation.evaluator else {}
    if name in _EQUALITY:
        return _by_equality(evaluation)
    if name == "Gsm8kEvaluator":
        return _by_numbers(evaluation)
    if name == "BBHEvaluator":
        return tuple(
            rule_by_texts(_SAME, extract, _as_is)
            for extract in (answers.freeform, answers.freeform_of_reasoning)
        )
    if name in _BY_VALUE:
        return _by_value()
    if name == "OptionSimAccEvaluator":
        return (likeliest_option("".join(map(str, given.get("options", "ABCD")))),)
    if name == "BBoxIoUEvaluator":
        return (overlap(given),)
    if name == "LongBenchRetrievalEvaluator":
        return (retrieval(str(given.get("language", "en"))),)
    if name == "LongBenchF1Evaluator" and given.get("language", "en") != "en":
        return ()
    rule = OF_ONE_KIND.get(name)
    return (rule,) if rule else OF_CHOICES.get(name, ())


def rules_of_replies(evaluator: str | None, reference: Any) -> tuple[Rule, ...]:
    """Return the rules that an evaluator may follow which keeps whole replies as its answers.

    evaluator: Without it the form of a reference tells.
    """
    if evaluator is None and isinstance(reference, Mapping):
        return tuple(chain.from_iterable(OF_CHOICES.values()))
    keeps = evaluator in OF_CHOICES or evaluator == "DropOpenAIEvaluator"
    return rules_of(Evaluation(Step(evaluator))) if evaluator and keeps else ()


def judges_by_equality(evaluator: str | None) -> bool:
    """Return whether an evaluator calls an answer right if it equals the reference."""
    return evaluator in _EQUALITY


def lacks_library(evaluator: str | None) -> bool:
    """Return whether an evaluator compares mathematical values, and math-verify is missing."""
    return evaluator in _BY_VALUE and not maths.available


def keeps_nothing(evaluation: Evaluation) -> bool:
    """Return whether an evaluator keeps nothing of a sample, nor can its scores be had again."""
    name = evaluation.evaluator.name if evaluation.evaluator else ""
    return name in _OF_ALL_AT_ONCE or (name in OF_ONE_KIND and not rules_of(evaluation))


def rules_to_try(gold: Any) -> tuple[tuple[Rule, ...], ...]:
    """Return rules for a reference of this kind, where nothing names the evaluator.

    In groups: those of a later one are slower, and worth trying if none of an earlier one fits.
    Only rules for which the form of the reference speaks, or of which others find more right: of
    letters there are many, which find others right and yet as many.
    """
    if isinstance(gold, list):
        annotated = any(isinstance(each, Mapping) for each in gold)
        return ((VQA,) if annotated else (ANLS, TRIVIA),)
    if not isinstance(gold, str):
        return ()
    if gold.startswith("{"):
        return ((overlap({}),),)
    same = rule_by_texts(_SAME, _as_is, _as_is)
    if len(gold) == 1 and gold.isupper():
        return ((same,),)
    return ((*_by_numbers(Evaluation()), same), _by_value())


def prepared(evaluation: Evaluation | None) -> Callable[[str], str]:
    """Return what happens to a prediction before anything else: its reasoning may be cut off.

    Without a configuration it is, if it has an end.
    """
    if evaluation is None:
        return lambda text: _end(answers.without_reasoning(text) if "</think>" in text else text)
    model = evaluation.model
    if model and model.name == "extract_non_reasoning_content":
        start = str(model.options.get("think_start_token", "<think>"))
        end = str(model.options.get("think_end_token", "</think>"))
        return lambda text: _end(answers.without_reasoning(text, start, end))
    return _end


def _end(text: str) -> str:
    return text[-LONGEST:]


def _by_equality(evaluation: Evaluation) -> tuple[Rule, ...]:
    step, reference = evaluation.prediction, _extract(evaluation.reference)
    if reference is None:
        return ()
    match step:
        case Step("match_answer_pattern", {"answer_pattern": str(pattern)}):
            return (rule_by_pattern(pattern, reference),) if has_one_group(pattern) else ()
        case Step(name) if name in _VERSIONS:
            return tuple(rule_by_texts(_LETTER, extract, reference) for extract in _VERSIONS[name])
    extract = _extract(step)
    return () if extract is None else (rule_by_texts(_found_by(step), extract, reference),)


def _by_numbers(evaluation: Evaluation) -> tuple[Rule, ...]:
    reference = _extract(evaluation.reference) if evaluation.reference else numbers.after_hashes
    if reference is None:
        return ()
    return tuple(
        rule_by_texts(
            Text("the last number"), extract, reference, numbers.equal_numbers, numbers.NONE
        )
        for extract in (numbers.last_number, numbers.last_number_as_written)
    )


def _by_value() -> tuple[Rule, ...]:
    if not maths.available:
        return ()
    name = Text("the value of the formula (math-verify)")
    return tuple(Rule(name, partial(maths.mark_by_value, delimit=yes)) for yes in (False, True))


def _found_by(step: Step | None) -> Text:
    """Return what a known function of `_extract` finds."""
    name = "" if step is None else step.name
    if name in _NUMBERS:
        return Text("the number given as the answer")
    return _LETTER if name in _LETTERS else _SAME


def _extract(step: Step | None) -> Extract | None:
    """Return a function that a configuration names, with its options; None if it is not known."""
    if step is None:
        return _as_is
    known = _EXTRACTS.get(step.name)
    if step.name == "mgsm_postprocess" and step.options.get("lang") in numbers.LANGUAGES:
        return partial(numbers.number_after_prefix, lang=step.options["lang"])
    if known is None or "option" not in step.name:
        return known
    allowed = step.options.get("options")
    return partial(known, options=allowed) if isinstance(allowed, str) and allowed else None


def _as_is(text: str) -> str:
    return text


_LETTER = Text("the letter of the option")
_SAME = Text("equal texts")
