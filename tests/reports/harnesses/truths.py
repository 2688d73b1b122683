"""What the real files of each tool hold, by construction of the answers in them."""

import json
from pathlib import Path

import numpy as np

DATA = Path(__file__).parents[2] / "data"


def truth_of(tool):
    """Return what is true of each run of a tool's files: {"file::model": {dataset: …}}."""
    return json.loads((DATA / tool / "truth.json").read_text())


def files_of(tool):
    """Return the files of a tool that its truth speaks of."""
    named = [key.partition("::")[0] for key in truth_of(tool)]
    several = [n for name in named if not (DATA / tool / name).exists() for n in name.split("+")]
    alone = [name for name in named if (DATA / tool / name).exists()]
    return sorted({DATA / tool / name for name in (*alone, *several)})


def verdicts(rows):
    """Return verdicts as outcomes have them: -1 for null."""
    return np.array([[-1 if cell is None else int(cell) for cell in row] for row in rows])


def assert_true(run, truth):
    """Require that a run has these questions, and each sample the verdict that is true."""
    order = [run.outcomes.questions.index(str(question)) for question in truth["questions"]]
    assert run.outcomes.shape == (len(truth["questions"]), truth["n"])
    np.testing.assert_array_equal(run.outcomes.correct[order], verdicts(truth["correct"]))
