"""Answers that differ, means over questions, and whether questions with clones are solved."""

from collections import Counter
from math import log2

import numpy as np
import pytest

import metrics
from metrics import MetricError, Outcomes
from reports import Run
from tests.metrics import plain_groups

RNG = np.random.default_rng(12)
RIGHT = (RNG.random((60, 5)) < RNG.random((60, 1)) ** 2).astype(int)
ANSWERS = np.where(RIGHT == 1, 0, RNG.integers(1, 6, RIGHT.shape))
ANSWERS[3, 1:], ANSWERS[4, :2] = -1, -1


def test_answers_are_counted_and_weighed():
    found = metrics.answer_diversity(ANSWERS)
    for row, *got in zip(ANSWERS, found.number, found.entropy, found.effective, strict=True):
        votes = Counter(row[row >= 0].tolist())
        total = votes.total()
        if total < 2:
            assert np.isnan(got).all()
        else:
            entropy = sum(-v / total * log2(v / total) for v in votes.values())
            assert got == pytest.approx([len(votes), entropy, 2**entropy], abs=1e-12)


def test_means_are_over_the_questions_that_have_two():
    found = metrics.diversity(RIGHT, answers=ANSWERS)
    each = metrics.answer_diversity(ANSWERS)
    assert [measure.name for measure in found.measures] == [
        "answers",
        "entropy",
        "effective answers",
    ]
    for measure, values in zip(
        found.measures, (each.number, each.entropy, each.effective), strict=True
    ):
        estimate = measure.estimate
        assert estimate.value == pytest.approx(np.nanmean(values))
        low, high = estimate.interval
        assert estimate.bounds.low <= low < estimate.value < high <= estimate.bounds.high
        assert (measure.undefined, estimate.n_questions) == (1, 59)
        assert "1 question has fewer than two to compare" in str(estimate.caveats)


def test_questions_with_less_and_with_more_are_set_side_by_side():
    solved, each = RIGHT.any(axis=1), metrics.answer_diversity(ANSWERS).entropy
    split = metrics.diversity(RIGHT, answers=ANSWERS)["entropy"].split
    cut = np.nanmedian(each)
    assert split.cut == pytest.approx(cut)
    assert split.less.value == pytest.approx(solved[each <= cut].mean())
    assert split.more.value == pytest.approx(solved[each > cut].mean())
    assert split.difference.value == pytest.approx(split.more.value - split.less.value)
    low, high = split.difference.interval
    assert -1 <= low < split.difference.value < high <= 1
    assert split.less.n_questions + split.more.n_questions == 59
    assert "not what causes what" in str(split.difference.method)
    here = metrics.diversity(RIGHT, answers=ANSWERS, target="benchmark")["entropy"].split
    assert (here.less, here.difference.target) == (split.less, "population")


def test_questions_with_clones_that_fail_are_found():
    texts = [[f"{i} {j} a b c" for j in range(3)] for i in range(40)]
    right = np.ones((40, 3), int)
    for i in range(12):
        texts[i][1:], right[i] = texts[i][:1] * 2, 0
    split = metrics.diversity(right, texts=texts)["clones"].split
    assert (split.cut, split.less.n_questions, split.more.n_questions) == (0, 28, 12)
    assert split.difference.value == -1
    assert split.difference.interval.high < -0.5


def test_all_alike_have_no_split_and_a_tie_at_the_top_has_one():
    alike = metrics.diversity([[1, 0], [0, 0]], answers=[[1, 1], [2, 2]])
    assert all(measure.split is None for measure in alike.measures)
    mostly = metrics.diversity([[1, 0]] * 4, answers=[[1, 2]] * 3 + [[1, 1]])["answers"].split
    assert (mostly.less.n_questions, mostly.more.n_questions) == (1, 3)
    assert "One side has 1 question only" in str(mostly.difference.caveats)


def test_a_run_brings_its_answers_segments_clusters_and_columns():
    outcomes = Outcomes(
        np.vstack([RIGHT, np.full((1, 5), -2)]),
        segments={"half": [*["a", "b"] * 30, "a"]},
        clusters=np.arange(61) // 4,
    )
    distance = np.append(RNG.random(60), 0.5)
    distance[7] = np.nan
    run = Run("7B", "maths", outcomes, answers=np.vstack([ANSWERS, ANSWERS[:1]]))
    object.__setattr__(run, "question_columns", {"text_distance": distance})
    texts = [[f"{i} {j}" for j in range(5)] for i in range(61)]
    found = metrics.diversity(run, texts=texts, distance="text_distance")
    assert found.n_questions == 60
    assert found["distance"].estimate.value == pytest.approx(np.nanmean(distance[:60]))
    assert found["distance"].undefined == 1
    plain = metrics.diversity(RIGHT, answers=ANSWERS)["entropy"]
    assert found["entropy"].estimate.value == pytest.approx(plain.estimate.value)
    assert found["entropy"].estimate.interval != plain.estimate.interval
    part = metrics.diversity(run, texts=texts, segment=("half", "b"))
    distinct = [plain_groups.distinct(group, 2) for group in texts[1:60:2]]
    assert part["distinct-2"].estimate.value == pytest.approx(np.mean(distinct))
    with pytest.raises(MetricError, match="no column of questions x; known: text_distance"):
        metrics.diversity(run, distance="x")


def test_other_samples_of_these_questions_differ_by_no_more_than_questions_do():
    like, these = (
        metrics.diversity(RIGHT, answers=ANSWERS, target=target)["entropy"]
        for target in ("population", "benchmark")
    )
    assert these.estimate.value == like.estimate.value
    assert these.estimate.interval == like.estimate.interval
    assert "one draw" in str(these.estimate.method)
    assert these.split.difference.interval == like.split.difference.interval
    with pytest.raises(MetricError, match="target must be"):
        metrics.diversity(RIGHT, answers=ANSWERS, target="these")


def test_what_cannot_be_compared_is_said():
    with pytest.raises(MetricError, match="no texts, answers or embeddings"):
        metrics.diversity(RIGHT)
    with pytest.raises(MetricError, match=r"distance must have one entry for each of the 60"):
        metrics.diversity(RIGHT, distance=[0.5])
    nothing = metrics.diversity(RIGHT, texts=[[None] * 5] * 60)
    assert all(measure.estimate is None for measure in nothing.measures)
    assert nothing["apart"].undefined == 60


def test_unequal_numbers_of_candidates_are_said():
    data = Outcomes([[1, 0, 1], [0, 1, -2], [1, 1, 1]])
    found = metrics.diversity(data, answers=[[1, 2, 1], [3, 1, -1], [1, 1, 1]])
    assert "questions have 2 to 3." in str(found["answers"].estimate.caveats)
