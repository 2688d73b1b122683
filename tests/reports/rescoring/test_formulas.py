"""Formulas compared by value in a process of kofn's own, whatever becomes of that process."""

import ast
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Connection

import pytest

from metrics.data.outcomes import FAILED
from reports import LoadError
from reports.rescoring import maths, supervised
from reports.rescoring.maths import mark_by_value
from reports.rescoring.rule import NOT_JUDGED, Mark, Prediction
from reports.rescoring.supervised import Supervised
from tests.reports.evaluations.small_reports import report

FORMULAS = [
    Prediction("so \\boxed{3\\sqrt{24}}", "the value $\\boxed{6\\sqrt{6}}$"),
    Prediction("so \\boxed{7}", "8"),
    Prediction("it is 8", "8"),
    Prediction("\\boxed{8}", ""),
    Prediction("\\boxed{8}", None),
]
ENDLESS = "9^{9^{9^{9}}}"
"""Beyond what any machine can compute."""
RIGHT = ("\\boxed{8}", "$8$")
FACTORIALS = [(f"\\boxed{{{n}!}}", "$5$") for n in range(50_000, 50_008)]
"""Each takes about a tenth of the limit."""
SECONDS = 0.3


@pytest.fixture(scope="module")
def process():
    supervised = Supervised(SECONDS)
    yield supervised
    supervised.stop()


def credits(pairs):
    return [mark and mark.credit for mark in pairs]


