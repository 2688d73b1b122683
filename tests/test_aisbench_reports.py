"""Real reports of AISBench 3.1 against the truth, which was computed from predictions one by one.

tests/data/aisbench holds whole reports without their logs, and beside each the verdicts of the
tool's own evaluators, applied to one prediction at a time: never from the details, which the tool
mixes up.
"""

import io
import json
import zipfile
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from metrics.outcomes import ABSENT, FAILED
from reports import LoadError, load
from reports.aisbench import sniff
from reports.archive import open_tree

DATA = Path(__file__).parent / "data" / "aisbench"
REPORTS = sorted(path.stem for path in DATA.glob("*.zip"))


def archive(name):
    return DATA / f"{name}.zip"


def truth(name):
    return json.loads((DATA / f"{name}.json").read_text())


def members(name):
    with zipfile.ZipFile(archive(name)) as files:
        return {info.filename: files.read(info) for info in files.infolist() if not info.is_dir()}


def pack(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(name, data)
    return buffer.getvalue()


def expected(entry):
    """Verdicts with failed requests, which take the last samples, and dropped questions marked."""
    correct = np.array(entry["correct"], dtype=np.int8)
    for question, count in entry.get("missing_predictions", {}).items():
        assert not correct[int(question), entry["n"] - count :].any()
        correct[int(question), entry["n"] - count :] = FAILED
    correct[entry.get("dropped_from_details", [])] = ABSENT
    return correct


def assert_true(report, name):
    """Every run of a report is as the truth says, sample by sample."""
    entries = truth(name)
    assert {(run.model, run.dataset) for run in report.runs} == {
        (model, dataset) for model, datasets in entries.items() for dataset in datasets
    }
    for run in report.runs:
        entry = entries[run.model][run.dataset]
        assert run.evaluator in (None, entry["evaluator"])
        assert run.outcomes.correct.tolist() == expected(entry).tolist()
        assert run.outcomes.questions == tuple(map(str, range(entry["num_questions"])))
        assert run.verified is True
        assert run.answers.shape == run.outcomes.shape
        if "avg_acc" in entry:
            np.testing.assert_allclose(run.outcomes.scores, entry["avg_acc"], atol=1e-12)
            assert (run.threshold, run.strict) == (0.5, True)
        else:
            assert run.outcomes.scores is None


@pytest.mark.parametrize("name", REPORTS)
def test_reports_read_in_small_blocks_are_the_same(monkeypatch, name):
    monkeypatch.setattr("reports.entries.BLOCK", 500)
    assert_true(load(archive(name)), name)


@pytest.mark.parametrize("name", REPORTS)
def test_every_sample_is_as_the_truth_says(name):
    assert_true(load(archive(name)), name)


def notes(run, severity=None):
    return [str(note.what) for note in run.notes if severity in (None, note.severity)]


def without(name, *parts, golds=True):
    """The report without its details, the files whose path holds a part, and perhaps the golds."""
    files = {}
    for path, data in members(name).items():
        if "/results/" in path:
            content = json.loads(data)
            content.pop("details", None)
            data = json.dumps(content)
        elif path.endswith(".jsonl") and not golds:
            lines = [json.loads(line) for line in data.splitlines()]
            data = "".join(json.dumps(line | {"gold": None}) + "\n" for line in lines)
        if not any(part in path for part in parts):
            files[path] = data
    return "report.zip", pack(files)


@pytest.mark.parametrize("name", REPORTS)
def test_without_details_the_predictions_are_judged_as_the_tool_judges_them(name):
    report = load(without(name))
    assert_true(report, name)
    for run in report.runs:
        (note,) = [note for note in notes(run) if "kofn judged the predictions itself" in note]
        assert note.endswith("That gives exactly the averages that the report states.")


@pytest.mark.parametrize("name", REPORTS)
def test_without_a_configuration_too_the_report_tells_the_rule(name):
    assert_true(load(without(name, "/configs/")), name)


@pytest.mark.parametrize("top", ["0123456789abcdef0123456789abcdef/", "outputs/default/mine/", ""])
def test_the_top_folder_of_a_zip_may_have_any_name_or_be_absent(top):
    files = {top + path.partition("/")[2]: data for path, data in members("textvqa_n3").items()}
    report = load(("report.zip", pack(files)))
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
        (zipped,) = load(archive("gsm8k_n3_num_prompts")).runs
        assert run.outcomes.digest == zipped.outcomes.digest
        assert run.time == zipped.time == datetime(2026, 11, 20, 8, 10, 36)


def test_runs_come_in_the_order_of_the_configuration():
    runs = load(archive("multi_subset_n4")).runs
    assert [run.dataset for run in runs[:6]] == [
        "bbh-date_understanding",
        "bbh-penguins_in_a_table",
        "bbh-object_counting",
        "lukaemon_mmlu_astronomy",
        "lukaemon_mmlu_marketing",
        "lukaemon_mmlu_virology",
    ]


def test_the_newest_summary_and_configuration_describe_a_repeated_run():
    (run,) = load(archive("gsm8k_n5_retry_warmup_failed")).runs
    assert run.time == datetime(2026, 11, 20, 8, 9, 3)


def test_regrouping_is_said_with_its_effect():
    (run,) = load(archive("custom_mcq_n4")).runs
    (note,) = run.notes
    assert note.severity == "warning"
    assert note.count == 21
    assert note.where.endswith("results/alpha-7b-chat/site_quiz.json")
    assert str(note.what) == (
        "AISBench mixed up the samples of different questions: in 21 of 21 questions of its "
        "details the references differ. kofn gave each sample back to its question, so pass@k "
        "and cons@k differ from the report's own; avg@n does not."
    )


def test_an_orderly_report_needs_no_note():
    for run in load(archive("gsm8k_n1")).runs:
        assert run.notes == ()


def test_failed_requests_are_counted():
    (run,) = load(archive("gsm8k_n5_failed_requests")).runs
    assert (run.outcomes.correct == FAILED).sum() == 11
    assert (run.answers[run.outcomes.correct == FAILED] == -1).all()
    (note,) = [note for note in run.notes if note.where.endswith("gsm8k.jsonl")]
    assert note.count == 11
    assert "11 of 200 requests failed" in str(note.what)


def test_a_dropped_question_is_named():
    (run,) = load(archive("math500_n3_missing_reference")).runs
    assert any("lack 1 of 24 questions (id 5)" in note for note in notes(run, "warning"))


def test_the_last_sample_s_accuracy_is_called_that():
    run = load(archive("multi_subset_n4")).runs[4]
    assert run.dataset == "lukaemon_mmlu_marketing"
    (note,) = notes(run, "warning")
    assert "58.3%, is that of the last of 4 samples" in note
    assert "over all samples it is 45.8%" in note


def test_without_anything_to_judge_by_there_is_a_way_to_get_it():
    for run in load(without("gsm8k_demo_n5_nodump", golds=False)).runs:
        assert run.outcomes is None
        assert run.reported["avg@5"] > 0
        (note,) = notes(run, "problem")
        assert "--mode eval --reuse 20261120_081253 --dump-eval-details" in note


def test_failed_requests_are_found_without_details():
    (run,) = load(without("gsm8k_n5_failed_then_eval_only", golds=False)).runs
    assert run.outcomes is None
    assert run.time == datetime(2026, 11, 20, 8, 8, 28)
    assert any("11 of 200 requests failed" in note for note in notes(run, "warning"))


def test_without_a_folder_s_name_the_first_configuration_tells_the_run_s_id():
    _, data = without("gsm8k_n5_failed_then_eval_only", golds=False)
    with zipfile.ZipFile(io.BytesIO(data)) as archived:
        files = {path: archived.read(path) for path in archived.namelist()}
    files = {path.partition("/")[2]: data for path, data in files.items()}
    (run,) = load(("download.zip", pack(files))).runs
    assert any("--reuse 20261120_080736" in note for note in notes(run, "problem"))


def test_predictions_without_results_are_judged_without_a_check():
    entries = truth("gsm8k_n1")
    for run in load(without("gsm8k_n1", "/results/", "/summary/")).runs:
        assert run.outcomes.correct.tolist() == entries[run.model][run.dataset]["correct"]
        assert run.verified is None
        (note,) = notes(run, "warning")
        assert "no average to check" in note


def test_predictions_that_cannot_be_judged_are_listed():
    for run in load(without("gsm8k_n1", "/results/", "/configs/")).runs:
        assert run.outcomes is None
        assert run.source.endswith("gsm8k.jsonl")
        (note,) = notes(run, "problem")
        assert "no results" in note
        assert "--reuse 20261120_080955" in note


def test_results_without_predictions_load_with_a_note():
    files = {
        path: data
        for path, data in members("gsm8k_n5_failed_requests").items()
        if "pred" not in path
    }
    (run,) = load(("report.zip", pack(files))).runs
    correct = truth("gsm8k_n5_failed_requests")["flaky-7b-chat"]["gsm8k"]["correct"]
    assert run.outcomes.correct.tolist() == correct
    assert any("predictions are missing" in note for note in notes(run, "info"))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("gsm8k_n1", "alpha-7b-chat/gsm8k"),
        ("gsm8k_n5_two_models", "alpha-7b-chat/gsm8k"),
        ("custom_mcq_n4", "alpha-7b-chat/site_quiz"),
        ("multi_subset_n4", "beta-14b-chat/lukaemon_mmlu_virology"),
        ("textvqa_n3", "beta-14b-chat/textvqa"),
    ],
)
def test_a_results_file_alone_gives_the_same_verdicts(name, path):
    model, dataset = path.split("/")
    (data,) = [
        data for file, data in members(name).items() if file.endswith(f"results/{path}.json")
    ]
    (run,) = load((f"{dataset}.json", data)).runs
    assert run.outcomes.correct.tolist() == truth(name)[model][dataset]["correct"]
    assert (run.dataset, run.model, run.time) == (dataset, "unknown model", None)
    assert any("does not say which model" in note for note in notes(run, "info"))


