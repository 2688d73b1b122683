"""The page Trust: what it says of verdicts, which samples it lists, and where it has nothing."""

import json
import re
from html import escape
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import numpy as np
import pytest

from metrics import spot_check
from pages.data.trust import marking
from pages.shared.memory.server_cache import KEPT
from reports import audit, load
from reports.labelling import to_fill_in
from reports.readings.statements import Statement
from tests.pages.visiting import (
    ROOT,
    figures,
    look_closer,
    parts,
    table,
    told,
    turn_to,
    unfold,
    visit,
)
from tests.reports.mutations import zipped

PAGE = "pages/data/trust/page.py"
DATA = Path(__file__).parents[1] / "data" / "verdicts"


def test_it_opens_with_what_the_command_says():
    app = visit(PAGE, ("old_gpqa_n4.zip", (DATA / "old_gpqa_n4.zip").read_bytes()))
    assert not app.exception
    said = told(app)
    assert "brook-7b solves 21.9% (16.2 to 30.3) of GPQA_diamond." in said
    assert "Chance alone moves that by 8.4 points, doubtful verdicts by +35.6 to" in said
    assert "29.7% of 320 verdicts contradict the text." in said
    runs, compared = (each.value for each in app.dataframe)
    assert runs["As judged"].tolist() == ["47.5% (38.7 to 56.5)", "21.9% (16.2 to 30.3)"]
    assert runs["Missed"].tolist() == ["28", "64"]
    assert compared["The difference"].tolist() == ["rests on which answers are taken"]
    causes, readings = figures(app)
    sure, could = causes.data
    assert sure.x[0] == 40.0  # 64 of 160 verdicts missed a right answer
    assert (sure.y[0], could.y[0]) == (0, 1)
    assert causes.layout.yaxis.ticktext[0].startswith("missed verdicts")
    assert list(readings.data[0].x) == [47.5, 21.875]
    assert "independent of the tool's own extraction" in said
    unfold(app, "download.trust")
    offered = [each.proto.label for each in app.get("download_button")]
    assert "Download Parquet" in offered


def test_doubtful_samples_are_listed_by_their_questions_and_numbers():
    app = visit(PAGE, OLD, more="samples")
    assert not app.exception
    (shown,) = (each.value for each in app.dataframe if "Judged" in each.value)
    run, *_others = load(DATA / "old_gpqa_n4.zip").runs
    about = audit(run)
    missed = [
        (about.outcomes.questions[row], sample + 1)
        for row, sample in np.argwhere(about.kinds == "missed").tolist()
    ]
    assert [*zip(shown["Question"], shown["Sample"], strict=True)] == missed[: len(shown)]
    assert {1, 4} <= {*shown["Sample"]}


def test_a_number_that_is_expected_is_judged_and_drawn():
    app = visit(PAGE, OLD)
    (typed,) = (each for each in app.text_input if each.label == "Expected number")
    assert "Its samples a question" not in [each.label for each in app.number_input]
    app = typed.input("59%").run()
    assert not app.exception
    said = told(app)
    assert "21.9% is surely lower than the stated 59%" in said
    assert "missed verdicts, by +40.0 points (64 of 160)" in said
    marks = [each.text for each in figures(app)[0].layout.annotations]
    assert marks == ["21.9%", "expected 59.0%"]
    assert app.query_params["expected"] == "59%"
    (behind,) = (each for each in app.number_input if each.label == "Its samples a question")
    assert behind.set_value(8).run().query_params["expected-n"] == "8"
    app = app.text_input[0].input("much").run()
    assert "An expected number is a fraction" in app.error[0].value


def test_how_much_lower_is_accepted_is_typed_in_points_or_left_out():
    app = visit(PAGE, OLD, expected="59%", margin="0.02")
    label = "Accepted if lower by at most, in points"
    (points,) = (each for each in app.number_input if each.label == label)
    assert points.value == 2.0
    assert points.set_value(3.5).run().query_params["margin"] == "0.035"
    (points,) = (each for each in app.number_input if each.label == label)
    assert "margin" not in points.set_value(None).run().query_params
    assert not app.exception


def test_a_table_without_expected_numbers_is_refused_in_a_sentence():
    app = visit(PAGE, ("t.parquet", table([[1, 0], [1, 1]])))
    expected = app.file_uploader(key="kofn.trust.expected_numbers.file")
    expected.upload("stated.csv", b"dataset,model\nmaths,alpha\n").run()
    assert told(app).count("stated.csv has no column value.") == 1


def test_of_too_many_runs_with_texts_some_are_read(monkeypatch):
    monkeypatch.setattr("pages.data.trust.reading.MOST", 1)
    app = visit(PAGE, OLD)
    assert "Here are 1 of 2 runs" in told(app)
    monkeypatch.setattr("pages.data.trust.reading.MOST", 2)
    assert "Here are" not in told(app.run())


