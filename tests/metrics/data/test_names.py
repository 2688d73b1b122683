"""Type checkers know the names of all metrics, and of nothing else."""

from typing import get_args

from metrics import METRICS, MetricName


def test_the_names_are_those_of_the_registry() -> None:
    assert get_args(MetricName) == tuple(METRICS)
