"""Long tables of pandas and Arrow, given to the metrics as they are."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import MetricError, Outcomes, compare, curve, estimate
from reports import load

ROWS = pd.DataFrame(
    {
        "question_id": ["a", "a", "b", "b", "c"],
        "sample": [1, 0, 1, 0, 0],
        "correct": [True, False, None, True, False],
        "tokens": [5, 4, 3, 2, 1],
    }
)
TRUE = Outcomes([[0, 1], [1, -1], [0, -2]], questions=["a", "b", "c"])


@pytest.mark.parametrize(
    "table",
    [
        ROWS,
        ROWS.convert_dtypes(),
        ROWS.convert_dtypes(dtype_backend="pyarrow"),
        ROWS.assign(correct=[1.0, 0.0, np.nan, 1.0, 0.0]),
        ROWS.assign(model="7B", dataset="aime"),
        ROWS.rename(columns={"question_id": "task_id", "sample": "epoch", "correct": "passed"}),
        pa.Table.from_pandas(ROWS),
        pa.RecordBatch.from_pandas(ROWS),
    ],
)
def test_a_long_table_is_its_outcomes(table):
    for missing in ("wrong", "omit", "right"):
        assert estimate(table, "avg@n", missing=missing) == estimate(TRUE, "avg@n", missing=missing)
    np.testing.assert_array_equal(curve(table, "pass@k").value, curve(TRUE, "pass@k").value)


@pytest.mark.wide
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=40))
def test_any_long_table_is_what_reports_reads(rows):
    table = pd.DataFrame(rows, columns=["question_id", "correct"])
    assert estimate(table, "pass@k", 1) == estimate(load(table).runs[0], "pass@k", 1)
    numbered = table.assign(sample=table.groupby("question_id").cumcount())
    again = numbered.sample(frac=1, random_state=len(rows))
    assert estimate(again, "pass@k", 1).value == pytest.approx(estimate(table, "pass@k", 1).value)


def test_two_tables_are_compared_question_by_question():
    other = ROWS.assign(correct=[True, True, True, True, False])[::-1]
    found = compare(ROWS, other, "avg@n")
    assert (found.n_questions, found.wins, found.losses) == (3, 2, 0)
    assert found.value == pytest.approx(1 / 3)


def test_a_table_that_is_a_plain_matrix_stays_one():
    R = [[1, 0, 1], [0, 0, 1]]
    for table in (pd.DataFrame(R), pa.table({f"c{i}": [row[i] for row in R] for i in range(3)})):
        assert estimate(table, "avg@n") == estimate(R, "avg@n")


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (ROWS.drop(columns="sample"), "has no column sample, so tokens may tell runs apart"),
        (ROWS.assign(model=list("xxyyy")), "several runs: model is not the same in all rows"),
        (ROWS.drop(columns="correct"), "has no column correct"),
        (ROWS.drop(columns="question_id"), "has no column question_id"),
        (ROWS[["correct"]].assign(name="a"), "no columns question_id and correct"),
        (ROWS.assign(passed=1), "has correct, passed, any of which may be meant"),
        (ROWS.assign(correct="yes"), "holds no 0 and 1 in correct"),
        (ROWS.assign(correct=0.5), "holds no 0 and 1 in correct"),
        (ROWS.assign(correct=None), "holds no 0 and 1 in correct"),
        (ROWS.assign(sample=list("xyxyx")), "does not number its samples in sample"),
        (ROWS.assign(question_id=["a", "a", None, "b", "c"]), "rows in which question_id is empty"),
        (pd.concat([ROWS, ROWS]), "has a sample of question a twice"),
        (ROWS[:0], "has no rows"),
        (pd.DataFrame({"name": ["a"], "verdict": [1]}), "no columns question_id and correct"),
        (pd.DataFrame({"question_id": [1], "c_0": [1], "c_1": [0]}), "has no column correct"),
    ],
)
def test_what_it_does_not_say_is_refused_and_leads_to_reports(table, problem):
    with pytest.raises(MetricError, match=problem) as caught:
        estimate(table, "avg@n")
    assert "reports.load(table)" in str(caught.value)


def test_nothing_is_imported_for_it():
    code = "import sys, metrics; sys.exit(bool({'pandas', 'pyarrow', 'polars'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
