"""Every sentence of guidance holds what is under it, and appears where its condition holds."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.guidance.analysis import Goals, guide_runs
from kofn.guidance.words import (
    IN_SHORT,
    ONE_SAMPLE,
    SURE,
    TIMES,
    advice,
    answer,
    distance_in_words,
    gap_in_words,
    gap_of,
    place_in_words,
    remedy,
    row_in_words,
    scenario_in_short,
    shortfall,
)
from kofn.writing.estimates import percent, points
from metrics import Outcomes, consistency, estimate, guidance, question_statistics
from metrics.analyses.guidance.decision_matrix import PROFILES
from metrics.analyses.guidance.gaps import FAR, NEAR, most_solved, tries_needed
from reports import Run
from tests.kofn.indexed import index


def of_counts(counts, n=4):
    return (np.arange(n) < np.asarray(counts)[:, None]).astype(np.int8)


def spread(m=120, n=8, seed=0, solve=lambda p: p):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < solve(rng.random((m, 1)))).astype(np.int8)


def answered(correct, wrong=3, seed=1):
    """Answer 0 is right; a wrong sample gives one of so many others."""
    rng = np.random.default_rng(seed)
    return np.where(correct == 1, 0, rng.integers(1, 1 + wrong, correct.shape)).astype(np.int32)


def cards(*runs, goals=None, **view):
    return guide_runs(index(*runs), View(**view), goals or Goals())


def run(correct, model="7B", dataset="maths", answers=None):
    return Run(model, dataset, Outcomes(correct), answers=answers)


def found(correct, answers=None, goals=None, **view):
    (card,) = cards(run(correct, answers=answers), goals=goals, **view)
    return card.found


def said(texts):
    return [str(text) for text in texts]


WIDE = of_counts([1] * 90 + [3] * 20 + [0] * 10, 8)
NARROW = of_counts([8] * 150 + [0] * 147 + [4] * 3, 8)
MOSTLY = of_counts([6] * 60 + [8] * 30 + [0] * 30, 8)
UNSTABLE = of_counts([2] * 380 + [4] * 20 + [0] * 5)


def test_one_sample_is_asked_for_eight_and_never_to_train_again():
    for share in (0.0, 0.3, 1.0):
        one = found((np.arange(200) < 200 * share).astype(np.int8)[:, None])
        assert list(advice(one)) == [ONE_SAMPLE]
    assert "n = 8" in str(ONE_SAMPLE)
    assert "rain" not in str(ONE_SAMPLE)


def test_of_one_sample_no_scenario_that_asks_for_stability_is_met():
    one = found(np.ones((400, 1), np.int8))
    reliability, tolerance, balanced = one.verdicts
    assert (tolerance.status, balanced.status) == ("met", "met")
    assert reliability.status == "undecided"
    goal = reliability.targets[0]
    assert str(distance_in_words(one, goal)) == "cons@1 says nothing of stability"
    assert "run n = 8" in str(remedy(one, goal))
    assert answer(cards(run(np.ones((400, 1), np.int8)))) == ONE_SAMPLE


def test_a_single_try_looked_at_asks_for_a_larger_k():
    (sentence,) = said(advice(found(spread(), k=(1,))))
    assert sentence.startswith("With k = 1 only pass@1 is looked at")
    assert "up to 8" in sentence


def test_a_row_that_holds_is_named_with_its_condition_and_chance():
    known = found(UNSTABLE, goals=Goals(low=0.4))
    profile, far = known.row()
    assert (profile, far) == (PROFILES[0], 0.0)
    sentence = str(row_in_words(known))
    assert sentence.startswith(f"AISBench's row holds: {profile.status}, with pass@4 ")
    for dimension, level in (("pass", "> 80%"), ("avg", "40% to 80%"), ("cons", "< 40%")):
        value = percent(known.estimates[dimension].value)
        assert f"{known.label(dimension)} {value} ({level})" in sentence
    assert f"chance {known.probability[profile.cell]:.0%}" in sentence
    assert sentence.endswith(str(profile.advice))


@pytest.mark.wide
@pytest.mark.parametrize(
    "data", [spread(), of_counts([2] * 30 + [8] * 20 + [0] * 10, 8), WIDE, of_counts([4] * 50)]
)
def test_where_no_row_holds_the_nearest_is_named_with_what_it_lacks(data):
    known = found(data)
    profile, far = known.row()
    assert known.cell not in [each.cell for each in PROFILES]
    sentence = str(row_in_words(known))
    assert sentence.startswith(f"Nearest of AISBench's rows: {profile.status}, but ")
    lines = {"high": (0.8, 1), "medium": (0.5, 0.8), "low": (0, 0.5)}
    off = []
    for dimension, level in zip(("pass", "avg", "cons"), profile.cell, strict=True):
        value, (low, high) = known.estimates[dimension].value, lines[level]
        off.append(max(low - value, value - high, 0.0))
        lacks = f"{known.label(dimension)} is {percent(value)}, not "
        assert (lacks in sentence) == (off[-1] > 0)
    assert far == pytest.approx(max(off))


def test_systematic_bias_is_looked_at_by_agreement():
    wrong = of_counts([0] * 60 + [1] * 2)
    known = found(wrong, answers=np.where(wrong == 1, 0, 7).astype(np.int32))
    profile, far = known.row()
    assert (profile.status.template, far) == ("Systematic bias", 0.0)
    sentence = str(row_in_words(known))
    assert f"agreement {percent(known.agreement.value)} (> 80%)" in sentence
    assert f"chance {known.bias:.0%}" in sentence
    assert found(wrong).row()[0] == PROFILES[3]


def test_pass_far_above_cons_says_what_a_check_and_a_vote_would_gain():
    answers = answered(WIDE)
    known = found(WIDE, answers=answers)
    assert known.gaps.apart >= SURE
    sentence = str(gap_in_words(known))
    assert sentence.startswith("Check answers, or vote: some of 8 tries solve ")
    assert f"surely more than {100 * FAR:.0f} points apart" in sentence
    outcomes = Outcomes(WIDE)
    some, one = (estimate(outcomes, name) for name in ("pass@k", "avg@n"))
    vote = estimate(outcomes, "plurality@k", answers=answers)
    checked = known.gaps.checked
    assert checked.value == pytest.approx(some.value - one.value)
    assert f"gains {points(checked.value, *checked.interval)} on one try" in sentence
    assert known.gaps.vote == vote
    assert known.gaps.voted.value == pytest.approx(vote.value - one.value)
    assert str(percent(vote.value)) in sentence


@pytest.mark.parametrize(
    ("correct", "wrong", "words", "end"),
    [
        (of_counts([5] * 100, 8), 40, "a vote by answers gains ", (0.01, 1)),
        (of_counts([2] * 100, 8), 1, ": do not vote.", (-1, -0.01)),
        (spread(30), 3, ": too close to call, ", (-1, 1)),
    ],
)
def test_a_vote_gains_loses_or_cannot_be_told(correct, wrong, words, end):
    known = found(correct, answers=answered(correct, wrong))
    low, high = known.gaps.voted.interval
    assert end[0] <= low <= high <= end[1]
    assert (low <= 0 <= high) == (end == (-1, 1))
    assert words in str(gap_in_words(known))


def test_without_answers_a_vote_is_unknown():
    assert "what a vote gains is not known without extracted answers" in str(
        gap_in_words(found(WIDE))
    )
    assert found(WIDE).gaps.vote is None


def test_near_one_another_more_samples_do_not_help():
    known = found(NARROW)
    assert known.gaps.checked.interval.high <= NEAR
    mixed_up = Outcomes(NARROW, texts=np.arange(1, NARROW.size + 1).reshape(NARROW.shape))
    (card,) = cards(Run("7B", "maths", mixed_up))
    sentence = str(gap_in_words(card.found))
    assert sentence.startswith("More samples will not help: 8 tries solve ")
    assert f"at most {points(known.gaps.checked.interval.high)} more" in sentence


def test_of_copies_nothing_is_said_about_more_tries():
    assert found(NARROW).gaps.copied
    assert str(gap_in_words(found(NARROW))).startswith("Samples look like copies")


def test_in_between_checking_is_offered_where_it_is_possible():
    known = found(MOSTLY)
    assert known.gaps.apart < SURE
    assert known.gaps.checked.interval.high > NEAR
    sentence = str(gap_in_words(known))
    some, one = (percent(known.estimates[each].value) for each in ("pass", "avg"))
    assert sentence.startswith(f"Check answers, if they can be: 8 tries solve {some}, one {one}.")


def test_agreed_wrong_answers_are_counted_and_to_be_looked_at():
    correct = of_counts([0] * 20 + [4] * 20)
    answers = np.where(correct == 1, 0, 7).astype(np.int32)
    known = found(correct, answers=answers)
    count = int(question_statistics(correct, answers).confidently_wrong().sum())
    assert known.gaps.wrong == count == 20
    sentence = said(advice(known))[-1]
    assert sentence.startswith("On 20 of 40 questions at least 80% of the samples agree on one")
    assert not any("agree on one" in each for each in said(advice(found(WIDE))))


@pytest.mark.parametrize("count", [1, 9])
def test_few_questions_are_said_to_be_too_few(count):
    first = said(advice(found(WIDE[:count])))[0]
    assert first.startswith(f"{count} question")
    assert "too few" in first
    assert "too few" not in said(advice(found(WIDE[:10])))[0]


def goals_of(known):
    return [goal for verdict in known.verdicts for goal in verdict.targets]


@pytest.mark.parametrize("data", [spread(), WIDE, MOSTLY, UNSTABLE, of_counts([4] * 300)])
def test_a_target_says_how_far_it_is(data):
    known = found(data)
    for goal in goals_of(known):
        metric = known.estimates[goal.dimension]
        sentence = str(distance_in_words(known, goal))
        value = percent(metric.value, *metric.interval)
        assert sentence.startswith(f"{known.label(goal.dimension)} {value}, ")
        short = goal.limit - metric.value
        assert shortfall(known, goal) == short
        assert ("above" in sentence) == (short < 0)
        if short >= 0:
            assert f"{points(short)} short of {100 * goal.limit:.4g}%" in sentence
        assert ("not for certain" in sentence) == (goal.status == "undecided")
        assert (remedy(known, goal) is None) == (short < 0)


def way(known, dimension, limit):
    (goal,) = (
        each
        for each in goals_of(known)
        if each.dimension == dimension and each.limit == pytest.approx(limit)
    )
    return str(remedy(known, goal))


def test_pass_is_reached_by_an_n_that_was_measured_or_takes_one_at_least_or_none():
    known = found(WIDE, k=(2,), goals=Goals(tolerance_pass=0.5))
    reached = way(known, "pass", 0.5)
    n = int(reached.split()[2])
    assert estimate(WIDE, "pass@k", n).value > 0.5 >= estimate(WIDE, "pass@k", n - 1).value
    assert str(percent(estimate(WIDE, "pass@k", n).value)) in reached
    hard = of_counts([4] * 30 + [0] * 70)
    needed = tries_needed(0.3, 4, 0.8)
    assert way(found(hard), "pass", 0.8) == f"It takes n = {needed} at least."
    assert 1 - 0.7 ** (needed / 4) > 0.8 >= 1 - 0.7 ** ((needed - 1) / 4)
    never = of_counts([1] + [0] * 399)
    out_of_reach = way(found(never), "pass", 0.8)
    assert f"with n = {4 * TIMES} pass is {percent(most_solved(1 / 400, 4, 64))} at most" in (
        out_of_reach
    )


def test_no_try_helps_where_nothing_is_solved():
    assert tries_needed(0.0, 4, 0.5) is None
    assert "No n within reach" in way(found(of_counts([0] * 50)), "pass", 0.8)


def test_cons_is_reached_by_a_vote_or_by_nothing():
    correct = of_counts([4] * 100 + [8] * 20, 8)
    vote = found(correct, answers=answered(correct, 40))
    value = percent(vote.gaps.vote.value)
    assert way(vote, "cons", 0.8) == f"A vote by answers reaches it: plurality@8 {value}."
    bad = found(correct, answers=answered(correct, 1))
    assert way(bad, "cons", 0.8) == (
        f"Nothing within reach: a vote by answers gives {percent(bad.gaps.vote.value)}."
    )
    assert way(found(correct), "cons", 0.8) == (
        "Without extracted answers nobody knows whether a vote reaches it."
    )


def test_avg_is_changed_by_no_n():
    correct = of_counts([4] * 100 + [8] * 20, 8)
    vote = found(correct, answers=answered(correct, 40))
    assert way(vote, "avg", 0.75).startswith("No n changes a single try; a vote of 8 solves ")
    checked = found(correct)
    solved = percent(checked.estimates["pass"].value)
    assert way(checked, "avg", 0.75) == f"No n changes a single try; checking 8 solves {solved}."
    hard = found(of_counts([8] * 30 + [1] * 30 + [0] * 70, 8))
    assert way(hard, "avg", 0.75).startswith("Nothing within reach: even checking 8 tries")
    assert way(found(spread(), k=(1,)), "avg", 0.75) == "No n changes a single try."


def test_a_cell_says_how_far_away_each_missed_target_is_and_no_more():
    known = found(of_counts([4] * 300))
    assert str(scenario_in_short(known, known.verdicts[2])) == "\u2713 met"
    known = found(UNSTABLE)
    short = points(0.8 - known.estimates["cons"].value)
    assert str(scenario_in_short(known, known.verdicts[0])) == f"\u2717 cons@4 {short} short"
    known = found(of_counts([4] * 47 + [0] * 3))
    assert str(scenario_in_short(known, known.verdicts[0])) == "? pass@4 not for certain"


GOOD, BAD = of_counts([4] * 300), of_counts([1] * 100 + [0] * 200)


def test_the_answer_names_who_meets_each_scenario_and_who_is_nearest():
    good, bad = run(GOOD, "big"), run(BAD, "small")
    met = f"meets the targets for all three kinds of work: pass@4 {_whole(GOOD)}, target 90%."
    assert str(answer(cards(good, bad))).startswith(
        f"big {met} big is the best in pass^4: 100.0% ("
    )
    slightly = of_counts([4] * 299 + [0])
    runs = [run(slightly, "large"), good, run(slightly, "huge")]
    assert str(answer(cards(*runs[:2]))).startswith(f"big {met} So does large. ")
    assert str(answer(cards(*runs))).startswith(f"big {met} So do large and huge. ")
    worse = run(of_counts([1] * 50 + [0] * 250), "tiny")
    said_ = str(answer(cards(bad, worse)))
    found = estimate(BAD, "avg@n")
    assert said_.startswith(
        "None of 2 models meets a target; closest is small for work that tolerates faults: avg@4 "
        f"{percent(found.value, *found.interval)}, target 70%."
    )
    assert "everyday" not in said_
    open_ = run(spread(40, 8, solve=lambda p: 0.6 + 0.4 * p), "open")
    said_ = str(answer(cards(bad, open_)))
    assert said_.startswith("open may meet the targets for ")
    assert ", but not for certain: " in said_
    two = [run(of_counts([4] * 7 * m + [0] * 3 * m), f"m{m}") for m in (4, 5)]
    value = _whole(two[0].outcomes.correct)
    assert str(answer(cards(*two))).startswith(
        "m4 may meet the targets for work that tolerates faults and everyday work, but not for "
        f"certain: pass@4 {value}, target 80%. So may m5. For work that must be reliable no model "
        f"meets the targets; m4 comes closest: pass@4 {value}, target 90%."
    )


def _whole(correct):
    found = estimate(correct, "pass@k", 4)
    return percent(found.value, *found.interval)


def test_the_answer_for_one_run_says_what_it_lacks():
    assert str(answer(cards(run(GOOD)))) == (
        f"7B meets the targets for all three kinds of work: pass@4 {_whole(GOOD)}, target 90%."
    )
    found = estimate(BAD, "avg@n")
    assert str(answer(cards(run(BAD)))).startswith(
        "7B meets no target; it is closest for work that tolerates faults: avg@4 "
        f"{percent(found.value, *found.interval)}, target 70%."
    )


ONCE = (np.arange(300) % 3 == 0).astype(np.int8)[:, None]


def test_one_sample_is_left_out_of_the_answer_and_named():
    told = str(answer(cards(run(GOOD, "big"))))
    left = str(answer(cards(run(GOOD, "big"), run(ONCE, "once"))))
    assert left == f"{told} once has one sample a question and is not judged: run it with n = 8."
    both = str(answer(cards(run(GOOD, "big"), run(ONCE, "once"), run(ONCE, "again"))))
    assert both.endswith(
        "once and again have one sample a question and are not judged: run them with n = 8."
    )


def test_where_only_one_try_is_looked_at_a_larger_k_is_asked_for():
    one_try = cards(run(GOOD), k=(1,))
    assert str(answer(one_try)).startswith("With k = 1 only pass@1 is looked at")
    assert list(place_in_words(one_try[0].found)) == []


def test_the_command_never_says_not_met_of_one_sample(tmp_path, capsys):
    file = tmp_path / "a.csv"
    lines = (f"{model},q{i},{i % 3 // 2}" for model in "ab" for i in range(90))
    file.write_text("model,question_id,correct\n" + "\n".join(lines))
    for form in ("table", "md"):
        assert main(["guide", str(file), "--format", form]) == 0
        told = capsys.readouterr().out
        assert told.count("One sample a question says nothing about stability") == 1
        assert told.count("Run it with n = 8") == 3
        assert "not met" not in told


def test_a_value_at_its_target_is_not_0_points_short_of_it():
    at = found(of_counts([4] * 270 + [0] * 30))
    goal = at.verdicts[0].targets[1]
    assert (goal.dimension, goal.limit) == ("pass", 0.9)
    assert str(scenario_in_short(at, at.verdicts[0])).endswith("pass@4 only at its target")
    assert ", right at 90% but not for certain" in str(distance_in_words(at, goal))


def test_the_answer_for_several_datasets_counts():
    runs = [run(GOOD, "big", "a"), run(GOOD, "big", "b"), run(BAD, "small", "a")]
    assert str(answer(cards(*runs))).startswith(
        "Of 3 runs 2 meet the targets for work that must be reliable. "
    )
    runs.append(run(spread(40, 8, solve=lambda p: 0.6 + 0.4 * p), "open", "b"))
    assert ", and 1 more may." in str(answer(cards(*runs)))
    assert str(answer(cards(runs[2], runs[3]))).startswith(
        "Of 2 runs 1 may meet the targets for work that must be reliable, and none surely does. "
    )
    assert str(answer(cards(run(BAD, "c", "a"), run(BAD, "d", "b")))).startswith(
        "None of 2 runs meets the targets for work that must be reliable. "
    )


def test_the_answer_without_verdicts_gives_the_reason():
    assert "does not say which samples were right" in str(answer(cards(Run("7B", "a", None))))


def test_the_vote_against_the_average_has_its_own_interval():
    correct = of_counts([5] * 100, 8)
    known = guidance(Outcomes(correct), answers=np.where(correct == 1, 0, 1))
    votes = consistency(correct)
    assert known.gaps.voted.value == pytest.approx(votes.difference.value)
    assert known.gaps.voted.interval == pytest.approx(votes.difference.interval, abs=0.03)


@pytest.mark.parametrize("count", [1, 9])
def test_of_few_questions_the_answer_is_that_they_are_too_few(count):
    said_ = str(answer(cards(run(WIDE[:count]))))
    assert said_.startswith(f"{count} question")
    assert "too few to say what a model is fit for" in said_
    assert " target" in str(answer(cards(run(WIDE[:count]), run(WIDE[:10], "9B"))))


@pytest.mark.parametrize(
    ("data", "view", "gap"),
    [
        (spread(n=1), {}, "one sample"),
        (spread(), {"k": (1,)}, "one try"),
        (NARROW, {}, "copied"),
        (of_counts([8] * 300, 8), {}, "near"),
        (WIDE, {}, "apart"),
        (MOSTLY, {}, "between"),
    ],
)
def test_each_case_has_a_short_word(data, view, gap):
    known = found(data, **view)
    assert gap_of(known) == gap
    assert str(IN_SHORT[gap])


def test_a_gap_that_may_be_small_is_not_said_to_be():
    known = found(of_counts([8] * 20 + [0] * 15 + [6] * 5, 8))
    low, high = known.gaps.checked.interval
    assert low < NEAR < high
    assert gap_of(known) == "between"
