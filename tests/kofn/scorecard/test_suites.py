"""The pooled rows of suites, on the real report of two suites."""

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kofn.choices.runs import index_runs, index_suites
from kofn.choices.view import View
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.columns import SCORES
from kofn.scorecard.suites import pool_suites
from metrics import Outcomes, Text, estimate
from reports import Report, Run, load
from reports.run.report import Suite
from tests.pages.visiting import OVERVIEW, REPORTS, visit, words
from tests.reports.mutations import zipped

PATH = Path(__file__).parents[2] / "data" / "aisbench" / "multi_subset_n4.zip"
REPORT = load(PATH)
RUNS = index_runs([REPORT])
DEFAULT = View()


def pooled(view=DEFAULT):
    return {card.key: card for card in pool_suites([REPORT], score_runs(RUNS, view))}


def score(card, label):
    return next(score for score in card.found.scores if score.label == label)


def test_a_suite_is_the_weighted_mean_of_its_datasets():
    cards = pooled(View(k=(2,)))
    assert len(cards) == 6
    for suite in REPORT.suites:
        card = cards[f"{suite.model} / {suite.name}"]
        values = [estimate(run.outcomes, "pass@k", 2).value for run in suite.runs]
        found = score(card, "pass@2").estimate
        assert found.value == pytest.approx(np.average(values, weights=suite.weights), abs=1e-12)
        assert found.interval.low < found.value < found.interval.high
        assert found.n_questions == sum(len(run.outcomes.correct) for run in suite.runs)


def test_a_suite_agrees_with_the_averages_its_report_states():
    for suite in REPORT.suites:
        if "avg@4" in suite.reported:
            card = pooled()[f"{suite.model} / {suite.name}"]
            mean = score(card, "avg@4").estimate.value
            assert mean == pytest.approx(suite.reported["avg@4"], abs=5e-5)


def test_what_cannot_be_pooled_says_why():
    card = pooled()["alpha-7b-chat / bbh"]
    assert "Only means over questions" in str(score(card, "geom-ds@4").reason)
    assert "no soft scores" in str(score(card, "soft").reason)


def test_a_suite_with_a_dataset_out_of_sight_has_no_row():
    assert not pooled(View(runs=tuple(RUNS)[:2]))


def test_suites_of_two_reports_are_told_apart():
    again = replace(REPORT, name="again.zip")
    keys = list(index_suites([REPORT, again]))
    assert "alpha-7b-chat / bbh (multi_subset_n4.zip)" in keys
    assert "alpha-7b-chat / bbh (again.zip)" in keys
    assert len(keys) == 12


def test_a_suite_is_told_from_a_run_of_its_name():
    run = REPORT.suites[0].runs[0]
    report = replace(REPORT, suites=(replace(REPORT.suites[0], name=run.dataset),))
    (key,) = index_suites([report])
    assert key == f"{run.model} / {run.dataset} #2"


def of_alpha(log):
    """The report without the other model, and with a file of its own."""
    members = {}
    with zipfile.ZipFile(PATH) as archive:
        for name in archive.namelist():
            if "beta-14b" not in name:
                members[name] = archive.read(name)
    return zipped(members | {f"20261120_080742/logs/{log}.out": b""})


@pytest.mark.parametrize("page", [REPORTS, OVERVIEW])
def test_pages_show_the_suites_of_two_reports(page):
    app = visit(page, ("a.zip", of_alpha("a")), ("b.zip", of_alpha("b")), form="metrics")
    assert not app.exception
    shown = words(app)
    if page == REPORTS:
        assert "are wrong" in shown
    else:
        suites = app.dataframe[0].value
        names = set(suites[suites["dataset"] == "bbh"]["run"])
        assert names == {f"alpha-7b-chat / bbh ({name}.zip)" for name in ("a", "b")}


def test_suites_reach_the_downloads():
    cards = tuple(pooled().values())
    assert set(SCORES.frame(cards)["dataset"]) == {"bbh", "mmlu", "mmlu-weighted"}


@pytest.mark.parametrize(
    ("groupings", "least"),
    [
        (["proven", "proven"], "proven"),
        (["stated", "proven"], "stated"),
        (["proven", "unknown", "stated"], "unknown"),
    ],
)
def test_a_suite_is_grouped_as_surely_as_the_least_of_its_runs(groupings, least):
    runs = tuple(
        Run("7B", f"d{i}", Outcomes([[1, 0], [0, 1]]), grouping=each)
        for i, each in enumerate(groupings)
    )
    suite = Suite("all", runs, (1.0,) * len(runs), {})
    report = Report("a.zip", Text("x"), runs, suites=(suite,))
    (card,) = pool_suites([report], score_runs(index_runs([report]), DEFAULT))
    assert card.run.grouping == least
