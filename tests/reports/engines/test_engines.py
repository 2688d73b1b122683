"""Tables that DuckDB holds, asked for through Ibis, are what they are as files."""

import io
import itertools

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kofn.workers.wire import pack, unpack
from metrics import Counts, JointCounts
from reports import LoadError, Report, load
from reports.engines.connecting import Connection, EngineTable, connect
from reports.files import upload_store
from reports.files.addresses import Address
from reports.files.errors import OpenChoice
from reports.run.remote import ListOrder, Which
from reports.run.report import join
from reports.tables import folding
from reports.tables.formats import parquet
from tests.reports.engines.tables_of_outcomes import (
    SHAPES,
    known,
    odd_tables,
    seen,
    tables,
    wide,
    worded,
)
from tests.reports.kept_elsewhere import Elsewhere
from tests.reports.tables.designed_tables import designed

pytestmark = pytest.mark.spark

PAGES = [
    (ListOrder(), Which("right", share=(0.2, 0.9))),
    (ListOrder("share", True), Which("omit")),
    (ListOrder("right"), Which("right")),
    (ListOrder("samples", True), Which("omit", failed=True)),
]
numbers = itertools.count()


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return what puts a table both in a file called runs and in an engine."""
    root = tmp_path_factory.mktemp("engines")

    def put(table: pa.Table, name: str = "runs") -> tuple[str, str]:
        folder = root / str(next(numbers))
        folder.mkdir()
        pq.write_table(table, folder / f"{name}.parquet")
        with duckdb.connect(str(folder / "of.duckdb")) as connection:
            connection.register("given", table)
            connection.execute(f'CREATE TABLE "{name}" AS FROM given')
        return str(folder / f"{name}.parquet"), f"duckdb://{folder}/of.duckdb/main.{name}"

    return put


@settings(max_examples=25)
@given(table=tables())
def test_a_table_in_an_engine_is_what_it_is_as_a_file(places, table: pa.Table) -> None:
    file, engine = places(table)
    assert seen(file) == seen(engine)


@settings(max_examples=25)
@given(table=tables().filter(lambda table: table["correct"].null_count < len(table)))
def test_a_table_that_is_folded_is_what_an_engine_counts(places, table: pa.Table) -> None:
    file, engine = places(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding, "ROWS", 1)
        patch.setattr(parquet, "gather", lambda *_: pytest.fail("the table was not folded"))
        folded, counted = load(file), load(engine)
    assert _bare(folded) == _bare(counted)
    # A label that differs between the runs of a question is none of it where rows are folded.
    if not any("is not used for segments" in str(note.what) for note in folded.notes):
        assert known(folded) == known(counted)


def _bare(report: Report) -> dict:
    """Return how many questions of each run have which counts."""
    return {
        (run.model, run.dataset): sorted(
            zip(*(of.tolist() for of in (c.graded, c.right, c.failed, c.questions)), strict=True)
        )
        for run in report.runs
        for c in [Counts.of(run.outcomes) if run.counts is None else run.counts]
    }


def test_tables_as_people_have_them_are_read_or_asked_about_alike(places) -> None:
    """What is asked, and which sentence refuses, are the same, too."""
    found = []
    for seed in range(150):
        table = designed(seed)
        if table.name.endswith(".parquet"):
            here, there = (_told(each) for each in places(pq.read_table(io.BytesIO(table.data))))
            assert here == there, table.about
            found.append(type(here))
    assert {dict, tuple} <= {*found}


def _told(source: str) -> dict | tuple:
    try:
        return known(load(source))
    except LoadError as error:
        return type(error), str(error).partition(": ")[2]


@settings(max_examples=25)
@given(table=odd_tables())
def test_what_a_file_refuses_an_engine_refuses(places, table: pa.Table) -> None:
    file, engine = places(table)
    assert seen(file) == seen(engine)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_table(places, shape) -> None:
    file, engine = places(shape())
    assert seen(file) == seen(engine) != "refused"


@settings(max_examples=10)
@given(table=tables(), low=st.integers(-3, 6))
def test_rows_are_chosen_alike(places, table: pa.Table, low: int) -> None:
    file, engine = places(table)
    where = f"sample >= {low} AND (model LIKE 'm%' OR subject IS NULL)"
    assert seen(file, where=where) == seen(engine, where=where)


@settings(max_examples=3)
@given(table=tables())
def test_questions_and_pairs_come_from_where_they_are(places, table: pa.Table) -> None:
    file, engine = places(table)
    files, runs = load(file).runs, load(engine).runs
    by_name = {(run.model, run.dataset): run for run in files}
    for run in runs:
        here = Elsewhere(by_name[run.model, run.dataset].outcomes)
        for order, which in PAGES:
            rows = run.remote.questions(1, 2, order, which).to_pylist()
            assert rows == here.questions(1, 2, order, which).to_pylist()
    for a, b in itertools.combinations(runs, 2):
        one, other = (by_name[run.model, run.dataset].outcomes for run in (a, b))
        assert _same(a.joint(b), JointCounts.of(one, other))


def test_many_pairs_are_counted_in_one_pass(places, monkeypatch) -> None:
    file, engine = places(_three_models())
    runs, files = (
        [
            run
            for where in (None, "sample >= 1")
            for run in sorted(load(each, where=where).runs, key=lambda run: run.model)
        ]
        for each in (engine, file)
    )
    outcomes = {id(run): held.outcomes for run, held in zip(runs, files, strict=True)}
    pairs = list(itertools.combinations(runs, 2))
    fetch, fetched = Connection.fetch, []
    monkeypatch.setattr(Connection, "fetch", lambda *asked: fetched.append(1) or fetch(*asked))
    segments = None, ("subject", "x")
    join(pairs, *segments)
    for (a, b), segment in itertools.product(pairs, segments):
        both = outcomes[id(a)], outcomes[id(b)]
        assert _same(a.joint(b, segment), JointCounts.of(*both, segment))
    assert (len(pairs), len(fetched)) == (15, 2)


def _three_models() -> pa.Table:
    """Return rows of which some questions and samples are missing, and some failed."""
    rng = np.random.default_rng(5)
    rows = [
        (model, f"q{question}", sample, rng.choice([0, 1, None]), "xy"[question % 2])
        for model in ("m'1", "模型`2", "m3")
        for question in range(20)
        for sample in range(3)
        if rng.random() < 0.5
    ]
    names = "model", "question_id", "sample", "correct", "subject"
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def _same(one: JointCounts, other: JointCounts) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(_columns(one), _columns(other), strict=True))


def _columns(joint: JointCounts) -> list:
    return [value for value in vars(joint).values() if isinstance(value, np.ndarray)]


def test_what_is_decided_is_said(places) -> None:
    file, engine = places(worded())
    said = {str(note.what) for run in load(engine).runs for note in run.notes}
    assert {str(note.what) for run in load(file).runs for note in run.notes} <= said
    table = pa.table(
        {"qid": ["a", "a"], "correct": [1, 0], "tokens": [5, 6], "cluster": ["x", "x"]}
    )
    notes = [str(note.what) for note in load(places(table)[1]).notes]
    assert any("without tokens" in note for note in notes)
    assert any("cluster is not used for clusters" in note for note in notes)
    assert any("No column numbers the samples" in note for note in notes)


def test_what_is_not_clear_is_asked(places) -> None:
    rows = [("a", s, v, t) for t in (0.2, 0.8) for s, v in ((0, 1), (1, 0))]
    columns = dict(
        zip(("qid", "sample", "correct", "temperature"), zip(*rows, strict=True), strict=True)
    )
    _, engine = places(pa.table({name: list(values) for name, values in columns.items()}))
    with pytest.raises(OpenChoice) as asked:
        load(engine)
    assert asked.value.table is not None
    assert "setting" in asked.value.options
    report = load(engine, columns={"setting": "temperature"})
    assert [run.model for run in report.runs] == [f"runs, temperature={t}" for t in (0.2, 0.8)]
    table = pa.table({"item": ["a", "a"], "marked": ["good", "bad"]})
    with pytest.raises(OpenChoice, match="--column correct=marked"):
        load(places(table)[1])
    told = {"question_id": "item", "correct": "marked", "right": "good"}
    (run,) = load(places(table)[1], columns=told).runs
    assert (run.counts.right.tolist(), run.counts.graded.tolist()) == ([1], [2])


def test_rows_are_counted_and_not_samples(places) -> None:
    (run,) = load(places(wide())[1], where="model = 'm'").runs
    assert str(run.notes[0].what) == "Only rows where model = 'm': 2 of 3."


def test_a_run_can_be_handed_to_another_process(places) -> None:
    _, engine = places(worded())
    (run,) = load(engine).runs
    again = unpack(pack(run))
    assert again.counts.digest == run.counts.digest
    assert again.remote.questions(0, 9) == run.remote.questions(0, 9)


def test_what_is_wrong_is_one_sentence(places) -> None:
    _, engine = places(worded())
    for address, sentence in (
        (engine + "x", "there is no table main.runsx"),
        (engine.replace("of.duckdb", "no.duckdb"), "no.duckdb. Give duckdb:///FOLDER/FILE.duckdb"),
        (engine.rpartition("/")[0], "there is no file .* Give duckdb:///FOLDER/FILE.duckdb"),
        ("nothing://host/table", "an engine that Ibis does not know"),
        ("postgres://host/db/table", "needs packages that are not installed"),
    ):
        with pytest.raises(LoadError, match=sentence) as refused:
            load(address)
        assert "\n" not in str(refused.value)
        assert refused.value.__cause__ is None
    with pytest.raises(LoadError, match=r"qid = 'nope': matches 0 of \d rows\. Check"):
        load(engine, where="qid = 'nope'")
    with pytest.raises(LoadError, match="there is no column nope"):
        load(engine, where="nope = 1")
    with pytest.raises(LoadError, match=r"does not fit|refuses"):
        load(engine, where="qid > 5 AND sample < 3")
    assert known(load(engine, where="qid <> 'b'"))
    _, engine = places(pa.table({"id": [1, 2], "pred": ["A", "B"], "answer": ["A", "A"]}))
    with pytest.raises(LoadError, match="has no verdicts beside pred and answer"):
        load(engine)


def test_duckdb_works_within_bounds_and_writes_beside_kept_files(
    places, tmp_path, monkeypatch, capfd
):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    monkeypatch.setattr(upload_store, "_parent", (tmp_path / "of the server", None))
    _, address = places(pa.table({"question": ["a", "b"], "correct": [1, 0]}))
    connection = connect(EngineTable.of(Address.read(address)))
    names = ("memory_limit", "temp_directory", "enable_progress_bar")
    asked = ", ".join(f"current_setting('{name}')" for name in names)
    assert connection.backend.raw_sql(f"SELECT {asked}").fetchone() == (
        "1.0 GiB",
        str(tmp_path / "of the server" / "engine"),
        False,
    )
