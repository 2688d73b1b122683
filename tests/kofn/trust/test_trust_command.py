"""``kofn trust``: what it says of reports whose verdicts are partly wrong, in every format."""

import csv
import io
import json
from pathlib import Path
from shutil import copy

import pytest

from kofn.choices.view import View
from kofn.command import main
from kofn.trust.analysis import trust
from kofn.trust.gate import TrustGate, judge
from reports import audit, load

DATA = Path(__file__).parents[2] / "data" / "verdicts"
HEAD = str(DATA / "head_n4.zip")


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    path = tmp_path_factory.mktemp("trust") / "trust.json"
    assert main(["trust", HEAD, "-o", str(path)]) == 0
    return json.loads(path.read_text())


def test_the_answer_names_the_run_that_is_furthest_off_and_what_turns_round(document):
    said = document["answer"]
    numbers = [each for each in document["numbers"] if each["reading"] == "judged"]
    mine = [each["value"] for each in numbers if each["run"].startswith("brook-7b / ")]
    value, rest = said.split(" (", 1)
    assert value == f"brook-7b solves {sum(mine) / 5:.1%}"
    assert ") on average over 5 datasets. Chance" in rest
    assert "Most in doubt is brook-7b / cmmlu-elementary_commonsense with 23.8%: " in said
    assert "doubtful verdicts by " in said
    assert "another model would lead in 3 of 5 comparisons of two models." in said


def test_numbers_are_those_of_the_readings(document):
    truth = json.loads((DATA / "head_n4.json").read_text())
    by_reading = {(row["run"], row["reading"]): row for row in document["numbers"]}
    assert len(by_reading) == 10 * 4
    for run, entry in truth.items():
        judged, read = by_reading[run, "judged"], by_reading[run, "read"]
        right = [verdict for row in entry["tool"] for verdict in row]
        really = [each == "right" for row in entry["truth"] for each in row]
        assert judged["value"] == pytest.approx(sum(right) / len(right))
        assert read["value"] == pytest.approx(sum(really) / len(really), abs=0.035)
        assert read["low"] < read["value"] < read["high"]
        least, most = by_reading[run, "least"]["value"], by_reading[run, "most"]["value"]
        assert least <= read["value"] <= most
        kinds = ("agrees", "missed", "generous", "divided", "unsupported")
        assert sum(judged[kind] for kind in kinds) == 160
        listed = [row["kind"] for row in document["samples"] if row["run"] == run]
        assert [listed.count(kind) for kind in kinds[1:]] == [judged[kind] for kind in kinds[1:]]


def test_comparisons_say_which_claims_survive(document):
    verdicts = {
        each["runs"][0].split(" / ")[1]: each["verdict"] for each in document["comparisons"]
    }
    assert verdicts == {
        "gsm8k": "turns",
        "GPQA_diamond": "rests",
        "cmmlu-elementary_commonsense": "turns",
        "ceval-logic": "open",
        "math_prm800k_500": "turns",
    }


