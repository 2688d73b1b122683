"""Texts of outcome tables, of whatever shape and format, are those of the rows of a question."""

import io
import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv, feather

from reports import LoadError, load
from reports.files import upload_store
from reports.run.digests import digests
from reports.run.texts import Turn
from reports.tables.engine import Engine

M, N = 7, 3


def long(shuffled=True):
    """A sample a row, in any order, of two models."""
    rows = [
        {
            "model": model,
            "question_id": f"q{q}",
            "sample": r,
            "correct": (q + r) % 2,
            "prompt": f"What is {q}?",
            "gold": f"it is {q}",
            "response": f'{model} says {q}.{r}, "quoted",\nand again',
            "extracted": str(q % 2),
        }
        for model in ("a", "b")
        for q in range(M)
        for r in range(N)
    ]
    if shuffled:
        random.Random(0).shuffle(rows)
    return rows


def as_parquet(rows):
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def as_csv(rows):
    buffer = io.BytesIO()
    csv.write_csv(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def as_feather(rows):
    buffer = io.BytesIO()
    feather.write_feather(pa.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


def as_stream(rows):
    table, buffer = pa.Table.from_pylist(rows), io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as writer:
        writer.write_table(table, max_chunksize=5)
    return buffer.getvalue()


def as_lines(rows):
    return "\n\n".join(map(json.dumps, rows)).encode()


def as_list(rows):
    return json.dumps(rows, indent=1).encode()


def as_utf16(rows):
    return as_csv(rows).decode().encode("utf-16")


FORMATS = {
    "t.parquet": as_parquet,
    "t.csv": as_csv,
    "t.feather": as_feather,
    "t.arrows": as_stream,
    "t.jsonl": as_lines,
    "t.json": as_list,
    "utf16.csv": as_utf16,
}


@pytest.mark.wide
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("on_disk", [True, False])
def test_every_sample_has_the_texts_of_its_row(name, on_disk, tmp_path):
    data = FORMATS[name](long())
    (tmp_path / name).write_bytes(data)
    for run in load(tmp_path / name if on_disk else (name, data)).runs:
        for q in range(M):
            texts = run.texts(f"q{q}")
            assert texts.prompt == (Turn("", f"What is {q}?"),)
            assert texts.reference == f"it is {q}"
            assert texts.predictions == tuple(
                f'{run.model} says {q}.{r}, "quoted",\nand again' for r in range(N)
            )
            assert texts.answers == (str(q % 2),) * N
        assert run.search(f"{run.model} SAYS 3.").tolist() == [
            question == "q3" for question in run.outcomes.questions
        ]
        other = {"a": "b", "b": "a"}[run.model]
        assert not run.search(f"{other} says").any()


@pytest.mark.wide
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=1))
def test_without_numbers_samples_come_in_the_order_of_rows(rows):
    said = [f"{i}: {c}" if i % 3 else None for i, (_, c) in enumerate(rows)]
    table = pa.table(
        {
            "question_id": [q for q, _ in rows],
            "correct": [c for _, c in rows],
            "output": pa.array(said, pa.string()),
        }
    )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, row_group_size=2)
    (run,) = load(("t.parquet", buffer.getvalue())).runs
    for question in run.outcomes.questions:
        mine = [text for text, (q, _) in zip(said, rows, strict=True) if str(q) == question]
        texts = run.texts(question)
        assert texts.predictions == (*mine, *[None] * (run.outcomes.shape[1] - len(mine)))
        assert (texts.prompt, texts.reference) == ((), None)


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "t.feather"])
def test_lists_of_texts_belong_to_their_question(name):
    rows = [
        {
            "id": q,
            "is_corrects": [q % 2 == 0] * (q + 1),
            "samples": [f"{q}.{r}" for r in range(q + 1)],
            "question": [{"role": "user", "content": f"{q}?"}],
            "gt_answer": q,
        }
        for q in range(4)
    ]
    (run,) = load((name, FORMATS[name](rows))).runs
    assert run.texts("1").predictions == ("1.0", "1.1", None, None)
    assert run.texts("3").predictions == ("3.0", "3.1", "3.2", "3.3")
    assert run.texts("3").prompt == (Turn("user", "3?"),)
    assert run.texts("3").reference == "3"
    assert run.search("2.1").tolist() == [False, False, True, False]


def test_numbered_columns_of_texts_belong_to_their_samples():
    rows = [
        {"problem_id": q, "problem": f"{q}?"}
        | {f"correct_{r}": (q + r) % 2 for r in (10, 1, 2)}
        | {f"rollout_{r}": f"{q}, {r}" for r in (2, 10, 1)}
        for q in range(3)
    ]
    (run,) = load(("t.csv", as_csv(rows))).runs
    assert run.texts("2").predictions == ("2, 1", "2, 2", "2, 10")
    assert run.texts("2").prompt == (Turn("", "2?"),)


def test_counts_have_prompts_and_no_predictions():
    rows = [{"id": q, "n": 4, "c": q, "problem": f"{q}?"} for q in range(3)]
    (run,) = load(("t.csv", as_csv(rows))).runs
    assert run.texts("1").prompt == (Turn("", "1?"),)
    assert run.texts("1").predictions == (None,) * 4


