"""A file packed with gzip or zstandard is the file in it, and does no more harm than a zip."""

import gzip
import io
import json
import tarfile

import pyarrow as pa
import pytest

from reports import LoadError, load
from reports.files.archive import open_tree
from reports.files.packed.inflating import ANY_RATIO
from tests.reports.evaluations.aisbench_archives import archive, assert_true, loaded, members
from tests.reports.mutations import zipped
from tests.reports.tables.written_tables import delimited, feathered, lines, parquet, refusal

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


def zstd(data):
    return pa.compress(data, "zstd", asbytes=True)


@pytest.mark.wide
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("way", ["upload", "file object", "disk"])
@pytest.mark.parametrize(("end", "pack"), [(".gz", gzip.compress), (".zst", zstd)])
def test_a_packed_table_is_the_table(tmp_path, kind, way, end, pack):
    data = FORMATS[kind](TABLE)
    packed = pack(data)
    name = f"eval.{kind}{end}"
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
    monkeypatch.setattr("reports.files.progress.AFTER", 0)
    monkeypatch.setattr("reports.files.progress.EVERY", 0)
    data = b"question_id,sample,correct\n" + b"".join(b"q%d,0,1\n" % i for i in range(50_000))
    told = []
    load(("t.csv.gz", gzip.compress(data)), progress=lambda *at: told.append(at))
    assert {total for _, total in told} == {len(data)}
    assert max(done for done, _ in told) > len(data) / 2


