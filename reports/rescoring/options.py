"""The option that an answer names or resembles most, for custom multiple-choice datasets.

The texts of the options are those of the prompt, where each stands on a line of its own: "A. 135".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reports.rescoring.anls import edits
from reports.rescoring.letters import first_option

MAX_LETTERS = 1000
"""Of an answer or option that is compared letter by letter with others."""

_OPTION = re.compile(r"^\s*\(?([A-Z])[.):]\s*(.*?)\s*$", re.MULTILINE)


def options_of(prompt: Any, letters: Sequence[str]) -> dict[str, str]:
    r"""Return the texts of the options in a prompt.

    prompt: Of the last question in it.

    Examples
    --------
    >>> options_of("Question: How many?\nA. 135\nB. 133\nAnswer: ", "AB")
    {'A': '135', 'B': '133'}
    """
    if isinstance(prompt, list):
        turns = [turn.get("prompt") for turn in prompt if isinstance(turn, Mapping)]
        prompt = "\n".join(turn for turn in turns if isinstance(turn, str))
    found = _OPTION.findall(prompt) if isinstance(prompt, str) else []
    return {letter: text[:MAX_LETTERS] for letter, text in found if letter in letters}


def likeliest_option(answer: str, options: Mapping[str, str], letters: Sequence[str]) -> str:
    """Return the letter an answer states; else the only option in it; else the most alike.

    Examples
    --------
    >>> options = {"A": "red", "B": "dark blue"}
    >>> [likeliest_option(text, options, "AB") for text in ("The answer is B", "red", "bleu")]
    ['B', 'A', 'A']
    """
    answered = answer.strip()
    if answered in letters:
        return answered
    if stated := first_option(answered, "".join(letters), cushion=False):
        return stated
    within = [letter for letter in letters if options.get(letter, "\0").lower() in answered.lower()]
    if len(within) == 1:
        return within[0]
    if not options or len(answered) > MAX_LETTERS:
        return ""
    return min(
        (min(edits(answered, text) for text in (letter, option, f"{letter}. {option}")), letter)
        for letter, option in options.items()
    )[1]
