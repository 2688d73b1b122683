"""What candidates open with: the pick, between one sample and an oracle."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kofn.candidates.analysis import examine_runs
from kofn.candidates.choices import Picking
from kofn.candidates.figures import picture
from kofn.candidates.words import NEEDED, answer, leading_card, remarks
from kofn.choices.view import View
from kofn.writing.estimates import percent, points
from metrics import Way, compare_ways, estimate, selected, selection_efficiency
from tests.kofn.candidates.picked_runs import drawn, run
from tests.kofn.indexed import index

FIRST = Picking()


def examined(*runs, picking=FIRST, **view):
    return examine_runs(index(*runs), View(**view), picking)


def said(*runs, picking=FIRST, **view):
    return str(answer(examined(*runs, picking=picking, **view)))


def test_the_pick_stands_between_one_sample_and_an_oracle():
    right, signal = drawn()
    share = selection_efficiency(right, signal)
    picked, oracle, one = (
        percent(value)
        for value in (
            selected(right, signal, 8).value[0],
            estimate(right, "pass@k", 8).value,
            estimate(right, "avg@n").value,
        )
    )
    assert said(run(right, signal)) == (
        f"Picking by rm among 8 candidates solves {picked}; an oracle solves {oracle} and one "
        f"sample {one}. That is {percent(share.value, *share.interval)} of the possible gain."
    )


def test_a_pick_that_gains_nothing_over_a_plain_vote_says_so_with_the_paired_interval():
    right, _ = drawn()
    noise = np.random.default_rng(4).normal(size=right.shape)
    codes = np.where(right == 1, 0, np.arange(8) % 3 + 1)
    voted = replace(run(right, noise), answers=codes)
    less = compare_ways(voted, Way("rm"), Way(None), 8)
    vote = estimate(voted, "plurality@k", 8).value
    assert less.interval.low > 0
    sentence = f"A plain vote solves {percent(vote)}: {points(less.value, *less.interval)} less."
    assert sentence in said(voted)
    assert "plain vote" not in said(voted, target="benchmark")
    signal = right + 0.1 * noise
    assert "plain vote" not in said(replace(run(right, signal), answers=codes))


def test_one_candidate_of_many_asks_for_a_larger_k_and_not_for_more_samples():
    right, signal = drawn(20, 16)
    assert said(run(right, signal), k=(1,)) == (
        "One candidate leaves no choice: choose k from 2 to 16."
    )
    (card,) = examined(run(right, signal), k=(1,))
    assert not any("an oracle gains nothing" in str(text) for text in remarks(card.found))


def test_a_signal_that_may_say_nothing_may_gain_nothing():
    right, _ = drawn()
    noise = np.random.default_rng(4).normal(size=right.shape)
    assert "of the possible gain. It may gain nothing." in said(run(right, noise))


def test_a_signal_that_harms_is_said_to_and_the_lowest_picks_as_well_as_its_opposite():
    right, signal = drawn(strength=2.0)
    assert said(run(right, -signal)).startswith(
        "Picking by rm does harm: among 8 candidates it solves"
    )
    lowest = said(run(right, -signal), picking=Picking("-rm"))
    assert lowest == said(run(right, signal)).replace("by rm", "by the lowest rm")


def test_a_pick_that_gets_worse_with_more_candidates_is_said_to():
    rng = np.random.default_rng(2)
    right = (rng.random((300, 16)) < 0.5).astype(int)
    gamed = (right == 0) & (rng.random(right.shape) < 0.1)
    signal = right + rng.normal(size=right.shape) + 9 * gamed
    fall = selected(right, signal).fall
    low, high = fall.change.interval
    lost = points(-fall.change.value, -high, -low)
    assert said(run(right, signal)).endswith(
        f"Beyond {fall.first} candidates it gets worse, by {lost} with 16."
    )


def test_without_a_signal_it_says_which_column_would_bring_the_page_to_life():
    right, _ = drawn()
    tokens = np.ones(right.shape)
    for each in (run(right), run(right, tokens_out=tokens, human=tokens)):
        sentence = said(each)
        assert sentence.startswith("Among 8 candidates an oracle solves")
        assert sentence.endswith(str(NEEDED))
    (card,) = examined(run(right, tokens_out=tokens), picking=Picking("tokens_out"))
    assert str(card.found.signal) == "tokens_out"


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ([[1], [0]], "One sample per question leaves no choice"),
        ([[1, 0]], "There is only one question, which says nothing about others."),
        ([[1, 1], [0, 0]], "However one picks, 2 candidates are worth no more than one: 50.0%."),
    ],
)
def test_where_there_is_nothing_to_pick_it_says_so(right, expected):
    assert said(run(np.array(right))).startswith(expected)


def test_of_several_runs_the_best_pick_leads_and_the_others_are_counted():
    (right, good), (_, bad) = drawn(strength=3.0), drawn(strength=-3.0)
    runs = run(right), run(right, bad, "8B"), run(right, good, "9B")
    cards = examined(*runs)
    assert leading_card(cards).run is runs[2]
    assert leading_card(cards, cards[1].key).run is runs[1]
    sentence = str(answer(cards))
    assert sentence.startswith("9B: Picking by rm among 8 candidates solves")
    assert sentence.endswith("Picking surely gains for 1 of 2 runs. It surely harms 1.")


def test_costs_are_those_of_the_questions_looked_at():
    right, signal = drawn(2, 4)
    tokens = np.array([[10.0, 10, 10, np.nan], [30, 30, 30, 30]])
    (card,) = examined(run(right, signal, tokens_in=tokens, tokens_out=tokens))
    assert card.found.costs == {"tokens": 2 * np.nanmean(tokens)}


@pytest.mark.parametrize(("candidates", "drawn_ks"), [(1, None), (2, [1, 2])])
def test_two_candidates_are_drawn_and_one_is_not(candidates, drawn_ks):
    right, signal = (each[:, :candidates] for each in drawn())
    (card,) = examined(run(right, signal))
    figure = picture([card.about(SimpleNamespace(examined=card.found), None)], {})
    assert (figure and sorted({*figure.data[0].x})) == drawn_ks
