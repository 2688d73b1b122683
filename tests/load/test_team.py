"""Twenty visitors at once, each with 100 MB of their own: `uv run pytest -m load`, 20 minutes."""

import pytest

from tests.load.team import Team, measure

pytestmark = pytest.mark.load


def test_nothing_is_lost_or_swapped_pages_come_in_time_and_memory_comes_back(monkeypatch):
    found = measure(Team())
    for what, value in found.rows():
        print(f"{what}: {value}")
    assert not found.faults
    assert found.within >= 0.95
    assert found.kept <= 0.2
