"""Reports are read in processes of their own: alike, watched, ended with whoever asked for them."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kofn.choose_n.lengths import estimate_tokens
from kofn.workers import asking, calls, reading, wire
from kofn.workers.calls import Budget
from metrics.data.words import MetricError, Text
from reports import LoadError, load
from reports.files import upload_store
from reports.files.addresses import Address
from reports.files.errors import ColumnChoice
from reports.files.stored_files import Upload
from reports.run.digests import digests
from tests.kofn import jobs
from tests.reports.damaged_inputs import TOOLS
from tests.reports.files.remote_storage.serving import serving

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
SAMPLE = ROOT / "sample_data" / "aisbench_report.zip"
ROOM = Budget(1 << 30)
WAIT = 60
"""Seconds, fewer than what jobs start runs for."""

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="has no fork"),
    pytest.mark.usefixtures("own_garbage"),
]


@pytest.fixture(autouse=True)
def _folder(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path_factory.mktemp("kept")))


def call(function, *arguments, progress=None, budget=ROOM):
    return calls.call(function, *arguments, progress=progress, budget=budget)


def silent(done, total):
    pass


def lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def soon(condition):
    """Whether it comes true, on a machine that may be busy."""
    end = time.monotonic() + WAIT
    while not (true := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return true


def told(outcomes):
    return outcomes and (outcomes.digest, outcomes.correct.tolist(), [*outcomes.questions])


@pytest.mark.parametrize(
    ("uploaded", "source"),
    [
        pytest.param(True, SAMPLE, marks=pytest.mark.wide),
        (True, ROOT / "sample_data" / "outcomes.parquet"),
        (True, DATA / "aisbench" / "gsm8k_n5_two_models.zip"),
        (False, ROOT / "sample_data" / "outcomes.parquet"),
        (False, DATA / "aisbench" / "multi_subset_n4.zip"),
    ],
)
def test_a_report_is_the_same_wherever_it_is_read(source, uploaded):
    data = source.read_bytes()
    given = Upload.of(source.name, [data], len(data)) if uploaded else source
    there, here = reading.read(given, {}, silent), load((source.name, data) if uploaded else source)
    del given
    assert (there.name, there.reader, there.digest) == (here.name, here.reader, here.digest)
    assert there.notes == here.notes
    assert [*map(len, (there.runs, there.suites))] == [*map(len, (here.runs, here.suites))]
    for suite in there.suites:
        assert set(suite.runs) <= set(there.runs)
    for a, b in zip(there.runs, here.runs, strict=True):
        assert (a.model, a.dataset, a.notes, a.reported) == (
            b.model,
            b.dataset,
            b.notes,
            b.reported,
        )
        assert told(a.outcomes) == told(b.outcomes)
        assert (a.verified, a.time, a.rule, a.has_texts) == (
            b.verified,
            b.time,
            b.rule,
            b.has_texts,
        )
        assert a.outcomes is None or not a.outcomes.correct.flags.writeable
    looked_at = [(a, b) for a, b in zip(there.runs, here.runs, strict=True) if a.has_texts][:2]
    for a, b in looked_at:
        for question in a.outcomes.questions[:2]:
            assert a.texts(question) == b.texts(question)
        assert np.array_equal(a.search("the"), b.search("the"))
        assert reading.tokens(a).questions == estimate_tokens(b).questions


@pytest.mark.parametrize("tool", TOOLS)
def test_runs_of_every_tool_cross_with_all_that_reads_their_texts(tool):
    told_of = {"columns": {"correct": "match"}} if tool == "inspect" else {}
    here = [run for run in load(DATA / tool, **told_of).runs if run.outcomes is not None]
    there = wire.unpack(wire.pack(here))
    for a, b in zip(there, here, strict=True):
        question = a.outcomes.questions[-1]
        assert told(a.outcomes) == told(b.outcomes)
        assert {name: [*label.values] for name, label in a.labels.items()} == {
            name: [*label.values] for name, label in b.labels.items()
        }
        assert not a.has_texts or a.texts(question) == b.texts(question)


def test_what_reads_a_table_is_imported_once_for_all_jobs(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question_id,correct,text\na,1,so\nb,0,thus\n")
    assert call(jobs.import_for, path) == []


def test_a_file_elsewhere_is_looked_at_and_read_by_jobs():
    lines = b'{"id": "a", "sample": 0, "correct": 1, "prediction": "yes"}\n'
    with serving() as files:
        files.held["/a.jsonl"] = lines
        address = Address.read(f"{files.url}/a.jsonl")
        digest, size = reading.look(address)
        report = reading.read(address, {}, silent)
        assert (report.digest, size) == (digest, len(lines))
        files.held["/a.jsonl"] = lines.replace(b"yes", b"nono")
        assert reading.look(address)[0] != digest
        with pytest.raises(LoadError, match="was changed since it was loaded"):
            report.runs[0].texts("a")
        report = reading.read(address, {}, silent)
        assert report.runs[0].texts("a").predictions == ("nono",)


def test_where_texts_are_is_found_out_once(tmp_path):
    (tmp_path / "t.csv").write_text("question_id,correct,text\na,1,so\nb,0,thus\n")
    (run,) = reading.read(tmp_path / "t.csv", {}, silent).runs
    run.find_texts()
    (made,) = upload_store.own().iterdir()
    first = made.stat()
    assert run.texts("b").predictions == ("thus",)
    assert run.search("SO").tolist() == [True, False]
    assert made.stat().st_ino == first.st_ino
    del run
    gc.collect()
    assert not [*upload_store.own().iterdir()]


def test_an_upload_lives_as_long_as_what_reads_it():
    data = (DATA / "aisbench" / "multi_subset_n4.zip").read_bytes()
    upload = Upload.of("r.zip", [data], len(data))
    report = reading.read(upload, {}, silent)
    del upload
    gc.collect()
    assert upload_store.size() >= len(data)
    run = next(run for run in report.runs if run.has_texts)
    assert run.texts(run.outcomes.questions[0]).predictions
    del report, run
    gc.collect()
    assert not [*upload_store.own().iterdir()]


def test_what_cannot_be_read_is_refused_as_ever(tmp_path):
    (tmp_path / "a.zip").write_bytes(b"no zip")
    with pytest.raises(LoadError, match="is not a zip") as there:
        reading.read(tmp_path / "a.zip", {}, silent)
    with pytest.raises(LoadError) as here:
        load(tmp_path / "a.zip")
    assert there.value.text == here.value.text


@pytest.mark.wide
def test_a_report_of_more_runs_than_pages_show_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "_call_for", lambda source: asking.AskedCall("", ROOM))
    monkeypatch.setattr(asking, "call", lambda f, *given, progress, budget: f(*given, progress))
    few = len(reading.read(SAMPLE, {}, silent).runs)
    monkeypatch.setattr(reading, "MOST_RUNS", few - 1)
    with pytest.raises(LoadError, match=f"holds {few} runs; pages show up to {few - 1}. Load a pa"):
        reading.read(SAMPLE, {}, silent)


def test_a_table_with_several_verdicts_is_asked_about_and_read_with_the_answer(tmp_path):
    data = b"id,judge,rule\na,1,0\n"
    upload = Upload.of("t.csv", [data], len(data))
    with pytest.raises(ColumnChoice) as asked:
        reading.read(upload, {}, silent)
    assert (asked.value.role, asked.value.candidates) == ("correct", ("judge", "rule"))
    assert "Say which column is correct" in str(asked.value)
    (run,) = reading.read(upload, {"correct": "rule"}, silent).runs
    assert run.outcomes.correct.tolist() == [[0]]


def test_a_text_of_a_report_stays_a_text(tmp_path):
    hostile = "cposix\\nsystem\\n(S'touch x'\\ntR."
    table = tmp_path / f"{hostile[:8]}.csv"
    table.write_text(f'question_id,correct,model\n"{hostile}",1,{hostile}\n')
    (run,) = reading.read(table, {}, silent).runs
    assert ([*run.outcomes.questions], run.model) == ([hostile], hostile)


def test_no_thread_waits_while_a_job_lets_none_run():
    with ThreadPoolExecutor(1) as pool:
        call(jobs.hold, 0)
        asked = pool.submit(call, jobs.hold, 1)
        ticks = 0
        while not asked.done():
            time.sleep(0.01)
            ticks += 1
    assert asked.result() == "done"
    assert ticks > 5


def test_what_a_job_raises_is_raised():
    with pytest.raises(MetricError, match="There are 3 of them") as refused:
        call(jobs.refuse)
    assert refused.value.text == Text("There are {count} of them.", count=3)
    with pytest.raises(calls.Fault, match=r"(?s)in err.*ZeroDivisionError"):
        call(jobs.err)


def test_a_job_that_is_killed_is_said():
    with pytest.raises(calls.Died) as died:
        call(jobs.die)
    assert died.value.over is None
    assert call(jobs.hold, 0) == "done"


@pytest.mark.wide
@pytest.mark.skipif(sys.platform != "linux", reason="does not say what a process takes")
def test_a_job_that_takes_too_much_memory_is_ended(tmp_path):
    with pytest.raises(calls.Died) as died:
        call(jobs.take, 200 << 20, budget=Budget(100 << 20))
    assert died.value.over == "memory"
    with pytest.raises(calls.Died) as died:
        call(jobs.have_memory_taken, tmp_path / "pids", budget=Budget(100 << 20))
    assert died.value.over == "memory"
    with pytest.raises(calls.Died) as died:
        call(jobs.run_out)
    assert died.value.over == "memory"


@pytest.mark.wide
@pytest.mark.skipif(sys.platform != "linux", reason="does not say what a process takes")
@pytest.mark.parametrize(
    ("work", "over"),
    [
        (jobs.work, "seconds"),
        (jobs.have_work_done, "judging"),
        (jobs.have_one_work, "judging"),
    ],
)
def test_a_job_that_takes_too_much_processor_time_is_ended(work, over, tmp_path):
    path, before = tmp_path / "pids", os.times()
    with pytest.raises(calls.Died) as died:
        call(work, path, budget=ROOM._replace(**{over: 0.5}))
    assert died.value.over == over
    assert os.times().elapsed - before.elapsed < WAIT
    assert soon(lambda: not any(map(lives, map(int, path.read_text().split()))))


def test_a_job_that_waits_takes_no_processor_time():
    assert call(jobs.hold, 1, budget=ROOM._replace(seconds=0.5)) == "done"


def test_what_reading_may_take_grows_with_the_bytes(tmp_path):
    path = tmp_path / "report"
    path.mkdir()
    small = reading._call_for(path).budget
    with (path / "sparse.json").open("wb") as file:
        file.truncate(100_000_000)
    large = reading._call_for(path).budget
    assert small == (600 << 20, 20, 300)
    assert large == (small.memory + 1_000_000_000, small.seconds + 200, 300)


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("memory", "takes more than 629 MB of memory to read. Load fewer samples at a time"),
        ("seconds", "takes more than 20 s of processor time to read. Load fewer runs at a time"),
        ("judging", "takes more than 300 s of processor time to compare its formulas. Load fewer"),
        (None, "the process that read it was ended, perhaps for want of memory. Try again"),
    ],
)
def test_a_file_whose_job_died_is_refused_in_a_sentence(over, said, tmp_path, monkeypatch):
    def died(*_arguments, **_options):
        raise calls.Died(over)

    monkeypatch.setattr(asking, "call", died)
    with pytest.raises(LoadError) as refused:
        reading.read(Upload("a.csv", tmp_path / "gone"), {}, silent)
    assert str(refused.value).startswith(f"a.csv: {said}")


def test_a_job_tells_how_far_it_is_and_who_asks_is_told_while_nothing_is_new(tmp_path):
    counts, heard = [], tmp_path / "heard"

    def tell(*count):
        counts.append(count)
        if counts.count((3, 7)) > 1:
            heard.touch()

    call(jobs.count, heard, progress=tell)
    assert {*counts} <= {(0, 0), (3, 7)}
    assert heard.exists()


class Left(BaseException):
    pass


def leave_once(path):
    """Leave once a job has written a file."""

    def tell(done, total):
        if path.exists() and (path.suffix == ".flag" or path.read_text().count(" ")):
            raise Left

    return tell


def test_a_job_ends_with_what_it_started_when_nobody_wants_it(tmp_path):
    path = tmp_path / "pids"
    with pytest.raises(Left):
        call(jobs.start_another, path, progress=leave_once(path))
    pids = [*map(int, path.read_text().split())]
    assert len(pids) == 2
    assert soon(lambda: not any(map(lives, pids)))


def test_what_an_ended_job_kept_goes_with_it(tmp_path):
    path = tmp_path / "kept.flag"
    with pytest.raises(Left):
        call(jobs.keep, path, progress=leave_once(path))
    gc.collect()
    assert not [*upload_store.own().iterdir()]


def test_a_job_goes_on_once_it_is_noted_what_it_keeps(tmp_path, monkeypatch):
    noted, remove_with = tmp_path / "noted", upload_store.remove_with

    def late(owner, path):
        time.sleep(0.2)
        remove_with(owner, path)
        noted.touch()

    monkeypatch.setattr(upload_store, "remove_with", late)
    assert call(jobs.name_kept, noted)


def test_one_job_ends_without_the_others(tmp_path):
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(call, jobs.hold, 1)
        path = tmp_path / "pids"
        with pytest.raises(Left):
            call(jobs.start_another, path, progress=leave_once(path))
        assert other.result() == "done"


def test_no_more_jobs_than_that_run_at_a_time(monkeypatch, tmp_path):
    monkeypatch.setattr(calls, "_turns", calls.BoundedSemaphore(1))
    written, free, waits = tmp_path / "written", tmp_path / "free", []

    def wait(*_):
        waits.append(written.read_text())
        if len(waits) > 3:
            free.touch()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(call, jobs.write_when, written, free, "first ")
        assert soon(written.exists)
        call(jobs.write_when, written, tmp_path, "second ", progress=wait)
        free.touch()
        assert first.result() == "done"
    assert waits[:4] == [""] * 4
    assert written.read_text() == "first second "


def test_a_server_starts_what_jobs_are_forks_of_and_a_job_does_not(monkeypatch):
    started = []
    monkeypatch.setattr(calls._template, "start", lambda: started.append("template"))
    monkeypatch.setattr(calls, "_here", False)
    calls.start()
    assert started == ["template"]
    calls.stay()
    calls.start()
    assert started == ["template"]


@pytest.mark.browser
def test_another_process_is_forked_from_when_the_first_is_gone():
    call(jobs.hold, 0)
    calls._template._process.kill()
    calls._template._process.wait()
    assert call(jobs.hold, 0) == "done"


ASKS = """
import signal, sys
from pathlib import Path
from kofn.workers import calls
from tests.kofn import jobs
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
budget = calls.Budget(1 << 30)
calls.call(jobs.start_another, Path(sys.argv[1]), progress=None, budget=budget)
"""


@pytest.mark.browser
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_jobs_end_with_their_server_however_it_ends(number, tmp_path):
    path = tmp_path / "pids"
    command = [sys.executable, "-c", ASKS, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as server:
        assert soon(lambda: path.exists() and " " in path.read_text())
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
        template = children.read_text().split() if children.exists() else []
        server.send_signal(number)
    pids = [*map(int, (*path.read_text().split(), *template))]
    assert soon(lambda: not any(map(lives, pids)))


class Calls:
    """Pickles as a call of a function."""

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments


@pytest.mark.parametrize(
    "function",
    [
        os.system,
        eval,
        getattr,
        __import__,
        subprocess.Popen,
        calls.call,
        load,
        wire.unpack,
        reading.read,
        upload_store.clear,
        pickle.loads,
        np.load,
        np.memmap,
        Path.unlink,
        type,
        open,
    ],
    ids=lambda function: function.__qualname__,
)
def test_nothing_is_made_but_values_of_a_report(function, tmp_path):
    parts = [pickle.dumps(Calls(function, str(tmp_path / "x")), protocol=5)]
    with pytest.raises(pickle.UnpicklingError, match="nothing that a report is made of"):
        wire.unpack(parts)


def test_a_function_of_a_module_is_not_reached_through_a_class():
    stream = b"\x80\x04\x8c\x14reports.files.errors\x8c\x12LoadError.__init__\x93."
    with pytest.raises(pickle.UnpicklingError):
        wire.unpack([stream])


def test_an_array_comes_as_it_went():
    arrays = [np.arange(100_000), np.arange(6).reshape(2, 3).T, np.array(["a", "bc"]), np.zeros(0)]
    arrays[0].flags.writeable = False
    there = wire.unpack([bytes(part) for part in wire.pack(arrays)])
    for a, b in zip(there, arrays, strict=True):
        assert np.array_equal(a, b)
        assert a.dtype == b.dtype
    assert not there[0].flags.writeable


@pytest.mark.wide
def test_digests_of_a_report_are_found_in_one_process_and_are_those_of_the_library(monkeypatch):
    begun = []
    beneath = asking.call
    monkeypatch.setattr(
        asking, "call", lambda *asked, **more: begun.append(asked[0]) or beneath(*asked, **more)
    )
    report = reading.read(SAMPLE, {}, lambda *_: None)
    begun.clear()
    assert reading.digest_runs(report.runs, lambda *_: None) == []
    assert len(begun) == 1
    for run, plain in zip(report.runs, load(SAMPLE).runs, strict=True):
        expected = digests(plain)
        assert run.digests.known is not None
        for name in ("prompt", "own", "reference"):
            assert (getattr(run.digests.known, name) == getattr(expected, name)).all()


def test_a_report_is_repaired_apart_and_goes_with_its_last_reader():
    report = DATA / "aisbench" / "gsm8k_n3_num_prompts.zip"
    made = reading.repaired(Upload.of("mine.zip", [report.read_bytes()], 0))
    place, repaired = made.place, load(made.place)
    assert repaired.runs[0].outcomes.digest == load(report).runs[0].outcomes.digest
    assert repaired.runs[0].reported["pass@3"] == pytest.approx(7 / 12)
    del made, repaired
    gc.collect()
    assert not place.exists()
