r"""Mathematical answers, in a box or formula, judged equal in value by the library math-verify.

The library is an optional extra, ``kofn[math]``. It works in a process of its own.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import islice

from reports.rescoring.rule import Mark, Prediction
from reports.rescoring.supervised import Supervised

BATCH = 16
"""Samples compared in a row; then others who load a report have their turn."""

available = find_spec("math_verify") is not None
"""Whether the library is installed."""

_PROCESS = Supervised()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PROCESS.forget)


def mark_by_value(samples: Iterable[Prediction], delimit: bool) -> Iterator[Mark | None]:
    r"""Mark each answer as right if a formula in it equals the reference.

    As in the evaluators of AISBench and OpenCompass, an answer counts only where it is marked as
    one, such as ``\boxed{8}``, and a question whose reference is no formula not at all.

    delimit: Whether the evaluator puts dollar signs around the reference.
    """
    pairs = ((sample.prediction, _reference(sample.gold, delimit)) for sample in samples)
    while batch := list(islice(pairs, BATCH)):
        yield from _PROCESS.compare(batch)


def thread_time() -> float:
    """Return the seconds of CPU time this thread has taken, those of the process for it included.

    Examples
    --------
    >>> thread_time() <= thread_time()
    True
    """
    return time.thread_time() + _PROCESS.spent


def _reference(gold: object, delimit: bool) -> str:
    text = gold if isinstance(gold, str) else ""
    return f"${text}$" if delimit and text else text
