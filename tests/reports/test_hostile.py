"""Files made to do harm, one kind after the other: each is read as it is, or refused in words."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from reports import LoadError, load
from tests.reports.mutations import DEEP, DIGITS, zipped

ROOT = Path(__file__).parents[2]
ROWS = [
    {"question_id": f"q{i}", "sample": j, "correct": (i + j) % 2} for i in (0, 1) for j in (0, 1)
]
LINES = "\n".join(map(json.dumps, ROWS))
CSV = "question_id,sample,correct\nq0,0,0\nq0,1,1\nq1,0,1\nq1,1,0\n"
VERDICTS = [[0, 1], [1, 0]]
CONFIG = "models=[dict(abbr='a', generation_kwargs=dict(num_return_sequences=1))]\n"
RESULTS = json.dumps(
    {
        "accuracy": 50.0,
        "details": [
            {"pred": ["7"], "answer": ["7"], "correct": [True]},
            {"pred": ["8"], "answer": ["7"], "correct": [False]},
        ],
    },
    indent=4,
)
PLACES = {
    "config": "run/configs/20260101_000000_1.py",
    "results": "run/results/a/quiz.json",
    "predictions": "run/predictions/a/quiz.jsonl",
}


def packed(**files):
    """Pack a run of the tool, of text or bytes."""
    return "r.zip", zipped(
        {
            PLACES[kind]: content if isinstance(content, bytes) else content.encode()
            for kind, content in files.items()
        }
    )


def predicted(**fields):
    line = {"data_abbr": "quiz", "id": 0, "prediction": "7", "gold": "7"} | fields
    return json.dumps(line)


def refusal(source):
    with pytest.raises(LoadError) as caught:
        load(source)
    return str(caught.value)


def verdicts(source):
    (run,) = load(source).runs
    return run.outcomes.correct.tolist()


def remarks(source):
    return said(load(source))


def said(report):
    return [str(note.what) for each in (report, *report.runs) for note in each.notes]


@pytest.mark.parametrize("deep", ["[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP])
def test_json_nested_a_hundred_thousand_deep_is_refused(deep):
    cut = RESULTS.rstrip("}\n")
    for source in (
        packed(results='{"accuracy": 50.0, "details": ' + deep + "}"),
        packed(results=cut + ', "more": ' + deep + "}"),
        ("t.jsonl", f'{LINES}\n{{"correct": {deep}}}'.encode()),
        ("t.json", f"[{json.dumps(ROWS[0])}, {deep}]".encode()),
    ):
        assert "is nested too deeply to read" in refusal(source)
    line = predicted()[:-1] + f', "more": {deep}}}\n'
    assert any(
        "nested too deeply" in text for text in remarks(packed(results=RESULTS, predictions=line))
    )


@pytest.mark.parametrize(
    "source",
    [
        *("(" * DEEP, "x=" + "[" * DEEP + "]" * DEEP, "x=" + "-" * DEEP + "1", "x=1" + "+1" * DEEP),
        *("x=a" + ".b" * DEEP, "x=f" + "()" * DEEP, "x=" + "lambda:" * DEEP + "1"),
        *("models=[dict(n=" + DIGITS + ")]", "x=1\0", "x='\ud800'", "if 1: pass\n" * 2 + " x"),
    ],
    ids=lambda source: source[:8],
)
def test_a_configuration_that_overwhelms_python_is_passed_over(source):
    config = (CONFIG + source).encode("utf-8", "surrogatepass")
    report = load(packed(config=config, results=RESULTS))
    assert [run.outcomes.correct.tolist() for run in report.runs] == [[[1], [0]]]
    assert any("is not a Python configuration" in text for text in said(report))


def test_integers_of_ten_thousand_digits_are_refused():
    for source in (
        packed(results=RESULTS.replace("50.0", DIGITS)),
        ("t.jsonl", f'{LINES}\n{{"question_id": {DIGITS}, "sample": 0, "correct": 1}}'.encode()),
        ("t.json", json.dumps(ROWS).replace(": 0", f": {DIGITS}", 1).encode()),
    ):
        refused = refusal(source)
        assert "is beyond 64 bits" in refused or "is not of the type" in refused
        assert len(refused) < 300
    assert "holds inf" in refusal(("t.csv", f"{CSV}q2,0,{DIGITS}\n".encode()))
    line = predicted().replace('"id": 0', f'"id": {DIGITS}')
    assert any(
        "beyond 64 bits" in text for text in remarks(packed(results=RESULTS, predictions=line))
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_tables_of_any_unicode_that_says_so_are_read(encoding):
    assert verdicts(("t.csv", CSV.encode(encoding))) == VERDICTS
    assert verdicts(("t.jsonl", LINES.encode(encoding))) == VERDICTS
    assert verdicts(("t.json", json.dumps(ROWS).encode(encoding))) == VERDICTS


def test_results_are_utf_8_with_or_without_its_mark():
    assert verdicts(("quiz.json", RESULTS.encode("utf-8-sig"))) == [[1], [0]]
    assert "looks like text in UTF-16" in refusal(("quiz.json", RESULTS.encode("utf-16")))
    whole = packed(config=CONFIG, results=RESULTS.encode("utf-16"))
    assert "r.zip, run/results/a/quiz.json, byte 0: is not UTF-8 text. Save it" in refusal(whole)


def test_text_that_is_not_utf_8_is_refused():
    for source in (
        ("t.csv", CSV.encode() + b"q\xff,0,1\n"),
        ("t.jsonl", LINES.encode() + b'\n{"question_id": "q\xff", "sample": 0, "correct": 1}'),
        ("t.json", json.dumps(ROWS).encode().replace(b"q0", b"q\xff")),
        packed(results=RESULTS.encode().replace(b'"7"', b'"\xff"', 1)),
    ):
        assert "UTF-8" in refusal(source)
    line = predicted().encode().replace(b'"7"', b'"\xff"')
    assert any("UTF-8" in text for text in remarks(packed(results=RESULTS, predictions=line)))


def test_windows_line_ends_change_nothing():
    def windows(text):
        return text.replace("\n", "\r\n").encode()

    assert verdicts(("t.csv", windows(CSV))) == VERDICTS
    assert verdicts(("t.jsonl", windows(LINES))) == VERDICTS
    lines = predicted() + "\n" + predicted(id=1) + "\n"
    report = packed(config=windows(CONFIG), results=windows(RESULTS), predictions=windows(lines))
    assert verdicts(report) == [[1], [0]]
    assert remarks(report) == []


def test_zip64_is_read():
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w") as archive,
        archive.open(PLACES["results"], "w", force_zip64=True) as member,
    ):
        member.write(RESULTS.encode())
    assert verdicts(("r.zip", buffer.getvalue())) == [[1], [0]]


def test_a_zip_within_a_zip_stays_closed():
    inner = packed(results=RESULTS)[1]
    assert "looks like a zip inside another zip" in refusal(("r.zip", zipped({"r.zip": inner})))
    data = b"\x93NUMPY"
    for _ in range(2000):
        data = zipped({"t.npz": data})
    assert "does not read that" in refusal(("t.npz", data))
    assert "does not read that" in refusal(("t.npz", b"no zip"))


def test_a_member_without_a_name_is_refused():
    data = zipped({"x": b"{}"}).replace(b"\x01\x00\x00\x00", b"\x01\x00\x00\x00")
    nameless = data.replace(b"x{}", b"\0{}").replace(b"x" + b"PK\x05\x06", b"\0PK\x05\x06")
    assert "a member of the zip has no name" in refusal(("r.zip", nameless))


def test_ids_far_beyond_the_predictions_there_are_cost_nothing():
    upload = packed(results='{"accuracy": 50.0}', predictions=predicted(id=9_999_999))
    assert any("holds 1 predictions where ids and metrics" in text for text in remarks(upload))


def test_strings_beyond_the_limits_are_refused(monkeypatch):
    """Limits are lowered to 1 MiB or less, and strings are of 4 MiB instead of 1 GB."""
    monkeypatch.setattr("reports.json_files.strict.MAX_WHOLE", 1 << 20)
    monkeypatch.setattr("reports.json_files.entries.MAX_ENTRY", 1 << 20)
    monkeypatch.setattr("reports.tables.formats.records.MAX_LIST", 1 << 19)
    monkeypatch.setattr("reports.tables.formats.records.MAX_RECORD", 1 << 20)
    monkeypatch.setattr("reports.tables.formats.delimited.ROW", 1 << 20)
    monkeypatch.setattr("reports.evaluations.files.predictions.MAX_LINE", 1 << 20)
    long = "a" * (4 << 20)
    for source, problem in (
        (packed(results=RESULTS.replace('"8"', f'"{long}"')), "JSON that must be read at once"),
        (("t.jsonl", LINES.replace("q1", long).encode()), "is longer than 1 MiB"),
        (("t.json", json.dumps(ROWS).replace("q1", long).encode()), "is a list longer than"),
        (("t.csv", CSV.replace("q1", long).encode()), "a row is longer than 1 MiB"),
    ):
        assert problem in refusal(source)
    endless = packed(results=RESULTS, predictions=predicted(prediction=long))
    assert any("line 1: is longer than 1 MiB" in text for text in remarks(endless))
