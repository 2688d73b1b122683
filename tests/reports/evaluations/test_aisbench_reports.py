"""Real reports of AISBench 3.1, whole and in every form, against the truth."""

import json
import zipfile
from datetime import datetime

import pytest

from reports import load
from tests.reports.evaluations.aisbench_archives import (
    DATA,
    REPORTS,
    archive,
    assert_true,
    loaded,
    members,
)
from tests.reports.mutations import zipped


@pytest.mark.wide
@pytest.mark.parametrize("name", REPORTS)
def test_reports_read_in_small_blocks_are_the_same(monkeypatch, name):
    monkeypatch.setattr("reports.json_files.entries.BLOCK", 500)
    assert_true(load(archive(name)), name)


@pytest.mark.parametrize("name", REPORTS)
def test_every_sample_is_as_the_truth_says(name):
    assert_true(loaded(archive(name)), name)


@pytest.mark.wide
@pytest.mark.parametrize("top", ["0123456789abcdef0123456789abcdef/", "outputs/default/mine/", ""])
def test_the_top_folder_of_a_zip_may_have_any_name_or_be_absent(top):
    files = {top + path.partition("/")[2]: data for path, data in members("textvqa_n3").items()}
    report = load(("report.zip", zipped(files)))
    assert_true(report, "textvqa_n3")
    assert report.runs[0].time == datetime(2026, 11, 20, 8, 6, 32)


def test_a_folder_of_many_runs_gives_them_all(tmp_path):
    names = ["gsm8k_n1", "gsm8k_n5_two_models", "custom_mcq_n4"]
    for name in names:
        zipfile.ZipFile(archive(name)).extractall(tmp_path / "outputs" / "default")
    report = load(tmp_path / "outputs" / "default")
    assert len(report.runs) == 5
    assert len({run.time for run in report.runs}) == 3
    shapes = {(run.model, run.dataset, run.outcomes.shape) for run in report.runs}
    assert ("beta-14b-chat", "gsm8k", (40, 5)) in shapes
    assert ("beta-14b-chat", "gsm8k", (40, 1)) in shapes


def test_a_run_as_a_folder_is_the_same_as_its_zip(tmp_path):
    zipfile.ZipFile(archive("gsm8k_n3_num_prompts")).extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    for path in (folder, tmp_path):
        (run,) = load(path).runs
        (zipped,) = loaded(archive("gsm8k_n3_num_prompts")).runs
        assert run.outcomes.digest == zipped.outcomes.digest
        assert run.time == zipped.time == datetime(2026, 11, 20, 8, 10, 36)


def test_answers_are_equal_where_the_extracted_texts_are():
    name = "gsm8k_n3_num_prompts"
    (data,) = [data for path, data in members(name).items() if "/results/" in path]
    details = json.loads(data)["details"]
    stored = [answer for entry in details for answer in entry["pred"]]
    questions = len(details)
    (run,) = loaded(archive(name)).runs
    for question, row in enumerate(run.answers):
        texts = [stored[replica * questions + question] for replica in range(3)]
        for first in range(3):
            for second in range(3):
                assert (row[first] == row[second]) == (texts[first] == texts[second])


def test_the_older_prediction_form_is_read():
    files = {}
    for path, data in members("gsm8k_n5_failed_requests").items():
        if path.endswith("/gsm8k.jsonl"):
            lines = [json.loads(line) for line in data.splitlines()]
            by_id = {}
            for line in lines:
                by_id.setdefault(str(line["id"]), []).append(line["prediction"])
            record = {key: {"origin_prompt": "", "prediction": by_id[key]} for key in by_id}
            files[path.removesuffix("l")] = json.dumps(record)
        else:
            files[path] = data
    assert_true(load(("report.zip", zipped(files))), "gsm8k_n5_failed_requests")


def test_scalars_in_the_details_are_read_like_lists_of_one():
    files = members("gsm8k_n1")
    for path in [path for path in files if "/results/" in path]:
        content = json.loads(files[path])
        for entry in content["details"].values():
            for key in ("predictions", "references", "correct"):
                (entry[key],) = entry[key]
        content["details"]["type"] = content.pop("type")
        files[path] = json.dumps(content)
    assert_true(load(("report.zip", zipped(files))), "gsm8k_n1")


def test_formulas_of_one_value_are_one_answer():
    """One sample writes 23 as a fraction."""
    (run, *_) = load(DATA / "math500_n3_missing_reference.zip").runs
    assert run.answer_labels.count("23") == 1
    assert not any(label.startswith("[") for label in run.answer_labels)
    files = members("math500_n3_missing_reference")
    assert any(rb"\\frac{253}{11}'" in data for name, data in files.items() if "results" in name)
