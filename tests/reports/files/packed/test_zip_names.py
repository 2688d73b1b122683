"""Names in a zip are read as the tool that packed it wrote them, and lead nowhere else."""

import io
import struct
import zipfile
import zlib

import pytest

from reports import load
from reports.files.archive import open_tree
from tests.reports.evaluations.aisbench_archives import archive, assert_true, members

MODEL = "通义-7B"
UNICODE_PATH = 0x7075


def unflagged(files, encoding, **fields):
    """A zip whose names are bytes of an encoding that nothing tells of."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, data in files.items():
            info = Unflagged(name.encode(encoding).decode("cp437"))
            info.extra = fields.get("extra", lambda _, __: b"")(name, name.encode(encoding))
            packed.writestr(info, data)
    return "report.zip", buffer.getvalue()


class Unflagged(zipfile.ZipInfo):
    def _encodeFilenameFlags(self):
        return self.filename.encode("cp437"), self.flag_bits


def names(source):
    return [*open_tree(source).files]


def notes(source):
    return [str(note.what) for note in open_tree(source).notes]


@pytest.mark.wide
@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_a_model_with_a_chinese_name_keeps_it(encoding):
    files = {
        path.replace("alpha-7b-chat", MODEL): data.replace(b"alpha-7b-chat", MODEL.encode())
        for path, data in members("gsm8k_n5_two_models").items()
    }
    report = load(unflagged(files, encoding))
    assert {run.model for run in report.runs} == {MODEL, "beta-14b-chat"}
    assert not [note for note in report.notes if note.severity != "info"]
    assert any("reads them as GBK" in str(note.what) for note in report.notes) == (
        encoding == "gbk"
    )


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *((f"{MODEL}.json", e) for e in ("utf-8", "gbk", "gb18030", "gb2312")),
        ("朱镕基.json", "gbk"),
        ("Müller.json", "cp437"),
        ("modèle-été.json", "cp437"),
        ("Ångström.json", "cp437"),
        ("Müller.json", "utf-8"),
        ("モデル.json", "utf-8"),
    ],
)
def test_names_are_what_all_of_them_decode_as(name, encoding):
    source = unflagged({name: b"{}", "plain.json": b"[]"}, encoding)
    assert sorted(names(source)) == sorted([name, "plain.json"])
    tree = open_tree(source)
    assert {path: tree.read(path) for path in tree.files} == {name: b"{}", "plain.json": b"[]"}


def test_one_name_that_is_no_utf_8_decides_for_the_archive():
    source = unflagged({"模型.json": b"{}", "通义/a.json": b"{}"}, "gbk")
    assert names(source) == ["模型.json", "通义/a.json"]
    (note,) = notes(source)
    assert "reads them as GBK, such as 模型.json" in note


def field(checksum_of):
    def extra(name, raw):
        data = struct.pack("<BL", 1, zlib.crc32(checksum_of(raw))) + name.encode()
        return struct.pack("<HH", UNICODE_PATH, len(data)) + data

    return extra


def test_the_name_that_a_member_repeats_in_utf_8_is_its_name():
    files = {"Müller.json": b"{}"}
    right = unflagged(files, "latin-1", extra=field(lambda raw: raw))
    assert names(right) == ["Müller.json"]
    stale = unflagged(files, "cp437", extra=lambda _, raw: field(lambda _: b"old")("x.json", raw))
    assert names(stale) == ["Müller.json"]


def test_a_repeated_name_leads_out_of_no_zip():
    source = unflagged(
        {"a.json": b"{}"}, "cp437", extra=lambda _, raw: field(lambda r: r)("../x", raw)
    )
    with pytest.raises(ValueError, match="would lead out of the zip"):
        open_tree(source)


def test_backslashes_are_folders():
    files = {path.replace("/", "\\"): data for path, data in members("gsm8k_n5_two_models").items()}
    files["empty\\"] = b""
    report = load(unflagged(files, "utf-8"))
    assert_true(report, "gsm8k_n5_two_models")
    (note,) = report.notes
    assert note.count == len(files)
    assert "reads them as folders" in str(note.what)
    assert not load(archive("gsm8k_n5_two_models")).notes


def test_a_letter_whose_second_byte_is_a_backslash_is_one_letter():
    assert "誠".encode("gbk")[1:] == b"\\"
    source = unflagged({"通义千问誠.json": b"{}"}, "gbk")
    assert names(source) == ["通义千问誠.json"]
