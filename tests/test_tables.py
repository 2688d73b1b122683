"""Outcome tables: every shape gives the matrix that a dictionary of the samples gives."""

import contextlib
import io
from collections import defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import LoadError, load


def parquet(columns, **options):
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


def loaded(columns, name="t.parquet"):
    return load((name, parquet(columns)))


def only(columns):
    (run,) = loaded(columns).runs
    return run


def refusal(columns):
    with pytest.raises(LoadError) as caught:
        loaded(columns)
    return str(caught.value)


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


@settings(max_examples=150)
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
        "No segments from subject: it differs between the samples of 1 question."
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
        ({"score": [0.5, 7.0]}, "score leaves the range 0 to 1"),
        ({"score": [0.5, 0.6], "f1": [0.1, 0.2]}, "score, f1 disagree"),
    ],
)
def test_unusable_scores_beside_verdicts_are_left_out_with_a_note(columns, message):
    report = loaded({"id": ["a", "a"], "correct": [1, 0]} | columns)
    assert report.runs[0].outcomes.scores is None
    assert message in str(report.notes[0].what)


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


def test_texts_are_not_read(monkeypatch):
    read = []
    original = pq.ParquetFile.iter_batches

    def spy(self, batch_size, columns):
        read.extend(columns)
        return original(self, batch_size, columns=columns)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", spy)
    only({"id": ["a"], "correct": [1], "prompt": ["p"], "prediction": ["t"], "answer": ["r"]})
    assert read == ["id", "correct"]


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        (
            {"id": [1], "x": [1]},
            ["has no column of outcomes among id, x", "such as --column correct=x; there are: x."],
        ),
        ({f"c{i}": [1] for i in range(40)}, ["c0, c1, c2, c3, c4, c5, c6, c7, …"]),
        ({f"c{i}": [1] for i in range(10_000)}, ["has 10,000 columns; kofn reads up to 5,000"]),
        ({"id": [1, 1], "correct": [1, 3]}, ["column correct: holds 3; a verdict is 0 or 1"]),
        ({"id": [1], "correct": [0.5]}, ["column correct: holds 0.5; a verdict is 0 or 1"]),
        ({"id": [1], "score": [-0.5]}, ["column score: holds -0.5; a score lies between 0 and 1"]),
        ({"id": [1], "score": [np.inf]}, ["column score: holds inf"]),
        ({"id": [1], "r1": [1], "r2": [2]}, ["column r2: holds 2"]),
        ({"id": [1], "correct": [[1, 7]]}, ["column correct: holds 7"]),
        (
            {"id": [1, 2], "correct": ["yes", "maybe"]},
            ["column correct: row 2 holds 'maybe'; outcomes must be"],
        ),
        ({"id": [1], "correct": [{"v": 1}]}, ["column correct: holds struct<v: int64>"]),
        ({"id": [1], "correct": [[[1]]]}, ["column correct: holds list<element: list<"]),
        ({"id": [1], "correct": [None]}, ["column correct: is empty in every row"]),
        ({"id": [1], "score": [np.nan]}, ["column score: is empty in every row"]),
        ({"id": [1], "is_corrects": [[None, None]]}, ["is_corrects: is empty in every row"]),
        (
            {"correct": [1, 0]},
            ["no column that says which question", "Name that column question_id"],
        ),
        ({"id": [{"x": 1}], "correct": [1]}, ["no column that says which question"]),
        ({"id": ["a", None], "correct": [1, 0]}, ["column id: is empty in 1 row. Fill it in"]),
        ({"id": ["a"], "model": [None], "correct": [1]}, ["column model: is empty in 1 row."]),
        ({"id": pa.array([], pa.string()), "correct": pa.array([], pa.int8())}, ["has no rows"]),
        (
            {"id": [1, 1, 1], "sample": [0, 0, 1], "correct": [1, 0, 1]},
            ["column id, sample: question 1 has the same sample more than once (1 such row)"],
        ),
        ({"id": ["a", "a"], "r1": [1, 0], "r2": [1, 0]}, ["Give each question one row"]),
        (
            {"id": [1], "correct_1": [1], "correct-1": [1]},
            ["correct_1, correct-1: both columns hold"],
        ),
        (
            {"id": [1], "correct": [1], "passed": [0]},
            ["correct and passed could both be the outcomes, and they disagree"],
        ),
        (
            {"id": [1], "score": [0.1], "anls": [0.2]},
            ["score and anls could both be the outcomes, and they disagree"],
        ),
        (
            {"id": [1], "Correct": [1], "correct": [0]},
            ["column correct: several columns have this name"],
        ),
        ({"id": [1], "correct": [[1, 0]], "score": [[0.1]]}, ["the lists of a question differ"]),
        (
            {"id": np.arange(1001), "model": np.arange(1001).astype(str), "correct": [1] * 1001},
            ["column model: has 1,001 values; kofn reads up to 1,000"],
        ),
    ],
)
def test_a_table_without_usable_outcomes_says_where_what_and_how_to_fix_it(columns, parts):
    message = refusal(columns)
    assert message.startswith("t.parquet")
    assert message.endswith(".")
    assert len(message) < 400
    for part in parts:
        assert part in message


