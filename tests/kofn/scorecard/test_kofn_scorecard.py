"""The scorecards of several runs are the library's numbers, laid out without loss."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from kofn.choices.run_numbers import number_runs
from kofn.choices.runs import index_reports, index_runs, unknown_runs
from kofn.choices.view import View, coverage_in_words
from kofn.scorecard.analysis import score_runs
from kofn.scorecard.columns import SCORES, side_by_side
from kofn.scorecard.command import SCORECARD
from kofn.scorecard.figures import dumbbell_pairs, forest_rows
from kofn.scorecard.table import lay_out
from kofn.writing.columns import dtypes
from kofn.writing.layout import csv_text
from metrics.data.outcomes import Outcomes
from metrics.data.words import Text
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import METRICS
from reports.run.reconcile import reconcile
from reports.run.report import Report, Run
from tests.kofn.indexed import index

HOSTILE = "=HYPERLINK(1)|\x1b[2J<b>`x`\n"


def outcomes(m: int = 12, n: int = 6, seed: int = 0, **fields: object) -> Outcomes:
    rng = np.random.default_rng(seed)
    return Outcomes((rng.random((m, n)) < rng.random((m, 1))).astype(np.int8), **fields)


TWO = index(Run("7B", "gsm8k", outcomes()), Run("70B", "gsm8k", outcomes(seed=1)))


def test_every_number_is_the_library_s() -> None:
    view = View(k=(1, 4), level=0.9, target="benchmark", missing="omit")
    found = SCORES.rows(score_runs(TWO, view))
    kinds = {(row["metric"], row["k"], row["tau"]) for row in found}
    assert {("avg@n", 6, None), ("pass@k", 1, None), ("g-pass@k", 4, 0.5)} <= kinds
    assert len(found) == 2 * len(kinds)
    for row in found:
        if row["value"] is None:
            assert row["reason"]
            continue
        expected = estimate(
            TWO[row["run"]].outcomes,
            row["metric"],
            row["k"] if METRICS[row["metric"]].takes_k else None,
            target="benchmark",
            confidence_level=0.9,
            missing="omit",
            **({} if row["tau"] is None else {"tau": row["tau"]}),
        )
        assert (row["value"], row["low"], row["high"]) == (expected.value, *expected.interval)
        assert (row["level"], row["target"], row["questions"]) == (0.9, "benchmark", 12)


def test_a_view_chooses_runs_by_name() -> None:
    view = View(runs=("70B / gsm8k", "elsewhere"))
    assert [card.key for card in score_runs(TWO, view)] == ["70B / gsm8k"]
    assert unknown_runs(TWO, view.runs) == ("elsewhere",)


def test_a_segment_is_scored_on_its_own_questions() -> None:
    whole = outcomes(segments={"subject": ["algebra"] * 5 + ["geometry"] * 7})
    view = View(segment=("subject", "algebra"))
    (row, *_) = SCORES.rows(score_runs(index(Run("7B", "maths", whole)), view))
    assert row["segment"] == "subject=algebra"
    assert row["questions"] == 5
    assert row["value"] == pytest.approx(whole.correct[:5].mean(), abs=1e-15)


def test_a_run_without_the_segment_says_so_and_the_others_are_scored() -> None:
    subjects = outcomes(segments={"subject": ["algebra"] * 12})
    runs = index(Run("7B", "maths", subjects), Run("7B", "gsm8k", outcomes()))
    maths, gsm8k = score_runs(runs, View(segment=("subject", "algebra")))
    assert maths.found.scores
    assert gsm8k.found is None
    assert 'There is no segment "subject"' in str(gsm8k.reason)


def test_a_run_without_outcomes_has_one_row_with_the_reason() -> None:
    (row,) = SCORES.rows(score_runs(index(Run("7B", "gsm8k", None)), View()))
    assert row["value"] is row["metric"] is row["k"] is None
    assert "which samples were right" in row["reason"]


def test_a_run_with_nothing_gradable_has_the_reason() -> None:
    runs = index(Run("7B", "gsm8k", Outcomes(np.full((3, 2), -2))))
    (card,) = score_runs(runs, View())
    assert "no question with a gradable sample" in str(card.reason)


def test_an_undefined_metric_has_no_number_but_a_reason() -> None:
    table = SCORES.frame(score_runs(TWO, View(k=(64,))))
    undefined = table[table["metric"] == "pass@k"]
    assert undefined[["value", "low", "high", "questions"]].isna().all(axis=None)
    assert undefined["reason"].str.contains("needs 64 samples").all()


def test_side_by_side_a_remark_names_the_metric_that_it_is_about() -> None:
    unknown = Run("8B", "gsm8k", None)
    cards = score_runs(index(*TWO.values(), unknown), View(k=(64,)))
    remarks = next(each for each in side_by_side(cards) if str(each.label) == "remarks")
    known, _other, nothing = (list(map(str, remarks.value(card) or ())) for card in cards)
    assert any(each.startswith("pass@64: pass@64 needs 64 samples") for each in known)
    assert nothing == [str(cards[2].reason)]


def test_the_frame_has_its_columns_even_when_empty() -> None:
    for runs in ({}, TWO):
        table = SCORES.frame(score_runs(runs, View()))
        assert {name: str(kind) for name, kind in table.dtypes.items()} == dtypes(SCORES.columns)


def test_csv_and_parquet_lose_nothing() -> None:
    table = SCORES.frame(score_runs(TWO, View(k=(2, 64))))
    read = pd.read_csv(io.StringIO(csv_text(table)), dtype=dtypes(SCORES.columns))
    pd.testing.assert_frame_equal(read, table, check_exact=True)
    buffer = io.BytesIO()
    table.to_parquet(buffer)
    pd.testing.assert_frame_equal(pd.read_parquet(buffer), table, check_exact=True)


def test_caveats_stand_with_the_number_they_concern() -> None:
    (row, *_) = SCORES.rows(score_runs(index(Run("7B", "gsm8k", outcomes(m=3))), View()))
    assert any("too few" in caveat for caveat in row["caveats"])


@pytest.mark.parametrize("form", ["table", "csv", "md", "json"])
def test_hostile_names_stay_on_their_line(form: str) -> None:
    view = View()
    text = SCORECARD.write(form, score_runs(index(Run(HOSTILE, HOSTILE, outcomes())), view), view)
    assert "\x1b" not in text
    assert r"\x1b" in text
    if form == "csv":
        assert not any(line.startswith("=") for line in text.splitlines())
    if form == "md":
        body = [line for line in text.splitlines() if line.startswith("|")]
        assert {line.replace(r"\|", "").count("|") for line in body} == {8}
        assert "<b>" not in text.replace(r"\<", "")


def test_the_table_numbers_its_caveats() -> None:
    view = View()
    text = SCORECARD.write(
        "table", score_runs(index(Run("7B", "gsm8k", outcomes(m=3))), view), view
    )
    assert "[1] 3 questions are too few for a claim about questions like them." in text
    assert f"{coverage_in_words(View())}\n\n7B / gsm8k, 3 questions\n" in text


def test_columns_of_the_table_are_aligned() -> None:
    view = View(k=(1, 6))
    text = SCORECARD.write("table", score_runs(index(Run("7B", "gsm8k", outcomes())), view), view)
    scores = [line for line in text.splitlines() if re.match(r" +\S+ +\S+% \(", line)]
    assert len(scores) >= 8
    assert len({line.index("%") for line in scores}) == 1


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (
            View(),
            "95% intervals for questions like these: what another benchmark of the kind",
        ),
        (View(target="benchmark", level=0.999), "99.9% intervals for these questions with other"),
    ],
)
def test_what_the_interval_covers_is_said(view: View, sentence: str) -> None:
    assert str(coverage_in_words(view)).startswith(sentence)


def test_runs_are_told_apart_by_what_differs() -> None:
    run = Run("7B", "gsm8k", None)
    reports = [
        Report("a.zip", Text("x"), (run, Run("7B", "aime", None))),
        Report("b.zip", Text("x"), (run,)),
    ]
    assert list(index_runs(reports)) == [
        "7B / gsm8k (a.zip)",
        "7B / aime",
        "7B / gsm8k (b.zip)",
    ]


def test_runs_of_reports_that_are_called_alike_are_told_apart_by_the_number_of_the_report() -> None:
    run, twice = Run("7B", "gsm8k", None), Run("7B", "aime", None)
    a, b = (Report("r.zip", Text("x"), runs) for runs in ((run,), (run, twice, twice)))
    assert list(index_reports([a, b])) == ["r.zip", "r.zip #2"]
    assert list(index_runs([a, b])) == [
        "7B / gsm8k (r.zip)",
        "7B / gsm8k (r.zip #2)",
        "7B / aime",
        "7B / aime #2",
    ]


def test_runs_that_nothing_tells_apart_are_numbered() -> None:
    run = Run("7B", "gsm8k", None)
    assert list(index(run, run, Run("7B", "gsm8k #2", None))) == [
        "7B / gsm8k",
        "7B / gsm8k #2",
        "7B / gsm8k #2 #2",
    ]


def test_the_key_of_a_run_is_printable() -> None:
    (key,) = index(Run("m\x1b[2J", "d\ud800", None))
    assert key == r"m\x1b[2J / d\ud800"


def marks(*runs: Run, **view: object) -> list[tuple[str, str, str]]:
    indexed = index(*runs)
    table = lay_out(score_runs(indexed, View(**view)), View(**view))
    return [(row.block, row.name, row.series) for row in forest_rows(table, number_runs(indexed))]


def test_the_forest_of_one_run_is_one_row() -> None:
    assert marks(Run("7B", "gsm8k", outcomes())) == [("", "7B", "7B")]


def test_the_forest_of_one_model_has_its_datasets_as_rows() -> None:
    found = marks(Run("7B", "gsm8k", outcomes()), Run("7B", "aime", outcomes(n=4)))
    assert sorted(found) == [("", "aime", "7B"), ("", "gsm8k", "7B")]


def test_the_forest_compares_models_within_a_dataset() -> None:
    found = marks(*(Run(m, d, outcomes()) for m in ("7B", "70B") for d in ("gsm8k", "aime")))
    assert {("gsm8k", "7B", "7B"), ("gsm8k", "70B", "70B"), ("aime", "7B", "7B")} <= set(found)
    assert [block for block, *_ in found] in (
        ["gsm8k"] * 2 + ["aime"] * 2,
        ["aime"] * 2 + ["gsm8k"] * 2,
    )


def test_the_forest_names_repeated_runs_by_their_keys() -> None:
    run = Run("7B", "gsm8k", outcomes())
    assert {name for _, name, _ in marks(run, run)} == {"7B / gsm8k", "7B / gsm8k #2"}


@pytest.mark.parametrize("sort", ["avg@n", "pass@2", "pass@64"])
def test_the_forest_shows_the_scorecard_s_numbers(sort: str) -> None:
    view = View(k=(2, 64))
    table = lay_out(score_runs(TWO, view), view, sort)
    for mark, line in zip(forest_rows(table, number_runs(TWO)), table.lines, strict=True):
        score = line.scores[sort]
        if score.estimate is None:
            assert mark.value is mark.interval is None
            assert "needs 64 samples" in str(mark.detail)
        else:
            assert (mark.value, mark.interval) == (score.estimate.value, score.estimate.interval)
            assert " to " in str(mark.detail)
            assert "12 questions" in str(mark.detail)


def test_the_dumbbell_pairs_what_both_sides_have() -> None:
    stated = {"avg@2": 0.5, "pass@2": 0.25, "pass@9": 0.9, "BLEU": 0.3}
    run = Run("7B", "gsm8k", Outcomes([[1, 0], [1, 1], [0, 0]]), stated)
    same, different = dumbbell_pairs({"7B / gsm8k": reconcile(run)})
    assert (same.block, same.name) == ("7B / gsm8k", "avg@2")
    assert same.recomputed == same.reported == 0.5
    assert str(same.detail) == "avg@2: both 50.0%"
    assert different.recomputed == pytest.approx(2 / 3)
    assert str(different.detail).startswith("pass@2: 25.0% in the file, 66.7% by its samples. ")