@pytest.mark.wide
def test_doubtful_samples_are_a_list(document, capsys):
    assert main(["trust", HEAD, "--run", "brook-7b / gsm8k", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    of_run = [row for row in document["samples"] if row["run"] == "brook-7b / gsm8k"]
    assert [(row["question"], row["kind"]) for row in rows] == [
        (row["question"], row["kind"]) for row in of_run
    ]
    missed = [row for row in rows if row["kind"] == "missed"]
    assert len(missed) == 24
    assert all(row["stated"] == row["reference"] != row["extracted"] for row in missed)
    assert {row["correct"] for row in missed} == {"0"}


@pytest.mark.wide
def test_too_many_doubtful_verdicts_fail(capsys):
    assert main(["trust", HEAD, "--run", "atlas-8b", "--fail-doubtful", "2%"]) == 1
    said = capsys.readouterr().out
    assert (
        "failed: atlas-8b / gsm8k: 8.1% of the verdicts contradict their texts; 2.0% may." in said
    )
    assert main(["trust", HEAD, "--run", "atlas-8b", "--fail-doubtful", "0.3"]) == 0
    assert main(["trust", HEAD, "--fail-doubtful", "many"]) == 2
    assert "fail-doubtful must be" in capsys.readouterr().err


def test_a_run_whose_texts_cannot_be_read_says_why(capsys):
    report = DATA.parent / "aisbench" / "textvqa_n3.zip"
    assert main(["trust", str(report)]) == 0
    assert "not options, numbers, formulas or short texts" in capsys.readouterr().out
    assert main(["trust", str(report), "--fail-doubtful", "0.02"]) == 2


def test_a_run_without_a_text_neither_passes_nor_fails():
    (run,) = load(("t.csv", b"question_id,correct,prediction,reference\n1,1,,B\n2,0,,B")).runs
    (verdict,) = judge((), trust({"t / t": run}, View()), TrustGate(most=0.02)).verdicts
    assert verdict.passed is None
    assert str(verdict.sentence) == "t / t: no final answer was found in its texts."


def test_answers_without_a_statement_may_be_guesses(tmp_path, capsys):
    """Of 60 that state none, 15 are right, as one of four is by chance."""
    path = tmp_path / "t.csv"
    lines = ["question_id,correct,reference,prediction"]
    lines += [f"{q},{int(q % 4 == 0)},B,I cannot say." for q in range(60)]
    lines += [f"{q},1,B,The answer is B." for q in range(60, 100)]
    path.write_text("\n".join(lines))
    assert main(["trust", str(path), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (guessed,) = document["guesses"]
    assert (guessed["right"], guessed["answers"], guessed["options"]) == (15, 60, 4)
    assert guessed["share"] == 0.15
    assert main(["trust", str(path)]) == 0
    assert "as guessing among 4 gives: 15.0 points of the average" in capsys.readouterr().out


OLD = str(DATA / "old_gpqa_n4.zip")


@pytest.fixture(scope="module")
def truths():
    """Whether each sample is right, by model, question and sample; None where that is open."""
    held = json.loads((DATA / "old_gpqa_n4.json").read_text())
    return {
        (run.model, question, place): {"right": 1, "wrong": 0}.get(said)
        for run in load(OLD).runs
        for question, row in zip(
            run.outcomes.questions, held[f"{run.model} / {run.dataset}"]["truth"], strict=True
        )
        for place, said in enumerate(row)
    }


def test_a_list_is_written_filled_in_and_gives_the_number_of_the_truth(tmp_path, truths, capsys):
    path = tmp_path / "look.csv"
    assert main(["trust", OLD, "--to-label", str(path), "--all"]) == 0
    assert "160 give" in capsys.readouterr().out
    rows = list(csv.DictReader(path.read_text().splitlines(keepends=True)))
    assert "correct" not in rows[0]
    assert rows[0]["prediction"]
    assert rows[0]["reference"] in "ABCD"
    for row in [each for each in rows if each["model"] == "brook-7b"][:100]:
        right = truths[row["model"], row["question_id"], int(row["sample"])]
        row["human" if right is not None else "human_unsure"] = 1 if right is None else right
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert main(["trust", OLD, "--labels", str(path), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (found,) = document["labelled"]
    assert (found["run"], found["labels"]) == ("brook-7b / GPQA_diamond", 100)
    known = [right for (model, *_), right in truths.items() if model == "brook-7b"]
    assert found["low"] < sum(filter(None, known)) / len(known) < found["high"]
    assert found["value"] == pytest.approx(0.6, abs=0.06)
    assert main(["trust", OLD, str(path)]) == 0
    assert "By 100 labels avg@n is" in capsys.readouterr().out
    assert main(["trust", OLD, "--labels", str(path), "--metric", "pass@k"]) == 0
    assert "By 100 labels" not in capsys.readouterr().out


def test_a_list_is_never_written_over_another_and_a_wrong_one_is_refused(tmp_path, capsys):
    path = tmp_path / "look.csv"
    path.write_text("mine")
    assert main(["trust", OLD, "--to-label", str(path)]) == 2
    assert "exists already and may hold labels" in capsys.readouterr().err
    assert path.read_text() == "mine"
    assert main(["trust", OLD, "--to-label", str(tmp_path / "no" / "look.csv")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["trust", OLD, "--labels", OLD]) == 2
    assert "is no list of samples with labels" in capsys.readouterr().err
    header = "model,dataset,question_id,sample,why,human,human_probability\n"
    path.write_text(header + "other,GPQA_diamond,0,0,at random,1,0.5\n")
    assert main(["trust", OLD, "--labels", str(path)]) == 2
    assert "holds labels, but of none of the loaded runs" in capsys.readouterr().err
    report = DATA.parent / "aisbench" / "textvqa_n3.zip"
    assert main(["trust", str(report), "--to-label", str(tmp_path / "new.csv")]) == 2
    assert not (tmp_path / "new.csv").exists()


def test_questions_are_listed_by_what_their_texts_say(capsys):
    flags = ["--a", "brook-7b / GPQA_diamond", "--format", "csv", "--filter"]
    assert main(["questions", OLD, *flags, "generous"]) == 0
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    run = next(run for run in load(OLD).runs if run.model == "brook-7b")
    kinds = audit(run).codes
    expected = [q for q, row in zip(run.outcomes.questions, kinds, strict=True) if 2 in row]
    assert [row["question"] for row in rows] == expected
    assert main(["questions", HEAD, "--a", "atlas-8b / gsm8k", "--filter", "missed"]) == 0
    report = DATA.parent / "aisbench" / "textvqa_n3.zip"
    capsys.readouterr()
    assert main(["questions", str(report), "--filter", "missed"]) == 2
    assert "not options, numbers, formulas or short texts" in capsys.readouterr().out


def test_overview_reads_texts_only_if_asked(tmp_path, capsys):
    unread = str(copy(OLD, tmp_path))
    assert main(["overview", unread]) == 0
    assert "as its texts read" not in capsys.readouterr().out
    assert main(["overview", unread, "--verdicts", "--format", "json"]) == 0
    (dataset,) = json.loads(capsys.readouterr().out)["datasets"]
    said = " ".join(dataset["careful"])
    assert "furthest off is brook-7b / GPQA_diamond, with 21.9% as judged and 60.6%" in said
    assert "Whether atlas-8b or brook-7b is better depends on which answers count" in said
