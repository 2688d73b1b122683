"""Runs of a dataset are followed in their order: rows, sentences, and what is left out."""

import json

import numpy as np
import pandas as pd
import pytest

from charts.series import Stop, series
from kofn.choices.view import View
from kofn.command import main
from kofn.series.analysis import follow_runs, orders_of, series_of
from kofn.series.choices import SeriesChoices
from kofn.series.columns import FOLLOWED
from kofn.series.figures import reference, stops
from kofn.series.words import adjustment, answer, answer_of
from metrics import Outcomes, compare
from metrics.data.results import Interval
from metrics.data.words import Text
from reports import Run

SOLVED = {"ckpt-1500": 50, "ckpt-500": 20, "ckpt-12000": 21, "ckpt-1000": 22, "beta": 60}


def run(model, solved, dataset="maths"):
    return Run(model, dataset, Outcomes([[1]] * solved + [[0]] * (60 - solved)))


def runs(**more):
    return {name: run(name, solved) for name, solved in (SOLVED | more).items()}


def test_the_answer_names_the_first_that_is_surely_better_the_best_and_the_fall():
    assert str(answer(follow_runs(runs(), View()))) == (
        "ckpt-1500 is the first that is surely better than ckpt-500: by 50.0 points (33.3 to 64.4) "
        "in avg@n. ckpt-1500 is highest, with 83.3% (72.4 to 91.9). ckpt-12000, the last, is "
        "surely below it: by 48.3 points (30.2 to 64.3)."
    )


def test_no_change_and_a_change_for_the_worse_are_said():
    same = {f"v{i}": run(f"m-v{i}", 20 + i) for i in range(4)}
    assert str(answer(follow_runs(same, View()))).startswith(
        "None of the 3 others surely differs from m-v0 in avg@n. m-v3 is highest"
    )
    level = {f"v{i}": run(f"m-v{i}", solved) for i, solved in enumerate((20, 25, 24))}
    assert "below" not in str(answer(follow_runs(level, View())))
    worse = {f"v{i}": run(f"m-v{i}", 50 - 15 * i) for i in range(3)}
    assert "m-v1 is the first that is surely worse than m-v0: by 25.0 points" in str(
        answer(follow_runs(worse, View()))
    )


@pytest.mark.parametrize(("against", "looked_at"), [("first", 3), ("previous", 3), ("best", 6)])
def test_intervals_are_adjusted_for_what_is_looked_at(against, looked_at):
    group = series_of(follow_runs(runs(), View(), SeriesChoices(against=against)))[0]
    found = group[0].found
    assert found.looked_at == looked_at
    assert str(looked_at) in str(adjustment(found))
    level = 1 - 0.05 / looked_at
    others = {"first": "ckpt-500", "previous": "ckpt-1500", "best": "ckpt-1500"}
    alone = compare(
        run("", SOLVED[others[against]]), run("", SOLVED["ckpt-12000"]), confidence_level=level
    )
    assert found.steps["ckpt-12000"].interval == alone.interval


def test_runs_beside_a_series_say_why_they_are_none():
    cards = follow_runs(runs() | {"x": Run("ckpt-7", "maths", None)}, View())
    reasons = {card.key: str(card.reason) for card in cards if card.found is None}
    assert set(reasons) == {"beta", "x"}
    assert "in order" in reasons["beta"]
    assert "which samples were right" in reasons["x"]
    assert [card.key for card in cards][:4] == ["ckpt-500", "ckpt-1000", "ckpt-1500", "ckpt-12000"]


def test_rows_tell_each_difference_in_the_order_of_the_series():
    table = FOLLOWED.frame(follow_runs(runs(), View()))
    assert table["place"].tolist()[:4] == ["500", "1000", "1500", "12000"]
    assert table["surely_better_than_first"].tolist()[1:4] == [False, True, False]
    first = table["from_first"].tolist()[1:4]
    assert first == pytest.approx([2 / 60, 30 / 60, 1 / 60])
    assert FOLLOWED.rows(follow_runs({"a": run("a", 3)}, View()))[0]["value"] is None


def test_an_order_can_be_named_and_refused(tmp_path, capsys):
    table = pd.DataFrame(
        [
            (model, q, int(q < solved), temperature)
            for model, solved, temperature in (("a", 10, 0.2), ("b", 40, 0.9))
            for q in range(60)
        ],
        columns=["model", "question_id", "correct", "temperature"],
    )
    path = tmp_path / "t.parquet"
    table.to_parquet(path)
    asked = ["series", str(path), "--format", "json"]
    assert main([*asked, "--along", "temperature", "--against", "previous"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["run"], row["place"]) for row in found["series"]] == [
        ("a / t", "0.2"),
        ("b / t", "0.9"),
    ]
    assert found["answer"].startswith("b is the first that is surely better than a: by 50.0 points")
    assert main([*asked, "--along", "size"]) == 2
    assert "Fewer than two runs have a size" in capsys.readouterr().out
    assert main(["series", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out.count("Neither names, settings nor times") == 1
    assert "\n  a / t, b / t\n" in said.out
    assert "No run has two others" in said.err


def test_each_series_of_a_dataset_is_followed_and_marked_as_such():
    two = {f"{m}-{s}": run(f"{m}-step-{s}", 10 + s) for m in ("a", "b") for s in (1, 20, 40)}
    groups = series_of(follow_runs(two, View()))
    assert [[card.key for card in group] for group in groups] == [
        ["a-1", "a-20", "a-40"],
        ["b-1", "b-20", "b-40"],
    ]
    assert "a-step-40" in str(answer_of(groups[0][0].found))
    assert orders_of(two, "step") == orders_of(two)
    assert len(orders_of(two)) == 2


def test_points_that_surely_differ_are_filled_and_numbers_are_to_scale():
    found = follow_runs(runs(), View())[0].found
    drawn = stops(found)
    assert [stop.sure for stop in drawn] == [False, False, True, False]
    assert reference(found) == pytest.approx(20 / 60)
    figure = series(drawn, (Text("a"), Text("b")), reference(found))
    _, filled, open_ = figure.data
    assert (filled.marker.symbol, open_.marker.symbol) == ("circle", "circle-open")
    assert filled.x.tolist() == [1500.0]
    near = [Stop(str(x), x, 0.5, Interval(0.4, 0.6), False, Text("x")) for x in (1.0, 10.0, 1000.0)]
    assert series(near, (Text("a"), Text("b"))).data[0].x.tolist() == [0, 1, 2]
    assert np.isfinite(series(near[:1], (Text("a"), Text("b"))).data[0].x).all()
