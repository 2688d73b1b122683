"""Columns that divide questions are known by the words of the field, and asked about in doubt."""

from itertools import product

import pytest

from reports import load
from reports.files.errors import OpenChoice


def table(name, labels, of):
    each = product(range(8), labels, (0, 1))
    rows = [f"q{q},{s},{(q + s) % 2},{of(q, label)}" for q, label, s in each]
    return ("t.csv", "\n".join([f"question_id,sample,correct,{name}", *rows]).encode())


@pytest.mark.parametrize("name", ["language", "topic", "difficulty", "subset", "domain", "skill"])
def test_a_word_of_the_field_divides_the_questions(name):
    (run,) = load(table(name, [""], lambda q, _: "en" if q % 2 else "de")).runs
    assert set(run.outcomes.segments[name]) == {"en", "de"}


def test_a_language_in_which_every_question_was_asked_is_asked_about():
    with pytest.raises(OpenChoice, match="language"):
        load(table("language", ["en", "de"], lambda _, label: label))