def test_a_bomb_is_refused_once_it_is_beyond_measure():
    piece = gzip.compress(bytes(1 << 20))
    message = refusal("t.csv.gz", piece * ((ANY_RATIO >> 20) + 8))
    assert message.startswith("t.csv.gz: would inflate to 65 MiB, more than 200 times its packed")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("t.csv.gz", gzip.compress(delimited(",")(TABLE))[:-9], "cannot be read: Compressed file"),
        ("t.csv.gz", gzip.compress(b""), "is packed but empty"),
        ("t.csv.gz", b"\x1f\x8b\x08\x00", "cannot be read: Compressed file ended"),
        ("t.csv.gz", b"\x1f\x8b\xff" + bytes(30), "cannot be read: Unknown compression method"),
        ("run.tar.gz", tar(), "a packed file or archive other than a zip"),
        ("run.tgz", tar(), "a packed file or archive other than a zip"),
        ("t.gz", gzip.compress(gzip.compress(b"x")), "a packed file or archive other than a zip"),
        ("x.json.gz", gzip.compress(json.dumps({"x": 1}).encode()), "JSON with the keys x"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_holds_no_table_is_refused_in_one_sentence(name, data, said):
    message = refusal(name, data)
    assert message.startswith(f"{name}: ")
    assert said in message


def test_what_zstandard_packed_is_as_safe():
    data = delimited(",")(TABLE)
    whole = [zstd(data[:20]), zstd(data[20:])]
    assert open_tree(("t.csv.zst", b"".join(whole))).read("t.csv") == data
    assert "cannot be read: Truncated" in refusal("t.csv.zst", zstd(data)[:-3])
    assert "cannot be read" in refusal("t.csv.zst", zstd(data)[:5])
    assert "is packed but empty" in refusal("t.csv.zst", zstd(b""))
    assert "would inflate to 65 MiB" in refusal("t.csv.zst", zstd(bytes(ANY_RATIO + (1 << 20))))
    files = {"a.csv": data, "b.csv.zstd": whole[0][:-2], "c.tar.zst": zstd(tar())}
    report = load(("r.zip", zipped(files)))
    assert [run.dataset for run in report.runs] == ["a"]
    assert [(note.where, note.severity) for note in report.notes] == [("b.csv.zstd", "problem")]


def test_a_wrong_checksum_is_damage():
    data = bytearray(gzip.compress(delimited(",")(TABLE)))
    data[-8] ^= 1
    with pytest.raises(LoadError, match="CRC check failed"):
        load(("t.csv.gz", bytes(data)))


def gzipped(files, suffixes=("",)):
    """The files, each packed with gzip whose name ends so."""
    return {
        f"{path}.gz" if path.endswith(suffixes) else path: gzip.compress(data)
        if path.endswith(suffixes)
        else data
        for path, data in files.items()
    }


def in_folder(folder, files):
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


@pytest.mark.wide
@pytest.mark.parametrize("suffixes", [("",), (".json",), (".jsonl",), (".json", ".csv")])
@pytest.mark.parametrize("way", ["zip", "folder"])
def test_a_report_of_packed_files_is_the_report(tmp_path, way, suffixes):
    files = gzipped(members("gsm8k_n5_two_models"), suffixes)
    source = ("r.zip", zipped(files)) if way == "zip" else in_folder(tmp_path, files)
    report = load(source)
    assert_true(report, "gsm8k_n5_two_models")
    plain = loaded(archive("gsm8k_n5_two_models"))
    assert len(report.suites) == len(plain.suites)
    for run, other in zip(report.runs, plain.runs, strict=True):
        assert run.texts("3") == other.texts("3")


@pytest.mark.wide
@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("way", ["zip", "folder"])
def test_packed_tables_among_others_are_tables(tmp_path, way, kind):
    data = FORMATS[kind](TABLE)
    files = gzipped({f"runs/a.{kind}": data, f"runs/b.{kind}": data}, (f"a.{kind}",))
    source = ("r.zip", zipped(files)) if way == "zip" else in_folder(tmp_path, files)
    report = load(source)
    assert {run.dataset for run in report.runs} == {"a", "b"}
    assert {run.outcomes.digest for run in report.runs} == {
        run.outcomes.digest for run in load((f"t.{kind}", data)).runs
    }
    assert all(run.texts("b").predictions == ("four", "four") for run in report.runs)


def test_a_file_beside_its_own_packed_copy_is_read_once():
    data = delimited(",")(TABLE)
    report = load(("r.zip", zipped({"a.csv": data, "a.csv.gz": gzip.compress(data[:-8])})))
    assert [run.dataset for run in report.runs] == ["a"]
    (note,) = report.notes
    assert note.where == "a.csv.gz"
    assert "lies beside it" in str(note.what)


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda data: data[:-8] + bytes(8)])
def test_a_damaged_file_among_others_costs_itself_only(spoil):
    data = delimited(",")(TABLE)
    report = load(("r.zip", zipped({"a.csv": data, "b.csv.gz": spoil(gzip.compress(data))})))
    assert [run.dataset for run in report.runs] == ["a"]
    (note,) = report.notes
    assert (note.where, note.severity) == ("b.csv.gz", "problem")
    assert "cannot be read" in str(note.what)


def test_other_files_that_are_named_so_stay_what_they_are():
    data = delimited(",")(TABLE)
    files = {"a.csv": data, "logs.tar.gz": tar(), "b.csv.gz": b"not packed", "c.gz": b""}
    tree = open_tree(("r.zip", zipped(files)))
    assert {path: tree.read(path) for path in tree.files} == files


def test_bombs_among_others_are_refused_by_the_size_of_the_whole():
    piece = gzip.compress(bytes(1 << 20)) * (ANY_RATIO >> 21)
    report = {f"{name}.csv.gz": piece for name in "abc"}
    with pytest.raises(LoadError, match=r"r\.zip, c\.csv\.gz: would inflate to 65 MiB, more than"):
        open_tree(("r.zip", zipped(report)))


def test_a_packed_file_that_was_changed_since_gives_no_texts(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(delimited(",")(TABLE)))
    (run,) = load(path).runs
    path.write_bytes(gzip.compress(b"something else"))
    with pytest.raises(LoadError, match="was changed since it was loaded"):
        run.texts("b")