def test_a_question_that_swallows_all_samples_is_refused_before_the_matrix_is_made():
    n = 30_000
    message = refusal({"id": [*range(n), *[0] * n], "correct": [1] * 2 * n})
    assert "one question has 30,001 samples, the median question 1" in message
    message = refusal({"id": range(n), "correct": [[1]] * (n - 1) + [[1] * n]})
    assert "one question has 30,000 samples" in message


def test_a_table_of_too_many_values_is_refused_unread(monkeypatch):
    monkeypatch.setattr("reports.tables.gathering.MAX_VALUES", 1000)
    data = {"id": range(600), "correct": [1] * 600}
    assert "holds more than 1,000 values" in refusal(data)
    assert only({name: values[:400] for name, values in data.items()}).outcomes.shape == (400, 1)


def test_a_truncated_or_damaged_file_is_a_load_error():
    data = parquet({"id": [str(i) for i in range(500)], "correct": [1, 0] * 250})
    for cut in range(4, len(data), 97):
        with pytest.raises(LoadError, match="cannot be read as Parquet"):
            load(("t.parquet", data[:cut]))
    with pytest.raises(LoadError, match="cannot be read as Parquet"):
        load(("t.parquet", b"PAR1 hello PAR1"))
    with pytest.raises(LoadError, match="cannot be read as Parquet"):
        load(("t.parquet", b"hello"))


@pytest.mark.parametrize("kind", ["long", "list"])
def test_a_file_with_changed_bytes_gives_runs_or_a_load_error(kind):
    """pyarrow ends the process on some of these if it is asked for the sizes of columns."""
    n = 300
    columns = {
        "long": {
            "id": [f"q{i % 30}" for i in range(n)],
            "sample": range(n),
            "correct": [1, 0, None] * (n // 3),
            "error": [None] * n,
            "extracted": [str(i % 5) for i in range(n)],
        },
        "list": {"id": range(n), "is_corrects": [[1, 0]] * n, "tokens": [[1, 2]] * n},
    }[kind]
    whole = parquet({name: list(values) for name, values in columns.items()})
    rng = np.random.default_rng(1)
    for _ in range(400):
        data = bytearray(whole)
        for position in rng.integers(0, len(data), rng.integers(1, 6)):
            data[position] = rng.integers(256)
        with contextlib.suppress(LoadError):
            load(("t.parquet", bytes(data)))


def test_a_table_packed_a_millionfold_is_refused_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr("reports.tables.gathering.MAX_BYTES", 16 << 20)
    rows = 5_000_000
    data = parquet(
        {"id": pa.array(np.zeros(rows, np.int32)), "correct": pa.array(np.zeros(rows, np.int64))}
    )
    assert len(data) < 1 << 20
    with pytest.raises(LoadError, match="holds more than"):
        load(("t.parquet", data))


def test_a_table_is_known_by_its_content_and_one_bad_file_does_not_stop_the_others(tmp_path):
    good = parquet({"id": ["a"], "correct": [1]})
    assert load(("upload.bin", good)).runs[0].model == "upload"
    (tmp_path / "good.parquet").write_bytes(good)
    (tmp_path / "bad.parquet").write_bytes(good[:50])
    (tmp_path / "notes.txt").write_text("x")
    report = load(tmp_path)
    assert [run.source for run in report.runs] == ["good.parquet"]
    assert [(note.where, note.severity) for note in report.notes] == [("bad.parquet", "problem")]
