"""Files that take long for their size: what reading them costs grows with them, and not faster."""

import io
import zipfile
from collections import Counter
from cProfile import Profile
from dataclasses import replace
from types import SimpleNamespace

import pytest

from kofn.workers.reading import _budget
from metrics.estimating import estimation
from reports import LoadError, load
from reports.evaluations.files.config import Config
from reports.evaluations.files.layout import Pair, join_judged
from reports.evaluations.reader import _ranked
from reports.files import archive
from reports.files.archive import open_tree
from reports.files.packed import zipped as zipped_files
from reports.files.tree import Tree
from reports.harnesses.evalscope.layout import _name_parts
from reports.harnesses.inspect import frames
from reports.harnesses.lighteval.files import stating
from reports.harnesses.swebench.runs import parts_of
from reports.loading import TOOL_READERS
from reports.run.remarks import dated
from reports.run.report import Run
from reports.samples import heads
from reports.samples.reading import Part, report
from tests.reports.bombs import BOMBS, cost
from tests.reports.mutations import zipped

ALIKE = (
    *("judged", "results", "lm_eval", "evalscope", "tau2", "lighteval", "bigcode"),
    *("swebench", "logs_of_swebench", "human_eval", "frames_of_inspect"),
)
FEW, TIMES = 3, 4


def calls(source):
    """Return how many functions reading a file calls: its cost, without a clock."""
    return calls_of(lambda: load(source))


def calls_of(work):
    """Return how many functions some work calls."""
    profile = Profile()
    profile.runcall(work)
    return sum(each.callcount for each in profile.getstats())


