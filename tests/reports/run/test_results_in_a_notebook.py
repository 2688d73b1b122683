"""Results are short where they are printed, safe in a notebook, and tables when asked."""

import subprocess
import sys
from dataclasses import is_dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import metrics
import reports
from kofn.card import Card
from kofn.choices.view import View
from kofn.choose_n.analysis import choose_runs
from kofn.choose_n.pricing import Pricing
from kofn.consistency.analysis import VoteChoices, compare_votes
from kofn.guidance.analysis import Goals, guide_runs
from kofn.saturation.analysis import CurveSpan, trace_runs
from kofn.scorecard.analysis import score_run, score_runs
from kofn.soft_vs_hard.analysis import Cutoff, compare_runs
from metrics import (
    Estimate,
    Guidance,
    Interval,
    MetricError,
    Outcomes,
    Score,
    Scores,
    Tally,
    Text,
    Tradeoff,
    estimate,
)
from metrics.data.results import Curve
from metrics.data.shown import fields_of
from reports import LoadError, Note, Report, Run
from reports.run.report import Suite
from tests.reports.evaluations.aisbench_archives import archive, loaded

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def report() -> Report:
    return loaded(archive("multi_subset_n4"))


def some_run(**fields: object) -> Run:
    outcomes = Outcomes(
        [[1, 0, -1], [1, 1, -2]],
        questions=["a", "b"],
        segments={"subject": ["algebra", "logic"]},
    )
    return Run("7B", "maths", outcomes, **fields)


@pytest.fixture(scope="module")
def results(report: Report) -> list[object]:
    """Return one of whatever a user of the library is handed."""
    run = report.runs[0]
    assert run.outcomes is not None
    data = run.outcomes
    soft = Outcomes(np.ones((60, 9), int), scores=np.full((60, 9), 0.7))
    view, runs = View(), {"a": run}
    return [
        report,
        run,
        data,
        data.tally(),
        metrics.estimate(data, "pass@k", 4),
        metrics.curve(data, "pass@k"),
        metrics.extrapolate(data, "pass@k", [32, 64]),
        metrics.consistency(data),
        metrics.guidance(data),
        metrics.compare(data, data),
        metrics.choose_among({"a": data, "b": data}, resamples=20),
        metrics.choose_n(data),
        metrics.question_statistics(data),
        metrics.agreement(np.tile(np.arange(50) % 3, (200, 1))),
        metrics.soft_hard(soft),
        metrics.threshold_sweep(soft),
        metrics.score_all(data),
        metrics.score_all(data, ks=range(1, 17)),
        *metrics.score_all(data),
        *report.suites,
        *report.notes,
        score_run(run, View()),
        run.texts(data.questions[0]),
        *score_runs(runs, view),
        *choose_runs(runs, view, Pricing()),
        *compare_votes(runs, view, VoteChoices()),
        *guide_runs(runs, view, Goals()),
        *trace_runs(runs, view, CurveSpan()),
        *compare_runs({"a": Run("7B", "ocr", soft)}, view, Cutoff()),
        *compare_runs(runs, view, Cutoff()),
        LoadError("x.zip", Text("is empty"), Text("Try again.")),
        metrics.METRICS,
        *(getattr(metrics, name) for name in metrics.__all__),
        *(getattr(reports, name) for name in reports.__all__),
    ]


def test_everything_public_prints_in_few_lines(results: list[object]) -> None:
    for each in results:
        assert len(repr(each)) < 1000, type(each)
        assert repr(each).count("\n") < 9, type(each)


def test_whatever_has_rows_is_a_table(results: list[object]) -> None:
    """A result with an array of one dimension, or with a tuple of runs or scores, has rows."""
    tabular = [each for each in results if _has_rows(each)]
    assert {type(each).__name__ for each in tabular} >= {
        *("Report", "Run", "Outcomes", "Tally", "Curve", "Extrapolation", "Consistency"),
        *("Guidance", "Choice", "QuestionStatistics", "Agreement", "SoftHard", "Sweep", "Scores"),
        *("Suite", "Scorecard", "Card"),
    }
    for each in tabular:
        table = each.to_frame()  # type: ignore[attr-defined]
        assert len(table), type(each)
        assert table.columns.is_unique


def _has_rows(result: object) -> bool:
    if isinstance(result, type) or callable(result):
        return False
    if isinstance(result, Run | Outcomes | Guidance | Card | Scores | metrics.Selection):
        return True
    fields = fields_of(result) if is_dataclass(result) or hasattr(result, "_fields") else {}
    return any(
        (isinstance(value, np.ndarray) and value.ndim == 1)
        or (isinstance(value, tuple) and value and isinstance(value[0], Run | Score | np.ndarray))
        or isinstance(value, Tradeoff)
        for value in fields.values()
    )


