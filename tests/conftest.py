"""What tests of several packages share."""

import gc
from functools import cache
from pathlib import Path

import pytest

from metrics.analyses.plan import plan as planning
from reports import load

SAMPLE = Path(__file__).parents[1] / "sample_data" / "aisbench_report.zip"


@pytest.fixture(autouse=True, scope="session")
def _wide_terminal():
    """Give the command a terminal on which nothing wraps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "100000")
        yield


@pytest.fixture(autouse=True, scope="session")
def _sample_read_once():
    """Read the sample once for all commands that are asked about it, whose paths end so."""
    sample = cache(lambda: load(SAMPLE))

    def read(source, **options):
        if str(source).endswith(f"{SAMPLE.parent.name}/{SAMPLE.name}") and not (
            options.get("columns") or options.get("where")
        ):
            return sample()
        return load(source, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kofn.terminal.inputs.load", read)
        yield


@pytest.fixture
def short_plans(monkeypatch):
    """Have plans look at the samples that there are, and not at up to 16 times as many.

    For tests of what every subcommand does alike: a plan takes seconds, and a plan like this some
    tenths of one.
    """
    monkeypatch.setattr(planning, "FARTHEST", 1)


@pytest.fixture
def own_garbage():
    """Have the collector look through what a test made itself, and not through all that is there.

    In a process that has run some thousand tests, each collection took a second otherwise.
    """
    gc.freeze()