def test_formulas_are_compared_by_value_in_any_thread():
    found = []

    def judge():
        found.append(credits(mark_by_value(FORMULAS, delimit=False)))

    threads = [threading.Thread(target=judge) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    judge()
    assert found == [[1, 0, 0, None, None]] * 3


@pytest.mark.wide
def test_what_never_ends_is_not_judged_and_what_comes_after_is(process):
    marks = process.compare([RIGHT, ("\\boxed{8}", f"${ENDLESS}$"), RIGHT])
    assert [mark is NOT_JUDGED for mark in marks] == [False, True, False]
    assert credits(marks)[::2] == [1, 1]
    assert process.spent > 2 * SECONDS


def test_a_formula_that_is_not_judged_is_missing_and_counted(monkeypatch):
    class Impatient(Supervised):
        def compare(self, pairs):
            return [
                NOT_JUDGED if ENDLESS in said else Mark(said == "\\boxed{8}", None)
                for said, _ in pairs
            ]

    monkeypatch.setattr(maths, "_PROCESS", Impatient())
    said = [(0, "\\boxed{8}", "8"), (1, f"\\boxed{{{ENDLESS}}}", "8"), (2, "\\boxed{7}", "8")]
    run = report("MATHEvaluator", {"accuracy": 100 / 3}, said)
    assert run.outcomes.correct.ravel().tolist() == [1, FAILED, 0]
    (note,) = [note for note in run.notes if "not judged" in str(note.what)]
    assert (note.count, note.severity) == (1, "warning")
    assert str(note.what).startswith("1 of 3 samples are not judged")
    assert run.verified is True
    open_yet = report("MATHEvaluator", {"accuracy": 200 / 3}, said)
    assert open_yet.outcomes.correct.ravel().tolist() == [1, FAILED, 0]
    assert open_yet.verified is None
    assert report("MATHEvaluator", {"accuracy": 100}, said).outcomes is None


@pytest.mark.wide
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs signals")
def test_time_in_which_the_machine_does_something_else_does_not_count(process):
    """As on a machine so busy that the process does not run for longer than its limit."""
    process.compare([RIGHT])
    first = process.pid
    for delay, sent in ((0.1, signal.SIGSTOP), (0.1 + 2 * SECONDS, signal.SIGCONT)):
        threading.Timer(delay, os.kill, (first, sent)).start()
    started = time.monotonic()
    assert credits(process.compare(FACTORIALS)) == [0] * len(FACTORIALS)
    assert time.monotonic() - started > 2 * SECONDS
    assert process.pid == first


@pytest.mark.wide
def test_a_process_that_is_killed_loses_nothing(process):
    process.compare([RIGHT])
    first = process.pid
    os.kill(first, signal.SIGTERM)
    assert credits(process.compare([RIGHT] * 3)) == [1] * 3
    assert process.pid != first


@pytest.mark.wide
def test_a_process_killed_at_work_tries_that_sample_once_more(process):
    process.compare([RIGHT])
    marks = []
    working = threading.Thread(
        target=lambda: marks.extend(process.compare([RIGHT, *FACTORIALS, RIGHT]))
    )
    working.start()
    time.sleep(0.05)
    os.kill(process.pid, signal.SIGTERM)
    working.join()
    assert credits(marks) == [1, *[0] * len(FACTORIALS), 1]


@pytest.mark.wide
def test_a_process_that_nobody_needs_ends_by_itself(monkeypatch):
    """So that even a daemonic one may start it, which could not end it."""
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    process = Supervised(SECONDS, idle=0.1)
    assert credits(process.compare([RIGHT])) == [1]
    assert multiprocessing.current_process().daemon
    (first,) = [one for one in multiprocessing.active_children() if one.pid == process.pid]
    first.join(10)
    assert first.exitcode == 0


def test_nothing_that_comes_back_is_unpickled(monkeypatch):
    def refuse(*_):
        raise AssertionError("unpickled")

    monkeypatch.setattr(Connection, "recv", refuse)
    monkeypatch.setattr(pickle, "loads", refuse)
    monkeypatch.setattr(pickle, "load", refuse)
    odd = "\ud800 \\boxed{\\text{\udfff \x00}}"
    assert credits(maths._PROCESS.compare([RIGHT, (odd, "$8$")])) == [1, 0]


def test_what_cannot_start_is_said(monkeypatch):
    process = Supervised()
    monkeypatch.setattr(supervised, "TRIES", 1)
    monkeypatch.setattr(supervised, "serve", os._exit)
    with pytest.raises(LoadError, match=r"^math-verify: the process that compares formulas does"):
        process.compare([RIGHT])


@pytest.mark.wide
def test_a_script_without_a_guard_is_run_once(tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "from reports.rescoring.maths import mark_by_value\n"
        "from reports.rescoring.rule import Prediction\n"
        "print(list(mark_by_value([Prediction(r'\\boxed{8}', '8')], False)))\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[Mark(credit=1.0, answer='8')]\n", "")


@pytest.mark.wide
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_has_a_process_of_its_own():
    """Two that talk with one would take each other's marks."""
    list(mark_by_value(FORMULAS, False))
    child = os.fork()
    if not child:
        os._exit(maths._PROCESS.pid is not None)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "nice"), reason="needs nice")
def test_a_busy_machine_changes_no_verdict():
    """Last of all, beside eight that never rest; a right answer takes most of a second alone."""
    script = (
        "from reports.rescoring.supervised import Supervised\n"
        "pairs = [(f'\\\\boxed{{{n}/3}}', f'${n // 2 * 2}/3$') for n in range(20)]\n"
        "pairs += [(r'\\boxed{\\prod_{k=1}^{400000} k}', '$400000!$')] * 2\n"
        f"pairs += [(r'\\boxed{{{ENDLESS}}}', '$8$')]\n"
        "print([str(mark.credit) for mark in Supervised().compare(pairs)])\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    def judged(*prefix):
        command = [*prefix, sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        return ast.literal_eval(done.stdout.decode())

    expected = ["1.0", "0.0"] * 10 + ["1.0"] * 2 + ["nan"]
    assert judged() == expected
    last = ("nice", "-n", "19")
    restless = [*last, sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(restless) for _ in range(8)]
    try:
        assert judged(*last) == expected
    finally:
        for each in busy:
            each.kill()
            each.wait()