def test_a_table_without_texts_has_none():
    (run,) = load(("t.csv", b"question_id,correct\nq,1\n")).runs
    assert not run.has_texts
    with pytest.raises(LoadError, match="holds no prompts and no predictions"):
        run.texts("q")
    with pytest.raises(LoadError, match="holds no prompts"):
        run.search("q")


def test_the_user_may_say_which_column_holds_the_texts():
    rows = [{"id": q, "correct": 1, "text": "no", "said": "yes"} for q in range(3)]
    (run,) = load(("t.csv", as_csv(rows)), columns={"prediction": "said"}).runs
    assert run.texts("1").predictions == ("yes",)


@pytest.mark.parametrize("bound", ["MOST", "MAX_LINE"])
def test_a_small_file_of_endless_texts_is_refused(monkeypatch, tmp_path, bound):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    monkeypatch.setattr(f"reports.tables.texts.table_texts.{bound}", 50)
    (run, _) = load(("t.parquet", as_parquet(long()))).runs
    with pytest.raises(LoadError, match="texts of more than"):
        run.texts("q1")
    assert upload_store.size() == len(as_parquet(long()))


def test_a_table_that_was_changed_is_not_read(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_bytes(as_parquet(long()))
    run, other = load(path).runs
    path.write_bytes(as_parquet(long(shuffled=False)))
    with pytest.raises(LoadError, match="changed since it was loaded"):
        run.texts("q1")
    path.unlink()
    with pytest.raises(LoadError, match="can no longer be opened"):
        other.texts("q1")


@pytest.mark.parametrize("number", [True, False])
def test_a_folded_table_has_its_texts(monkeypatch, tmp_path, number):
    monkeypatch.setattr("reports.tables.folding.ROWS", 0)
    rows = [row | {"question_id": int(row["question_id"][1:])} for row in long()]
    kept = [
        {k: v for k, v in row.items() if k != "extracted"} for row in (rows if number else long())
    ]
    path = tmp_path / "t.parquet"
    path.write_bytes(as_parquet(kept))
    for run in load(path).runs:
        assert run.store.__class__.__name__ == "FoldedTexts"
        for question in run.outcomes.questions[::3]:
            q = question.removeprefix("q")
            texts = run.texts(question)
            assert texts.prompt == (Turn("", f"What is {q}?"),)
            assert texts.reference == f"it is {q}"
            assert [said.split(",")[0] for said in texts.predictions] == [
                f"{run.model} says {q}.{r}" for r in range(N)
            ]
        assert run.search("SAYS 3.").tolist() == [
            question.endswith("3") for question in run.outcomes.questions
        ]
    path.write_bytes(as_parquet(kept[:-1]))
    with pytest.raises(LoadError, match="changed since it was loaded"):
        run.texts(run.outcomes.questions[0])


@pytest.mark.wide
@pytest.mark.parametrize("chat", [False, True])
def test_what_a_folded_table_asks_is_read_through_a_few_times(monkeypatch, tmp_path, chat):
    def prompt(row):
        text = f"What is {row['question_id']}?"
        return [{"role": "user", "content": text}] if chat else text

    def found():
        return {
            (run.model, question, *codes)
            for run in load(path).runs
            for known in [digests(run)]
            for question, *codes in zip(
                run.outcomes.questions, known.prompt, known.own, known.reference, strict=True
            )
        }

    path, queries, query = tmp_path / "t.parquet", [], Engine.query
    rows = [{**row, "prompt": prompt(row) if row["sample"] else None} for row in long()]
    path.write_bytes(as_parquet(rows))
    as_read = found()
    monkeypatch.setattr("reports.tables.folding.ROWS", 0)
    runs = load(path).runs
    monkeypatch.setattr(Engine, "query", lambda *given: queries.append(given) or query(*given))
    assert [digests(run) is not None for run in runs] == [True, True]
    assert len(queries) <= 3 * len(runs)
    assert found() == as_read
    assert len({code for _, _, code, *_ in as_read}) == M


def test_a_large_table_whose_names_are_fractions_has_its_texts_too(monkeypatch, tmp_path):
    monkeypatch.setattr("reports.tables.folding.ROWS", 0)
    path = tmp_path / "t.parquet"
    names = {"question_id", "sample", "correct", "response"}
    rows = [{k: v for k, v in row.items() if k in names} for row in long() if row["model"] == "a"]
    path.write_bytes(as_parquet([r | {"question_id": int(r["question_id"][1:]) / 2} for r in rows]))
    (run,) = load(path).runs
    for question in run.outcomes.questions[:2]:
        assert None not in run.texts(question).predictions


def test_what_a_question_asks_is_found_in_whichever_row_holds_it():
    rows = long()
    for place, row in enumerate(rows):
        row |= {"prompt": row["prompt"] if place % 2 else None}
        row |= {"gold": row["gold"] if place % 3 else None}
    for run in load(("t.parquet", as_parquet(rows))).runs:
        read = [run.store.read(row) for row in range(M)]
        posed = dict(run.store.read_questions(range(M)))
        assert [(posed[row].prompt, posed[row].reference) for row in range(M)] == [
            (each.prompt, each.reference) for each in read
        ]
        assert len({each.prompt for each in read if each.prompt}) > M / 2
