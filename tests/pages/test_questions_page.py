"""The page of questions: filters, links, one question opened."""

import json
import zipfile
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kofn.questions.filters import QuestionFilter
from metrics import Outcomes
from metrics.data.words import printable
from pages.data.questions.data import identify
from pages.data.questions.samples import judge
from reports import Run
from tests.pages.hostile_names import NAMES, hostile_table
from tests.pages.reading_questions import (
    QUESTIONS,
    TWO_MODELS,
    box,
    button,
    codes,
    listed,
    open_report,
)
from tests.pages.visiting import ROOT, look_closer, outcomes, table, visit, words


@pytest.fixture(autouse=True)
def _reading():
    """Read in a process of its own, as a server does."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))


@pytest.mark.parametrize(("down", "arrow"), [("no", "↑"), ("yes", "↓")])
def test_an_arrow_says_which_column_is_sorted_and_which_way(down, arrow):
    app = visit(QUESTIONS, ("a.parquet", table(outcomes(6, 4))), sort="question", down=down)
    assert not app.exception
    shown = json.loads(app.dataframe[0].proto.columns).values()
    labels = " ".join(column.get("label", "") for column in shown)
    assert f"Question {arrow}" in labels
    assert labels.count("↑") + labels.count("↓") == 1


def test_samples_that_are_all_wrong_are_called_so():
    app = visit(QUESTIONS, ("a.parquet", table([[1, 0, 0], [1, 1, 1]])), open="q0")
    assert not app.exception
    assert ":red[✗ 2 wrong]" in words(app)
    assert ":green[✓ 1 right]" in words(app)


def test_a_filter_lists_its_questions_and_is_in_the_link():
    correct = outcomes(60, 4)
    app = visit(QUESTIONS, ("a.parquet", table(correct)))
    assert listed(app) == [f"q{i}" for i in range(60)]
    box(app, "Show").set_value("majority-wrong").run()
    expected = [f"q{i}" for i, c in enumerate(correct.sum(axis=1)) if 0 < c <= 2]
    assert listed(app) == expected
    assert app.query_params["filter"] == "majority-wrong"
    assert any(f"({len(expected)})" in option for option in box(app, "Show").options)
    assert f"**{len(expected)} questions**" in words(app)


def test_a_link_lists_orders_and_confines():
    correct = outcomes(60, 4)
    app = visit(
        QUESTIONS, ("a.parquet", table(correct)), right="0.25,0.75", sort="right", down="yes"
    )
    shares = correct.mean(axis=1)
    inside = [i for i in range(60) if 0.25 <= shares[i] <= 0.75]
    assert listed(app) == [f"q{i}" for i in sorted(inside, key=lambda i: -shares[i])]
    assert "Right\\: 0\\.25 to 0\\.75" in words(app)
    button(app, "Any share").click().run()
    assert len(listed(app)) == 60
    assert "right" not in app.query_params


def test_the_strip_has_a_bar_for_each_sample():
    app = visit(QUESTIONS, ("a.parquet", table([[1, 0, 1], [0, 0, 0]])))
    strips = app.dataframe[0].value["samples"]
    assert [list(strip) for strip in strips] == [[1, -1, 1], [-1, -1, -1]]
    assert app.dataframe[0].value["right"].tolist() == ["2/3", "0/3"]


@pytest.mark.parametrize("shape", [(1, 8), (30, 1), (1, 1)])
def test_the_smallest_data_are_listed(shape):
    app = visit(QUESTIONS, ("a.parquet", table(outcomes(*shape))), open="q0")
    assert not app.exception
    assert len(listed(app)) == shape[0]


def test_a_filter_without_any_question_and_a_search_without_any_say_so():
    app = visit(QUESTIONS, ("a.parquet", table([[1, 1]])), filter="flaky")
    assert [each.value for each in app.info] == ["No question is like that."]
    app = visit(QUESTIONS, ("a.parquet", table([[1, 1]])), filter="soft-gap", sort="nothing")
    assert "nothing to tell this kind of questions by" in words(app)


def test_results_without_verdicts_say_why_there_is_no_list():
    app = visit(QUESTIONS, ("gsm8k.json", b'{"accuracy (4 runs average)": 50.0, "avg@4": 50.0}'))
    assert not app.exception
    assert "does not say which samples were right" in words(app)


def test_an_open_question_has_its_prompt_reference_and_samples():
    app = open_report(a="beta-14b-chat / gsm8k", open="3")
    lines = zipfile.ZipFile(TWO_MODELS)
    (name,) = (n for n in lines.namelist() if n.endswith("predictions/beta-14b-chat/gsm8k.jsonl"))
    records = [json.loads(line) for line in lines.read(name).decode().splitlines()]
    own = [record for record in records if record["id"] == 3]
    *before, last = [turn["prompt"] for turn in own[0]["origin_prompt"]]
    assert last in codes(app)
    assert not set(before) & set(codes(app))
    assert f"{len(before)} turns before" in [each.label for each in app.expander]
    assert own[0]["gold"] in codes(app)
    assert codes(app)[2] in {record["prediction"].strip() for record in own}
    assert "Judged by Gsm8kEvaluator" in words(app)
    assert "samples right" in words(app)


def test_samples_of_an_answer_are_named_by_number_verdict_and_score():
    right = np.array([[1, 1, 0]] * 3)
    files = [("a.parquet", table(right, score=np.array([0.9, 0.75, 0.2] * 3)))]
    app = visit(QUESTIONS, *files, a="alpha / maths", open="q0")
    (samples,) = (each for each in app.pills if each.label == "Samples")
    assert samples.options == ["1 ✓ 0.90", "2 ✓ 0.75"]
    assert "Sample 3 ✗ 0.20" in words(app).replace("\\", "")


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({}, "Judged as the file says."),
        ({"settings": {"evaluator": "AccEvaluator"}}, "Judged by AccEvaluator."),
        (
            {"rule": "exact", "threshold": 0.5, "strict": False},
            "Judged by kofn, by exact, as the report holds no verdicts. "
            "A sample is right if its score is at least 0.5.",
        ),
        (
            {"threshold": 0.5},
            "Judged as the file says. A sample is right if its score exceeds 0.5.",
        ),
    ],
)
def test_it_is_said_who_judged_and_from_which_score_on_a_sample_is_right(known, said):
    run = Run("a", "maths", Outcomes([[1, 0]], scores=[[0.9, 0.1]]), **known)
    assert str(judge(run)) == said


def test_the_next_question_is_the_next_of_the_list():
    app = open_report(filter="flaky")
    names = listed(app)
    app.query_params["open"] = names[1]
    app.run()
    assert f"Question {names[1]}" in words(app)
    assert f"2 of {len(names)}" in words(app)
    button(app, "Next").click().run()
    assert app.query_params["open"] == names[2]
    assert f"Question {names[2]}" in words(app)
    for _step in range(2):
        button(app, "Previous").click().run()
    assert app.query_params["open"] == names[0]
    assert button(app, "Previous").disabled
    button(app, "Close").click().run()
    assert "open" not in app.query_params
    assert not codes(app)


def test_from_a_question_outside_the_list_the_next_is_its_first():
    app = visit(
        QUESTIONS, ("a.parquet", table([[1, 1], [1, 0], [0, 1]])), filter="flaky", open="q0"
    )
    assert "Not in this list" in words(app)
    assert button(app, "Previous").disabled
    assert button(app, "Next").click().run().query_params["open"] == "q1"


def test_a_list_is_the_same_whichever_of_its_questions_is_open():
    shown = SimpleNamespace(identity="a run")
    chosen = QuestionFilter(kind="flaky")
    for other in (replace(chosen, open="q1"), replace(chosen, maths=True), replace(chosen, page=2)):
        assert identify(shown, other) == identify(shown, chosen)
    assert identify(shown, QuestionFilter()) != identify(shown, chosen)


def test_a_search_finds_words_of_prompts():
    app = open_report(search="ribbons")
    found = listed(app)
    assert 0 < len(found) < 40
    app.query_params["open"] = found[0]
    assert any("ribbons" in text for text in codes(app.run()))


def test_a_question_that_is_not_there_is_said():
    app = open_report(open="no such")
    assert "This run has no question no such" in words(app)
    assert not app.exception


def test_a_table_says_that_it_has_no_texts():
    app = visit(QUESTIONS, ("a.parquet", table(outcomes())), open="q1")
    assert "has no prompts and predictions" in words(app)
    assert not app.exception


def test_two_runs_stand_side_by_side_and_b_is_chosen():
    correct = outcomes(20, 3)
    app = visit(
        QUESTIONS,
        ("a.parquet", table(correct)),
        ("b.parquet", table(1 - correct, model="beta")),
        filter="a-beats-b",
        a="alpha / maths",
    )
    assert listed(app) == [f"q{i}" for i in range(20) if correct[i].sum() >= 2]
    assert "right.beta / maths" in app.dataframe[0].value


def test_of_several_others_the_first_is_b_until_another_is_chosen():
    correct = outcomes(20, 3)
    runs = {"alpha": correct, "beta": 1 - correct, "gamma": correct}
    files = [(f"{name}.parquet", table(each, name)) for name, each in runs.items()]
    app = visit(QUESTIONS, *files, filter="a-beats-b", a="alpha / maths")
    assert box(app, "B").value == "beta / maths"
    assert listed(app) == [f"q{i}" for i in range(20) if correct[i].sum() >= 2]
    app = box(app, "B").set_value("gamma / maths").run()
    assert "No question is like that." in [each.value for each in app.info]
    assert (app.query_params["b"], box(app, "B").value) == ("gamma / maths", "gamma / maths")


def test_a_failed_request_is_a_sample_that_is_neither_right_nor_wrong():
    app = visit(QUESTIONS, ("a.parquet", table([[1, None, None], [1, 1, 0]])), open="q0")
    assert "Failed requests · 2 samples" in words(app)


IMAGE = "data:image/png;base64,iVBORw0KGgo="
ASKED = [
    {"type": "image_url", "image_url": {"url": IMAGE}},
    {"type": "text", "text": "What is shown?"},
]


def test_texts_of_a_question_are_shown_with_pictures_and_can_be_taken_away(monkeypatch):
    taken = {}
    monkeypatch.setattr(
        "streamlit.download_button", lambda label, make, *_, **__: taken.update({label: make})
    )
    line = {"model": "sees", "dataset": "maths", "question_id": "q0", "sample": 0, "correct": 1}
    texts = {
        "prompt": [{"role": "user", "content": ASKED}],
        "prediction": "A cat.",
        "reference": "cat",
    }
    files = [("t.jsonl", json.dumps(line | texts).encode()), ("a.parquet", table([[1]]))]
    app = visit(QUESTIONS, *files, a="sees / maths", open="q0")
    assert not app.exception
    (picture,) = (each.proto.imgs[0] for each in app.get("image"))
    assert (picture.url, picture.alt) == (IMAGE, "Picture of the prompt")
    assert codes(app)[:3] == ["What is shown?", "cat", "A cat."]
    document = taken["Download these texts"]()
    assert document.startswith('{\n  "sees / maths"')
    assert json.loads(document) == {
        "sees / maths": {
            "question": "q0",
            "prompt": [
                {"role": "user", "image": "image/png"},
                {"role": "user", "text": "What is shown?"},
            ],
            "reference": "cat",
            "predictions": ["A cat."],
            "answers": [None],
        }
    }


def test_a_link_to_a_run_that_is_not_loaded_says_so():
    app = visit(QUESTIONS, ("a.parquet", table(outcomes())), a="gone")
    assert "names a run that is not loaded: gone" in words(app).replace("\\", "")
    assert len(listed(app)) == 30


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_question_of_any_name_is_opened_by_its_link(name):
    app = visit(QUESTIONS, ("t.jsonl", hostile_table(name)), sort="segment.subject")
    first, second, _third = listed(app)
    app.query_params["open"] = first
    app.run()
    button(app, "Next").click().run()
    assert not app.exception
    assert app.query_params["open"] == second == printable(f"{name}1")
    assert "2 of 3" in words(app)


def test_a_file_that_was_changed_is_said_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_REPORTS", str(tmp_path))
    with zipfile.ZipFile(TWO_MODELS) as files:
        files.extractall(tmp_path / "report")
    app = visit("pages/data/reports/page.py")
    app.text_input[0].set_value(str(tmp_path / "report"))
    button(app, "Load").click().run()
    (predictions,) = tmp_path.glob("report/**/predictions/alpha-7b-chat/gsm8k.jsonl")
    predictions.write_text("changed\n" + predictions.read_text())
    app = app.switch_page(str(ROOT / QUESTIONS)).run()
    app.query_params["open"] = "0"
    app.run()
    assert not app.exception
    (error,) = app.error
    assert "alpha" in error.value
    assert "changed" in error.value
    assert len(listed(app)) == 40
    assert "Judged by Gsm8kEvaluator" in words(app)


def test_the_shape_is_drawn_when_asked_for():
    app = open_report()
    assert not app.get("plotly_chart")
    look_closer(app, "shape")
    assert len(app.get("plotly_chart")) == 1
    assert not app.exception


def test_the_majority_s_answer_stands_in_the_list_with_its_verdict():
    right = np.array([[1, 1], [0, 0], [1, 1]])
    answers = ["a", "a", "b", "b", None, None]
    app = visit("pages/data/questions/page.py", ("a.parquet", table(right, extracted=answers)))
    listed = app.dataframe[0].value.set_index("question")["answer"]
    assert (listed["q0"], listed["q1"]) == ("✓ a", "✗ b")
    assert not listed["q2"] or listed.isna()["q2"]