def test_a_results_file_alone_tells_that_a_question_is_missing_but_not_which():
    name = "math500_n3_missing_reference"
    (data,) = [data for path, data in members(name).items() if "/results/" in path]
    (run,) = load(("math.json", data)).runs
    assert run.outcomes.shape == (23, 3)
    assert any("lack 1 of 24 questions, and nothing tells which" in note for note in notes(run))


def test_a_prediction_file_alone_tells_what_it_can():
    name = "gsm8k_n5_failed_requests"
    (data,) = [data for path, data in members(name).items() if path.endswith("/gsm8k.jsonl")]
    (run,) = load(("gsm8k.jsonl", data)).runs
    assert run.outcomes is None
    assert any("11 of 200 requests failed" in note for note in notes(run, "warning"))


def test_answers_are_equal_where_the_extracted_texts_are():
    name = "gsm8k_n3_num_prompts"
    (data,) = [data for path, data in members(name).items() if "/results/" in path]
    details = json.loads(data)["details"]
    stored = [answer for entry in details for answer in entry["pred"]]
    questions = len(details)
    (run,) = load(archive(name)).runs
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
    assert_true(load(("report.zip", pack(files))), "gsm8k_n5_failed_requests")


def test_scalars_in_the_details_are_read_like_lists_of_one():
    files = members("gsm8k_n1")
    for path in [path for path in files if "/results/" in path]:
        content = json.loads(files[path])
        for entry in content["details"].values():
            for key in ("predictions", "references", "correct"):
                (entry[key],) = entry[key]
        content["details"]["type"] = content.pop("type")
        files[path] = json.dumps(content)
    assert_true(load(("report.zip", pack(files))), "gsm8k_n1")


