"""VQA accuracy against the published rule, written out the slow way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.rescoring.vqa import normalise, strip_punctuation, vqa_accuracies

WORDS = st.sampled_from(["stop", "exit", "two", "2", "The", "dont", "a-b", "1,000", "3.5", "end."])


def annotators(said, ids=True):
    return [{"answer": text, **({"answer_id": i} if ids else {})} for i, text in enumerate(said)]


def by_the_rule(answer, references):
    """Mean over annotators of min(1, others who say the same / 3), on processed texts."""
    if len({r["answer"] for r in references}) > 1:
        references = [{**r, "answer": strip_punctuation(r["answer"])} for r in references]
    credits = []
    for one in references:
        others = [r for r in references if r != one]
        credits.append(min(1, sum(r["answer"] == normalise(answer) for r in others) / 3))
    return sum(credits) / len(credits)


@given(st.lists(WORDS, min_size=1, max_size=12), st.lists(WORDS, min_size=1), st.booleans())
def test_scores_follow_the_rule(said, answers, ids):
    references = annotators(said, ids)
    expected = [by_the_rule(answer, references) for answer in answers]
    assert vqa_accuracies(answers, references) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("matches", "score"), [(0, 0), (1, 0.3), (2, 0.6), (3, 0.9), (4, 1)])
def test_ten_annotators_give_five_scores(matches, score):
    references = annotators(["exit"] * matches + [f"other {i}" for i in range(10 - matches)])
    assert vqa_accuracies(["exit"], references) == pytest.approx([score])


@pytest.mark.parametrize(
    ("answer", "compared"),
    [
        ("  The answer\n", "answer"),
        ("none", "0"),
        ("Ten tablets<|im_end|>", "10 tablets"),
        ("shouldntve", "shouldntve"),
        ("shouldn'tve", "shouldn't've"),
        ("somebody'd", "somebodyd"),
        ("5.30 p.m.", "5.30 pm"),
        ("and/or", "and or"),
        ("and /or", "and or"),
        ("1,000-2", "10002"),
        ("", ""),
    ],
)
def test_answers_are_compared_in_reduced_form(answer, compared):
    assert normalise(answer) == compared


def test_only_the_first_32_periods_go_as_in_the_original():
    assert strip_punctuation("." * 40) == "." * 8


def test_references_that_all_agree_keep_their_punctuation():
    assert vqa_accuracies(["a-b"], annotators(["a-b"] * 10)) == [0]
