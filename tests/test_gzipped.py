"""A file packed with gzip is the file that is in it, and can do no more harm than a zip can."""

import gzip
import io
import json
import tarfile

import pyarrow as pa
import pytest

from reports import LoadError, load
from reports.archive import open_tree
from reports.inflating import ANY_RATIO
from tests.aisbench_archives import members
from tests.written_tables import delimited, feathered, lines, parquet, refusal

TABLE = pa.table(
    {
        "question_id": ["a", "a", "b", "b"],
        "sample": [0, 1, 0, 1],
        "correct": [1, 0, 1, 1],
        "prompt": ["1+1?", "1+1?", "2+2?", "2+2?"],
        "response": ["two", "three", "four", "four"],
    }
)
FORMATS = {
    "csv": delimited(","),
    "tsv": delimited("\t", "utf-16"),
    "jsonl": lines,
    "parquet": parquet,
    "feather": feathered,
}


def tar():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        info = tarfile.TarInfo("run/results/m/gsm8k.json")
        info.size = 2
        archive.addfile(info, io.BytesIO(b"{}"))
    return buffer.getvalue()


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("way", ["upload", "file object", "disk"])
def test_a_packed_table_is_the_table(tmp_path, kind, way):
    data = FORMATS[kind](TABLE)
    packed = gzip.compress(data)
    name = f"eval.{kind}.gz"
    source = {"upload": (name, packed), "file object": io.BytesIO(packed)}.get(way)
    if way == "file object":
        source.name = name
    if source is None:
        source = tmp_path / name
        source.write_bytes(packed)
    (run,) = load(source).runs
    (plain,) = load((f"eval.{kind}", data)).runs
    assert run.outcomes.digest == plain.outcomes.digest
    assert run.dataset == plain.dataset == "eval"
    texts = run.texts("b")
    assert [turn.text for turn in texts.prompt] == ["2+2?"]
    assert texts.predictions == ("four", "four")


def test_packed_results_are_the_results():
    found = members("gsm8k_n1").items()
    name, data = next((name, data) for name, data in found if "results/" in name)
    short = name.rsplit("/", 1)[-1]
    (plain,) = load((short, data)).runs
    (run,) = load((f"{short}.gz", gzip.compress(data))).runs
    assert run.dataset == plain.dataset
    assert run.outcomes.digest == plain.outcomes.digest


def test_members_one_behind_the_other_are_one_file():
    text = delimited(",")(TABLE)
    tree = open_tree(("t.csv.gz", gzip.compress(text[:20]) + gzip.compress(text[20:])))
    assert dict(tree.files) == {"t.csv": len(text)}
    assert tree.read("t.csv") == text


def test_the_content_decides_and_not_the_name():
    text = delimited(",")(TABLE)
    assert load(("t.csv", gzip.compress(text))).runs[0].outcomes.shape == (2, 2)
    assert load(("t.csv.gz", text)).runs[0].outcomes.shape == (2, 2)


def test_progress_is_told_of_what_is_inflated(monkeypatch):
    monkeypatch.setattr("reports.progress.AFTER", 0)
    monkeypatch.setattr("reports.progress.EVERY", 0)
    data = b"question_id,sample,correct\n" + b"".join(b"q%d,0,1\n" % i for i in range(50_000))
    told = []
    load(("t.csv.gz", gzip.compress(data)), progress=lambda *at: told.append(at))
    assert {total for _, total in told} == {len(data)}
    assert max(done for done, _ in told) > len(data) / 2


def test_a_bomb_is_refused_once_it_is_beyond_measure():
    pieces = io.BytesIO()
    with gzip.GzipFile(fileobj=pieces, mode="wb") as packed:
        for _ in range(ANY_RATIO // (1 << 20) + 8):
            packed.write(bytes(1 << 20))
    message = refusal("t.csv.gz", pieces.getvalue())
    assert message.startswith("t.csv.gz: would inflate to 65 MiB, more than 200 times its packed")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("t.csv.gz", gzip.compress(delimited(",")(TABLE))[:-9], "cannot be read: Compressed file"),
        ("t.csv.gz", gzip.compress(b""), "has nothing packed in it"),
        ("t.csv.gz", b"\x1f\x8b\x08\x00", "cannot be read: Compressed file ended"),
        ("t.csv.gz", b"\x1f\x8b\xff" + bytes(30), "cannot be read: Unknown compression method"),
        ("run.tar.gz", tar(), "a packed file or archive other than a zip"),
        ("run.tgz", tar(), "a packed file or archive other than a zip"),
        ("t.gz", gzip.compress(gzip.compress(b"x")), "a packed file or archive other than a zip"),
        ("x.json.gz", gzip.compress(json.dumps({"x": 1}).encode()), "JSON with the keys x"),
    ],
)
def test_what_holds_no_table_is_refused_in_one_sentence(name, data, said):
    message = refusal(name, data)
    assert message.startswith(f"{name}: ")
    assert said in message


def test_a_wrong_checksum_is_damage():
    data = bytearray(gzip.compress(delimited(",")(TABLE)))
    data[-8] ^= 1
    with pytest.raises(LoadError, match="CRC check failed"):
        load(("t.csv.gz", bytes(data)))
