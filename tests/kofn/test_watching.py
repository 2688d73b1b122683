"""Whether sources have changed on disk, looked at without reading them."""

import os
import time
from itertools import count
from threading import Event

import pytest

from kofn.workers import watching
from kofn.workers.sharing import SharedReadings
from kofn.workers.turns import Turns
from kofn.workers.watching import TIMES, Watches, can_be_watched, state_of
from metrics.data.words import Text
from reports.files.addresses import Address
from reports.files.errors import LoadError

TABLE = "id,sample,correct\na,0,1\na,1,0\nb,0,1\nb,1,1\n"


def silent(done, total):
    pass


def at(path):
    return Address.read(str(path))


def test_a_look_tells_what_was_written_added_and_removed_and_no_more(tmp_path):
    folder = tmp_path / "runs" / "deep"
    folder.mkdir(parents=True)
    (folder / "a.csv").write_text(TABLE)
    places = at(tmp_path / "runs"), at(folder / "a.csv"), at(tmp_path / "runs/*/*.csv")
    seen = [list(map(state_of, places))]
    (folder / ".hidden").write_text("x")
    assert list(map(state_of, places)) == seen[0]
    for change in (
        lambda: (folder / "a.csv").write_text(TABLE + "c,0,1\n"),
        lambda: os.utime(folder / "a.csv", (1, 1)),
    ):
        change()
        seen.append(list(map(state_of, places)))
        assert all(new != old for new, old in zip(seen[-1], seen[-2], strict=True))
    (folder / "b.csv").write_text(TABLE)
    (other,) = {*map(state_of, places)} & {*seen[-1]}
    assert other == state_of(places[1])
    (folder / "a.csv").unlink()
    assert [bool(state_of(place)) for place in places] == [True, False, True]


def test_a_place_is_looked_at_meanwhile_and_says_why_it_cannot_be():
    may_go_on, looks = Event(), iter(("a", LoadError("x", Text("is away"), Text("Wait."))))

    def look(source):
        may_go_on.wait(5)
        if isinstance(found := next(looks), LoadError):
            raise found
        return found

    watches, source = Watches(look), at("s3://evals/run.csv")
    assert can_be_watched(source)
    assert [watches.state(source) for _ in range(3)] == [None] * 3
    may_go_on.set()
    deadline = time.monotonic() + 5
    while watches.state(source, 60) != "a" and time.monotonic() < deadline:
        time.sleep(0.01)
    while watches.problem(source) is None and time.monotonic() < deadline:
        watches.state(source)
        time.sleep(0.01)
    assert (watches.state(source, 60), str(watches.problem(source))) == ("", "is away")


def test_what_an_engine_holds_is_not_watched():
    assert not can_be_watched(at("sc://host/a"))
    assert state_of(at("sc://host/a")) != state_of(at("sc://host/a"))


def test_those_who_follow_the_same_look_once_and_seldom_where_that_takes_long():
    clock, looks, took = [0.0], count(), 0.2

    def look(source):
        clock[0] += took
        return str(next(looks))

    watches = Watches(look, lambda: clock[0])
    source = at("runs")
    assert [watches.state(source, 10) for _ in range(3)] == ["0"] * 3
    clock[0] += 9.9
    assert watches.state(source, 10) == "0"
    clock[0] += 0.1
    assert watches.state(source, 10) == "1"
    clock[0] += TIMES * took - 0.01
    assert watches.state(source) == "1"
    clock[0] += 0.01
    assert watches.state(source) == "2"


def test_of_many_sources_those_asked_for_last_are_remembered(monkeypatch):
    monkeypatch.setattr(watching, "MOST", 2)
    looked = []
    watches = Watches(lambda source: looked.append(source.text) or "", lambda: 0.0)
    for name in ("a", "b", "a", "c", "a", "b"):
        watches.state(at(name), 10)
    assert looked == ["a", "b", "c", "b"]


def test_a_place_is_what_a_look_at_it_tells(monkeypatch):
    monkeypatch.setattr(watching, "look", lambda source: (source.text, 4096))
    assert state_of(at("s3://evals/run.csv")) == "s3://evals/run.csv"


def test_who_waits_for_a_turn_is_told_that_nothing_is_new():
    turns, told = Turns(), []

    def leave(*progress):
        told.append(progress)
        raise TimeoutError

    with turns.of("a", silent), turns.of("b", leave):
        assert told == []
        with pytest.raises(TimeoutError), turns.of("a", leave):
            pass
    assert told == [(0, 0)]
    with turns.of("a", leave):
        pass


def test_a_source_that_somebody_read_as_it_was_seen_is_not_read_again(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    readings, source = SharedReadings(), at(path)
    seen = state_of(source)
    first = readings.read(source, {}, silent, state=seen)
    path.write_text(TABLE + "c,0,1\n")
    assert readings.read(source, {}, silent, state=seen) is first
    assert readings.reading(first).state == seen
    second = readings.read(source, {}, silent)
    assert second is not first
    assert readings.reading(second).state == state_of(source)


def test_a_look_at_many_files_takes_no_time_that_grows_with_them(tmp_path):
    for number in range(300):
        (tmp_path / f"{number}.csv").touch()
    begun = time.process_time()
    small = state_of(at(tmp_path))
    spent = time.process_time() - begun
    with (tmp_path / "0.csv").open("wb") as file:
        file.truncate(1 << 33)  # without a block of its own
    begun = time.process_time()
    assert state_of(at(tmp_path)) != small
    assert time.process_time() - begun < 5 * spent + 0.05
