r"""Two formulas compared by value, by the library math-verify.

It is given no limit of its own: those are of the wall clock, and where one strikes the library
calls the answer wrong.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

from latex2sympy2_extended import NormalizationConfig
from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

from reports.rescoring.rule import Mark

for _name in ("parser", "grader"):
    logging.getLogger(f"math_verify.{_name}").setLevel(logging.CRITICAL)

_REFERENCE = LatexExtractionConfig(), ExprExtractionConfig()
_ANSWER = (
    LatexExtractionConfig(
        normalization_config=NormalizationConfig(
            nits=False,
            malformed_operators=False,
            basic_latex=True,
            boxed="all",
            units=True,
        ),
        boxed_match_priority=0,
        try_extract_without_anchor=False,
    ),
)


def compare(prediction: str, reference: str) -> Mark | None:
    r"""Mark an answer as right if a formula in it equals the reference.

    Returns: None where the reference is no formula.

    Examples
    --------
    >>> compare(r"so \boxed{\frac{2}{4}}", "$0.5$")
    Mark(credit=1.0, answer='1/2')
    """
    right = _reference(reference)
    if not right:
        return None
    answer = _read(prediction, _ANSWER)
    equal = verify(answer, right, timeout_seconds=None)
    return Mark(float(equal), str(answer[0]) if answer else None)


@lru_cache(maxsize=4096)
def _reference(text: str) -> list[Any]:
    return _read(text, _REFERENCE)


def _read(text: str, formulas: tuple[Any, ...]) -> list[Any]:
    read: list[Any] = parse(text, formulas, extraction_mode="first_match", parsing_timeout=None)
    return read
