"""Outcome tables: every shape gives the matrix that a dictionary of the samples gives."""

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import load
from reports.run import duplicates
from tests.reports.tables.parquet_tables import loaded, only
from tests.reports.tables.written_tables import parquet

rows = st.lists(
    st.tuples(
        st.sampled_from(["m1", "m2"]),
        st.sampled_from(["d1", "d2"]),
        st.sampled_from(["q1", "q2", "q3"]),
        st.integers(-3, 5),
        st.sampled_from([0, 1, None]),
        st.floats(0, 9),
    ),
    min_size=1,
    unique_by=lambda row: row[:4],
)


@given(rows.filter(lambda rows: any(row[4] is not None for row in rows)))
def test_a_long_table_gives_the_matrix_of_its_samples(rows):
    expected = defaultdict(lambda: defaultdict(dict))
    for model, dataset, question, sample, correct, latency in rows:
        verdict = -1 if correct is None else correct
        expected[model, dataset][question][sample] = verdict, latency
    names = ("model", "dataset", "question_id", "sample", "correct", "latency_s")
    report = loaded(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    assert {(run.model, run.dataset) for run in report.runs} == set(expected)
    for run in report.runs:
        questions = expected[run.model, run.dataset]
        width = max(map(len, questions.values()))
        assert run.outcomes.shape == (len(questions), width)
        assert set(run.outcomes.questions) == set(questions)
        for i, question in enumerate(run.outcomes.questions):
            in_order = [questions[question][sample] for sample in sorted(questions[question])]
            padding = width - len(in_order)
            assert run.outcomes.correct[i].tolist() == [v for v, _ in in_order] + [-2] * padding
            assert run.columns["latency_s"][i, : len(in_order)].tolist() == [t for _, t in in_order]
            assert np.isnan(run.columns["latency_s"][i, len(in_order) :]).all()


@settings(max_examples=6)
@given(st.integers(1, 4), st.integers(2, 5), st.data())
def test_long_wide_and_list_tables_give_equal_outcomes(m, n, data):
    matrix = data.draw(
        st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=m, max_size=m)
    )
    ids = [f"q{i}" for i in range(m)]
    tables = [
        {
            "problem_id": np.repeat(ids, n),
            "attempt": np.tile(np.arange(n), m),
            "passed": np.ravel(matrix),
        },
        {"qid": ids} | {f"correct_{j + 1}": [row[j] for row in matrix] for j in range(n)},
        {"qid": ids} | {f"R-{j}": [float(row[j]) for row in matrix] for j in reversed(range(n))},
        {"qid": ids} | {str(j): [int(row[j]) for row in matrix] for j in range(n)},
        {"ID": ids, "is_corrects": matrix},
        {"id": ids, "Score": pa.array(matrix, pa.list_(pa.bool_(), n)).cast(pa.list_(pa.bool_()))},
        {"id": ids, "correct": pa.array(matrix, pa.list_(pa.bool_(), n))},
    ]
    digests = {only(table).outcomes.digest for table in tables}
    assert len(digests) == 1
    assert only(tables[0]).outcomes.correct.tolist() == np.array(matrix, int).tolist()


def test_without_a_column_of_samples_the_order_of_the_rows_counts():
    run = only({"id": ["a", "b", "a", "b", "a"], "correct": [1, 0, 0, 1, 1]})
    assert run.outcomes.questions == ("a", "b")
    assert run.outcomes.correct.tolist() == [[1, 0, 1], [0, 1, -2]]


def test_numbers_of_samples_sort_as_numbers_and_names_as_names():
    table = {"id": ["a"] * 3, "correct": [1, 0, 0]}
    assert only(table | {"seed": ["10", "9", "8"]}).outcomes.correct.tolist() == [[0, 0, 1]]
    assert only(table | {"seed": ["c", "a", "b"]}).outcomes.correct.tolist() == [[0, 0, 1]]


