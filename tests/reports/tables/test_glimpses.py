"""What is shown of a table that does not say which column is what, and verdicts in other words."""

import io
import time

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather

from kofn.command import main
from kofn.workers.wire import pack, unpack
from reports import LoadError, load
from reports.files.errors import ColumnChoice, OpenChoice, WordChoice
from reports.tables.schema.glimpses import ROLES
from tests.reports.mutations import zipped
from tests.reports.tables.written_tables import delimited, feathered, lines, parquet, streamed

HEADER = ("aufgabe", "versuch", "ergebnis", "modell", "completion_toks", "note")
ROWS = [
    (f"A{q}", s, "gut" if (q + s) % 3 else "mies", m, 100 + 7 * q * s, f"{q} {s} {m}" * 9)
    for m in ("eins", "zwei")
    for q in range(8)
    for s in (1, 2, 3)
]
"""Of each model 16 of 24 samples are right."""
TOLD = {
    "correct": "ergebnis",
    "question_id": "aufgabe",
    "sample": "versuch",
    "model": "modell",
}
ZSTD = b"\x28\xb5\x2f\xfd"
"""With this a compressed buffer begins."""
WRITERS = {
    "csv": delimited(","),
    "jsonl": lines,
    "parquet": parquet,
    "feather": feathered,
    "arrows": streamed,
}


def made(ending="csv"):
    rows = [dict(zip(HEADER, row, strict=True)) for row in ROWS]
    return f"t.{ending}", WRITERS[ending](pa.Table.from_pylist(rows))


def asked(source, **columns):
    with pytest.raises(OpenChoice) as caught:
        load(source, columns=columns)
    return caught.value


@pytest.mark.parametrize("ending", WRITERS)
def test_every_column_is_shown_with_three_values_and_the_likely_first(ending):
    table = asked(made(ending)).table
    assert [column.name for column in table.columns] == [*HEADER]
    by_name = {column.name: column for column in table.columns}
    assert by_name["aufgabe"].values == ("A0", "A1", "A2")
    assert by_name["ergebnis"].values == ("gut", "mies")
    assert by_name["ergebnis"].words == ("gut", "mies")
    assert by_name["completion_toks"].words == ()
    assert all(len(value) <= 40 for value in by_name["note"].values)
    first = {role: table.likely[role][0] for role in ("correct", "question_id", "sample", "model")}
    assert first == TOLD
    assert table.likely["tokens_out"][0] == "completion_toks"
    for role in ROLES:
        assert sorted(table.likely[role]) == sorted(HEADER)


@pytest.mark.parametrize("ending", WRITERS)
def test_a_text_that_is_told_to_mean_right_decides(ending):
    runs = load(made(ending), columns=TOLD | {"right": "gut"}).runs
    assert [run.outcomes.correct.sum() for run in runs] == [16, 16]
    runs = load(made(ending), columns=TOLD | {"right": ("gut", "mies")}).runs
    assert [run.outcomes.correct.mean() for run in runs] == [1, 1]


def test_which_text_means_right_is_asked_where_kofn_does_not_know():
    choice = asked(made(), **TOLD)
    assert isinstance(choice, WordChoice)
    assert choice.options == ("gut", "mies")
    assert "The texts are: " in str(choice)
    found = load(made(), columns=choice.answered(TOLD, "gut"))
    assert [run.outcomes.correct.sum() for run in found.runs] == [16, 16]


def test_words_count_as_they_are_told_and_a_note_says_so():
    data = b"id,sample,passed\na,0,yes\na,1,no\nb,0,no\nb,1,\n"
    (run,) = load(("x.csv", data), columns={"right": "no"}).runs
    assert run.outcomes.correct.tolist() == [[0, 1], [1, -1]]
    report = load(("x.csv", data), columns={"right": "no"})
    assert "right is no; wrong is yes" in " ".join(str(n.what) for n in report.notes)


def test_a_text_that_no_row_holds_is_refused():
    with pytest.raises(
        LoadError, match=r"no row holds right!, which was said to mean right\. There are"
    ):
        load(made(), columns=TOLD | {"right": "right!"})


def test_words_of_another_column_keep_their_meaning():
    data = b"id,verdict,score\na,gut,1\nb,schlecht,0\n"
    (run,) = load(("x.csv", data), columns={"correct": "verdict", "right": "gut"}).runs
    assert run.outcomes.correct.tolist() == [[1], [0]]


@pytest.mark.parametrize("name", ["correct", "urteil"])
def test_numbered_columns_of_words_go_together(name):
    header = ",".join(["id", *(f"{name}_{i}" for i in (1, 2, 3))])
    source = "x.csv", f"{header}\na,gut,schlecht,gut\nb,schlecht,schlecht,gut\n".encode()
    told = {}
    if name == "urteil":
        choice = asked(source)
        assert choice.candidates == ("urteil",)
        told = choice.answered(told, "urteil")
    choice = asked(source, **told)
    assert choice.options == ("gut", "schlecht")
    (run,) = load(source, columns=choice.answered(told, "gut")).runs
    assert run.outcomes.correct.tolist() == [[1, 0, 1], [0, 0, 1]]


