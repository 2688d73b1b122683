"""Soft against hard as page, command and figures: the library's numbers, and words for the rest."""

import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from charts.levels import Spectrum, describe_levels, levels
from charts.thresholds import describe_thresholds, thresholds
from kofn.cells import names
from kofn.command import main
from kofn.rendering import percent
from kofn.runs import index_runs
from kofn.soft_hard.comparing import Mark, compare_runs
from kofn.soft_hard.figures import marks_of, spectra, steps
from kofn.soft_hard.orders import rankings, soft_order
from kofn.soft_hard.tables import COLUMNS, frame, gap_makers, rows
from kofn.soft_hard.words import rule_of
from kofn.view import View
from metrics import Outcomes, Text, soft_hard
from reports import Report, Run, load
from tests import test_pages

ROOT = Path(__file__).parents[1]
PAGE = "pages/measure/soft_vs_hard.py"
HOSTILE = "<b>*7B*</b>\x1b[2J=1+1"
LEVELS = np.array([0, 0.3, 0.6, 0.9, 1])


def scores(m=40, n=3, seed=0, lift=0.0):
    rng = np.random.default_rng(seed)
    skill = rng.random((m, 1)) + lift
    return LEVELS[np.clip((skill * 4 + rng.normal(0, 1, (m, n))).astype(int), 0, 4)]


def run(soft, model="7B", dataset="textvqa", threshold=0.5, **fields):
    data = Outcomes((soft > 0.5).astype(int), soft)
    return Run(model, dataset, data, threshold=threshold, **fields)


def index(*runs):
    return index_runs([Report("a.zip", Text("x"), runs)])


TWO = index(run(scores()), run(scores(seed=1, lift=0.1), "70B"))
PLAIN = index(Run("7B", "gsm8k", Outcomes([[1, 0]])), Run("7B", "aime", None))


def table(soft, correct=None, model="alpha"):
    correct = soft > 0.5 if correct is None else correct
    return test_pages.table(correct.astype(int), model, "textvqa", score=soft.ravel())


def visit(*files, **query):
    app = test_pages.visit(PAGE, *files, **query)
    assert not app.exception
    return app


def words(app):
    kinds = (app.markdown, app.caption, app.info, app.warning)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


def figures(cards):
    marks = marks_of(cards)
    return levels(spectra(cards), marks), thresholds(steps(cards), marks, 0.95)


def test_rows_are_the_library_s_numbers():
    view = View(level=0.9, target="benchmark")
    found = {
        row["metric"]: row for row in rows(compare_runs(TWO, view, Mark())) if row["model"] == "7B"
    }
    truth = soft_hard(scores(), target="benchmark", confidence_level=0.9)
    for name, expected in [
        ("soft", truth.accuracy),
        ("avg@3", truth.avg),
        ("gap", truth.gap),
        ("pass@3", truth.passed),
        ("cons@3", truth.voted),
    ]:
        row = found[name]
        assert (row["value"], row["low"], row["high"]) == (expected.value, *expected.interval)
    assert found["not counted"]["value"] == truth.levels.below
    assert found["rounded up"]["value"] == truth.levels.above
    assert found["gap"]["rule"] == "above"


def test_a_frame_holds_all_rows_and_the_reasons_for_none():
    made = frame(compare_runs(TWO | PLAIN, View(), Mark()))
    assert list(made.columns) == list(COLUMNS)
    assert len(made) == 2 * 7 + 2
    reasons = made["reason"].dropna().tolist()
    assert "identical by construction" in reasons[0]
    assert "does not say which samples were right" in reasons[1]


def test_the_evaluator_s_rule_holds_unless_another_is_chosen():
    (card,) = compare_runs(index(run(scores(), threshold=0.6, strict=False)), View(), Mark())
    assert (card.found.threshold, card.found.strict) == (0.6, False)
    chosen = Mark(threshold=0.3, rule="above")
    (card,) = compare_runs(index(run(scores(), threshold=0.6, strict=False)), View(), chosen)
    assert (card.found.threshold, card.found.strict) == (0.3, True)
    (card,) = compare_runs(index(run(scores(), threshold=None)), View(), Mark())
    assert card.found.threshold == 0.5


def test_verdicts_of_the_file_that_are_others_are_counted():
    soft = scores()
    odd = Run("7B", "textvqa", Outcomes((soft > 0.8).astype(int), soft), threshold=0.5)
    (card,) = compare_runs(index(odd), View(), Mark())
    assert card.contrary.fields["count"] == int(((soft > 0.5) & (soft < 0.8)).sum())
    (card,) = compare_runs(index(odd), View(), Mark(threshold=0.4))
    assert card.contrary is None


def test_categories_are_no_verdicts_that_could_differ():
    soft = np.array([[0.0, 0.5, 1.0], [1.0, 1.0, 0.5]])
    graded = Run("7B", "textvqa", Outcomes((2 * soft).astype(int), soft))
    (card,) = compare_runs(index(graded), View(), Mark())
    assert card.found.avg.value == pytest.approx(0.5)
    assert card.contrary is None


