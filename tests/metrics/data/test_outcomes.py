"""Outcomes and Tally check their data once and never change."""

import pickle

import numpy as np
import pytest

from metrics import Counts, MetricError, Outcomes, Tally, Text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(correct=[1, 0]), r"got shape \(2,\)"),
        (dict(correct=np.zeros((0, 3), int)), r"got shape \(0, 3\)"),
        (dict(correct=[[0.5]]), "integers or booleans; got float64"),
        (dict(correct=[[-3]]), "must lie in -2 … 127; got -3 … -3"),
        (dict(correct=[[200]]), "got 200 … 200"),
        (dict(correct=[[1], [0]], questions=["a"]), "one entry for each of the 2 questions; got 1"),
        (dict(correct=[[1], [0]], questions=["a", "a"]), "a occurs twice"),
        (dict(correct=[[1]], segments={"x": ["a", "b"]}), r"segments\['x'\] .* got 2"),
        (dict(correct=[[1]], clusters=[1, 2]), "clusters must have one entry"),
        (dict(correct=[[1]], scores=[[1.0, 0.0]]), r"shape of the outcomes, \(1, 1\)"),
        (dict(correct=[[1]], scores=[[1.5]]), r"lie in 0 … 1"),
        (dict(correct=[[1]], scores=[[-0.5]]), r"lie in 0 … 1"),
        (dict(correct=[[-1]], scores=[[0.0]]), "NaN exactly where a sample is missing"),
        (dict(correct=[[1]], scores=[[np.nan]]), "NaN exactly where a sample is missing"),
    ],
)
def test_bad_outcomes_are_named(arguments, message):
    with pytest.raises(MetricError, match=message):
        Outcomes(**arguments)


def test_ids_are_checked_once_however_often_they_are_used():
    first = Outcomes([[1], [0]], questions=["a", 2])
    assert first.questions == ("a", "2")
    assert Outcomes([[0], [0]], questions=first.questions).questions is first.questions
    assert pickle.loads(pickle.dumps(first.questions)) == first.questions


def test_outcomes_are_read_only_copies():
    matrix = np.array([[1, 0], [0, 1]])
    outcomes = Outcomes(matrix, scores=[[1.0, 0.2], [0.1, 0.9]], segments={"s": ["a", "b"]})
    matrix[0, 0] = 0
    assert outcomes.correct[0, 0] == 1
    for array in (outcomes.correct, outcomes.scores, outcomes.segments["s"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError):
        outcomes.segments["t"] = 1
    with pytest.raises(AttributeError):
        outcomes.correct = matrix


def test_digest_knows_shape_verdicts_scores_and_questions():
    digests = {
        Outcomes([[1, 0, 0, 1]]).digest,
        Outcomes([[1, 0], [0, 1]]).digest,
        Outcomes([[1, 0, 0, 0]]).digest,
        Outcomes([[1, 0, 0, 1]], questions=["x"]).digest,
        Outcomes([[1, 0, 0, 1]], scores=[[1, 0, 0, 1]]).digest,
    }
    assert len(digests) == 5
    assert Outcomes([[1, 0]]).digest == Outcomes(np.array([[True, False]])).digest


def test_counts_by_treatment_of_failures():
    outcomes = Outcomes([[1, -1, 0], [1, 1, -2], [-2, -2, -2]])
    counts = {m: [a.tolist() for a in outcomes.counts(m)] for m in ("wrong", "omit", "right")}
    assert counts == {
        "wrong": [[3, 2, 0], [1, 2, 0]],
        "omit": [[2, 2, 0], [1, 2, 0]],
        "right": [[3, 2, 0], [2, 2, 0]],
    }
    assert outcomes.tally().n_questions == 2
    with pytest.raises(MetricError, match="'wrong', 'omit' or 'right'; got 'maybe'"):
        outcomes.tally("maybe")
    with pytest.raises(MetricError, match="categories above 1"):
        Outcomes([[2, 1]]).tally()
    with pytest.raises(MetricError, match="no question with a gradable sample"):
        Outcomes([[-1, -1]]).tally("omit")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([], [], []), "no question"),
        (([2], [3], [1]), "0 <= c <= n"),
        (([2], [-1], [1]), "0 <= c <= n"),
        (([2, 2], [1], [1]), "one length"),
    ],
)
def test_bad_tallies_are_named(columns, message):
    with pytest.raises(MetricError, match=message):
        Tally(*columns)


def test_tally_of_few_and_of_very_many_samples():
    few = Tally.of_questions([3, 2, 3, 0], [1, 2, 1, 0])
    assert [a.tolist() for a in (few.n, few.c, few.questions)] == [[2, 3], [2, 1], [1, 2]]
    many = Tally.of_questions(10_000, [9_999, 0, 9_999])
    assert [a.tolist() for a in (many.c, many.questions)] == [[0, 9_999], [1, 2]]
    assert (many.n_min, many.n_max, many.n_samples) == (10_000, 10_000, 30_000)


def test_text_keeps_its_fields_and_chooses_its_number():
    one = Text("{count} file", "{count} files", count=1)
    two = Text("{count} file", "{count} files", count=2)
    assert (str(one), str(two)) == ("1 file", "2 files")
    assert pickle.loads(pickle.dumps(two)) == two
    assert hash(two) == hash(Text("{count} file", "{count} files", count=2))
    assert two != one
    with pytest.raises(AttributeError):
        one.template = "x"
    assert str(Text("see {inner}", inner=one)) == "see 1 file"


def test_a_segment_that_there_is_not_is_refused_with_the_names_there_are():
    data = Outcomes([[1], [0], [1]], segments={"level": ["easy", "hard", "easy"]})
    for each in (data, Counts.of(data)):
        with pytest.raises(
            MetricError, match=r'There is no segment "levle"\. Did you mean "level"'
        ):
            each.tally(segment=("levle", "easy"))
        with pytest.raises(MetricError, match=r'has no label "x"\. There are: easy, hard\.$'):
            each.tally(segment=("level", "x"))
