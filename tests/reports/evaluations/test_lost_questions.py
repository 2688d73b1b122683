"""A cut line may have held the only sample of a question: what is stated proves the rest."""

import json
from zipfile import ZipFile

import pytest

from reports import load
from tests.reports.evaluations.aisbench_archives import DATA
from tests.reports.mutations import zipped


def cut(accuracy):
    """Return a report of 40 questions without details, whose last prediction is cut."""
    with ZipFile(DATA / "gsm8k_n1.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist() if "beta" not in name}
    for name, data in files.items():
        if "/results/" in name:
            files[name] = json.dumps(json.loads(data) | {"details": None, "accuracy": accuracy})
        if "/predictions/" in name:
            files[name] = data.rstrip(b"\n")[:-30]
    return load(("run.zip", zipped(files))).runs[0]


@pytest.mark.parametrize("accuracy", [45.0, 47.5], ids=["lost one wrong", "lost one right"])
def test_the_mean_of_all_proves_the_verdicts_of_those_that_are_left(accuracy):
    run = cut(accuracy)
    assert (run.outcomes.shape, run.outcomes.correct.sum()) == ((39, 1), 18)
    assert run.verified is True


@pytest.mark.parametrize("accuracy", [42.5, 46.25, 50.0])
def test_a_mean_that_no_verdict_of_the_lost_one_gives_proves_nothing(accuracy):
    assert cut(accuracy).outcomes is None
