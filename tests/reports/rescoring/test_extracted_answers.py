"""How an answer is found in what a model said: its number, letter or words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.rescoring.answers import (
    drop_answer,
    freeform,
    freeform_of_reasoning,
    general,
    overlaps_any,
    trivia,
    without_reasoning,
)
from reports.rescoring.letters import (
    bbh_letter,
    capitals,
    first_capital,
    first_capitals,
    first_option,
    first_option_of_end,
    first_stated_letter,
    last_capital,
    last_option,
    last_stated_letter,
)
from reports.rescoring.numbers import (
    after_hashes,
    equal_numbers,
    last_number,
    last_number_as_written,
)
from reports.rescoring.options import likeliest_option, options_of
from reports.rescoring.rule import Evaluation, Step
from reports.rescoring.rules import prepared


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The answer is 147\n", "147"),
        ("1,234.50 dollars", "1234.50"),
        ("-3", "-3"),
        ("5-3", "-3"),
        ("so 7. Question: what is 8?", "7"),
        ("3.", "3"),
        ("", "NULL"),
        ("none", "NULL"),
    ],
)
def test_the_last_number_counts(text, number):
    assert last_number(text) == number


def test_versions_differ_in_what_a_comma_is():
    assert (last_number("1,137"), last_number_as_written("1,137")) == ("1137", "137")


@pytest.mark.parametrize(
    ("answer", "reference", "equal"),
    [
        ("137", "137", True),
        ("137.0000001", "137", True),
        ("137.00001", "137", False),
        ("137.5", "137.5", True),
        ("NULL", "137", False),
        ("1e400", "137", False),
        ("nan", "137", False),
        ("137", "137.0", False),
    ],
)
def test_numbers_are_equal_within_a_millionth_of_a_whole_reference(answer, reference, equal):
    assert equal_numbers(answer, reference) is equal


def test_a_solution_without_a_result_is_no_reference():
    assert after_hashes("no result") is None
    assert after_hashes("a #### 1,000 #### 2") == "1000 "


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("答案是C", "C"),
        ("答案：B", "B"),
        ("综上，故选D只有选项A是对", "D"),
        ("A是正确的", "A"),
        ("Answer: B", "B"),
        ("ANSWER : C because it is", "C"),
        ("The answer is (D).", "D"),
        ("The answer is **B**", "B"),
        ("the correct answer is $\\boxed{C}$", "C"),
        ("The answer is option A", "A"),
        ("Some words, D.", "D"),
        ("answer: b", ""),
        ("B", "B"),
        ("I choose 1. C", "C"),
        ("", ""),
    ],
)
def test_the_first_phrase_that_names_an_option_counts(text, letter):
    assert first_option(text, "ABCD") == letter


def test_without_a_cushion_a_bare_letter_is_no_choice():
    assert first_option("B", "ABCD", cushion=False) == ""
    assert first_option_of_end("The answer is A" + " " * 300 + "The answer is B", "ABCD") == "B"


def test_letters_are_found_in_the_other_ways():
    assert last_option("A, then B, then E", "ABCD") == "B"
    assert (first_capital("is it B or C"), last_capital("is it B or C")) == ("B", "C")
    assert (first_capital("no"), first_capitals("the BD one"), first_capitals("no")) == (
        "",
        "BD",
        "",
    )
    assert capitals("C and A and C") == "AC"
    assert [bbh_letter(t) for t in ("the answer is (B). C", "maybe C", "yes")] == ["B", "C", "yes"]
    said = "Answer: A\nanswer: c", "\\boxed{B}", "Answer: Dolomite"
    assert [last_stated_letter(text) for text in said] == ["c", None, "D"]
    assert [first_stated_letter(text) for text in said] == ["A", None, "D"]


def test_answers_in_words_are_reduced():
    assert general("The cat, and more") == "cat"
    assert [freeform(t) for t in ("so the answer is 15.", "**yes** no", "a\nb")] == [
        "15",
        "yes",
        "a",
    ]
    assert freeform_of_reasoning("It is long.\n\n**Answer:** **valid**") == "valid"
    assert freeform_of_reasoning("first\n\nlast.") == "last"
    assert trivia("A: The Nile.") == "nile"
    assert drop_answer("thus\nAnswer: 12 yards\nindeed") == "12 yards"
    assert overlaps_any("The 49ers", "49ers|Raiders")
    assert not overlaps_any("Bears", "49ers|Raiders")


@given(st.lists(st.sampled_from(["<think>", "</think>", "a", "\n"]), max_size=8).map("".join))
def test_reasoning_is_cut_off_as_by_the_tool(text):
    import re

    if "<think>" not in text and "</think>" in text:
        expected = text.split("</think>")[-1].strip()
    else:
        expected = re.sub("<think>(.*?)</think>", "", text, flags=re.DOTALL).strip()
    assert without_reasoning(text) == expected


def test_options_are_those_of_the_last_question():
    asked = [
        {"role": "HUMAN", "prompt": "Q\nA. old\nB. older"},
        {"role": "HUMAN", "prompt": "Q\nA. new\nB. newer"},
    ]
    assert options_of(asked, "AB") == {"A": "new", "B": "newer"}
    assert options_of(None, "AB") == {}
    assert likeliest_option("something else", {}, "AB") == ""


def test_reasoning_is_cut_off_if_the_model_is_configured_so_or_nothing_is_known():
    said = "I think 5.</think> 7"
    cut = Step("extract_non_reasoning_content")
    assert prepared(None)(said) == prepared(Evaluation(model=cut))(said) == "7"
    assert prepared(Evaluation())(said) == said
    assert prepared(None)(" as it is ") == " as it is "
