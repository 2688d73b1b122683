"""What `.ci/run` makes of tests that fail once: it names them, and three are too many."""

import os
import subprocess
import sys

import pytest

from tests.install.wheels import ROOT

pytestmark = pytest.mark.browser
TESTS = """
import pathlib, pytest

@pytest.mark.parametrize("name", {names})
def test_late(name):
    seen = pathlib.Path(f"seen {{name}}")
    late = not seen.exists()
    seen.touch()
    assert not late

def test_steady():
    assert {steady}
"""


@pytest.fixture
def run(tmp_path):
    """Have two lots of tests pass, as `.ci/run` does; return the status and what is said last."""
    (tmp_path / "uv").write_text(f'#!/bin/sh\nshift\nexec {sys.executable} -m "$@"\n')
    (tmp_path / "uv").chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }

    def ran(first, second, steady=True):
        for name, late in (("test_a.py", first), ("test_b.py", second)):
            (tmp_path / name).write_text(TESTS.format(names=late, steady=steady))
        script = f"set -euo pipefail; . {ROOT}/.ci/retrying; passes test_a.py; passes test_b.py"
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        return done.returncode, done.stdout.partition("FLAKY: ")[2].splitlines()

    return ran


def test_what_failed_once_is_named_at_the_end(run):
    assert run([], []) == (0, [])
    names = ["test_a.py::test_late[a b]", "test_b.py::test_late[c]"]
    assert run(["a b"], ["c"]) == (0, ["2 failed once and passed alone:", *names])


def test_three_that_failed_once_fail_together(run):
    status, (said, *names) = run(["a", "b"], ["c"])
    assert (status, said, len(names)) == (1, "3 failed once and passed alone:", 3)


def test_what_fails_twice_fails(run):
    assert run(["a"], [], steady=False) == (1, [])
