"""Tests keep files in a folder of their own, not in the user's; properties try fixed examples.

They run in two processes, each with one thread for linear algebra: each imports and collects all.
"""

import atexit
import gc
import os
import sys
from collections.abc import Generator
from functools import lru_cache, wraps
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

if find_spec("playwright") is None:  # which CI has; see pyproject.toml
    collect_ignore = ["tests/browser"]
_TESTS = Path(__file__).parent / "tests"
_DATA = (_TESTS.parent / "sample_data", _TESTS / "data")
_ALL = {"not browser": "browser", "not load": "load", "not wide": "benchmarks"}
"""Of which tests a folder consists, but for benchmarks."""

collect_ignore_glob = ["pages/*/page.py"]  # scripts

# Where Python may keep no bytecode, every process that a test starts would compile kofn anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["LC_ALL"] = "C.UTF-8"  # what is said is in English, wherever tests run
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


def pytest_configure() -> None:
    """Have properties try the same few examples each time, however long one takes.

    A thousand each, others every time: ``pytest -m hypothesis --hypothesis-profile=many``.
    """
    from hypothesis import settings
    from hypothesis.internal.conjecture import providers

    # Or each process would parse every module for constants, and an edit would change the examples.
    providers._get_local_constants = lambda: providers._local_constants
    settings.register_profile("kofn", deadline=None, derandomize=True, max_examples=12)
    settings.register_profile("many", deadline=None, max_examples=1_000)
    settings.load_profile("kofn")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while modules are imported, which are none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare each process the imports of folders of whose tests none is asked for."""
    folders = {folder for mark, folder in _ALL.items() if mark in config.option.markexpr}
    spared = collection_path.parent == _TESTS and collection_path.name in folders
    return True if spared and not config.option.benchmark_only else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in what is tested, and not in tests."""
    found = yield
    if _TESTS not in file_path.parents:
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_collection_finish() -> None:
    """Spare tests and modules the collection of garbage that follows each click on a page.

    Python ends with nothing spared.
    """
    gc.freeze()
    atexit.register(gc.unfreeze)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run in two processes; in one what times itself or prints what it finds."""
    options = config.option
    if options.benchmark_only or options.markexpr == "load" or options.capture == "no":
        return 0
    return 2


@pytest.fixture(autouse=True, scope="session")
def _data_read_once():
    """Read each file of the sample and of the tests' data once, for all that show it or ask it."""
    from reports import load

    once = lru_cache(maxsize=32)(lambda _path, source: load(source))

    @wraps(load)
    def read(source, **options):
        path = Path(source).absolute() if isinstance(source, str | Path) else Path()
        if options.get("columns") or options.get("where") or not {*_DATA} & {*path.parents}:
            return load(source, **options)
        return once(path, str(source))

    with pytest.MonkeyPatch.context() as patch:
        for reader in ("reports", "kofn.terminal.inputs", "kofn.trust.expectations"):
            patch.setattr(f"{reader}.load", read)
        yield


@pytest.fixture(autouse=True, scope="session")
def _cache_folder(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KOFN_CACHE", str(tmp_path_factory.mktemp("kept")))
        yield
