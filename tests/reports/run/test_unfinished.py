"""Files of evaluations that go on are read as far as they go, and their runs are unfinished."""

import json
import shutil
from datetime import UTC, datetime

import numpy as np
import pytest

from metrics.data.outcomes import ABSENT, FAILED
from reports import LoadError, load
from tests.reports.harnesses.truths import DATA

CSV = "id,sample,correct,text\n" + "".join(
    f'q{i},{j},{(i + j) % 2},"says ""{i}"",\nand {j} é"\n' for i in range(6) for j in range(2)
)
JSONL = "".join(
    json.dumps({"id": f"q{i}", "sample": j, "correct": (i + j) % 2, "text": f"é {j}"}) + "\n"
    for i in range(6)
    for j in range(2)
)


def known(run):
    """Return the verdicts that are there, by question and sample."""
    correct = run.outcomes.correct
    return {
        (question, sample): int(verdict)
        for question, row in zip(run.outcomes.questions, correct, strict=True)
        for sample, verdict in enumerate(row)
        if verdict != ABSENT
    }


@pytest.mark.parametrize(("name", "text"), [("t.csv", CSV), ("t.jsonl", JSONL)])
def test_a_table_cut_at_any_byte_is_what_its_whole_rows_say(name, text, tmp_path):
    data = text.encode()
    whole = known(load((name, data)).runs[0])
    least = 0
    for size in range(data.index(b"\n", data.index(b"\n") + 60), len(data), 11):
        try:
            (run,) = load((name, data[:size])).runs
        except LoadError:
            assert data[:size].count(b"q") < 3  # a header, or next to nothing below it
            continue
        found = known(run)
        assert found.items() <= whole.items()
        assert len(found) >= least - 1  # a last row that has all its values counts
        least = len(found)
        rows = data[:size].decode(errors="ignore").count("q")
        assert run.unfinished is not None or len(found) == rows
    assert run.unfinished is not None
    assert load((name, data)).runs[0].unfinished is None


def test_a_last_row_without_the_end_of_a_line_is_whole_if_it_has_all_its_values():
    (run,) = load(("t.csv", b"id,correct\na,1\nb,0")).runs
    assert (run.outcomes.shape, run.unfinished) == ((2, 1), None)
    with pytest.raises(LoadError, match="maybe"):
        load(("t.csv", b"id,correct\na,1\nb,maybe"))


def test_a_line_that_is_cut_in_the_middle_of_a_file_is_refused():
    with pytest.raises(LoadError, match="line 2"):
        load(("t.jsonl", b'{"id":1,"correct":1}\n{"id":2,"corr\n{"id":3,"correct":1}\n'))
    with pytest.raises(LoadError, match="JSON ends"):
        load(("t.jsonl", b'{"id":1,"corr'))


