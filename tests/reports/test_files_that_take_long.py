"""Files that take long for their size: what reading them costs grows with them, and not faster."""

import sys

import pytest

from kofn.apart.reading import _budget
from reports import LoadError, load
from reports.loading import TOOL_READERS
from reports.samples import heads
from tests.reports.bombs import BOMBS, cost
from tests.reports.mutations import zipped

ALIKE = ("judged", "results", "lm_eval", "evalscope", "tau2", "lighteval", "bigcode", "swebench")
FEW, TIMES = 4, 4


def calls(source):
    """Return how many functions reading a file calls: its cost, without a clock."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        load(source)
    finally:
        sys.setprofile(None)
    return count


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
