"""Formulas compared by value, in any thread, within bounds of time."""

import os
import threading
import time

from reports import LoadError
from reports.rescoring import maths
from reports.rescoring.maths import mark_by_value
from reports.rescoring.rule import Sample

FORMULAS = [
    Sample("so \\boxed{3\\sqrt{24}}", "the value $\\boxed{6\\sqrt{6}}$"),
    Sample("so \\boxed{7}", "8"),
    Sample("it is 8", "8"),
    Sample("\\boxed{8}", ""),
    Sample("\\boxed{8}", None),
]


def test_formulas_are_compared_by_value_in_any_thread():
    def credits():
        return [mark and mark.credit for mark in mark_by_value(FORMULAS, delimit=False)]

    found = []
    thread = threading.Thread(target=lambda: found.append(credits()))
    thread.start()
    thread.join()
    assert found == [credits()] == [[1, 0, 0, None, None]]


def test_a_formula_beyond_measure_is_wrong_within_seconds():
    started = time.monotonic()
    (mark,) = mark_by_value([Sample("\\boxed{9^{9^{9^{9}}}}", "8")], delimit=False)
    assert mark.credit == 0
    assert time.monotonic() - started < 20


def test_a_process_that_dies_is_an_error():
    """Whatever stops it: here it stops itself."""
    found = []

    def judge():
        maths._process().submit(os._exit, 1)
        try:
            list(mark_by_value(FORMULAS, delimit=False))
        except LoadError as error:
            found.append(str(error))

    thread = threading.Thread(target=judge)
    thread.start()
    thread.join()
    assert found[0].startswith("math-verify: was stopped")
