"""Performance runs of AISBench: tokens and seconds joined to the run of --mode all.

No real file of one is here. These are written after the source of ais_bench_benchmark
3.1.20260630 (AISBench/benchmark, commit 1e7cb37e3d5d), under ais_bench/benchmark/:
openicl/icl_inferencer/output_handler/base_handler.py lines 379 to 387 (a line of *_details) and 424
to 431 (db_data), db_utils.py lines 19 to 43 (the database), models/output.py lines 14 to 32 and 138
to 162 (the fields of a request), calculators/base_perf_metric_calculator.py lines 202 to 232 and
272 to 312 (the table), summarizers/default_perf.py lines 150 to 170 (what latency is, and when
tokens count as stated).
"""

import io
import json
import sqlite3
import zipfile

import numpy as np
import pytest

from reports import LoadError, load
from reports.files.archive import open_tree
from reports.loading import TOOL_READERS
from tests.reports.harnesses.truths import DATA

ACCURACY = DATA / "aisbench/gsm8k_n5_two_models.zip"
MODEL, DATASET = "alpha-7b-chat", "gsm8k"
SAMPLES = 5


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Unpack a real report of two models, five answers each to forty questions."""
    place = tmp_path_factory.mktemp("reports")
    with zipfile.ZipFile(ACCURACY) as archive:
        archive.extractall(place)
    return place


def prompts(place):
    path = next(place.rglob(f"predictions/{MODEL}/{DATASET}.jsonl"))
    records = map(json.loads, path.read_text().splitlines())
    return {record["id"]: record["origin_prompt"] for record in records}


def requests(asked, per_id=SAMPLES):
    """Return the lines of a performance run and the points in time of each request."""
    rng = np.random.default_rng(3)
    for key in asked:
        for _ in range(per_id):
            sent = [{"role": "user", "content": turn["prompt"]} for turn in asked[key]]
            steps = 1000 + np.cumsum(rng.uniform(0.01, 0.2, 6))
            yield {
                "data_abbr": DATASET,
                "id": key,
                "success": True,
                "error_info": "",
                "time_points": steps,
                "input_tokens": 50 + key,
                "output_tokens": int(rng.integers(20, 400)),
                "extra_perf_data": {},
                "extra_details_data": {},
                "input": sent,
                "uuid": f"{rng.integers(1 << 60):032x}",
                "turn_id": 0,
                "prediction": "So the answer is 7.",
                "db_name": "9a8b7c6d.db",
            }


def write(place, lines, stated=None, folder="20261121_090000"):
    """Write what a performance run leaves behind."""
    root = place / folder / "performances" / MODEL
    (root / "db_data").mkdir(parents=True)
    with sqlite3.connect(root / "db_data/9a8b7c6d.db") as base:
        base.execute(
            "CREATE TABLE IF NOT EXISTS numpy_store "
            "(id INTEGER PRIMARY KEY AUTOINCREMENT, arr_blob BLOB NOT NULL)"
        )
        for line in lines:
            if isinstance(line["time_points"], np.ndarray):
                buffer = io.BytesIO()
                np.save(buffer, line["time_points"], allow_pickle=False)
                made = base.execute(
                    "INSERT INTO numpy_store (arr_blob) VALUES (?)", (buffer.getvalue(),)
                )
                line["time_points"] = {"__db_ref__": made.lastrowid}
    base.close()
    (root / f"{DATASET}_details.jsonl").write_text("\n".join(map(json.dumps, lines)))
    rows = [f"{name},total,{value},1,2,3" for name, value in (stated or {}).items()]
    head = "Performance Parameters,Stage,Average,Min,Max,N"
    (root / f"{DATASET}.csv").write_text("\n".join([head, *rows]))
    (root / f"{DATASET}.json").write_text(json.dumps({"Total Requests": {"total": len(lines)}}))
    return root


def of_model(report):
    return next(run for run in report.runs if run.model == MODEL)


@pytest.mark.wide
def test_tokens_and_seconds_are_those_of_each_question(judged, tmp_path):
    asked = prompts(judged)
    lines = list(requests(asked))
    seconds = {i: line["time_points"][-1] - line["time_points"][0] for i, line in enumerate(lines)}
    tokens = [line["output_tokens"] for line in lines]
    stated = {
        "E2EL": f"{1000 * np.mean(list(seconds.values())):.4f} ms",
        "OutputTokens": f"{np.mean(tokens):.4f}",
    }
    write(tmp_path, lines, stated)
    alone = of_model(load(judged))
    both = merged(judged, tmp_path)
    run = of_model(both)
    assert not alone.columns
    np.testing.assert_array_equal(run.outcomes.correct, alone.outcomes.correct)
    for i, key in enumerate(asked):
        row = run.outcomes.questions.index(str(key))
        mine = slice(SAMPLES * i, SAMPLES * (i + 1))
        assert run.columns["tokens_out"][row].tolist() == tokens[mine]
        assert run.columns["tokens_in"][row].tolist() == [50 + key] * SAMPLES
        wanted = [seconds[j] for j in range(len(lines))[mine]]
        np.testing.assert_allclose(run.columns["latency_s"][row], wanted)
    assert (run.columns["ttft_s"] < run.columns["latency_s"]).all()
    (note,) = (note for note in run.notes if "performance run" in str(note.what))
    assert note.count == 200
    assert "a separate performance run" in str(note.what)
    other = next(run for run in both.runs if run.model != MODEL)
    assert not other.columns


def merged(judged, made):
    """Load a real report and a performance run as one folder."""
    files = {}
    for root in (judged, made):
        for path in root.rglob("*"):
            if path.is_file():
                files[path.relative_to(root).as_posix()] = path.read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return load(("both.zip", buffer.getvalue()))


def test_what_lacks_is_empty_and_said(judged, tmp_path):
    asked = dict(list(prompts(judged).items())[:10])
    lines = list(requests(asked, per_id=2))
    lines[3] |= {"success": False, "error_info": "timeout", "time_points": None}
    lines[4] |= {"input_tokens": 0}
    root = write(tmp_path, lines, {"OutputTokens": "1.0"})
    (root / "db_data/9a8b7c6d.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    run = of_model(merged(judged, tmp_path))
    assert "latency_s" not in run.columns
    known = ~np.isnan(run.columns["tokens_out"])
    assert known.sum() == 19
    assert np.isnan(run.columns["tokens_in"]).sum() == 200 - 18
    said = [str(note.what) for note in run.notes]
    assert any("1 request failed while speed" in each for each in said)
    assert any("is missing or cannot be read" in each for each in said)
    assert any("differs from the tool's own table" in each for each in said)
    assert any("19 of 200 samples" in each for each in said)


def test_other_questions_give_the_distribution_only(judged, tmp_path):
    asked = {key: [{"prompt": f"Another question {key}?"}] for key in range(20)}
    write(tmp_path, list(requests(asked)))
    run = of_model(merged(judged, tmp_path))
    assert not run.columns
    said = [str(note.what) for note in run.notes]
    assert any("different prompts" in each and "only their distribution" in each for each in said)
    assert any(each.startswith("Tokens of the answer of 100 requests: mean") for each in said)
    assert any(each.startswith("Seconds of 100 requests") for each in said)


def test_requests_that_are_gone_are_counted(tmp_path):
    asked = {key: [{"prompt": f"Question {key}?"}] for key in range(5)}
    root = write(tmp_path, list(requests(asked)))
    details = root / f"{DATASET}_details.jsonl"
    details.write_text("\n".join(details.read_text().splitlines()[:-2]))
    (run,) = load(tmp_path).runs
    assert str(run.notes[0].what).startswith("23 of 25 requests that the tool counted are here")


def test_a_performance_run_alone_says_what_it_lacks(tmp_path):
    asked = {key: [{"prompt": f"Question {key}?"}] for key in range(5)}
    root = write(tmp_path, list(requests(asked)), {"OutputTokens": "123.4", "E2EL": "900.0 ms"})
    (run,) = load(tmp_path).runs
    assert (run.model, run.dataset, run.outcomes) == (MODEL, DATASET, None)
    assert "judges no answers" in str(run.notes[1].what)
    taken = [reader.TOOL.name for reader in TOOL_READERS if reader.sniff(open_tree(tmp_path))]
    assert taken == ["AISBench"]
    details = root / f"{DATASET}_details.jsonl"
    (lone,) = load((details.name, details.read_bytes())).runs
    assert (lone.dataset, lone.outcomes) == (DATASET, None)
    details.unlink()
    (run,) = load(tmp_path).runs
    assert "Only the means" in str(run.notes[0].what)


def test_the_last_of_several_is_taken(judged, tmp_path):
    asked = prompts(judged)
    write(tmp_path, list(requests(asked)))
    lines = [line | {"output_tokens": 7} for line in requests(asked)]
    write(tmp_path, lines, folder="20261122_090000")
    run = of_model(merged(judged, tmp_path))
    assert (run.columns["tokens_out"] == 7).all()
    assert any("uses the last one" in str(note.what) for note in run.notes)


def test_settings_in_which_both_runs_differ_are_named(judged, tmp_path):
    write(tmp_path, list(requests(prompts(judged))))
    told = next(judged.rglob("configs/*.py")).read_text()
    assert told.count("temperature=0.7") == 2
    configs = tmp_path / "20261121_090000/configs"
    configs.mkdir()
    (configs / "20261121_090000_1.py").write_text(told.replace("temperature=0.7", "temperature=0"))
    run = of_model(merged(judged, tmp_path))
    said = [str(note.what) for note in run.notes]
    assert any("different settings (temperature)" in each for each in said)
    (configs / "20261121_090000_1.py").write_text(told)
    run = of_model(merged(judged, tmp_path))
    assert not any("told other" in str(note.what) for note in run.notes)
    (alone,) = load(tmp_path).runs
    assert (alone.settings["temperature"], alone.settings["tool"]) == (0.7, "AISBench")


@pytest.mark.parametrize(
    "making",
    [
        "CREATE VIEW numpy_store AS SELECT 1 AS id, x'00' AS arr_blob",
        "CREATE TABLE numpy_store (id INTEGER PRIMARY KEY, arr_blob AS (zeroblob(1000000000)))",
        "CREATE VIEW numpy_store AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i AS id, x'00' AS arr_blob FROM n",
    ],
)
def test_databases_made_to_hurt_give_no_times(making, tmp_path):
    asked = {key: [{"prompt": f"Question {key}?"}] for key in range(3)}
    root = write(tmp_path, list(requests(asked)))
    (root / "db_data/9a8b7c6d.db").unlink()
    with sqlite3.connect(root / "db_data/9a8b7c6d.db") as base:
        base.execute(making)
        base.commit()
    base.close()
    (run,) = load(tmp_path).runs
    assert any("cannot be read" in str(note.what) for note in run.notes)


def test_what_is_broken_is_one_clear_sentence(tmp_path):
    asked = {key: [{"prompt": f"Question {key}?"}] for key in range(3)}
    path = write(tmp_path, list(requests(asked))) / f"{DATASET}_details.jsonl"
    whole = path.read_text()
    path.write_text(whole.replace('"id": 1', '"id": "x"'))
    with pytest.raises(LoadError, match="no request's number as id"):
        load(tmp_path)
    path.write_text(whole.replace('"9a8b7c6d.db"', '{"x": 1}'))
    assert load(tmp_path).runs[0].outcomes is None
    path.write_text(whole[:-30])
    with pytest.raises(LoadError, match="line 15"):
        load(tmp_path)
    path.write_text("\n")
    with pytest.raises(LoadError, match="holds no requests"):
        load(tmp_path)
