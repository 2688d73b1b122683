"""No reader gives a wrong number without a word, whatever happened to a report or table.

Some inputs of each reader by default; ten thousand with ``pytest -m slow -k differential``.
Number 7 of them is answered again by ``python -m tests.reports.differential 7 8 READER``.
"""

import pytest

from tests.reports.changed_reports import corpus
from tests.reports.differential import OPENCOMPASS, READERS, Wrong, answer, wrong_answers


def test_changed_inputs_give_the_truth_a_question_a_refusal_or_a_note(tmp_path):
    found, answers = wrong_answers(READERS, range(4), tmp_path / "report")
    assert found == []
    assert {reader for reader, kind in answers if kind == "true"} == {*READERS}


def test_a_wrong_number_would_be_found():
    (case,) = corpus("opencompass", OPENCOMPASS[0])
    assert answer(case, case.source) == "true"
    (rows,) = case.truth.values()
    rows["0"] = rows["0"][::-1]
    with pytest.raises(Wrong):
        answer(case, case.source)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_ten_thousand_changed_inputs_give_no_wrong_number(reader, tmp_path):
    found, _ = wrong_answers([reader], range(10_000), tmp_path / "report")
    assert found == []
