"""The option chosen by an answer to MMMU or MMStar, as releases of AISBench extract it.

Earlier releases look for the letter between the marks of a box, or infer it from letters and texts
of the options [1]_; of MMMU the latest one reads what follows "ANSWER:".

References
----------
.. [1] H. Duan et al., "VLMEvalKit: An Open-Source Toolkit for Evaluating Large Multi-Modality
   Models", ACM MM 2024.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from reports.rescoring.letters import last_capital

REFUSED = "Z"
"""What stands for the option of an answer that chooses none."""

_BOX = re.compile(r"<\|begin_of_box\|>(.*?)<\|end_of_box\|>", re.DOTALL)
_OF_LINE = re.compile(
    r"^ANSWER\s*+:(?:\s*+([A-Za-z\d ,]++)(?=[^\S\n]*+(?:\n|\.|\Z))"
    r"|(?=[^\S ]*+ (?:[^\S\n]*+\n|\s*+(?:\.|\Z))))",
    re.IGNORECASE | re.MULTILINE,
)
"""Letters that end a line or sentence, or nothing but spaces. Each place is looked at once."""
_ANYWHERE = re.compile(r"ANSWER\s*:\s*([A-Za-z\d ,]+)(?:\W|$)", re.IGNORECASE)
_OPEN = re.compile(r"ANSWER:\s*(.*)")
_MARKS = str.maketrans(dict.fromkeys(".()[],:;!*#{}", " "))
_LAST = 4
"""Words among which a letter must first occur to be a choice."""
_REFUSALS = (
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
)
_NO_REPLY = "Failed to obtain answer via API"


def boxed_text(answer: str) -> str:
    """Return what stands between the first marks of a box, or ""."""
    found = _BOX.search(answer)
    return found[1] if found else ""


def stated_option(answer: str, count: int) -> str:
    r"""Return the option after "ANSWER:", if it is one of so many; without that the last capital.

    Examples
    --------
    >>> [stated_option(text, 3) for text in ("So.\nANSWER: B.", "answer: A or C", "I say C, so")]
    ['B', '', 'C']
    """
    found = _OF_LINE.search(answer) or _ANYWHERE.search(answer)
    if found is None:
        return last_capital(answer)
    stated = (found[1] or "").strip()
    return stated if stated in {_name(number) for number in range(count)} else ""


def stated_text(answer: str) -> str:
    r"""Return the rest of the line after "ANSWER:", or everything.

    Examples
    --------
    >>> stated_text("Let me see.\nANSWER: 33"), stated_text(" It is 33. ")
    ('33', 'It is 33.')
    """
    found = _OPEN.search(answer)
    return (found[1] if found else answer).strip()


def inferred_option(answer: str, options: Mapping[str, str]) -> str:
    """Return the only option named by its letter near the end, or else by its text, or "".

    Examples
    --------
    >>> options = {"A": "red", "B": "dark blue"}
    >>> [inferred_option(text, options) for text in ("(B)", "A or B", "It shows Dark blue")]
    ['B', '', 'B']
    """
    return _named_letter(answer, options) or _spelled(answer, options)


def _named_letter(answer: str, options: Mapping[str, str]) -> str:
    if _NO_REPLY in answer:
        return ""
    if any(words in answer for words in _REFUSALS):
        return REFUSED
    words = answer.translate(_MARKS).split()
    named = [letter for letter in options if letter in words]
    if not named:
        return REFUSED if REFUSED in words else ""
    (letter, *others) = named
    late = words.index(letter) >= len(words) - _LAST
    return letter if late and not others else ""


def _spelled(answer: str, options: Mapping[str, str]) -> str:
    lowered = answer.lower()
    if len(lowered) > 2 * sum(map(len, options.values())):
        return ""
    spelled = [letter for letter, text in options.items() if text.lower() in lowered]
    return spelled[0] if len(spelled) == 1 else ""


def _name(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number - 25)
