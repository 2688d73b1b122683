"""Outcomes of large results files, against reading or inflating their bytes and against json.

KOFN_BENCHMARK_MB sets the size of the files; the promise is made for 500.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random
from statistics import median

import pytest

MEGABYTES = int(os.environ.get("KOFN_BENCHMARK_MB", 50))
SAMPLES = 16
LAYOUTS = {4: "", None: ", compact"}
ROUNDS = 5
MIB = 200.0
MEASURED = """
import sys, time, zipfile, json
from reports import load
def peak():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
at_rest = peak()
start = time.process_time()
{code}
seconds = time.process_time() - start
print(seconds, (peak() - at_rest) / 1024)
"""
OUTCOMES = "assert load(sys.argv[1]).runs[0].outcomes.shape[1] == 16"
READ = "open(sys.argv[1], 'rb').read()"
JSON = """
from reports.evaluations.details import read_details
details = json.loads(open(sys.argv[1], "rb").read())["details"]
read_details(details, "", "")
"""
INFLATE = """
with zipfile.ZipFile(sys.argv[1]) as archive, archive.open("results/alpha/quiz.json") as stream:
    while stream.read(1 << 20):
        pass
"""


def write(path: Path, letters: int, indent: int | None = 4) -> None:
    """Write results, with answers of so many letters, or of short numbers.

    The tool writes them with an indent of 4.
    """
    random = Random(0)
    words = [
        "".join(random.choices("abcdefghijklmnop", k=random.randint(2, 9))) for _ in range(3000)
    ]
    texts = [" ".join(random.choices(words, k=letters // 6)) for _ in range(500)]
    whole = json.dumps({"accuracy (16 runs average)": 50.0, "details": []}, indent=indent)
    before, after = whole.split("[]")
    line = "\n" + " " * 8 if indent else " "
    with path.open("w") as file:
        file.write(f"{before}[")
        number = 0
        while file.tell() < MEGABYTES * 1e6:
            answers = [f"{random.choice(texts)}{random.randint(0, 99)}" for _ in range(SAMPLES)]
            row = {
                "example_abbr": f"quiz_test_{number}",
                "avg@16": 0.5,
                "pass@16": 1.0,
                "cons@16": 0.0,
                "pred": answers,
                "answer": [str(number % 97)] * SAMPLES,
                "correct": [random.random() < 0.5 for _ in range(SAMPLES)],
            }
            entry = json.dumps(row, indent=indent).replace("\n", line)
            file.write(f"{',' if number else ''}{line}{entry}")
            number += 1
        file.write(f"]{after}")


def measured(code: str, path: Path) -> tuple[float, float]:
    """Run code in a process of its own; return its seconds and the MiB it took beside imports."""
    command = [sys.executable, "-c", MEASURED.format(code=code), str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory = map(float, result.stdout.split())
    return seconds, memory


def compare(benchmark, record, path, name, peer, against, *, ratio=0.0, floor=0.0):
    """Record how often the peer's time ours is, or how often ours the peer's."""
    found = []
    benchmark.pedantic(
        lambda: found.append((measured(OUTCOMES, path), measured(peer, path))), rounds=ROUNDS
    )
    path.unlink()
    ours, theirs = (median(pair[i][0] for pair in found) for i in (0, 1))
    memory = max(mine for (_, mine), _ in found)
    times = median(mine / other for (mine, _), (other, _) in found)
    times = 1 / times if floor else times
    met = (times >= floor if floor else times <= ratio) and memory <= MIB
    bound = f"at least {floor:g}" if floor else f"at most {ratio:g}"
    record(
        f"outcomes of {MEGABYTES} MB, {name}, {memory:.0f} MiB",
        f"{ours:.3g} s",
        against,
        f"{theirs:.3g} s",
        times,
        f"{bound}, {MIB:g} MiB",
        met,
    )


@pytest.mark.parametrize("indent", LAYOUTS)
def test_long_texts_in_a_plain_file(indent, tmp_path, benchmark, record):
    write(tmp_path / "quiz.json", letters=1500, indent=indent)
    path, name = tmp_path / "quiz.json", f"long texts{LAYOUTS[indent]}"
    compare(benchmark, record, path, name, READ, "reading it", ratio=2)


def test_long_texts_in_a_zip(tmp_path, benchmark, record):
    write(tmp_path / "quiz.json", letters=1500)
    path = tmp_path / "report.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(tmp_path / "quiz.json", "results/alpha/quiz.json")
    (tmp_path / "quiz.json").unlink()
    compare(benchmark, record, path, "long texts, zipped", INFLATE, "inflating it", ratio=2)


@pytest.mark.parametrize("indent", LAYOUTS)
def test_short_texts(indent, tmp_path, benchmark, record):
    write(tmp_path / "quiz.json", letters=0, indent=indent)
    path, name = tmp_path / "quiz.json", f"short texts{LAYOUTS[indent]}"
    compare(benchmark, record, path, name, JSON, "json", floor=1.5)
