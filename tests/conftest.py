"""What tests of several packages share."""

import gc

import pytest

from metrics.analyses.plan import plan as planning


@pytest.fixture(autouse=True, scope="session")
def _wide_terminal():
    """Give the command a terminal on which nothing wraps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "5000")
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
