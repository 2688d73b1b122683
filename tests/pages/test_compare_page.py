"""Compare as a page: the sentence, the table, and each way there is nothing to compare."""

from itertools import product
from urllib.parse import parse_qs

import numpy as np
import pytest

from kofn.command import main
from kofn.writing.estimates import points
from metrics import (
    Outcomes,
    compare,
    compare_segments,
    compare_suite,
    lead,
    plan,
    rank,
    rank_suite,
)
from tests.pages.visiting import (
    COMPARE,
    choose,
    figures,
    opening,
    outcomes,
    settled,
    table,
    told,
    visit,
)


def files(*models, m=30, n=4, **more):
    return [
        (f"{model}.parquet", table(outcomes(m, n, seed), model, **more))
        for seed, model in enumerate(models)
    ]


def answer(app):
    return opening(app)


def test_it_opens_with_the_answer_of_the_command(tmp_path, capsys):
    paths = []
    for name, data in files("alpha", "beta"):
        (tmp_path / name).write_bytes(data)
        paths.append(str(tmp_path / name))
    assert main(["compare", *paths, "--metric", "pass@k", "--k", "2"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    app = visit(COMPARE, *files("alpha", "beta"), metric="pass@k", k="2")
    assert not app.exception
    assert answer(app) == first


def test_two_runs_are_set_against_each_other_and_what_could_be_shown_is_said():
    app = visit(COMPARE, *files("alpha", "beta"), base="alpha")
    a, b = outcomes(30, 4, 0), outcomes(30, 4, 1)
    found = compare(a, b)
    line = app.dataframe[0].value.set_index("Run").loc["beta"]
    assert (
        line["Difference from baseline"]
        .replace("−", "-")
        .startswith(f"{100 * found.value:.1f} points")
    )
    assert (line["Better on"], line["Worse on"]) == (str(found.wins), str(found.losses))
    assert f"could have shown a difference of {100 * plan(a, b).smallest():.1f} points" in told(app)


def test_tables_that_name_no_dataset_are_compared_if_their_ids_match():
    rows = "question_id,sample,correct\n" + "\n".join(f"q{i},0,{{{i}}}" for i in range(40))
    before = rows.format(*[int(i % 3 == 0) for i in range(40)])
    after = rows.format(*[int(i % 4 > 0) for i in range(40)])
    app = visit(COMPARE, ("before.csv", before.encode()), ("after.csv", after.encode()))
    assert not app.exception
    assert answer(app).startswith("after solves ")
    assert "name no dataset: they are compared since" in told(app)


def test_the_baseline_is_chosen_and_kept_in_the_link():
    app = visit(COMPARE, *files("alpha", "beta", "gamma"))
    assert set(app.dataframe[0].value["Difference from baseline"]) >= {"baseline"}
    lines = app.dataframe[0].value.set_index("Run")
    assert lines.loc["gamma", "Difference from baseline"] == "baseline"  # the best
    choose(app, "Baseline", "alpha")
    assert app.query_params["base"] == "alpha"
    lines = app.dataframe[0].value.set_index("Run")
    assert lines.loc["alpha", "Difference from baseline"] == "baseline"
    assert "Rank" in lines


@pytest.mark.parametrize(
    ("loaded", "said"),
    [
        (files("alpha"), "there is no other run of maths"),
        ([*files("alpha"), *files("beta", dataset=["other"] * 120)], "there is no other run of"),
        (files("alpha", "beta", n=1), "on one try"),
        (files("alpha", "beta", m=1, n=1), "cannot be told apart"),
    ],
)
def test_the_smallest_data_have_their_sentence(loaded, said):
    app = visit(COMPARE, *loaded)
    assert not app.exception
    assert said in answer(app)


def test_other_questions_are_not_paired_and_it_is_said():
    other = table(outcomes(30, 4, 1), "beta")
    renamed = table(
        outcomes(30, 4, 1), "beta", question_id=np.repeat([f"other {i}" for i in range(30)], 4)
    )
    assert "not paired" not in answer(visit(COMPARE, *files("alpha"), ("b.parquet", other)))
    app = visit(COMPARE, *files("alpha"), ("b.parquet", renamed))
    assert "They are not paired. They have no question in common." in told(app)


def test_two_runs_open_along_k_with_0_marked():
    app = visit(COMPARE, *files("alpha", "beta"), base="alpha")
    (figure,) = figures(app)
    found = lead(outcomes(30, 4, 0), outcomes(30, 4, 1))
    told_last = figure.data[-1].hovertext[-1].replace("−", "-")
    assert told_last.startswith(f"pass@4: {100 * found.value[-1]:.1f} points")
    assert figure.layout.yaxis.title.text == "Difference in pass@k, in points"


def test_pictures_show_the_margin_of_the_leader_where_no_baseline_is_chosen():
    a, b, c = (outcomes(30, 4, seed) for seed in range(3))
    of_two = compare(*sorted((a, b), key=np.mean))
    assert of_two.value > 0
    app = visit(COMPARE, *files("alpha", "beta"))
    told_first = figures(app)[0].data[-1].hovertext[0]
    assert told_first.startswith(f"pass@1: {100 * of_two.value:.1f} points")
    app = visit(COMPARE, *files("alpha", "beta", "gamma"), picture="base")
    last, middle, best = sorted((a, b, c), key=np.mean)
    drawn = str([each.hovertext for each in figures(app)[0].data])
    for other in (middle, last):
        assert f": {points(compare(other, best).value, *compare(other, best).interval)}, " in drawn
    assert " better by, in points of avg@n" in figures(app)[0].layout.xaxis.title.text


def test_more_open_with_ranks_and_each_picture_is_drawn_and_kept_in_the_link():
    app = visit(COMPARE, *files("alpha", "beta", "gamma"))
    found = rank({name: outcomes(30, 4, seed) for seed, name in enumerate(("a", "b", "c"))})
    assert len(figures(app)[0].data) == 6
    assert list(app.dataframe[0].value["Rank"]) == [str(ranks) for ranks in found.ranks]
    for picture, traces in (("base", 2), ("pairs", 2), ("metrics", 9)):
        app.query_params["picture"] = picture
        app.run()
        assert not app.exception
        assert len(figures(app)[0].data) >= traces


def test_models_are_compared_on_all_their_datasets():
    more = [
        (f"{seed}.parquet", table(outcomes(30, 4, seed), model, dataset))
        for seed, (model, dataset) in enumerate(product(("alpha", "beta"), ("maths", "words")))
    ]
    app = visit(COMPARE, *more)
    a, b = ({"x": outcomes(30, 4, i), "y": outcomes(30, 4, i + 1)} for i in (0, 2))
    placed = rank_suite({"alpha": a, "beta": b})
    assert "0 of 1 pairs of models differ for certain" in told(app)
    assert all(f"rank {ranks}" in str(figures(app)[0]) for ranks in placed.ranks)
    app = choose(app, "Shown", "base")
    found = compare_suite(a, b)
    assert answer(app).startswith(
        "beta and alpha may each be the best on one try; the first has 42.9%"
    )
    (row,) = (each.hovertext for each in figures(app)[0].data if each.hovertext)
    assert row[0].replace("−", "-").startswith(f"alpha: {100 * found.value:.1f} points")
    assert list(app.dataframe[0].value["Model"]) == ["beta", "alpha"]
    app = choose(app, "Shown", "datasets")
    assert figures(app)[0].layout.yaxis.ticktext[-1] == "All together"
    assert f"alpha: {100 * found.value:.1f} points" not in told(app)
    assert f"{abs(100 * found.value):.1f} points" in told(app)
    app = choose(app, "Shown", "k")
    app = choose(app, "Metric", "pass@k")
    shown = "".join(str(each.hovertext) for each in figures(app)[0].data)
    for k in (1, 2, 4):
        at = compare_suite(b, a, "pass@k", k)
        assert f"pass@{k}: {points(at.value, *at.interval)}" in shown
    app = choose(app, "Shown", "base")
    found = compare_suite(a, b, "pass@k", 4)
    assert f"beta: {abs(100 * found.value):.1f} points" in figures(app)[0].data[0].hovertext[0]
    assert "may each be the best in pass@4" in answer(app)
    app = visit(COMPARE, *more, picture="datasets", dataset="words")
    assert "On 2 datasets together" in told(app)
    (figure,) = figures(app)
    assert figure.layout.yaxis.ticktext[-1] == "All together"


def test_segments_have_a_test_and_a_row_each():
    labels = {"subject": np.repeat(["sets", "graphs", "sums"], 40)}
    app = visit(COMPARE, *files("alpha", "beta", **labels), picture="segments", base="alpha")
    assert not app.exception
    found = compare_segments(
        *(
            Outcomes(outcomes(30, 4, seed), segments={"subject": labels["subject"][::4]})
            for seed in (0, 1)
        ),
        "subject",
    )
    assert f"(p = {found.p_value:.2g})" in told(app)
    (figure,) = figures(app)
    assert set(figure.layout.yaxis.ticktext) == {"sets", "graphs", "sums"}
    labels["level"] = np.repeat(["hard", "easy"], 60)
    app = visit(COMPARE, *files("alpha", "beta", **labels), picture="segments", base="alpha")
    app = choose(app, "Segments by", "level")
    assert app.query_params["by"] == "level"
    (figure,) = figures(app)
    assert set(figure.layout.yaxis.ticktext) == {"hard", "easy"}


def test_won_tied_and_lost_are_counted_as_the_lists_they_open():
    app = visit(COMPARE, *files("alpha", "beta"), base="alpha")
    found = compare(outcomes(30, 4, 0), outcomes(30, 4, 1))
    links = {
        link.proto.label.replace("\\", ""): parse_qs(link.proto.query_string)
        for link in app.get("page_link")
        if "filter" in link.proto.query_string
    }
    for name, kind, count, a in (
        ("Better on", "a-above-b", found.wins, "beta / maths"),
        ("As good on", "a-equals-b", found.ties, "beta / maths"),
        ("Worse on", "a-above-b", found.losses, "alpha / maths"),
    ):
        query = links[f"{name}: {count}"]
        assert (query["filter"], query["a"]) == ([kind], [a])
    opened = {key: values[0] for key, values in query.items()}
    questions = visit("pages/data/questions/page.py", *files("alpha", "beta"), **opened)
    assert f"({found.losses})" in chosen_kind(questions)


def chosen_kind(app):
    (box,) = (each for each in app.selectbox if each.label == "Show")
    return box.options[box.index]


def test_settings_that_differ_stand_beside_the_result():
    def run(model, seed, temperature):
        column = np.full(120, temperature)
        return f"{model}.parquet", table(outcomes(30, 4, seed), model, temperature=column)

    app = visit(COMPARE, run("alpha", 0, 0.2), run("beta", 1, 0.8), base="alpha")
    assert "temperature 0.2 against 0.8" in told(app)
    app = visit(COMPARE, run("alpha", 0, 0.2), run("beta", 1, 0.2))
    assert "Settings differ: none." in told(app)


def test_texts_that_are_not_the_same_questions_unpair_the_runs():
    def run(model, seed, first):
        asked = np.repeat([f"{first + i} squared?" for i in range(30)], 4)
        answers = np.repeat([str((first + i) ** 2) for i in range(30)], 4)
        data = table(outcomes(30, 4, seed), model, prompt=asked, reference=answers)
        return f"{model}.parquet", data

    assert "not paired" not in answer(visit(COMPARE, run("alpha", 0, 5), run("beta", 1, 5)))
    app = visit(COMPARE, run("alpha", 0, 5), run("beta", 1, 6))
    settled(app)
    assert not app.exception
    assert "They are not paired. " in told(app)


@pytest.mark.usefixtures("short_plans")
def test_what_more_takes_is_planned_when_it_is_opened():
    closed = visit(COMPARE, *files("alpha", "beta"))
    assert "kofn.PlanChoices.width" not in [each.key for each in closed.number_input]
    app = visit(
        COMPARE, *files("alpha", "beta"), base="alpha", difference="0.1", bill="900", more="plan"
    )
    assert not app.exception
    a, b = outcomes(30, 4, 0), outcomes(30, 4, 1)
    said = told(app)
    assert f"For a difference of 10.0 points about {plan(a, b).questions(0.1):,} questions" in said
    lines = app.dataframe[-1].value
    assert list(lines)[:3] == ["Samples", "These questions show", "10.0 points take"]
    app.number_input(key="kofn.PlanChoices.width").set_value(20.0).run()
    assert app.query_params["width"] == "0.2"
    assert "20.0 points wide takes" in app.dataframe[-1].value
    app.number_input(key="kofn.PlanChoices.sample").set_value(3.0).run()
    assert app.query_params["sample-cost"] == "3.0"
    app.number_input(key="kofn.PlanChoices.sample").set_value(0.0).run()
    assert app.number_input(key="kofn.PlanChoices.sample").value == 1.0
