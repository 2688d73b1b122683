"""Votes against averages as rows, command, figures and page: the library's numbers, and words."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from charts.bubbles import Bubble, bubbles, describe_bubbles
from charts.bubbles import Path as Line
from charts.scatter import Ground, Spot, describe_scatter, scatter
from kofn.command import main
from kofn.consistency.figures import (
    RIGHT,
    WRONG,
    agreement_bubbles,
    vote_bubbles,
    vote_scatter,
)
from kofn.consistency.tables import COLUMNS, frame, rows
from kofn.consistency.votes import AXES, VoteChoices, compare_votes, on_axis
from kofn.runs import index_runs
from kofn.view import View
from metrics import FAILED, Outcomes, Text, consistency, estimate, feasible_region, vote_curve
from metrics.results import Interval
from reports import Report, Run
from tests import test_pages

ROOT = Path(__file__).parents[1]
PAGE = "pages/measure/consistency.py"
HOSTILE = "<b>*7B*</b>\x1b[2J=1+1"
USUAL = VoteChoices()


def verdicts(m=40, n=5, seed=0, lift=0.0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.random((m, 1)) + lift).astype(np.int8)


def answers_of(correct):
    """A right answer each, and one of three wrong ones."""
    wrong = np.random.default_rng(9).integers(1, 4, correct.shape)
    return np.where(correct == 1, 0, wrong).astype(np.int32)


def run(correct, model="7B", dataset="maths", answers=False, **fields):
    data = Outcomes(correct, **fields)
    return Run(model, dataset, data, answers=answers_of(correct) if answers else None)


def index(*runs):
    return index_runs([Report("a.zip", Text("x"), runs)])


HALVES = {"half": ["easy"] * 20 + ["hard"] * 20}
TWO = index(run(verdicts(), answers=True, segments=HALVES), run(verdicts(seed=1, lift=0.2), "70B"))


# Rows -------------------------------------------------------------------------------------------


def test_every_number_is_the_library_s() -> None:
    view = View(k=(3, 4), level=0.9, target="benchmark")
    found = rows(compare_votes(TWO, view, VoteChoices(margin=0.05)))
    assert len(found) == 4
    for row in found:
        expected = consistency(
            TWO[row["run"]].outcomes, row["k"], target="benchmark", confidence_level=0.9
        )
        for name in ("cons", "avg", "difference"):
            numbers = tuple(row[f"{name}{end}"] for end in ("", "_low", "_high"))
            part = getattr(expected, name)
            assert numbers == (part.value, *part.interval)
        assert row["scenario"] == expected.scenario(0.05).name
        assert (row["vote"], row["tied"]) == (f"maj@{row['k']}", expected.tied)
        assert row["aisbench"] == expected.by_aisbench
        assert (row["questions"], row["level"], row["target"]) == (40, 0.9, "benchmark")
        assert row["remarks"][0] == str(expected.scenario(0.05).text)


def test_agreement_is_told_where_there_are_answers() -> None:
    with_answers, without = rows(compare_votes(TWO, View(), USUAL))
    codes = TWO["7B / maths"].answers
    votes = np.array([np.bincount(row).max() for row in codes])
    assert with_answers["agreement"] == pytest.approx(votes.mean() / 5)
    assert with_answers["agreed"] == pytest.approx((votes > 2.5).mean())
    assert with_answers["confidently_wrong"] >= 0
    assert without["agreement"] is without["agreed"] is without["confidently_wrong"] is None


def test_segments_follow_their_run() -> None:
    cards = compare_votes(TWO, View(), VoteChoices(by="half"))
    assert [(card.key, card.view.segment, card.part) for card in cards] == [
        ("7B / maths", None, False),
        ("7B / maths", ("half", "easy"), True),
        ("7B / maths", ("half", "hard"), True),
        ("70B / maths", None, False),
    ]
    easy = consistency(TWO["7B / maths"].outcomes, segment=("half", "easy"))
    assert cards[1].found.cons == easy.cons
    chosen = compare_votes(TWO, View(segment=("half", "easy")), VoteChoices(by="half"))
    assert [card.part for card in chosen] == [False, False]
    assert "no segment" in str(chosen[1].votes.reason)


def test_what_cannot_vote_says_why() -> None:
    runs = index(Run("7B", "aime", None), run(verdicts(n=2)), run(verdicts() * 3, "grades"))
    found = rows(compare_votes(runs, View(k=(3,)), USUAL))
    assert [row["cons"] for row in found] == [None] * 3
    none, few, grades = (row["reason"] for row in found)
    assert "which samples were right" in none
    assert "maj@3 needs 3 samples" in few
    assert "0/1 outcomes" in grades


def test_a_frame_holds_what_the_rows_hold() -> None:
    table = frame(compare_votes(TWO, View(), USUAL))
    assert list(table.columns) == list(COLUMNS)
    assert dict(table.dtypes.astype(str)) == COLUMNS
    assert table["k"].isna().all()


# Figures ----------------------------------------------------------------------------------------


def test_the_scatter_has_a_point_a_run_with_both_intervals() -> None:
    cards = compare_votes(TWO, View(), VoteChoices(by="half"))
    drawn = vote_scatter(cards, replace(USUAL, region=True))
    assert drawn.cards == cards
    for spot, card in zip(drawn.spots, cards, strict=True):
        assert (spot.x, spot.y) == (card.found.avg.value, card.found.cons.value)
        assert (spot.x_interval, spot.y_interval) == (
            card.found.avg.interval,
            card.found.cons.interval,
        )
        assert np.array_equal(spot.region, () if card.part else card.found.region)
        assert spot.part == card.part
        assert "points" in str(spot.detail)
    assert [spot.series for spot in drawn.spots] == ["7B"] * 3 + ["70B"]
    assert np.array_equal(drawn.ground.possible, [feasible_region(5)])
    assert str(drawn.ground.y) == "cons@5, in percent"
    by_run = vote_scatter(cards, replace(USUAL, colour="run"))
    assert [spot.series for spot in by_run.spots] == ["7B / maths"] * 3 + ["70B / maths"]
    assert not by_run.spots[0].region


def test_either_axis_may_be_another_metric() -> None:
    cards = compare_votes(TWO, View(k=(2,)), USUAL)
    drawn = vote_scatter(cards, replace(USUAL, x="pass@k", y="pass^k"))
    outcomes = TWO["7B / maths"].outcomes
    assert drawn.spots[0].x == estimate(outcomes, "pass@k", 2).value
    assert drawn.spots[0].y_interval == estimate(outcomes, "pass^k", 2).interval
    assert (str(drawn.ground.x), str(drawn.ground.y)) == (
        "pass@2, in percent",
        "pass^2, in percent",
    )
    assert not drawn.ground.possible
    assert drawn.ground.above is None
    votes = vote_scatter(cards, replace(USUAL, y="plurality@k"))
    assert len(votes.spots) == 1
    assert "no extracted answers" in str(votes.missing[0])
    for name in AXES:
        assert on_axis(cards[0], name)


def test_the_questions_of_a_run_are_bubbles_on_the_curve_of_their_vote() -> None:
    found = consistency(TWO["7B / maths"].outcomes, 3)
    drawn, (line,) = vote_bubbles(found)
    assert sum(bubble.questions for bubble in drawn) == 40
    assert [bubble.x for bubble in drawn] == pytest.approx([c / 5 for c in found.tally.c])
    assert [bubble.y for bubble in drawn] == pytest.approx(found.chance)
    assert np.array_equal(line.y, vote_curve(3)[1])
    ragged = consistency(Outcomes([[1, 0, -2], [1, 1, 1]]))
    assert vote_bubbles(ragged)[1] == ()
    assert len(vote_bubbles(ragged)[0]) == 2


def test_agreement_parts_the_right_from_the_wrong() -> None:
    correct = np.array([[1, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [FAILED] * 4])
    codes = np.array([[5, 5, 5, 6], [7, 7, 7, 7], [8, 8, 8, 8], [-1] * 4])
    known = Run("7B", "maths", Outcomes(correct), answers=codes)
    found = agreement_bubbles(known, View(missing="omit"))
    assert [(b.series, b.x, b.y, b.questions) for b in found] == [
        (RIGHT, 0.75, 0.75, 1),
        (WRONG, 1.0, 0.0, 2),
    ]
    assert agreement_bubbles(run(correct), View()) == ()


def test_agreement_of_many_samples_is_drawn_in_steps() -> None:
    known = run(verdicts(200, 300), answers=True)
    found = agreement_bubbles(known, View())
    assert sum(bubble.questions for bubble in found) == 200
    assert all((60 * bubble.x) % 1 == pytest.approx(0, abs=1e-9) for bubble in found)


def spot(series, x, y, width=0.1, **fields):
    interval = Interval(x - width / 2, x + width / 2)
    return Spot(series, x, y, interval, None, Text("about {x}", x=HOSTILE), **fields)


def test_a_scatter_plot_is_in_percent_with_both_intervals() -> None:
    ground = Ground(Text("avg"), Text("cons"), [feasible_region(3).tolist()], Text("up"))
    corners = ((0.1, 0.1), (0.3, 0.1), (0.2, 0.4))
    spots = [spot("A", 0.5, 0.7), spot("B", 0.2, 0.2, region=corners), spot("A", 0.4, 0.3)]
    figure = scatter([*spots, replace(spots[0], part=True)], ground)
    points = [trace for trace in figure.data if trace.mode == "markers"]
    assert [trace.name for trace in points] == ["A", "A", "B"]
    assert points[0].x == (50, 40)
    assert points[0].error_x.array == pytest.approx((5, 5))
    assert points[0].error_y.array == (0, 0)
    assert points[0].customdata == (0, 2)
    assert points[1].customdata == (3,)
    assert points[1].marker.size < points[0].marker.size
    areas = [trace for trace in figure.data if trace.fill == "toself"]
    assert [len(area.x) for area in areas] == [5, 4]
    assert figure.layout.yaxis.scaleanchor == "x"
    assert [note.text for note in figure.layout.annotations] == ["up"]
    assert sum(trace.showlegend for trace in figure.data) == 4
    assert "1 of them above" in str(describe_scatter(spots, ground))


def test_names_in_figures_are_shown_letter_for_letter() -> None:
    figure = scatter([spot(HOSTILE, 0.5, 0.5)], Ground(Text("x"), Text("y")))
    assert "<b>" not in figure.to_json().replace("\\u003c", "<")
    assert "&lt;b&gt;" in figure.data[-1].name


def test_the_area_of_a_bubble_is_its_questions() -> None:
    drawn = [
        Bubble(Text("Questions"), 0.2, 0.1, 30, Text("some")),
        Bubble(Text("Others"), 0.4, 0.4, 10, Text("few")),
    ]
    figure = bubbles(drawn, Text("x"), Text("y"), [Line(Text("line"), (0, 1), (0, 1))])
    line, questions, others = figure.data
    assert line.mode == "lines"
    assert questions.marker.sizemode == "area"
    assert questions.marker.sizeref == others.marker.sizeref
    assert (questions.x, questions.marker.size, questions.customdata) == ((20,), (30,), (0,))
    assert others.customdata == (1,)
    assert "40 questions" in str(describe_bubbles(drawn, Text("x"), Text("y")))
    assert str(describe_bubbles([], Text("x"), Text("y"))) == "No question to draw."


# Command ----------------------------------------------------------------------------------------


def table(correct, model="alpha", **columns):
    flat = {name: each.ravel() for name, each in columns.items()}
    return test_pages.table(correct, model, **flat)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "a.parquet"
    file.write_bytes(table(verdicts()))
    return str(file)


def test_the_command_prints_the_rows(path, capsys) -> None:
    assert main(["consistency", path, "--format", "json", "--k", "3", "--margin", "0.1"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["votes"]
    assert row["cons"] == consistency(verdicts(), 3).cons.value
    assert document["choices"] == {"margin": 0.1, "by": ""}
    assert document["view"]["k"] == [3]
    assert main(["consistency", path, "--format", "csv"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head == ",".join(COLUMNS)
    assert line.startswith("alpha / maths,alpha,maths,")


def test_the_command_says_it_in_words(path, capsys) -> None:
    assert main(["consistency", path]) == 0
    text = capsys.readouterr().out
    assert "alpha / maths, 40 questions" in text
    assert "cons@5" in text
    assert "points" in text
    assert main(["consistency", path, "--format", "md", "--k", "2"]) == 0
    text = capsys.readouterr().out
    assert "| maj@2 |" in text
    assert "a tie counts as wrong" in text


def test_the_command_refuses_what_it_cannot_do(path, capsys) -> None:
    assert main(["consistency", path, "--k", "9"]) == 2
    captured = capsys.readouterr()
    assert "maj@9 needs 9 samples" in captured.out
    assert "No run here has votes to count" in captured.err
    assert main(["consistency", path, "--run", "beta"]) == 2
    assert "No run is called beta" in capsys.readouterr().err
    assert main(["consistency", path, "--by", "subject"]) == 2
    assert "No run has segments by subject" in capsys.readouterr().err
    assert main(["consistency", path, "--margin", "20"]) == 2
    assert "margin must be from 0 to 1" in capsys.readouterr().err


# Page -------------------------------------------------------------------------------------------


def visit(*files, **query):
    return test_pages.visit(PAGE, *files, **query)


def words(app):
    kinds = (app.markdown, app.caption, app.info, app.warning, app.subheader)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


def test_the_page_shows_runs_and_the_questions_of_one() -> None:
    app = visit(("a.parquet", table(verdicts())), ("b.parquet", table(verdicts(seed=1), "beta")))
    assert not app.exception
    shown = app.table[0].value
    assert shown["Vote"].tolist() == ["cons@5"] * 2
    assert f"{consistency(verdicts()).cons.value:.1%}" in shown["Right by vote"].iloc[0]
    assert "Questions of one run" in words(app)
    assert "no extracted answers" in words(app)
    assert len(app.get("plotly_chart")) == 2


def test_the_page_shows_agreement_where_there_are_answers() -> None:
    correct = verdicts()
    answers = np.char.add("a", answers_of(correct).astype(str))
    app = visit(("a.parquet", table(correct, extracted=answers)))
    assert not app.exception
    assert len(app.get("plotly_chart")) == 3
    assert "confidently wrong" in words(app)
    links = [link.proto.label for link in app.get("page_link")]
    assert "Confidently wrong" in links


@pytest.mark.parametrize(
    ("correct", "said"),
    [
        (verdicts(n=1), "cons@1"),
        (verdicts(n=2), "A vote of an even number can tie"),
        (verdicts(1), "One question says nothing"),
        (np.ones((30, 5), dtype=np.int8), "Every question scores 1"),
        (np.zeros((30, 5), dtype=np.int8), "Every question scores 0"),
    ],
)
def test_the_page_opens_for_edges(correct, said) -> None:
    app = visit(("a.parquet", table(correct)))
    assert not app.exception
    assert said in words(app) + app.table[0].value.to_string()


def test_a_k_beyond_the_samples_is_said_and_a_smaller_one_is_a_vote_of_k() -> None:
    app = visit(("a.parquet", table(verdicts())), k="9")
    assert not app.exception
    assert "maj@9 needs 9 samples" in words(app)
    assert not app.table
    app = visit(("a.parquet", table(verdicts())), k="3")
    assert app.table[0].value["Vote"].tolist() == ["maj@3"]
    assert "no majority of k" in words(app)
    assert app.table[0].value["AISBench's formula"].iloc[0].endswith("%")


def test_settings_come_from_the_url_and_go_there() -> None:
    app = visit(("a.parquet", table(verdicts())), x="pass@k", margin="0.3", region="yes")
    assert not app.exception
    assert "within 30" not in words(app)
    app.selectbox(key="kofn.VoteChoices.x").set_value("avg@n").run()
    assert "within 30 points" in words(app)
    assert app.query_params["margin"] == "0.3"
    assert "x" not in app.query_params
    app.number_input(key="kofn.VoteChoices.margin").set_value(2.0).run()
    assert "margin" not in app.query_params


def test_segments_are_further_points() -> None:
    part = np.repeat([["x"], ["y"]], 20, axis=0).repeat(5, axis=1)
    app = visit(("a.parquet", table(verdicts(), category=part)), by="category")
    assert not app.exception
    assert len(app.table[0].value) == 3
    app = visit(("a.parquet", table(verdicts(), category=part)), by="subject")
    assert "No run has segments by subject" in words(app)
    assert len(app.table[0].value) == 1


def test_a_segment_is_named_below_its_run() -> None:
    part = np.repeat([["x"], ["y"]], 20, axis=0).repeat(5, axis=1)
    app = visit(("a.parquet", table(verdicts(), category=part)), by="category")
    assert "category=x" in app.table[0].value["Run"].iloc[1].replace("\\", "")
