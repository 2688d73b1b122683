"""Ours against scorio on the same matrix of bytes, and against reading that matrix."""

import ast
import re
import tracemalloc
from functools import partial
from importlib import import_module
from pathlib import Path
from time import thread_time

import pytest

import metrics
from metrics import posterior_curve
from tests.benchmarks.conftest import caches_of_metrics
from tests.benchmarks.workloads import (
    CURVES,
    HUGE,
    INTERVALS,
    MEASURED,
    NAMES,
    POINTS,
    READING,
    both,
    outcomes,
)

pytestmark = pytest.mark.benchmark(timer=thread_time)


@pytest.mark.parametrize("workload", [*CURVES, *INTERVALS, *POINTS, *READING], ids=str)
def test_speed(workload, side_by_side):
    R = outcomes(*workload.size, workload.categories)
    side_by_side(
        str(workload),
        partial(workload.ours, R),
        partial(workload.peer, R),
        against=workload.against,
        floor=workload.floor,
        warm=workload.warm,
    )


@pytest.mark.wide
def test_a_cold_call_finds_every_cache_empty():
    """Every cache that outlives a call is one of those that are cleared before it."""
    kept = 0
    for path in Path(metrics.__file__).parent.rglob("*.py"):
        tree, place = (
            ast.parse(path.read_text()),
            path.relative_to(Path(metrics.__file__).parents[1]),
        )
        for node in tree.body:
            outer = [node, *(node.body if isinstance(node, ast.ClassDef) else [])]
            for function in outer:
                marks = map(ast.unparse, getattr(function, "decorator_list", []))
                if any(re.match(r"(functools\.)?(lru_)?cache\b", mark) for mark in marks):
                    module = import_module(".".join(place.with_suffix("").parts))
                    assert getattr(module, function.name) in caches_of_metrics()
                    kept += 1
    assert kept >= 10
    posterior_curve(outcomes(40, 8), "maj@k")
    assert any(each.cache_info().currsize for each in caches_of_metrics())
    for each in caches_of_metrics():
        each.cache_clear()
        assert each.cache_info().currsize == 0


def test_memory(benchmark, record):
    peaks = benchmark.pedantic(lambda: {name: peak(name, HUGE) for name in MEASURED})
    name, size = max(peaks, key=peaks.get), outcomes(*HUGE).nbytes
    record(
        f"most memory of {len(peaks)} functions, 1M x 16 ({name})",
        f"{peaks[name] / 1e6:.1f} MB",
        "the matrix",
        f"{size / 1e6:.1f} MB",
        size / peaks[name],
        "at least 1",
        peaks[name] < size,
    )


@pytest.mark.wide
@pytest.mark.parametrize("size", [pytest.param(HUGE, marks=pytest.mark.slow), (16_000, 1000)])
@pytest.mark.parametrize("name", MEASURED)
def test_takes_less_memory_than_the_matrix(name, size):
    assert peak(name, size) < outcomes(*size).nbytes


def peak(name, size):
    """Return the most bytes that our function of the name holds at a time beside its matrix."""
    workload = both(name, size, 0, **NAMES[name.removesuffix("_ci")])
    R = outcomes(*size, workload.categories)
    tracemalloc.start()
    try:
        workload.ours(R)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
