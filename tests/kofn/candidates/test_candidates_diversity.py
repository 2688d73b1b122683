"""Texts of a run are compared where they are read, with a bar, whatever file they are in."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kofn.candidates.columns import DIVERSITY
from kofn.candidates.diversity import measure_texts
from kofn.workers import asking, reading
from metrics import MetricError, estimate, text_diversity
from reports import load
from reports.combining import combine
from reports.files import progress
from reports.tables.engine import Engine

QUESTIONS, SAMPLES = 9, 4
FIELDS = ("distinct_1", "distinct_2", "apart", "clones", "texts")


def said(q, s):
    """Question 2 has clones, question 5 a sample without a text."""
    if (q, s) == (5, 1):
        return None
    return f"{q} is the same" if q == 2 else f"{q} {s} is not the {s * q}"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rows = [
        {"question_id": q, "sample": s, "correct": (q + s) % 2, "response": said(q, s)}
        for s in range(SAMPLES)
        for q in reversed(range(QUESTIONS))
    ]
    path = tmp_path_factory.mktemp("texts") / "t.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def assert_measured(run, found):
    texts = [[said(int(q), s) for s in range(SAMPLES)] for q in run.outcomes.questions]
    truth = text_diversity(texts)
    for name in FIELDS:
        assert np.array_equal(getattr(found, name), getattr(truth, name), equal_nan=True), name
    assert found.texts.sum() == QUESTIONS * SAMPLES - 1
    assert found.clones.tolist().count(1) == 1


def test_the_mean_of_a_share_is_in_percent_and_of_anything_else_a_number():
    (mean,) = (column for column in DIVERSITY if str(column.label) == "mean")
    share = estimate([[1, 0], [1, 0]], "avg@n")
    count = replace(share, bounds=(1, 5), value=2.5, interval=(2, 3))
    for found, written in ((share, "50.0% ("), (count, "2.50 (2.00 to 3.00)")):
        assert str(mean.value(SimpleNamespace(estimate=found))).startswith(written)
    assert mean.value(SimpleNamespace(estimate=None)) is None


def test_texts_are_measured_apart(path):
    (run,) = reading.read(path, {}, lambda *_: None).runs
    assert_measured(run, measure_texts(run, lambda *_: None))

    def stop(done, total):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        measure_texts(run, stop)


def test_texts_of_joined_runs_are_measured_in_one_process(path, tmp_path, monkeypatch):
    later = tmp_path / path.name
    rows = pq.read_table(path).to_pylist()
    texts = {(row["question_id"], row["sample"]): row["response"] for row in rows}
    for row in rows:
        row["correct"] = int(row["question_id"] % 3 == row["sample"] % 2)
        row["response"] = f"{row['response']} again"
    pq.write_table(pa.Table.from_pylist(rows), later)
    each = [reading.read(one, {}, lambda *_: None).runs[0] for one in (path, later)]
    joined = combine(each)
    joined.find_texts()
    calls, call = [], asking.call
    monkeypatch.setattr(asking, "call", lambda *a, **b: calls.append(a) or call(*a, **b))
    found = measure_texts(joined)
    assert len(calls) == 1
    both = text_diversity(
        [texts[int(q), s] for s in range(SAMPLES)]
        + [f"{texts[int(q), s]} again" for s in range(SAMPLES)]
        for q in joined.outcomes.questions
    )
    assert np.array_equal(found.apart, both.apart)


def test_it_is_told_how_far_it_has_come(path, monkeypatch):
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    told = []
    (run,) = load(path).runs
    run.find_texts()
    assert_measured(run, measure_texts(run, lambda *done: told.append(done)))
    assert told == [(done, QUESTIONS) for done in range(QUESTIONS)]


def test_a_folded_table_is_read_through_once(path, monkeypatch):
    monkeypatch.setattr("reports.tables.folding.ROWS", 0)
    (run,) = load(path).runs
    assert run.store.__class__.__name__ == "FoldedTexts"
    queries, query = [], Engine.query
    monkeypatch.setattr(Engine, "query", lambda *given: queries.append(given) or query(*given))
    assert_measured(run, measure_texts(run))
    assert len(queries) == 1


def test_a_run_without_texts_says_so(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("question_id,correct\na,1\na,0\n")
    (run,) = load(path).runs
    with pytest.raises(MetricError, match="holds no texts to compare"):
        measure_texts(run)
