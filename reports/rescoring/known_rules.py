"""The known rules: how each judges a sample by its reference."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from metrics.data.words import Text
from reports.rescoring import anls, answers, boxes, choices, longbench, options, vqa
from reports.rescoring.patterns import found
from reports.rescoring.rule import Mark, Prediction, Rule, each

LONGEST = 200_000
"""Letters of a prediction that is judged; of a longer one its end."""
MOST_OPTIONS = 100
"""Of a question."""
HALF = 0.5
"""What a score must exceed to count as right where its evaluator has no verdicts."""

_BATCH = 1_000

Extract = Callable[..., str | None]


def rule_by_texts(
    name: Text,
    extract: Extract,
    reference: Extract,
    equal: Callable[[str, str], bool] = str.__eq__,
    none: str = "",
) -> Rule:
    """Return a rule that compares the answer found in a text with that found in the reference."""

    def mark(sample: Prediction) -> Mark | None:
        right = reference(sample.gold) if isinstance(sample.gold, str) else None
        return None if right is None else _compared(extract(sample.prediction), right, equal, none)

    return Rule(name, each(mark))


def rule_by_pattern(pattern: str, reference: Extract) -> Rule:
    """Return a rule that compares what the group of a pattern first holds with the reference."""

    def mark(samples: Iterable[Prediction]) -> Iterator[Mark | None]:
        waiting = iter(samples)
        while batch := list(islice(waiting, _BATCH)):
            answers = found(pattern, [sample.prediction for sample in batch], 0)
            for sample, answer in zip(batch, answers, strict=True):
                right = reference(sample.gold) if isinstance(sample.gold, str) else None
                yield None if right is None else _compared(answer, right)

    return Rule(Text("what the evaluation's own pattern finds"), mark)


def _compared(
    answer: str | None,
    right: str,
    equal: Callable[[str, str], bool] = str.__eq__,
    none: str = "",
) -> Mark:
    if answer is None or answer == none:
        return Mark(float(answer == right), None)
    return Mark(float(equal(answer, right)), answer)


def overlap(given: Mapping[str, Any]) -> Rule:
    """Return a rule that measures how boxes overlap, with the options of the evaluator."""

    def mark(sample: Prediction) -> Mark | None:
        try:
            where = json.loads(sample.gold) if isinstance(sample.gold, str) else sample.gold
            shared = boxes.overlap(sample.prediction, where, scale, clip)
        except (TypeError, ValueError, KeyError, IndexError, RecursionError):
            return None
        return Mark(shared if 0 <= shared <= 1 else 0.0, None)

    scale = _positive(given.get("coord_scale"), boxes.SCALE)
    clip = given.get("clip_to_image") is not False
    threshold = _positive(given.get("iou_threshold"), boxes.THRESHOLD)
    return Rule(Text("the overlap of boxes (IoU)"), each(mark), threshold)


def _positive(value: Any, default: float) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else default


def likeliest_option(allowed: str) -> Rule:
    """Return a rule that finds which of the allowed options an answer is most like."""

    def mark(sample: Prediction) -> Mark | None:
        if not isinstance(sample.gold, str):
            return None
        asked = options.options_of(sample.prompt, allowed)
        answer = options.likeliest_option(sample.prediction, asked, allowed)
        return Mark(float(answer == sample.gold), answer or None)

    return Rule(Text("the option an answer names or is most like"), each(mark))


def _vqa(sample: Prediction) -> Mark | None:
    gold = sample.gold
    if not isinstance(gold, list) or not gold or not all(isinstance(one, Mapping) for one in gold):
        return None
    (credit,) = vqa.vqa_accuracies([sample.prediction], gold)
    return Mark(credit, vqa.normalise(sample.prediction) or None)


def _anls(sample: Prediction) -> Mark | None:
    right = _references(sample.gold)
    return Mark(anls.anls(sample.prediction, right), sample.prediction.strip()) if right else None


def _trivia(sample: Prediction) -> Mark | None:
    right, answer = _references(sample.gold), answers.trivia(sample.prediction)
    return Mark(float(answers.contains_any(answer, right)), answer or None) if right else None


def _drop(sample: Prediction) -> Mark | None:
    if not isinstance(sample.gold, str):
        return None
    answer = answers.drop_answer(sample.prediction)
    return Mark(float(answers.overlaps_any(answer, sample.gold)), answer.strip() or None)


def _shared_words(sample: Prediction) -> Mark | None:
    right = _references(sample.gold)
    credit = longbench.shared_words(sample.prediction, right)
    return Mark(credit, answers.plain(sample.prediction) or None) if right else None


def _count(sample: Prediction) -> Mark | None:
    match sample.gold:
        case [str(number)] | str(number):
            return Mark(longbench.share_of_numbers(sample.prediction, number), None)
    return None


def retrieval(language: str) -> Rule:
    """Return a rule for the number of the paragraph that is asked for, in a language."""

    def mark(sample: Prediction) -> Mark | None:
        match sample.gold:
            case [str(reference)] if number := longbench.paragraph(reference, language):
                return Mark(longbench.share_of_numbers(sample.prediction, number), None)
        return None

    return Rule(_SHARE_OF_NUMBERS, each(mark), HALF, strict=True)


def _classification(sample: Prediction) -> Mark | None:
    match sample.gold:
        case {"answers": [str(reference)], "all_classes": [*classes]}:
            names = list(map(str, classes))
            return Mark(longbench.share_of_classes(sample.prediction, reference, names), None)
    return None


def _of_choices(
    find: Callable[[str, Mapping[str, Any], Mapping[str, str]], str | None], end: str = ""
) -> Callable[[Prediction], Mark | None]:
    """Return what marks by an answer found with a reference and its options; `end` is cut out."""

    def mark(sample: Prediction) -> Mark | None:
        match sample.gold:
            case {"answer": str(right)} as gold if right:
                text = sample.prediction.replace(end, "") if end else sample.prediction
                answer = find(text, gold, _options(gold.get("choices")))
                if answer is not None:
                    found = answer if answer not in ("", choices.REFUSED) else None
                    return Mark(float(answer == right), found)
        return None

    return mark


def _stated_answer(answer: str, gold: Mapping[str, Any], options: Mapping[str, str]) -> str | None:
    match gold.get("type"):
        case "multiple-choice":
            return choices.stated_option(answer, len(options))
        case str():
            stated, right = choices.stated_text(answer), gold["answer"].strip()
            return gold["answer"] if stated.lower() == right.lower() else stated
    return None


def _inferred(answer: str, _: Mapping[str, Any], options: Mapping[str, str]) -> str | None:
    return choices.inferred_option(answer, options) if options else None


def _options(options: Any) -> dict[str, str]:
    """Return the texts of options by letter, from an object or the JSON of one."""
    try:
        found = (
            json.loads(options) if isinstance(options, str) and len(options) < LONGEST else options
        )
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, Mapping) or len(found) > MOST_OPTIONS:
        return {}
    return {letter: str(text) for letter, text in found.items()}


def _references(gold: Any) -> Sequence[str]:
    """Return several references that are a list, or the text of one."""
    if isinstance(gold, str) and gold.startswith("[") and len(gold) < LONGEST:
        try:
            gold = ast.literal_eval(gold)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return [gold]
    if isinstance(gold, str):
        return [gold]
    return [str(one) for one in gold] if isinstance(gold, list) else []


VQA = Rule(Text("VQA accuracy"), each(_vqa), vqa.THRESHOLD, strict=True)
ANLS = Rule(Text("the likeness of texts (ANLS)"), each(_anls), anls.THRESHOLD)
TRIVIA = Rule(Text("whether the answer contains a reference"), each(_trivia))
_SHARE_OF_NUMBERS = Text("the share of its numbers that are right, more than one half being right")
_SHARED_WORDS = Text("the words it shares with a reference (F1), more than one half being right")
_CLASSES = Text("the classes it names, more than one half of them being right")
_END = "<|im_end|>"
_IN_BOX = Rule(
    Text("the option between the marks of a box"),
    each(_of_choices(lambda answer, *_: choices.boxed_text(answer), _END)),
)
_BY_OPTIONS = Text("the option that is named by its letter or text")
DROP = Rule(Text("whether answer or reference contains the other"), each(_drop))
OF_ONE_KIND: Mapping[str, Rule] = {
    "TEXTEvaluator": VQA,
    "DocVQAEvaluator": ANLS,
    "InfoVQAEvaluator": ANLS,
    "TriviaQAEvaluator": TRIVIA,
    "DropOpenAIEvaluator": DROP,
    "LongBenchF1Evaluator": Rule(_SHARED_WORDS, each(_shared_words), HALF, strict=True),
    "LongBenchCountEvaluator": Rule(_SHARE_OF_NUMBERS, each(_count), HALF, strict=True),
    "LongBenchClassificationEvaluator": Rule(_CLASSES, each(_classification), HALF, strict=True),
}
"""Rules of evaluators that know but one."""
OF_CHOICES: Mapping[str, tuple[Rule, ...]] = {
    "MMMUEvaluator": (
        Rule(Text('the answer stated after "ANSWER:"'), each(_of_choices(_stated_answer, _END))),
        Rule(_BY_OPTIONS, each(_of_choices(_inferred, _END))),
        _IN_BOX,
    ),
    "MMStarEvaluator": (Rule(_BY_OPTIONS, each(_of_choices(_inferred))), _IN_BOX),
}
"""Rules of evaluators that find options otherwise from release to release, the latest first."""
