"""Saturation as a visitor meets it, without a browser."""

import re

import numpy as np
import pytest
from streamlit.delta_generator import DeltaGenerator

from kofn.writing.estimates import percent
from metrics import estimate
from tests.pages.visiting import SATURATION, choose, figures, outcomes, table, told, visit


def test_saturation_shows_the_library_s_numbers():
    correct = outcomes(40, 8)
    app = visit(SATURATION, ("a.parquet", table(correct)))
    shown = app.dataframe[0].value
    at = shown.set_index("k").loc[4]
    expected = estimate(correct, "pass@k", 4)
    assert at["Value"] == str(percent(expected.value, *expected.interval))
    assert set(shown["Source"]) == {"measured", "forecast"}
    assert len(figures(app)) == 1


def ends(app):
    """The names at the ends of lines; those of runs with bands are bold."""
    return [re.sub("</?b>", "", note.text) for note in figures(app)[0].layout.annotations]


def banded(app):
    return {trace.name for trace in figures(app)[0].data if trace.fill == "toself"}


def test_several_runs_of_a_dataset_share_a_figure_and_others_wait():
    files = [
        (f"{name}.parquet", table(outcomes(20, n, seed), name, dataset))
        for seed, (name, dataset, n) in enumerate(
            [("alpha", "maths", 8), ("beta", "maths", 4), ("gamma", "code", 2)]
        )
    ]
    app = visit(SATURATION, *files)
    assert ends(app) == ["alpha", "beta"]
    app = choose(app, "Dataset", "code")
    assert app.query_params["dataset"] == "code"
    assert ends(app) == ["gamma"]


def test_of_many_runs_the_best_are_drawn_and_all_are_weighed(monkeypatch):
    monkeypatch.setattr("pages.behaviour.saturation.curves.CURVES", 3)
    files = []
    for run in range(5):
        right = np.zeros((26, 2), int)
        right[(5 * run + np.arange(12 + (run > 1))) % 26] = 1
        files.append((f"{run}.parquet", table(right, f"m{run}")))
    app = visit(SATURATION, *files)
    assert "Here are the 3 best of 5 runs" in told(app)
    assert set(ends(app)) == {"m2", "m3", "m4"}
    assert "and 3 more may each be the best" in told(app)
    monkeypatch.setattr("pages.behaviour.saturation.curves.CURVES", 1)
    both = [
        (f"{model}-{dataset}.parquet", table([right] * 4, model, dataset))
        for model, right in (("worse", [1, 0]), ("better", [1, 1]))
        for dataset in ("maths", "words")
    ]
    app = visit(SATURATION, *both, **{"up-to": "2"})
    assert "Here are the 1 best of 2 models." in told(app)
    assert ends(app) == ["better"]


def test_what_takes_long_says_how_many_runs_are_done(monkeypatch):
    shown = []
    monkeypatch.setattr("pages.behaviour.saturation.curves._PATIENCE", -1)
    monkeypatch.setattr(DeltaGenerator, "progress", lambda _slot, *told: shown.append(told))
    files = [(f"{m}.parquet", table(outcomes(9, 2), m)) for m in ("alpha", "beta")]
    visit(SATURATION, *files, **{"up-to": "2"})
    assert shown == [(0.0, "0 of 2 runs done"), (0.5, "1 of 2 runs done")]


def test_the_page_opens_with_the_answer_of_the_dataset_that_is_shown():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4), "alpha")))
    expected = estimate(outcomes(20, 4), "pass@k", 4)
    opening = app.header[0]
    assert f"With 4 tries alpha solves {expected.value:.1%}" in opening.value.replace("\\", "")


def test_bands_are_of_the_highest_run_or_of_those_chosen():
    files = [(f"{i}.parquet", table(outcomes(12, 4, i), f"m{i}")) for i in range(3)]
    app = visit(SATURATION, *files)
    (best,) = banded(app)
    assert f"With 4 tries {best} solves " in app.header[0].value
    keys = next(box for box in app.multiselect if box.label == "Bands of").options
    app = choose(app, "Bands of", keys[:2])
    assert banded(app) == {"m0", "m1"}
    assert app.query_params["band"] == keys[:2]
    assert ends(app) == ["m0", "m1", "m2"]


def test_settings_of_saturation_live_in_the_link():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))), metric="pass^k", scale="linear")
    assert figures(app)[0].layout.xaxis.type is None
    assert "pass^k" in figures(app)[0].layout.yaxis.title.text
    app = choose(app, "Metric", "maj@k")
    app = choose(app, "Up to k", 10)
    app = choose(app, "Scale of k", "log")
    assert app.query_params["metric"] == "maj@k"
    assert app.query_params["up-to"] == "10"
    assert "scale" not in app.query_params
    assert app.dataframe[0].value["k"].tolist() == [1, 3, 7, 9]


def test_a_setting_that_makes_no_sense_is_left_out_aloud():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))), **{"up-to": "-3"})
    assert "up-to must be a whole number from 2" in told(app)
    assert not app.exception


@pytest.mark.parametrize(
    ("correct", "sentence"),
    [
        (outcomes(30, 1), "A model needs at least 2"),
        (outcomes(1, 8), "too few to fit a model"),
    ],
)
def test_saturation_says_what_is_missing(correct, sentence):
    app = visit(SATURATION, ("a.parquet", table(correct)))
    assert not app.exception
    assert sentence in told(app)


def test_beyond_the_reach_of_models_saturation_says_so():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))), **{"up-to": "1000"})
    assert "16 times the samples, no model" in told(app)
    assert app.dataframe[0].value["Source"].iloc[-1] == "limits only"


def test_saturation_explains_the_gap_to_equally_hard_questions():
    app = visit(SATURATION, ("a.parquet", table(outcomes(40, 8))))
    assert "if all questions were equally hard" in told(app)
    assert "forecast from half of the samples" in told(app)
    assert "missed pass@k at 16 times the samples" in told(app)


def test_a_metric_that_needs_scores_is_offered_only_where_there_are_some():
    app = visit(SATURATION, ("a.parquet", table(outcomes(20, 4))))
    (metric,) = (box for box in app.selectbox if box.label == "Metric")
    assert metric.options[:3] == ["pass@k", "pass^k", "maj@k"]
    assert not {"soft-max@k", "plurality@k", "avg@n"} & set(metric.options)
    scored = table(outcomes(20, 4), score=outcomes(20, 4).ravel() * 0.5)
    (metric,) = (
        b for b in visit(SATURATION, ("b.parquet", scored)).selectbox if b.label == "Metric"
    )
    assert "soft-max@k" in metric.options


def test_several_runs_are_told_that_the_best_was_lucky():
    one, other = (
        ("a.parquet", table(outcomes(12, 2), "m0")),
        ("b.parquet", table(outcomes(12, 2, 1), "m1")),
    )
    assert "the best of several was lucky" not in told(visit(SATURATION, one))
    assert "the best of several was lucky" in told(visit(SATURATION, one, other))


@pytest.mark.parametrize(("setting", "value"), [("level", "0.5"), ("metric", "pass^k")])
def test_another_level_or_metric_fits_no_model_again(monkeypatch, setting, value):
    app = visit(SATURATION, ("a.parquet", table(outcomes(n=8))))

    def refuse(*_):
        pytest.fail("fitted again")

    monkeypatch.setattr("metrics.analyses.saturation.extrapolation.Fits", refuse)
    before = figures(app)[0]
    app.query_params[setting] = value
    app.run()
    assert not app.exception
    assert figures(app)[0] != before
