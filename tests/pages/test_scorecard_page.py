"""The scorecard as a page: one table, sorted by any column, by dataset, one run on a click."""

import numpy as np
import pytest

from kofn.writing.estimates import percent
from metrics import estimate
from tests.pages.visiting import (
    choose,
    figures,
    outcomes,
    table,
    told,
    visit_scores,
)


def runs(*models: str, datasets=("maths",), n=4):
    return [
        (f"{model}-{dataset}.parquet", table(outcomes(20, n, seed), model, dataset))
        for seed, model in enumerate(models)
        for dataset in datasets
    ]


def listed(app, column="run"):
    return app.dataframe[0].value[column].tolist()


def ask(app, label, text):
    (box,) = (each for each in app.text_input if each.label.startswith(label))
    return box.set_value(text).run()


@pytest.mark.parametrize("by", ["avg@n", "pass@k", "pass^k"])
def test_table_and_figure_follow_the_order_that_is_chosen(by):
    app = visit_scores(*runs("alpha", "beta", "gamma"))
    choose(app, "Sort by", by)
    found = {
        model: estimate(outcomes(20, 4, seed), by)
        for seed, model in enumerate(("alpha", "beta", "gamma"))
    }
    order = sorted(found, key=lambda model: found[model].value, reverse=True)
    assert listed(app) == order
    assert app.query_params.get("sort", "avg@n") == by
    (figure,) = figures(app)
    assert list(figure.layout.yaxis.ticktext) == order
    for trace in figure.data:
        mine = found[trace.name]
        assert str(percent(mine.value, *mine.interval)) in trace.hovertext[0]


def test_without_a_k_the_field_says_that_it_is_the_one_that_all_runs_have():
    app = visit_scores(
        ("few.parquet", table(outcomes(20, 2, 1), "few", "maths")),
        ("many.parquet", table(outcomes(20, 8, 2), "many", "maths")),
    )
    (field,) = (each for each in app.multiselect if each.label == "k, samples drawn")
    assert field.placeholder == "As many as all runs have"
    choose(app, "Sort by", "pass@k")
    drawn = estimate(outcomes(20, 8, 2), "pass@k", 2).value
    (figure,) = figures(app)
    hovers = {trace.name: trace.hovertext[0] for trace in figure.data}
    assert f"{drawn:.1%} (" in hovers["many"]


def test_one_run_is_shown_in_detail_until_it_is_closed():
    app = visit_scores(*runs("alpha", "beta"), detail="beta / maths")
    assert "beta / maths" in told(app)
    marked = app.session_state[app.dataframe[0].key]["selection"]["rows"]
    assert [listed(app)[row] for row in marked] == ["beta"]
    details, _definitions = app.table
    assert len(details.value) > 15
    (close,) = (button for button in app.button if button.label == "Close")
    close.click().run()
    assert len(app.table) == 1
    assert "detail" not in app.query_params
    assert len(visit_scores(*runs("alpha"), detail="elsewhere").table) == 1


def test_a_page_never_cuts_inside_a_dataset_and_says_how_many_runs_are_elsewhere(monkeypatch):
    monkeypatch.setattr("pages.results.overview.scorecard.choosing.ROWS", 5)
    app = visit_scores(*runs("alpha", "beta", datasets=("x", "y", "z")))
    assert listed(app, "dataset") == ["x"] * 2 + ["y"] * 2
    assert "2 more runs are on other datasets (z)" in told(app)
    choose(app, "Dataset", "z")
    assert sorted(listed(app)) == ["alpha", "beta"]
    assert "dataset" not in app.dataframe[0].value
    assert app.query_params["dataset"] == "z"


def test_a_dataset_of_more_runs_than_fit_is_whole(monkeypatch):
    monkeypatch.setattr("pages.results.overview.scorecard.choosing.ROWS", 2)
    app = visit_scores(*runs("alpha", "beta", "gamma"))
    assert len(listed(app)) == 3
    assert "elsewhere" not in told(app)


