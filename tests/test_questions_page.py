"""The page of questions: filters, links, one question opened, and texts that stay texts."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from kofn.rendering import printable
from pages.widgets.maths import typeset
from pages.widgets.reading import END, readable
from tests.test_hostile_names import NAMES
from tests.test_hostile_names import table as hostile_table
from tests.test_pages import ROOT, outcomes, table, visit, words

QUESTIONS = "pages/data/questions.py"
DATA = Path(__file__).parent / "data" / "aisbench"
TWO_MODELS = DATA / "gsm8k_n5_two_models.zip"
HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> **b** [l](javascript:alert(1)) $x$ "
    ":red[r] \x00 \x1b[31m \u202eevil\u202c \ud800 `c`"
)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))


def open_report(path=TWO_MODELS, **query):
    return visit(QUESTIONS, (path.name, path.read_bytes()), **query)


def box(app, label):
    return next(each for each in app.selectbox if each.label == label)


def button(app, label):
    return next(each for each in app.button if each.label == label)


def codes(app):
    return [each.value for each in app.code]


def listed(app):
    return app.dataframe[0].value["question"].tolist()


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
    assert "no prompts and predictions to read" in words(app)
    assert not app.exception


def test_two_runs_stand_side_by_side_and_b_is_chosen():
    correct = outcomes(20, 3)
    app = visit(
        QUESTIONS,
        ("a.parquet", table(correct)),
        ("b.parquet", table(1 - correct, model="beta")),
        filter="a-beats-b",
    )
    assert listed(app) == [f"q{i}" for i in range(20) if correct[i].sum() >= 2]
    assert "right.beta / maths" in app.dataframe[0].value


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


def hostile_report(text):
    """A report whose first question has hostile texts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(TWO_MODELS) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("gsm8k.jsonl") and "/predictions/" in name:
                records = [json.loads(line) for line in data.decode().splitlines()]
                for record in (record for record in records if record["id"] == 0):
                    record["prediction"] += text
                    record["gold"] = text + record["gold"]
                    record["origin_prompt"] = [
                        {"role": text[:30], "prompt": text},
                        {"role": "BOT", "prompt": text},
                        {"role": "HUMAN", "prompt": text},
                    ]
                data = "\n".join(map(json.dumps, records)).encode()
            new.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("maths", ["no", "yes"])
def test_hostile_texts_are_shown_as_letters(maths):
    app = visit(QUESTIONS, ("r.zip", hostile_report(HOSTILE)), open="0", maths=maths)
    assert not app.exception
    shown = "\n".join(codes(app)) if maths == "no" else words(app)
    assert "script" in shown
    for letter in ("\x00", "\x1b", "\u202e", "\ud800"):
        assert letter not in words(app) + "\n".join(codes(app))
    for markup in ("<script", "<img", "[l]", ":red[r", "**b**", "`c`"):
        assert not re.search(rf"(?<!\\){re.escape(markup)}", words(app))
    if maths == "no":
        assert readable(HOSTILE) in shown


def test_a_long_text_shows_its_end_and_folds_what_comes_before():
    text = "x" * 1_000_000 + " the end"
    app = visit(QUESTIONS, ("r.zip", hostile_report(text)), open="0")
    assert not app.exception
    assert max(map(len, codes(app))) <= END * 1.3
    assert any(code.endswith("the end") for code in codes(app))
    folds = [each for each in app.expander if "letters before" in each.label]
    assert folds


def test_a_file_that_was_changed_is_said_in_a_sentence(tmp_path):
    with zipfile.ZipFile(TWO_MODELS) as files:
        files.extractall(tmp_path / "report")
    app = visit("pages/data/inventory.py")
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


def test_letters_are_kept_that_join_others():
    assert readable("नि\u200dक\tx\r\ny") == "नि\u200dक\tx\ny"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"so \(x^2\) and $y$", "so $x^2$ and $y$"),
        (r"\[ \frac{1}{2} \]", "\n\n$$\n\\frac{1}{2}\n$$\n\n"),
        ("costs $5 or $6", "costs \\$5 or \\$6"),
        (r"$\def\x{y}\x$", r"\$\\def\\x\{y\}\\x\$"),
        (r"$\href{javascript:alert(1)}{x}$", r"\$\\href\{javascript\:alert\(1\)\}\{x\}\$"),
        (r"$\hspace{9em}$", r"\$\\hspace\{9em\}\$"),
        ("a\n  b", "a  \n\xa0\xa0b"),
        ("# h\n- i\n| t |", "\\# h  \n\\- i  \n\\| t \\|"),
    ],
)
def test_only_harmless_formulas_are_set(text, expected):
    assert typeset(text) == expected


def test_many_openings_of_formulas_take_no_time():
    assert len(typeset(r"\[" * 10_000)) > 20_000
    assert len(typeset("$a $" * 5_000)) > 20_000


def test_the_shape_is_drawn_when_asked_for():
    app = open_report()
    assert not app.get("plotly_chart")
    app.session_state["kofn.questions.shape"] = True
    app.run()
    assert len(app.get("plotly_chart")) == 1
    assert not app.exception


@pytest.fixture
def long_list(monkeypatch):
    """Open the last question of the second page of three."""
    monkeypatch.setattr("pages.widgets.question_pages.ROWS", 25)
    return visit(QUESTIONS, ("a.parquet", table(outcomes(60, 2))), open="q49")


def marked(app):
    (row,) = app.session_state[app.dataframe[0].proto.id]["selection"]["rows"]
    return listed(app)[row]


def test_a_long_list_shows_the_page_of_the_open_question_and_follows_it(long_list):
    app = long_list
    assert listed(app) == [f"q{i}" for i in range(25, 50)]
    assert marked(app) == "q49"
    button(app, "Previous").click().run()
    assert marked(app) == "q48"
    for _step in range(2):
        button(app, "Next").click().run()
    assert listed(app) == [f"q{i}" for i in range(50, 60)]
    assert marked(app) == "q50"
    assert "page" not in app.query_params


def test_the_page_of_a_long_list_is_in_the_link_until_the_list_is_another(long_list):
    app = long_list
    app.get("pagination")[0].set_value(1).run()
    assert listed(app) == [f"q{i}" for i in range(25)]
    assert app.query_params["page"] == "1"
    assert app.query_params["open"] == "q49"
    box(app, "Sort by").set_value("right").run()
    assert "page" not in app.query_params


def test_a_list_stays_on_its_page_when_the_question_is_closed(long_list):
    button(long_list, "Close").click().run()
    assert listed(long_list) == [f"q{i}" for i in range(25, 50)]
    assert long_list.query_params["page"] == "2"


@pytest.mark.parametrize(("page", "first"), [("3", "q50"), ("99", "q50"), ("none", "q0")])
def test_a_link_leads_to_a_page(monkeypatch, page, first):
    monkeypatch.setattr("pages.widgets.question_pages.ROWS", 25)
    app = visit(QUESTIONS, ("a.parquet", table(outcomes(60, 2))), page=page)
    assert listed(app)[0] == first
    assert not app.exception
