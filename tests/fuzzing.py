"""Read damaged files in a process of its own: ``python -m tests.fuzzing STOP READER=START…``.

The damage follows from the reader and a seed alone, so that any input can be made again. The number
of each input is printed before it is read, and what is wrong with it after; a process that hangs or
grows beyond measure ends itself, with the number of the culprit printed last.
"""

import faulthandler
import io
import json
import os
import random
import resource
import shutil
import signal
import sys
import traceback
import unittest.mock
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv, feather, ipc

from kofn.rendering import printable, render
from reports import LoadError, load, reconcile
from reports.archive import open_tree
from reports.evaluations.config import read_config
from reports.tables import folding, write
from tests.mutations import (
    damaged,
    damaged_content,
    damaged_lines,
    damaged_members,
    unzipped,
    zipped,
)

SECONDS = 5
"""Of the processor, for one input."""
STUCK = 60
"""Seconds by the clock, on a machine that may be busy."""
MEMORY = 1 << 30
"""Bytes that the process may ever hold."""
CONVERTED = 5
"""One of so many inputs is written as a table and read again."""
DATA = Path(__file__).parent / "data"
LARGE = 400_000
"""Bytes of a member that is left out of the corpus."""
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


def reports(tool):
    """Return real reports of a tool, each by its members."""
    found = [unzipped(path) for path in sorted((DATA / tool).glob("*.zip"))]
    return [{name: data for name, data in one.items() if len(data) < LARGE} for one in found]


def members(tool, pattern):
    """Return some kind of file from all reports of a tool."""
    return [
        (Path(name).name, data)
        for one in reports(tool)
        for name, data in sorted(one.items())
        if Path(name).match(pattern)
    ]


def outcome_tables():
    """Return small tables of every shape."""
    rng = np.random.default_rng(4)
    right = rng.integers(0, 2, 24)
    long = {
        "model": ["a", "b"] * 12,
        "dataset": ["d"] * 24,
        "question_id": np.repeat(["q1", "q2", "q3"], 8),
        "sample": np.tile(np.arange(4).repeat(2), 3),
        "correct": right,
        "score": right * 0.75,
        "extracted": ["7"] * 24,
        "subject": ["easy"] * 24,
        "latency_s": rng.random(24),
        "error": [None] * 23 + ["timeout"],
    }
    lists = {"qid": ["a", "b"], "correct": [[1, 0, 1], [0, 0, 1]], "tokens": [[1, 2, 3], [4, 5, 6]]}
    return {
        "long": pa.table(long),
        "wide": pa.table({"id": ["x", "y", "z"]} | {f"correct_{i}": [1, 0, 1] for i in range(4)}),
        "lists": pa.table(lists),
        "counts": pa.table({"question_id": ["a", "b"], "n": [8, 8], "c": [3, 5]}),
        "true": pa.table({"task_id": [1, 1, 2, 2], "passed": [True, False, None, True]}),
    }


def flat(table):
    """Spell lists as text."""
    columns = {
        name: list(map(str, table[name].to_pylist()))
        if pa.types.is_list(table[name].type)
        else table[name]
        for name in table.column_names
    }
    return pa.table(columns)


def as_csv(table, delimiter=","):
    buffer = io.BytesIO()
    csv.write_csv(flat(table), buffer, csv.WriteOptions(delimiter=delimiter))
    return buffer.getvalue()


def as_parquet(table, **options):
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def as_arrow(table, kind):
    buffer = io.BytesIO()
    if kind == "feather":
        feather.write_feather(table, buffer)
    else:
        with (ipc.new_stream if kind == "stream" else ipc.new_file)(buffer, table.schema) as writer:
            writer.write_table(table)
    return buffer.getvalue()


def as_npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def canonical(tmp):
    """Return tables as kofn writes them itself."""
    found = []
    for path in (DATA / "aisbench" / "textvqa_n3.zip", DATA / "opencompass" / "n4.zip"):
        write(load(path).runs, tmp)
        found.append(tmp.read_bytes())
        tmp.unlink()
    return found


def lone(files, damage):
    """Damage one of several files."""

    def make(rng):
        name, data = rng.choice(files)
        return name, damage(name, data, rng, rng.choice(files)[1])

    return make


def archives(tool):
    """Damage members of a report, and sometimes the zip itself."""
    found = reports(tool)

    def make(rng):
        data = zipped(damaged_members(rng.choice(found), rng))
        return "report.zip", damaged(data, rng) if rng.random() < 0.1 else data

    return make


