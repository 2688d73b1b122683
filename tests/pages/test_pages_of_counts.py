"""Pages of runs whose samples stay where they are: what counts suffice for, and what does not."""

import json
from pathlib import Path
from weakref import WeakValueDictionary

import pytest

from metrics import Outcomes
from metrics.data.words import Text
from pages.shared.memory.server_cache import READINGS
from reports.files.errors import LoadError
from reports.run.report import Run
from tests.pages.elsewhere import ADDRESS, counted, keep_elsewhere, visit_elsewhere
from tests.pages.visiting import (
    CHOOSE_N,
    COMPARE,
    PAGES,
    REPORTS,
    choose,
    look_closer,
    outcomes,
    settled,
    table,
    told,
    turn_to,
    words,
)
from tests.reports.kept_elsewhere import kept_elsewhere

QUESTIONS = "pages/data/questions/page.py"
OVERVIEW = "pages/results/overview/page.py"
NEEDS = "this needs the single samples"
UNKNOWN = "whose samples stay where they are"


@pytest.fixture(autouse=True)
def _nobody_looks(monkeypatch):
    """Forget what visitors of other tests looked at, at the same address."""
    monkeypatch.setattr(READINGS, "_known", WeakValueDictionary())


@pytest.fixture
def two(monkeypatch):
    return keep_elsewhere(monkeypatch, counted("alpha"), counted("beta", seed=7))


def listed(app):
    return app.dataframe[0].value["question"].tolist()


def labels(app):
    kinds = (app.selectbox, app.multiselect, app.toggle, app.slider, app.expander)
    return {each.label for kind in kinds for each in kind}


def test_every_page_stands_two_runs_of_counts_and_says_what_needs_samples(two):
    said = {}
    app = visit_elsewhere(OVERVIEW)
    for page in PAGES:
        app = turn_to(app, page)
        name = Path(page).parent.name
        said[name] = settled(app)
        assert not app.exception, page
        if name == "soft_vs_hard":
            assert words(app).count(NEEDS) == 1
            assert not labels(app) & {"Answers are", "A score that equals it", "Dataset", "k"}
            assert not app.dataframe
        else:
            assert NEEDS not in words(app), page
    assert "may each be the best on one try" in said["overview"]
    assert "Whether answers agree is unknown for " in said["consistency"]
    assert UNKNOWN in said["consistency"]
    assert "better on 28 of 60 questions" in said["compare"]
    assert "solvable but lost by a vote" in said["questions"]
    assert "if answers can be checked" in said["choose_n"]
    assert "Its samples stay where they are" in said["reports"]
    assert "The forecast from half of the samples" in said["saturation"]
    assert "AISBench's row holds" in said["guidance"]
    assert "are worth considering" in said["trade_offs"]


@pytest.mark.wide
@pytest.mark.parametrize(
    "runs",
    [
        [counted("alpha", m=1, n=1)],
        [counted("alpha", n=1), counted("beta", n=1, seed=7)],
    ],
)
def test_the_smallest_runs_of_counts_stand_on_every_page(monkeypatch, runs):
    keep_elsewhere(monkeypatch, *runs)
    app = visit_elsewhere(OVERVIEW)
    for page in PAGES:
        app = turn_to(app, page)
        settled(app)
        assert not app.exception, page


def test_runs_of_counts_stand_beside_runs_of_files(two):
    file = "a.parquet", table(outcomes(60, 8, 9), model="gamma")
    app = visit_elsewhere(REPORTS)
    app = turn_to(app.file_uploader[0].upload(*file).run(), COMPARE)
    assert "Only the counts of one of the two are known" in settled(app)
    assert not app.exception
    app = look_closer(turn_to(app, "pages/results/choose_n/page.py"), "best-of-n")
    assert "Every run" in words(app)
    app = turn_to(app, QUESTIONS)
    assert choose(app, "Run", "alpha / maths").dataframe[0].value["question"].tolist()
    app = choose(app, "Run", "gamma / maths")
    assert "samples" in app.dataframe[0].value


def test_questions_are_listed_by_the_place_that_has_them_page_by_page(monkeypatch):
    (run,) = keep_elsewhere(monkeypatch, counted("alpha", m=2100))
    app = visit_elsewhere(QUESTIONS)
    held = run.remote
    assert listed(app) == sorted(f"q{i:03}" for i in range(2100))[:1000]
    assert "**2,100 questions**" in told(app)
    assert held.asked == 1
    app = turn_to(turn_to(app, OVERVIEW), QUESTIONS)
    assert held.asked == 1
    app.query_params["page"] = "3"
    assert len(listed(app.run())) == 100
    never = int((held.outcomes.correct.sum(axis=1) == 0).sum())
    app = choose(app, "Show", "never")
    assert len(listed(app)) == never
    assert set(app.dataframe[0].value["right"]) == {"0/8"}
    app = choose(app, "Show", "all")
    app = choose(app, "Sort by", "right")
    assert app.toggle[0].set_value(True).run().dataframe[0].value["right"][0] == "8/8"
    app = choose(app, "Questions", "split=dev")
    assert "**700 questions**" in told(app)
    assert set(app.dataframe[0].value["segment.split"]) == {"dev"}


