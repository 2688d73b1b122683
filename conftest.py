"""Tests keep files in a folder of their own, not in the user's; properties try fixed examples.

They run in three processes, each with one thread for linear algebra, so that two cores are theirs
also while a test waits.
"""

import gc
import os
import sys

import pytest

# Where Python may keep no bytecode, every process that a test starts would compile kofn anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


def pytest_configure() -> None:
    """Have properties try the same examples each time, however long one takes."""
    from hypothesis import settings

    settings.register_profile("kofn", deadline=None, derandomize=True)
    settings.load_profile("kofn")


def pytest_collection_finish() -> None:
    """Spare tests and modules the collection of garbage that follows each click on a page."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let Python end with nothing spared."""
    gc.unfreeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run in three processes; in one what times itself, starts browsers or prints what it finds."""
    options = config.option
    alone = options.benchmark_only or options.markexpr == "browser" or options.capture == "no"
    return 0 if alone else 3


@pytest.fixture(autouse=True, scope="session")
def _cache_folder(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KOFN_CACHE", str(tmp_path_factory.mktemp("kept")))
        yield