def folders(tool, place):
    """Damage the files of a folder."""
    found = reports(tool)

    def make(rng):
        shutil.rmtree(place, ignore_errors=True)
        for name, data in damaged_members(rng.choice(found), rng).items():
            path = place / name.encode("utf-8", "replace").decode().strip("/")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            except OSError:
                continue
        place.mkdir(exist_ok=True)
        return place

    return make


def only_bytes(_name, data, rng, other):
    return damaged(data, rng, other)


def lines(_name, data, rng, _other):
    return damaged_lines(data, rng)


def arrays(rng):
    """Damage arrays of numpy within a zip that is whole, or the zip itself."""
    truth = np.random.default_rng(1).integers(0, 2, (2, 3, 4))
    whole = {"gsm8k.npy": as_npy(truth), "math.npy": as_npy(truth[0].astype(float))}
    files = damaged_members(whole, rng, only_bytes)
    match rng.randrange(4):
        case 0:
            return rng.choice(list(files.items()))
        case 1:
            return "t.npz", damaged(zipped(whole), rng)
    return "t.npz", zipped(files)


def makers(place):
    """Return what makes the inputs of each reader from a random generator."""
    tables = outcome_tables()
    text = {
        "csv": [(f"{name}.csv", as_csv(table)) for name, table in tables.items()],
        "tsv": [(f"{name}.tsv", as_csv(table, "\t")) for name, table in tables.items()],
        "jsonl": [
            (f"{name}.jsonl", "\n".join(map(json.dumps, table.to_pylist())).encode())
            for name, table in tables.items()
        ],
    }
    records = [
        *((f"{n}.json", json.dumps(table.to_pylist()).encode()) for n, table in tables.items()),
        *((f"{n}.json", json.dumps(table.to_pydict()).encode()) for n, table in tables.items()),
    ]
    parquets = [
        *(("t.parquet", as_parquet(table)) for table in tables.values()),
        *(("t.parquet", as_parquet(t, compression="none")) for t in tables.values()),
        *(("t.parquet", data) for data in canonical(place.with_suffix(".parquet"))),
    ]
    bare = tables["long"].select(
        ["model", "dataset", "question_id", "sample", "correct", "subject"]
    )
    kinds = ("feather", "stream", "file")
    arrow = [("t.arrow", as_arrow(table, kind)) for table in tables.values() for kind in kinds]
    zips = [(p.name, p.read_bytes()) for p in sorted(DATA.glob("*/*1.zip"))]
    return {
        "aisbench-zip": archives("aisbench"),
        "aisbench-folder": folders("aisbench", place),
        "aisbench-results": lone(members("aisbench", "results/*/*.json"), damaged_content),
        "aisbench-predictions": lone(members("aisbench", "predictions/*/*.jsonl"), damaged_content),
        "aisbench-config": lone(members("aisbench", "configs/*.py"), damaged_content),
        "opencompass-zip": archives("opencompass"),
        "opencompass-lone": lone(members("opencompass", "*/*/*.json"), damaged_content),
        "parquet": lone(parquets, only_bytes),
        "parquet-folded": lone([("t.parquet", as_parquet(bare))], only_bytes),
        "arrow": lone(arrow, only_bytes),
        "numpy": arrays,
        "csv": lone(text["csv"], lines),
        "tsv": lone(text["tsv"], lines),
        "jsonl": lone(text["jsonl"], lines),
        "json": lone(records, damaged_content),
        "archive": lone(zips, only_bytes),
    }


READERS = (
    *("aisbench-zip", "aisbench-folder", "aisbench-results", "aisbench-predictions"),
    *("aisbench-config", "opencompass-zip", "opencompass-lone", "parquet", "parquet-folded"),
    *("arrow", "numpy", "csv", "tsv", "jsonl", "json", "archive"),
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
        assert [run.outcomes.digest for run in again] == [run.outcomes.digest for run in runs]


def say(text):
    printable(render(text)).encode()


def folded(source):
    """Read a small table as if it were a large one."""
    with unittest.mock.patch.object(folding, "ROWS", 1):
        return shown(load(source))


CONSUMERS: dict[str, Callable] = {
    "aisbench-config": config_of,
    "archive": every_member_of,
    "parquet-folded": folded,
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
    import_module("math_verify")  # before the clock runs: that takes seconds
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
            if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MEMORY:
                sys.exit(f"more than {MEMORY} bytes of memory")


if __name__ == "__main__":
    pairs = (argument.split("=") for argument in sys.argv[2:])
    main(int(sys.argv[1]), {reader: int(start) for reader, start in pairs})
