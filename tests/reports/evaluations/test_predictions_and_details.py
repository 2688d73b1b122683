"""Predictions that are cut short, torn, swapped or numbered, beside details or alone."""

import json
import random
from collections import Counter

import numpy as np
import pytest

from kofn import card
from kofn.command import main
from metrics import MetricError, estimate
from metrics.data.outcomes import FAILED
from metrics.estimating.applicability import UNGROUPED
from reports import load
from tests.reports.evaluations.aisbench_archives import (
    REPORTS,
    archive,
    assert_true,
    expected,
    loaded,
    members,
    notes,
    truth,
)
from tests.reports.mutations import zipped

WITH_DETAILS = ["gsm8k_n5_two_models", "math500_n8", "custom_mcq_n4", "textvqa_n3"]


def lines_of(files):
    return {path: data.splitlines(keepends=True) for path, data in files.items() if is_jsonl(path)}


def is_jsonl(path):
    return path.endswith(".jsonl") and "_failed" not in path and "/tmp/" not in path


def at_the_end(lines):
    return lines[: len(lines) // 2]


def anywhere(lines):
    chosen = random.Random(7).sample(range(len(lines)), len(lines) // 2)
    return [lines[i] for i in sorted(chosen)]


def all_but_one(lines):
    return lines[:-1]


@pytest.mark.wide
@pytest.mark.parametrize("cut", [at_the_end, anywhere, all_but_one])
@pytest.mark.parametrize("name", WITH_DETAILS)
def test_details_tell_what_cut_predictions_do_not(name, cut):
    files = members(name)
    files |= {path: b"".join(cut(lines)) for path, lines in lines_of(files).items()}
    report = load(("report.zip", zipped(files)))
    assert_true(report, name)
    for run in report.runs:
        assert any("The predictions are incomplete" in note for note in notes(run, "warning"))
        assert not any("The tool judges an empty answer" in note for note in notes(run))
        (path,) = [path for path in lines_of(files) if f"/{run.model}/{run.dataset}" in path]
        held = Counter(json.loads(line)["id"] for line in lines_of(files)[path])
        for question in range(len(run.outcomes.questions)):
            said = run.texts(str(question)).predictions
            assert all(said) if held[question] == len(said) else not any(said)


def test_requests_that_failed_are_no_lost_predictions():
    report = loaded(archive("gsm8k_n5_failed_requests"))
    assert_true(report, "gsm8k_n5_failed_requests")
    assert any("11 of 200 requests failed" in note for note in notes(report.runs[0]))


def test_what_else_is_lost_leaves_open_which_requests_failed():
    files = members("gsm8k_n5_failed_requests")
    files |= {path: b"".join(anywhere(lines)) for path, lines in lines_of(files).items()}
    (run,) = load(("report.zip", zipped(files))).runs
    entry = truth("gsm8k_n5_failed_requests")[run.model][run.dataset]
    assert run.outcomes.correct.tolist() == entry["correct"]
    assert any("cannot tell which requests failed" in note for note in notes(run))


@pytest.mark.wide
@pytest.mark.parametrize("right", [True, False])
def test_a_torn_last_line_loses_that_sample(right):
    """The last line of the last sample of a question, so that no other takes its place."""
    name = "gsm8k_demo_n5_nodump"
    files, entries = members(name), truth(name)["alpha-7b-chat"]
    for path, lines in lines_of(files).items():
        correct = np.array(entries[path.split("/")[-1].removesuffix(".jsonl")]["correct"])
        question = int(np.flatnonzero(correct[:, -1] == right)[0])
        ids = [json.loads(line)["id"] for line in lines]
        last = max(i for i, id in enumerate(ids) if id == question)
        whole = lines[:last] + lines[last + 1 :]
        files[path] = b"".join(whole) + lines[last][: len(lines[last]) // 2]
        correct[question, -1] = FAILED
        (run,) = [
            run
            for run in load(("report.zip", zipped(files))).runs
            if f"/{run.dataset}.jsonl" in path
        ]
        assert run.outcomes.correct.tolist() == correct.tolist()
        assert run.verified is (None if right else True)
        assert any("is incomplete" in note for note in notes(run, "warning"))
        assert not any("failed" in note for note in notes(run))
        assert run.texts(str(question)).predictions[-1] is None
        assert all(run.texts(str(question)).predictions[:-1])


def test_what_is_left_of_a_torn_line_may_be_no_object():
    files = members("gsm8k_n5_two_models")
    files |= {path: b"".join(lines[:-1]) + b"0.5" for path, lines in lines_of(files).items()}
    for run in load(("report.zip", zipped(files))).runs:
        assert any("is incomplete" in note for note in notes(run, "warning"))
        said = [run.texts(question).predictions for question in run.outcomes.questions]
        assert sum(map(all, said)) == len(said) - 1


def test_a_line_that_is_damaged_elsewhere_is_still_a_problem():
    files = members("gsm8k_demo_n5_nodump")
    for path, lines in lines_of(files).items():
        files[path] = b"".join([lines[0][:50] + b"\n", *lines[1:]])
    for run in load(("report.zip", zipped(files))).runs:
        assert run.outcomes is None
        assert any("line 1" in note for note in notes(run, "problem"))


@pytest.mark.wide
@pytest.mark.parametrize("configured", [True, False])
def test_predictions_of_another_model_are_not_shown_as_judged(configured):
    name = "gsm8k_n5_two_models"
    files = {path: data for path, data in members(name).items() if configured or ".py" not in path}
    first, second = lines_of(files)
    files[first], files[second] = files[second], files[first]
    report = load(("report.zip", zipped(files)))
    for run in report.runs:
        entry = truth(name)[run.model][run.dataset]
        assert run.outcomes.correct.tolist() == expected(entry).tolist()
        (note,) = [
            note for note in run.notes if "not the predictions that were judged" in str(note.what)
        ]
        assert (note.severity, note.where.endswith(".jsonl")) == ("warning", True)
        assert not any(run.texts("0").predictions)


@pytest.mark.wide
@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize("name", REPORTS)
def test_nobody_s_own_predictions_are_taken_for_another_s(name, configured):
    files = {path: data for path, data in members(name).items() if configured or ".py" not in path}
    for run in load(("report.zip", zipped(files))).runs:
        assert not any("not the predictions that were judged" in note for note in notes(run))


def numbered(lines, order, kept):
    """The lines as the members of an object, as older versions write them."""
    records = [json.loads(line) for line in lines]
    seen = Counter()
    placed = []
    for record in records:
        placed.append((record["id"], seen[record["id"]], record))
        seen[record["id"]] += 1
    if order == "by replica":
        placed.sort(key=lambda one: (one[1], one[0]))
    elif order == "by question":
        placed.sort(key=lambda one: (one[0], one[1]))
    rows = [{key: value for key, value in record.items() if key in kept} for *_, record in placed]
    return json.dumps({str(i): row for i, row in enumerate(rows)})


ALL = {"prediction", "gold", "origin_prompt", "id"}


@pytest.mark.parametrize("order", ["by replica", "by question", "as they came"])
@pytest.mark.parametrize("kept", [ALL, ALL - {"id"}, ALL - {"id", "origin_prompt"}, ALL - {"gold"}])
def test_numbered_predictions_are_grouped_by_what_they_hold(order, kept):
    name = "gsm8k_demo_n5_nodump"
    files = members(name)
    for path, lines in lines_of(files).items():
        files[path.removesuffix("l")] = numbered(lines, order, kept)
        del files[path]
    for run in load(("report.zip", zipped(files))).runs:
        entry = truth(name)[run.model][run.dataset]
        if "gold" not in kept:
            assert run.outcomes is None
            continue
        shares = sorted(map(sum, entry["correct"]))
        assert (run.verified, run.grouping) == (True, "proven")
        assert sorted(run.outcomes.correct.sum(axis=1).tolist()) == shares
        assert estimate(run.outcomes, "pass@k", 5).value == pytest.approx(
            np.mean([share > 0 for share in shares])
        )
        if order != "as they came" or "id" in kept:
            assert run.outcomes.correct.sum(axis=1).tolist() == list(map(sum, entry["correct"]))
        assert all(all(run.texts(question).predictions) for question in run.outcomes.questions)


@pytest.mark.wide
@pytest.mark.parametrize("order", ["by replica", "by question"])
def test_numbered_predictions_beside_details_keep_their_texts_and_failures(order):
    name = "gsm8k_n5_failed_requests"
    files = members(name)
    whole = load(("report.zip", zipped(files))).runs[0]
    for path, lines in lines_of(files).items():
        files[path.removesuffix("l")] = numbered(lines, order, ALL)
        del files[path]
    report = load(("report.zip", zipped(files)))
    assert_true(report, name)
    for question in whole.outcomes.questions:
        assert report.runs[0].texts(question).predictions == whole.texts(question).predictions


CONFIG = """
models = [dict(abbr='alpha', type='{tool}.Model', generation_kwargs=dict(num_return_sequences={n}))]
datasets = [dict(abbr='quiz', eval_cfg=dict(evaluator=dict(type='{tool}.Gsm8kEvaluator')))]
"""


def alike(tool="ais_bench", prompts=None):
    """Four questions of one reference and the same prompt: right, right, wrong, wrong twice."""
    said = [7, 7, 0, 0, 7, 7, 0, 0]
    rows = {
        str(i): {
            "prediction": f"so {x}",
            "gold": "#### 7",
            "origin_prompt": (prompts or ["?"] * 8)[i],
        }
        for i, x in enumerate(said)
    }
    stated = {"accuracy (2 runs average)": 50.0, "avg@2": 50.0, "pass@2": 100.0}
    return {
        "run/configs/20261120_080955_1.py": CONFIG.format(tool=tool, n=2),
        "run/results/alpha/quiz.json": json.dumps(stated),
        "run/predictions/alpha/quiz.json": json.dumps(rows),
    }


@pytest.mark.parametrize("tool", ["ais_bench", "opencompass"])
def test_where_nothing_tells_the_questions_only_means_are_given(tool, tmp_path, capsys):
    path = tmp_path / "report.zip"
    path.write_bytes(zipped(alike(tool)))
    (run,) = load(path).runs
    assert (run.verified, run.grouping) == (True, "unknown")
    assert estimate(run.outcomes, "avg@n").value == 0.5
    for metric in ("pass@k", "cons@n", "pass^k", "maj@k", "bayes@n"):
        with pytest.raises(MetricError, match=str(UNGROUPED)[:40]):
            estimate(run.outcomes, metric, target="benchmark")
    assert estimate(run.outcomes, "avg@n").interval is None
    assert not card.is_verified(run)
    assert any("pass@k and cons@k cannot be computed" in note for note in notes(run, "warning"))
    main(["score", str(path), "--format", "json"])
    rows = {row["metric"]: row for row in json.loads(capsys.readouterr().out)["scores"]}
    assert rows["avg@n"]["value"] == 0.5
    assert (rows["pass@k"]["value"], rows["pass@k"]["grouping"]) == (None, "unknown")
    assert rows["pass@k"]["reason"] == str(UNGROUPED)


@pytest.mark.parametrize("tool", ["ais_bench", "opencompass"])
def test_prompts_tell_the_questions_where_references_do_not(tool):
    by_replica = [f"{i % 4}?" for i in range(8)]
    by_question = [f"{i // 2}?" for i in range(8)]
    (run,) = load(("report.zip", zipped(alike(tool, prompts=by_replica)))).runs
    assert (run.grouping, run.outcomes.correct.tolist()) == (
        "proven",
        [[1, 1], [1, 1], [0, 0], [0, 0]],
    )
    (run,) = load(("report.zip", zipped(alike(tool, prompts=by_question)))).runs
    assert (run.grouping, run.outcomes.correct.tolist()) == (
        "proven",
        [[1, 1], [0, 0], [1, 1], [0, 0]],
    )


@pytest.mark.parametrize("subcommand", ["curve", "consistency", "choose-n", "guide"])
def test_no_command_makes_more_of_ungrouped_samples(subcommand, tmp_path, capsys):
    path = tmp_path / "report.zip"
    path.write_bytes(zipped(alike()))
    assert main([subcommand, str(path)]) == 2
    said = capsys.readouterr()
    assert str(UNGROUPED)[:40] in " ".join((said.out + said.err).split())


@pytest.mark.parametrize(("prompts", "grouping"), [("0011", "proven"), ("0000", "stated")])
def test_details_of_single_samples_are_grouped_by_prompts_or_as_the_tool_does(prompts, grouping):
    details = {
        str(i): {"prompt": f"{prompts[i]}?", "predictions": said, "references": "A"}
        for i, said in enumerate("AABA")
    }
    files = {
        "run/configs/20261120_080955_1.py": CONFIG.format(tool="ais_bench", n=2).replace(
            "Gsm8k", "Acc"
        ),
        "run/results/alpha/quiz.json": json.dumps({"accuracy": 100.0, "details": details}),
    }
    (run,) = load(("report.zip", zipped(files))).runs
    assert (run.outcomes.correct.tolist(), run.grouping) == ([[1, 1], [0, 1]], grouping)


@pytest.mark.wide
@pytest.mark.parametrize(("changed", "said"), [(0, False), (2, False), (3, True), (9, True)])
def test_three_predictions_without_the_answer_that_was_judged_are_of_another_file(changed, said):
    files = members("gsm8k_n5_two_models")
    path, lines = next(iter(lines_of(files).items()))
    for i in range(0, 2 * changed, 2):  # every other line of so many is looked at
        lines[i] = json.dumps(json.loads(lines[i]) | {"prediction": "So it is 987654."}).encode()
    files[path] = b"\n".join(line.rstrip(b"\n") for line in lines) + b"\n"
    told = [
        note
        for run in load(("report.zip", zipped(files))).runs
        for note in run.notes
        if "not the predictions that were judged" in str(note.what)
    ]
    assert [note.count for note in told] == [changed] * said