def test_runs_without_verdicts_have_their_reasons():
    app = visit(PAGE, ("gsm8k.json", b'{"accuracy (4 runs average)": 50.0, "avg@4": 50.0}'))
    assert "No run here has verdicts that could be looked at" in told(app)
    (caption, *_others) = (each.value for each in app.caption)
    assert "The file does not say which samples were right" in caption


def test_a_run_of_the_same_answers_is_no_luck():
    with ZipFile(DATA / "head_n4.zip") as archive:
        names = [name for name in archive.namelist() if re.search(r"configs/.|GPQA", name)]
        head = zipped({name: archive.read(name) for name in names})
    app = visit(PAGE, OLD, ("head_n4.zip", head))
    old, new = (f"brook-7b / GPQA_diamond ({name}_n4.zip)" for name in ("old_gpqa", "head"))
    app = next(each for each in app.selectbox if each.label == "Run").set_value(old).run()
    label = "Or a run, question by question"
    app = next(each for each in app.selectbox if each.label == label).set_value(new).run()
    assert not app.exception
    said = told(app)
    assert "holds the same answers under another rule" in said
    assert "Of 160 verdicts 17 became wrong and 10 right" in said
    assert "the first letter after “Answer:”, as AISBench did before 6 August 2026" in said
    changed = next(each.value for each in app.dataframe if "There" in each.value)
    assert changed["Here"].tolist() == ["right"] * 10 + ["wrong"] * 17
    chosen = next(each for each in app.selectbox if each.label == "Read a sample")
    app = chosen.select_index(12).run()
    assert not app.exception
    (text,) = (each.proto.body for each in app.main.get("html"))
    assert "<mark" in text


def test_a_table_without_texts_still_has_chance_and_says_what_is_missing():
    app = visit(PAGE, ("t.parquet", table([[1, 0], [1, 1]])))
    assert not app.exception
    assert "Chance alone moves that by" in told(app)
    assert "Load the predictions with it" in told(app)


OLD = ("old_gpqa_n4.zip", (DATA / "old_gpqa_n4.zip").read_bytes())


def opened():
    """Open the page where samples are labelled."""
    return visit(PAGE, OLD, more="label")


def press(app, key):
    return app.button(key=key).click().run()


def test_labels_by_click_or_key_give_a_number_that_goes_along():
    app = opened()
    assert "30 give" in told(app)
    assert "0 of 160 listed samples are labelled" in told(app)
    asked = [each.value for each in app.code]
    keys = {each.key.rpartition(".")[2]: each.proto.shortcut for each in app.button if each.key}
    assert (keys["right"], keys["wrong"], keys["cannot tell"]) == ("1", "2", "3")
    app = press(app, "kofn.trust.labels.right")
    assert "By 1 label avg@n is" in told(app)
    assert [each.value for each in app.code] != asked
    app = press(press(app, "kofn.trust.labels.wrong"), "kofn.trust.labels.cannot tell")
    assert "By 3 labels avg@n is" in told(app)
    assert "1 label says" in told(app)
    assert "3 of 160 listed samples are labelled" in told(app)
    app = press(app, "kofn.trust.labels.back")
    assert "By 2 labels avg@n is" in told(app)
    assert not app.exception


def test_labels_stay_with_the_upload_and_are_not_those_of_who_was_given_a_link():
    app = press(opened(), "kofn.trust.labels.right")
    (file,) = app.session_state["kofn.files"].values()
    (made,) = file.use.beside.values()
    assert list(made.values()) == ["right"]
    assert KEPT.find(file.use.key).beside is file.use.beside
    assert KEPT.find(file.use.shared).beside == {}


def test_a_list_that_was_filled_in_is_taken_in():
    app = opened()
    run = next(iter(app.session_state["kofn.reports"].values())).runs[0]
    table = to_fill_in(run, spot_check(run, questions=5))
    table["human"] = [1, 0, 1, 0, None]
    app.file_uploader(key="kofn.trust.labels.file").upload(
        "look.csv", table.to_csv(index=False).encode()
    ).run()
    assert "By 4 labels avg@n is" in told(app)
    (file,) = app.session_state["kofn.files"].values()
    (made,) = file.use.beside.values()
    assert sorted(made.values()) == ["right", "right", "wrong", "wrong"]
    app.file_uploader(key="kofn.trust.labels.file").upload("bad.csv", b"a,b\n1,2\n").run()
    assert "bad.csv" in told(app)
    assert "By 4 labels avg@n is" in told(app)
    app.file_uploader(key="kofn.trust.labels.file").upload("run.csv", b"id,correct\na,1\n").run()
    assert "run.csv is not a list of samples with labels." in told(app)
    assert not app.exception


def test_once_all_samples_are_labelled_none_is_asked_about():
    asked = {"model": "alpha", "dataset": "maths", "question_id": "q", "prompt": "1 + 1?"}
    asked["reference"] = "2"
    lines = [
        asked | {"sample": each, "correct": each, "prediction": f"It is {each + 1}."}
        for each in (0, 1)
    ]
    app = visit(PAGE, ("t.jsonl", "\n".join(map(json.dumps, lines)).encode()), more="label")
    app = press(press(app, "kofn.trust.labels.right"), "kofn.trust.labels.wrong")
    assert "2 of 2 listed samples are labelled" in told(app)
    assert "kofn.trust.labels.right" not in [each.key for each in app.button]


