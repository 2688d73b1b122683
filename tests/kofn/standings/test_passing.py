"""Which run passes which: found, and said as surely as the differences allow."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.standings.passing import Passings, find_passings, in_words, others_in_words
from metrics import Outcomes, compare, estimate
from reports.run.report import Run
from tests.kofn.indexed import index


def steady(model: str, right: int, m: int, n: int = 8) -> Run:
    """Solves some questions always, and the others never."""
    correct = np.zeros((m, n), dtype=int)
    correct[:right] = 1
    return Run(model, "maths", Outcomes(correct))


def lucky(model: str, right: int, m: int, n: int = 8) -> Run:
    """Solves every question with some of its samples."""
    correct = np.zeros((m, n), dtype=int)
    correct[:, :right] = 1
    return Run(model, "maths", Outcomes(correct))


def found(*runs: Run, metric: str = "pass@k", last: int = 8, **view: object) -> Passings:
    return find_passings(index(*runs), metric, last, View(**view))


NAMES = {"steady / maths": "steady", "lucky / maths": "lucky"}


def test_a_run_that_is_behind_first_and_ahead_last_passes() -> None:
    runs = steady("steady", 120, 200), lucky("lucky", 2, 200)
    (passing,) = found(*runs).told
    assert (passing.before, passing.after) == ("steady / maths", "lucky / maths")
    values = [[estimate(run.outcomes, "pass@k", k).value for k in range(1, 9)] for run in runs]
    ahead = [b > a for a, b in zip(*values, strict=True)]
    assert passing.k == 1 + ahead.index(True)
    assert passing.gain.value == compare(*(run.outcomes for run in runs), "pass@k", 8).value
    assert passing.sure
    told = str(in_words(passing, NAMES))
    assert told.startswith(
        f"From k = {passing.k} on lucky passes steady: steady leads by 35.0 points"
    )
    assert "in pass@1, lucky by 40.0 points (" in told


def test_numbered_questions_of_runs_with_unlike_numbers_of_them_are_not_paired() -> None:
    (passing,) = found(steady("steady", 120, 200), lucky("lucky", 2, 190)).told
    assert not passing.lead.paired
    assert not passing.gain.paired


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ((steady("steady", 19, 20), lucky("lucky", 2, 20)), "lucky catches up with steady: steady"),
        ((steady("steady", 6, 20), lucky("lucky", 2, 20)), "lucky pulls ahead of steady: by"),
    ],
)
def test_a_lead_that_is_not_sure_is_said_to_be_too_close(runs, said) -> None:
    (passing,) = found(*runs).told
    told = str(in_words(passing, NAMES))
    assert said in told
    assert "too close to call" in told
    assert not passing.sure


def test_what_is_sure_at_neither_end_is_only_counted() -> None:
    unsure = found(steady("steady", 2, 5), lucky("lucky", 1, 5))
    assert not unsure.told
    assert "1 pair of runs changes places as k grows, too close" in str(others_in_words(unsure))
    assert others_in_words(Passings()) is None
    assert "2 more pairs" in str(others_in_words(Passings((object(),), 2)))  # type: ignore[arg-type]


def test_curves_that_keep_their_order_do_not_pass() -> None:
    assert found(steady("a", 30, 60), steady("b", 20, 60)) == Passings()


@pytest.mark.parametrize(
    ("metric", "last"), [("avg@n", 8), ("pass@k", 1), ("plurality@k", 8), ("mg-pass@k", 8)]
)
def test_a_metric_without_k_one_sample_or_no_answers_have_none(metric, last) -> None:
    passings = found(steady("steady", 120, 200), lucky("lucky", 2, 200), metric=metric, last=last)
    assert not passings.told


def test_a_run_of_fewer_samples_is_passed_over() -> None:
    assert not found(steady("steady", 120, 200, n=4), lucky("lucky", 2, 200)).told
    assert found(steady("steady", 120, 200, n=4), lucky("lucky", 2, 200), last=4).told


def test_a_slow_metric_is_looked_at_where_k_doubles() -> None:
    rng = np.random.default_rng(0)
    runs = []
    for model, one in (("steady", steady("", 120, 200)), ("lucky", lucky("", 3, 200))):
        answers = np.where(one.outcomes.correct == 1, 0, rng.integers(1, 9, one.outcomes.shape))
        runs.append(Run(model, "maths", one.outcomes, answers=answers.astype(np.int32)))
    (passing,) = found(*runs, metric="plurality@k").told
    assert passing.k in (1, 2, 4, 8)
