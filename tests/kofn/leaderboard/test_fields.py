"""What is said of runs that are not on the same questions, and where two cross."""

from dataclasses import replace

import numpy as np

from kofn.choices.view import View
from kofn.leaderboard.field import find_field
from kofn.leaderboard.words import (
    field_in_words,
    leaders_in_words,
    leaders_on_many_tries,
    unlike_runs_of,
)
from metrics import Outcomes, lead
from reports.run.report import Run
from tests.kofn.indexed import index


def steady(model: str, right: int, m: int = 80, n: int = 8) -> Run:
    """Solves some questions always, and the others never."""
    return Run(model, "maths", Outcomes(np.repeat([[1], [0]], [right, m - right], 0).repeat(n, 1)))


def lucky(model: str, m: int = 80, n: int = 8) -> Run:
    """Solves every question in one sample."""
    return Run(model, "maths", Outcomes(np.eye(1, n, dtype=int).repeat(m, 0)))


def field(*runs: Run, k: int = 8):
    return find_field("maths", index(*runs), k, View())


def said(*runs: Run, k: int = 8) -> str:
    return " ".join(map(str, field_in_words(field(*runs, k=k))))


def test_runs_on_other_questions_are_neither_led_nor_too_close() -> None:
    told_of = said(steady("a", 60), steady("b", 10, m=70))
    assert told_of.startswith("a is the highest on one try, 75.0% (")
    assert "but no other run is known to have the same questions." in told_of
    assert "lead" not in told_of
    assert "close" not in told_of
    told_of = said(steady("a", 60), steady("b", 10), steady("c", 5, m=70))
    assert told_of.startswith("Among the runs on the same questions, a leads on one try: 75.0% (")
    assert "ahead of b." in told_of


def test_one_that_passes_another_is_said_to_with_the_interval_of_the_crossing() -> None:
    runs = steady("a", 36), lucky("b")
    found = lead(*(run.outcomes for run in runs)).crossed
    assert f"It passes a at k = {found.k} ({found.low} to {found.high})." in said(*runs)
    assert field(steady("a", 60), steady("b", 10)).crossed is None
    assert field(*runs, k=1).crossed is None


def test_runs_made_with_other_settings_are_said_wherever_they_stand_beside_one_another() -> None:
    def made(run, **settings):
        return replace(run, settings=settings)

    runs = (
        made(steady("a", 60), temperature=0.7, seed=1, max_tokens=512),
        made(steady("b", 58), temperature=0.2, seed=2, max_tokens=512),
        made(steady("c", 50), temperature=0.7, max_tokens=64, top_p=0.9),
        made(steady("d", 40), temperature=0.2),
        steady("e", 30),
    )
    assert [*map(str, unlike_runs_of(field(*runs)))] == [
        "b and d were run with a different temperature than a.",
        "c was run with a different max_tokens than a.",
    ]


def test_a_field_holds_no_run() -> None:
    found = field(steady("a", 60), steady("b", 58))
    assert all(each.ends is None for each in found.one_try.ahead.values())


def test_without_verdicts_the_reason_is_told() -> None:
    silent = Run("c", "maths", None)
    assert said(silent).startswith("The file does not say which samples were right")
    found = field(steady("a", 60), silent)
    assert "does not say" in str(found.one_try.left_out["c / maths"])


def test_of_one_dataset_and_of_several() -> None:
    runs = steady("a", 36), lucky("b")
    one = field(*runs)
    assert list(leaders_in_words([one])) == list(field_in_words(one))
    assert list(leaders_on_many_tries([one])) == []
    both = [one, field(*runs)]
    assert [*map(str, (*leaders_in_words(both), *leaders_on_many_tries(both)))] == [
        "On one try a leads on both datasets.",
        "With many tries b leads on maths (k = 8) and maths (k = 8).",
    ]


def test_datasets_on_other_questions_are_counted_by_themselves() -> None:
    apart = find_field("sums", index(steady("a", 60), steady("b", 10, m=70)), 1, View())
    sure, close = field(steady("a", 60), steady("b", 10)), field(steady("a", 60), steady("b", 58))
    assert " ".join(map(str, leaders_in_words([sure, close, apart]))) == (
        "On one try a leads on 1 of 3 datasets, 1 is too close to call. On 1 dataset, it is "
        "unknown whether all runs have the same questions."
    )
    assert str(next(leaders_in_words([apart, close]))) == (
        "On one try, no model surely leads on any of 2 datasets."
    )
