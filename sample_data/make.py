"""Write the sample data: ``python sample_data/make.py``.

``aisbench_report.zip`` is the work folder of three AISBench runs, since the number of answers per
question belongs to the model there and is the same for all datasets of a run: maths with n = 16;
word problems with a few failed requests and a multiple-choice set of three subsets with n = 8;
questions about photos, scored softly, with n = 5. ``outcomes.parquet`` is a long table of outcomes;
``candidates.parquet`` has one run with what picks and judges its candidates;
``checkpoints.parquet`` has five checkpoints of a model tuned on the same questions, and
``expected.csv`` what a paper states of the last. README.md tells the story.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from random import Random

import pyarrow.parquet as pq

from sample_data import maths, multiple_choice, signs, word_problems
from sample_data.aisbench import Dataset, Files
from sample_data.attempts import FLAKY, MODELS, difficulties, requests
from sample_data.candidates import candidates
from sample_data.checkpoints import EXPECTED, checkpoints
from sample_data.outcomes import outcomes
from sample_data.run_folder import Requests, run_folder

SEED = 20260914
FOLDER = Path(__file__).parent
REPORT = FOLDER / "aisbench_report.zip"
OUTCOMES = FOLDER / "outcomes.parquet"
CANDIDATES = FOLDER / "candidates.parquet"
CHECKPOINTS = FOLDER / "checkpoints.parquet"
PAPER = FOLDER / "expected.csv"
FAILED_REQUESTS = {(FLAKY, "gsm8k"): 9}
OPENINGS = ("", "Let me work this out. ", "Step by step: ", "What is given leads to this. ")
SUBJECTS = tuple(multiple_choice.SUBJECTS)
GROUPS = {"mmlu": tuple(f"lukaemon_mmlu_{subject}" for subject in SUBJECTS)}


def runs() -> dict[str, tuple[Dataset, ...]]:
    """Return the datasets of each run by its id."""
    rng = Random(SEED)
    evaluators = "openicl.icl_evaluator"
    return {
        "20260914_101500": (
            Dataset(
                "math_prm800k_500",
                f"{evaluators}.math_evaluator.MATHEvaluator",
                16,
                maths.questions(96, rng),
                empty="[]",
                openings=OPENINGS,
            ),
        ),
        "20260914_154200": (
            Dataset(
                "gsm8k",
                "datasets.gsm8k.Gsm8kEvaluator",
                8,
                word_problems.questions(120, rng),
                empty="NULL",
                openings=OPENINGS,
                ease=1.3,
            ),
            *(
                Dataset(
                    f"lukaemon_mmlu_{subject}",
                    f"{evaluators}.icl_hf_evaluator.AccEvaluator",
                    8,
                    multiple_choice.questions(subject, 36, rng),
                    grouped=False,
                    openings=OPENINGS,
                )
                for subject in SUBJECTS
            ),
        ),
        "20260915_093000": (
            Dataset("textvqa", "datasets.textvqa.TEXTEvaluator", 5, signs.questions(80, rng)),
        ),
    }


def completed(dataset: Dataset) -> Requests:
    """Ask every model a dataset's questions."""
    chances = difficulties(len(dataset.questions), Random(f"{SEED} {dataset.abbr}"))
    return {
        (model, dataset.abbr): requests(
            dataset.questions,
            chances,
            dataset.n,
            skill + dataset.ease,
            FAILED_REQUESTS.get((model, dataset.abbr), 0),
            dataset.openings,
            Random(f"{SEED} {dataset.abbr} {model}"),
        )
        for model, skill in MODELS.items()
    }


def report() -> Files:
    """Write the files of all runs, by their path in the zip."""
    files: Files = {}
    for run_id, datasets in runs().items():
        done = {key: value for d in datasets for key, value in completed(d).items()}
        groups = {name: s for name, s in GROUPS.items() if set(s) <= {d.abbr for d in datasets}}
        files |= run_folder(run_id, list(MODELS), datasets, done, groups)
    return {f"default/{path}": text for path, text in files.items()}


def zipped(files: Files) -> bytes:
    """Pack files with a fixed time, so that the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


if __name__ == "__main__":
    REPORT.write_bytes(zipped(report()))
    PAPER.write_text(EXPECTED)
    for table, path in (
        (outcomes(SEED), OUTCOMES),
        (candidates(SEED), CANDIDATES),
        (checkpoints(SEED), CHECKPOINTS),
    ):
        pq.write_table(table, path, compression="zstd", compression_level=12)
