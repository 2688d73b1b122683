"""Whether a signal and a judge can be trusted, and what numbers mean together."""

from dataclasses import replace

import numpy as np
import pytest

from kofn.candidates.analysis import examine, examine_weighted_vote
from kofn.candidates.choices import Picking
from kofn.candidates.diversity import measure_diversity
from kofn.candidates.judging import judge_run, list_to_check
from kofn.candidates.ranking_metrics import examine_lists
from kofn.candidates.signals import check_signal, choose_nested
from kofn.candidates.words import (
    calibration_in_words,
    correction_remarks,
    diversity_remarks,
    missed_candidates,
    nested_in_words,
    order_remarks,
)
from kofn.choices.view import View
from metrics import (
    MetricError,
    correct_judge,
    judge_errors,
    judged_rate,
    optimism,
    prediction_powered,
    signal_calibration,
    text_diversity,
)
from reports import Calibration
from tests.kofn.candidates.picked_runs import drawn, numbers, run

FIRST, VIEW = Picking(), View()


@pytest.fixture(scope="module")
def sure():
    """A signal that is a probability, and another."""
    right, _ = drawn(80, 4)
    rng = np.random.default_rng(3)
    signal, other = (np.clip(0.3 * right + 0.7 * rng.random(right.shape), 0, 1) for _ in range(2))
    return run(right, signal, judge=other)


def test_a_signal_is_set_against_the_verdict_and_against_others(sure):
    found = check_signal(sure, VIEW, FIRST)
    signal, other = sure.columns["rm"], sure.columns["judge"]
    assert found.calibration[0].error == signal_calibration(sure, signal).error
    assert found.by_verdict[0].optimism.tolist() == optimism(sure, signal).optimism.tolist()
    assert found.by_other["judge"].gap.tolist() == optimism(sure, signal, other).gap.tolist()
    said = [str(text) for text in calibration_in_words(found)]
    assert len(said) == 3
    assert "judge" in said[2]
    wild = check_signal(run(*drawn(20, 4)), VIEW, FIRST)
    assert wild.calibration[0] is None
    assert "from 0 to 1" in str(wild.calibration[1])


def test_a_choice_is_judged_on_questions_that_had_no_part_in_it(sure):
    found = choose_nested(sure, VIEW, FIRST)
    assert [str(name) for name in found.names[:3]] == [
        "rm",
        "judge",
        "rm and judge of equal weight",
    ]
    assert found.name == found.names[found.nested.place]
    assert "When one half of the questions chooses among 6 ways" in str(
        next(nested_in_words(found))
    )
    with pytest.raises(MetricError, match="no column of numbers"):
        choose_nested(run(sure.outcomes.correct), VIEW, FIRST)
    flat = {"judge": np.ones(sure.outcomes.shape)}
    constant = replace(sure, columns={**sure.columns, **flat})
    names = list(map(str, choose_nested(constant, VIEW, FIRST).names))
    assert names == [str(name) for name in found.names if name.template != found.names[2].template]


def labelled(m=60, n=3, share=40):
    """A run whose judge errs, one random answer of some questions looked at by people."""
    rng = np.random.default_rng(7)
    right, _ = drawn(m, n, seed=1)
    judge = np.where(rng.random(right.shape) < 0.9, right, 1 - right).astype(float)
    human = np.full(right.shape, np.nan)
    human[:share, 0] = right[:share, 0]
    return run(right, judge=judge, human=human), right, judge, human


def test_a_judge_is_corrected_by_labels_in_the_run():
    each, _right, judge, human = labelled()
    found = judge_run(each, VIEW, Picking(judge="judge"))
    truth = prediction_powered(judge, human)
    assert found.numbers["avg@n"][0].estimate.value == truth.estimate.value
    assert found.errors.sensitivity.value == judge_errors(judge, human=human).sensitivity.value
    assert list(found.numbers) == ["avg@n", "pass@3", "pass^3"]
    fewer = judge_run(each, View(k=(2,)), Picking(judge="judge")).numbers
    assert fewer["any-pass"][0].estimate == found.numbers["pass@3"][0].estimate


def test_a_judge_is_corrected_by_a_calibration_set_with_its_own_name():
    each, _right, judge, human = labelled()
    bare = replace(each, columns={"judge": judge})
    labels = Calibration("c", [str(i) for i in range(60)], {"score": judge, "human": human})
    found = judge_run(bare, VIEW, Picking(judge="judge"), labels)
    errors = judge_errors(judge, human=human)
    both = {"right_labels": errors.right_labels, "wrong_labels": errors.wrong_labels}
    truth = correct_judge(bare, by="judge", metric="pass@k", k=3, **both)
    assert found.numbers["pass@3"][0].estimate.value == truth.estimate.value
    assert not judge_run(bare, VIEW, FIRST).is_known
    several = Calibration("c", labels.questions, {"length": 1 - judge, **labels.columns})
    for judge_of, said in (("judge", "c has no column judge, "), ("", "Choose a judge: c has")):
        with pytest.raises(MetricError, match=said):
            judge_run(each, VIEW, Picking(judge=judge_of), several)
    another = replace(each, columns={**each.columns, "score": judge})
    with pytest.raises(MetricError, match=r"no column judge, .* known: score"):
        judge_run(another, VIEW, Picking(judge="judge"), labels)


