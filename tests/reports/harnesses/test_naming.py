"""What a run is called where only a part of what its tool wrote is there: one rule for all."""

from shutil import copy

import pytest

from reports import load
from reports.run.naming import UNKNOWN
from tests.reports.harnesses.truths import DATA
from tests.reports.mutations import zipped

HELM = "helm/benchmark_output/runs/s1/*num_outputs=4,model=mock_alpha"
ALONE = {
    "bigcode/logs.json": UNKNOWN,
    "evalplus/alpha_samples_eval_results.json": "alpha",
    "evalscope/outputs_1.1.1/*/reviews/*/general_mcq_west.jsonl": UNKNOWN,
    f"{HELM}/display_predictions.json": UNKNOWN,
    "human_eval/alpha_samples.jsonl_results.jsonl": "alpha",
    "lighteval/details/alpha*/*/*.parquet": UNKNOWN,
    "livecodebench/output/*/*_eval_all.json": UNKNOWN,
    "lm_eval/rep/alpha*/samples_local_gsm_keepall*.jsonl": UNKNOWN,
}
"""Files by themselves: called by the file where the tool leaves its name to the user."""
WITHIN = {
    "evalscope/outputs_1.1.1/*/reviews/*/general_mcq_west.jsonl": "beta-14b-chat",
    f"{HELM}/display_predictions.json": "mock_alpha",
    "lighteval/details/alpha*/*/*.parquet": "alpha-7b-chat",
    "livecodebench/output/*/*_eval_all.json": "GPT-4O-2024-05-13",
    "lm_eval/rep/alpha*/samples_local_gsm_keepall*.jsonl": "alpha-7b-chat",
}
"""The same in the folders that their tools call by the model."""


def said(run):
    return " ".join(str(note.what) for note in run.notes)


@pytest.mark.parametrize("pattern", ALONE)
def test_a_file_alone_is_called_by_its_name_or_unknown_and_says_so(pattern):
    path = next(DATA.glob(pattern))
    run = load((path.name, path.read_bytes())).runs[0]
    assert run.model == ALONE[pattern]
    unknown = ALONE[pattern] == UNKNOWN
    assert ("The file does not name the model" in said(run)) is unknown
    assert ("The model is known only from the file's name" in said(run)) is not unknown


@pytest.mark.parametrize("pattern", WITHIN)
def test_in_its_folder_it_is_called_by_the_folder(pattern):
    path = next(DATA.glob(pattern))
    name = str(path.relative_to(DATA))
    run = load(("x.zip", zipped({name: path.read_bytes()}))).runs[0]
    assert run.model == WITHIN[pattern]
    assert "the model" not in said(run)


@pytest.mark.parametrize("pattern", [each for each in WITHIN if "lighteval" not in each])
def test_so_it_is_where_that_folder_is_what_was_given(pattern, tmp_path):
    path = next(DATA.glob(pattern))
    folder = tmp_path / path.parent.name
    folder.mkdir()
    copy(path, folder)
    assert load(folder).runs[0].model == WITHIN[pattern]


def test_logs_of_a_model_are_called_by_its_folder_too(tmp_path):
    logs = DATA / "swebench/logs/run_evaluation/run1/acme__alpha-agent"
    assert load(logs).runs[0].model == "acme/alpha-agent"
    assert load(logs / "acme__calc-101/report.json").runs[0].model == UNKNOWN
