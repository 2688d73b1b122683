"""The sample data are what make.py writes, and load as what it simulated."""

import io
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest

from reports import load, reconcile
from sample_data import make
from sample_data.attempts import replicas
from sample_data.outcomes import outcomes


@pytest.fixture(scope="module")
def simulated():
    """What each model really answered, by model and dataset."""
    return {
        key: (dataset, replicas(done, dataset.n))
        for datasets in make.runs().values()
        for dataset in datasets
        for key, done in make.completed(dataset).items()
    }


@pytest.fixture(scope="module")
def report():
    return load(make.REPORT)


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_make_writes_the_files_that_are_here():
    files = make.report()
    assert members(make.REPORT.read_bytes()) == {path: t.encode() for path, t in files.items()}
    assert make.zipped(files) == make.zipped(files)
    assert pq.read_table(make.OUTCOMES).equals(outcomes(make.SEED))


def test_they_stay_small():
    assert make.REPORT.stat().st_size + make.OUTCOMES.stat().st_size < 5 << 20


def test_the_report_loads_as_what_was_simulated(report, simulated):
    assert {(run.model, run.dataset) for run in report.runs} == set(simulated)
    for run in report.runs:
        dataset, rows = simulated[run.model, run.dataset]
        scores = [[-1 if answer is None else answer.score for answer in row] for row in rows]
        truth = [[-1 if score < 0 else int(score > 0.5) for score in row] for row in scores]
        assert run.outcomes.questions == tuple(map(str, range(len(dataset.questions))))
        assert run.outcomes.correct.tolist() == truth
        assert run.verified
        if run.dataset == "textvqa":
            np.testing.assert_allclose(run.outcomes.scores, scores, atol=1e-12)


def test_nothing_in_it_is_a_problem(report):
    notes = [*report.notes, *(note for run in report.runs for note in run.notes)]
    assert {note.severity for note in notes} == {"warning", "info"}


def test_it_has_the_faults_of_the_tool(report):
    """pass@n and cons@n of scrambled groups, the last replica's accuracy, failed requests."""
    differ = {
        (run.dataset, comparison.metric)
        for run in report.runs
        for comparison in reconcile(run)
        if not comparison.agrees
    }
    assert {("math_prm800k_500", "pass@16"), ("gsm8k", "cons@8"), ("textvqa", "pass@5")} <= differ
    assert ("lukaemon_mmlu_virology", "accuracy") in differ
    failed = {
        (run.model, run.dataset): int((run.outcomes.correct == -1).sum()) for run in report.runs
    }
    assert {key: count for key, count in failed.items() if count} == make.FAILED_REQUESTS


def test_wrong_answers_repeat_and_questions_are_spread(report):
    for run in report.runs:
        rate = (run.outcomes.correct == 1).mean(axis=1)
        assert np.quantile(rate, 0.1) < 0.3
        assert np.quantile(rate, 0.9) > 0.7
    (run, *_) = (run for run in report.runs if run.dataset == "math_prm800k_500")
    wrong = np.where(run.outcomes.correct == 0, run.answers, -1)
    most_common = [np.bincount(row[row >= 0]).max() for row in wrong if (row >= 0).sum() >= 4]
    assert np.median(most_common) >= 3


def test_the_outcome_table_loads_as_what_was_simulated():
    table = outcomes(make.SEED)
    runs = load(make.OUTCOMES).runs
    assert [run.outcomes.shape for run in runs] == [(300, 64)] * 8
    for name, values in {
        "correct": [run.outcomes.correct for run in runs],
        "tokens_out": [run.columns["tokens_out"] for run in runs],
        "latency_s": [run.columns["latency_s"] for run in runs],
        "cost": [run.columns["cost"] for run in runs],
    }.items():
        np.testing.assert_array_equal(np.ravel(values), np.asarray(table[name]).astype(float))
    labels = [np.repeat(run.outcomes.segments["segment"], 64) for run in runs]
    assert np.concatenate(labels).tolist() == table["segment"].to_pylist()
    cost = {run.model: float(run.columns["cost"].mean()) for run in runs}
    assert len({round(value, 5) for value in cost.values()}) == 4
