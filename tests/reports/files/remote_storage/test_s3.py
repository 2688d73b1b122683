"""Objects at s3://, of moto, which speaks as AWS does."""

import gzip
import logging
import pickle
import sys
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from botocore.loaders import create_loader
from moto.server import ThreadedMotoServer

from reports import load
from reports.files import ranged
from reports.files.addresses import Address
from reports.files.archive import open_tree
from reports.files.errors import LoadError
from reports.files.remote_storage import opening, s3
from reports.tables.formats import parquet
from tests.reports.files.remote_storage.serving import respond, serving

CSV = b"question_id,sample,correct\n" + b"".join(
    b"%d,%d,%d\n" % (row, slot, row % 2) for row in range(20) for slot in range(2)
)
# What botocore leaves to the collector: sockets that a server of HTTP/1.0 has closed.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
LOADER = cache(create_loader)
"""Which reads once for all clients what there is to ask."""
KEYS = ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")


@pytest.fixture(scope="module")
def endpoint():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    yield "http://{}:{}".format(*server.get_host_and_port())
    server.stop()


@pytest.fixture
def ask(monkeypatch, tmp_path):
    """Set the environment to an endpoint, and return how to ask it."""
    monkeypatch.setattr("botocore.session.create_loader", LOADER)
    monkeypatch.setattr(ranged, "_PAUSE", 0)
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    for key in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(key, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")

    def asking(url, key="someone"):
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        if key:
            monkeypatch.setenv("AWS_ACCESS_KEY_ID", key)
            monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
        forget()
        return s3._client()

    yield asking
    forget()


def forget():
    if s3._client.cache_info().currsize:
        s3._client().close()
    s3._client.cache_clear()


@pytest.fixture(scope="module")
def client(endpoint):
    """Give a client of a bucket."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ENDPOINT_URL", endpoint)
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        environment.setenv("AWS_ACCESS_KEY_ID", "someone")
        environment.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
        made = s3._client()
        s3._client.cache_clear()
    made.create_bucket(Bucket="evals")
    yield made
    made.close()


@pytest.fixture
def bucket(client, monkeypatch):
    """Give a client of the bucket, which has no objects."""
    monkeypatch.setattr(s3, "_client", lambda: client)
    monkeypatch.setattr(ranged, "_PAUSE", 0)
    for each in client.list_objects_v2(Bucket="evals").get("Contents", ()):
        client.delete_object(Bucket="evals", Key=each["Key"])
    return client


@pytest.fixture
def fetched(monkeypatch):
    """Count the bytes that are fetched."""
    found, read = [], ranged.PlacedFile.read

    def counted(self, start, count):
        found.append(count)
        return read(self, start, count)

    monkeypatch.setattr(ranged.PlacedFile, "read", counted)
    return found


def put(client, key, body):
    client.put_object(Bucket="evals", Key=key, Body=body)


def fault(address):
    with pytest.raises(LoadError) as refused:
        load(address)
    assert "hunter2" not in str(refused.value)
    return str(refused.value)


@pytest.mark.wide
def test_an_object_and_a_prefix_are_read_like_a_file_and_a_folder(bucket):
    put(bucket, "2026/a.csv", CSV)
    put(bucket, "2026/b/c.csv", CSV.replace(b",1\n", b",0\n"))
    put(bucket, "2026/b/", b"")
    put(bucket, "2026/.hidden", b"")
    put(bucket, "20260/d.csv", CSV)
    (run,) = load("s3://evals/2026/a.csv").runs
    (same,) = load(("a.csv", CSV)).runs
    assert run.outcomes.digest == same.outcomes.digest
    for address in ("s3://evals/2026", "s3://evals/2026/"):
        assert [*open_tree(address).files] == ["a.csv", "b/c.csv"]
        assert {run.dataset for run in load(address).runs} == {"a", "c"}


def test_the_parts_of_a_table_are_one_table(bucket):
    for model in ("alpha", "beta"):
        put(bucket, f"table/model={model}/part-0.csv", CSV)
    put(bucket, "table/_SUCCESS", b"")
    assert {run.model for run in load("s3://evals/table/").runs} == {"alpha", "beta"}


def test_packed_files_of_a_prefix_or_pattern_are_unpacked(bucket):
    for number in range(2):
        part = CSV.replace(b"\n", b"\n%d" % (number + 1))[:-1]
        put(bucket, f"table/part-0000{number}.csv.gz", gzip.compress(part))
    put(bucket, "table/_SUCCESS", b"")
    for address in ("s3://evals/table/", "s3://evals/table/*.gz"):
        (run,) = load(address).runs
        assert (run.dataset, len(run.outcomes.questions)) == ("table", 40)


def test_a_pattern_is_the_objects_that_it_matches(bucket):
    for key in ("a.csv", "b.csv", ".c.csv", "t/part-0.csv", "t/part-1.csv", "t/x/d.csv", "e*.csv"):
        put(bucket, f"runs/{key}", f"question_id,correct\n{key},1\n".encode())
    for pattern, models in (
        ("runs/[ab].csv", {"a", "b"}),
        ("runs/?.csv", {"a", "b"}),
        ("runs/t/*.csv", {"t"}),
        ("runs/**/*.csv", {"a", "b", "d", "e*", "t"}),
        ("runs/t*/", {"d", "t"}),
        ("runs/e*.csv", {"e*"}),
        ("runs/a*", {"a"}),
        ("r*/a.csv", {"a"}),
        ("**", {"a", "b", "d", "e*", "t"}),
    ):
        assert {run.dataset for run in load(f"s3://evals/{pattern}").runs} == models, pattern
    assert [*open_tree("s3://evals/runs/t/*.csv").files] == ["t/part-0.csv", "t/part-1.csv"]
    assert "runs/*.parquet: matches no file" in fault("s3://evals/runs/*.parquet")
    put(bucket, "runs/t/_delta_log/0.json", b"{}")
    assert "is a table of Delta" in fault("s3://evals/runs/t/*.csv")


def test_of_a_table_only_the_columns_that_matter_are_fetched(bucket, fetched, tmp_path):
    rows = 80_000
    texts = [f"{row * 7919 % 99991:->60}" for row in range(rows)]
    table = pa.table(
        {
            "question_id": [row // 4 for row in range(rows)],
            "sample": [row % 4 for row in range(rows)],
            "correct": [row % 3 == 0 for row in range(rows)],
            "notes": texts,
        }
    )
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, row_group_size=10_000, compression="none", use_dictionary=False)
    put(bucket, "a.parquet", path.read_bytes())
    (run,) = load("s3://evals/a.parquet").runs
    assert run.outcomes.digest == load(path).runs[0].outcomes.digest
    assert sum(fetched) < 0.4 * path.stat().st_size


@pytest.mark.wide
def test_large_tables_are_folded_where_they_lie(bucket, monkeypatch, tmp_path):
    rows = 4000
    folded = []
    fold = parquet.folding.fold
    monkeypatch.setattr(parquet.folding, "ROWS", 1000)
    monkeypatch.setattr(
        parquet.folding, "fold", lambda *about: folded.append(fold(*about)) or folded[-1]
    )
    for model in ("alpha", "beta"):
        path = tmp_path / f"model={model}" / "part-0.parquet"
        path.parent.mkdir()
        table = {
            "question_id": [row // 4 for row in range(rows)],
            "sample": [row % 4 for row in range(rows)],
            "correct": [row % (3 + len(model)) == 0 for row in range(rows)],
            "prompt": [f"What is {row // 4}?" for row in range(rows)],
        }
        pq.write_table(pa.table(table), path, row_group_size=1000)
        put(bucket, f"parts/model={model}/part-0.parquet", path.read_bytes())
    for there, here in (
        ("s3://evals/parts/", tmp_path),
        ("s3://evals/parts/model=beta/part-0.parquet", path),
    ):
        found, same = load(there).runs, load(here).runs
        assert [(run.model, run.outcomes.digest) for run in found] == [
            (run.model, run.outcomes.digest) for run in same
        ]
        assert found[-1].texts("7").prompt == same[-1].texts("7").prompt
    assert [each is not None for each in folded] == [True] * 4
    where = "model = 'beta' AND sample < 2 AND question_id <> 3"
    (found,), (same,) = (load(of, where=where).runs for of in ("s3://evals/parts/", tmp_path))
    assert found.outcomes.digest == same.outcomes.digest
    assert found.outcomes.shape == (999, 2)
    assert found.texts("7") == same.texts("7")
    assert [each is not None for each in folded] == [True] * 6


@pytest.mark.wide
def test_texts_of_a_question_are_fetched_by_range(bucket, fetched):
    lines = b"".join(
        b'{"question_id": %d, "sample": 0, "correct": 1, "prediction": "%s"}\n' % (row, b"x" * 999)
        for row in range(3000)
    )
    put(bucket, "a.jsonl", lines)
    (run,) = load("s3://evals/a.jsonl").runs
    run.store.find(None)
    fetched.clear()
    assert run.texts("2000").predictions[0].startswith("xxx")
    assert sum(fetched) < 0.1 * len(lines)


def test_what_was_changed_since_is_said_to_be(bucket):
    put(bucket, "a/b.csv", CSV)
    for address in ("s3://evals/a/", "s3://evals/a/b.csv"):
        put(bucket, "a/b.csv", CSV)
        look = opening.look(Address.read(address))
        kept = pickle.loads(pickle.dumps(open_tree(address).keep()))
        assert opening.look(Address.read(address)) == look
        put(bucket, "a/b.csv", CSV.replace(b",1\n", b",0\n"))
        assert opening.look(Address.read(address)) != look
        with kept.open("b.csv") as file, pytest.raises(LoadError, match="was changed since"):
            file.read()
    bucket.delete_object(Bucket="evals", Key="a/b.csv")
    with kept.open("b.csv") as file, pytest.raises(LoadError, match="was changed since"):
        file.read()


def test_names_that_lead_elsewhere_are_left_out_with_a_note(bucket):
    for name in ("../../etc/passwd.csv", "a//b.csv", "./c.csv", "d.csv"):
        put(bucket, f"odd/{name}", CSV)
    tree = open_tree("s3://evals/odd/")
    assert [*tree.files] == ["d.csv"]
    assert [(note.count, note.severity) for note in tree.notes] == [(3, "warning")]


def test_a_prefix_of_too_many_objects_is_refused(bucket, monkeypatch):
    for number in range(4):
        put(bucket, f"many/{number}.csv", CSV)
    monkeypatch.setattr(opening, "MAX_FILES", 3)
    assert "holds more than" in fault("s3://evals/many/")


def test_why_there_is_nothing_is_one_sentence(bucket):
    assert "is in a bucket that does not exist" in fault("s3://nothing/a.csv/")
    assert "does not exist" in fault("s3://nothing/a.csv")
    assert "does not exist" in fault("s3://evals/nothing/")


def test_without_credentials_it_says_where_they_come_from(ask, endpoint):
    ask(endpoint, key="")
    assert "needs credentials, and this environment has none. Set AWS_PROFILE" in fault(
        "s3://evals/a"
    )


def test_without_botocore_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "reports.files.remote_storage.s3", None)
    monkeypatch.delattr("reports.files.remote_storage.s3")
    told = fault("s3://evals/a")
    assert "needs botocore, which is not installed. In a checkout of kofn, run uv sync " in told
    assert "--extra s3" in told


def test_an_endless_listing_is_refused(bucket, monkeypatch):
    monkeypatch.setattr(s3, "_PAGES", 3)
    monkeypatch.setattr(
        s3, "_page", lambda *about: {"IsTruncated": True, "NextContinuationToken": "again"}
    )
    assert "holds more than" in fault("s3://evals/a/")


@pytest.mark.wide
def test_an_unknown_profile_is_no_credentials(ask, endpoint, monkeypatch):
    ask(endpoint)
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    forget()
    assert "needs credentials" in fault("s3://evals/b")


DENIED = b"<Error><Code>AccessDenied</Code><Message>hunter2</Message></Error>"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda request: respond(request, 403, DENIED), "with the credentials of this environment"),
        (lambda request: respond(request, 200, CSV, ETag='"a"'), "cannot send parts of a file"),
        (lambda request: respond(request, 418), "its server says 418"),
    ],
)
def test_what_a_server_answers_is_one_sentence(ask, answer, said):
    with serving() as files:
        ask(files.url)
        files.odd["/evals/a.csv"] = answer
        place = s3.StoredObject("a.csv", "s3://evals/a.csv", ranged.PlacedState(9, "", '"a"'))
        with pytest.raises(LoadError, match=said):
            place.read(0, 9)


def test_no_redirect_leads_to_another_host(ask):
    with serving() as files, serving() as other:
        ask(files.url)
        for status in (301, 302, 303, 307, 308):
            files.odd["/evals/a.csv"] = files.odd[
                "/evals?list-type=2&prefix=a%2F&encoding-type=url"
            ] = lambda request, status=status: respond(
                request, status, Location=f"{other.url}/stolen"
            )
            place = s3.StoredObject("a", "s3://evals/a.csv", ranged.PlacedState(9, "", '"a"'))
            with pytest.raises(LoadError):
                place.read(0, 9)
            fault("s3://evals/a/")
        assert len(files.asked) >= 10
        assert other.asked == []


def test_nobody_there_is_one_sentence(ask):
    ask("http://127.0.0.1:9")
    assert "cannot be reached. Check the network" in fault("s3://evals/a.csv")
