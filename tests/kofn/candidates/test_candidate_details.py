"""What lies behind a pick: votes by signals, other signals, lists, and what is seen to."""

from dataclasses import replace

import numpy as np
import pytest

from kofn.candidates.analysis import examine, examine_runs
from kofn.candidates.choices import Picking
from kofn.candidates.ranking_metrics import examine_lists
from kofn.candidates.signals import compare_signals
from kofn.candidates.words import answer, checklist, remarks, target_remarks
from kofn.choices.view import View
from metrics import (
    MetricError,
    Outcomes,
    Way,
    compare_ways,
    first_pass,
    ndcg,
    ranking_quality,
    recall_of_facts,
    selected,
    weighted_mean,
    weighted_vote,
)
from metrics.data.facts import Facts
from reports import Run
from tests.kofn.candidates.picked_runs import drawn, numbers, run
from tests.kofn.indexed import index

FIRST, VIEW = Picking(), View()


def voted(right, signal, **columns):
    codes = np.where(right == 1, 0, np.arange(right.shape[1]) % 3 + 1)
    return replace(run(right, signal, **columns), answers=codes)


@pytest.mark.parametrize(("vote", "rule"), [(None, "mean"), ("max", "max")])
def test_a_weighted_vote_stands_beside_the_others(vote, rule):
    right, signal = drawn(20, 4)
    each = voted(right, signal)
    (card,) = examine_runs(index(each), VIEW, Picking(vote=vote))
    assert [way.who for way in card.found.ways] == ["oracle", "picked", "weighted", "vote", "one"]
    truth = weighted_vote(each, signal, rule, 4)
    assert card.found.value("weighted") == truth.value[0]
    assert card.found.way("weighted").rule == rule


def test_weights_of_0_and_more_are_summed_for_few_k():
    right, signal = drawn(20, 12)
    each = voted(right, signal - signal.min())
    (card,) = examine_runs(index(each), View(k=(5,)), FIRST)
    way = card.found.way("weighted")
    assert way.rule == "sum"
    assert way.k.tolist() == [1, 2, 4, 5, 8, 12]
    truth = weighted_vote(each, each.columns["rm"], "sum", 5)
    assert way.at(5)[0] == truth.value[0]


def test_weights_below_0_cannot_be_summed_and_that_is_said():
    right, signal = drawn(20, 4)
    (card,) = examine_runs(index(voted(right, signal)), VIEW, Picking(vote="sum"))
    assert card.found.way("weighted") is None
    assert "Weights below 0 cannot be summed" in str(card.found.missing[0])


def test_other_signals_are_set_against_the_one_that_picks():
    right, signal = drawn(40, 4)
    worse = np.random.default_rng(4).normal(size=right.shape)
    first, other, vote = compare_signals(voted(right, signal, noise=worse), VIEW, FIRST).each
    assert (first.signal, other.signal, vote.signal) == ("rm", "noise", "")
    truth = compare_ways(right, signal, worse)
    assert (other.difference.value, other.difference.interval) == (truth.value, truth.interval)
    assert other.ranking.value == ranking_quality(right, worse).value
    codes = voted(right, signal).answers
    against = compare_ways(right, signal, Way(None), answers=codes)
    assert vote.value == first.value + against.value
    with pytest.raises(MetricError, match="no column of numbers, one value per sample"):
        compare_signals(run(right), VIEW, FIRST)


def test_other_signals_are_paid_in_soft_scores_where_these_count():
    right, signal = drawn(40, 4)
    soft = right * 0.6 + 0.2
    worse = np.random.default_rng(4).normal(size=right.shape)
    each = replace(voted(right, signal, noise=worse), outcomes=Outcomes(right, soft))
    found = compare_signals(each, VIEW, Picking("rm", soft=True))
    assert [rival.signal for rival in found.each] == ["rm", "noise"]
    for rival, by in zip(found.each, (signal, worse), strict=True):
        assert rival.value == selected(each, by, 4, soft=True).value[0]
        assert rival.difference is None
    assert "Mean scores have no vote" in str(found.missing[0])
    assert not compare_signals(each, VIEW, Picking("rm")).missing


def test_each_number_says_what_its_interval_covers_and_whether_it_is_a_share():
    right, signal = drawn(30, 4)
    human = np.where(np.arange(4) == 0, right, np.nan)
    each = replace(
        run(right, signal, human=human),
        answers=1 - right,
        question_columns={"embedding_distance": np.linspace(0.1, 0.9, 30)},
    )
    view = View(target="benchmark")
    examined = examine(each, view, FIRST)
    found = numbers(each, view, FIRST)
    assert found["first@4"]["target"] == found["any-pass"]["target"] == "benchmark"
    assert found["judged avg@n"]["target"] == found["corrected avg@n"]["target"] == "population"
    assert max(found["entropy"]["high"], found["distance"]["high"]) <= 1
    assert not any(found[name]["share"] for name in ("entropy", "distance", "answers", "DCG@4"))
    assert all(found[name]["share"] for name in ("nDCG@4", "any-pass", "corrected avg@n"))
    said = " ".join(map(str, remarks(examined)))
    assert "although another target was chosen" in said
    assert "though others" not in " ".join(map(str, remarks(examine(each, VIEW, FIRST))))
    solved = numbers(run(np.ones_like(right), signal), VIEW, FIRST)
    assert "even an oracle gains nothing" in str(solved["efficiency"]["reason"])
    assert "both right and wrong samples" in str(solved["ranking"]["reason"])
    assert not list(target_remarks(VIEW, ["judged avg@n"]))
    assert str(*target_remarks(view, ["judged avg@n"])).startswith(
        "The intervals of judged avg@n are"
    )