def test_choices_survive_a_link():
    for mark in (Mark(), Mark(0.3), Mark(0.0, "reach")):
        assert Mark.from_query(mark.to_query()) == (mark, ())
        assert Mark.from_json(mark.to_json()) == (mark, ())
    mark, problems = Mark.from_query({"threshold": "2", "rule": "soft"})
    assert mark == Mark()
    assert len(problems) == 2


def test_orders_are_those_of_hard_accuracy_at_every_threshold():
    """A is ahead where a score above .3 is enough, B from .5 on."""
    a, b = np.array([[0.4], [0.4], [0.4], [0.0]]), np.array([[0.9], [0.9], [0.0], [0.0]])
    cards = compare_runs(index(run(a, "A"), run(b, "B")), View(), Mark())
    found = [(part.low, part.high, part.order) for part in rankings(cards)]
    first, second = (("A / textvqa",), ("B / textvqa",)), (("B / textvqa",), ("A / textvqa",))
    assert found == [(0.0, 0.4, first), (0.4, 0.9, second)]
    assert soft_order(cards) == second


def test_equals_share_a_place_and_one_run_has_no_order():
    cards = compare_runs(index(run(scores(), "A"), run(scores(), "B")), View(), Mark())
    assert {len(part.order) for part in rankings(cards)} == {1}
    assert rankings(cards[:1]) == ()


def test_the_questions_that_make_the_gap_come_first():
    soft = np.array([[0.0, 1.0], [0.3, 0.3], [0.9, 0.6], [0.6, 0.3]])
    (card,) = compare_runs(index(run(soft)), View(), Mark())
    found = gap_makers(card)
    assert [maker["question"] for maker in found] == ["1", "2", "3"]
    assert [maker["gap"] for maker in found] == pytest.approx([0.3, -0.25, -0.05])
    assert found[0]["scores"] == [0.3, 0.3]
    assert sum(maker["share"] for maker in found) == pytest.approx(card.found.gap.value)


def test_a_histogram_has_every_level_and_no_colour_of_a_background():
    cards = compare_runs(TWO, View(), Mark())
    figure = levels(spectra(cards), marks_of(cards))
    assert [trace.name for trace in figure.data] == ["7B", "70B"]
    found = cards[0].found.levels
    assert figure.data[0].y == pytest.approx(100 * found.share)
    assert set(figure.data[0].marker.opacity[found.right]) == {1.0}
    assert max(figure.data[0].marker.opacity[~found.right]) < 1
    assert figure.layout.shapes[0].x0 == 0.5
    assert figure.layout.paper_bgcolor is None
    assert "partial credit" in str(describe_levels(spectra(cards)))


def test_a_chosen_threshold_is_marked_beside_the_evaluator_s():
    cards = compare_runs(TWO, View(), Mark(threshold=0.3))
    assert {mark: str(name) for mark, name in marks_of(cards).items()} == {
        0.3: "threshold 0.3",
        0.5: "evaluator's threshold 0.5",
    }
    for figure in (
        levels(spectra(cards), marks_of(cards)),
        thresholds(steps(cards), marks_of(cards), 0.95),
    ):
        assert [shape.x0 for shape in figure.layout.shapes] == [0.3, 0.5]
        assert [note.xanchor for note in figure.layout.annotations] == ["right", "left"]


def test_a_threshold_that_is_assumed_says_so():
    (card,) = compare_runs(index(run(scores(), threshold=None)), View(), Mark())
    assert "assumed since the file states no threshold" in str(rule_of(card))
    assert "assumed" not in str(rule_of(compare_runs(TWO, View(), Mark())[0]))


def test_bars_of_near_levels_do_not_overlap():
    score = np.array([0.3, 0.31, 1.0])
    one = Spectrum("A", score, np.full(3, 1 / 3), score > 0.5, np.zeros(3))
    figure = levels([one, one], {})
    assert sum(trace.width for trace in figure.data) < 0.01
    assert not figure.layout.shapes


def test_steps_hold_from_one_threshold_to_the_next():
    soft = np.array([[0.2, 0.6]])
    cards = compare_runs(index(run(soft)), View(), Mark())
    figure = thresholds(steps(cards), marks_of(cards), 0.95)
    line = figure.data[1]
    assert line.x.tolist() == [0, 0.2, 0.2, 0.6, 0.6, 1.0]
    assert line.y.tolist() == [100, 100, 50, 50, 0, 0]
    shown = figure.data[0]
    assert min(shown.y) >= 0
    assert max(shown.y) <= 100
    reached, above = figure.data[3], figure.data[4]
    assert reached.y.tolist() == [100, 50]
    assert above.y.tolist() == [50, 0]
    assert "falling from 100.0% to 50.0%" in str(describe_thresholds(steps(cards)))


