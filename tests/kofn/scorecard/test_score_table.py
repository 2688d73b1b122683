"""Scores as one table: its columns, its order, and the k that runs share."""

import numpy as np
import pytest

from kofn.choices.focus import datasets_that_fit
from kofn.choices.runs import shared_k
from kofn.choices.view import View
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.choices import ScoreChoices
from kofn.scorecard.table import lay_out, named_scores
from metrics import FAILED, Outcomes
from reports.run.report import Run
from tests.kofn.indexed import index


def run(model: str, dataset: str = "maths", n: int = 6, seed: int = 0) -> Run:
    rng = np.random.default_rng(seed)
    return Run(model, dataset, Outcomes((rng.random((20, n)) < rng.random((20, 1))).astype(int)))


def laid_out(*runs: Run, sort: str = "", chosen: ScoreChoices | None = None, **view: object):
    view = View(**view)
    cards = score_runs(index(*runs), view, chosen or ScoreChoices(("avg@n", "pass@k")))
    return lay_out(cards, view, sort)


def headings(table) -> list[str]:
    return [str(column.heading) for column in table.columns]


def test_runs_stand_in_the_order_of_the_chosen_column() -> None:
    runs = [run(model, seed=seed) for seed, model in enumerate("abcd")]
    for sort in ("avg@n", "pass@k"):
        table = laid_out(*runs, sort=sort, k=())
        values = [line.estimate(sort).value for line in table.lines]
        assert values == sorted(values, reverse=True)
        assert table.sorted_by is not None
        assert table.sorted_by.key == sort
    assert laid_out(*runs, sort="elsewhere").sort == "avg@n"


def test_a_run_without_the_number_stands_last() -> None:
    table = laid_out(run("one", n=1), Run("none", "maths", None), run("six"), sort="pass@k")
    assert [line.card.run.model for line in table.lines] == ["six", "one", "none"]
    assert table.lines[1].estimate("pass@k") is None


def test_datasets_stay_together_where_runs_compete_within_them() -> None:
    table = laid_out(*(run(m, d, seed=3 * i) for i, d in enumerate("xy") for m in "ab"))
    assert [line.card.run.dataset for line in table.lines] in (list("xxyy"), list("yyxx"))
    alone = laid_out(*(run("a", d, seed=i) for i, d in enumerate("xyz")))
    values = [line.estimate("avg@n").value for line in alone.lines]
    assert values == sorted(values, reverse=True)


def test_k_is_what_all_runs_of_a_dataset_share_so_that_they_can_be_compared() -> None:
    runs = [run("a", n=6), run("b", n=4), run("c", n=1), run("a", "other", n=3)]
    table = laid_out(*runs)
    ks = {line.card.key: line.scores["pass@k"].k for line in table.lines}
    assert ks == {"a / maths": 4, "b / maths": 4, "c / maths": 4, "a / other": 3}
    assert headings(table) == ["avg@n", "pass@k"]
    assert headings(laid_out(*runs[:2])) == ["avg@n", "pass@4"]


def test_failed_requests_count_towards_the_shared_k_unless_left_out() -> None:
    correct = np.ones((5, 4), dtype=int)
    correct[0, 0] = FAILED
    runs = [Run("7B", "maths", Outcomes(correct))]
    assert (shared_k(runs, View()), shared_k(runs, View(missing="omit"))) == (4, 3)
    assert shared_k([Run("7B", "maths", None)], View()) == 1
    assert shared_k([Run("7B", "maths", Outcomes([[-2, -2]]))], View()) == 1


VOTES = ScoreChoices(("maj@k", "cons@n"))


def test_the_vote_of_all_samples_is_one_column_under_both_names() -> None:
    table = laid_out(run("a"), run("b", seed=1), chosen=VOTES)
    assert headings(table) == ["maj@6, cons@6"]
    assert headings(laid_out(run("a"), chosen=VOTES, k=(3, 6))) == ["maj@3", "maj@6, cons@6"]
    assert headings(laid_out(run("a"), chosen=VOTES, k=(3,))) == ["maj@3", "cons@6"]


def test_votes_of_fewer_samples_stay_apart_though_both_are_always_right() -> None:
    right = Run("a", "maths", Outcomes(np.ones((20, 6), dtype=int)))
    assert headings(laid_out(right, chosen=VOTES, k=(3,))) == ["maj@3", "cons@6"]


def test_votes_of_runs_of_which_one_has_more_samples_stay_apart() -> None:
    table = laid_out(run("a"), run("b", n=8), chosen=VOTES)
    assert headings(table) == ["maj@6", "cons@n"]


def test_one_run_names_its_scores_alike() -> None:
    (card,) = score_runs(index(run("a")), View(), VOTES)
    assert [str(heading) for heading, _ in named_scores(card)] == ["maj@6, cons@6"]


def test_each_k_that_is_chosen_is_a_column() -> None:
    assert headings(laid_out(run("a"), k=(1, 4))) == ["avg@6", "pass@1", "pass@4"]


@pytest.mark.parametrize(
    ("target", "heading"), [("population", "bayes@6, of these questions"), ("benchmark", "bayes@6")]
)
def test_bayes_is_a_number_about_these_questions_whatever_the_others_are(target, heading) -> None:
    table = laid_out(run("a"), chosen=ScoreChoices(("bayes@n",)), target=target)
    assert headings(table) == [heading]
    found = table.lines[0].scores["bayes@n"].estimate
    assert found is not None
    assert found.target == "benchmark"


@pytest.mark.parametrize(
    ("sizes", "most", "inside"),
    [
        ({"x": 20, "y": 20, "z": 1}, 40, ["x", "y"]),
        ({"x": 90, "y": 1}, 40, ["x"]),
        ({"x": 1, "y": 90, "z": 1}, 40, ["x"]),
        ({}, 40, []),
    ],
)
def test_only_whole_datasets_are_in_view_and_always_one(sizes, most, inside) -> None:
    assert datasets_that_fit(sizes, most) == inside