def test_a_list_has_the_order_of_positions_else_of_the_signal():
    right, signal = drawn(20, 4)
    places = np.argsort(np.argsort(signal, axis=1), axis=1) + 1.0
    for columns, order, how in (
        ({"position": places}, "their positions", {"position": places}),
        ({}, "rm", {"by": signal}),
    ):
        found = examine_lists(run(right, signal, **columns), VIEW, Picking(weights="3,2,1"))
        numbers = {number.name: number for number in found.numbers}
        assert str(found.order) == order
        assert numbers["nDCG@k"].at[3][0] == ndcg(right, 3, **how).value[0]
        assert numbers["first@k"].at[2][0] == first_pass(right, 2, **how).value[0]
        mean = weighted_mean(right, [3.0, 2, 1, 0], **how)
        assert numbers["weighted mean"].at[0][0] == mean.value
    assert not numbers["DCG@k"].share
    bare = examine_lists(run(right), VIEW, FIRST)
    assert bare.order is None
    assert "The order of the candidates is unknown" in str(bare.missing[0])
    assert [number.name for number in bare.numbers[:2]] == ["pass@k", "any-pass"]
    wrong = examine_lists(run(right, signal), VIEW, Picking(weights="many"))
    assert "there is no column many" in str(wrong.missing[-1])


def test_gold_facts_and_a_column_of_weights_are_counted_as_the_view_asks():
    right, signal = drawn(20, 4)
    covered = right.sum(axis=1)
    first = np.where(covered > 0, right.argmax(axis=1) + 1, 0)
    facts = Facts(np.arange(20), np.full(20, 4), covered, first)
    each = replace(run(right, signal, weight=np.tile([3.0, 2, 1, 0], (20, 1))), facts=facts)
    view = View(level=0.5, target="benchmark")
    found = examine_lists(each, view, Picking(weights="weight"))
    at = {number.name: number.at for number in found.numbers}
    for name, ranked in (("recall@k", False), ("first-recall@k", True)):
        truth = recall_of_facts(each, [2], ranked=ranked, **view.asked)
        assert at[name][2] == (truth.value[0], truth.low[0], truth.high[0])
    mean = weighted_mean(each, "weight", **view.asked)
    assert at["weighted mean"][0] == (mean.value, *mean.interval)
    scored = replace(each, outcomes=Outcomes(right, right * 0.5))
    soft = examine_lists(scored, view, Picking(weights="weight", soft=True)).numbers[-1]
    assert soft.at[0][0] == pytest.approx(mean.value / 2)
    unranked = replace(each, facts=replace(facts, first=None))
    names = [number.name for number in examine_lists(unranked, view, FIRST).numbers]
    assert "recall@k" in names
    assert "first-recall@k" not in names


def test_the_list_of_what_to_see_to_follows_the_run():
    right, signal = drawn(20, 4)

    def states(each, picking=FIRST):
        items = checklist(each, examine(each, VIEW, picking), picking)
        return "".join(item.state[0] for item in items)

    assert states(run(right)) == "mmdmdmmm"
    full = replace(
        voted(right, signal, tokens_out=np.ones(right.shape), human=right.astype(float)),
        outcomes=Outcomes(right, segments={"language": ["de", "en"] * 10}),
        settings={"judge_version": "2"},
    )
    assert states(full, Picking("rm")) == "dddddddd"
    assert "Recorded: judge_version." in [
        str(item.sentence) for item in checklist(full, examine(full, VIEW, FIRST), FIRST)
    ]


def test_what_is_said_of_a_weighted_vote_is_said_of_it_alone():
    right, signal = drawn(20, 4)
    each = voted(right, signal)
    (card,) = examine_runs(index(replace(each, answers=np.where(right, 0, -1))), VIEW, FIRST)
    said = list(map(str, remarks(card.found)))
    (mute,) = (text for text in said if "do not vote" in text)
    assert mute.startswith("Vote by mean signal: ")


def test_a_signal_that_gives_the_verdicts_is_called_optimistic():
    right, _ = drawn(20, 4)
    grades = right * 0.4 + 0.3
    soft = Run("7B", "maths", Outcomes(right, grades), columns={"judge": grades})
    for each, picking in ((run(right, grades), FIRST), (soft, Picking(soft=True))):
        cards = examine_runs(index(each), VIEW, picking)
        assert "That is optimistic" in str(answer(cards))
        (item,) = (
            item
            for item in checklist(each, cards[0].found, picking)
            if item.name.template.startswith("No signal both picks")
        )
        assert item.state == "doubtful"
