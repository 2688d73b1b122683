"""Copies are noticed in real reports and in tables, by what samples say or how long they are."""

import json

import numpy as np
import pytest

from kofn.workers import wire
from metrics import MetricError, estimate
from reports import load
from reports.tables.texts import table_texts
from reports.tables.writing.canonical import write
from tests.reports.evaluations.aisbench_archives import archive, loaded, members
from tests.reports.mutations import zipped
from tests.reports.tables.written_tables import parquet

LETTERS = str.maketrans("0123456789", "abcdefghij")


def thoughts(number):
    """Three hundred letters without a digit, for each number others."""
    return f"{number:03d}".translate(LETTERS) * 100 + ". "


def thinking(name, number_of):
    """A real report whose first model thinks at length, and the share of its repeated samples.

    `number_of` is told which of the requests of an id a line is: equal numbers, equal thoughts.
    """
    files = members(name)
    path = next(path for path in files if "/predictions/" in path and path.endswith(".jsonl"))
    lines, said = [], {}
    for line in files[path].decode().splitlines():
        record = json.loads(line)
        if record.get("prediction"):
            earlier = said.setdefault(record["id"], [])
            record["prediction"] = thoughts(number_of(len(earlier))) + record["prediction"]
            earlier.append(record["prediction"])
        lines.append(json.dumps(record) + "\n")
    files[path] = "".join(lines).encode()
    again = sum(len(each) - len(set(each)) for each in said.values())
    model = path.split("/")[-2]
    (run,) = (run for run in load(("r.zip", zipped(files))).runs if run.model == model)
    return run, again / sum(map(len, said.values()))


@pytest.mark.wide
@pytest.mark.parametrize(
    "name", ["gsm8k_n5_two_models", "gsm8k_n3_num_prompts", "gsm8k_n5_failed_requests"]
)
def test_samples_of_a_real_report_that_say_the_same_are_copies(name):
    apart, none = thinking(name, lambda nth: nth)
    assert (apart.outcomes.copies.share, none) == (0, 0)
    assert apart.outcomes.copies.covered == 1
    alike, share = thinking(name, lambda nth: 0)
    assert alike.outcomes.copies.share == pytest.approx(share)
    assert share > 0.2
    assert any("letter for letter" in str(each) for each in estimate(alike, "avg@n").caveats)
    with pytest.raises(MetricError, match=r"letter for letter.* too narrow"):
        estimate(alike, "avg@n", target="benchmark")


@pytest.mark.wide
@pytest.mark.parametrize("name", ["custom_mcq_n4", "gsm8k_n5_two_models", "textvqa_n3"])
def test_short_predictions_of_real_reports_are_no_sign(name):
    for run in loaded(archive(name)).runs:
        assert (run.outcomes.copies.share, run.outcomes.copies.covered) == (0, 0)


def table(each, **columns):
    """A table of 30 questions with 4 samples, of which so many are the same."""
    sample = np.tile(np.arange(4), 30)
    alike = 4 * np.repeat(np.arange(30), 4) + sample // each * each
    data = {
        "question_id": np.repeat(np.arange(30), 4).astype(str),
        "sample": sample,
        "correct": (alike * 7919 % 11 > 4).astype(int),
        **{name: [make(int(number)) for number in alike] for name, make in columns.items()},
    }
    return ("t.parquet", parquet(data))


@pytest.mark.parametrize(("each", "share"), [(1, 0), (2, 0.5), (4, 0.75)])
@pytest.mark.parametrize(
    ("sign", "columns"),
    [("texts", {"prediction": thoughts}), ("tokens", {"tokens_out": lambda i: 400 + i * i % 971})],
)
def test_tables_of_predictions_or_tokens_tell_copies(each, share, sign, columns):
    (run,) = load(table(each, **columns)).runs
    assert run.outcomes.copies.sign == sign
    assert run.outcomes.copies.share == pytest.approx(share, abs=0.03)


def test_predictions_of_large_tables_are_not_read_when_they_are_loaded(monkeypatch):
    monkeypatch.setattr(table_texts, "SMALL", 100)
    (run,) = load(table(2, prediction=thoughts)).runs
    assert run.outcomes.copies is None


def test_lists_and_columns_of_predictions_tell_copies_too():
    said = [[thoughts(i), thoughts(i), "no"] for i in range(20)]
    listed = {"question_id": [*map(str, range(20))], "correct": [[1, 1, 0]] * 20}
    (run,) = load(("t.parquet", parquet({**listed, "predictions": said}))).runs
    assert run.outcomes.copies.share == pytest.approx(1 / 3)
    wide = {f"prediction_{j}": [row[j] for row in said] for j in range(3)}
    marks = {f"correct_{j}": [int(j < 2)] * 20 for j in range(3)}
    (run,) = load(
        ("t.parquet", parquet({"question_id": listed["question_id"], **marks, **wide}))
    ).runs
    assert run.outcomes.copies.share == pytest.approx(1 / 3)


def test_a_run_that_crosses_from_its_job_keeps_what_it_knows_of_copies():
    (run,) = load(table(2, prediction=thoughts)).runs
    parts = [bytes(part) for part in wire.pack(run)]
    assert wire.unpack(parts).outcomes.copies == run.outcomes.copies


def test_a_converted_table_keeps_tokens_as_a_sign_and_says_that_texts_are_lost(tmp_path):
    (run,) = load(table(2, tokens_out=lambda i: 400 + i * i % 971)).runs
    assert write([run], tmp_path / "own.parquet") == ()
    (again,) = load(tmp_path / "own.parquet").runs
    assert again.outcomes.copies == run.outcomes.copies
    (run,) = load(table(2, prediction=thoughts)).runs
    (note,) = write([run], tmp_path / "own.parquet")
    assert "does not show which samples repeat one another" in str(note.what)
