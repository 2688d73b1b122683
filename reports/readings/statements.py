r"""Where a text states its answer: after a phrase, in a box, on a line of its own.

A text is read by several rules, each independent of the tool that judged it. What a text takes back
("Wait"), guesses, negates or attributes to others is no statement; nor is what stands within its
thoughts, or behind a question that it made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

LONGEST = 20_000
"""Letters of a text that are read; of a longer one its end."""
MOST = 200
"""Statements of a text that are read, the last ones."""

SEVERAL = "\0several"
"""The value of a statement that names several answers and does not choose."""


class Value(NamedTuple):
    """An answer as it is compared, and where it ends in the text."""

    value: str
    end: int


Parse = Callable[[str, int], Value | None]
"""Reads the answer that begins at a place of a text, if one does."""


Weak = Callable[[str], list["Statement"]]


class Statement(NamedTuple):
    """An answer that a text states."""

    rule: str  # What found it.
    value: str
    # The place of the phrase and its answer in the text.
    start: int
    end: int


def final(text: str) -> tuple[str, int]:
    r"""Return what of a text can hold its final answer, and where that begins.

    Thoughts are left out, an unfinished one with all behind it, and what follows a mark of the end
    or a question that the model made up.

    Examples
    --------
    >>> final("<think>B?</think>It is A.<|im_end|>user: B")
    ('It is A.', 17)
    >>> final("<think>So A, or")
    ('', 15)
    """
    start = max(0, len(text) - LONGEST)
    for opens, closes in _THOUGHTS:
        if (close := text.rfind(closes)) >= 0:
            start = max(start, close + len(closes))
        if text.find(opens, start) >= 0:
            return "", len(text)
    held = text[start:]
    for mark in _ENDS:
        if (at := held.find(mark)) >= 0:
            held = held[:at]
    first = len(held) - len(held.lstrip())
    for made_up in _MADE_UP.finditer(held):
        if made_up.start() > first and held[first : made_up.start()].strip():
            held = held[: made_up.start()]
            break
    return held, start


def statements(text: str, parse: Parse, weak: Weak | None = None) -> list[Statement]:
    """Return what a text states as its answer, in order; of two that overlap the first.

    text: As `final` leaves it.
    parse: Reads an answer of the kind that is asked for.
    weak: Finds what a text without such a statement says in other words.
    """
    lower = text.lower()
    found = sorted(
        (*_stated_values(text, lower, parse), *_boxes(text, lower, parse)),
        key=lambda each: (each.start, -each.end),
    )
    found_last: list[Statement] = []
    for each in found[-MOST:]:
        if found_last and each.start < found_last[-1].end:
            if each.rule == "box":
                found_last[-1] = found_last[-1]._replace(end=max(each.end, found_last[-1].end))
            continue
        found_last.append(each)
    if not found_last and (line := _last_line(text, parse)):
        found_last = [line]
    if not found_last and weak is not None:
        found_last = weak(text)
    return _left_standing(text, lower, found_last)


def _stated_values(text: str, lower: str, parse: Parse) -> Iterator[Statement]:
    for anchor, phrase in _PHRASES:
        at = lower.find(anchor)
        while at >= 0:
            step = at + len(anchor)
            stated = None if _is_negated(lower, at) else phrase.match(text, at)
            if stated is not None and (value := parse(text, stated.end())):
                yield Statement("stated", value.value, at, value.end)
                step = max(step, value.end)
            at = lower.find(anchor, step)


def _boxes(text: str, lower: str, parse: Parse) -> Iterator[Statement]:
    at = text.find("\\boxed")
    while at >= 0:
        step = at + 6
        if opened := _BOX.match(text, at):
            inner, end = _braced(text, opened.end())
            if inner is not None:
                value = parse(f"${inner}$", 0)
                if value and not _is_negated(lower, at):
                    yield Statement("box", value.value, at, end)
                step = end
        at = text.find("\\boxed", step)


def _braced(text: str, at: int) -> tuple[str | None, int]:
    """Return what stands up to the brace that closes, and where that is."""
    depth = 1
    for brace in _BRACE.finditer(text, at, at + _LONGEST_BOX):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return text[at : brace.start()], brace.end()
    return None, at


def _last_line(text: str, parse: Parse) -> Statement | None:
    """Return the last line, if it is nothing but an answer."""
    held = text.rstrip()
    start = held.rfind("\n") + 1
    line = _LINE.fullmatch(held, start)
    if line is None:
        return None
    value = parse(held, line.start(1))
    if value is None or _REST.fullmatch(held, value.end) is None:
        return None
    if _IN_WORDS.search(held, start, value.end) and not _LETTER_FIRST.match(held, start):
        return None
    if _SAYS.search(held, start):
        return None
    return Statement("line", value.value, start, len(held))


def _left_standing(text: str, lower: str, statements: Sequence[Statement]) -> list[Statement]:
    """Leave out guesses, what others would say, and what is taken back afterwards."""
    standing: list[Statement] = []
    for place, each in enumerate(statements):
        before = lower[max(0, each.start - 60) : each.start]
        stop = max((stop.end() for stop in _STOP.finditer(before)), default=0)
        sentence = before[stop:]
        if _GUESS.search(sentence) or _OTHERS.search(sentence):
            continue
        if _DOUBT.match(lower, each.end) or _REJECTED.search(lower, each.start, each.end + 160):
            continue
        end = statements[place + 1].start if place + 1 < len(statements) else len(text)
        if place + 1 < len(statements) and _CORRECTION.search(lower, each.start, end):
            standing.clear()
            continue
        standing.append(each)
    return standing


def _is_negated(lower: str, start: int) -> bool:
    return _NOT_BEFORE.search(lower[max(0, start - 24) : start]) is not None


_THOUGHTS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("◁think▷", "◁/think▷"))
_ENDS = (
    *("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "</s>", "<|end|>", "<|im_start|>", "[INST]"),
    *("<end_of_turn>", "<EOS_TOKEN>", "<eos>"),
)
_MADE_UP = re.compile(
    r"(?m)^[ \t#*]*(?:question|q|problem|exercise|human|user|问题|题目|问)[ \t]*\d*[ \t*]*[:：]",
    re.IGNORECASE,
)
_LONGEST_BOX = 400
_BOX = re.compile(r"\\boxed\s*\{")
_BRACE = re.compile(r"(?<!\\)[{}]")

_IS = (
    r"(?:is|are|was|be|would be|will be|should be|must be|has to be|comes out (?:as|to be)|=|:|：)"
)
_FILLER = (
    r"(?:\s|\*|_|:|：|=|>|选项|选择|选|就|应该|应当|应|为|是"
    r"|(?:therefore|thus|hence|then|clearly|indeed|simply|definitely|probably|most likely|likely)\b"
    r"|(?:the|following|choices?|options?|letter|number)\b)*+"
)
_ANSWER = re.compile(
    r"answers?+(?:\s++(?:choice|option|letter|here))?(?:\s++(?:to|for|of)\s[^.\n:：]{1,80}?)?"
    rf"[\s*_\"'”’)]*+{_IS}{_FILLER}",
    re.IGNORECASE,
)
_HEADING = re.compile(r"answer[*_ \t]*+\n[\s*_#]*+(?=\S{1,40}\s*$)", re.IGNORECASE)
_PHRASES = (
    ("answer", _ANSWER),
    ("answer", _HEADING),
    ("####", re.compile(r"####\s*")),
    *(
        (
            word,
            re.compile(rf"{word} (?:option|choice|match)[\s*_\"')]*{_IS}{_FILLER}", re.IGNORECASE),
        )
        for word in ("correct", "closest", "nearest", "best", "remaining", "likely", "appropriate")
    ),
    (
        "答案",
        re.compile(rf"答案(?:选项)?[\s*_”\"』」]*(?:应该?|应当|就)?(?:是|为|选|[:：]){_FILLER}"),
    ),
    ("选", re.compile(r"(?<=[故应此以则可题案])选(?:择|项)?\s*[:：]?[\s*_]*(?:选项)?")),
    ("result is", re.compile(rf"result is{_FILLER}", re.IGNORECASE)),
)
"""Words that announce an answer, and how they go on up to it."""

_LINE = re.compile(r"[\s*_#>]*+((?:\$|\\\(|\\\[|\(|（|\*)*\s*\S.{0,60})")
_REST = re.compile(r"[\s*_$)）\]\\.。,，;；!\"'”’]*")
_IN_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}|[\u4e00-\u9fff]")
_LETTER_FIRST = re.compile(r"[\s*_#>$(（]*+[A-Pa-p]\b")
_SAYS = re.compile(r"\b(?:is|are|was|were|not|incorrect|wrong|false|true)\b|不|错")
_STOP = re.compile(r"[.!?。！？\n;；]")
_NOT_BEFORE = re.compile(
    r"(?:\bnot (?:the|a|an)?\s*(?:\w+\s)?|\bno |\bincorrect |\bwrong |不是|并非|错误)$"
)
_GUESS = re.compile(
    r"\b(?:guess|provisional(?:ly)?|perhaps|maybe|could be|might be|at first|first impression|"
    r"initially|tentative(?:ly)?)\b|猜测|初步|暂时|可能|也许|或许"
)
_OTHERS = re.compile(
    r"\b(?:hasty|would (?:write|say|choose|pick|think|conclude|answer|select)|one might|"
    r"some (?:might|may|would)|if the question|format|should be of)\b"
    r"|若题目|如果题目|假如|则应|有人"
)
_DOUBT = re.compile(
    r"[\s*)）\"'”]*+(?:\?|？|[.,，。;]?\s*(?:but (?:this|that|let|we|i)\b|no[,.] |不对|但还?需要?))"
)
_REJECTED = re.compile(
    r"this (?:option|choice|answer) is (?:also )?(?:incorrect|wrong|not correct)"
    r"|\bbut (?:it|this|that) is (?:still|not)\b"
    r"|\b(?:not answerable|cannot be answered)\b"
    r"|\bnone of the (?:given |provided )?(?:options|choices|answers) (?:is|are|match)"
)
_CORRECTION = re.compile(
    r"\bwait\b|\bhold on\b|\bcorrection\s*[:：]|\bcorrectly:|\bon second thought|"
    r"\bi made (?:a|an) |"
    r"\blet me (?:re|double)|\bactually\b|等等|等一下|更正|修正|重新计算|重新考虑|不对"
)