def test_a_configuration_that_is_not_python_costs_a_note_only():
    files = members("multi_subset_n4")
    (path,) = [path for path in files if path.endswith(".py")]
    files[path] = b"models = [dict(abbr="
    report = load(("report.zip", pack(files)))
    assert_true(report, "multi_subset_n4")
    (note,) = report.notes
    assert "is not a Python configuration" in str(note.what)
    assert note.severity == "warning"


def test_a_configuration_is_never_run(tmp_path):
    files = members("gsm8k_n1")
    (path,) = [path for path in files if path.endswith(".py")]
    mark = tmp_path / "executed"
    files[path] += f"\nopen({str(mark)!r}, 'w').close()\n".encode()
    report = load(("report.zip", pack(files)))
    assert_true(report, "gsm8k_n1")
    assert not mark.exists()


def test_what_was_asked_for_and_is_absent_is_said():
    files = {
        path: data for path, data in members("gsm8k_n1").items() if "/beta-14b-chat/" not in path
    }
    (note,) = load(("report.zip", pack(files))).notes
    assert "beta-14b-chat/gsm8k" in str(note.what)


def test_more_predictions_than_asked_are_left_out():
    files = members("gsm8k_n3_num_prompts")
    (path,) = [path for path in files if path.endswith(".jsonl")]
    files[path] += files[path].splitlines(keepends=True)[0]
    report = load(("report.zip", pack(files)))
    assert_true(report, "gsm8k_n3_num_prompts")
    assert any(
        "beyond the 3 that a question was asked for are left out: 1." in note
        for note in notes(report.runs[0])
    )