def test_a_printed_estimate_still_says_its_numbers() -> None:
    text = repr(estimate([[1, 0], [1, 1]], "avg@n"))
    assert text.startswith("Estimate(value=0.75, interval=Interval(low=")
    assert "target='population'" in text


def test_html_is_escaped_and_bounded() -> None:
    note = Note(Text("{name} was left out.", name=HOSTILE))
    runs = tuple(
        Run(HOSTILE, HOSTILE, Outcomes([[1, 0]]), source=HOSTILE, notes=(note,)) for _ in range(500)
    )
    for each in (Report(HOSTILE, Text("{x}", x=HOSTILE), runs, (note,) * 500), runs[0]):
        html = each._repr_html_()
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert len(html) < 40_000
    assert "and 480 more" in Report("r", Text("x"), runs)._repr_html_()


def test_html_says_what_a_scorecard_holds() -> None:
    card = score_run(some_run(), View(k=(2, 9)))
    html = card._repr_html_()
    assert "<td>avg@3</td>" in html or "<td>avg@2</td>" in html
    assert "pass@9 needs 9 samples" in html
    table = card.to_frame()
    assert list(table.columns) == ["metric", "value", "low", "high", "reason"]
    assert len(table) == len(card.scores)


def test_runs_without_outcomes_or_with_categories_are_shown_too() -> None:
    for outcomes in (None, Outcomes([[2, 0]])):
        run = Run("7B", "maths", outcomes)
        assert "7B / maths" in run._repr_html_()
        assert run.summary["mean"] is None
    assert Run("7B", "maths", None).to_frame().empty
    assert Suite("s", (some_run(),), (1.0,), {}).model == "7B"


def test_a_run_is_a_table_of_its_samples() -> None:
    table = some_run(
        answers=np.array([[0, 1, -1], [0, 0, -1]]), columns={"cost": np.arange(6.0).reshape(2, 3)}
    ).to_frame()
    assert table["question_id"].tolist() == ["a", "a", "a", "b", "b", "b"]
    assert table["sample"].tolist() == [0, 1, 2, 0, 1, 2]
    graded = ["graded", "graded"]
    assert table["status"].tolist() == [*graded, "failed", *graded, "absent"]
    assert table["correct"].dropna().tolist() == [1, 0, 1, 1]
    assert table["segment.subject"].tolist() == ["algebra"] * 3 + ["logic"] * 3
    assert table["cost"].tolist() == [0, 1, 2, 3, 4, 5]
    assert set(table["model"]) == {"7B"}


def test_a_report_is_a_table_of_its_runs(report: Report) -> None:
    table = report.to_frame()
    assert len(table) == len(report.runs)
    first = report.runs[0]
    assert first.outcomes is not None
    assert table["mean"][0] == pytest.approx(estimate(first.outcomes, "avg@n").value)
    assert Report("r", Text("x"), ()).to_frame().empty


def test_vectors_are_tables(report: Report) -> None:
    curve = metrics.curve(report.runs[0].outcomes, "pass@k")
    assert curve.to_frame().to_dict("list") == {
        name: getattr(curve, name).tolist() for name in ("k", "value", "low", "high")
    }
    assert Tally([3], [1], [2]).to_frame().to_dict("list") == {"n": [3], "c": [1], "questions": [2]}


