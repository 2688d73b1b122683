"""What soft against hard opens with: the numbers of the library, and what decides."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.soft_vs_hard.analysis import Cutoff, compare_runs
from kofn.soft_vs_hard.words import ALL_OR_NONE, FEATURES, NOTHING, answer
from kofn.writing.estimates import percent, points
from metrics import Outcomes, soft_hard
from reports import Run
from tests.kofn.indexed import index
from tests.kofn.soft_vs_hard.soft_runs import run, scores, table
from tests.pages import visiting


def said(*runs, **view):
    return str(answer(compare_runs(index(*runs), View(**view), Cutoff())))


def constant(value, m=60):
    return np.tile([[value, value, value]], (m, 1))


def test_partial_credit_is_worth_the_gap_of_the_run_where_it_is_most():
    most = np.where(np.arange(60)[:, None] < 40, 0.3, 1.0) * np.ones((60, 3))
    truth = soft_hard(most, threshold=0.5, strict=True)
    assert truth.gap.interval.low > 0
    sentence = said(run(most), run(constant(1.0), "70B"))
    gap = points(truth.gap.value, *truth.gap.interval)
    soft, hard = percent(truth.accuracy.value), percent(truth.avg.value)
    assert sentence.startswith(
        f"Partial credit adds {gap} to the score of 7B: {soft} soft, {hard} hard. The order"
    )


def test_partial_credit_that_lowers_a_score_takes_from_it():
    high = np.where(np.arange(60)[:, None] < 40, 0.7, 0.0) * np.ones((60, 3))
    truth = soft_hard(high, threshold=0.5, strict=True)
    assert truth.gap.interval.high < 0
    low, most = truth.gap.interval
    gap = points(-truth.gap.value, -most, -low)
    assert said(run(high)).startswith(f"Partial credit takes {gap} from the score of 7B: ")


def test_a_gap_that_may_be_none_is_nothing_to_build_on():
    soft = scores(40)
    truth = soft_hard(soft, threshold=0.5, strict=True)
    low, high = truth.gap.interval
    assert low <= 0 <= high
    gap = points(truth.gap.value, low, high)
    assert said(run(soft)) == (
        f"Partial credit changes the score of 7B by {gap}. 40 questions are too few to be sure."
    )


def test_the_order_is_the_same_at_every_threshold_or_depends_on_it():
    worse, better = (
        np.repeat([0.0, 0.3, 1.0], counts)[:, None] * np.ones((60, 3))
        for counts in ([18, 18, 24], [6, 12, 42])
    )
    assert (
        " The order of the models is the same at every threshold. 70B is the best by soft score: "
    ) in said(run(worse), run(better, "70B"))
    crossed = [run(constant(0.6)), run(np.tile([[1.0, 0.0, 0.0]], (60, 1)), "70B")]
    assert " The order of the models depends on the threshold. " in said(*crossed)
    elsewhere = [run(each.outcomes.scores, each.model, "docvqa") for each in crossed]
    assert "depends on the threshold on 2 of 2 datasets" in said(*crossed, *elsewhere)


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([run(constant(1.0)), run(constant(0.0), "70B")], ALL_OR_NONE),
        ([Run("7B", "maths", Outcomes([[1, 0], [0, 0]]))], NOTHING),
        ([Run("7B", "maths", None)], NOTHING),
    ],
)
def test_where_there_is_no_partial_credit_both_are_the_same(runs, expected):
    assert said(*runs) == str(expected)


def test_the_page_opens_with_it_and_has_the_five_features():
    app = visiting.visit("pages/behaviour/soft_vs_hard/page.py", ("a.parquet", table(scores())))
    assert not app.exception
    assert app.header[0].value.startswith("Partial credit ")
    features = app.table[-1].value
    assert len(features) == len(FEATURES) == 5
    assert features.iloc[0].tolist()[1:] == [
        "how well an answer matches, from 0 to 1",
        "whether it is right, 0 or 1",
    ]