@pytest.mark.parametrize(
    ("folder", "pattern"),
    [
        ("human_eval", "beta_samples.jsonl_results.jsonl"),
        ("evalscope/outputs/20261120_083614", "reviews/*/*.jsonl"),
        ("every_eval_ever/v0.3.0_inspect/data/think_set", "*/*/39eb*_samples.jsonl"),
    ],
)
def test_lines_of_tools_cut_anywhere_give_the_questions_before(folder, pattern, tmp_path):
    (path,) = (DATA / folder).glob(pattern)
    data, name = path.read_bytes(), path.name
    whole = load((name, data)).runs[0]
    for size in range(len(data) // 3, len(data) - 1, len(data) // 5):
        (run,) = load((name, data[:size])).runs
        assert 0 < len(known(run)) < len(known(whole))
        assert known(run).items() <= known(whole).items()
        assert run.unfinished is not None
        assert "differ from the rest" in str(run.unfinished.what)


def test_texts_are_those_of_their_lines_where_an_earlier_file_is_cut(tmp_path):
    shutil.copytree(DATA / "evalscope/outputs/20261120_083301", tmp_path / "run")
    paths = sorted(tmp_path.rglob("reviews/*/*.jsonl"))
    paths[0].write_bytes(paths[0].read_bytes()[:-30])
    (run,) = load(tmp_path / "run").runs
    (whole,) = load(DATA / "evalscope/outputs/20261120_083301").runs
    for question in run.outcomes.questions[-3:]:
        assert run.texts(question).predictions == whole.texts(question).predictions


def test_a_report_that_the_tool_writes_last_is_missed_in_its_folder_only(tmp_path):
    shutil.copytree(DATA / "evalscope/outputs/20261120_083614", tmp_path / "run")
    assert load(tmp_path / "run").runs[0].unfinished is None
    shutil.rmtree(tmp_path / "run/reports")
    (run,) = load(tmp_path / "run").runs
    assert (run.unfinished.planned, run.unfinished.share) == (None, None)
    (alone,) = load(next(tmp_path.rglob("reviews/*/*.jsonl"))).runs
    assert alone.unfinished is None


def test_what_is_planned_is_said_where_the_files_say_it(tmp_path):
    path = tmp_path / "tau" / "results.json"
    path.parent.mkdir()
    value = json.loads((DATA / "tau2/alpha_mock_4trials/results.json").read_text())
    done, value["simulations"] = len(value["simulations"]), value["simulations"][:7]
    path.write_text(json.dumps(value))
    (run,) = load(path).runs
    assert (run.unfinished.done, run.unfinished.planned) == (7, done)
    assert run.unfinished.share == 7 / done
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert run.unfinished.as_of == written
    (uploaded,) = load(("results.json", path.read_bytes())).runs
    assert uploaded.unfinished.as_of is None


@pytest.fixture(scope="module")
def drawn():
    """Return predictions as AISBench writes them: 10 questions with 3 samples each."""
    return [
        {
            "data_abbr": "gsm8k",
            "id": question,
            "success": True,
            "uuid": f"{question}-{sample}",
            "origin_prompt": f"How much is {question} and 1?",
            "prediction": f"It is {question + (sample < 2)}",
            "gold": f"#### {question + 1}",
        }
        for question in range(10)
        for sample in range(3)
    ]


CONFIG = """
datasets = [dict(abbr='gsm8k', eval_cfg=dict(evaluator=dict(
    type='ais_bench.benchmark.datasets.Gsm8kEvaluator')))]
models = [dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=3))]
"""


def going_on(folder, *files):
    """Write a run of AISBench that has not ended."""
    place = folder / "predictions/alpha/tmp"
    place.mkdir(parents=True)
    (folder / "configs").mkdir()
    (folder / "configs/20261122_120000_1.py").write_text(CONFIG)
    for number, lines in enumerate(files):
        (place / f"tmp_{number}.jsonl").write_text("".join(lines))
    return folder


def written(records):
    return [json.dumps(record) + "\n" for record in records]


def test_predictions_of_aisbench_that_go_on_are_judged_as_far_as_they_go(drawn, tmp_path):
    lines = written(drawn)
    other = json.dumps(drawn[0] | {"data_abbr": "other"}) + "\n"
    failed = json.dumps({"data_abbr": "gsm8k", "id": 9, "success": False, "error_info": "x"})
    folder = going_on(tmp_path / "run", [*lines[:11], other, failed + "\n"], [*lines[11:17], "{"])
    report = load(folder)
    run = next(run for run in report.runs if run.dataset == "gsm8k")
    assert run.outcomes.correct.tolist() == [*[[1, 1, 0]] * 5, [1, 1, ABSENT]]
    assert FAILED not in run.outcomes.correct
    assert (run.unfinished.done, run.unfinished.planned) == (17, None)
    assert "17 predictions" in str(run.unfinished.what)
    assert "1 request failed so far" in str(run.unfinished.what)
    assert run.texts("2").predictions[0] == "It is 3"


def test_predictions_of_aisbench_that_have_ended_count_alone(drawn, tmp_path):
    folder = going_on(tmp_path / "run", written(drawn)[:5])
    (folder / "predictions/alpha/gsm8k.jsonl").write_text("".join(written(drawn)))
    (run,) = load(folder).runs
    assert (run.outcomes.shape, run.unfinished) == ((10, 3), None)


@pytest.mark.parametrize("older", [False, True])
def test_predictions_of_opencompass_that_go_on(drawn, older, tmp_path):
    folder = going_on(tmp_path / "run")
    shutil.rmtree(folder / "predictions/alpha/tmp")
    config = CONFIG.replace("ais_bench.benchmark", "opencompass").replace("s=3", "s=1")
    (folder / "configs/20261122_120000_1.py").write_text(config)
    records = {
        record["id"]: {key: record[key] for key in ("origin_prompt", "prediction", "gold")}
        for record in drawn[:12]
    }
    text = json.dumps(records, indent=4)
    if not older:
        text = "".join(json.dumps({"idx": k, **v}) + "\n" for k, v in records.items()) + '{"idx'
    (folder / f"predictions/alpha/tmp_gsm8k.json{'' if older else 'l'}").write_text(text)
    (run,) = load(folder).runs
    assert (run.dataset, run.outcomes.shape) == ("gsm8k", (4, 1))
    assert not run.outcomes.correct.any()
    assert run.unfinished.done == 4


def test_what_is_left_out_changes_nothing_else():
    a, b = (load(("a.jsonl", data.encode())).runs[0] for data in (JSONL, JSONL + "{"))
    assert a.unfinished is None
    assert b.unfinished is not None
    assert np.array_equal(a.outcomes.correct, b.outcomes.correct)
