"""Real reports of OpenCompass 0.5.4 against their truth, and small ones written as it does."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from metrics.data.outcomes import FAILED
from reports import LoadError, aisbench, load, opencompass, reconcile
from reports.evaluations.files.predictions import records
from reports.files.archive import open_tree
from tests.reports.evaluations.aisbench_archives import loaded

DATA = Path(__file__).parents[2] / "data"
REPORTS = sorted(path.stem for path in (DATA / "opencompass").glob("*.zip"))


def archive(name):
    return DATA / "opencompass" / f"{name}.zip"


def truth(name):
    return json.loads(archive(name).with_suffix(".json").read_text())


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for path, content in files.items():
            target.writestr(path, content if isinstance(content, str) else json.dumps(content))
    return "report.zip", buffer.getvalue()


@pytest.mark.parametrize("name", REPORTS)
def test_every_sample_is_as_the_truth_says(name):
    report = loaded(archive(name))
    assert str(report.reader) == "OpenCompass report"
    assert len(report.runs) == sum(map(len, truth(name).values()))
    for run in report.runs:
        entry = truth(name)[run.model][run.dataset]
        assert run.outcomes.correct.tolist() == entry["correct"]
        assert run.outcomes.questions == tuple(map(str, entry["questions"]))
        assert run.verified is True
        assert bool(run.notes) is (name == "n3_nodetails")
        assert run.answers.shape == run.outcomes.shape


@pytest.mark.parametrize("name", REPORTS)
def test_every_stated_number_is_recomputed(name):
    for run in loaded(archive(name)).runs:
        for line in reconcile(run):
            assert line.agrees
            assert line.recomputed == pytest.approx(line.reported, abs=1e-12)


def test_four_samples_state_the_same_numbers_twice():
    run = loaded(archive("n4")).runs[0]
    assert len(reconcile(run)) == 1 + 2 * 2 * 6


def test_each_tool_s_reports_are_taken_by_its_own_reader():
    for name in REPORTS:
        assert opencompass.sniff(open_tree(archive(name)))
    for path in (DATA / "aisbench").glob("*.zip"):
        tree = open_tree(path)
        assert aisbench.sniff(tree)
        assert not opencompass.sniff(tree)


def test_both_tools_in_one_folder_are_read_each_in_its_way(tmp_path):
    for path in (archive("n4"), DATA / "aisbench" / "custom_mcq_n4.zip"):
        zipfile.ZipFile(path).extractall(tmp_path)
    runs = load(tmp_path).runs
    assert {run.outcomes.shape for run in runs} == {(21, 4), (26, 4)}
    assert all(run.verified for run in runs)


ROW = {"pred": ["A"], "answer": ["A"], "correct": [True]}


@pytest.mark.parametrize(
    ("config", "sniffed"),
    [("opencompass.datasets.custom", True), ("ais_bench.benchmark.datasets.custom", False)],
)
def test_the_types_of_a_configuration_tell_the_tool(config, sniffed):
    files = {
        "run/configs/20261120_083905_7.py": f"datasets = [dict(type='{config}.CustomDataset')]",
        "run/results/alpha/quiz.json": {"accuracy": 100.0, "details": [ROW]},
        "run/predictions/alpha/quiz.json": {"0": {"origin_prompt": "?", "prediction": "A"}},
    }
    assert opencompass.sniff(open_tree(packed(files))) is sniffed


def test_parts_and_replicas_of_predictions_tell_which_requests_are_missing():
    """Written as the tool would: keys restart in each part and run replica by replica."""
    correct = np.array([[1, 0], [1, 0], [0, 0]])
    record = [{"origin_prompt": f"{i % 3}?", "prediction": "x"} for i in range(6)]
    rows = [
        {"example_abbr": f"quiz_test_{q}", "correct": [bool(c) for c in correct[q]]}
        | {"pred": ["x", "" if q == 1 else "y"], "answer": [str(q)] * 2}
        for q in range(3)
    ]
    files = {
        "run/results/alpha/quiz.json": {
            "accuracy (2 runs average)": 100 / 3,
            "G-Pass@2_0.0": 200 / 3,
            "details": rows,
        },
        "run/predictions/alpha/quiz_0.json": {str(i): record[i] for i in range(4)},
        "run/predictions/alpha/quiz_1.json": {"1": record[5]},
    }
    (run,) = load(packed(files)).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [1, FAILED], [0, 0]]


def test_older_details_hold_their_type_among_the_entries():
    files = {
        "run/results/alpha/quiz.json": {
            "accuracy": 50.0,
            "details": {
                "0": {"pred": "A", "answer": "A", "correct": True},
                "1": {"pred": "A", "answer": "B", "correct": False},
                "type": "GEN",
            },
        },
        "run/predictions/alpha/quiz.json": {
            str(i): {"origin_prompt": "?", "prediction": "A"} for i in range(2)
        },
    }
    report = load(packed(files))
    assert str(report.reader) == "OpenCompass report"
    assert report.runs[0].outcomes.correct.tolist() == [[1], [0]]


def test_a_judge_s_replies_are_verdicts():
    """Written as its generic judge does: what the judge was asked and replied, one list a field."""
    rows = [
        {"example_abbr": f"quiz_test_{q}", "origin_prompt": ["…"] * 2, "gold": [str(q)] * 2}
        | {"prediction": replies}
        for q, replies in enumerate([["A", "So: B"], ["It is A", "unsure"]])
    ]
    files = {
        "run/configs/20261120_083905_7.py": "models = [dict(type='opencompass.models.OpenAI')]",
        "run/results/alpha/quiz.json": {"accuracy (2 runs average)": 50.0, "details": rows},
    }
    (run,) = load(packed(files)).runs
    assert run.outcomes.correct.tolist() == [[1, 0], [1, 0]]
    assert run.verified is True
    assert run.answers is None
    assert any("verdicts are those of a judge" in str(note.what) for note in run.notes)


def test_several_predictions_of_one_request_are_several_samples():
    """With num_return_sequences a prediction is a list; without details kofn judges each."""
    said = [["so 7", "so 8"], ["so 8", "so 8"]]
    files = {
        "run/results/alpha/quiz.json": {"accuracy (2 runs average)": 75.0},
        "run/predictions/alpha/quiz.json": {
            str(q): {"origin_prompt": "?", "prediction": said[q], "gold": "#### 8"}
            for q in range(2)
        },
    }
    (run,) = load(packed(files)).runs
    assert run.outcomes.correct.tolist() == [[0, 1], [1, 1]]
    assert run.verified is True


@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("place", [0, 5, 9])
def test_a_numbered_prediction_that_is_no_object_is_refused(indent, place):
    said = {"origin_prompt": "?", "prediction": "so 7", "gold": "7"}
    whole = {str(i): 3 if i == place else said for i in range(10)}
    data = json.dumps(whole, indent=indent).encode()
    tree = open_tree(("gsm8k.json", data))
    with pytest.raises(LoadError, match="is not a JSON object"):
        list(records(tree, ["gsm8k.json"]))
