"""A Parquet file of outcomes with segments."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def write_table(path: Path, model: str = "7B", m: int = 15, n: int = 4, seed: int = 0) -> Path:
    """Write samples of questions of spread difficulty in long form."""
    rng = np.random.default_rng(seed)
    correct = (rng.random((m, n)) < rng.random((m, 1))).ravel()
    table = pa.table(
        {
            "model": [model] * (m * n),
            "dataset": ["gsm8k"] * (m * n),
            "question_id": np.repeat(np.arange(m), n).astype(str),
            "sample": np.tile(np.arange(n), m),
            "correct": correct.astype(int),
            "subject": np.repeat(np.where(np.arange(m) % 2, "algebra", "geometry"), n),
        }
    )
    pq.write_table(table, path)
    return path
