"""Expected numbers against runs: statuses, sentences, causes, and two reports of one set."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.trust.analysis import trust
from kofn.trust.checks import check_run
from kofn.trust.expectations import Expecting
from kofn.trust.words import answer, setting_in_words
from metrics import Outcomes, reproduces
from metrics.data.outcomes import ABSENT
from reports import Run, load, same_answers
from reports.readings.versions import version_of
from tests.kofn.references.test_references import runs as runs_of_models

DATA = Path(__file__).parents[2] / "data" / "verdicts"
OLD, HEAD = str(DATA / "old_gpqa_n4.zip"), str(DATA / "head_n4.zip")
GPQA = ["--run", "brook-7b / GPQA_diamond"]


def flipping(n=16, right=12, wrong=12, flaky=6):
    each = [[1] * n] * right + [[0] * n] * wrong + [[1, 0] * (n // 2)] * flaky
    return Run("7B", "aime", Outcomes(np.array(each)), settings={"max_tokens": 2048})


def said(run, *expect, margin=None):
    cards = trust({"7B / aime": run}, View(), None, Expecting(expect, margin))
    return str(answer(cards)), [check for card in cards for check in card.found.checks]


def test_what_is_said_of_a_number():
    run = flipping()
    text, (check,) = said(run, "aime:avg@16=51.5%")
    assert check.passed is True
    assert text.startswith("7B / aime, avg@n: 50.0% agrees with the stated 51.5%: two honest runs ")
    assert "of 16 samples on these 30 questions differ by up to" in text
    assert "is surely lower than the stated 70%, by " in said(run, "70%")[0]
    assert "is surely higher than the stated 20%, by " in said(run, "20%")[0]
    text, (check,) = said(run, "54%")
    assert check.passed is None
    assert "that depends on how many samples a question are behind it" in text
    text, (check,) = said(run, "aime:avg@16=50%", margin=0.1)
    assert text.startswith("7B / aime, avg@n: Passed: 50.0% reproduces the stated 50% within 10.0")
    text, (check,) = said(run, "aime:avg@64=50%", margin=0.02)
    assert "Not decided" in text
    assert f"About {check.found.samples_to_decide:,} samples a question would decide" in text
    assert "Failed: 50.0% is surely more than 5.0 points lower" in said(run, "70%", margin=0.05)[0]


def test_other_questions_are_not_these(tmp_path):
    path = tmp_path / "expected.yaml"
    path.write_text("- {value: 60%, n: 16, questions: 500, max_out_len: 32768, top_p: 0.95}\n")
    text, (check,) = said(flipping(), str(path))
    truth = reproduces(
        flipping(), "avg@n", "60%", stated_n=16, stated_questions=500, target="population"
    )
    assert check.found.interval == truth.interval
    assert check.found.mine.target == "population"
    assert check.passed is True
    assert "on 500" not in text
    assert "on 30 questions like these" in text
    missing = next(cause for cause in check.causes if cause.kind == "missing")
    assert (missing.count, missing.all) == (470, 500)
    assert [(each.name, each.mine, each.stated) for each in check.settings] == [
        ("top_p", None, 0.95),
        ("max_tokens", 2048, 32768),
    ]


def test_several_numbers_are_judged_together():
    """One of forty that lies just outside alone is no surprise."""
    run = flipping()
    _, (alone,) = said(run, "aime:avg@64=54.9%")
    assert alone.passed is False
    text, checks = said(run, "aime:avg@64=54.9%", *["aime:avg@64=50%"] * 39)
    assert checks[0].passed is True
    assert text == "40 of 40 numbers are as expected."
    text, _ = said(run, "90%", "50%")
    assert text.startswith("1 of 2 numbers are as expected. 1 differs: 7B / aime, avg@n: 50.0% is")


@pytest.mark.parametrize(
    ("flags", "status"),
    [
        (["--expect", "22%"], 0),
        (["--expect", "59%"], 1),
        (["--expect", "5%"], 1),
        (["--expect", "5%", "--margin", "0.01"], 0),
        (["--expect", "59%", "--margin", "0.01"], 1),
        (["--expect", "22%", "--margin", "0.01"], 0),
        (["--expect", "22%", "--margin", "0.01", "--strict"], 3),
        (["--expect", "22"], 0),
        (["--expect", "avg@8=59"], 1),
        (["--expect", "gsm8k:avg@n=22%"], 2),
        (["--expect", "much"], 2),
        (["--margin", "0.01"], 2),
        (["--strict"], 2),
    ],
)
def test_the_status_is_what_a_script_needs(flags, status, capsys):
    assert main(["trust", OLD, *GPQA, *flags, "--format", "md"]) == status
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    if flags == ["--expect", "22"]:
        assert "agrees with the stated 22%" in printed.out


@pytest.mark.parametrize("flags", [[], ["--run", "brook-7b"]])
def test_a_single_finding_is_told_once(flags, capsys):
    assert main(["trust", OLD, *GPQA, "--expect", "59", *flags]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("is surely lower than the stated 59%") == 1
    assert main(["trust", OLD, *GPQA, "--expect", "59", "--expect", "58", *flags]) == 1
    assert "failed: " in capsys.readouterr().out


def test_one_set_of_answers_is_explained_by_the_rules_that_judged_it(capsys):
    assert main(["trust", OLD, *GPQA, "--expect", HEAD, "--format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert "Of 160 verdicts 17 became wrong and 10 right" in document["answer"]
    assert "the first letter after “Answer:”, as AISBench did before 6 Augu" in document["answer"]
    (row,) = document["expected"]
    assert (row["finding"], row["explained_by"], row["passed"]) == ("lower", "rule", False)
    assert (row["same_answers"], row["to_right"], row["to_wrong"]) == (160, 10, 17)
    assert row["difference"] == pytest.approx(-7 / 160)
    assert row["p_value"] is row["difference_low"] is None
    old, new = (_verdicts(path) for path in (OLD, HEAD))
    assert len(document["changed"]) == 27
    for each in document["changed"]:
        at = each["question"], each["sample"]
        assert (old[at], new[at]) == ((1, 0) if each["became"] == "right" else (0, 1))
    assert main(["trust", HEAD, *GPQA, "--expect", HEAD]) == 0
    for form in ("latex", "md", "csv"):
        assert main(["trust", OLD, *GPQA, "--expect", HEAD, "--format", form]) == 1


def _verdicts(path):
    (run,) = (
        run for run in load(path).runs if (run.model, run.dataset) == ("brook-7b", "GPQA_diamond")
    )
    return {
        (question, place): verdict
        for question, row in zip(run.outcomes.questions, run.outcomes.correct, strict=True)
        for place, verdict in enumerate(row.tolist())
    }


@pytest.mark.parametrize(
    ("beside", "metric", "by"),
    [
        ([0, 0, 0, 0], ("avg@n", None), 0.15),
        ([1, 0, ABSENT, ABSENT], ("pass@k", 4), 0.0),  # unknown, since they have two samples
    ],
)
def test_questions_beside_those_of_another_run_move_the_number(beside, metric, by):
    def run(rows, heat):
        outcomes = Outcomes(rows, questions=[f"q{q}" for q in range(len(rows))])
        return Run("7B", "aime", outcomes, settings={"temperature": heat})

    both = [[1, 0, 1, 1]] * 20
    mine, other = run([*both, *[beside] * 5], 0.2), run(both, 0.6)
    check = check_run(mine, ("other", other), (), View(), metric)
    causes = {cause.kind: cause for cause in check.causes}
    assert (causes["others"].count, causes["others"].all) == (5, 25)
    assert (causes["others"].low, causes["others"].high) == pytest.approx((by, by))
    assert [setting_in_words(each).fields["stated"] for each in check.settings] == ["0.6"]
    assert (causes["settings"].low, causes["settings"].high) == (0, 0), "nobody knows"


def test_only_long_texts_that_are_nearly_all_the_same_are_one_set():
    def run(name, texts, verdict=1):
        rows = "question_id,correct,prediction"
        rows += "".join(f"\n{q},{verdict},{text}" for q, text in enumerate(texts))
        return load((f"{name}.csv", rows.encode())).runs[0]

    long = [f"The answer to question {q} needs some thought and so it is {q}." for q in range(40)]
    found = same_answers(run("a", long, 0), run("b", long, 1))
    assert (found.shared, len(found.to_right), len(found.to_wrong)) == (40, 40, 0)
    others = [text.replace("some", "more") for text in long]
    assert same_answers(run("a", long), run("b", others)) is None
    assert same_answers(run("a", long), run("b", long[:36] + others[36:])) is None
    assert same_answers(run("a", long), run("b", long[:39] + others[39:])) is not None
    assert same_answers(run("a", ["A"] * 40), run("b", ["A"] * 40)) is None


def test_samples_are_the_same_in_whatever_order_they_stand():
    def run(order):
        rows = "question_id,sample,correct,prediction\n" + "\n".join(
            f"{q},{at},{int(s == 0)},Some long text on question {q} that is number {s} of three."
            for q in range(9)
            for at, s in enumerate(order)
        )
        return load(("t.csv", rows.encode())).runs[0]

    found = same_answers(run((0, 1, 2)), run((2, 0, 1)))
    assert (found.shared, found.changed) == (27, 0)


def test_the_version_of_a_rule_is_found_only_where_one_gives_all_verdicts():
    (run,) = (each for each in load(OLD).runs if each.model == "atlas-8b")
    assert "did before 6 August 2026" in str(version_of(run))
    assert version_of(flipping()) is None


def test_within_a_margin_one_set_of_answers_reproduces_itself_without_chance():
    whose = ("brook-7b", "GPQA_diamond")
    other, mine = (
        next(run for run in load(path).runs if (run.model, run.dataset) == whose)
        for path in (HEAD, OLD)
    )
    by = mine.outcomes.correct.mean() - other.outcomes.correct.mean()

    def ruled(margin):
        return check_run(mine, ("other", other), (), View(), ("avg@n", None), margin).finding

    assert (ruled(None), ruled(-by + 0.001), ruled(-by - 0.001)) == ("lower", "reproduced", "lower")


@pytest.mark.parametrize("texts", [False, True])
def test_what_moved_another_metric_than_the_one_shown_is_found_for_that(texts):
    if texts:
        rows = [f"q{q},{s},{s % 2},B,The answer is B." for q in range(8) for s in range(4)]
        head = "question_id,sample,correct,reference,prediction"
        (run,) = load(("t.csv", "\n".join([head, *rows]).encode())).runs
        runs = {"t / t": run}
    else:
        runs = runs_of_models()
        odd = runs["m0 / d"].outcomes.correct.copy()
        odd[:, 3] = 0
        runs["m0 / d"] = replace(runs["m0 / d"], outcomes=Outcomes(odd))
    expected = trust(runs, View(metric="pass@k", k=(2,)))
    found = trust(runs, View(), None, Expecting(("pass@2=50%",)))
    for truth, card in zip(expected, found, strict=True):
        (check,) = card.found.checks
        causes, told = (
            [cause for cause in each if cause.kind != "chance"]
            for each in (truth.found.causes, check.causes)
        )
        assert told == causes
    kinds = {cause.kind for card in expected for cause in card.found.causes}
    assert kinds == ({"chance", "missed"} if texts else {"chance", "references", "replicas"})


@pytest.mark.wide
def test_compare_says_the_same_of_one_set_and_states_no_p_value(capsys):
    runs = [f"brook-7b / GPQA_diamond ({name}_n4.zip)" for name in ("old_gpqa", "head")]
    flags = [flag for run in runs for flag in ("--run", run)]
    assert main(["compare", OLD, HEAD, *flags, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert "hold the same answers, judged by two rules" in document["answer"]
    assert "changes 17 to right and 10 to wrong" in document["answer"]
    assert all(row["p_value"] is None for row in document["compare"])


def test_a_gate_judges_one_set_of_answers_without_chance(capsys):
    runs = [f"brook-7b / GPQA_diamond ({name}_n4.zip)" for name in ("old_gpqa", "head")]
    flags = [flag for run in runs for flag in ("--run", run)]
    lost = 7 / 160  # 17 verdicts turn one way, 10 the other, of 160
    for files, margin, status in (
        ((OLD, HEAD), 0.01, 0),
        ((HEAD, OLD), lost - 0.001, 1),
        ((HEAD, OLD), lost + 0.001, 0),
    ):
        asked = ["compare", *files, *flags, "--margin", str(margin), "--strict"]
        assert main(asked) == status
        assert "hold the same answers, judged by two rules" in capsys.readouterr().out
