"""Text tables as people have them: in other encodings, joined by cat, with stray quotes."""

import csv
import io
from itertools import pairwise

import pytest

from reports import load
from reports.files.archive import open_tree
from reports.tables.formats import delimited
from reports.tables.source import Source
from tests.reports.tables.written_tables import only, refusal

M, N = 20, 5
RIGHT = [[int((3 * q + s) % 7 < 3) for s in range(N)] for q in range(M)]
ROWS = [(f"q{q}", s, RIGHT[q][s]) for q in range(M) for s in range(N)]


def table(header="question_id,sample,correct", rows=ROWS, ends="\n"):
    return "".join(line + ends for line in [header, *(",".join(map(str, row)) for row in rows)])


def verdicts(data, **options):
    return only("t.csv", data, **options).outcomes.correct.tolist()


def notes(data, name="t.csv"):
    return " ".join(str(note.what) for note in load((name, data)).notes)


ENCODINGS = ("gbk", "gb18030", "utf-16-le", "utf-16-be", "utf-16", "utf-8")
WORDS = (("错误", "正确"), ("错", "对"), ("否", "是"), ("0", "1"))
CHINESE = (
    "题目,采样,正确",
    "题号,样本,是否正确？",
    "问题,样本,是否正确",
    "题目,模型,采样,正确",
    "题目编号,第几次,对错",
)


@pytest.mark.parametrize(
    ("encoding", "header", "words"),
    [
        *((encoding, CHINESE[0], WORDS[0]) for encoding in ENCODINGS),
        *(("gbk", header, words) for header in CHINESE for words in WORDS),
    ],
)
def test_chinese_in_the_encodings_that_excel_writes(encoding, header, words):
    with_model = "模型" in header
    rows = [(f"题{q}", *(["通义"] * with_model), s, words[c]) for q, s, c in ROWS]
    data = table(header, rows).encode(encoding)
    report = load(("t.csv", data))
    (run,) = report.runs
    assert run.outcomes.correct.tolist() == RIGHT
    assert run.outcomes.questions[0] == "题q0"
    assert run.model == ("通义" if with_model else "t")
    guessed = {"gbk": "GBK", "gb18030": "GBK", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
    said = " ".join(str(note.what) for note in report.notes)
    assert (f"The text is in {guessed.get(encoding)}" in said) == (encoding in guessed)


def test_lines_of_json_in_gbk():
    lines = "".join(f'{{"题目":"题{q}","样本":{s},"正确":{c}}}\n' for q, s, c in ROWS)
    assert only("t.jsonl", lines.encode("gbk")).outcomes.correct.tolist() == RIGHT


@pytest.mark.parametrize("text", ["für", "naïve", "Größe: 3 €"])
def test_what_windows_writes_in_europe_is_read_and_not_taken_for_chinese(text):
    rows = [(f"{text} {q}", s, c) for q, s, c in ROWS]
    run = only("t.csv", table(rows=rows).encode("cp1252"))
    assert run.outcomes.questions[0] == f"{text} {ROWS[0][0]}"
    assert run.outcomes.correct.tolist() == RIGHT


def test_one_damaged_letter_of_utf_8_is_refused():
    data = table(rows=[(f"für {q}", s, c) for q, s, c in ROWS]).encode()
    assert "is not text in UTF-8" in refusal("t.csv", data.replace(b"\xc3\xbc", b"\xfc", 1))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("問題", "shift_jis"), ("Вопрос", "cp1251"), ("題號", "big5"), ("Élève", "mac_roman")],
)
def test_other_encodings_are_refused(text, encoding):
    rows = [(f"{text} {q}", s, c) for q, s, c in ROWS]
    assert "is not text in UTF-8" in refusal("t.csv", table(rows=rows).encode(encoding))


