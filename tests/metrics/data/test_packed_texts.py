import hashlib
import pickle
import tracemalloc

import numpy as np
import pytest

from metrics.data.outcomes import Outcomes, QuestionIds
from metrics.data.packed_texts import PackedTexts
from metrics.data.words import MetricError
from reports import load

ODD = ("", "a", "Größe 題", "a\0b", "\0", "\ud800", "\udc00", "\ud800\udc00", "x" * 70_000, " a")
MANY = tuple(f"question-{i:06d}" for i in range(140_000))


@pytest.mark.parametrize("texts", [(), ODD, MANY, ODD[:4] * 3])
def test_they_are_what_was_packed(texts):
    packed = PackedTexts(iter(texts))
    assert tuple(packed) == texts
    assert packed == texts
    assert packed == PackedTexts(list(texts))
    assert hash(packed) == hash(texts)
    assert pickle.loads(pickle.dumps(packed)) == texts
    assert [packed[i] for i in range(-len(texts), len(texts), 997)] == [
        texts[i] for i in range(-len(texts), len(texts), 997)
    ]
    assert packed[1:-1:2] == texts[1:-1:2]
    assert bytes(packed.joined) == "\0".join(texts).encode("utf-8", "surrogatepass")


def test_they_differ_where_texts_do():
    assert PackedTexts(["a", "b"]) != ("a", "c")
    assert PackedTexts(["a", "b"]) != ("a",)
    assert PackedTexts(["a\0", "b"]) != PackedTexts(["a", "\0b"])
    assert PackedTexts(["a"]) != "a"
    with pytest.raises(IndexError):
        PackedTexts(["a"])[1]


def test_some_are_taken_in_any_order():
    packed = PackedTexts(ODD)
    assert packed.take(np.array([3, 0, 3])) == (ODD[3], ODD[0], ODD[3])
    assert packed.take(np.array([len(text) > 1 for text in ODD])) == tuple(
        text for text in ODD if len(text) > 1
    )
    rows = np.random.default_rng(0).integers(0, len(MANY), 100_000)
    assert PackedTexts(MANY).take(rows) == [MANY[row] for row in rows]


def alike(monkeypatch):
    monkeypatch.setattr("metrics.data.packed_texts.hash", lambda text: len(text) % 2, raising=False)


@pytest.mark.parametrize("prepare", [None, alike])
def test_distinct_ones_are_numbered_as_they_come(prepare, monkeypatch):
    texts = [ODD[i] for i in np.random.default_rng(0).integers(0, len(ODD), 100)]
    if prepare:
        prepare(monkeypatch)
    codes, distinct = PackedTexts(texts).distinct()
    expected = list(dict.fromkeys(texts))
    assert list(distinct) == expected
    assert codes.tolist() == [expected.index(text) for text in texts]
    codes, distinct = PackedTexts(ODD).distinct()
    assert (codes.tolist(), tuple(distinct)) == ([*range(len(ODD))], ODD)


@pytest.mark.parametrize("prepare", [None, alike])
def test_ids_are_found_whatever_their_hashes(prepare, monkeypatch):
    if prepare:
        prepare(monkeypatch)
    ids = QuestionIds(ODD)
    assert [ids.index(text) for text in ODD] == [*range(len(ODD))]
    assert ids.places([*ODD[::-1], "b", "ab"]).tolist() == [*reversed(range(len(ODD))), -1, -1]
    assert "a" in ids
    assert "b" not in ids
    assert 1 not in ids
    for wrong in ("b", "xxxx", 1):
        with pytest.raises(ValueError, match="is no id"):
            ids.index(wrong)
    with pytest.raises(MetricError, match="b occurs twice"):
        QuestionIds(["a", "b", "c", "b", "c"])


def test_no_ids_hold_none():
    assert "a" not in QuestionIds(())
    assert QuestionIds(()).places(["a"]).tolist() == [-1]


def test_ids_take_little_more_than_their_letters(monkeypatch):
    monkeypatch.setattr("metrics.data.packed_texts._STEP", 1 << 13)
    tracemalloc.start()
    try:
        ids = QuestionIds(str(i) for i in range(25_000))
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(ids) == 25_000
    assert held < 25_000 * 14
    assert most < 25_000 * 90


def test_the_digest_is_that_of_shape_verdicts_and_ids():
    outcomes = Outcomes([[1], [0], [1]], questions=["a", "Ö", "\ud800"])
    expected = hashlib.sha256(repr((3, 1)).encode())
    expected.update(b"\1\0\1")
    expected.update("a\0Ö\0\ud800".encode("utf-8", "surrogatepass"))
    assert outcomes.digest == expected.hexdigest()


@pytest.mark.wide
def test_a_table_of_questions_asked_once_keeps_no_text_for_each(tmp_path):
    path = tmp_path / "t.csv"
    rows = 50_000
    path.write_text("question_id,correct\n" + "".join(f"{i},{i % 2}\n" for i in range(rows)))
    load(path)  # what is imported for it is none of it
    tracemalloc.start()
    try:
        (run,) = load(path).runs
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert run.outcomes.questions[12_345] == "12345"
    assert run.outcomes.correct[:4, 0].tolist() == [0, 1, 0, 1]
    assert held < rows * 30
