"""Which files belong together, and what a configuration says, whoever wrote it."""

import json
from datetime import datetime

import pytest

from metrics.data.outcomes import FAILED
from reports import LoadError, load
from reports.evaluations.files.config import MAX_BYTES, DatasetConfig, Model, read_config
from reports.evaluations.files.layout import find_folders
from reports.files.archive import open_tree
from reports.rescoring.rule import Evaluation, Step
from tests.reports.mutations import zipped


def pairs(*paths):
    (folder,) = find_folders([f"run/{path}" for path in paths], "report.zip")
    return {
        (pair.model, pair.dataset): tuple(path[4:] for path in pair.predictions)
        for pair in folder.pairs
    }


def test_files_beside_predictions_are_no_predictions():
    assert pairs(
        "predictions/alpha/gsm8k.jsonl",
        "predictions/alpha/tmp/tmp_0123abcd.jsonl",
        "predictions/alpha/gsm8k_out_file/0.png",
        "logs/infer/alpha/gsm8k.out",
        "performances/alpha/gsm8k_details.jsonl",
    ) == {("alpha", "gsm8k"): ("predictions/alpha/gsm8k.jsonl",)}


def test_lines_win_over_the_older_form():
    assert pairs("predictions/alpha/gsm8k.json", "predictions/alpha/gsm8k.jsonl") == {
        ("alpha", "gsm8k"): ("predictions/alpha/gsm8k.jsonl",)
    }


def test_shards_are_joined_in_the_order_of_their_numbers():
    shards = [f"predictions/alpha/gsm8k_{i}.json" for i in (10, 2, 0)]
    assert pairs("results/alpha/gsm8k.json", *shards) == {("alpha", "gsm8k"): tuple(shards[::-1])}


def test_a_dataset_whose_name_ends_in_a_number_is_no_shard():
    assert pairs("results/alpha/aime_2024.json", "predictions/alpha/aime_2024.jsonl") == {
        ("alpha", "aime_2024"): ("predictions/alpha/aime_2024.jsonl",)
    }
    assert (
        pairs("results/alpha/a.json", "results/alpha/a_1.json", "predictions/alpha/a_1.jsonl")[
            "alpha", "a"
        ]
        == ()
    )


def test_the_newest_of_summary_and_configurations_is_the_time_of_a_run():
    (folder,) = find_folders(
        [
            "run/results/alpha/gsm8k.json",
            "run/configs/20261120_080736_99.py",
            "run/configs/20261120_080903_1.py",
            "run/summary/summary_20261120_080800.csv",
        ],
        "report.zip",
    )
    assert folder.time == datetime(2026, 11, 20, 8, 9, 3)
    assert folder.configs[0].endswith("20261120_080903_1.py")


@pytest.mark.parametrize("stamp", ["99999999_999999", "time", "0" * 5000])
def test_a_time_that_is_none_is_none(stamp):
    (folder,) = find_folders(["results/a/b.json", f"summary/summary_{stamp}.csv"], "report.zip")
    assert folder.time is None
    assert folder.run_id == "report"


def config(source):
    return read_config(open_tree(("config.py", source)), "config.py")


def test_a_configuration_is_read_in_either_spelling_of_a_dict():
    read = config(
        b"""
models = [dict(abbr='a', generation_kwargs={'num_return_sequences': 5}), {'abbr': 'b'}]
datasets = ({'abbr': 'x', 'n': 4, 'eval_cfg': dict(evaluator=dict(type='pkg.mod.AccEvaluator'))},)
"""
    )
    assert read.models == {"a": Model(5), "b": Model(1)}
    judged = {"evaluator": "AccEvaluator"}
    assert read.datasets == {
        "x": DatasetConfig(Evaluation(Step("AccEvaluator")), 4, judging=judged)
    }


@pytest.mark.parametrize(
    "source",
    [
        b"models = [dict(abbr=name), dict(), 7, *more]\ndatasets = load()",
        b"import os\nmodels, datasets = os.environ, []",
        b"models = [dict(**base)]",
        b"# nothing",
    ],
)
def test_what_is_no_constant_is_passed_over(source):
    assert config(source).models == {}


@pytest.mark.parametrize("n", ["0", "-3", "True", "2.0", "'5'", "10**6", "1" + "0" * 30, "None"])
def test_a_number_of_samples_that_is_none_counts_as_not_given(n):
    source = f"models = [dict(abbr='a', generation_kwargs=dict(num_return_sequences={n}))]"
    assert config(source.encode()).models == {"a": Model(1)}


@pytest.mark.parametrize(
    "source",
    [
        b"models = [",
        b"\0",
        b"\xff\xfe",
        b"(" * 5000,
        b"-" * 1_000_000 + b"1",
        b"a" + b".b" * 50_000,
        b"#" * (MAX_BYTES + 1),
    ],
    ids=["cut", "null", "encoding", "nested", "signs", "chain", "size"],
)
def test_a_hostile_configuration_is_refused(source):
    with pytest.raises(LoadError, match="The number of samples is taken from the results"):
        config(source)


GOOD = b'{"accuracy": 100.0, "details": [{"pred": ["A"], "answer": ["A"], "correct": [true]}]}'


