"""Who leads, said only where the paired difference leaves out 0, in the words of the overview."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.suites import pool_suites
from kofn.scorecard.words import answer
from metrics import Outcomes, Text, compare, estimate
from reports.run.report import Report, Run, Suite
from tests.kofn.indexed import index


def steady(model: str, right: int, dataset: str = "maths", m: int = 200, n: int = 8) -> Run:
    """Solves some questions always, and the others never."""
    correct = np.zeros((m, n), dtype=int)
    correct[:right] = 1
    return Run(model, dataset, Outcomes(correct))


def lucky(model: str, right: int, dataset: str = "maths", m: int = 200, n: int = 8) -> Run:
    """Solves every question with some of its samples."""
    correct = np.zeros((m, n), dtype=int)
    correct[:, :right] = 1
    return Run(model, dataset, Outcomes(correct))


def said(*runs: Run, **view: object) -> str:
    return str(answer(score_runs(index(*runs), View(**view), ScoreChoices(("avg@n",)))))


def test_a_sure_leader_is_named_with_its_value_and_lead() -> None:
    a, b = steady("a", 120), steady("b", 60)
    value, ahead = estimate(a.outcomes, "avg@n"), compare(b.outcomes, a.outcomes)
    assert ahead.sure
    told = said(a, b)
    assert told.startswith(f"a leads on one try: {100 * value.value:.1f}% (")
    assert f"{100 * ahead.value:.1f} points ({100 * ahead.interval.low:.1f} to " in told
    assert "ahead of b" in told


def test_runs_that_cannot_be_told_apart_lead_together() -> None:
    told = said(steady("a", 12, m=30), steady("b", 11, m=30))
    assert told.startswith("a and b may each be the best on one try")


def test_who_leads_on_many_tries_only_is_said_too() -> None:
    told = said(steady("a", 120), lucky("b", 2))
    assert told.startswith("a leads on one try: ")
    assert "b leads with 8 tries" in told
    assert "b leads with 4 tries" in said(steady("a", 120), lucky("b", 2), k=(2, 4))


def test_of_several_datasets_it_is_said_on_how_many_each_leads() -> None:
    runs = [steady("a", 120, d) for d in "xy"] + [lucky("b", 2, "x"), steady("b", 50, "y")]
    told = said(*runs)
    assert told.startswith("a is the best on one try: 60.0% (")
    assert told.endswith("ahead of b. It leads on both. With many tries b leads on x (k = 8).")


@pytest.mark.parametrize(
    ("runs", "start"),
    [
        ([steady("a", 50)], "a solves 25.0% ("),
        ([Run("a", "maths", None)], "The file does not say which samples were right"),
        ([steady("a", 50, n=1), steady("b", 40, n=1, m=200)], "a leads on one try"),
        ([Run("a", "x", None), Run("a", "y", None)], "No run says"),
    ],
)
def test_the_smallest_data(runs, start) -> None:
    assert said(*runs).startswith(start)


def test_averages_of_suites_do_not_lead() -> None:
    runs = tuple(steady("a", right, d) for right, d in ((50, "x"), (60, "y")))
    report = Report("a.zip", Text("x"), runs, suites=(Suite("all", runs, (1.0, 1.0), {}),))
    cards = score_runs(index(*runs), View(), ScoreChoices(("avg@n",)))
    assert answer((*cards, *pool_suites([report], cards))) == answer(cards)
