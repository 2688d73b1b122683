"""Texts of one question from large files, once these are indexed, and what the index takes.

KOFN_BENCHMARK_MB sets the size of the files; the promise is made for 500.
"""

import json
import os
import subprocess
import sys
import zipfile
from itertools import cycle
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reports import load

MEGABYTES = int(os.environ.get("KOFN_BENCHMARK_MB", 50))
SAMPLES, LETTERS = 16, 1500
LOOKED_AT = 500
PLAIN, ANY = 0.005, 0.3
MIB = 200.0
PREDICTIONS, RESULTS = "run/predictions/alpha/quiz.jsonl", "run/results/alpha/quiz.json"
MEASURED = """
import sys, time
from reports import load
def mib():
    status = open("/proc/self/status").read()
    return [int(status.split(name)[1].split()[0]) / 1024 for name in ("VmHWM:", "VmRSS:")]
at_rest, _ = mib()
run = load(sys.argv[1]).runs[0]
start = time.process_time()
run.texts("0")
index = time.process_time() - start
_, before = mib()
for question in run.outcomes.questions[:{looked_at}]:
    run.texts(question)
peak, after = mib()
start = time.process_time()
run.search("nowhere to be found")
print(index, peak - at_rest, after - before, time.process_time() - start)
"""


def some_texts() -> list[str]:
    random = Random(0)
    words = ["".join(random.choices("abcdefghijklmnop", k=6)) for _ in range(3000)]
    return [" ".join(random.choices(words, k=LETTERS // 7)) for _ in range(500)]


def samples():
    """Yield samples in an order of completion: question, sample and what was said."""
    random, texts = Random(0), some_texts()
    questions = int(MEGABYTES * 1e6 / SAMPLES / (2 * LETTERS + 200))
    order = [(q, r) for q in range(questions) for r in range(SAMPLES)]
    random.shuffle(order)
    for i, (q, r) in enumerate(order):
        yield q, r, texts[q % 500], f"{texts[7 * i % 500]} {i}"


def predictions(path: Path) -> None:
    with path.open("w") as file:
        for q, _, asked, said in samples():
            prompt = [{"role": "HUMAN", "prompt": asked}]
            line = {"data_abbr": "quiz", "id": q, "success": True, "origin_prompt": prompt}
            file.write(json.dumps(line | {"prediction": said, "gold": str(q)}) + "\n")


def report(root: Path) -> Path:
    """Write predictions, and results that hold no texts."""
    for path in (PREDICTIONS, RESULTS):
        (root / path).parent.mkdir(parents=True)
    predictions(root / PREDICTIONS)
    questions = 1 + max(q for q, *_ in samples())
    entry = {key: [value] * SAMPLES for key, value in (("pred", "7"), ("answer", "7"))}
    details = [entry | {"correct": [True] * SAMPLES}] * questions
    content = {f"accuracy ({SAMPLES} runs average)": 100.0, "details": details}
    (root / RESULTS).write_text(json.dumps(content, indent=4))
    return root


def packed(root: Path) -> Path:
    folder = report(root / "plain")
    with zipfile.ZipFile(root / "report.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for path in (PREDICTIONS, RESULTS):
            target.write(folder / path, path)
            (folder / path).unlink()
    return root / "report.zip"


def table(root: Path) -> Path:
    """Write a table in one group of rows, which no part of can be read alone."""
    names = ("question_id", "sample", "prompt", "prediction", "correct")
    columns = zip(*((str(q), r, asked, said, 1) for q, r, asked, said in samples()), strict=True)
    path = root / "table.parquet"
    pq.write_table(pa.table(dict(zip(names, map(list, columns), strict=True))), path)
    return path


def details(root: Path) -> Path:
    """Write results alone, whose details hold the texts of mixed questions."""
    said = {(q, r): text for q, r, _, text in samples()}
    questions = len(said) // SAMPLES
    flat = [(q, r) for r in range(SAMPLES) for q in range(questions)]
    entries = [
        {
            "pred": [said[place] for place in group],
            "parsed": [said[place][:1] for place in group],
            "answer": [str(q) for q, _ in group],
            "correct": [True] * SAMPLES,
        }
        for group in (flat[i : i + SAMPLES] for i in range(0, len(flat), SAMPLES))
    ]
    content = {f"accuracy ({SAMPLES} runs average)": 100.0, "details": entries}
    (root / "quiz.json").write_text(json.dumps(content, indent=4))
    return root / "quiz.json"


KINDS = {
    "predictions in a folder": (report, PLAIN),
    "details of a results file": (details, PLAIN),
    "predictions in a zip": (packed, ANY),
    "a Parquet table": (table, ANY),
}


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_a_question(kind, tmp_path, monkeypatch, side_by_side, record):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    write, limit = KINDS[kind]
    path = write(tmp_path)
    command = [sys.executable, "-c", MEASURED.format(looked_at=LOOKED_AT), str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    index, peak, grown, search = map(float, result.stdout.split())
    run = load(path).runs[0]
    asked = cycle(Random(1).sample(run.outcomes.questions, LOOKED_AT))
    size = sum(len(text) for text in run.texts("0").predictions) + LETTERS
    large = path if path.is_file() else path / PREDICTIONS

    def read_as_much():
        with large.open("rb") as file:
            for place in range(SAMPLES):
                file.seek(place * 1_000_003 % (MEGABYTES * 100_000))
                file.read(size // SAMPLES)

    side_by_side(
        f"texts of a question of {MEGABYTES} MB, {kind}",
        lambda: run.texts(next(asked)),
        read_as_much,
        against="reading as much",
        warm=True,
        limit=limit,
    )
    record(
        f"index of it; {peak:.0f} MiB, and {grown:.1f} for {LOOKED_AT} questions",
        f"{index:.2g} s",
        "search of it",
        f"{search:.2g} s",
        search / index,
        f"{MIB:g} MiB",
        peak <= MIB and grown <= 1,
    )
