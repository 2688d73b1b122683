"""Compare as a page: the sentence, the table, and each way there is nothing to compare."""

import numpy as np
import pytest

from kofn.command import main
from metrics import compare, plan
from tests.pages.visiting import choose, outcomes, table, told, visit

PAGE = "pages/decide/compare.py"


def files(*models, m=30, n=4, **more):
    return [
        (f"{model}.parquet", table(outcomes(m, n, seed), model, **more))
        for seed, model in enumerate(models)
    ]


def answer(app):
    return app.header[0].value.replace("\\", "")


def test_it_opens_with_the_answer_of_the_command(tmp_path, capsys):
    paths = []
    for name, data in files("alpha", "beta"):
        (tmp_path / name).write_bytes(data)
        paths.append(str(tmp_path / name))
    assert main(["compare", *paths, "--metric", "pass@k", "--k", "2"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    app = visit(PAGE, *files("alpha", "beta"), metric="pass@k", k="2")
    assert not app.exception
    assert answer(app) == first


def test_two_runs_are_set_against_each_other_and_what_could_be_shown_is_said():
    app = visit(PAGE, *files("alpha", "beta"))
    a, b = outcomes(30, 4, 0), outcomes(30, 4, 1)
    found = compare(a, b)
    line = app.dataframe[0].value.set_index("Run").loc["beta"]
    assert line["Less the baseline"].replace("−", "-").startswith(f"{100 * found.value:.1f} points")
    assert (line["Better on"], line["Worse on"]) == (str(found.wins), str(found.losses))
    assert f"could have shown a difference of {100 * plan(a, b).smallest():.1f} points" in told(app)


def test_the_baseline_is_chosen_and_kept_in_the_link():
    app = visit(PAGE, *files("alpha", "beta", "gamma"))
    assert set(app.dataframe[0].value["Less the baseline"]) >= {"baseline"}
    choose(app, "Baseline", "gamma")
    assert app.query_params["base"] == "gamma"
    lines = app.dataframe[0].value.set_index("Run")
    assert lines.loc["gamma", "Less the baseline"] == "baseline"
    assert "Rank" in lines


@pytest.mark.parametrize(
    ("loaded", "said"),
    [
        (files("alpha"), "there is no other run of maths"),
        ([*files("alpha"), *files("beta", dataset=["other"] * 120)], "there is no other run of"),
        (files("alpha", "beta", n=1), "on one try"),
        (files("alpha", "beta", m=1), "cannot be told apart"),
        (files("alpha", "beta", m=1, n=1), "cannot be told apart"),
    ],
)
def test_the_smallest_data_have_their_sentence(loaded, said):
    app = visit(PAGE, *loaded)
    assert not app.exception
    assert said in answer(app)


def test_other_questions_are_not_paired_and_it_is_said():
    other = table(outcomes(30, 4, 1), "beta")
    renamed = table(
        outcomes(30, 4, 1), "beta", question_id=np.repeat([f"other {i}" for i in range(30)], 4)
    )
    assert "not paired" not in answer(visit(PAGE, *files("alpha"), ("b.parquet", other)))
    app = visit(PAGE, *files("alpha"), ("b.parquet", renamed))
    assert "They are not paired: They have no question in common." in answer(app)