class Named(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        Named.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


class Counted(dict):
    """Files, and how often somebody goes through them."""

    times = 0

    def __iter__(self):
        self.times += 1
        return super().__iter__()


class Shared(tuple):
    """Files beside others, and how often somebody goes through them."""

    times = 0

    def __iter__(self):
        self.times += 1
        return super().__iter__()


def compared(work):
    """Return how often names are compared by some work."""
    before = Named.compared
    work()
    return Named.compared - before


@pytest.mark.wide
@pytest.mark.parametrize("name", ALIKE)
def test_the_cost_of_files_is_in_proportion_to_their_number(name, monkeypatch):
    monkeypatch.setattr(heads, "ROOM", 0)
    write = BOMBS[name].write
    load(write(FEW))
    few, many = (calls(write(count)) for count in (FEW, TIMES * FEW))
    assert many < 1.05 * TIMES * few


def test_what_files_begin_with_is_read_a_few_times_though_none_of_it_is_kept(monkeypatch):
    looks, read = [], heads._read
    monkeypatch.setattr(heads, "ROOM", 0)
    monkeypatch.setattr(heads, "_read", lambda *given: looks.append(given) or read(*given))
    members = {f"{i}.json": b'{"a": 1}' for i in range(9)}
    with pytest.raises(LoadError):
        load(("r.zip", zipped(members)))
    assert len(looks) <= 9 * len(TOOL_READERS) / 2


def test_pairs_are_ranked_with_a_few_looks_at_the_names_of_each():
    def ranked(count):
        names = [Named(f"m{i}") for i in range(count)]
        config = SimpleNamespace(models=dict.fromkeys(names), datasets={Named("d"): None})
        pairs = [Pair(Named(f"m{i}"), Named("d"), None, ()) for i in range(count)]
        return compared(lambda: _ranked(pairs, config))

    assert ranked(400) < 5 * ranked(100)


def test_what_judges_said_is_joined_with_a_few_looks_at_the_names_of_each():
    def joined(count):
        pairs = [Pair(Named("m"), Named(f"d{i}"), None, ("p",)) for i in range(count)]
        pairs += [Pair(Named("m"), Named(f"d{i}-judge"), "r", ()) for i in range(count)]
        return compared(lambda: list(join_judged(pairs, Config().datasets)))

    assert joined(400) < 5 * joined(100)


def test_results_of_lighteval_are_found_by_their_date():
    dates = [f"2026-11-20T08-52-06.{i:06d}" for i in range(400)]
    tree = open_tree(("r.zip", zipped({f"results_{date}.json": b"{}" for date in dates})))

    def found(count):
        stated = stating(tree, [f"results_{date}.json" for date in dates[:count]])
        return calls_of(lambda: [stated(f"details_x_{date}.parquet") for date in dates[:count]])

    found(400)
    assert found(400) < 4.4 * found(100)


def test_results_of_lighteval_are_parsed_once_for_all_tasks_of_a_run():
    date = "2026-11-20T08-52-06.000000"
    tree = open_tree(("r.zip", zipped({f"results_{date}.json": b'{"a": 1}'})))
    stated = stating(tree, [f"results_{date}.json"])
    first = stated(f"details_x_{date}.parquet")
    assert first == {"a": 1}
    assert stated(f"details_y_{date}.parquet") is first


def test_a_benchmark_of_evalscope_is_found_by_its_name_among_any_number():
    tree = open_tree(("r.json", b"{}"))

    def found(count):
        known = {f"b{i}" for i in range(count)}
        assert _name_parts(tree, "r.json", "b7_of_x", known) == ("b7", "of_x")
        return calls_of(lambda: _name_parts(tree, "r.json", "b7_of_x", known))

    assert found(1000) == found(10)


@pytest.mark.parametrize("name", ["swebench", "logs_of_swebench"])
def test_the_files_of_swebench_are_gone_through_a_few_times_for_all_models(name):
    def gone_through(count):
        tree = open_tree(BOMBS[name].write(count))
        files = Counted(tree.files)
        parts = parts_of(replace(tree, files=files))
        assert len([run for part in parts for run in part.read()]) == count
        return files.times

    assert gone_through(9) == gone_through(3)


def test_what_lies_beside_all_parts_is_taken_down_once():
    beside = Shared(["b"])
    run = Run("m", "d", None)
    parts = [Part(f"p{i}", lambda: [run], beside) for i in range(9)]
    report(open_tree(("r.csv", b"a\n")), "", parts)
    assert beside.times == 1


def test_lines_that_were_being_written_are_looked_up_by_their_file():
    tree, whole = open_tree(BOMBS["models"].write(2)), load(BOMBS["models"].write(2))
    tree.torn.update(Named(f"r{i}") for i in range(400))
    runs = tuple(Run("m", "d", None, source=Named(f"r{i}")) for i in range(400))
    assert compared(lambda: dated(replace(whole, runs=runs), tree)) < 4000


@pytest.mark.wide
def test_frames_of_evaluations_are_read_once_for_all_frames_of_samples(monkeypatch):
    tables = Counter()
    original = frames._Table.of
    of = lambda tree, path: tables.update([path]) or original(tree, path)  # noqa: E731
    monkeypatch.setattr(frames._Table, "of", of)
    load(BOMBS["frames_of_inspect"].write(6))
    evals = [count for path, count in tables.items() if path.endswith("evals.parquet")]
    assert evals == [1] * 6


def test_a_frame_of_evaluations_that_is_damaged_is_read_once_too(monkeypatch):
    tables = Counter()
    original = frames._Table.rows
    rows = lambda table, names: tables.update([table.source.path]) or original(table, names)  # noqa: E731
    monkeypatch.setattr(frames._Table, "rows", rows)
    file, data = BOMBS["frames_of_inspect"].write(3)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {path: bytearray(archive.read(path)) for path in archive.namelist()}
    members["0/evals.parquet"][100:400] = bytes(300)
    with pytest.raises(LoadError, match=r"evals\.parquet"):
        load((file, zipped({path: bytes(each) for path, each in members.items()})))
    assert tables["0/evals.parquet"] == 1


def test_stated_numbers_are_checked_without_an_interval_and_a_run_is_made_four_times(monkeypatch):
    made, intervals = [], []
    post, limits = Run.__post_init__, estimation.limits
    monkeypatch.setattr(Run, "__post_init__", lambda run: made.append(run) or post(run))
    monkeypatch.setattr(estimation, "limits", lambda *given: intervals.append(1) or limits(*given))
    found = load(BOMBS["results"].write(9))
    assert all(run.verified is False for run in found.runs)
    assert not intervals
    assert len(made) <= 4 * len(found.runs)


def test_what_runs_share_is_opened_once_to_look_for_doubled_questions(monkeypatch):
    opened = []
    original = zipped_files.open_zip
    monkeypatch.setattr(archive, "open_zip", lambda *given: opened.append(1) or original(*given))
    assert len(load(BOMBS["results"].write(9)).runs) == 9
    assert len(opened) == 2


@pytest.mark.wide
def test_texts_of_a_table_are_indexed_once_to_look_for_doubled_questions():
    def table(models):
        rows = "".join(f"m{i},q{j},asked {j},1\n" for i in range(models) for j in range(2))
        return "t.csv", f"model,question_id,prompt,correct\n{rows}".encode()

    load(table(4))
    assert calls(table(64)) < 4.4 * calls(table(16))


@pytest.mark.parametrize(("name", "times"), [("results", 7), ("results_of_no_run", 9)])
def test_a_results_file_is_opened_a_few_times_for_all_readers(name, times, monkeypatch):
    opened = Counter()
    original = Tree.open
    monkeypatch.setattr(
        Tree, "open", lambda tree, path: opened.update([path]) or original(tree, path)
    )
    load(BOMBS[name].write(9))
    assert sorted(opened.values())[:-1] == [times] * 8


def test_what_a_configuration_asks_for_is_counted_and_not_spelled_out():
    (note,) = load(BOMBS["models_listed"].write(10_000)).notes
    assert note.count == 9_999
    assert "also asks for m0/d1, m0/d2, m0/d3, m0/d4, m0/d5, …, but" in str(note.what)


@pytest.mark.parametrize(
    ("name", "said"),
    [("keys", "values, most of them empty"), ("keys_of_an_entry", "values, most of them empty")],
)
def test_an_object_of_millions_of_keys_is_refused_before_any_is_read(name, said, monkeypatch):
    monkeypatch.setattr("reports.json_files.strict._ANY_ROOM", 1 << 23)
    monkeypatch.setattr("reports.json_files.strict.FEW", 1 << 16)
    monkeypatch.setattr("reports.json_files.strict._LITTLE", 1 << 23)
    with pytest.raises(LoadError, match=said):
        load(BOMBS[name].write(100_000))


def test_results_of_more_metrics_than_any_tool_writes_are_refused():
    with pytest.raises(LoadError, match="holds 10,001 metrics; kofn reads up to 10,000"):
        load(BOMBS["metrics"].write(10_001))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_reading_stays_within_what_a_job_may_take(name, tmp_path):
    bomb = BOMBS[name]
    file, data = bomb.write(bomb.many)
    path = tmp_path / file
    path.write_bytes(data)
    found = cost(path)
    print(f"{name}: {found.size:,} bytes, {found.seconds:.2f} s, {found.mebibytes:.0f} MiB")
    assert "Traceback" not in found.said
    assert found.seconds < _budget(found.size).seconds
    assert found.mebibytes < _budget(found.size).memory / 2**20
