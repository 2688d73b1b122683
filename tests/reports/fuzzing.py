"""Read damaged files in a process of its own:

``python -m tests.reports.fuzzing STOP READER=START…``.

The damage follows from the reader and a seed alone, so that any input can be made again. The number
of each input is printed before it is read, and what is wrong with it after; a process that hangs or
grows beyond measure ends itself, with the number of the culprit printed last.
"""

import faulthandler
import json
import os
import random
import resource
import signal
import sys
import traceback
import unittest.mock
from collections.abc import Callable
from pathlib import Path

from metrics.data.outcomes import Outcomes
from metrics.data.words import printable
from reports import LoadError, load, reconcile
from reports.evaluations.files.config import read_config
from reports.files.archive import open_tree
from reports.files.errors import VerdictChoice
from reports.tables import folding, write
from tests.reports.damaged_inputs import DATA, makers

SECONDS = 5
"""Of the processor, for one input."""
STUCK = 60
"""Seconds by the clock, on a machine that may be busy."""
MEMORY = 1 << 30
"""Bytes that the process may ever hold."""
CONVERTED = 5
"""One of so many inputs is written as a table and read again."""
FORBIDDEN = {
    *("os.link", "os.symlink", "os.system", "os.exec", "os.posix_spawn", "os.fork"),
    *("subprocess.Popen", "socket.connect", "pickle.find_class", "ctypes.dlopen"),
}
"""Audit events of what no reader has a reason to do."""
WRITING = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate"}
"""Those of what is done in the cache folder only."""

watching = False
events: list[str] = []


def watch(event, arguments):
    """Take down every attempt to change, run or reach anything but the cache folder."""
    if not watching:
        return
    writing = event in WRITING or (
        event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    )
    places = arguments[: 2 if event == "os.rename" else 1]
    if event in FORBIDDEN or (writing and not all(map(is_cache, places))):
        events.append(f"{event}{arguments!r:.200}")


def is_cache(place):
    """Whether a path lies in the cache folder, or a file is open already."""
    folder = os.environ.get("KOFN_CACHE")
    return isinstance(place, int) or (
        folder is not None and Path(os.path.abspath(place)).is_relative_to(folder)
    )


def config_of(source):
    tree = open_tree(source)
    read_config(tree, next(iter(tree.files)))


def every_member_of(source):
    tree = open_tree(source)
    for path in tree.files:
        tree.read(path)
    return shown(load(source))


def shown(report):
    """Do with a report what every page and command does."""
    for run in report.runs:
        for line in reconcile(run):
            if line.reason is not None:
                say(line.reason)
        for note in run.notes:
            say(note.what)
        for name in (run.model, run.dataset, run.source):
            printable(name).encode()
        if run.has_texts:
            read(run)
    for note in report.notes:
        say(note.what)
    return report


def read(run):
    """Look at the first and the last question of a run, and search it."""
    m, n = run.outcomes.shape
    try:
        for question in (run.outcomes.questions[0], run.outcomes.questions[-1]):
            texts = run.texts(question)
            assert len(texts.predictions) == len(texts.answers) == n
            assert all(isinstance(turn.text, str) for turn in texts.prompt)
        assert run.search("7").shape == (m,)
    except LoadError as error:
        say(error.text)


def converted(report, path):
    """Write a report as kofn's table, and require that it comes back as it was."""
    runs = [run for run in report.runs if run.outcomes is not None]
    if runs:
        write(runs, path)
        again = load(path).runs
        assert list(map(digest, again)) == list(map(digest, runs))


def digest(run):
    """Return what tells outcomes apart; a table does not keep that texts repeat one another."""
    outcomes = run.outcomes
    return Outcomes(outcomes.correct, outcomes.scores, outcomes.questions).digest


def say(text):
    printable(str(text)).encode()


def folded(source):
    """Read a small table as if it were a large one."""
    with unittest.mock.patch.object(folding, "ROWS", 1):
        return shown(load(source))


def told(source):
    """Read a log, of several scorers the first."""
    try:
        return shown(load(source))
    except VerdictChoice as choice:
        return shown(load(source, columns=choice.answered({}, choice.options[0])))


CONSUMERS: dict[str, Callable] = {
    "aisbench-config": config_of,
    "archive": every_member_of,
    "parquet-folded": folded,
    "inspect": told,
}


def check(reader, seed, make, place):
    """Read one input; return what is wrong, or nothing."""
    global watching
    source = make(random.Random(f"{reader} {seed}"))
    events.clear()
    watching = True
    try:
        report = CONSUMERS.get(reader, lambda source: shown(load(source)))(source)
        watching = False
        if report is not None and seed % CONVERTED == 0:
            converted(report, place.with_suffix(".parquet"))
    except LoadError as error:
        say(error.text)
    except BaseException:
        return traceback.format_exc(limit=-6)
    finally:
        watching = False
    return "\n".join(events)


def main(stop, starts):
    place = Path("../input").resolve()
    make = makers(place)
    load(DATA / "opencompass" / "n3_nodetails.zip")
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    sys.addaudithook(watch)
    faulthandler.register(signal.SIGPROF, chain=True)
    for reader, start in starts.items():
        for seed in range(start, stop):
            print(json.dumps([reader, seed, ""]), flush=True)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            faulthandler.dump_traceback_later(STUCK, exit=True)
            if problem := check(reader, seed, make[reader], place):
                print(json.dumps([reader, seed, problem]), flush=True)
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.cancel_dump_traceback_later()
            if most_memory() > MEMORY:
                sys.exit(f"more than {MEMORY} bytes of memory")


def most_memory() -> int:
    """Return the most bytes that this process took; `ru_maxrss` counts those of who started it."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


if __name__ == "__main__":
    pairs = (argument.split("=") for argument in sys.argv[2:])
    main(int(sys.argv[1]), {reader: int(start) for reader, start in pairs})