def test_names_in_figures_are_shown_letter_for_letter():
    cards = compare_runs(index(run(scores(), HOSTILE), run(scores(), "70B")), View(), Mark())
    for figure in (
        levels(spectra(cards), marks_of(cards)),
        thresholds(steps(cards), marks_of(cards), 0.95),
    ):
        assert "<b>" not in figure.to_json().replace("\\u003c", "<")
    assert names(compare_runs(index(run(scores()), run(scores(1))), View(), Mark()))[0] != "7B"


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (6, 1), (6, 2)])
def test_the_page_takes_few_questions_and_samples(shape):
    app = visit(("a.parquet", table(scores(*shape))))
    assert len(app.get("plotly_chart")) == 2


def test_the_page_has_the_numbers_of_the_library():
    soft = scores()
    app = visit(("a.parquet", table(soft)), threshold="0.3", rule="reach", level="0.9")
    truth = soft_hard(soft, threshold=0.3, strict=False, confidence_level=0.9)
    cells = app.table[0].value.iloc[0].tolist()
    for cell, expected in zip(cells[1:3], (truth.accuracy, truth.avg), strict=True):
        value, low, high = percent(expected.value, *expected.interval)
        assert cell == f"**{value}** :gray[({low} to {high})]"
    assert "right: a score of at least 0.3" in words(app)
    assert app.number_input(key="kofn.Mark.threshold").value == 0.3


def test_the_threshold_follows_its_control():
    app = visit(("a.parquet", table(scores())))
    assert app.number_input(key="kofn.Mark.threshold").value is None
    app.number_input(key="kofn.Mark.threshold").set_value(0.6).run()
    app.selectbox(key="kofn.Mark.rule").set_value("reach").run()
    assert app.query_params["threshold"] == "0.6"
    assert "right: a score of at least 0.6" in words(app)
    app.selectbox(key="kofn.Mark.rule").set_value("own").run()
    assert "rule" not in app.query_params


def test_scores_of_0_and_1_are_identical_by_construction():
    hard = (scores() > 0.5).astype(float)
    assert "identical by construction" in words(visit(("a.parquet", table(hard))))


def test_without_scores_the_page_says_what_to_do():
    long = {
        "model": ["m"] * 4,
        "dataset": ["d"] * 4,
        "question_id": ["a", "a", "b", "b"],
        "sample": [0, 1, 0, 1],
        "correct": [1, 0, 1, 1],
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(long), buffer)
    app = visit(("a.parquet", buffer.getvalue()))
    assert not app.get("plotly_chart")
    assert "Load results of textvqa" in app.info[0].value
    assert "identical by construction" in words(app)


def test_several_runs_are_ranked_in_words():
    app = visit(
        ("a.parquet", table(scores())), ("b.parquet", table(scores(lift=0.3), model="beta"))
    )
    assert "order of the runs" in words(app)
    assert len(app.get("plotly_chart")) == 2


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_the_command_prints_every_format(form, tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(scores(), model=HOSTILE))
    assert main(["soft-hard", str(path), "--format", form, "--threshold", "0.3"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "pass@3" in printed
    if form == "json":
        document = json.loads(printed)
        assert document["mark"] == {"threshold": 0.3, "rule": None}
        truth = soft_hard(scores(), threshold=0.3)
        (details,) = document["runs"]
        assert [level["adds"] for level in details["levels"]] == truth.levels.credit.tolist()
        assert details["sweep"]["threshold"] == LEVELS.tolist()
        assert document["numbers"][2]["value"] == truth.gap.value


def test_the_command_says_why_there_is_nothing(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("model,dataset,question_id,sample,correct\nm,d,a,0,1\nm,d,a,1,0\n")
    assert main(["soft-hard", str(path)]) == 2
    printed = capsys.readouterr()
    assert "identical by construction" in printed.out
    assert "No run here has soft scores" in printed.err
    assert main(["soft-hard", str(path), "--threshold", "7"]) == 2
    assert "threshold must be from 0 to 1" in capsys.readouterr().err


def test_the_real_report_s_accuracies_are_reproduced():
    """The stated accuracy is the soft one; its true avg@3 is the share above a half."""
    report = load(ROOT / "tests" / "data" / "aisbench" / "textvqa_n3.zip")
    for one in report.runs:
        (card,) = compare_runs(index(one), View(), Mark())
        found = {"accuracy": card.found.accuracy.value, "avg@": card.found.avg.value}
        for name, value in found.items():
            stated = next(one.reported[key] for key in one.reported if key.startswith(name))
            assert value == pytest.approx(stated, abs=1e-9)


def test_datasets_that_are_alike_are_drawn_both():
    data = table(scores())
    other = pq.read_table(io.BytesIO(data))
    renamed = other.set_column(1, "dataset", pa.array(["docvqa"] * len(other)))
    buffer = io.BytesIO()
    pq.write_table(renamed, buffer)
    app = visit(("a.parquet", data), ("b.parquet", buffer.getvalue()))
    assert len(app.get("plotly_chart")) == 4
