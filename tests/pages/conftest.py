"""Pages here were started without arguments, and most read files in this process."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _started_without_arguments():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["app.py"])
        yield


@pytest.fixture(autouse=True)
def _reading(monkeypatch):
    """Read in this process, as where none can fork: `test_workers` shows that it is the same."""
    monkeypatch.setattr("kofn.workers.calls._here", True)