@pytest.mark.wide
def test_pandas_and_engines_are_not_imported_until_they_are_needed(tmp_path: Path) -> None:
    """A small table needs no engine, and only what is asked for as a table needs pandas."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": [1, 1], "sample": [0, 1], "correct": [1, 0]}), path)
    code = (
        "import sys, metrics, reports; tally = metrics.Tally([3], [1], [2]);"
        "print('pandas' in sys.modules);"
        f"reports.load({str(path)!r}); print(*{{'duckdb', 'ibis'}} & {{*sys.modules}});"
        "tally.to_frame(); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "", "True"]


def test_an_estimate_is_a_number() -> None:
    found = estimate([[1, 0], [1, 1]], "avg@n")
    assert float(found) == found.value == 0.75
    assert f"{found:.3f} {found:.0%} {found}" == "0.750 75% 0.750 (0.000 to 1.000)"


@pytest.mark.parametrize("kind", ["Int64", "boolean", "Int8", "bool", "int64", "object"])
def test_a_table_of_pandas_is_data(kind: str) -> None:
    values = [[1, 0, 1], [0, 0, 1]]
    table = pd.DataFrame(values).astype("bool" if kind == "boolean" else "int64").astype(kind)
    found = estimate(table, "pass@k", 2)
    assert found.value == estimate(values, "pass@k", 2).value
    assert found.interval == estimate(values, "pass@k", 2).interval


def test_columns_of_several_kinds_are_data() -> None:
    table = pd.DataFrame({"a": pd.array([1, 0], "Int64"), "b": pd.array([True, True], "boolean")})
    assert estimate(table, "avg@n").value == 0.75


@pytest.mark.parametrize("missing", [pd.NA, None])
def test_a_missing_entry_is_neither_right_nor_wrong(missing: object) -> None:
    table = pd.DataFrame({"a": pd.array([1, missing], "Int64"), "b": pd.array([1, 0], "Int64")})
    with pytest.raises(MetricError, match="got missing entries"):
        estimate(table.astype(object), "avg@n")


def test_words_are_no_data() -> None:
    with pytest.raises(MetricError, match="must hold integers; got object"):
        estimate(np.array([["1", 0]], dtype=object), "avg@n")


def test_a_run_is_data_with_its_answers() -> None:
    run = some_run(answers=np.array([[0, 1, -1], [0, 0, -1]]))
    assert estimate(run, "avg@n") == estimate(run.outcomes, "avg@n")
    assert estimate(run, "plurality@k", 2, missing="omit") == (
        estimate(run.outcomes, "plurality@k", 2, missing="omit", answers=run.answers)
    )
    segment = ("subject", "logic")
    assert estimate(run, "avg@n", segment=segment).value == 1.0
    with pytest.raises(MetricError, match="This run has no outcomes"):
        estimate(Run("7B", "maths", None), "avg@n")


def test_an_end_that_only_rounding_keeps_from_a_bound_is_there() -> None:
    made = Estimate(0.5, Interval(2.2e-34, 1 - 1e-16), 0.95, "population", 3, Text("x"))
    assert made.interval == (0.0, 1.0)
    rewards = Interval(-2.0, 4.0)
    made = Estimate(
        0.5, Interval(-2 + 1e-15, 3.9), 0.95, "population", 3, Text("x"), bounds=rewards
    )
    assert made.interval == (-2.0, 3.9)
    low, high = np.array([1e-34, 0.25, np.nan]), np.array([0.5, 1 - 1e-16, np.nan])
    curve = Curve(np.arange(3), low, low, high)
    assert curve.low[:2].tolist() == [0.0, 0.25]
    assert curve.high[:2].tolist() == [0.5, 1.0]
    assert not curve.low.flags.writeable


def test_no_interval_of_few_questions_ends_beside_a_bound() -> None:
    for n in (1, 2, 5):
        for right in range(n + 1):
            matrix = [[1] * right + [0] * (n - right)] * 2 + [[0] * n]
            for name in ("avg@n", "pass@k", "pass^k", "maj@k"):
                for target in ("population", "benchmark"):
                    found = estimate(matrix, name, target=target).interval
                    assert found is not None
                    for end in found:
                        assert end in (0.0, 1.0) or 1e-12 < end < 1 - 1e-12


def test_no_band_ends_beside_a_bound() -> None:
    """Ends by normal limits, by thresholds and by n: at the bound, or away from it."""
    soft = np.full((1, 6), 0.5)
    two = [[0, 0, 0, 1, 1, 0], [0, 0, 1, 1, 0, 1], [0, 0, 1, 1, 1, 0], [0, 1, 1, 1, 0, 1]]
    for matrix in (two[:2], two[2:], [[1] * 6] * 4, [[0] * 6] * 4):
        table = metrics.choose_n(matrix, resamples=20).table
        sweep = metrics.threshold_sweep(np.asarray(matrix) * soft)
        ends = [table.quality_low, table.quality_high]
        ends += [end for band in (sweep.above, sweep.reached) for end in (band.low, band.high)]
        ends += [np.array(metrics.pass_at_k_ci(matrix, 6, 1 - 1e-9)[2:])]
        for end in np.concatenate(ends):
            assert end in (0.0, 1.0) or 1e-12 < end < 1 - 1e-12


def test_a_posterior_snaps_to_its_bounds_and_not_to_others() -> None:
    mean, sd, low, _ = metrics.pass_at_k_ci([[0, 1]], 1, bounds=None)
    nearly = low - 1e-15
    assert metrics.pass_at_k_ci([[0, 1]], 1, bounds=(nearly, 2.0)).low == nearly
    for bounds in ((-np.inf, np.inf), (-1e308, 1e308)):
        found = metrics.pass_at_k_ci([[0, 1]], 1, bounds=bounds)
        assert found[:3] == (mean, sd, low)


def test_a_table_of_scores_has_reasons_and_ends() -> None:
    table = metrics.score_all([[1, 0], [1, 1]], ks=[2, 3]).to_frame().set_index("metric")
    assert table.loc["avg@2", "value"] == 0.75
    assert table.loc["avg@2", "low"] < 0.75 < table.loc["avg@2", "high"]
    assert "needs 3 samples" in table.loc["pass@3", "reason"]
    assert np.isnan(table.loc["pass@3", "value"])


def test_a_card_without_a_finding_is_a_row_with_its_reason() -> None:
    (card,) = score_runs({"a": Run("7B", "maths", None)}, View())
    table = card.to_frame()
    assert table["model"].tolist() == ["7B"]
    assert table["reason"].tolist() == [str(card.reason)]
