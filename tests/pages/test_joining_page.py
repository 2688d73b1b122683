"""Runs that were repeated are samples of one run, if the visitor says so."""

import numpy as np

from tests.pages.visiting import OVERVIEW, REPORTS, outcomes, table, told, turn_to, visit

M = 30


def test_repeated_runs_are_joined_and_stay_so_on_other_pages():
    correct = outcomes(M, 3)

    def run(place, model="alpha", **columns):
        data = table(correct[:, [place]], model, **columns)
        return f"{model}{place}.parquet", data

    cold = np.zeros(M)
    app = visit(
        REPORTS,
        *(run(place) for place in range(3)),
        *(run(place, "beta", temperature=cold + place) for place in range(2)),
    )
    (toggle,) = app.toggle
    assert toggle.label == "Take repeated runs as samples of one"
    assert not toggle.value
    toggle.set_value(True).run()
    assert not app.exception
    assert app.query_params["as-samples"] == "yes"
    assert "3 runs were joined as samples of one run, with 3 samples per question." in told(app)
    assert "They differ in temperature (0 / 1)." in told(app)
    inventory = app.dataframe[0].value
    assert inventory["Samples"].tolist() == ["3", "1", "1"]
    turn_to(app, OVERVIEW)
    assert "beta (beta1.parquet), alpha and beta (beta0.parquet) may each be the best" in told(app)
    turn_to(app, REPORTS)
    app.toggle[0].set_value(False).run()
    assert app.dataframe[0].value["Samples"].tolist() == ["1"] * 5


def test_runs_that_repeat_nothing_are_not_asked_about():
    data = table(outcomes())
    assert not visit(REPORTS, ("t.parquet", data)).toggle
