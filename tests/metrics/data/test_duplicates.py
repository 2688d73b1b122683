"""Samples that repeat another of their question are noticed, and equal ones by chance are not."""

import time

import numpy as np
import pytest

from metrics import (
    MetricError,
    Outcomes,
    Tally,
    choose_n,
    compare,
    consistency,
    curve,
    estimate,
    score_all,
)
from metrics.data.duplicates import LONG_TEXT, Copies, find_copies, hash_of_text
from metrics.estimating.caveats import COPIES_OF_SEVERAL


def hashed(texts):
    return np.array([[hash_of_text(text) for text in row] for row in texts])


def verdicts(rng, m=60, n=8):
    return (rng.random((m, n)) < rng.random((m, 1))).astype(np.int8)


def repeated(array, times):
    """Every sample so many times, as if a file had been added to itself."""
    return array[:, np.arange(array.shape[1]) // times * times]


def of_length(rng, mean, spread, m=60, n=8):
    typical = rng.normal(mean, mean / 4, (m, 1))
    return np.maximum(1, rng.normal(typical, spread, (m, n))).round()


@pytest.mark.parametrize(("times", "share"), [(1, 0), (2, 1 / 2), (4, 3 / 4), (8, 7 / 8)])
def test_equal_long_texts_are_copies(times, share):
    texts = np.arange(1, 481).reshape(60, 8)
    found = find_copies(np.ones((60, 8), np.int8), repeated(texts, times))
    assert found == Copies("texts", share, 1.0, times)


def test_a_letter_proves_nothing():
    texts = hashed([["A", "A", "B", "A"]] * 30)
    assert find_copies(np.ones((30, 4), np.int8), texts) == Copies("texts", 0.0, 0.0, 1.0)
    alike = hashed([["x" * LONG_TEXT] * 2 + ["y" * LONG_TEXT, "z" * (LONG_TEXT - 1)]] * 30)
    assert find_copies(np.ones((30, 4), np.int8), alike) == Copies("texts", 0.25, 0.75, 1.5)


def test_the_same_text_of_another_question_is_no_copy():
    texts = np.tile(np.arange(1, 5), (30, 1))
    assert find_copies(np.ones((30, 4), np.int8), texts).share == 0


def test_missing_samples_are_no_copies():
    correct = np.array([[1, 1, -1, -1], [1, 0, -2, -2]], np.int8)
    assert find_copies(correct, np.full((2, 4), 7)) == Copies("texts", 0.5, 1.0, 2.0)


@pytest.mark.parametrize(("mean", "spread"), [(80, 5), (300, 20), (300, 80), (4000, 1500)])
@pytest.mark.parametrize("shape", [(60, 8), (100, 3), (30, 64)])
def test_numbers_of_tokens_that_are_equal_by_chance_are_taken_off(mean, spread, shape):
    rng = np.random.default_rng(3)
    correct, tokens = verdicts(rng, *shape), of_length(rng, mean, spread, *shape)
    assert find_copies(correct, tokens=tokens).design_effect < COPIES_OF_SEVERAL
    if shape[1] == 8:
        found = find_copies(repeated(correct, 2), tokens=repeated(tokens, 2))
        assert found.share == pytest.approx(0.5, abs=0.1)
        assert found.design_effect == pytest.approx(2, abs=0.2)


def test_short_answers_and_samples_cut_at_the_limit_have_equal_lengths_without_being_copies():
    rng = np.random.default_rng(4)
    correct = verdicts(rng)
    assert find_copies(correct, tokens=np.ones((60, 8))).share == 0
    cut = np.minimum(of_length(rng, 4000, 1500), 4096)
    assert (cut == 4096).mean() > 0.3
    assert find_copies(correct, tokens=cut).design_effect < COPIES_OF_SEVERAL


def test_as_many_tokens_with_another_verdict_or_score_are_no_copy():
    tokens = np.tile(np.array([[300.0, 300, 500, 700]]), (20, 1)) + 3 * np.arange(20)[:, None]
    correct = np.tile(np.array([[1, 0, 1, 1]], np.int8), (20, 1))
    assert find_copies(correct, tokens=tokens).share == 0
    correct[:, 1] = 1
    assert find_copies(correct, tokens=tokens).share == 0.25
    scores = np.tile(np.array([[0.9, 0.8, 0.9, 0.9]]), (20, 1))
    assert find_copies(correct, tokens=tokens, scores=scores).share == 0


def test_fine_scores_that_two_samples_share_throughout_are_copies():
    rng = np.random.default_rng(5)
    scores = rng.random((40, 8))
    correct = (scores > 0.5).astype(np.int8)
    assert find_copies(correct, scores=scores) == Copies("scores", 0.0, 1.0, 1.0)
    twice = repeated(scores, 2)
    assert find_copies(repeated(correct, 2), scores=twice) == Copies("scores", 0.5, 1.0, 2.0)


def test_scores_that_agree_now_and_then_or_are_coarse_are_no_sign():
    rng = np.random.default_rng(6)
    boxes = rng.random((40, 4))
    boxes[:16, 1] = boxes[:16, 0]
    assert find_copies(np.ones((40, 4), np.int8), scores=boxes).share == 0
    coarse = repeated(rng.choice([0.0, 0.3, 0.6, 0.9, 1.0], (40, 4)), 2)
    assert find_copies(np.ones((40, 4), np.int8), scores=coarse) is None


def test_one_sample_a_question_and_plain_verdicts_tell_nothing():
    rng = np.random.default_rng(7)
    assert find_copies(verdicts(rng, 30, 1), np.ones((30, 1), np.int64)) is None
    assert Outcomes(verdicts(rng)).copies is None
    assert Outcomes([[1], [0]], grouped=False, texts=np.ones((2, 1), np.int64)).copies is None


def test_texts_decide_where_they_are_known():
    rng = np.random.default_rng(8)
    tokens = repeated(of_length(rng, 300, 80), 2)
    texts = np.arange(1, 481).reshape(60, 8)
    assert find_copies(np.ones((60, 8), np.int8), texts, tokens).share == 0


def test_looking_for_copies_costs_little_however_many_there_are():
    rng = np.random.default_rng(9)
    many = rng.integers(1, 1 << 60, (300_000, 16))
    correct = np.ones(many.shape, np.int8)
    start = time.process_time()
    assert find_copies(correct, repeated(many, 2)).share == 0.5
    assert time.process_time() - start < 0.5
    assert find_copies(np.ones((3, 5000), np.int8), np.ones((3, 5000), np.int64)).share > 0.99


@pytest.fixture
def twice():
    rng = np.random.default_rng(10)
    texts = repeated(np.arange(1, 481).reshape(60, 8), 2)
    return Outcomes(repeated(verdicts(rng), 2), texts=texts)


def said(found):
    return [str(caveat) for caveat in found.caveats]


def test_the_share_of_copies_is_said_wherever_a_number_rests_on_them(twice):
    (caveat,) = (each for each in said(estimate(twice, "pass@k", 4)) if "repeat" in each)
    assert caveat.startswith(
        "50% of the samples repeat another of their question (letter for letter): 8 samples are "
        "worth as much as 4.0."
    )
    for score in score_all(twice):
        assert score.estimate is None or caveat in said(score.estimate)
    assert caveat in [str(each) for each in choose_n(twice).remarks]


def test_a_comparison_says_the_share_of_copies_among_the_questions_that_are_shared(twice):
    other = Outcomes(twice.correct[:40], questions=twice.questions[:40])
    caveats = said(compare(other, twice))
    assert any(each.startswith("50% of the samples repeat") for each in caveats)
    with pytest.raises(MetricError, match="too narrow"):
        compare(other, twice, target="benchmark")


def test_an_interval_for_these_questions_is_refused_where_copies_are_many(twice):
    for ask in (estimate, curve):
        with pytest.raises(MetricError, match=r"50% of the samples repeat .* too narrow"):
            ask(twice, "pass@k", target="benchmark")
    with pytest.raises(MetricError, match="too narrow"):
        consistency(twice, target="benchmark")
    (avg,) = (each for each in score_all(twice, target="benchmark") if each.label == "avg@8")
    assert avg.estimate is None
    assert "too narrow" in str(avg.reason)
    plain = Outcomes(twice.correct)
    assert estimate(twice, "avg@n").interval == estimate(plain, "avg@n").interval
    assert estimate(plain, "avg@n", target="benchmark").interval is not None


@pytest.mark.parametrize(("copied", "refused"), [(2, False), (20, True)])
def test_few_copies_are_said_and_do_not_refuse(copied, refused):
    texts = np.arange(1, 481).reshape(60, 8)
    texts[:copied, 1:4] = texts[:copied, :1]
    outcomes = Outcomes(verdicts(np.random.default_rng(11)), texts=texts)
    assert any("repeat" in each for each in said(estimate(outcomes, "avg@n")))
    if refused:
        with pytest.raises(MetricError, match="too narrow"):
            estimate(outcomes, "avg@n", target="benchmark")
    else:
        assert estimate(outcomes, "avg@n", target="benchmark").interval is not None


def test_equal_verdicts_are_suspected_only_where_texts_say_nothing():
    right = np.repeat(np.array([[1], [0]], np.int8), 8, axis=1).repeat(30, axis=0)
    suspected = "all samples got the same verdict"
    assert any(suspected in each for each in said(estimate(Outcomes(right), "avg@n")))
    assert any(suspected in each for each in said(estimate(Tally.of(right), "avg@n")))
    texts = np.arange(1, 481).reshape(60, 8)
    different = Outcomes(right, texts=texts)
    assert not any(suspected in each for each in said(estimate(different, "avg@n")))
    short = Outcomes(right, texts=np.where(texts % 3 == 0, texts, 0))
    assert any(suspected in each for each in said(estimate(short, "avg@n")))


def test_outcomes_with_copies_have_a_digest_of_their_own(twice):
    assert twice.digest != Outcomes(twice.correct).digest
