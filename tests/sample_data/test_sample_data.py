"""The sample data are what make.py writes, and load as what it simulated."""

import io
import json
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest

from kofn.command import main
from metrics import estimate, selected, selection_efficiency
from reports import load, reconcile
from reports.rescoring.supervised import Supervised
from sample_data import make
from sample_data.attempts import replicas
from sample_data.candidates import LABELS, candidates
from sample_data.checkpoints import EXPECTED, checkpoints
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
    """Read the report without the library of formulas, which takes longer to start than all else.

    Answers such as 1/12 stand as fractions.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Supervised, "compare", lambda *_: pytest.fail("Formulas are compared."))
        return load(make.REPORT)


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.wide
def test_make_writes_the_files_that_are_here():
    files = make.report()
    assert members(make.REPORT.read_bytes()) == {path: t.encode() for path, t in files.items()}
    few = dict(list(files.items())[:3])
    assert make.zipped(few) == make.zipped(few)
    assert pq.read_table(make.OUTCOMES).equals(outcomes(make.SEED))
    assert pq.read_table(make.CANDIDATES).equals(candidates(make.SEED))
    assert pq.read_table(make.CHECKPOINTS).equals(checkpoints(make.SEED))
    assert make.PAPER.read_text() == EXPECTED


def test_they_stay_small():
    files = (make.REPORT, make.OUTCOMES, make.CANDIDATES, make.CHECKPOINTS)
    assert sum(path.stat().st_size for path in files) < 5 << 20


@pytest.mark.wide
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
    assert len(report.runs) == 18


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


def test_candidates_can_be_picked_and_judged():
    """A selector that finds a third of what there is, and one that more candidates mislead."""
    report = load(make.CANDIDATES)
    (run,) = report.runs
    assert not (*report.notes, *run.notes)
    known = ~np.isnan(run.columns["human"])
    assert known.sum() == LABELS
    assert (known.sum(axis=1) <= 1).all()
    np.testing.assert_array_equal(run.columns["human"][known], run.outcomes.correct[known])
    assert run.columns["human_probability"][known].mean() == pytest.approx(LABELS / known.size)
    np.testing.assert_array_equal(np.sort(run.columns["position"], axis=1)[0], np.arange(1, 17))
    assert run.has_texts
    assert run.texts("everyday-000").predictions[0]
    assert dict(run.settings) == {"prompt_version": "plain-3", "judge_version": "2026-08"}

    steady, gamed = (selected(run, f"reward-v{i}").value for i in (2, 1))
    assert estimate(run, "avg@n").value == pytest.approx(0.527, abs=5e-4)
    assert estimate(run, "pass@k", 16).value == pytest.approx(0.775, abs=5e-4)
    assert steady[-1] == pytest.approx(0.613, abs=5e-4)
    assert selection_efficiency(run, "reward-v2").value == pytest.approx(0.346, abs=5e-4)
    assert (np.diff(steady) > 0).all()
    assert gamed.argmax() + 1 == 8
    assert gamed[-1] < gamed[7] - 0.015


@pytest.mark.wide
def test_the_last_checkpoint_is_three_points_below_its_paper(capsys):
    """Cut answers and missed verdicts explain it; the series still rises."""
    last = ["--run", "cedar-14b-ckpt-2500"]
    found = document(capsys, "trust", make.CHECKPOINTS, *last, "--expect", make.PAPER)
    (check,) = found["expected"]
    assert check["run"].startswith("cedar-14b-ckpt-2500")
    assert check["difference"] == pytest.approx(-0.03, abs=5e-4)
    assert "max_tokens" in found["answer"]
    moved = {cause["cause"] for cause in found["causes"] if cause["run"] == check["run"]}
    assert {"cut", "missed", "generous", "chance"} <= moved
    series = document(capsys, "series", make.CHECKPOINTS)["series"]
    assert [run["surely_better_than_first"] for run in series][1:] == [True] * 4


def test_checkpoints_answer_the_questions_of_the_candidates():
    (base,) = load(make.CANDIDATES).runs
    for run in load(make.CHECKPOINTS).runs:
        assert run.outcomes.questions == base.outcomes.questions
        assert run.texts("everyday-007").reference == base.texts("everyday-007").reference


def document(capsys, *arguments):
    main([*map(str, arguments), "--format", "json"])
    return json.loads(capsys.readouterr().out)