def test_what_is_told_of_one_table_of_a_zip_leaves_the_others_as_they_are():
    clear, unclear = b"id,passed\na,yes\nb,no\n", b"id,urteil\na,gut\nb,schlecht\n"
    source = "t.zip", zipped({"clear.csv": clear, "open.csv": unclear})
    assert len(load(source).runs) == 1
    report = load(source, columns={"correct": "urteil", "right": "gut"})
    assert [run.outcomes.correct.tolist() for run in report.runs] == [[[1], [0]]] * 2


def test_what_is_many_words_is_no_verdict():
    rows = "".join(f"q{i % 3},text {i}\n" for i in range(40))
    with pytest.raises(
        LoadError, match=r"holds text 0, text 1.*, which kofn knows neither as right nor as wrong"
    ) as caught:
        load(("x.csv", f"id,correct\n{rows}".encode()))
    assert not isinstance(caught.value, OpenChoice)


@pytest.mark.wide
def test_a_table_of_very_many_columns_is_looked_at_in_a_moment():
    names = [f"column {i} {'x' * 300}" for i in range(800)]
    data = "\n".join([",".join(["item", *names]), *(",".join(["a", *("1" * 800)]),) * 3]).encode()
    begun = time.process_time()
    choice = asked(("x.csv", data))
    assert isinstance(choice, ColumnChoice)
    assert len(choice.table.columns) == 801
    assert time.process_time() - begun < 3


def test_the_command_takes_the_same_answers(tmp_path, capsys):
    name, data = made()
    path = tmp_path / name
    path.write_bytes(data)
    flags = [f"--column={role}={column}" for role, column in (TOLD | {"right": "gut"}).items()]
    assert main(["score", str(path), *flags, "--format", "csv", "--metric", "avg@n"]) == 0
    lines = capsys.readouterr().out.splitlines()
    values = [float(line.split(",")[lines[0].split(",").index("value")]) for line in lines[1:]]
    assert values == pytest.approx([2 / 3, 2 / 3])


def test_values_of_a_hostile_table_are_shown_as_they_are():
    rows = "".join(f"q{i},<script>{'x' * 500}{i % 2}\n" for i in range(4))
    choice = asked(("x.csv", f"item,<b>verdict</b>\n{rows}".encode()))
    (column,) = (each for each in choice.table.columns if each.name == "<b>verdict</b>")
    assert column.values[0].startswith("<script>xxx")
    assert len(column.values[0]) == 40
    assert np.all([len(word) <= 40 for each in choice.table.columns for word in each.words])


@pytest.mark.parametrize(
    "unheld",
    [
        pa.array([10**8] * 40, pa.date32()),
        pa.array([0] * 40, pa.timestamp("us", "Mars/Phobos")),
    ],
    ids=["after the year 9999", "of an unknown zone"],
)
@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_of_times_that_python_cannot_hold_only_the_name_is_shown(ending, unheld):
    columns = {"id": ["a", "b"] * 20, "day": unheld, "judge": [1, 0] * 20, "rule": [0, 1] * 20}
    source = f"t.{ending}", WRITERS[ending](pa.table(columns))
    values = {column.name: column.values for column in asked(source).table.columns}
    assert values == {"id": ("a", "b"), "day": (), "judge": ("1", "0"), "rule": ("0", "1")}
    (run,) = load(source, columns={"correct": "rule"}).runs
    assert run.outcomes.shape == (2, 20)


def test_a_damaged_table_is_said_to_be_damaged_and_not_asked_about():
    numbers = [f"question {number * number}" for number in range(800)]
    table = pa.table({"id": numbers, "judge": [1, 0] * 400, "rule": [0, 1] * 400})
    buffer = io.BytesIO()
    feather.write_feather(table, buffer, compression="zstd")
    data = bytearray(buffer.getvalue())
    of_places = data.index(ZSTD)
    of_texts = data.index(ZSTD, of_places + 1)
    data[of_texts + 20 : of_texts + 40] = b"\xff" * 20
    with pytest.raises(LoadError, match="cannot be read as Arrow") as refused:
        load(("t.feather", bytes(data)))
    assert not isinstance(refused.value, OpenChoice)


@pytest.mark.parametrize(
    "data",
    [
        b"id,correct\na,C\nb,I\n",
        b"id,attempts,passed\na,8,1\nb,8,0\n",
        b"id,ckpt,correct\na,x,1\nb,x,0\na,y,1\nb,y,1\n",
        b"id,idx,correct\n7,1,1\n8,1,0\n9,2,1\n10,2,1\n",
    ],
)
def test_what_is_asked_goes_from_one_process_to_another(data):
    choice = asked(("x.csv", data))
    again = unpack(pack(choice))
    assert (str(again), again.options) == (str(choice), choice.options)
    assert {option: str(text) for option, text in again.gives.items()} == {
        option: str(text) for option, text in choice.gives.items()
    }