def test_a_calibration_set_of_answers_leaves_labels_of_questions_theirs():
    each, right, judge, human = labelled()
    groups = np.where(np.arange(60) < 40, right.max(axis=1), np.nan)
    run_of_groups = replace(
        each, columns={"judge": judge}, question_columns={"human_group": groups}
    )
    labels = Calibration("c", [str(i) for i in range(60)], {"judge": judge, "human": human})
    found = judge_run(run_of_groups, VIEW, Picking(judge="judge"), labels).numbers
    truth = prediction_powered(judge, groups, metric="any-pass")
    assert found["any-pass"][0].estimate.value == truth.estimate.value
    assert "to other answers" in str(found["avg@n"][0].way)
    whole = judge_run(run_of_groups, VIEW, Picking(judge="judge"), labels)
    sentences = list(map(str, correction_remarks(whole)))
    assert len(sentences) == len(set(sentences))
    for part in ("to other answers", "random part", "of the variance", "the same mistake"):
        assert any(part in each for each in sentences)


def test_of_a_calibration_set_all_answers_of_a_question_pass_by_labels_of_questions():
    each, right, judge, human = labelled()
    groups = np.where(np.arange(60) < 40, right.max(axis=1), np.nan)
    bare = replace(each, columns={"judge": judge})
    labels = Calibration(
        "c", list(map(str, range(60))), {"judge": judge, "human": human}, {"human_group": groups}
    )
    found = judge_run(bare, VIEW, Picking(judge="judge"), labels).numbers
    fewer = judge_run(bare, View(k=(2,)), Picking(judge="judge"), labels).numbers
    errors = {groups: judge_errors(labels, by="judge", groups=groups) for groups in (False, True)}
    for judged, label, metric, k, by_groups in (
        (found, "pass@3", "pass@k", 3, True),
        (found, "pass^3", "pass^k", 3, False),
        (fewer, "pass@2", "pass@k", 2, False),
    ):
        truth = judged_rate(bare, by="judge", metric=metric, k=k, errors=errors[by_groups])
        assert judged[label][0].estimate == truth.estimate, label


def test_a_judge_is_told_with_its_errors_and_what_labels_alone_say():
    each, _right, judge, human = labelled()
    picking = Picking(judge="judge")
    found = judge_run(each, VIEW, picking)
    told_of = numbers(each, VIEW, picking)
    errors = judge_errors(judge, human=human)
    assert told_of["sensitivity"]["value"] == errors.sensitivity.value
    assert told_of["specificity"]["low"] == errors.specificity.interval.low
    alone = prediction_powered(judge, human).labels_only
    assert told_of["labels only avg@n"]["value"] == alone.value
    assert any(
        str(text).startswith("avg@n: The labels belong") for text in correction_remarks(found)
    )


def test_the_gap_to_the_verdict_is_that_of_the_k_asked_for(sure):
    assert check_signal(sure, View(k=(2,)), FIRST).by_verdict[0].k.tolist() == [2]
    assert check_signal(sure, View(k=(2,)), FIRST).by_other["judge"].k.tolist() == [2]


def test_the_list_to_look_at_names_model_and_dataset_and_keeps_the_random_share_apart(sure):
    table = list_to_check(sure, VIEW, FIRST)
    assert set(table["model"]) == {"7B"}
    assert (table.loc[table["why"] == "at random", "human_probability"] == 50 / 80 / 4).all()
    assert (table.loc[table["why"] == "disagreement", "human_probability"] == 0).all()
    assert table["human"].isna().all()
    failed = run(np.array([[1, 0], [-1, -1], [0, -1]]))
    assert set(list_to_check(failed, VIEW, FIRST)["question_id"]) == {"0", "2"}


def test_what_numbers_mean_together_is_said_where_the_data_meet_it():
    right, signal = drawn(100, 8)
    (left,) = missed_candidates(examine(run(right, signal), VIEW, FIRST))
    assert str(left).startswith("The pick misses")
    best = right + 0.5 * signal / 10
    assert not list(missed_candidates(examine(run(right, best), VIEW, FIRST)))
    seldom = np.zeros((200, 4), dtype=int)
    seldom[:60, 0] = 1
    (order,) = order_remarks(examine_lists(run(seldom, seldom + 0.1), VIEW, FIRST))
    assert "nDCG@3 is 100.0%, although only 30.0% of the questions" in str(order)
    assert not list(order_remarks(examine_lists(run(right, signal), VIEW, FIRST)))


@pytest.mark.parametrize(("fails", "said"), [(True, "are solved less often"), (False, "no proof")])
def test_clones_are_told_of_and_whether_they_fail(fails, said):
    new = np.arange(300) >= 270
    solved = new if fails else np.arange(300) % 2
    texts = [
        [f"{q} {s} x{s} y{s} z{s} u{s}" for s in range(4)] if new[q] else ["a b c d e f g"] * 4
        for q in range(300)
    ]
    found = measure_diversity(
        run(np.tile(solved[:, None], (1, 4)).astype(int)), VIEW, text_diversity(texts)
    )
    (told_of,) = diversity_remarks(found)
    assert said in str(told_of)


@pytest.mark.parametrize(("least", "rule"), [(0.5, "sum"), (0.0, "sum"), (-0.5, "mean")])
def test_votes_add_a_signal_up_where_it_is_never_below_0(least, rule):
    right, signal = drawn()
    one = replace(run(right, signal - signal.min() + least), answers=right)
    assert examine_weighted_vote(one, VIEW, FIRST).rule == rule
