"""The last number in an answer, by which GSM8K and similar datasets are judged."""

from __future__ import annotations

import re

TOLERANCE = 1e-6
NONE = "NULL"
"""What stands for an answer without a number."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_UNSIGNED = re.compile(r"\d+\.?\d*")
LANGUAGES = {
    "en": "Answer",
    "bn": "উত্তর",
    "de": "Antwort",
    "es": "Respuesta",
    "fr": "Réponse",
    "ja": "答え",
    "ru": "Ответ",
    "sw": "Jibu",
    "te": "సమాధానం",
    "th": "คำตอบ",
    "zh": "答案",
}
"""What comes before the answer in each language of MGSM."""


def last_number(text: str) -> str:
    """Return the last number before the model goes on to invent a question of its own.

    Examples
    --------
    >>> last_number("31 * 5 = 155, so 1,137."), last_number("none")
    ('1137', 'NULL')
    """
    return last_number_as_written(text.replace(",", ""))


def last_number_as_written(text: str) -> str:
    """Return the last number where a comma parts two numbers."""
    numbers = _NUMBER.findall(text.partition("Question:")[0])
    return numbers[-1] if numbers else NONE


def after_hashes(solution: str) -> str | None:
    r"""Return what a worked solution gives as its result, or None if it gives none.

    Examples
    --------
    >>> after_hashes("155 - 18 = 137.\\n#### 1,137")
    '1137'
    """
    parts = solution.split("#### ")
    return parts[1].replace(",", "") if len(parts) > 1 else None


def number_after_prefix(text: str, lang: str = "en") -> str:
    r"""Return the last number after the last "Answer" in a language of MGSM, without sign, or "".

    Examples
    --------
    >>> number_after_prefix("2 … Antwort: 1,137.", "de"), number_after_prefix("so 7", "de")
    ('1137', '')
    """
    _, phrase, answer = text.rpartition(LANGUAGES[lang])
    numbers = _UNSIGNED.findall(answer.replace(",", "")) if phrase else []
    return numbers[-1].rstrip(".") if numbers else ""


def equal_numbers(answer: str, reference: str) -> bool:
    """Return whether texts are equal, or a number is the whole number of the reference.

    Examples
    --------
    >>> equal_numbers("137.0", "137"), equal_numbers("137.0", "137.0"), equal_numbers("1", "1.5")
    (True, True, False)
    """
    if answer == reference:
        return True
    try:
        return abs(float(answer) - int(reference)) < TOLERANCE
    except (ValueError, OverflowError):
        return False
