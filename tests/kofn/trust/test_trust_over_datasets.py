"""What may have moved an average is what may have moved each dataset, by its share."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.trust.analysis import trust
from kofn.trust.doubts import Claim
from kofn.trust.over_datasets import mean_trust
from kofn.trust.words import answer, card_to_open
from metrics import Outcomes, compare, estimate, pool
from reports.run.report import Run
from tests.kofn.indexed import index


def run(model: str, dataset: str, right: int, failed: int = 0, m: int = 40) -> Run:
    """So many samples of each question are right; one of the others failed for some questions."""
    correct = np.array([np.roll([1] * right + [0] * (4 - right), row) for row in range(m)])
    for row in range(failed):
        correct[row, np.flatnonzero(correct[row] == 0)[0]] = -1
    return Run(model, dataset, Outcomes(correct))


RUNS = index(run("a", "x", 2, failed=20), run("a", "y", 3), run("b", "x", 1), run("b", "y", 1))


def test_the_average_is_moved_by_the_share_of_each_dataset():
    cards = trust(RUNS, View())
    first, second = mean_trust(cards)
    own = {card.key: card.found for card in cards}
    judged = pool([estimate(RUNS[f"a / {name}"].outcomes, "avg@n") for name in "xy"])
    assert first.found.judged.value == pytest.approx(judged.value)
    (failed,) = (each for each in first.found.causes if each.kind == "failed")
    (alone,) = (each for each in own["a / x"].causes if each.kind == "failed")
    assert (failed.low, failed.high) == pytest.approx((alone.low / 2, alone.high / 2))
    assert failed.high == pytest.approx(20 / 160 / 2)
    (chance,) = (each for each in first.found.causes if each.kind == "chance")
    low, high = judged.interval
    assert (chance.low, chance.high) == pytest.approx((low - judged.value, high - judged.value))
    assert [each.kind for each in second.found.causes] == ["chance"]


def test_the_answer_is_of_the_average_and_then_names_the_run_that_is_most_in_doubt():
    cards = trust(RUNS, View())
    assert card_to_open(cards).key == "a / mean"
    assert str(answer(cards)).startswith(
        "a solves 62.5% (59.0 to 65.9) on average over 2 datasets. Chance alone moves that by 3.5"
    )
    assert "Most in doubt is a / x with 50.0%: failed requests by up to +12.5 points" in str(
        answer(cards)
    )
    alone = trust({key: each for key, each in RUNS.items() if key.endswith("x")}, View())
    assert mean_trust(alone) == ()
    assert str(answer(alone)).startswith("a solves 50.0% (")


def test_who_would_lead_is_named_where_it_is_one_comparison():
    more, less = RUNS["a / y"].outcomes, RUNS["b / y"].outcomes
    keys = ("a / y", "b / y")
    turned = Claim("y", ("a", "b"), keys, compare(more, less), compare(less, more), "turns")
    held, resting = turned._replace(verdict="holds"), turned._replace(verdict="rests")
    cards = trust(RUNS, View())
    assert str(answer(cards, [turned])).endswith(
        "were corrected, b would lead a, not the other way round."
    )
    assert str(answer(cards, [resting])).endswith(
        "Whether a or b is better depends on which answers count."
    )
    assert "would lead in 1 of 2 comparisons of two models: b, not a, on y." in str(
        answer(cards, [turned, held])
    )
    assert str(answer(cards, [turned, turned])).endswith("in 2 of 2 comparisons of two models.")
