"""The configurations of real reports: their order, the newest, none, and none that is ever run."""

import io
import zipfile
from datetime import datetime

import pytest

from reports import load
from tests.reports.evaluations.aisbench_archives import (
    REPORTS,
    archive,
    assert_true,
    loaded,
    members,
    notes,
    truth,
    without,
)
from tests.reports.mutations import zipped

OF_LETTERS = ("custom_mcq_n1", "custom_mcq_n4", "multi_subset_n4")


@pytest.mark.wide
@pytest.mark.parametrize("name", [name for name in REPORTS if name not in OF_LETTERS])
def test_without_a_configuration_too_the_report_tells_the_rule(name):
    assert_true(load(without(name, "/configs/")), name)


@pytest.mark.parametrize("name", OF_LETTERS)
def test_without_a_configuration_nothing_tells_how_letters_were_found(name):
    """Many rules find others right and yet as many; where none is needed, all are the same."""
    for run in load(without(name, "/configs/")).runs:
        verdicts = truth(name)[run.model][run.dataset]["correct"]
        assert run.outcomes is None or run.outcomes.correct.tolist() == verdicts
        assert run.outcomes is not None or any("whole folder" in said for said in notes(run))


def test_runs_come_in_the_order_of_the_configuration():
    runs = loaded(archive("multi_subset_n4")).runs
    assert [run.dataset for run in runs[:6]] == [
        "bbh-date_understanding",
        "bbh-penguins_in_a_table",
        "bbh-object_counting",
        "lukaemon_mmlu_astronomy",
        "lukaemon_mmlu_marketing",
        "lukaemon_mmlu_virology",
    ]


def test_the_newest_summary_and_configuration_describe_a_repeated_run():
    (run,) = loaded(archive("gsm8k_n5_retry_warmup_failed")).runs
    assert run.time == datetime(2026, 11, 20, 8, 9, 3)


def test_without_a_folder_s_name_the_first_configuration_tells_the_run_s_id():
    _, data = without("gsm8k_n5_failed_then_eval_only", golds=False)
    with zipfile.ZipFile(io.BytesIO(data)) as archived:
        files = {path: archived.read(path) for path in archived.namelist()}
    files = {path.partition("/")[2]: data for path, data in files.items()}
    (run,) = load(("download.zip", zipped(files))).runs
    assert any("--reuse 20261120_080736" in note for note in notes(run, "problem"))


def test_a_configuration_that_is_not_python_costs_a_note_only():
    files = members("multi_subset_n4")
    (path,) = [path for path in files if path.endswith(".py")]
    files[path] = b"models = [dict(abbr="
    report = load(("report.zip", zipped(files)))
    assert_true(report, "multi_subset_n4")
    (note,) = report.notes
    assert "is not a Python configuration" in str(note.what)
    assert note.severity == "warning"


def test_a_configuration_is_never_run(tmp_path):
    files = members("gsm8k_n1")
    (path,) = [path for path in files if path.endswith(".py")]
    mark = tmp_path / "executed"
    files[path] += f"\nopen({str(mark)!r}, 'w').close()\n".encode()
    report = load(("report.zip", zipped(files)))
    assert_true(report, "gsm8k_n1")
    assert not mark.exists()
