"""What tests of several packages share."""

import gc
from functools import lru_cache
from pathlib import Path

import pytest

from metrics.analyses.plan import plan as planning
from reports import load

ROOT = Path(__file__).parents[1]
DATA = (ROOT / "sample_data", ROOT / "tests" / "data")


@pytest.fixture(autouse=True, scope="session")
def _wide_terminal():
    """Give the command a terminal on which nothing wraps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "5000")
        yield


@pytest.fixture(autouse=True, scope="session")
def _data_read_once():
    """Read each file of the sample and of the tests' data once for all commands about it."""
    once = lru_cache(maxsize=32)(lambda _path, source: load(source))

    def read(source, **options):
        path = Path(str(source)).absolute()
        if options.get("columns") or options.get("where") or not {*DATA} & {*path.parents}:
            return load(source, **options)
        return once(path, str(source))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kofn.terminal.inputs.load", read)
        patch.setattr("kofn.trust.expectations.load", read)
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