def test_a_question_whose_requests_all_failed_is_a_row_of_failures():
    files = members("gsm8k_n3_num_prompts")
    (path,) = [path for path in files if path.endswith(".jsonl")]
    lines = files[path].splitlines(keepends=True)
    files[path] = b"".join(line for line in lines if json.loads(line)["id"] not in (4, 11))
    (run,) = load(("report.zip", pack(files))).runs
    assert run.outcomes.correct[[4, 11]].tolist() == [[FAILED] * 3] * 2
    others = np.delete(run.outcomes.correct, [4, 11], axis=0)
    wanted = np.delete(
        expected(truth("gsm8k_n3_num_prompts")["alpha-7b-chat"]["gsm8k"]), [4, 11], 0
    )
    assert others.tolist() == wanted.tolist()


@pytest.mark.parametrize("name", REPORTS)
def test_the_tool_s_reports_are_recognised(name):
    assert sniff(open_tree(archive(name)))


@pytest.mark.parametrize(
    "files",
    [
        {"results/alpha/results_2026.json": b'{"config_general": {}, "results": {}}'},
        {"predictions/alpha/gsm8k.jsonl": b'{"index": 0, "model_output": {}}'},
        {"report.json": b'{"total_instances": 3, "resolved_ids": []}'},
    ],
)
def test_other_tools_reports_are_not(files):
    assert not sniff(open_tree(("other.zip", pack(files))))


def test_a_report_of_which_nothing_can_be_read_is_refused():
    files = {"results/alpha/gsm8k.json": b'{"error": "No predictions found."}'}
    with pytest.raises(LoadError, match=r"evaluation failed \(No predictions found\.\)"):
        load(("report.zip", pack(files)))


def test_formulas_of_one_value_are_one_answer():
    """One sample writes 23 as a fraction."""
    (run, *_) = load(DATA / "math500_n3_missing_reference.zip").runs
    assert run.answer_labels.count("23") == 1
    assert not any(label.startswith("[") for label in run.answer_labels)
    files = members("math500_n3_missing_reference")
    assert any(rb"\\frac{253}{11}'" in data for name, data in files.items() if "results" in name)
