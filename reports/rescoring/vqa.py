"""VQA accuracy, which grows with the number of the ten annotators who gave the same answer.

The processing is that of the VQA evaluation [1]_ in the form AISBench gives it for TextVQA,
oddities included, because the aim is the number the evaluator computed.

References
----------
.. [1] S. Antol et al., "VQA: Visual Question Answering", ICCV 2015, and its evaluation code,
   https://visualqa.org/evaluation.html
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

THRESHOLD = 0.5
"""An answer is right where its accuracy exceeds this."""

_SPECIAL = ("☞", "☟", "☜", "<unk>", "<|im_end|>", "<|end_of_box|>", "<|begin_of_box|>")
_PUNCTUATION = ';/[]"{}()=+\\_-><@`,?!'
_COMMA_IN_NUMBER = re.compile(r"\d,\d")
_PERIOD = re.compile(r"\.(?!\d)")
_PERIODS = 32
"""The evaluation passes `re.UNICODE`, which is 32, where `re.sub` takes a count."""
_ARTICLES = {"a", "an", "the"}
_COUNTING = "zero one two three four five six seven eight nine ten"
_NUMBERS = {word: str(n) for n, word in enumerate(_COUNTING.split())} | {"none": "0"}
_CONTRACTIONS = """
ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've hasn't
haven't he'd he'd've he's how'd how'll how's isn't it'd it'd've it'll ma'am might've mightn't
mightn't've must've mustn't needn't not've o'clock oughtn't 'ow's'at shan't she'd've should've
shouldn't shouldn't've somebody'd've somebody'll somebody's someone'd someone'd've someone'll
someone's something'd something'd've something'll that's there'd there'd've there're there's they'd
they'd've they'll they're they've 'twas wasn't we'd've we've weren't what're what's what've what'll
when's where'd where's where've who'd who'd've who'll who's who've why'll why're why's won't
would've wouldn't wouldn't've y'all y'all'll y'all'd've you'd you'd've you'll you're you've
"""
_APOSTROPHES = {
    word[:i] + word[i + 1 :]: word
    for word in _CONTRACTIONS.split()
    for i, letter in enumerate(word)
    if letter == "'"
} | {"somebody'd": "somebodyd"}


def vqa_accuracies(
    answers: Sequence[str], references: Sequence[Mapping[str, object]]
) -> list[float]:
    """Score answers to one question against its references.

    answers: What the model said, as it said it.
    references: One for each annotator, with what they said under ``"answer"``.
    Returns: For each answer the mean over annotators of min(1, matches among the *other* annotators
    / 3), in [0, 1].

    Examples
    --------
    >>> references = [{"answer": "exit", "answer_id": i} for i in range(2)]
    >>> references += [{"answer": "door", "answer_id": i} for i in range(2, 10)]
    >>> vqa_accuracies(["An exit.", "the Door", "no idea"], references)
    [0.6, 1.0, 0.0]
    """
    gold_answers = [str(reference.get("answer", "")) for reference in references]
    if len(set(gold_answers)) > 1:
        gold_answers = [strip_punctuation(text) for text in gold_answers]
    annotators = [
        (text, json.dumps({**reference, "answer": text}, sort_keys=True))
        for text, reference in zip(gold_answers, references, strict=True)
    ]
    scores = {answer: _accuracy(normalise(answer), annotators) for answer in set(answers)}
    return [scores[answer] for answer in answers]


def normalise(answer: str) -> str:
    r"""Reduce an answer to what is compared: no punctuation, articles or spelled numbers.

    Examples
    --------
    >>> normalise("Two, the cats!"), normalise("dont\tknow"), normalise("1,000 m")
    ('2 cats', "don't know", '1000 m')
    """
    text = answer.replace("\n", " ").replace("\t", " ").strip()
    for token in _SPECIAL:
        text = text.replace(token, "")
    words = (_NUMBERS.get(word, word) for word in strip_punctuation(text).lower().split())
    return " ".join(_APOSTROPHES.get(word, word) for word in words if word not in _ARTICLES)


def strip_punctuation(text: str) -> str:
    """Delete punctuation beside a space, or anywhere if a number holds a comma; else blank it."""
    number = _COMMA_IN_NUMBER.search(text) is not None
    stripped = text
    for mark in _PUNCTUATION:
        if mark in text:
            delete = number or f"{mark} " in text or f" {mark}" in text
            stripped = stripped.replace(mark, "" if delete else " ")
    return _PERIOD.sub("", stripped, count=_PERIODS)


def _accuracy(answer: str, annotators: Sequence[tuple[str, str]]) -> float:
    matching = Counter(identity for text, identity in annotators if text == answer)
    matches = matching.total()
    credits = [min(1, (matches - matching[identity]) / 3) for _, identity in annotators]
    return sum(credits) / len(credits) if credits else 0.0
