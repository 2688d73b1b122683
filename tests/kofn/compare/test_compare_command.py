"""Which run is better: the sentence, the numbers of the library, and each way there is nothing."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kofn.card import cards_by_dataset
from kofn.choices.focus import Focus
from kofn.choices.view import View
from kofn.command import main
from kofn.compare.analysis import card_in_detail, compare_runs, rank_runs
from kofn.compare.choices import CompareChoices
from kofn.compare.columns import COMPARED, TOGETHER, pairs_of_models
from kofn.compare.command import match_shown
from kofn.compare.words import answer, power_in_words
from kofn.leaderboard.pairs import match_by_texts
from kofn.rank.columns import RANKED
from kofn.rank.words import answer as rank_answer
from kofn.terminal import waiting
from kofn.writing.columns import dtypes, rows
from metrics import (
    Outcomes,
    best_of_suites,
    compare,
    compare_segments,
    compare_suite,
    lead,
    plan,
    rank,
)
from reports import Match, load
from reports.run.report import Run
from tests.kofn.indexed import HOSTILE, index
from tests.pages.visiting import table

CAPTURED = pytest.CaptureFixture[str]
SAMPLE = "sample_data/aisbench_report.zip"


def solved(model: str, *counts: int, n: int = 4, dataset: str = "maths", **more) -> Run:
    """A run by how many samples of each question are right."""
    correct = [[1] * count + [0] * (n - count) for count in counts]
    return Run(model, dataset, Outcomes(correct), **more)


def drawn(model: str, ease: float, dataset: str = "maths", m: int = 60, n: int = 8) -> Run:
    rng = np.random.default_rng([ord(model[0]), len(dataset)])
    hard = np.random.default_rng(7).random((m, 1))
    correct = (rng.random((m, n)) < np.clip(1 - hard * ease, 0, 1)).astype(int)
    return Run(model, dataset, Outcomes(correct))


GOOD, FAIR, POOR = drawn("good", 0.4), drawn("fair", 0.8), drawn("poor", 1.3)


def said(*runs: Run, view: View | None = None, **chosen: str) -> str:
    return str(answer(compare_runs(index(*runs), view or View(), CompareChoices(**chosen))))


def test_two_runs_are_told_apart_as_the_library_does():
    found = compare(FAIR, GOOD)
    assert found.sure
    cards = compare_runs(index(FAIR, GOOD), View())
    assert said(FAIR, GOOD).startswith(f"good solves {100 * found.value:.1f} points (")
    assert f"better on {found.wins} of 60 questions, worse on {found.losses}." in said(FAIR, GOOD)
    (row,) = COMPARED.rows(cards)
    assert set(row) == {*dtypes(COMPARED.columns), "along", "segments"}
    assert (row["run"], row["base"]) == ("good / maths", "fair / maths")
    assert (row["difference"], (row["low"], row["high"])) == (found.value, found.interval)
    assert row["p_value"] == row["p_adjusted"] == found.p_value
    assert row["could_show"] == plan(FAIR, GOOD).smallest()
    assert (row["better_on"], row["as_good_on"], row["worse_on"]) == (
        found.wins,
        found.ties,
        found.losses,
    )


def test_of_two_runs_that_are_not_told_apart_wins_are_a_sentence_of_their_own():
    one, other = solved("one", *[4, 2] * 9, 3), solved("other", *[2, 4] * 9, 2)
    assert said(one, other).startswith(
        "one and other cannot be told apart on one try: the first is ahead by 1.3 points ("
    )
    assert "). The first is better on 10 of 19 questions, worse on 9." in said(one, other)
    even = said(solved("one", *[4, 2] * 9), solved("other", *[2, 4] * 9))
    assert "are even on one try: 0.0 points (" in even
    assert "), better on 9 of 18 questions, worse on 9." in even


def test_the_sentence_is_the_same_whichever_is_the_baseline():
    assert said(FAIR, GOOD) == said(GOOD, FAIR) == said(FAIR, GOOD, base="good")


def test_the_numbers_turn_with_the_baseline():
    (one,), (other,) = (
        COMPARED.rows(compare_runs(index(FAIR, GOOD), View(), CompareChoices(base=base)))
        for base in ("fair", "good / maths")
    )
    assert one["difference"] == pytest.approx(-other["difference"])
    assert (one["low"], one["high"]) == pytest.approx((-other["high"], -other["low"]))
    assert (one["better_on"], one["worse_on"]) == (other["worse_on"], other["better_on"])


def test_who_is_ahead_is_said_where_it_is_not_sure_and_who_is_even():
    few, more = solved("few", *[4] * 5, *[0] * 25), solved("more", *[4] * 6, *[0] * 24)
    assert said(few, more).startswith(
        "more and few cannot be told apart on one try: the first is ahead by 3.3 points ("
    )
    turned = solved("turned", *[0] * 25, *[4] * 5)
    assert " are even on one try: 0.0 points (" in said(few, turned)


def test_equal_runs_cannot_be_told_apart_and_what_could_have_been_shown_is_said():
    one, other = (drawn("fair", 0.8), drawn("even", 0.8))
    assert said(one, other).startswith(("fair and even cannot be", "even and fair cannot be"))
    card = card_in_detail(compare_runs(index(one, other), View()))
    assert "could have shown a difference of " in str(power_in_words(card.found.pair))
    assert " need about " in str(power_in_words(card.found.pair))
    power = replace(card.found.pair.power, finer=None)
    assert str(power_in_words(replace(card.found.pair, power=power))).endswith(" chance of 80%.")


def test_from_which_k_on_they_cannot_be_told_apart():
    """Half of the questions are solved always or by half of the samples: a gap that closes."""
    steady = solved("steady", *[8] * 30, *[0] * 30, n=8)
    lucky = solved("lucky", *[4] * 30, *[0] * 30, n=8)
    found = lead(lucky, steady)
    k = int(found.k[np.flatnonzero(found.sure == 1)[-1]]) + 1
    assert said(steady, lucky).endswith(f"From k = {k} on they cannot be told apart.")
    crossing = solved("lucky", *[3] * 60, n=8)
    assert lead(steady, crossing).sure[:2].tolist() == [-1, 1]
    assert said(steady, crossing).endswith("lucky passes it at k = 2 (1 to 2).")
    steady, lucky = solved("steady", *[8] * 60, *[0] * 40, n=8), solved("lucky", *[3] * 100, n=8)
    assert said(steady, lucky).endswith("lucky passes it at k = 2 (1 to 3).")


def test_more_than_two_runs_are_ranked_and_the_middle_baseline_is_placed():
    found = rank({run.model: run for run in (GOOD, FAIR, POOR)})
    assert [str(ranks) for ranks in found.ranks] == ["1", "2", "3"]
    told = said(GOOD, FAIR, POOR, base="fair")
    assert told.startswith("Of 3 runs good is surely the best on one try: ")
    assert told.endswith("The order of all is sure. 1 is better than the baseline fair, 1 worse.")
    assert [
        row["rank_first"] for row in RANKED.rows(rank_runs(index(GOOD, FAIR, POOR), View()))
    ] == [
        1,
        2,
        3,
    ]
    (first, *_others) = RANKED.rows(rank_runs(index(POOR, GOOD), View()))
    assert set(first) == set(dtypes(RANKED.columns))
    assert first["model"] == "good"


@pytest.mark.wide
def test_runs_that_may_all_be_best_are_named():
    even = [drawn(name, 0.8) for name in ("a", "b", "c")]
    told = str(rank_answer(rank_runs(index(*even), View())))
    found = rank({run.model: run for run in even})
    name, chance, lost = found.names[0], found.chances[0], found.losses[0]
    likely = (
        f"{name} is the best with a chance of {chance:.0%}; if it is not, that costs "
        f"{100 * lost / (1 - chance):.1f} points on average."
    )
    assert told == f"None of the 3 runs can be told apart from another on one try. {likely}"
    assert " is the best with a chance of " in said(even[0], even[2])
    assert " with a chance of " not in said(GOOD, POOR) + said(GOOD, FAIR, POOR)
    told = str(rank_answer(rank_runs(index(*even, POOR), View())))
    assert told.startswith("Any of 3 of 4 runs may be the best on one try: ")
    assert " is the best with a chance of " in told
    told = str(rank_answer(rank_runs(index(*even, drawn("d", 0.8), POOR), View())))
    assert told.startswith("Any of 4 of 5 runs may be the best on one try: ")
    assert " and 2 more. " in told


def test_a_metric_with_k_is_of_that_k():
    found = compare(POOR, GOOD, "pass@k", 2)
    cards = compare_runs(index(POOR, GOOD), View(metric="pass@k", k=(2,), level=0.9))
    (row,) = COMPARED.rows(cards)
    assert (row["metric"], row["k"], row["difference"]) == ("pass@k", 2, found.value)
    assert (row["low"], row["high"]) == compare(
        POOR, GOOD, "pass@k", 2, confidence_level=0.9
    ).interval
    assert str(answer(cards)).startswith("good is ahead of poor by ")
    assert " in pass@2." in str(answer(cards))


@pytest.mark.wide
def test_all_datasets_together_are_the_library_s():
    pairs = [(drawn("poor", 1.3, name), drawn("good", 0.4, name)) for name in ("x", "yy")]
    runs = [run for pair in pairs for run in pair]
    found = compare_suite(
        *({run.dataset: run for run in side} for side in zip(*pairs, strict=True))
    )
    cards = compare_runs(index(*runs), View())
    groups = cards_by_dataset(cards)
    assert list(groups) == ["x", "yy"]
    card = card_in_detail(groups["yy"])
    together = card.found.together
    assert (together.all.value, together.all.interval) == (found.value, found.interval)
    said = str(answer(cards))
    assert said.startswith("good is the best on one try: ")
    assert f" on average over 2 datasets, {100 * found.value:.1f} points (" in said
    assert said.endswith(") ahead of poor. It leads on both.")
    chosen = str(answer(compare_runs(index(*runs), View(), None, Focus("x"))))
    assert chosen.startswith("x: good solves ")
    assert f"On 2 datasets together good is ahead by {100 * found.value:.1f}" in chosen


def test_models_too_close_on_all_datasets_have_chances_of_being_the_better_one():
    models = {
        name: {dataset: drawn(name, ease, dataset) for dataset in ("x", "yy")}
        for name, ease in (("alpha", 0.8), ("beta", 0.81))
    }
    runs = [run for suite in models.values() for run in suite.values()]
    cards = compare_runs(index(*runs), View())
    found = best_of_suites(models)
    (row,) = rows(TOGETHER, pairs_of_models(cards))
    assert list(row["chance_of_best"].values()) == list(found.chances)
    assert list(row["expected_loss"].values()) == list(found.losses)
    name = "alpha" if found.chances[0] > 0.5 else "beta"
    assert (
        f" on average over 2 datasets. {name} is the best with a chance of "
        f"{max(found.chances):.0%};"
    ) in str(answer(cards))
    chosen = str(answer(compare_runs(index(*runs), View(), None, Focus("x"))))
    assert "On 2 datasets together they cannot be told apart. " in chosen


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ([GOOD], "there is no other run of maths to compare it with."),
        ([GOOD, drawn("poor", 1.3, "other")], "No two runs are of the same dataset"),
        ([solved("a", 1, n=1), solved("b", 0, n=1)], "cannot be told apart on one try"),
        ([GOOD, Run("x", "maths", None)], "does not say which samples were right"),
        (
            [Run("x", "maths", None), Run("y", "maths", None)],
            "No run can be compared. The file does not say",
        ),
    ],
)
def test_where_nothing_can_be_compared_a_sentence_says_so(runs, told):
    assert told in said(*runs)


def bare(path: Path, *counts: int, ids: str = "abcdefghij", **columns: str) -> str:
    """Write a table that names no dataset: questions with so many of four samples right."""
    head = ",".join(["question_id", "sample", "correct", *columns])
    rows = [
        ",".join([each, str(sample), str(int(sample < count)), *columns.values()])
        for each, count in zip(ids, counts, strict=False)
        for sample in range(4)
    ]
    path.write_text("\n".join([head, *rows]))
    return str(path)


BEFORE, AFTER = (1, 2, 0, 1, 2, 3, 0, 1, 2, 1), (3, 4, 2, 3, 4, 4, 2, 3, 4, 3)
AS_ONE = "name no dataset: they are compared since their questions have the same ids"


def test_tables_that_name_no_dataset_are_compared_if_their_ids_match(tmp_path, capsys):
    paths = bare(tmp_path / "before.csv", *BEFORE), bare(tmp_path / "after.csv", *AFTER[:9])
    found = compare(
        *(solved(name, *counts[:9]) for name, counts in (("before", BEFORE), ("after", AFTER)))
    )
    assert main(["compare", *paths, "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["compare"]
    assert (row["run"], row["base"]) == ("after / after", "before / before")
    assert (row["dataset"], row["paired"], row["left_out"]) == ("unnamed dataset", True, 1)
    assert row["difference"] == pytest.approx(found.value)
    assert AS_ONE in row["remarks"][0]
    assert main(["rank", *paths]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Of 2 runs after is surely the best on one try")
    assert AS_ONE in said
    assert main(["compare", *paths, "--margin", "0"]) == 0
    assert main(["compare", *reversed(paths), "--margin", "0"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("more", "dataset"),
    [
        ({"ids": "klmnopqrst"}, {}),
        ({"ids": "abcklmnopq"}, {}),
        ({}, {"dataset": "after"}),
        ({}, {"benchmark": "after"}),
    ],
)
def test_other_ids_and_a_dataset_that_is_named_are_never_taken_for_one(
    more, dataset, tmp_path, capsys
):
    before = bare(tmp_path / "before.csv", *BEFORE)
    after = bare(tmp_path / "after.csv", *AFTER, **more, **dataset)
    assert main(["compare", before, after]) == 2
    assert "No two runs are of the same dataset" in capsys.readouterr().out


def test_parts_of_tables_that_name_no_dataset_are_compared_too(tmp_path, capsys):
    for name, counts in (("before", BEFORE), ("after", AFTER)):
        (tmp_path / name).mkdir()
        bare(tmp_path / name / "part-0.csv", *counts[:5])
        bare(tmp_path / name / "part-1.csv", *counts[5:], ids="fghij")
    assert main(["compare", str(tmp_path / "before"), str(tmp_path / "after")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("after solves ")
    assert AS_ONE in said


def test_models_of_one_name_are_told_apart_by_their_files(tmp_path, capsys):
    before = bare(tmp_path / "before.csv", *BEFORE, model="7B")
    after = bare(tmp_path / "after.csv", *AFTER, model="7B")
    assert main(["compare", before, after]) == 0
    assert capsys.readouterr().out.startswith("7B / after solves ")


def test_other_questions_are_not_paired_and_a_sentence_says_why():
    ids = [f"other {i}" for i in range(60)]
    other = Run("poor", "maths", Outcomes(POOR.outcomes.correct, questions=ids))
    cards = compare_runs(index(GOOD, other), View())
    (row,) = COMPARED.rows(cards)
    assert not row["paired"]
    assert row["better_on"] is None
    told = str(answer(cards))
    assert told.startswith("good solves ")
    assert "They are not paired. They have no question in common." in told
    assert "not paired" in str(power_in_words(card_in_detail(cards).found.pair))


def test_of_several_it_is_said_how_many_are_not_paired():
    ids = [f"other {i}" for i in range(60)]
    other = Run("poor", "maths", Outcomes(POOR.outcomes.correct, questions=ids))
    told = said(GOOD, FAIR, other)
    assert "2 of 3 pairs are not paired. They have no question in common." in told


def test_one_sample_each_has_the_exact_test_beside_it():
    one, other = solved("a", *[1] * 8, *[0] * 12, n=1), solved("b", *[1] * 20, n=1)
    (row,) = COMPARED.rows(compare_runs(index(one, other), View()))
    assert row["mcnemar"] == compare(one, other).mcnemar
    assert "k = " not in said(one, other)


def test_the_command_prints_sentence_table_and_json(tmp_path: Path, capsys: CAPTURED):
    paths: list[Path] = []
    for run in (POOR, GOOD):
        path = tmp_path / f"{run.model}.parquet"
        path.write_bytes(table(run.outcomes.correct, run.model))
        paths.append(str(path))
    assert main(["compare", *paths]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("good solves ")
    assert "difference from baseline" in shown
    assert main(["compare", *paths, "--base", "good", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["compare"]
    assert document["answer"].startswith("good solves ")
    assert row["base"] == "good / maths"
    assert [each["k"] for each in row["along"]] == list(range(1, 9))
    assert main(["rank", *paths, "--format", "csv"]) == 0
    listed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["model"], row["rank_first"]) for row in listed] == [("good", "1"), ("poor", "2")]
    assert main(["compare", *paths, "--base", "best"]) == 2
    assert "No run or model is called best" in capsys.readouterr().err
    assert main(["rank", *paths, "--dataset", "x"]) == 2
    assert main(["compare", paths[0]]) == 2
    assert "there is no other run" in capsys.readouterr().out


def test_each_segment_has_its_difference_where_asked_for(tmp_path: Path, capsys: CAPTURED):
    subjects = np.repeat(["sets", "sums"], 30)
    labels = {"subject": subjects}
    a, b = (Outcomes(run.outcomes.correct, segments=labels) for run in (POOR, GOOD))
    found = compare_segments(a, b, "subject")
    paths: list[Path] = []
    for run in (POOR, GOOD):
        path = tmp_path / f"{run.model}.parquet"
        path.write_bytes(table(run.outcomes.correct, run.model, subject=np.repeat(subjects, 8)))
        paths.append(str(path))
    assert main(["compare", *paths, "--by", "subject", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["compare"]
    assert row["segments"]["p_value"] == found.p_value
    assert [each["difference"] for each in row["segments"]["each"]] == [
        each.value for each in found.segments.values()
    ]
    assert main(["compare", *paths, "--by", "subject"]) == 0
    assert "good / maths less poor, by subject" in capsys.readouterr().out
    turned = np.repeat(["odds", "ends"], 30)
    Path(paths[1]).write_bytes(table(b.correct, GOOD.model, subject=np.repeat(turned, 8)))
    none = "The two have no segment of subject in common."
    assert main(["compare", *paths, "--by", "subject", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["compare"]
    assert (row["segments"]["each"], row["segments"]["reason"]) == ([], none)
    assert main(["compare", *paths, "--by", "subject"]) == 0
    assert f"good / maths less poor, by subject\n  {none}" in capsys.readouterr().out
    assert main(["compare", *paths, "--by", "colour"]) == 2
    error = 'error: There is no segment "colour". There are: subject.\n'
    assert capsys.readouterr() == ("", error)


@pytest.mark.wide
@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_what_is_found_holds_nothing_of_the_runs(target):
    """A page keeps it longer than the runs, which can be removed."""
    labels = {"subject": np.repeat(["sets", "sums"], 30)}
    runs = [
        Run(run.model, name, Outcomes(run.outcomes.correct, segments=labels))
        for run in (POOR, GOOD)
        for name in ("x", "y")
    ]
    card = card_in_detail(
        compare_runs(index(*runs), View(target=target), CompareChoices(by="subject"))
    )
    contest, (segments, _why) = card.found.contest, card.found.segments
    found = [*contest.against.values(), *contest.ranking.pairs.values()]
    found += [each for each, _why in card.found.together.each.values()]
    found += [segments.overall, *segments.segments.values()]
    assert len(found) == 7
    assert all(each.ends is None for each in found)


def test_settings_that_differ_are_told():
    one, other = (
        Run(run.model, "maths", run.outcomes, settings={"temperature": t})
        for run, t in ((GOOD, 0.2), (POOR, 0.8))
    )
    (row,) = COMPARED.rows(compare_runs(index(one, other), View()))
    assert row["settings"] == "They were run with different settings: temperature 0.2 against 0.8."


def test_names_of_files_stay_names():
    told = said(Run(HOSTILE, "maths", GOOD.outcomes), Run("poor", "maths", POOR.outcomes))
    assert "\x1b" not in told


@pytest.mark.wide
def test_the_sample_has_the_answer_that_is_known(capsys: CAPTURED):
    """Its models were made in this order, on every dataset."""
    names = ("aspen-4b", "cedar-14b", "sequoia-72b")
    runs = [f"{name}-chat / {dataset}" for dataset in ("gsm8k", "textvqa") for name in names]
    chosen = [word for run in runs for word in ("--run", run)]
    assert main(["compare", SAMPLE, *chosen, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["compare"]) == 4
    assert all(row["proven"] and row["difference"] > 0 for row in document["compare"])
    assert [row["run"] for row in document["together"]] == ["sequoia-72b-chat", "cedar-14b-chat"]
    assert all(row["low"] > 0 for row in document["together"])


def test_a_single_question_is_one():
    assert "better on 1 of 1 question, worse on 0." in said(solved("a", 0), solved("b", 4))


def test_tables_of_other_names_are_told_why_they_are_not_compared():
    told = said(GOOD, drawn("poor", 1.3, "other"))
    assert told.endswith("are compared if most of their questions have the same ids.")


def test_a_summary_in_markdown_says_what_was_left_out_and_what_differs(
    tmp_path: Path, capsys: CAPTURED
) -> None:
    paths: list[Path] = []
    for name, first in (("base", 0), ("new", 2)):
        lines = [f"{name},maths,q{i},{i % 2}" for i in range(first, first + 8)]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join(["model,dataset,question_id,correct", *lines]))
    assert main(["compare", *map(str, paths), "--format", "md"]) == 0
    told = capsys.readouterr().out
    assert "4 questions that only one of the two has are left out." in told
    assert "Settings: neither says how it was made." in told


def test_what_is_read_for_a_match_is_waited_for_and_nothing_else(monkeypatch, capsys):
    waited: list[str] = []
    shown = waiting.show_progress

    def noted(doing):
        waited.append(str(doing))
        return shown(doing)

    monkeypatch.setattr(waiting, "show_progress", noted)
    a, b = (drawn(name, 0.5) for name in ("alpha", "beta"))
    assert match_shown(a, b)
    assert waited == []
    first, second = map(replace, load(SAMPLE).runs[:2])  # nothing is read of them yet
    match_shown(first, second)
    assert waited
    waited.clear()
    match_shown(first, second)
    assert waited == []


def test_runs_whose_file_is_gone_match_by_their_ids_or_say_why_not(tmp_path):
    path, texts = tmp_path / "t.parquet", np.array([f"I think of {q}." for q in range(40)])
    path.write_bytes(table(np.ones((40, 1), int), prompt=texts, prediction=texts))
    (one,) = load(path).runs
    other = replace(one, model="beta")
    path.unlink()
    found = match_shown(one, other)
    assert (found.shared, found.dropped, found.proven) == (0, 0, False)
    assert str(found.refused).startswith(f"{path}: can no longer be opened. ")
    assert match_by_texts(one, other) == Match(40, 0, False)