def test_model_and_dataset_are_named_by_the_file_where_no_column_does():
    run = only({"id": ["a"], "correct": [True]})
    assert (run.model, run.dataset) == ("t", "t")
    run = only({"id": ["a"], "correct": [True], "model": ["m"], "dataset": ["d"]})
    assert (run.model, run.dataset) == ("m", "d")


def test_a_failed_request_is_counted_and_noted():
    run = only(
        {
            "id": ["a", "a", "b", "b"],
            "sample": [0, 1, 0, 1],
            "correct": [True, None, False, True],
            "error": [None, None, "HTTP 500", ""],
        }
    )
    assert run.outcomes.correct.tolist() == [[1, -1], [-1, 1]]
    assert [str(note.what) for note in run.notes] == [
        "1 sample has an error and counts as a failed request.",
        "1 sample has no verdict and counts as a failed request.",
    ]
    assert [note.count for note in run.notes] == [1, 1]


def test_a_list_may_be_shorter_empty_or_hold_nulls():
    run = only({"id": ["a", "b", "c"], "is_corrects": [[1, 0, None], [1], None]})
    assert run.outcomes.correct.tolist() == [[1, 0, -1], [1, -2, -2], [-2, -2, -2]]


def test_candidates_that_agree_are_one():
    run = only(
        {"id": ["a", "b"], "correct": [1, None], "passed": [True, None], "score": [1.0, 0.0]}
    )
    assert run.outcomes.correct.tolist() == [[1], [-1]]
    assert run.outcomes.scores is None


def test_names_that_repeat_matter_only_where_they_are_read():
    assert only({"id": ["a"], "correct": [1], "Text": ["x"], "text": ["y"]}).outcomes.shape == (
        1,
        1,
    )


def test_types_do_not_matter():
    values = [1, 0, None]
    for kind in (pa.int8(), pa.uint64(), pa.float16(), pa.float32(), pa.decimal128(21, 2)):
        run = only({"id": [1.5, 2.5, 3.5], "correct": pa.array(values).cast(kind)})
        assert run.outcomes.correct.tolist() == [[1], [0], [-1]]
    ids = pa.array(["x", "y", "x"]).dictionary_encode()
    assert only({"id": ids, "correct": values}).outcomes.correct.tolist() == [[1, -1], [0, -2]]


def test_row_groups_with_dictionaries_of_their_own_are_one_table():
    ids = [f"q{i % 7}" for i in range(100)]
    whole = load(("t.parquet", parquet({"id": ids, "correct": [1] * 100})))
    split = load(("t.parquet", parquet({"id": ids, "correct": [1] * 100}, row_group_size=3)))
    assert whole.runs[0].outcomes.digest == split.runs[0].outcomes.digest


def test_of_the_texts_only_predictions_are_read_and_these_to_tell_copies(monkeypatch):
    read = []
    original = pq.ParquetFile.iter_batches

    def spy(self, batch_size, row_groups, columns):
        read.extend(columns)
        return original(self, batch_size, row_groups=row_groups, columns=columns)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", spy)
    monkeypatch.setattr(duplicates, "MOST_BYTES", 0)
    texts = {"prompt": ["p"], "prediction": ["t"], "answer": ["r"]}
    only({"question_id": ["a"], "correct": [1], **texts})
    assert {*read} == {"question_id", "correct", "prediction"}


def test_a_table_is_known_by_its_content_and_one_bad_file_does_not_stop_the_others(tmp_path):
    good = parquet({"id": ["a"], "correct": [1]})
    assert load(("upload.bin", good)).runs[0].model == "upload"
    (tmp_path / "good.parquet").write_bytes(good)
    (tmp_path / "bad.parquet").write_bytes(good[:50])
    (tmp_path / "notes.txt").write_text("x")
    report = load(tmp_path)
    assert [run.source for run in report.runs] == ["good.parquet"]
    assert [(note.where, note.severity) for note in report.notes] == [("bad.parquet", "problem")]
