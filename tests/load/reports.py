"""Reports of one size and unlike numbers, as three kinds of files; all have the same names."""

import json
import zipfile
from io import BytesIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

MODELS, DATASETS, SAMPLES = 2, 2, 16
LETTERS = 1500
"""Of an answer, about."""
_CORPUS = 8 << 20
"""Letters that texts are cut from: far more than a packer looks back."""


def report(number: int, megabytes: float) -> tuple[str, bytes]:
    """Write the report of one visitor: its name, and about so many MB.

    Its kind is one of a zip of AISBench's results, samples with their texts, and a table of
    outcomes. All have the same models and datasets, so that one can only be told from another by
    its numbers.
    """
    rng = np.random.default_rng(number)
    chances = {
        (f"model {model}", f"set {dataset}"): rng.uniform(0.2, 0.8)
        for dataset in range(DATASETS)
        for model in range(MODELS)
    }
    kind = (_results, _samples, _outcomes)[number % 3]
    return kind(rng, chances, megabytes * 1e6 / len(chances))


def _verdicts(rng, chance, questions):
    """Draw samples of questions that are unlike in how hard they are."""
    spread = rng.beta(4 * chance, 4 * (1 - chance), (questions, 1))
    return rng.random((questions, SAMPLES)) < spread


def _texts(rng):
    """Return a function that writes an answer of words, which packs as prose does."""
    words = [
        "".join(rng.choice(list("abcdefghijklmnoprstu"), size))
        for size in rng.integers(2, 10, 3000)
    ]
    corpus = " ".join(words[i] for i in rng.integers(0, len(words), _CORPUS // 6))

    def write(count):
        starts = rng.integers(0, len(corpus) - 2 * LETTERS, count)
        ends = starts + rng.integers(LETTERS // 2, 3 * LETTERS // 2, count)
        return [corpus[start:end] for start, end in zip(starts, ends, strict=True)]

    return write


def _results(rng, chances, size):
    write, whole, questions = _texts(rng), BytesIO(), None
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for (model, dataset), chance in chances.items():
            rows = []
            with archive.open(f"run/results/{model}/{dataset}.json", "w", force_zip64=True) as file:
                file.write(b'{"details": [')
                while len(rows) != questions if questions else whole.tell() < size:
                    (verdicts,) = _verdicts(rng, chance, 1).tolist()
                    row = {
                        "example_abbr": f"{dataset}_{len(rows)}",
                        "pred": write(SAMPLES),
                        "answer": [str(len(rows) % 97)] * SAMPLES,
                        "correct": verdicts,
                    }
                    file.write(f"{', ' if rows else ''}{json.dumps(row)}".encode())
                    rows.append(sum(verdicts))
                stated = 100 * np.mean(rows) / SAMPLES
                file.write(f'], "accuracy ({SAMPLES} runs average)": {stated}}}'.encode())
            questions = len(rows)
    return "report.zip", whole.getvalue()


def _samples(rng, chances, size):
    write, lines = _texts(rng), []
    questions = int(size / SAMPLES / (LETTERS + 150))
    for (model, dataset), chance in chances.items():
        for number, verdicts in enumerate(_verdicts(rng, chance, questions).tolist()):
            for sample, text in enumerate(write(SAMPLES)):
                row = {
                    "model": model,
                    "dataset": dataset,
                    "question_id": f"q{number}",
                    "sample": sample,
                    "correct": int(verdicts[sample]),
                    "prompt": f"Question {number} of {dataset}?",
                    "prediction": text,
                    "tokens_out": len(text) // 4,
                }
                lines.append(json.dumps(row))
    return "report.jsonl", "\n".join(lines).encode()


def _outcomes(rng, chances, size):
    questions = int(size / SAMPLES / 9.5)
    names = [f"q{number}" for number in range(questions)]
    ids = np.repeat(np.arange(questions, dtype=np.int32), SAMPLES)
    whole = BytesIO()
    writer = None
    for (model, dataset), chance in chances.items():
        correct = _verdicts(rng, chance, questions).ravel()
        table = pa.table(
            {
                "model": pa.DictionaryArray.from_arrays(np.zeros(len(ids), np.int32), [model]),
                "dataset": pa.DictionaryArray.from_arrays(np.zeros(len(ids), np.int32), [dataset]),
                "question_id": pa.DictionaryArray.from_arrays(pa.array(ids), names),
                "sample": np.tile(np.arange(SAMPLES, dtype=np.int32), questions),
                "correct": correct.astype(np.int8),
                "tokens_out": rng.integers(200, 4000, len(ids), dtype=np.int32),
                "grader": correct / 2 + rng.random(len(ids), dtype=np.float32),
            }
        )
        writer = writer or pq.ParquetWriter(whole, table.schema)
        writer.write_table(table)
    writer.close()
    return "report.parquet", whole.getvalue()
