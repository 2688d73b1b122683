"""Who leads over all datasets, and every way in which a dataset is an exception."""

from types import SimpleNamespace

import numpy as np
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.compare.choices import CompareChoices
from kofn.compare.suite import two_of
from kofn.leaderboard.criteria import find_winner
from kofn.leaderboard.suite import find_standing
from kofn.leaderboard.words import exceptions, exclusions, suite_in_words
from metrics import Outcomes, Text
from reports import Report
from reports.run.report import Run


def solved(count):
    """Return 60 questions of which so many are always right."""
    return Outcomes((np.arange(60)[:, None] < count) * np.ones((1, 4), int))


def standing(a, b):
    """Set two models against one another that solve so many questions of each dataset."""
    runs = [
        Run(model, f"d{place}", solved(count))
        for model, counts in (("a", a), ("b", b))
        for place, count in enumerate(counts)
    ]
    return find_standing(index_runs([Report("x", Text("x"), runs)]), View(), metric="avg@n")


@pytest.mark.wide
@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ([50, 50], [10, 10], "It leads on both."),
        ([50, 50, 50], [10, 10, 10], "It leads on each."),
        ([50, 50, 30], [10, 10, 30], "It leads on d0 and d1; on d2 it is too close to call."),
        ([50, 50, 10], [10, 10, 50], "It leads on d0 and d1; b leads on d2."),
        (
            [50, 50, 50, 50, 10, 30],
            [10, 10, 10, 10, 50, 30],
            "It leads on 4 of them; b leads on d4; on d5 it is too close to call.",
        ),
        (
            [32] * 12,
            [30] * 12,
            "It surely leads on none of them alone; on d0, d1 and 10 more it is too close to call.",
        ),
    ],
)
def test_the_exceptions_are_named(a, b, said) -> None:
    suite, leaders = standing(a, b)
    assert suite.standing.leader == "a"
    assert [str(each) for each in exceptions(suite, leaders)] == [said]


def test_where_nobody_leads_over_all_those_who_lead_on_one_are_named() -> None:
    suite, leaders = standing([50, 10], [10, 50])
    assert len(suite.standing.leaders) == 2
    assert [str(each) for each in exceptions(suite, leaders)] == ["a leads on d0; b leads on d1."]

    assert " may each be the best on one try; the first has 50.0% (" in str(
        next(suite_in_words(suite, leaders))
    )
    suite, leaders = standing([30, 30], [30, 30])
    assert list(exceptions(suite, leaders)) == []


@pytest.mark.parametrize(
    ("base", "other", "two"),
    [
        ("", "", ("b", "a")),
        ("", "a", ("b", "a")),
        ("", "b", ("a", "b")),
        ("", "c", ("a", "c")),
        ("a", "", ("a", "b")),
        ("c", "c", ("c", "a")),
        ("c", "b", ("c", "b")),
    ],
)
def test_the_two_that_lead_are_looked_at_unless_others_are_chosen(base, other, two) -> None:
    standing = SimpleNamespace(estimates=dict.fromkeys("abc"))
    assert two_of(SimpleNamespace(standing=standing), CompareChoices(base, other)) == two


def test_a_dataset_of_some_models_is_left_out_aloud() -> None:
    suite, _leaders = standing([50, 50, 50], [10, 10])
    assert suite.datasets == ("d0", "d1")
    assert [str(each) for each in exclusions(suite)] == [
        "The average leaves out d2: not all models ran there."
    ]


def test_on_one_dataset_the_winner_is_said_in_like_words() -> None:
    runs = index_runs(
        [Report("x", Text("x"), [Run("a", "d", solved(50)), Run("b", "d", solved(10))])]
    )
    (said,) = find_winner(runs, View(), "pass^k")
    assert str(said).startswith("a is the best in pass^4: 83.3% (")
    assert str(said).endswith(") ahead of b.")
    assert find_winner({"a / d": runs["a / d"]}, View(), "pass^k") == ()
