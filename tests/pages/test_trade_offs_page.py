"""Trade-offs as a page: both axes, k by a slider, the answer above."""

import numpy as np
import pytest

from kofn.command import main
from metrics import estimate
from tests.pages.visiting import choose, figures, outcomes, table, told, visit

PAGE = "pages/results/trade_offs/page.py"


def files(*models, m=20, n=4):
    found = []
    for seed, model in enumerate(models):
        tokens = np.full(m * n, 100 * (seed + 1))
        found.append(
            (f"{model}.parquet", table(outcomes(m, n, seed), model, completion_tokens=tokens))
        )
    return found


def answer(app):
    return app.header[0].value.replace("\\", "")


def test_it_opens_with_the_answer_tokens_across_and_all_runs():
    app = visit(PAGE, *files("alpha", "beta", "gamma"))
    assert not app.exception
    assert " runs are worth considering: " in answer(app)
    figure, places = figures(app)
    assert places.layout.yaxis.title.text == "Place"
    assert figure.layout.xaxis.title.text == "Tokens for a question, 4 samples"
    assert figure.layout.yaxis.title.text == "pass@4, in percent"
    shown = app.dataframe[0].value.set_index("Run")
    found = estimate(outcomes(20, 4, 1), "pass@k")
    assert shown.loc["beta", "pass@k"].replace("\\", "").startswith(f"{found.value:.1%} (")
    assert shown.loc["beta", "Tokens"].startswith("800 tokens")


def test_the_slider_moves_k_and_the_link_has_it():
    app = visit(PAGE, *files("alpha", "beta"))
    assert (app.slider[0].min, app.slider[0].max, app.slider[0].value) == (1, 4, 4)
    app.slider[0].set_value(2).run()
    assert app.query_params["k"] == "2"
    assert figures(app)[0].layout.yaxis.title.text == "pass@2, in percent"


def test_what_an_address_was_before_is_no_news():
    """A browser asks for more before it has heard of the address that was made of what it chose."""
    app = visit(PAGE, *files("alpha", "beta"))
    first = dict(app.query_params)
    app.slider[0].set_value(3).run()
    second = dict(app.query_params)
    app.slider[0].set_value(2)
    for late in (first, second):
        app.query_params.clear()
        app.query_params.update(late)
        app.run()
        assert (app.slider[0].value, app.query_params["k"]) == (2, "2")
        assert figures(app)[0].layout.yaxis.title.text == "pass@2, in percent"
    app.run()
    app.query_params["k"] = "4"
    assert app.run().slider[0].value == 4


def test_axes_and_questions_are_chosen_and_kept_in_the_link():
    app = visit(PAGE, *files("alpha", "beta"))
    choose(app, "Up", "avg@n")
    choose(app, "Cost of", "1000")
    assert (app.query_params["y"], app.query_params["per"]) == ("avg@n", "1000")
    (figure,) = figures(app)
    assert figure.layout.xaxis.title.text == "Tokens for 1,000 questions, 1 sample each"
    choose(app, "Across", "maj@k")
    assert not [box for box in app.selectbox if box.label == "Cost of"]


def test_money_asks_for_a_price_and_takes_it():
    app = visit(PAGE, *files("alpha", "beta"), x="money")
    assert answer(app) == "No run has both numbers."
    assert "Nothing has a price" in told(app)
    assert [figure.layout.yaxis.title.text for figure in figures(app)] == ["Place"]
    app = visit(PAGE, *files("alpha", "beta"), **{"x": "money", "sample-price": "0.5", "k": "4"})
    assert " 2 of your currency a question" in answer(app)


def test_the_page_has_the_numbers_and_the_words_of_the_command(tmp_path, capsys):
    ((name, data),) = files("alpha")
    path = tmp_path / name
    path.write_bytes(data)
    assert main(["trade-offs", str(path), "--k", "2", "--y", "maj@k"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert answer(visit(PAGE, (name, data), k="2", y="maj@k")) == first


def test_who_leads_at_which_k_is_told_of_both_axes_as_the_command_does(tmp_path, capsys):
    steady = np.repeat([[1], [0]], [60, 40], axis=0).repeat(4, axis=1)
    both = [
        ("a.parquet", table(steady, "steady")),
        ("b.parquet", table(np.eye(1, 4).repeat(100, 0), "lucky")),
    ]
    for name, data in both:
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / name) for name, _ in both]
    assert main(["trade-offs", *paths, "--x", "pass^k", "--y", "pass@k"]) == 0
    out = capsys.readouterr().out
    app = visit(PAGE, *both, x="pass^k", y="pass@k")
    headings = [each.value for each in app.markdown if each.value.startswith("**Places by")]
    assert [each.replace("\\", "") for each in headings] == [
        "**Places by pass@k**",
        "**Places by pass^k**",
    ]
    for sentence in (
        "steady certainly leads at k = 1 to 2; lucky certainly leads at k = 4.",
        "lucky passes steady at k = 3 (2 to 3): in pass@1 steady leads by 35.0 points",
        "steady certainly leads at each k up to pass^4.",
    ):
        assert sentence in out
        assert sentence in told(app).replace("\\", "")


@pytest.mark.parametrize(
    ("shape", "said"), [((30, 1), "pass@1"), ((1, 4), "pass@4"), ((1, 1), "pass@1")]
)
def test_the_smallest_data_are_weighed(shape, said):
    app = visit(PAGE, ("a.parquet", table(outcomes(*shape), "alpha")))
    assert not app.exception
    assert said in answer(app)
    assert len(app.slider) == (shape[1] > 1)


def test_more_runs_than_colours_are_all_there_and_one_is_picked_by_the_link():
    models = [f"m{i:02}" for i in range(14)]
    app = visit(PAGE, *files(*models, m=10, n=2), detail="m03 / maths")
    assert len(app.dataframe[0].value) == 14
    crossed = [trace.name for trace in figures(app)[0].data if trace.error_x.array is not None]
    assert crossed == ["m03"]
    (cross,) = (box for box in app.selectbox if box.label == "Cross of")
    assert "m03" in cross.value
    few = visit(PAGE, *files(*models[:3]))
    assert sum(trace.error_x.array is not None for trace in figures(few)[0].data) == 3


def test_a_k_beyond_the_samples_is_said_run_by_run():
    app = visit(PAGE, *files("alpha"), *files("beta", n=2), k="4")
    assert not app.exception
    assert "pass@4 needs 4 samples" in told(app)
