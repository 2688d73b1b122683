"""Soft against hard accuracy in figures: levels, thresholds, and names as they are written."""

import numpy as np
import pytest

from charts.levels import Spectrum, levels
from charts.thresholds import thresholds
from kofn.card import names
from kofn.choices.run_numbers import number_runs
from kofn.choices.view import View
from kofn.soft_vs_hard.analysis import Cutoff, compare_runs
from kofn.soft_vs_hard.figures import spectra, steps, thresholds_of
from kofn.soft_vs_hard.words import (
    describe_levels,
    describe_thresholds,
    levels_words,
    rule_of,
    thresholds_words,
)
from tests.kofn.indexed import HOSTILE, index
from tests.kofn.soft_vs_hard.soft_runs import TWO, run, scores


def numbers(cards):
    return number_runs({card.key: card.run for card in cards})


def figures(cards):
    marks = thresholds_of(cards)
    places = numbers(cards)
    return levels(spectra(cards, places, 8), marks, words=levels_words()), thresholds(
        steps(cards, places), marks, 0.95, words=thresholds_words()
    )


def test_a_histogram_has_every_level_and_no_colour_of_a_background():
    cards = compare_runs(TWO, View(), Cutoff())
    figure = levels(spectra(cards, numbers(cards), 8), thresholds_of(cards), words=levels_words())
    bars, marks = figure.data[::2], figure.data[1::2]
    assert [bar.name for bar in bars] == [mark.name for mark in marks] == ["7B", "70B"]
    assert len({mark.marker.symbol for mark in marks}) == 2
    assert (marks[0].y > bars[0].y).all()
    found = cards[0].found.accuracies.levels
    assert figure.data[0].y == pytest.approx(100 * found.share)
    assert set(figure.data[0].marker.opacity[found.right]) == {1.0}
    assert max(figure.data[0].marker.opacity[~found.right]) < 1
    assert figure.layout.shapes[0].x0 == 0.5
    assert figure.layout.paper_bgcolor is None
    assert "partial credit" in str(describe_levels(spectra(cards, numbers(cards), 8)))


def test_a_chosen_threshold_is_marked_beside_the_evaluator_s():
    cards = compare_runs(TWO, View(), Cutoff(threshold=0.3))
    assert {mark: str(name) for mark, name in thresholds_of(cards).items()} == {
        0.3: "threshold 0.3",
        0.5: "evaluator's threshold 0.5",
    }
    for figure in (
        levels(spectra(cards, numbers(cards), 8), thresholds_of(cards), words=levels_words()),
        thresholds(
            steps(cards, numbers(cards)), thresholds_of(cards), 0.95, words=thresholds_words()
        ),
    ):
        assert [shape.x0 for shape in figure.layout.shapes] == [0.3, 0.5]
        assert [note.xanchor for note in figure.layout.annotations] == ["right", "left"]


def test_a_threshold_that_is_assumed_says_so():
    (card,) = compare_runs(index(run(scores(), threshold=None)), View(), Cutoff())
    assert "assumed because the file states no threshold" in str(rule_of(card))
    assert "assumed" not in str(rule_of(compare_runs(TWO, View(), Cutoff())[0]))
    (card,) = compare_runs(index(run(scores(), assumed=True)), View(), Cutoff())
    assert "assumed because the file states no threshold" in str(rule_of(card))
    assert [str(name) for name in thresholds_of([card]).values()] == ["threshold 0.5"]


def test_over_datasets_a_histogram_has_the_mean_share_of_each_score():
    pairs = [(scores(), "x"), (scores(20, seed=1), "y")]
    cards = compare_runs(
        index(*(run(soft, dataset=name) for soft, name in pairs)), View(), Cutoff()
    )
    (drawn,) = spectra(cards, numbers(cards), 8)
    for score, share in zip(drawn.score, drawn.share, strict=True):
        assert share == pytest.approx(np.mean([(soft == score).mean() for soft, _name in pairs]))
    assert drawn.share.sum() == pytest.approx(1)
    assert (drawn.right == (drawn.score > 0.5)).all()


@pytest.mark.parametrize("rule", ["above", "reach"])
def test_many_scores_are_put_together_on_either_side_of_the_threshold(rule):
    soft = np.random.default_rng(3).integers(0, 51, (60, 4)) / 50
    cards = compare_runs(index(run(soft)), View(), Cutoff(0.3, rule))
    (drawn,) = spectra(cards, numbers(cards), 8)
    is_right = soft > 0.3 if rule == "above" else soft >= 0.3
    low, high = drawn.score - 0.025, drawn.score + 0.025
    for right, first, last, share in zip(drawn.right, low, high, drawn.share, strict=True):
        inside = (soft > first + 1e-6) & (soft < last - 1e-6) & (is_right == right)
        edges = np.isclose(soft, first) | np.isclose(soft, last)
        assert inside.mean() <= share + 1e-9 <= (inside | edges).mean() + 2e-9
    assert drawn.share.sum() == pytest.approx(1)
    assert drawn.share[drawn.right].sum() == pytest.approx(is_right.mean())
    assert len(drawn.score) <= 22
    assert np.diff(drawn.score).min() == pytest.approx(0.05)


def test_bars_of_near_levels_do_not_overlap():
    score = np.array([0.3, 0.31, 1.0])
    one = Spectrum("A", 0, score, np.full(3, 1 / 3), score > 0.5, np.zeros(3))
    figure = levels([one, one], {}, words=levels_words())
    assert sum(bar.width for bar in figure.data[::2]) < 0.01
    assert not figure.layout.shapes


def test_steps_hold_from_one_threshold_to_the_next():
    soft = np.array([[0.2, 0.6]])
    cards = compare_runs(index(run(soft)), View(), Cutoff())
    figure = thresholds(
        steps(cards, numbers(cards)), thresholds_of(cards), 0.95, words=thresholds_words()
    )
    line = figure.data[1]
    assert line.x.tolist() == [0, 0.2, 0.2, 0.6, 0.6, 1.0]
    assert line.y.tolist() == [100, 100, 50, 50, 0, 0]
    shown = figure.data[0]
    assert min(shown.y) >= 0
    assert max(shown.y) <= 100
    reached, above = figure.data[3], figure.data[4]
    assert reached.y.tolist() == [100, 50]
    assert above.y.tolist() == [50, 0]
    assert "falling from 100.0% to 50.0%" in str(describe_thresholds(steps(cards, numbers(cards))))


def test_names_in_figures_are_shown_letter_for_letter():
    cards = compare_runs(index(run(scores(), HOSTILE), run(scores(), "70B")), View(), Cutoff())
    for figure in (
        levels(spectra(cards, numbers(cards), 8), thresholds_of(cards), words=levels_words()),
        thresholds(
            steps(cards, numbers(cards)), thresholds_of(cards), 0.95, words=thresholds_words()
        ),
    ):
        assert "<b>" not in figure.to_json().replace("\\u003c", "<")
    assert names(compare_runs(index(run(scores()), run(scores(1))), View(), Cutoff()))[0] != "7B"
