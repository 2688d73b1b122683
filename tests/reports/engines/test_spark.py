"""Tables that Spark holds are what they are as files; Spark is run for real."""

import gc
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kofn.command import main
from metrics import JointCounts
from reports import LoadError, load
from reports.engines.connecting import connect
from reports.engines.counting import counts
from reports.engines.remote import rows_that_count
from reports.run.remote import ListOrder, Which
from tests.reports.engines.spark_server import SMALL, serving
from tests.reports.engines.tables_of_outcomes import counted, known, lists, seen, worded
from tests.reports.kept_elsewhere import Elsewhere

pytestmark = pytest.mark.spark

ROWS = {
    "model": ["m'1"] * 6 + ["模型`2"] * 4,
    "dataset": ["e;--"] * 10,
    "question_id": ["q1", "q1", "q'2", "q'2", "ｑ3", "ｑ3", "q1", "q1", "q'2", ""],
    "sample": [0, 1, 0, 1, 0, 1, 0, 1, 0, 5],
    "correct": [1, 0, None, 1, 0, 0, 1, 1, 0, None],
    "level": ["hard", "hard", "easy", "easy", None, None, "hard", "hard", "easy", "hard"],
    "split": ["test", "dev", "test", "dev"] + ["test"] * 6,
    "tokens": list(range(10)),
}
OUTCOMES = pa.table(ROWS)


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """Return what puts a table both in a file and in Spark, its address, and Spark."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql.connect.session import SparkSession

        folder = tmp_path_factory.mktemp("spark")
        with serving(folder, **SMALL) as port:
            session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()

            def put(table: pa.Table, name: str) -> tuple[str, str]:
                file = folder / f"{name}.parquet"
                pq.write_table(table, file)
                session.sql(f"CREATE TABLE {name} AS FROM parquet.`{file}`")
                return str(file), f"spark+sc://127.0.0.1:{port}/spark_catalog.default.{name}"

            yield put, session, port
            session.stop()
        gc.collect()


@pytest.fixture(scope="module")
def outcomes(spark):
    put, _, _ = spark
    return put(OUTCOMES, "outcomes")


def test_a_table_in_spark_is_what_it_is_as_a_file(outcomes) -> None:
    file, engine = outcomes
    assert seen(file) == seen(engine) != "refused"
    where = "split = 'test' AND NOT level LIKE 'h%'"
    assert seen(file, where=where) == seen(engine, where=where) != "refused"
    here, there = load(file).runs[0], load(engine).runs[0]
    assert {str(note.what) for note in here.notes} <= {str(note.what) for note in there.notes}


def test_only_columns_and_rows_that_count_are_read(outcomes, spark) -> None:
    _, session, _ = spark
    remote = load(outcomes[1], where="split = 'test'").runs[0].remote
    connection = connect(remote.table)
    rows = rows_that_count(connection.table(remote.table), remote.where)
    query = connection.backend.compile(counts(rows, remote.meaning))
    (row,) = session.sql(f"EXPLAIN {query}").toArrow().to_pylist()
    assert "tokens" not in row["plan"]
    assert "EqualTo(split,test)" in row["plan"]


@pytest.mark.parametrize("shape", [lists, counted, worded])
def test_every_shape_of_table(spark, shape) -> None:
    put, _, _ = spark
    file, engine = put(shape(), shape.__name__)
    assert seen(file) == seen(engine) != "refused"


def test_questions_and_pairs_come_from_spark(outcomes) -> None:
    file, engine = outcomes
    files, runs = load(file).runs, load(engine).runs
    here = Elsewhere(files[0].outcomes)
    for order, which in (
        (ListOrder("share", True), Which("omit")),
        (ListOrder(), Which(failed=True)),
    ):
        rows = runs[0].remote.questions(0, 2, order, which).to_pylist()
        assert rows == here.questions(0, 2, order, which).to_pylist()
    joint, expected = runs[0].joint(runs[1]), JointCounts.of(files[0].outcomes, files[1].outcomes)
    assert joint.dropped() == expected.dropped() == 2
    assert joint.tally().questions.tolist() == expected.tally().questions.tolist()


@pytest.mark.parametrize("subcommand", ["score", "overview"])
def test_the_command_reads_it(outcomes, subcommand: str, capsys) -> None:
    """What is paid for checked answers differs: the file has tokens, counts have samples only."""
    said = []
    for path in outcomes:
        assert main([subcommand, path, "--format", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)["answer"]
        said.append(answer.partition(" If answers can be checked")[0])
    assert said[0] == said[1]


def test_samples_twice_are_refused(spark) -> None:
    put, _, _ = spark
    table = OUTCOMES.drop_columns("split")
    _, engine = put(pa.concat_tables([table, table.slice(0, 1)]), "twice")
    with pytest.raises(LoadError, match="1 question has the same sample more than once"):
        load(engine)


def test_no_secret_is_shown(outcomes, spark, capsys) -> None:
    _, engine = outcomes
    *_, port = spark
    secret = "tell-nobody-4711"
    report = load(f"{engine};user_id={secret}")
    assert secret not in repr(report) + repr(report.runs[0].remote) + report.digest
    for address in (
        f"{engine}s;user_id={secret}",
        f"{engine};token={secret}",
        f"spark+sc://127.0.0.1:1/a.b.c;token={secret}",
        f"spark+sc://127.0.0.1:{port}/a.b.c.{secret[:4]};token={secret}",
    ):
        assert main(["score", address]) == 2
        said = capsys.readouterr()
        assert secret not in said.out + said.err
        assert said.err.count("\n") == 1


def test_a_server_that_answers_otherwise_is_one_sentence(outcomes) -> None:
    program = [sys.executable, "-m", "kofn", f"{outcomes[1]};use_ssl=true;token=tell-nobody"]
    ended = subprocess.run(program, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.fullmatch(
        r"error: spark\+sc://127.0.0.1:\d+/.*outcomes: cannot be reached \(\w+: ipv4.*\)\. Check "
        r"host, port and use_ssl, and that Spark Connect runs there\.\n",
        ended.stderr,
    )


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_folders_that_spark_writes_are_one_table(
    spark, outcomes, form: str, tmp_path: Path
) -> None:
    _, engine = outcomes
    _, session, _ = spark
    folder = tmp_path / "written"
    frame = session.table("outcomes").select("model", "question_id", "sample", "correct", "level")
    frame = frame.filter("question_id <> ''").repartition(3)
    writer = frame.write.partitionBy("model").option("header", True)
    getattr(writer, form)(str(folder))
    written = {path.name for path in folder.rglob("*") if path.is_file()}
    assert "_SUCCESS" in written
    assert len(written) > 3
    found = {model: counts for (model, _), counts in known(load(folder)).items()}
    there = known(load(engine, where="question_id <> ''"))
    kept = {model: counts[0] for (model, _), counts in there.items()}
    assert found.keys() == kept.keys()
    runs = {run.model: run for run in load(folder).runs}
    for run in load(engine, where="question_id <> ''").runs:
        tally = runs[run.model].outcomes.tally()
        assert tally.questions.tolist() == run.counts.tally().questions.tolist()
        assert tally.c.tolist() == run.counts.tally().c.tolist()
