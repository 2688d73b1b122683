"""Work goes on beside the page: a page that is run again, or another one, waits for the rest."""

from statistics import median
from threading import Event
from time import perf_counter, sleep

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from kofn.workers import calls
from kofn.workers.reading import read
from metrics.data.words import Text
from reports.files.errors import LoadError
from tests.kofn import jobs
from tests.pages.visiting import OVERVIEW, REPORTS, ROOT, outcomes, table, visit, words
from tests.reports.mutations import zipped


@pytest.fixture(autouse=True)
def _reading():
    """Read in a process of its own, as a server does."""


class Work:
    """What a page asks for: it says how often it was begun, and ends when it is let go."""

    def __init__(self):
        self.begun, self.free, self.left = 0, Event(), Event()

    def __call__(self, progress):
        self.begun += 1
        try:
            while not self.free.wait(0.01):
                progress(1, 4)
        except SystemExit:
            self.left.set()
            raise
        return "done"


@pytest.fixture
def work(monkeypatch):
    made = Work()
    monkeypatch.setattr("tests.pages.test_waiting.WORK", made)
    yield made
    made.free.set()


WORK = Work()


def page():
    import streamlit as st

    from pages.shared.waiting import wait_for
    from tests.pages import test_waiting

    kind = st.session_state.get("key", "a")
    st.write(wait_for("kind", kind, "Working", test_waiting.WORK))


def interrupt(app: AppTest) -> None:
    """Run a page that does not come to its end; what it shows by then stays."""
    with pytest.raises(RuntimeError, match="timed out"):
        app.run(timeout=1)


@pytest.mark.wide
def test_work_is_not_begun_again_by_a_page_that_runs_again(work):
    app = AppTest.from_function(page)
    interrupt(app)
    interrupt(app)
    work.free.set()
    app.run(timeout=60)
    assert app.markdown[0].value == "done"
    assert work.begun == 1
    app.run(timeout=60)
    assert work.begun == 2


@pytest.mark.wide
def test_work_that_nobody_wants_any_more_ends(work):
    app = AppTest.from_function(page)
    interrupt(app)
    app.session_state["key"] = "b"
    interrupt(app)
    assert work.left.wait(60)
    assert work.begun == 2


def two_slow_files():
    from threading import Event

    import streamlit as st

    from pages.shared.waiting import wait_for

    for name in ("first", "second"):
        st.write(wait_for("file", name, name, lambda _: Event().wait(0.5), lambda: None))


@pytest.mark.wide
def test_each_of_two_slow_files_can_be_stopped(monkeypatch):
    monkeypatch.setattr("pages.shared.waiting.PATIENCE", 0)
    app = AppTest.from_function(two_slow_files).run(timeout=60)
    assert not app.exception
    assert len(app.markdown) == 2


def test_what_work_raises_is_raised_where_it_is_waited_for(monkeypatch):
    def fail(_progress):
        raise LoadError("a.json", Text("is no report"), Text("Give another."))

    monkeypatch.setattr("tests.pages.test_waiting.WORK", fail)
    app = AppTest.from_function(page).run(timeout=60)
    assert [each.message for each in app.exception] == ["a.json: is no report. Give another."]


@pytest.mark.wide
def test_a_file_that_is_still_read_is_there_on_the_next_page(monkeypatch):
    free = Event()

    def slowly(*arguments, **options):
        free.wait(60)
        return read(*arguments, **options)

    monkeypatch.setattr("kofn.workers.sharing.read", slowly)
    app = visit(REPORTS)
    app.file_uploader[0].upload("a.parquet", table(outcomes()))
    interrupt(app)
    free.set()
    app.switch_page(str(ROOT / OVERVIEW)).run()
    assert "Nothing is loaded" not in words(app)
    assert app.get("plotly_chart")
    assert not app.exception


def test_a_file_that_is_stopped_is_wanted_no_more(monkeypatch):
    left = Event()

    def forever(source, columns, progress):
        try:
            while True:
                progress(0, 0)
                sleep(0.01)
        except SystemExit:
            left.set()
            raise

    monkeypatch.setattr("kofn.workers.sharing.read", forever)
    monkeypatch.setattr("pages.shared.waiting.PATIENCE", 0)
    clicks = {}

    def button(self, label, *arguments, **options):
        clicks[label] = options.get("on_click")
        return drawn(self, label, *arguments, **options)

    drawn = DeltaGenerator.button
    monkeypatch.setattr(DeltaGenerator, "button", button)
    app = visit(REPORTS)
    app.file_uploader[0].upload("a.parquet", table(outcomes()))
    interrupt(app)
    clicks["Stop"]()  # a page that does not come to its end cannot be clicked on
    app.run()
    assert left.wait(60)
    assert not app.exception
    assert not app.error
    assert len(app.file_uploader) == 2


def test_nothing_that_was_read_is_kept_while_a_column_is_asked_about():
    app = visit(REPORTS, ("t.csv", b"id,judge,rule\na,1,0\n"))
    (asked,) = app.session_state["kofn.questions"]
    assert asked.choice.__traceback__ is None


def test_what_is_asked_of_a_report_goes_with_it():
    tables = {"clear.csv": b"id,correct\na,1\n", "open.csv": b"id,judge,rule\na,1,0\n"}
    app = visit(REPORTS, ("tables.zip", zipped(tables)))
    assert app.session_state["kofn.questions"]
    next(button for button in app.button if button.label == "Remove").click().run()
    assert not app.session_state["kofn.questions"]
    assert not app.selectbox


@pytest.mark.wide
@pytest.mark.parametrize("seconds", [4, pytest.param(30, marks=pytest.mark.slow)])
def test_a_page_is_as_fast_while_a_file_of_another_visitor_is_read(monkeypatch, seconds):
    """That file is read by one long call into C, which lets no other thread run."""
    done = Event()

    def hold(source, columns, progress):
        calls.call(jobs.hold, seconds, progress=progress, budget=calls.Budget(1 << 30))
        done.set()
        return read(source, columns, progress)

    another = visit(OVERVIEW, ("a.parquet", table(outcomes())))
    visitor = visit(REPORTS)
    monkeypatch.setattr("kofn.workers.sharing.read", hold)
    quiet = [time_of(another) for _ in range(5)]
    visitor.file_uploader[0].upload("b.parquet", table(outcomes(seed=1)))
    interrupt(visitor)
    busy = []
    while not done.is_set():
        busy.append(time_of(another))
    assert len(busy) > 3, "a page that waits for that call would have been run once"
    assert median(busy) < max(quiet) + seconds / 4


def time_of(app):
    start = perf_counter()
    app.run()
    return perf_counter() - start
