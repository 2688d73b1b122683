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
REPAIR = """
from reports.repairing import examine, write_zip
write_zip(examine(sys.argv[1]), sys.argv[1] + ".zip", lambda written: "")
"""
ZIP = """
with zipfile.ZipFile(sys.argv[1] + ".zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.write(sys.argv[1], "quiz.json")
    archive.write(sys.argv[1], "original.json")
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


def write_mixed(path: Path) -> None:
    """Write results as the tool does, each entry of several questions; every other is right."""
    questions, random = MEGABYTES * 40, Random(0)
    texts = ["".join(random.choices("abcdefghijklmnop ", k=1500)) for _ in range(500)]
    flat = [position % questions for position in range(questions * SAMPLES)]
    rows = [flat[at : at + SAMPLES] for at in range(0, len(flat), SAMPLES)]
    right = [[question % 4 == 0 for question in row] for row in rows]
    content = {
        "accuracy (16 runs average)": 25.0,
        "avg@16": 25.0,
        "pass@16": 100 * sum(map(any, right)) / questions,
        "cons@16": 100 * sum(sum(row) > SAMPLES / 2 for row in right) / questions,
        "details": [
            {
                "example_abbr": f"quiz_test_{number}",
                "pred": random.choices(texts, k=SAMPLES),
                "answer": list(map(str, row)),
                "correct": verdicts,
            }
            for number, (row, verdicts) in enumerate(zip(rows, right, strict=True))
        ],
    }
    with path.open("w") as file:
        json.dump(content, file, indent=4)


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


def test_repair(tmp_path, benchmark, record):
    path = tmp_path / "quiz.json"
    write_mixed(path)
    mine: list[tuple[float, float]] = []
    benchmark.pedantic(lambda: mine.append(measured(REPAIR, path)), rounds=1)
    theirs, _ = measured(ZIP, path)
    (seconds, memory) = mine[0]
    record(
        f"repair of {MEGABYTES} MB, {memory:.0f} MiB",
        f"{seconds:.3g} s",
        "zipping it twice",
        f"{theirs:.3g} s",
        seconds / theirs,
        f"at most 2, {MIB:g} MiB",
        seconds <= 2 * theirs and memory <= MIB,
    )
