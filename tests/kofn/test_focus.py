"""Which dataset comes first, and which runs are left where one is chosen."""

import pytest

from kofn.choices.focus import Focus, largest, runs_by_dataset, runs_in_focus
from metrics import MetricError, Outcomes
from reports.run.report import Run
from tests.kofn.indexed import index


def run(model: str, dataset: str, n: int) -> Run:
    return Run(model, dataset, Outcomes([[1, 0] * n] * 3))


RUNS = index(run("a", "alone", 8), run("a", "shared", 1), run("b", "shared", 1))


def test_a_dataset_of_several_runs_comes_before_one_of_more_samples():
    groups = runs_by_dataset(RUNS)
    assert [*groups] == ["shared", "alone"]
    assert largest(groups) == "shared"


def test_a_chosen_dataset_leaves_its_runs_and_none_leaves_all():
    assert [*runs_in_focus(RUNS, Focus("shared"))] == ["a / shared", "b / shared"]
    assert runs_in_focus(RUNS, Focus()) == RUNS
    with pytest.raises(MetricError, match=r"No dataset is called shard\. .*shared"):
        runs_in_focus(RUNS, Focus("shard"))
