"""Type checkers know the names of all metrics, and of nothing else."""

from typing import get_args

import pytest
from numpy.testing import assert_equal

from metrics import METRICS, JudgedMetric, Metric, MetricName, estimate, metric_name
from metrics.analyses.judges.corrected import METRICS_OF_JUDGES
from metrics.scoring.payoffs import any_correct


def test_the_names_are_those_of_the_registry() -> None:
    assert get_args(MetricName) == tuple(METRICS)
    assert get_args(JudgedMetric) == METRICS_OF_JUDGES


def test_a_metric_of_ones_own_has_a_name_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    known = METRICS["pass@k"]
    mine = Metric("mine@k", known.family, known.sentence, known.formula, "me", any_correct)
    monkeypatch.setitem(METRICS, "mine@k", mine)
    R = [[0, 1, 1], [0, 0, 1]]
    assert_equal(estimate(R, metric_name("mine@k"), 2).value, estimate(R, "pass@k", 2).value)
