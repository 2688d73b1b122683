"""Short answers on Choose n: the answer, k, one run in detail, and without tokens."""

import numpy as np

import metrics
from tests.pages.visiting import CHOOSE_N, choose, figures, outcomes, table, told, visit


def file(model, seed, m=20, n=4):
    right = outcomes(m, n, seed)
    tokens = np.random.default_rng(seed).integers(100, 2000, right.size)
    columns = {"completion_tokens": tokens, "latency": tokens / 50}
    return f"{model}.parquet", table(right, model, **columns)


def test_it_opens_with_the_answer_and_shows_one_run_in_detail(monkeypatch):
    app = visit(CHOOSE_N, file("alpha", 1), file("beta", 2), more="short-answers")
    assert not app.exception
    assert "For at most " in told(app)
    assert "Short answers are surely better" in told(app)
    assert "is compared with one answer" in told(app)
    tables = [each.value for each in app.dataframe]
    assert any("Answers" in each for each in tables)
    frontiers = figures(app)[1]
    assert frontiers.layout.yaxis.title.text == "pass@k, in percent"
    shown = next(each for each in tables if "Short solve" in each).set_index("Run")
    right = outcomes(20, 4, 1)
    tokens = np.random.default_rng(1).integers(100, 2000, right.size).reshape(right.shape)
    found = metrics.short_or_long(right, tokens, 4)
    assert shown.loc["alpha", "Short"] == f"4 ≤ {found.short.budget:,.0f}"
    assert (
        shown.loc["alpha", "Long solves"]
        .replace("\\", "")
        .startswith(f"{found.long.value.value:.1%}")
    )
    assert "times as long as wrong answers" in told(app)
    assert "4 answers take" in told(app)
    (box,) = (box for box in app.selectbox if box.label == "Run")
    other = next(key for key in ("alpha / maths", "beta / maths") if key != box.value)
    choose(app, "Run", other)
    choose(app, "Answers are", "voted")
    app.slider[0].set_value(3).run()
    assert not app.exception
    kept = {name: app.query_params[name] for name in ("k", "answers", "detail")}
    assert kept == {"k": "3", "answers": "voted", "detail": other}
    assert figures(app)[2].layout.yaxis.title.text == "maj@k, in percent"
    assert any("maj@3" in list(each.value.columns) for each in app.dataframe)
    for module in ("kofn.budgets.figures", "pages.results.choose_n.budgets.showing"):
        monkeypatch.setattr(f"{module}.DRAWN", 1)
    assert "1 of 2 runs are drawn." in told(app.run())


def test_without_tokens_it_says_which_files_have_them():
    app = visit(CHOOSE_N, ("bare.parquet", table(outcomes())), more="short-answers")
    assert not app.exception
    assert "Inspect, EvalScope" in app.info[0].value