def test_a_link_to_questions_that_counts_do_not_tell_says_so(two):
    app = visit_elsewhere(QUESTIONS, filter="confidently-wrong", search="7", page="9")
    assert "That part of the link is left out" in words(app)
    assert len(listed(app)) == 60
    app = visit_elsewhere(QUESTIONS, right="0.1,0.6", a="alpha / maths")
    shares = (two[0].remote.outcomes.correct == 1).mean(axis=1)
    assert len(listed(app)) == int(((shares >= 0.1) & (shares <= 0.6)).sum())


def test_failed_requests_have_a_narrow_column(monkeypatch):
    held = Outcomes([[1, -1, 0], [1, 1, -1]], questions=["a", "b"])
    keep_elsewhere(monkeypatch, kept_elsewhere(Run("alpha", "maths", held, source="evals")))
    shown = visit_elsewhere(QUESTIONS).dataframe[0]
    assert shown.value["failed"].tolist() == [1, 1]
    columns = json.loads(shown.proto.columns)
    assert columns["failed"]["label"] == "Failed"
    assert columns["failed"]["width"] < 100 < columns["question"]["width"]


def test_best_of_n_of_counts_says_what_it_needs(monkeypatch):
    keep_elsewhere(monkeypatch, counted("alpha", m=5))
    app = look_closer(visit_elsewhere(CHOOSE_N), "best-of-n")
    assert not app.exception
    assert f"Only the counts of each question are known, but {NEEDS}" in told(app)


def test_a_place_that_is_gone_costs_its_list_and_pairs_only(two):
    for run in two:
        run.remote.gone = True
    app = visit_elsewhere(QUESTIONS)
    assert [each.value for each in app.warning] == ["engine\\: cannot be reached\\. Start it\\."]
    assert "solvable but lost by a vote" in words(app)
    app = turn_to(app, COMPARE)
    assert "engine: cannot be reached. Start it." in settled(app)
    assert "They are not paired" in told(app)
    for run in two:
        run.remote.gone = False
    (again,) = (each for each in app.button if each.label == "Ask again")
    again.click().run()
    assert "better on 28 of 60 questions" in settled(app)
    assert not app.warning
    app = turn_to(app, QUESTIONS)
    assert listed(app)


def test_a_list_that_is_stopped_can_be_asked_for_again(two, monkeypatch):
    def stopped(kind, key, what, do, stop):
        stop()
        raise LoadError("engine", Text("was stopped"), Text("Ask."))

    with monkeypatch.context() as patch:
        patch.setattr("pages.data.questions.remote_questions.wait_for", stopped)
        app = visit_elsewhere(QUESTIONS)
    assert "Stopped before these questions came" in words(app.run())
    (again,) = (each for each in app.button if each.label == "Ask again")
    assert len(listed(again.click().run())) == 60


def test_an_engine_counts_again_what_it_holds_when_the_visitor_wants(two, monkeypatch):
    app = visit_elsewhere(REPORTS)
    keep_elsewhere(monkeypatch, counted("alpha", m=90), digest="6" * 64)
    assert "evals: counted at" in told(visit_elsewhere(REPORTS))
    assert app.dataframe[0].value["Questions"].tolist() == [60, 60]
    (again,) = (each for each in app.button if each.label == "Count again")
    app = again.click().run()
    assert app.dataframe[0].value["Questions"].tolist() == [90]
    assert str(app.query_params["data"]).count("digest=6") == 1
    assert visit_elsewhere(REPORTS).dataframe[0].value["Questions"].tolist() == [90]


def test_segments_of_two_runs_are_compared_by_pairs_once_they_are_known(two):
    app = visit_elsewhere(COMPARE, picture="segments")
    settled(app)
    assert not app.exception
    held = [run.remote for run in two]
    assert sum(each.asked for each in held) == 3
    app = choose(app, "Questions", "split=dev")
    assert "of 20 questions" in settled(app)
    assert sum(each.asked for each in held) == 3


def test_what_may_be_a_secret_in_an_address_is_in_no_page_and_no_link(two, monkeypatch):
    monkeypatch.setenv("KOFN_REPORTS", f"{ADDRESS}?token=sesame")
    app = visit_elsewhere(REPORTS)
    for page in (REPORTS, COMPARE, QUESTIONS):
        app = turn_to(app, page)
        shown = [each.value for kind in (app.code, app.caption, app.markdown) for each in kind]
        assert "sesame" not in f"{settled(app)} {shown} {dict(app.query_params)}"
    assert "duckdb" in str(app.query_params["data"])
    two[0].remote.gone = two[1].remote.gone = True
    assert "sesame" not in words(choose(app, "Show", "flaky"))


def test_guidance_asks_for_what_its_comparison_lacks_where_it_is_opened_first(two):
    opening = settled(visit_elsewhere("pages/behaviour/guidance/page.py"))
    assert "beta and alpha may each be the best in pass^8" in opening