@pytest.mark.parametrize(
    ("right", "wrong"), [("success", "failure"), ("solved", "unsolved"), ("通过", "不通过")]
)
def test_more_words_are_verdicts(right, wrong):
    rows = [(q, s, right if c else wrong) for q, s, c in ROWS]
    assert verdicts(table(rows=rows).encode()) == RIGHT


@pytest.mark.wide
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("cut", [[50], [1, 2], [33, 66, 100]])
def test_headers_that_cat_repeats_are_left_out(ends, mark, cut):
    header = "question_id,sample,correct"
    edges = [0, *cut, len(ROWS)]
    parts = [table(header, ROWS[a:b], ends) for a, b in pairwise(edges)]
    data = mark.join(["", *parts]).encode()
    assert verdicts(data) == RIGHT
    count = len(parts) - 1
    lines = "line that repeats" if count == 1 else "lines that repeat"
    assert f"{count} {lines} the header" in notes(data)


def test_headers_are_left_out_of_the_texts_too():
    rows = [(q, s, f"said {q} {s}", c) for q, s, c in ROWS]
    header = "question_id,sample,prediction,correct"
    data = (table(header, rows[:7]) + table(header, rows[7:])).encode()
    assert only("t.csv", data).texts("q2").predictions == tuple(f"said q2 {s}" for s in range(N))


def test_a_header_in_another_order_is_refused():
    turned = [(s, q, c) for q, s, c in ROWS[50:]]
    data = table(rows=ROWS[:50]) + table("sample,question_id,correct", turned)
    assert "row 51 seems to be a header" in refusal("t.csv", data.encode())


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ((7, '"said'), (19, '"said')),
        ((7, '"said'), (19, 'said"')),
        ((7, '"said'), (8, 'said"')),
    ],
)
def test_rows_that_stray_quotes_swallow_are_refused(first, last):
    rows = [(q, s, "said", c) for q, s, c in ROWS]
    for row, said in (first, last):
        q, s, _, c = rows[row]
        rows[row] = (q, s, said, c)
    message = refusal("t.csv", table("question_id,sample,prediction,correct", rows).encode())
    assert "in line 9 a quotation mark opens" in message


@pytest.mark.parametrize(
    "said",
    [
        '"Hello, world\nwell, how"',
        '"a ""quoted"" word\n\nand, more"',
        '5" wide',
        '"a,b\n1,2\n3,4"',
        '""',
        '"\n"',
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_quotes_that_enclose_a_value_are_none_of_these(said, ends):
    rows = [(q, s, said, c) for q, s, c in ROWS]
    data = table("question_id,sample,prediction,correct", rows, ends).encode()
    assert verdicts(data) == RIGHT


def test_quotes_are_followed_over_the_pieces_in_which_a_file_is_read(monkeypatch):
    monkeypatch.setattr("reports.tables.formats.whole_rows._CHUNK", 16)
    rows = [(q, s, '"one, two\nthree"', c) for q, s, c in ROWS]
    data = table("question_id,sample,prediction,correct", rows)
    assert verdicts(data.encode()) == RIGHT
    assert verdicts((data + table("question_id,sample,prediction,correct", [])).encode()) == RIGHT


@pytest.mark.parametrize("said", ["short", 'two\nlines of "words"', "x" * (5 << 20), '5" wide'])
def test_rows_beyond_the_beginning_are_the_rows_of_the_whole(said, monkeypatch):
    monkeypatch.setattr(delimited, "_BEGINNING", 1 << 10)
    rows = [(f"q{n:03}", n % 2, said if n == 70 or len(said) < 99 else "") for n in range(90)]
    text = io.StringIO()
    if said == '5" wide':
        text.write("question_id,correct,response\n")
        text.writelines(f"{name},{right},{response}\n" for name, right, response in rows)
    else:
        csv.writer(text).writerows([("question_id", "correct", "response"), *rows])
    tree = open_tree(("t.csv", text.getvalue().encode()))
    found = delimited.values(Source(tree, "t.csv"), ["question_id", "response"])
    assert [*found] == [(name, response) for name, _, response in rows]
