"""Answers in words, normalised as evaluators compare them."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

_ARTICLE = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_DROP_ANSWER = re.compile(r"Answer\s*:\s*([^\n]+)", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:final\s+)?(?:answer|答案)[#*\s]*[:：]?[#*\s]*(.*?)(?:\*\*|###|$)",
    re.IGNORECASE | re.DOTALL,
)
_BOLD = re.compile(r"\*\*(.*?)\*\*", re.DOTALL)
_CHOICE = re.compile(r"[a-eA-E][:：]\s*(.*)")


def without_reasoning(text: str, start: str = "<think>", end: str = "</think>") -> str:
    """Return what a model says after, or around, its thoughts.

    Examples
    --------
    >>> without_reasoning("so 7.</think> It is 7."), without_reasoning("Well<think>…</think>, 7")
    ('It is 7.', 'Well, 7')
    """
    if start not in text:
        return text.rpartition(end)[2].strip()
    kept, place = [], 0
    while (begin := text.find(start, place)) >= 0 and (stop := text.find(end, begin)) >= 0:
        kept.append(text[place:begin])
        place = stop + len(end)
    return "".join([*kept, text[place:]]).strip()


def general(text: str) -> str:
    """Return the first clause without punctuation, articles and repeated spaces.

    Examples
    --------
    >>> general("The  Eiffel-Tower, of course.")
    'EiffelTower'
    """
    clause = re.sub(r"[^\w\s]", "", re.split(r"[\n.,]", text, maxsplit=1)[0])
    return " ".join(_ARTICLE.sub("", clause).split())


def freeform(text: str) -> str:
    """Return the line after "answer is", without a full stop; of it what is bold, if anything.

    Examples
    --------
    >>> freeform("Adding up. So the answer is **6**.")
    '6'
    """
    _, phrase, after = text.partition("answer is ")
    answer = after.partition("answer is ")[0].strip() if phrase else text
    answer = answer.partition("\n")[0].strip()
    if answer.endswith("."):
        answer = answer[:-1].strip()
    bold = re.search(r"\*\*(.*?)\*\*", answer)
    return bold[1] if bold else answer


def freeform_of_reasoning(text: str) -> str:
    r"""Return the answer in words as versions of 2026 find it in long reasoning.

    Examples
    --------
    >>> freeform_of_reasoning("The answer is 5? No.\\n**Answer:** invalid")
    'invalid'
    """
    before, phrase, answer = text.rpartition("answer is")
    if phrase and before.count("**") % 2:
        answer = "**" + answer
    if (headed := _HEADING.search(answer)) and headed[1].strip():
        answer = headed[1].strip()
    if bold := _BOLD.search(answer):
        chosen = _CHOICE.match(bold[1].strip())
        return _bare(chosen[1] if chosen else bold[1])
    lines = [line for line in answer.split("\n") if line.strip()]
    return _bare(lines[-1] if lines else answer)


def trivia(text: str) -> str:
    r"""Return the first line after any "answer is", "a:" and "answer:", reduced.

    Examples
    --------
    >>> trivia("Well, the answer is The Nile.\\nIt is long.")
    'nile'
    """
    line = text.strip().partition("\n")[0].lower()
    for words in ("answer is", "a:", "answer:"):
        line = line.rpartition(words)[2]
    return general(line.strip())


def contains_any(answer: str, references: Sequence[str]) -> bool:
    """Return whether the answer contains a reference."""
    return any(general(reference).lower() in answer for reference in references)


def drop_answer(text: str) -> str:
    """Return what follows "Answer:", or everything."""
    found = _DROP_ANSWER.search(text)
    return found[1] if found else text


def overlaps_any(answer: str, references: str) -> bool:
    """Return whether the answer contains one of the references, parted by "|", or lies in one.

    Examples
    --------
    >>> overlaps_any("12 yards", "the 12|twelve"), overlaps_any("2", "12"), overlaps_any("3", "12")
    (True, True, False)
    """
    prediction = plain(answer)
    right = [plain(reference) for reference in references.split("|")]
    return any(prediction in reference or reference in prediction for reference in right)


def plain(text: str) -> str:
    """Return the words of a text in small letters, without punctuation and articles.

    Examples
    --------
    >>> plain("The  Eiffel-Tower, of course.")
    'eiffeltower of course'
    """
    letters = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return " ".join(_ARTICLE.sub(" ", letters).split())


def _bare(text: str) -> str:
    return re.sub(r"[.*\s]+$", "", re.sub(r"^[:：*\s]+", "", text.strip()))
