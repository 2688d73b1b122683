"""Real reports of AISBench 3.1 and the truth of them, computed from predictions one by one.

tests/data/aisbench holds whole reports without their logs, and beside each the verdicts of the
tool's own evaluators, applied to one prediction at a time: never from the details, which the tool
mixes up.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np

from metrics.data.outcomes import ABSENT, FAILED
from reports import load
from tests.reports.mutations import unzipped, zipped

DATA = Path(__file__).parents[2] / "data" / "aisbench"
REPORTS = sorted(path.stem for path in DATA.glob("*.zip"))


def archive(name):
    return DATA / f"{name}.zip"


@cache
def loaded(path):
    """Read a report once for all tests, which leave it as it is."""
    return load(path)


def truth(name):
    return json.loads((DATA / f"{name}.json").read_text())


def members(name):
    return unzipped(archive(name))


def expected(entry):
    """Verdicts with failed requests, which take the last samples, and dropped questions marked."""
    correct = np.array(entry["correct"], dtype=np.int8)
    for question, count in entry.get("missing_predictions", {}).items():
        assert not correct[int(question), entry["n"] - count :].any()
        correct[int(question), entry["n"] - count :] = FAILED
    correct[entry.get("dropped_from_details", [])] = ABSENT
    return correct


def assert_true(report, name):
    """Every run of a report is as the truth says, sample by sample."""
    entries = truth(name)
    assert {(run.model, run.dataset) for run in report.runs} == {
        (model, dataset) for model, datasets in entries.items() for dataset in datasets
    }
    for run in report.runs:
        entry = entries[run.model][run.dataset]
        assert run.evaluator in (None, entry["evaluator"])
        assert run.outcomes.correct.tolist() == expected(entry).tolist()
        assert run.outcomes.questions == tuple(map(str, range(entry["num_questions"])))
        assert run.verified is True
        assert run.answers.shape == run.outcomes.shape
        if "avg_acc" in entry:
            np.testing.assert_allclose(run.outcomes.scores, entry["avg_acc"], atol=1e-12)
            assert (run.threshold, run.strict) == (0.5, True)
        else:
            assert run.outcomes.scores is None


def notes(run, severity=None):
    return [str(note.what) for note in run.notes if severity in (None, note.severity)]


def without(name, *parts, golds=True):
    """The report without its details, the files whose path holds a part, and perhaps the golds."""
    files = {}
    for path, data in members(name).items():
        if "/results/" in path:
            content = json.loads(data)
            content.pop("details", None)
            data = json.dumps(content)
        elif path.endswith(".jsonl") and not golds:
            lines = [json.loads(line) for line in data.splitlines()]
            data = "".join(json.dumps(line | {"gold": None}) + "\n" for line in lines)
        if not any(part in path for part in parts):
            files[path] = data
    return "report.zip", zipped(files)