def test_a_damaged_member_of_a_zip_costs_itself_only():
    marked = b'{"accuracy": 50.0, "details": "to be damaged"}'
    data = zipped({"run/results/a/bad.json": marked, "run/results/a/good.json": GOOD})
    report = load(("report.zip", data.replace(b"to be damaged", b"truly damaged")))
    assert [run.dataset for run in report.runs] == ["good"]
    (note,) = report.notes
    assert note.where == "run/results/a/bad.json"
    assert note.severity == "problem"


def test_an_empty_prediction_file_says_nothing_of_failed_requests():
    files = {"run/results/a/quiz.json": GOOD, "run/predictions/a/quiz.jsonl": b"\n"}
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.outcomes.correct.tolist() == [[1]]
    assert "holds no predictions" in str(run.notes[0].what)


@pytest.mark.wide
def test_numbers_in_names_of_metrics_do_not_size_anything():
    results = b'{"avg@%s": 50.0, "pass@%s": 50.0}' % (b"9" * 6, b"9" * 5000)
    lines = b'{"id": 0, "data_abbr": "quiz"}\n{"id": 9999999}'
    files = {"run/results/a/quiz.json": results, "run/predictions/a/quiz.jsonl": lines}
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.outcomes is None


def test_lists_of_predictions_count_each():
    files = {
        "run/results/a/quiz.json": b'{"avg@2": 50.0, "details": [{"correct": [true, false]}]}',
        "run/predictions/a/quiz.json": b'{"0": {"prediction": ["only one"]}}',
    }
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.outcomes.correct.tolist() == [[1, FAILED]]


def test_a_judge_s_letters_are_no_answers():
    config = b"""
models = [dict(abbr='a')]
datasets = [dict(abbr='quiz', eval_cfg=dict(evaluator=dict(type='bench.LLMJudgeCorrect')))]
"""
    files = {"run/results/a/quiz.json": GOOD, "run/configs/20261120_080955_1.py": config}
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.answers is None


NAMES = ["gsm8k_failed", "gsm8k-cached", "gsm8k-judge-cached"]


def record(**fields):
    return json.dumps({"data_abbr": "gsm8k", "id": 0, **fields}).encode() + b"\n"


ANSWER = record(success=True, uuid="0" * 32, origin_prompt="1+1?", prediction="2", gold="2")
FAILURE = record(input="1+1?", error_info="HTTP 500")
REPLY = record(success=True, uuid="1" * 32, origin_prompt="?", prediction="A", gold="0" * 32)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("with_results", [True, False])
@pytest.mark.parametrize("beside", [True, False])
def test_a_dataset_may_be_called_like_what_lies_beside_predictions(name, with_results, beside):
    files = {f"run/predictions/alpha/{name}.jsonl": ANSWER}
    if with_results:
        files[f"run/results/alpha/{name}.json"] = GOOD
    if beside:
        files["run/predictions/alpha/gsm8k.jsonl"] = ANSWER
        files["run/results/alpha/gsm8k.json"] = GOOD
    found = {run.dataset: run for run in load(("report.zip", zipped(files))).runs}
    assert name in found
    assert (found[name].outcomes is not None) == with_results
    assert found[name].has_texts == with_results


@pytest.mark.parametrize("name", NAMES)
def test_a_model_may_be_called_so_too(name):
    files = {
        f"run/predictions/{name}/gsm8k.jsonl": ANSWER,
        f"run/results/{name}/gsm8k.json": GOOD,
        f"run/predictions/{name}/gsm8k_failed.jsonl": FAILURE,
    }
    (run,) = load(("report.zip", zipped(files))).runs
    assert (run.model, run.dataset) == (name, "gsm8k")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("gsm8k_failed", FAILURE),
        ("gsm8k_failed", b""),
        ("gsm8k_failed", FAILURE[:20]),
        ("gsm8k-judge-cached", REPLY),
    ],
)
def test_what_lies_beside_predictions_is_no_dataset(name, data):
    files = {
        "run/results/alpha/gsm8k.json": GOOD,
        "run/predictions/alpha/gsm8k.jsonl": ANSWER,
        f"run/predictions/alpha/{name}.jsonl": data,
    }
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.dataset == "gsm8k"
    del files["run/predictions/alpha/gsm8k.jsonl"]
    if data in (FAILURE, REPLY):
        (run,) = load(("report.zip", zipped(files))).runs
        assert run.dataset == "gsm8k"


def test_a_judge_may_be_called_so_too():
    judged = GOOD.replace(b'"answer": ["A"]', b'"answer": ["' + b"0" * 32 + b'"]')
    files = {
        "run/predictions/alpha/gsm8k.jsonl": ANSWER,
        "run/predictions/alpha/gsm8k-cached.jsonl": REPLY,
        "run/predictions/alpha/gsm8k-cached-cached.jsonl": REPLY,
        "run/results/alpha/gsm8k-cached.json": judged,
    }
    (run,) = load(("report.zip", zipped(files))).runs
    assert run.dataset == "gsm8k-cached"
    assert run.texts("0").predictions == ("2",)
