"""Soft against hard accuracy run by run: the library's numbers, the evaluator's rule, orders."""

from pathlib import Path

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.soft_vs_hard.analysis import Cutoff, compare_runs, gap_makers
from kofn.soft_vs_hard.columns import NUMBERS
from kofn.soft_vs_hard.rankings import rankings, soft_order
from kofn.writing.columns import dtypes
from metrics import Outcomes, soft_hard
from reports import Run, load
from tests.kofn.indexed import index
from tests.kofn.soft_vs_hard.soft_runs import TWO, run, scores

ROOT = Path(__file__).parents[3]
PLAIN = index(Run("7B", "gsm8k", Outcomes([[1, 0]])), Run("7B", "aime", None))


def test_rows_are_the_library_s_numbers():
    view = View(level=0.9, target="benchmark")
    found = {
        row["metric"]: row
        for row in NUMBERS.rows(compare_runs(TWO, view, Cutoff()))
        if row["model"] == "7B"
    }
    truth = soft_hard(scores(), target="benchmark", confidence_level=0.9)
    for name, expected in [
        ("soft", truth.accuracy),
        ("avg@3", truth.avg),
        ("gap", truth.gap),
        ("pass@3", truth.passed),
        ("cons@3", truth.voted),
    ]:
        row = found[name]
        assert (row["value"], row["low"], row["high"]) == (expected.value, *expected.interval)
    assert found["not counted"]["value"] == truth.levels.below
    assert found["rounded up"]["value"] == truth.levels.above
    assert found["gap"]["rule"] == "above"


def test_a_frame_holds_all_rows_and_the_reasons_for_none():
    made = NUMBERS.frame(compare_runs(TWO | PLAIN, View(), Cutoff()))
    assert list(made.columns) == list(dtypes(NUMBERS.columns))
    assert len(made) == 2 * 7 + 2
    reasons = made["reason"].dropna().tolist()
    assert "identical by construction" in reasons[0]
    assert "does not say which samples were right" in reasons[1]


def test_the_evaluator_s_rule_holds_unless_another_is_chosen():
    (card,) = compare_runs(index(run(scores(), threshold=0.6, strict=False)), View(), Cutoff())
    assert (card.found.accuracies.threshold, card.found.accuracies.strict) == (0.6, False)
    chosen = Cutoff(threshold=0.3, rule="above")
    (card,) = compare_runs(index(run(scores(), threshold=0.6, strict=False)), View(), chosen)
    assert (card.found.accuracies.threshold, card.found.accuracies.strict) == (0.3, True)
    (card,) = compare_runs(index(run(scores(), threshold=None)), View(), Cutoff())
    assert card.found.accuracies.threshold == 0.5


def test_verdicts_of_the_file_that_are_others_are_counted():
    soft = scores()
    odd = Run("7B", "textvqa", Outcomes((soft > 0.8).astype(int), soft), threshold=0.5)
    (card,) = compare_runs(index(odd), View(), Cutoff())
    assert card.found.contrary.fields["count"] == int(((soft > 0.5) & (soft < 0.8)).sum())
    (card,) = compare_runs(index(odd), View(), Cutoff(threshold=0.4))
    assert card.found.contrary is None


def test_categories_are_no_verdicts_that_could_differ():
    soft = np.array([[0.0, 0.5, 1.0], [1.0, 1.0, 0.5]])
    graded = Run("7B", "textvqa", Outcomes((2 * soft).astype(int), soft))
    (card,) = compare_runs(index(graded), View(), Cutoff())
    assert card.found.accuracies.avg.value == pytest.approx(0.5)
    assert card.found.contrary is None


def test_choices_survive_a_link():
    for cutoff in (Cutoff(), Cutoff(0.3), Cutoff(0.0, "reach")):
        assert Cutoff.from_query(cutoff.to_query()) == (cutoff, ())
    cutoff, problems = Cutoff.from_query({"threshold": "2", "rule": "soft"})
    assert cutoff == Cutoff()
    assert len(problems) == 2


def test_orders_are_those_of_hard_accuracy_at_every_threshold():
    """A is ahead where a score above .3 is enough, B from .5 on."""
    a, b = np.array([[0.4], [0.4], [0.4], [0.0]]), np.array([[0.9], [0.9], [0.0], [0.0]])
    cards = compare_runs(index(run(a, "A"), run(b, "B")), View(), Cutoff())
    found = [(part.low, part.high, part.order) for part in rankings(cards)]
    first, second = (("A / textvqa",), ("B / textvqa",)), (("B / textvqa",), ("A / textvqa",))
    assert found == [(0.0, 0.4, first), (0.4, 0.9, second)]
    assert soft_order(cards) == second


def test_equals_share_a_place_and_one_run_has_no_order():
    cards = compare_runs(index(run(scores(), "A"), run(scores(), "B")), View(), Cutoff())
    assert {len(part.order) for part in rankings(cards)} == {1}
    assert rankings(cards[:1]) == ()


def test_the_questions_that_make_the_gap_come_first():
    soft = np.array([[0.0, 1.0], [0.3, 0.3], [0.9, 0.6], [0.6, 0.3]])
    (card,) = compare_runs(index(run(soft)), View(), Cutoff())
    found = gap_makers(card)
    assert [maker["question"] for maker in found] == ["1", "2", "3"]
    assert [maker["gap"] for maker in found] == pytest.approx([0.3, -0.25, -0.05])
    assert found[0]["scores"] == [0.3, 0.3]
    assert sum(maker["share"] for maker in found) == pytest.approx(card.found.accuracies.gap.value)


def test_the_real_report_s_accuracies_are_reproduced():
    """The stated accuracy is the soft one; its true avg@3 is the share above a half."""
    report = load(ROOT / "tests" / "data" / "aisbench" / "textvqa_n3.zip")
    for one in report.runs:
        (card,) = compare_runs(index(one), View(), Cutoff())
        both = card.found.accuracies
        found = {"accuracy": both.accuracy.value, "avg@": both.avg.value}
        for name, value in found.items():
            stated = next(one.reported[key] for key in one.reported if key.startswith(name))
            assert value == pytest.approx(stated, abs=1e-9)
