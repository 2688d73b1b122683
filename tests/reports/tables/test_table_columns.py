"""What a table holds beside verdicts: scores, measurements, answers and segments."""

import numpy as np
import pyarrow as pa
import pytest

from reports import load
from tests.reports.tables import written_tables
from tests.reports.tables.parquet_tables import loaded, only
from tests.reports.tables.written_tables import feathered, parquet, streamed

KINDS = [pa.null(), pa.string(), pa.int64(), pa.dictionary(pa.int8(), pa.string())]


def test_lists_of_measurements_come_along_if_they_fit():
    run = only({"correct": [[1, 0], [1]], "tokens": [[5, 6], [7]], "latency": [[1.0], [1.0]]})
    np.testing.assert_array_equal(run.columns["tokens_out"], [[5, 6], [7, np.nan]])
    assert "latency_s" not in run.columns


def test_measurements_answers_and_segments():
    run = only(
        {
            "id": ["a", "a", "b", "b"],
            "sample": [0, 1, 0, 1],
            "correct": [1, 0, 0, 1],
            "input_tokens": [3, 3, 4, None],
            "n_tokens": [10, 20, 30, 40],
            "duration": [0.5, 1.5, 2.5, 3.5],
            "cost": pa.array([1, 2, 3, 4], pa.int16()),
            "extracted": ["7", "8", None, "7"],
            "level": [1, 1, 2, 2],
            "subject": ["x", "y", "x", "x"],
            "domain": ["u", "u", None, None],
        }
    )
    assert set(run.columns) == {"tokens_in", "tokens_out", "latency_s", "cost"}
    np.testing.assert_array_equal(run.columns["tokens_in"], [[3, 3], [4, np.nan]])
    assert run.columns["tokens_out"].tolist() == [[10, 20], [30, 40]]
    assert run.answers.tolist() == [[0, 1], [-1, 0]]
    assert {k: v.tolist() for k, v in run.outcomes.segments.items()} == {
        "level": ["1", "2"],
        "domain": ["u", "(none)"],
    }
    assert [str(note.what) for note in run.notes] == [
        "subject is not used for segments: it differs between the samples of 1 question."
    ]


def test_a_label_of_unreasonable_length_makes_no_segments():
    run = only({"id": ["a"], "correct": [1], "domain": ["x" * 10_000]})
    assert not run.outcomes.segments
    assert "labels are too long" in str(run.notes[0].what)


def test_scores_of_0_and_1_are_verdicts():
    run = only({"id": ["a", "a"], "score": [0.0, 1.0]})
    assert run.outcomes.scores is None
    assert run.threshold is None
    assert run.outcomes.correct.tolist() == [[0, 1]]


def test_soft_scores_alone_are_cut_above_one_half_and_that_is_said():
    report = loaded({"id": ["a"] * 4, "score": [0.5, 0.6, None, 1.0]})
    (run,) = report.runs
    assert run.outcomes.correct.tolist() == [[0, 1, -1, 1]]
    np.testing.assert_array_equal(run.outcomes.scores, [[0.5, 0.6, np.nan, 1.0]])
    assert (run.threshold, run.strict) == (0.5, True)
    assert [note.severity for note in report.notes] == ["warning"]


def test_soft_scores_beside_verdicts_are_kept_and_the_verdicts_stand():
    run = only(
        {
            "id": ["a"] * 4,
            "score": [0.5, 0.6, 0.1, 1.0],
            "correct": [True, False, None, True],
            "error": [None, None, None, "x"],
        }
    )
    assert run.outcomes.correct.tolist() == [[1, 0, -1, -1]]
    np.testing.assert_array_equal(run.outcomes.scores, [[0.5, 0.6, np.nan, np.nan]])
    assert run.threshold is None


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"score": [0.5, None]}, "score is empty for graded samples"),
        ({"score": [0.5, 7.0]}, "score goes beyond the range 0 to 1"),
        ({"score": [0.5, 0.6], "f1": [0.1, 0.2]}, "score, f1 disagree"),
    ],
)
def test_unusable_scores_beside_verdicts_are_left_out_with_a_note(columns, message):
    report = loaded({"id": ["a", "a"], "correct": [1, 0]} | columns)
    assert report.runs[0].outcomes.scores is None
    assert message in str(report.notes[0].what)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["model", "dataset", "sample", "cluster", "level", "prompt"])
def test_a_column_without_a_value_is_left_out_in_any_number_of_row_groups(kind, name):
    table = pa.table(
        {
            "id": ["a", "a", "b", "b"],
            "correct": [1, 0, 1, 1],
            name: pa.array([None] * 4, kind),
        }
    )
    for group in (1, 4):
        report = load(("t.parquet", parquet(table, row_group_size=group)))
        (run,) = report.runs
        assert (run.model, run.dataset) == ("t", "t")
        assert run.outcomes.correct.tolist() == [[1, 0], [1, 1]]
    if name in ("model", "dataset", "sample", "cluster"):
        assert f"{name} has no value in any row" in str(report.notes[0].what)
    csv = f"id,correct,{name}\na,1,\na,0,\nb,1,\nb,1,\n".encode()
    assert load(("t.csv", csv)).runs[0].outcomes.correct.tolist() == [[1, 0], [1, 1]]


def test_of_two_columns_of_verdicts_one_without_a_value_is_none():
    run = only({"id": ["a", "b"], "passed": [None, None], "correct": [1, 0]})
    assert run.outcomes.correct.tolist() == [[1], [0]]


@pytest.mark.parametrize("write", [feathered, streamed, parquet])
@pytest.mark.parametrize("kind", [pa.int64(), pa.float32(), pa.string()])
def test_categories_of_numbers_are_numbers(write, kind):
    def categories(values):
        return pa.array(values).cast(kind).dictionary_encode()

    table = pa.table(
        {
            "id": categories([7, 7, 9, 9]),
            "sample": categories([2, 1, 1, 2]),
            "correct": categories([1, 0, 1, 1]),
            "cost": categories([5, 4, 3, 2]),
        }
    )
    run = written_tables.only("t", write(table))
    assert [float(question) for question in run.outcomes.questions] == [7, 9]
    assert run.outcomes.correct.tolist() == [[0, 1], [1, 1]]
    if kind != pa.string():
        assert run.columns["cost"].tolist() == [[4, 5], [3, 2]]


def test_a_setting_is_what_holds_throughout_a_run() -> None:
    lines = ["model,question_id,sample,correct,temp,judge,precision"]
    lines += [
        f"{model},q{question},{sample},1,{temperature},{judge},"
        for model, temperature, judges in (("a", "0.7", "xx"), ("b", "1", "xy"), ("c", "", "yy"))
        for question in range(2)
        for sample, judge in enumerate(judges)
    ]
    runs = load(("t.csv", "\n".join(lines).encode())).runs
    assert {run.model: dict(run.settings) for run in runs} == {
        "a": {"temperature": 0.7, "judge": "x"},
        "b": {"temperature": 1},
        "c": {"judge": "y"},
    }
