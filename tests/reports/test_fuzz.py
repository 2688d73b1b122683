"""Whatever a file holds, a reader gives a report or a LoadError, soon, and touches nothing.

Some inputs of each reader by default; ten thousand with ``pytest -m slow -k fuzz``.
Number 7 of them is read again by ``python -m tests.reports.fuzzing 8 READER=7``.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from reports import LoadError, load
from tests.reports.damaged_inputs import READERS, lone, members
from tests.reports.mutations import damaged_content

ROOT = Path(__file__).parents[2]


def problems(readers, inputs, room):
    """Read damaged files, in a new process whenever one ends early; return what went wrong."""
    for folder in ("work", "home", "tmp"):
        (room / folder).mkdir()
    environment = os.environ | {
        "HOME": str(room / "home"),
        "TMPDIR": str(room / "tmp"),
        "KOFN_CACHE": str(room / "cache"),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    found, left = [], dict.fromkeys(readers, 0)
    while left:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "tests.reports.fuzzing", str(inputs)]
            + [f"{reader}={start}" for reader, start in left.items()],
            cwd=room / "work",
            env=environment,
            capture_output=True,
            text=True,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        found += [line for line in lines if line[2]]
        if done.returncode == 0:
            break
        assert lines, done.stderr
        reader, seed, _ = lines[-1]
        found.append([reader, seed, f"exit {done.returncode}: {done.stderr[-3000:]}"])
        for finished in readers[: readers.index(reader)]:
            left.pop(finished, None)
        left[reader] = seed + 1
    written = [path for name in ("work", "home", "tmp") for path in (room / name).rglob("*")]
    return found + [f"wrote {path}" for path in written]


@pytest.mark.wide
def test_damaged_files_give_reports_or_load_errors(tmp_path):
    assert problems(READERS, 2, tmp_path) == []


def told(source):
    """Return all that a lone results file gives, and of a refusal that it is one."""
    try:
        (run,) = load(source).runs
    except LoadError:
        return None
    answers = None if run.answers is None else run.answers.tolist()
    digest = run.outcomes and run.outcomes.digest
    return digest, answers, run.reported, run.verified, len(run.notes)


def test_damaged_results_are_the_same_read_block_by_block_and_whole(monkeypatch):
    make = lone(members("aisbench", "results/*/*.json"), damaged_content)
    sources = [make(random.Random(f"whole {seed}")) for seed in range(60)]
    by_blocks = list(map(told, sources))
    monkeypatch.setattr("reports.evaluations.verdicts.results._by_blocks", lambda *_: None)
    assert list(map(told, sources)) == by_blocks
    assert None in by_blocks
    assert sum(one is not None for one in by_blocks) > 12


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_ten_thousand_damaged_files_give_reports_or_load_errors(reader, tmp_path):
    assert problems([reader], 10_000, tmp_path) == []
