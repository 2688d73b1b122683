"""Places of samples are asked apart, once for all, and only for what a page lacks."""

import gc
from itertools import combinations

import pytest

from kofn.workers import asking
from kofn.workers.asking import AskedCall, WorkerRemote
from metrics import Counts, JointCounts, Outcomes
from reports.files.errors import LoadError
from reports.run.matching import match
from reports.run.report import Run
from tests.reports.kept_elsewhere import Elsewhere as Held

pytestmark = pytest.mark.usefixtures("own_garbage")

ASKED = AskedCall("engine", asking.Budget(1 << 30))


@pytest.fixture(autouse=True)
def _reading(monkeypatch):
    monkeypatch.setattr("kofn.workers.calls._here", True)


def made(model, correct, asked=ASKED, place="here"):
    outcomes = Outcomes(correct)
    remote = WorkerRemote(Held(outcomes, place), asked)
    return Run(model, "maths", None, counts=Counts.of(outcomes), remote=remote)


def told(*_done):
    pass


def test_what_is_not_known_is_wanted_and_then_asked_for_once_whichever_run_comes_first():
    a, b = made("a", [[1, 0], [0, 0]]), made("b", [[1, 1], [0, 1]])
    assert "is asked which questions" in str(match(a, b).refused)
    assert "is asked which questions" in str(match(b, a).refused)
    (lacking,) = asking.counts_wanted([a, b])
    assert asking.answers_known([a, b]) == (0, 0)
    done = []
    asking.ask([lacking], lambda *each: done.append(each))
    assert done == [(0, 1)]
    assert asking.counts_wanted([a, b]) == []
    assert asking.answers_known([a, b]) == (1, 0)
    assert match(a, b).shared == match(b, a).shared == 2
    known = JointCounts.of(Outcomes([[1, 0], [0, 0]]), Outcomes([[1, 1], [0, 1]]))
    assert a.joint(b).tally().c_b.tolist() == known.tally().c_b.tolist()
    assert b.joint(a).tally().c_b.tolist() == known.swapped.tally().c_b.tolist()
    asking.ask([lacking], told)
    assert a.remote.remote.asked + b.remote.remote.asked == 1


def test_all_that_a_page_lacks_is_asked_for_at_once():
    runs = [made(name, [[1], [0], [index % 2]]) for index, name in enumerate("abc")]
    pairs = list(combinations(runs, 2))
    for a, b in pairs:
        assert not match(a, b)
    asking.ask(asking.counts_wanted(runs), told)
    assert all(match(a, b).shared == 3 for a, b in pairs)
    assert sum(run.remote.remote.asked for run in runs) == 1


def test_a_segment_is_wanted_quietly():
    a, b = made("a", [[1], [0]]), made("b", [[1], [1]])
    assert a.joint(b, ("split", "test")) is None
    assert [each.segment for each in asking.counts_wanted([a, b])] == [("split", "test")]
    assert asking.counts_wanted([a]) == []


def test_runs_of_two_places_are_asked_for_once_too():
    a, b = made("a", [[1]]), made("b", [[1]], place="there")
    assert not match(a, b)
    asking.ask(asking.counts_wanted([a, b]), told)
    assert "is asked" not in str(match(a, b).refused)
    assert asking.counts_wanted([a, b]) == []


def test_a_place_that_is_gone_says_so_until_it_is_asked_again():
    a, b, c = made("a", [[1]]), made("b", [[1]]), made("c", [[0]])
    for each in (a, b, c):
        each.remote.remote.gone = True
    for one, other in ((a, b), (a, c)):
        assert not match(one, other)
    asking.ask(asking.counts_wanted([a, b, c]), told)
    assert a.remote.remote.asked == 1
    assert asking.answers_known([a, b, c]) == (0, 2)
    assert [str(each) for each in asking.unanswered([a, b, c])] == [
        "engine: cannot be reached. Start it."
    ]
    assert "cannot be reached" in str(match(b, a).refused)
    asking.ask_again([a, b, c])
    assert asking.unanswered([a, b, c]) == []
    a.remote.remote.gone = False
    asking.ask(asking.counts_wanted([a, b, c]), told)
    assert match(a, b)


def test_who_stops_waiting_ends_the_asking():
    a, b = made("a", [[1]]), made("b", [[1]])
    assert not match(a, b)

    def leave(*_done):
        raise SystemExit

    with pytest.raises(SystemExit):
        asking.ask(asking.counts_wanted([a, b]), leave)
    assert len(asking.counts_wanted([a, b])) == 1


def test_answers_go_with_the_runs():
    a, b = made("a", [[1]]), made("b", [[1]])
    assert not match(a, b)
    asking.ask(asking.counts_wanted([a, b]), told)
    assert asking.answers_known([a, b]) == (1, 0)
    del b
    gc.collect()
    assert asking.answers_known([a]) == (0, 0)


def test_a_list_is_asked_for_in_a_process_of_its_own(monkeypatch):
    asked = []

    def call(function, *arguments, progress, budget):
        asked.append((function.__name__, budget))
        return function(*arguments, progress)

    monkeypatch.setattr(asking, "call", call)
    run = made("a", [[1, 0], [0, 0], [1, 1]])
    table = asking.watched(run.remote, told).questions(1, 5)
    assert table["right"].to_pylist() == [0, 2]
    assert asked == [("_list", asking.Budget(1 << 30))]


def test_a_process_that_is_ended_is_said(monkeypatch):
    def call(*_asked, **_named):
        raise asking.Died("memory")

    monkeypatch.setattr(asking, "call", call)
    with pytest.raises(LoadError, match="more than 1,074 MB"):
        made("a", [[1]]).remote.questions(0, 1)
