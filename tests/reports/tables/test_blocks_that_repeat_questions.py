"""When the values of a column part a table into blocks that ask the same questions again."""

from types import SimpleNamespace

import numpy as np
import pytest

from reports.tables.meaning.splitting import RowCodes, _are_blocks, _number_samples, _repeat


def are_blocks(cells):
    """Of pairs of a question and a value, row by row."""
    question, value = np.array(cells).T
    return _are_blocks(RowCodes(np.zeros(len(cells), dtype=np.int64), question), value)


def asked(more=0, fewer=0):
    """20 questions under two values in turn: some twice under one, some not under the other."""
    pairs = [(question, value) for question in range(20) for value in range(2)]
    without = {(question, 1) for question in range(fewer)}
    return [pair for pair in pairs if pair not in without] + [(19 - i, 0) for i in range(more)]


@pytest.mark.parametrize(("more", "blocks"), [(0, True), (2, True), (3, False), (6, False)])
def test_one_question_in_ten_may_have_more_samples_than_the_others(more, blocks):
    assert are_blocks(asked(more=more)) is blocks


@pytest.mark.parametrize(("fewer", "blocks"), [(12, True), (13, False), (16, False)])
def test_seven_in_ten_questions_must_be_asked_under_each_value(fewer, blocks):
    assert are_blocks(asked(fewer=fewer)) is blocks


def test_one_question_that_is_asked_again_makes_no_block():
    assert not are_blocks([(0, 0), (1, 0), (0, 1)])
    assert are_blocks([(0, 0), (1, 0), (0, 1), (1, 1)])


@pytest.mark.parametrize(
    ("values", "often"), [([0, 0, 1, 1], True), ([0, 0, 0, 1], True), ([0, 0, 1], False)]
)
def test_values_part_a_table_where_each_stands_twice_on_average(values, often):
    assert _repeat(np.array(values)) is often


@pytest.mark.parametrize(
    ("names", "numbers"),
    [("012", True), ("123", True), ("0123", True), ("01", False), ("12", False), ("013", False)],
)
def test_three_numbers_in_a_row_number_samples_and_two_may_be_a_setting(names, numbers):
    question, value = np.divmod(np.arange(5 * len(names)), len(names))
    rows = RowCodes(np.zeros(len(value), dtype=np.int64), question)
    assert _number_samples(rows, value, SimpleNamespace(values=[*names])) is numbers
