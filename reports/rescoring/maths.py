r"""Mathematical answers, in a box or formula, judged equal in value by the library math-verify.

The library is an optional extra, ``kofn[math]``. It limits its own time by signals, which reach the
main thread only; elsewhere it runs in a process of its own.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import Any

from metrics.words import Text
from reports.errors import LoadError
from reports.rescoring.rule import Mark, Sample

BATCH = 64
"""Samples sent to the other process at a time."""
SECONDS = 2
"""For reading one formula, and for comparing two."""

available = find_spec("math_verify") is not None
"""Whether the library is installed."""


def mark_by_value(samples: Iterable[Sample], delimit: bool) -> Iterator[Mark | None]:
    r"""Mark each answer as right if a formula in it equals the reference.

    As in the evaluators of AISBench and OpenCompass, an answer counts only where it is marked as
    one, such as ``\boxed{8}``, and a question whose reference is no formula not at all.

    Parameters
    ----------
    samples : iterable of Sample
    delimit : bool
        Whether the evaluator puts dollar signs around the reference.
    """
    pairs = iter((sample.prediction, sample.gold) for sample in samples)
    if threading.current_thread() is threading.main_thread():
        for pair in pairs:
            yield from _mark([pair], delimit)
        return
    while batch := list(islice(pairs, BATCH)):
        try:
            yield from _process().submit(_mark, batch, delimit).result()
        except BrokenProcessPool as error:
            _process.cache_clear()
            stopped = Text("was stopped while it compared formulas, perhaps for want of memory")
            raise LoadError("math-verify", stopped, Text("Load the report again.")) from error


@cache
def _process() -> ProcessPoolExecutor:
    """Return the other process, which starts when it is first needed."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


def _mark(pairs: Sequence[tuple[str, Any]], delimit: bool) -> list[Mark | None]:
    from math_verify import verify

    for name in ("parser", "grader"):
        logging.getLogger(f"math_verify.{name}").setLevel(logging.CRITICAL)
    marks: list[Mark | None] = []
    for prediction, gold in pairs:
        text = gold if isinstance(gold, str) else ""
        reference = _reference(f"${text}$" if delimit and text else text)
        if not reference:
            marks.append(None)
            continue
        answer = _answer(prediction)
        right = verify(answer, reference, timeout_seconds=SECONDS)
        marks.append(Mark(float(right), str(answer[0]) if answer else None))
    return marks


@lru_cache(maxsize=4096)
def _reference(text: str) -> list[Any]:
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse

    formulas = LatexExtractionConfig(), ExprExtractionConfig()
    read: list[Any] = parse(text, formulas, extraction_mode="first_match", parsing_timeout=SECONDS)
    return read


def _answer(text: str) -> list[Any]:
    from latex2sympy2_extended import NormalizationConfig
    from math_verify import LatexExtractionConfig, parse

    boxes_first = LatexExtractionConfig(
        normalization_config=NormalizationConfig(
            nits=False,
            malformed_operators=False,
            basic_latex=True,
            boxed="all",
            units=True,
        ),
        boxed_match_priority=0,
        try_extract_without_anchor=False,
    )
    read: list[Any] = parse(
        text, [boxes_first], extraction_mode="first_match", parsing_timeout=SECONDS
    )
    return read
