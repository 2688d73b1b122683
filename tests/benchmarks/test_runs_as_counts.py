"""Runs of 10^10 samples as counts, as a cluster would give them, against those of 10^6."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from time import thread_time
from typing import get_args

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

from kofn import command
from kofn.terminal import inputs
from metrics import (
    Counts,
    JointCounts,
    Target,
    Text,
    choose_n,
    compare,
    curve,
    estimate,
    guidance,
)
from reports import Report, Run
from tests.kofn.listings import LISTINGS

pytestmark = pytest.mark.benchmark(timer=thread_time)
N, FEW, MANY = 64, 16_000, 160_000_000


class Elsewhere:
    """An engine that knows how two runs vary together."""

    def __init__(self, joint):
        self.known = joint

    def joints(self, pairs, segment=None):
        return [one.known for one, _other in pairs]

    def questions(self, start, count, order=None, which=None):
        names = {"question": [f"q{place}" for place in range(start, start + count)]}
        counts = {"graded": N, "right": N // 2, "failed": 0}
        return pa.table(names | {name: [each] * count for name, each in counts.items()})


def counted(questions):
    """Return how two runs of so many questions vary together, and the runs."""
    chances = [binom.pmf(np.arange(N + 1), N, [[rate]]) for rate in np.linspace(0.05, 0.95, 19)]
    both = sum(x.T @ y for x, y in pairwise(chances)).ravel()
    alike = np.random.default_rng(0).multinomial(questions, both / both.sum())
    a, b = (each[alike > 0] for each in np.divmod(np.arange(both.size), N + 1))
    n, none = np.full_like(a, N), np.zeros_like(a)
    joint = JointCounts(n, a, none, n, b, none, alike[alike > 0])
    sides = (joint.graded_a, joint.right_a), (joint.graded_b, joint.right_b)
    held = map(Elsewhere, (joint, joint.swapped))
    return joint, [
        Run(name, "maths", None, counts=Counts(*side, none, joint.questions), remote=remote)
        for name, side, remote in zip(("a", "b"), sides, held, strict=True)
    ]


def used(joint, runs):
    """Do what the pages do of a run, and of two."""
    names = ("avg@n", "pass@k", "pass^k", "maj@k", "cons@n")
    return (
        [estimate(runs[0], name, target=t) for name in names for t in get_args(Target)],
        curve(runs[0], "pass@k"),
        choose_n(runs[0], quality=0.5),
        guidance(runs[0]),
        compare(joint),
    )


def test_a_run_and_two(side_by_side):
    few, many = map(counted, (FEW, MANY))
    assert many[1][0].counts.n_samples() > 10**10
    side_by_side(
        "basic metrics, curve, choice of n, guidance and comparison of 10^10 samples as counts",
        lambda: used(*many),
        lambda: used(*few),
        against="10^6",
        warm=True,
    )


def test_every_subcommand(side_by_side, record, monkeypatch):
    few, many = (
        Report("engine", Text("a table elsewhere"), tuple(counted(each)[1])) for each in (FEW, MANY)
    )
    monkeypatch.setattr(inputs, "source", str)

    def ask(report):
        monkeypatch.setattr(inputs, "load", lambda source, **options: report)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            return [command.main([name, "engine"]) for name in LISTINGS]

    ask(few)
    least = most_memory()
    assert 1 not in ask(many)
    most = most_memory()
    side_by_side(
        f"all {len(LISTINGS)} subcommands on two runs of 10^10 samples as counts",
        lambda: ask(many),
        lambda: ask(few),
        against="10^6",
        warm=True,
    )
    record("most memory of these", f"{most} MiB", "10^6", f"{least} MiB", least / most)


def most_memory():
    """Return the most memory that this process ever had, in MiB."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024
