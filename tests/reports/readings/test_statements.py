"""What is a statement of an answer, and what only looks like one."""

import time

import pytest

from reports.readings import formulas, numbers, options
from reports.readings.kinds import KINDS, kind
from reports.readings.statements import SEVERAL, final, statements

LETTER = options.letter("ABCD"), options.called_right("ABCD")
NUMBER = numbers.number, numbers.last_number
FORMULA = formulas.formula, formulas.last_formula


def values(text, rules=LETTER):
    held, _ = final(text)
    return [each.value for each in statements(held, *rules)]


@pytest.mark.parametrize(
    "text",
    [
        "The answer is (B).",
        "**Answer:** B",
        "**Answer**: **B**",
        "So answer: b",
        "Therefore, the correct answer is:\n\nB. It rains.",
        "Final Answer\nB",
        r"Hence $\boxed{\text{B}}$.",
        r"The answer is $\boxed{B}$",
        "The closest option is (B), though it is not exact.",
        "Only (B) remains.",
        "答案：B",
        "所以答案是 B。",
        "故选B，A、C、D均不符合题意。",
        "A项不正确；B项正确；C项错误。",
        "<think>Answer: C?</think>Answer: B",
        "Answer: C. Wait, I overlooked a sign.\nAnswer: B",
        "Answer: B\n\nNote: a hasty reader would write answer: C here.",
        "The answer is (B).\n\nQuestion: What else?\nThe answer is (C).",
        "(B) is the correct answer.",
        "B",
        "The answer is B, since A is false.",
        "The answer is:\nB. rain, which falls",
    ],
)
def test_one_option_is_stated(text):
    assert set(values(text)) == {"B"}


@pytest.mark.parametrize(
    "text",
    [
        "(B) is incorrect.",
        "The answer is not B.",
        "The answer is a mixture of both.",
        "The answer is I think unknown.",
        "Answer:\nA. rain\nB. snow\nC. hail",
        "<think>So the answer is B, but",
        "As a provisional guess, Answer: B. But this has to be checked, because",
        "The last line should be of the format: 'Answer: B'",
        "A项正确；B项正确；C项错误。",
        "This has no answer",
        "The closest option is (J) 229 units, but it is still",
        "The closest option is B. Therefore, the question is not answerable with these options.",
        "The closest option is (B) 17.4 %, but this is not the correct value.",
        "so that what is left is\n\n$$F = (1 + 2) / 3$$",
    ],
)
def test_none_is_stated(text):
    assert values(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Answer: D or A",
        "Therefore, the answer is (CD).",
        "答案: D或A，无法确定。",
        "Answer: A. x. B. y.",
        "Final Answer: A, B.",
        "The answer is:\nA. x\nC. y",
    ],
)
def test_two_that_are_left_standing_are_several(text):
    assert values(text) == [SEVERAL]


@pytest.mark.parametrize(
    "text",
    [
        "answer: 1,042",
        "answer: $1042.00",
        "#### 1042.",
        r"answer: $1{,}042$",
        "answer: total = 1042",
        "answer: 1042 (not 1040, as I first thought)",
        "answer: 1042\n\nI checked this in 2 steps.",
        "answer: one thousand and forty-two",
        "She has 1000 + 42 = 1042 apples.",
        r"\boxed{1042}",
        "答案是1042。",
    ],
)
def test_a_number_is_read_as_people_write_it(text):
    assert values(text, NUMBER) == ["1042"]


def test_a_word_that_is_a_name_takes_nothing_back():
    text = "The answer is (B).\nThe Davidson correction is small.\nThe answer is (C)."
    assert values(text) == ["B", "C"]
    assert values("The answer is (B). Correction: the answer is (C).") == ["C"]


def test_numbers_that_are_no_answer():
    assert values("answer: somewhere between 4 and 5", NUMBER) == [SEVERAL]
    assert values("The value is 5, and from this one still has to take", NUMBER) == []
    assert values("answer: 125,96", NUMBER) == [SEVERAL]


@pytest.mark.parametrize(
    "text",
    [
        r"$\boxed{\frac{9}{10}}$",
        r"$\boxed{x = \dfrac{9}{10}}$",
        "We get\n\\[ \\frac{9}{10} \\]",
        r"The result is $\frac{9}{10}$.",
        "The answer is 9/10.",
        "**0.9**",
        r"$\boxed{0.9\text{ units}}$",
        r"So $x = \frac{18}{20} = \frac{9}{10}$.",
        r"It takes $0.9 \mathrm{~ft} \cdot \mathrm{lb}$.",
        "\\begin{align*}\nx &= 1 - 0.1 \\\\\n&= 0.9\n\\end{align*}",
        "\\[x = 9\\] and so\n\\[y = 0.9\\]",
        "It costs $= 0.9$ dollars.",
    ],
)
def test_a_formula_is_read_in_every_dress(text):
    assert values(text, FORMULA) == ["9/10"]


def test_formulas_that_are_cut_are_none_and_mixed_numbers_have_a_value():
    assert values("The answer is (", FORMULA) == []
    assert values(r"The answer is 30 \lambda^2 / (", FORMULA) == []
    assert values(r"We have $2000\pi$ ft$^3$.", FORMULA) == []
    assert values(r"The answer is $1,821 \frac{1}{4}$.", FORMULA) == ["7285/4"]
    assert values("The answer is $x = 1, y = 2$.", FORMULA) == ["x=1,y=2"]


def test_a_kind_follows_from_statements_and_verdict():
    def of(text, right, reference="B"):
        held, _ = final(text)
        return KINDS[kind(statements(held, *LETTER), len(held), right, reference.__eq__)]

    assert of("The answer is B.", True) == of("The answer is A.", False) == "agrees"
    assert of("The answer is B.", False) == "missed"
    assert of("The answer is A.", True) == "generous"
    assert of("The answer is B. The answer is A.", True) == "divided"
    assert of("The answer is C. The answer is A.", False) == "divided"
    assert of("I do not know.", True) == of("I do not know.", False) == "unsupported"
    assert of("The answer is B." + " More text." * 20, False) == "unsupported"
    number = statements("She has 8.", *NUMBER)
    assert KINDS[kind(number, 10, True, "8".__eq__)] == "agrees"
    assert KINDS[kind(number, 10, False, "8".__eq__)] == "divided"


MANY = 20_000
HOSTILE = [
    *(unit * MANY for unit in (r"\boxed{", r"\boxed{A}", "answer is A ", "*", "**a", "$", "=")),
    *(unit * MANY for unit in ("A.\n", "\nQuestion: ", "答案是", "1 or ", "one hundred ", "A项正")),
    *("answer is " + unit * MANY for unit in ("the ", "-", r"\a", "\n", "1=", "A. B. ", ",111")),
    "answer" + "\n" * MANY + "x",
    " " * MANY + "x" * 100,
    "$1" + r"\mathrm{~m}" * MANY + "$",
    "= " * MANY + r"\end{align*}",
]


@pytest.mark.wide
@pytest.mark.parametrize("rules", [LETTER, NUMBER, FORMULA])
def test_no_text_takes_longer_than_its_length_allows(rules):
    """A quadratic pattern takes seconds of CPU time for any of these; all together take less."""
    start = time.thread_time()
    for text in HOSTILE:
        held, _ = final(text)
        statements(held, *rules)
    assert time.thread_time() - start < 4