def test_a_sample_is_read_with_every_place_marked_that_a_reading_took():
    app = visit(PAGE, OLD, more="samples")
    (chosen,) = (each for each in app.selectbox if each.label == "Read a sample")
    assert len(chosen.options) == 28
    app = chosen.select_index(0).run()
    assert not app.exception
    (text,) = (each.proto.body for each in app.main.get("html"))
    marked = re.findall(r'<mark [^>]*title="([^"]*)">([^<]*)</mark>', text)
    (listed,) = (each.value for each in app.dataframe if "Reference" in each.value)
    assert {told.rpartition(": ")[2] for told, _ in marked} == {listed["Reference"][0]}
    extracted = listed["The tool extracted"][0] or "nothing"
    assert extracted in {each.value for each in app.code}
    assert listed["The tool extracted"][0] != listed["Reference"][0]
    first = listed["Sample"].tolist().index(1)
    (chosen,) = (each for each in app.selectbox if each.label == "Read a sample")
    (text,) = (each.proto.body for each in chosen.select_index(first).run().main.get("html"))
    run, *_others = app.session_state["kofn.reports"].popitem()[1].runs
    wrote = run.texts(listed["Question"][first]).predictions[0]
    assert escape(wrote) == re.sub("<[^>]*>", "", text)


def pieces(text, *stated):
    return "".join(marking._pieces(text, [Statement(*each) for each in stated]))


@pytest.mark.parametrize("stated", [[], [Statement("letter", "A", 3, 4)]])
def test_a_text_without_a_final_answer_is_said_to_have_none(stated, monkeypatch):
    said = []
    streamlit = SimpleNamespace(html=lambda text: None, caption=said.append)
    monkeypatch.setattr(marking, "st", streamlit)
    marking.show_marked("It A is", stated)
    assert said == ([] if stated else ["No reading found a final answer here."])


def test_marked_texts_are_letters_and_never_markup():
    shown = pieces("<img src=x>The answer is B\u202e", ("stated", '"><b', 11, 26))
    assert shown.startswith("&lt;img src=x&gt;<mark ")
    assert 'title="stated: &quot;&gt;&lt;b"' in shown
    assert shown.endswith("</mark>\\u202e")
    assert re.findall("<[a-z]+", shown) == ["<mark"]


def test_of_a_long_text_what_is_around_its_marks_and_its_end_is_shown():
    text = "a" * 10_000 + "answer: B" + "b" * 10_000 + "end"
    shown = pieces(text, ("stated", "B", 10_000, 10_009))
    assert "[9,300 letters]" in shown
    assert ">answer: B</mark>" in shown
    assert shown.endswith("end")
    assert len(shown) < 3_000
    assert pieces("none at all") == "none at all"


def test_what_is_around_marks_that_are_close_is_shown_once():
    text = "".join(f"{number:05} " for number in range(2_000))
    shown = pieces(text, ("stated", "B", 5_000, 5_003), ("stated", "B", 5_900, 5_903))
    assert re.sub("<[^>]*>", "", shown) == (
        f"\n[4,300 letters]\n{text[4_300:6_603]}\n[4,697 letters]\n{text[-700:]}"
    )


def test_questions_are_filtered_by_kind_and_overview_names_what_moves():
    app = visit(PAGE, OLD)
    app = turn_to(app, "pages/results/overview/page.py")
    assert "furthest off is brook" in told(app)
    app.query_params.update({"a": "brook-7b / GPQA_diamond", "filter": "missed"})
    app = app.switch_page(str(ROOT / "pages/data/questions/page.py")).run()
    assert not app.exception
    (kind,) = (each for each in app.selectbox if each.label == "Show")
    assert kind.value == "missed"
    assert "A sample is judged wrong, although its text ends by stating the reference." in told(app)
    assert "Generous (2)" in kind.options


def test_a_filter_by_kind_reads_the_texts_itself():
    app = visit("pages/data/questions/page.py", OLD)
    (kind,) = (each for each in app.selectbox if each.label == "Show")
    assert "Missed" in kind.options, "not counted yet"
    app = kind.set_value("missed").run()
    assert not app.exception
    (kind,) = (each for each in app.selectbox if each.label == "Show")
    assert any(each.startswith("Missed (") for each in kind.options)


def test_replicas_are_looked_at_one_fold_down():
    rng = np.random.default_rng(3)
    correct = (rng.random((40, 5)) < 0.6).astype(int)
    correct[:, 4] = 0
    app = visit(PAGE, ("t.parquet", table(correct)))
    assert "replicas that stand out by +" in told(app)
    assert any("replica 5 stands out" in each for each in parts(app)[0])
    app = look_closer(app, "replicas")
    assert not app.exception
    assert "5 replicas range from 0.0% to" in told(app)
