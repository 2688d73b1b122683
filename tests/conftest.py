"""Tests keep files in a folder of their own, not in the user's; properties try fixed examples."""

import pytest
from hypothesis import settings

settings.register_profile("kofn", deadline=None, derandomize=True)
settings.load_profile("kofn")


@pytest.fixture(autouse=True, scope="session")
def _cache_folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KOFN_CACHE", str(tmp_path_factory.mktemp("kept")))
        yield
