"""What the command takes of the processor beside an import of numpy, in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from tests.benchmarks.conftest import shown

HOME = Path(__file__).parents[2]
START = "from kofn.process import start; start()"
SAMPLE = str(HOME / "sample_data/aisbench_report.zip")
CASES = [["--help"], ["score", "--help"], ["score", "t.csv"], ["score", SAMPLE]]
ROUNDS = 6


def seconds(folder, *arguments):
    """Return what a process of Python took, of which nothing was compiled anew but at first."""
    environment = os.environ | {"PYTHONPATH": str(HOME)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", *arguments]
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = getrusage(RUSAGE_CHILDREN)
    return sum(after[:2]) - sum(before[:2])


@pytest.mark.parametrize("arguments", CASES, ids=["help", "help of score", "8 rows", "sample"])
def test_command_beside_an_import_of_numpy(arguments, benchmark, record, tmp_path, request):
    (tmp_path / "t.csv").write_text("question,correct\n" + "a,1\na,0\nb,1\nb,1\n" * 2)
    commands = [(START, *arguments), ("import numpy",)]
    taken = benchmark.pedantic(
        lambda: [[seconds(tmp_path, *each) for each in commands] for _ in range(ROUNDS)]
    )
    ours, numpy = map(min, zip(*taken, strict=True))
    name = f"kofn: {request.node.callspec.id}"
    record(name, shown(ours), "import numpy", shown(numpy), ours / numpy)
