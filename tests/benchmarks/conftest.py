"""Times a workload and its peer in turns, and sets them side by side in one table.

A round is a burst of calls of ours and a burst of the peer's. The ratio is the median over rounds
of the quotient of both, so that a machine that slows down or speeds up cancels. Time is that of the
processor, which others on the machine do not lengthen. Figures are recorded; none fails a test.
"""

import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from math import inf
from pathlib import Path
from statistics import median
from time import thread_time

import pytest

ROUNDS, SECONDS = (3, 50), 3.0
CALLS, BURST = (1, 300), 0.02
HEADINGS = ("workload", "ours", "against", "its", "ratio", "bound", "")
ROWS = pytest.StashKey[list[tuple[str, ...]]]()


def pytest_addoption(parser):
    parser.addoption("--table", metavar="PATH", help="Write the benchmarks' table, in markdown.")


def pytest_configure(config):
    config.stash[ROWS] = []


def pytest_terminal_summary(terminalreporter, config):
    rows = [HEADINGS, tuple("-" * len(HEADINGS)), *config.stash[ROWS]]
    if len(rows) == 2:
        return
    lines = [machine(), "", *(f"| {' | '.join(row)} |" for row in rows)]
    terminalreporter.section("ours against its peers")
    for line in lines:
        terminalreporter.write_line(line)
    if path := config.getoption("--table"):
        Path(path).write_text("\n".join(lines) + "\n")


def machine() -> str:
    """Name the processor and the versions that the figures depend on."""
    from cpuinfo import get_cpu_info

    names = ("numpy", "scipy", "scorio")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    processor = get_cpu_info().get("brand_raw", platform.machine())
    python = platform.python_version()
    return f"{processor}, one thread of {os.cpu_count()}; Python {python}, {versions}."


@pytest.fixture
def record(benchmark, request):
    """Return a function that adds a line to the table, and the figures to the benchmark's JSON."""

    def add(workload, ours, against, its, ratio, bound="", met=True):
        row = (workload, ours, against, its, f"{ratio:.3g}", bound, "" if met else "missed")
        request.config.stash[ROWS].append(row)
        benchmark.extra_info |= dict(zip(HEADINGS[:-1], row, strict=False))

    return add


@pytest.fixture
def side_by_side(benchmark, record):
    """Return a function that times a workload and its peer and records them.

    Every call of ours starts with empty caches unless the workload is warm. `floor` is the least
    ratio that was promised, `limit` the most seconds.
    """

    def measure(workload, ours, peer, *, against="scorio", warm=False, floor=0.0, limit=inf):
        ours()
        caches = [] if warm else caches_of_metrics()
        theirs: list[float] = []

        def started():
            for cache in caches:
                cache.cache_clear()
            ours()

        calls, peer_calls = (within(CALLS, BURST / seconds(call)) for call in (started, peer))
        one_round = seconds(started) * calls + seconds(peer) * peer_calls
        benchmark.pedantic(
            started,
            teardown=lambda: theirs.append(seconds(peer, peer_calls)),
            rounds=within(ROUNDS, SECONDS / one_round),
            iterations=calls,
        )
        mine = benchmark.stats.stats.data
        theirs = theirs[: len(mine)]
        ratio = median(their / my for their, my in zip(theirs, mine, strict=True))
        time = median(mine)
        bound = f"at least {floor:g}" if floor else f"{limit * 1000:g} ms" if limit < inf else ""
        met = ratio >= floor and time <= limit
        record(workload, shown(time), against, shown(median(theirs)), ratio, bound, met)

    return measure


def caches_of_metrics() -> set:
    """Find the caches of the modules that are loaded."""
    modules = [module for name, module in sys.modules.items() if name.startswith("metrics.")]
    values = [value for module in modules for value in vars(module).values()]
    return {value for value in values if hasattr(value, "cache_clear")}


def within(limits: tuple[int, int], number: float) -> int:
    """Return the number as an integer within limits."""
    return max(limits[0], min(limits[1], int(number)))


def seconds(call: Callable[[], object], times: int = 1) -> float:
    """Time a call, on average over a burst."""
    start = thread_time()
    for _ in range(times):
        call()
    return (thread_time() - start) / times


def shown(time: float) -> str:
    """Return a time with three digits and its unit."""
    scale, unit = next((s, u) for s, u in ((1, "s"), (1e3, "ms"), (1e6, "µs")) if time * s >= 1)
    return f"{time * scale:.3g} {unit}"