def test_metrics_are_columns_and_their_options_are_asked_for():
    correct = outcomes(20, 4, 0)
    app = visit_scores(*runs("alpha"))
    assert not app.text_input
    app.multiselect(key="kofn.ScoreChoices.names").set_value(["g-pass@k", "bayes@n"]).run()
    columns = app.dataframe[0].value.columns.tolist()
    assert columns == ["run", "n", *(f"g-pass@k_{t}" for t in (0.25, 0.5, 0.75, 1)), "bayes@n"]
    ask(app, "Tau", "0.5")
    line = app.dataframe[0].value.iloc[0]
    expected = estimate(correct, "g-pass@k", tau=0.5)
    assert line["g-pass@k_0.5"] == str(percent(expected.value, *expected.interval))
    ask(app, "Prior", "1, 1, 1")
    expected = estimate(correct, "bayes@n", target="benchmark", R0=[[1, 1, 1]] * 20)
    line = app.dataframe[0].value.iloc[0]
    assert line["bayes@n"] == str(percent(expected.value, *expected.interval))
    assert (app.query_params["tau"], app.query_params["prior"]) == ("0.5", "1,1,1")


def test_a_weight_is_a_share_in_steps_of_a_tenth():
    app = visit_scores(*runs("alpha"), metrics="geo-spectrum@k")
    weight = app.number_input(key="kofn.ScoreChoices.lam")
    assert (weight.min, weight.max, weight.step) == (0.0, 1.0, 0.1)
    assert weight.set_value(0.25).run().query_params["lambda"] == "0.25"


def test_any_number_of_tries_is_typed():
    app = visit_scores(*runs("alpha"))
    (tries,) = (each for each in app.multiselect if each.label == "k, samples drawn")
    assert tries.set_value(["4", "2"]).run().query_params["k"] == "2,4"
    assert {"pass@2", "pass@4"} <= set(app.dataframe[0].value)


def test_a_posterior_is_offered_of_these_questions():
    correct = outcomes(20, 4, 0)
    app = visit_scores(*runs("alpha"), target="benchmark")
    app.multiselect(key="kofn.ScoreChoices.names").set_value(["avg@n"]).run()
    ask(app, "Posterior", "2, 1")
    expected = estimate(correct, "avg@n", target="benchmark", prior=(2, 1))
    line = app.dataframe[0].value.iloc[0]
    assert line["avg@n"] == str(percent(expected.value, *expected.interval))


def test_an_option_that_cannot_be_meant_is_told_and_changes_nothing():
    app = visit_scores(*runs("alpha"), metrics="g-pass@k")
    ask(app, "Tau", "1.5")
    assert [error.value for error in app.error] == [
        "tau must be shares from 0 to 1, separated by commas; got '1\\.5'\\."
    ]
    assert "tau" not in app.query_params
    app.run()
    assert not app.error


def test_soft_accuracy_leads_where_every_run_has_soft_scores():
    correct = outcomes(20, 4, 0)
    soft = table(correct, score=0.4 * correct.ravel() + 0.3)
    assert "soft" in visit_scores(("a.parquet", soft)).dataframe[0].value
    mixed = visit_scores(("a.parquet", soft), *runs("beta"))
    assert "soft" not in mixed.dataframe[0].value


def test_runs_of_several_samples_are_compared_at_the_k_they_share():
    few, many = runs("few", n=2), [("m.parquet", table(outcomes(20, 8, 1), "many"))]
    app = visit_scores(*few, *many)
    expected = estimate(outcomes(20, 8, 1), "pass@k", 2)
    shown = app.dataframe[0].value.set_index("run")
    assert shown.loc["many", "pass@k"] == str(percent(expected.value, *expected.interval))
    assert shown["n"].to_dict() == {"few": "2", "many": "8"}


def test_remarks_are_said_once_with_the_runs_they_are_of():
    broken = outcomes(20, 4).astype(object)
    broken[0] = None
    app = visit_scores(("b.parquet", table(broken, "beta")), *runs("alpha"))
    (remark,) = (each for each in told(app).splitlines() if "4 of 80 samples (5.0%) failed" in each)
    assert remark.startswith("beta / maths: ")


@pytest.mark.parametrize("correct", [np.ones((30, 4), int), np.zeros((30, 4), int)])
def test_runs_that_are_always_right_or_wrong_are_shown(correct):
    app = visit_scores(("a.parquet", table(correct)))
    assert not app.exception
    assert listed(app) == ["alpha"]
