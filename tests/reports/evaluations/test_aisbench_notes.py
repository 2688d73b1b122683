"""What is said of real reports: failures, dropped questions, what is regrouped or left out."""

import json

from metrics.data.outcomes import FAILED
from reports import load
from tests.reports.evaluations.aisbench_archives import archive, assert_true, loaded, members, notes
from tests.reports.evaluations.mixed_reports import packed, predicted, written
from tests.reports.mutations import zipped


def test_regrouping_is_said_with_its_effect():
    (run,) = loaded(archive("custom_mcq_n4")).runs
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
    for run in loaded(archive("gsm8k_n1")).runs:
        assert run.notes == ()


def test_failed_requests_are_counted():
    (run,) = loaded(archive("gsm8k_n5_failed_requests")).runs
    assert (run.outcomes.correct == FAILED).sum() == 11
    assert (run.answers[run.outcomes.correct == FAILED] == -1).all()
    (note,) = [note for note in run.notes if note.where.endswith("gsm8k.jsonl")]
    assert note.count == 11
    assert "11 of 200 requests failed" in str(note.what)


def test_a_dropped_question_is_named():
    (run,) = loaded(archive("math500_n3_missing_reference")).runs
    assert any("leave out 1 of 24 questions (id 5)" in note for note in notes(run, "warning"))


def test_the_last_sample_s_accuracy_is_called_that():
    run = loaded(archive("multi_subset_n4")).runs[4]
    assert run.dataset == "lukaemon_mmlu_marketing"
    (note,) = notes(run, "warning")
    assert "58.3%, covers only the last of 4 samples" in note
    assert "over all samples it is 45.8%" in note


def test_what_was_asked_for_and_is_absent_is_said():
    files = {
        path: data for path, data in members("gsm8k_n1").items() if "/beta-14b-chat/" not in path
    }
    (note,) = load(("report.zip", zipped(files))).notes
    assert "beta-14b-chat/gsm8k" in str(note.what)


def test_more_predictions_than_asked_are_left_out():
    files = members("gsm8k_n3_num_prompts")
    (path,) = [path for path in files if path.endswith(".jsonl")]
    files[path] += files[path].splitlines(keepends=True)[0]
    report = load(("report.zip", zipped(files)))
    assert_true(report, "gsm8k_n3_num_prompts")
    assert any(
        "more than the 3 predictions that were requested; the surplus of 1 is left out." in note
        for note in notes(report.runs[0])
    )


def test_a_question_whose_requests_all_failed_is_a_row_of_failures():
    counts = [3, 0, 2, 3, 0]
    correct = [[int(r < count) for r in range(3)] for count in counts]
    golds = list("ABCDE")
    (run,) = load(packed(written(correct, golds, counts=counts), predicted(counts, golds))).runs
    none = [FAILED] * 3
    assert run.outcomes.correct.tolist() == [[1] * 3, none, [1, 1, FAILED], [1] * 3, none]


def test_predictions_that_are_lost_do_not_make_requests_fail():
    files = members("gsm8k_n3_num_prompts")
    (path,) = [path for path in files if path.endswith(".jsonl")]
    lines = files[path].splitlines(keepends=True)
    files[path] = b"".join(line for line in lines if json.loads(line)["id"] not in (4, 11))
    report = load(("report.zip", zipped(files)))
    assert_true(report, "gsm8k_n3_num_prompts")
    said = notes(report.runs[0])
    assert any("incomplete: 6 of 36 are missing" in note for note in said)
    assert not any("failed. The tool" in note for note in said)
