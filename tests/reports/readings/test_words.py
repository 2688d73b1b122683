"""Short texts: which answer is taken, and when a verdict contradicts it."""

import time

import pytest

from reports import audit, load
from reports.readings import words
from reports.readings.statements import final, statements


def values(text):
    return [each.value for each in statements(final(text)[0], words.words, words.last_words)]


@pytest.mark.parametrize(
    "text",
    [
        "The answer is Port Louis.",
        "**Answer:** Port Louis",
        "So the answer is **Port Louis**, which was founded in 1638.",
        "I do not know.\nThe answer is “Port Louis”, as the letter says",
        "It was built there.\n\n**Port Louis**",
        "Port Louis",
        r"Thus \boxed{\text{Port Louis}}.",
        "<think>The answer is Paris?</think>The answer is: Port Louis",
        "The answer is Paris. Wait, that is wrong. The answer is Port Louis.",
    ],
)
def test_one_name_is_stated(text):
    (value,) = values(text)
    assert words.names("port louis", False)(value)


def test_chinese_names_and_yes_and_no():
    assert values("根据文章，答案是：北京。") == ["北京"]
    assert values("是，两者相同。") == ["是"]
    assert values("No. The two differ.") == ["no"]
    assert values("Nobody knows what happened there, or why it did.\nNor when.") == []


@pytest.mark.parametrize(
    "text",
    [
        "The answer is not Port Louis.",
        "The answer is in the third paragraph, which names Port Louis and several other harbours.",
        "Perhaps the answer is Port Louis.",
        "The answer depends on Port Louis.",
    ],
)
def test_no_name_is_stated(text):
    assert not any(words.names("port louis", False)(value) for value in values(text))


def kinds(rows):
    """Return what a table of verdict, reference and text is called, row by row."""
    filler = [(1, f"name {i}", f"The answer is name {i}.") for i in range(20)]
    lines = ["question_id\tcorrect\treference\tprediction"]
    for i, (correct, reference, text) in enumerate([*rows, *filler]):
        lines.append(f"q{i}\t{correct}\t{reference}\t{text}")
    (run,) = load(("t.tsv", "\n".join(lines).encode())).runs
    found = audit(run)
    assert found.answers == "text"
    names = ("agrees", "missed", "generous", "divided", "unsupported")
    return [names[kind] for kind in found.codes[: len(rows), 0]]


def test_verdicts_are_contradicted_only_where_that_is_sure():
    assert kinds(
        [
            (0, "Port Louis", "The answer is Port Louis."),
            (0, "['Port Louis', 'PL']", "The answer is PL, in short."),
            (0, "Port Louis", "The answer is Paris."),
            (1, "USA", "The answer is the United States."),
            (1, "yes", "No, it is not."),
            (0, "yes", "Yes."),
            (0, "Port Louis", "The answer is Port Louis. " + "It is large. " * 20),
            (0, "Port Louis", "The answer is Port Louis. Or else, the answer is Paris."),
            (1, "Port Louis", "It is a long story that ends nowhere and names no harbour " * 3),
        ]
    ) == [
        *("missed", "missed", "agrees", "agrees", "generous", "missed"),
        *("unsupported", "divided", "unsupported"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "**" * 50_000,
        "answer is " * 20_000,
        '["' * 100_000,
        "the answer is " + "a " * 100_000,
        "(" * 100_000 + "yes",
    ],
)
def test_hostile_texts_take_little(text):
    began = time.process_time()
    values(text)
    words.reference(text)
    assert time.process_time() - began < 1
