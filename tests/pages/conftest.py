"""Pages here were started without arguments, whatever pytest was given."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _started_without_arguments():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["app.py"])
        yield
