"""Every way to load a report, and what is asked of a table that leaves something open."""

import io
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.shared.loading.loading import BOXES
from tests.pages.visiting import (
    OVERVIEW,
    REPORTS,
    ROOT,
    close,
    outcomes,
    see_reports,
    table,
    unfold,
    visit,
    words,
)
from tests.reports.harnesses.truths import DATA
from tests.reports.mutations import zipped


def test_reports_lists_what_was_uploaded_and_can_drop_it():
    app = visit(REPORTS, ("a.parquet", table(outcomes(20, 3))))
    inventory = app.dataframe[0].value
    assert inventory.iloc[0, :4].tolist() == ["alpha", "maths", 20, "3"]
    app.button[[button.label for button in app.button].index("Remove")].click().run()
    assert not app.dataframe
    assert "Nothing" in words(app.switch_page(str(ROOT / OVERVIEW)).run())


@pytest.mark.parametrize("uploader", [0, 1], ids=["files", "folder"])
def test_files_that_the_browser_names_again_are_not_taken_twice(uploader):
    app = visit(REPORTS)
    again = app.file_uploader[uploader]
    app.session_state["kofn.uploads"] += 1  # what it does once it has taken files
    again.upload("a.parquet", table(outcomes())).run()
    assert not app.exception
    assert not app.dataframe


def test_a_wrong_file_is_refused_in_a_sentence_while_the_others_load():
    app = visit(REPORTS)
    uploader = app.file_uploader[0]
    uploader.set_value(
        [
            ("notes.zip", b"this is no zip", "application/zip"),
            ("a.parquet", table(outcomes()), "application/octet-stream"),
        ]
    ).run()
    assert [message.value.startswith("notes\\.zip") for message in app.error] == [True]
    assert len(app.dataframe[0].value) == 1


@pytest.mark.parametrize("count", [3, 4, 30])
def test_many_refused_files_are_counted_and_each_has_its_sentence_in_a_fold(count):
    app = visit(REPORTS)
    wrong = [(f"bad{i}.zip", b"this is no zip", "") for i in range(count)]
    app.file_uploader[0].set_value([*wrong, ("a.parquet", table(outcomes()), "")]).run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 1
    folds = [fold for fold in app.expander if "could not be used" in fold.label]
    if count <= BOXES:
        assert not folds
        sentences = [box.value for box in app.error]
    else:
        assert not app.error
        (fold,) = folds
        assert fold.label == f":red[**{count} files could not be used**]"
        sentences = fold.markdown[0].value.removeprefix("- ").split("\n- ")
    assert [sentence.split("\\:")[0] for sentence in sentences] == [
        f"bad{i}\\.zip" for i in range(count)
    ]
    app.file_uploader[0].set_value([("b.parquet", table(outcomes(seed=1)), "")]).run()
    assert "bad0" not in words(app)


def test_a_folder_is_one_report_with_the_names_that_its_paths_give():
    with zipfile.ZipFile(ROOT / "tests/data/aisbench/gsm8k_n5_two_models.zip") as archive:
        files = [
            (f"outputs/{name}", archive.read(name), "")
            for name in archive.namelist()
            if not name.endswith("/")
        ]
    app = visit(REPORTS)
    app.file_uploader[1].set_value([*files, ("outputs/.DS_Store", b"x", "")]).run()
    see_reports(app)
    assert not app.error
    assert app.dataframe[0].value["Model"].tolist() == ["alpha-7b-chat", "beta-14b-chat"]
    assert app.dataframe[0].value["Verified"].tolist() == ["yes", "yes"]
    assert "**outputs** · AISBench report · 2 runs" in words(app)


def test_files_chosen_at_once_that_need_one_another_are_one_report():
    folder = next((DATA / "livecodebench/output").iterdir())
    of_tool = [(path.name, path.read_bytes(), "") for path in sorted(folder.iterdir())]
    assert len(of_tool) == 3
    app = visit(REPORTS)
    app.file_uploader[0].set_value([*of_tool, ("a.parquet", table(outcomes()), "")]).run()
    see_reports(app)
    assert not app.exception
    assert not app.error
    inventory = app.dataframe[0].value
    assert inventory["Model"].tolist() == ["unknown model", "alpha"]
    assert inventory["Verified"].tolist()[0] == "yes"
    assert "codegeneration_5_0.2 and 2 more.zip** · LiveCodeBench" in words(app).replace("\\", "")


@pytest.mark.parametrize("path", ["", ".", "../a.csv", "/a.csv"])
def test_a_folder_of_odd_paths_is_refused_in_a_sentence(path):
    app = visit(REPORTS)
    app.file_uploader[1].set_value([(path, b"id,correct\na,1\n", "")]).run()
    assert not app.exception
    assert len(app.error) == 1


def test_the_bytes_of_an_upload_are_dropped_once_it_is_read(monkeypatch):
    dropped = []
    monkeypatch.setattr(
        MemoryUploadedFileManager, "remove_file", lambda self, session, file: dropped.append(file)
    )
    app = visit(REPORTS, ("a.parquet", table(outcomes())))
    assert len(dropped) == 1
    assert not app.file_uploader[0].value


def test_the_sample_opens_at_a_click():
    app = visit(REPORTS)
    app.button(key="kofn.sample").click().run()
    assert not app.error
    assert app.title[0].value == "Overview"
    assert len(see_reports(app).dataframe[0].value) > 1


def test_a_path_on_the_server_loads(tmp_path, monkeypatch):
    monkeypatch.setenv("KOFN_REPORTS", str(tmp_path))
    (tmp_path / "a.parquet").write_bytes(table(outcomes()))
    app = visit(REPORTS)
    app.text_input[0].set_value(str(tmp_path / "a.parquet"))
    app.button[[button.label for button in app.button].index("Load")].click().run()
    assert len(see_reports(app).dataframe[0].value) == 1


def test_a_page_offers_the_addresses_it_opens_and_opens_no_other(monkeypatch):
    monkeypatch.setenv("KOFN_REPORTS", "s3://evals/2026/;https://evals.example/runs?token=1")
    app = visit(REPORTS)
    offered = next(each.value for each in app.caption if "Or an address" in each.value)
    assert "s3://evals/2026/" in offered.replace("\\", "")
    assert "token" not in offered
    app.text_input[0].set_value("https://evil.example/runs/a.csv")
    app.button[[button.label for button in app.button].index("Load")].click().run()
    (error,) = app.error
    assert "is not an address that this server was started with" in error.value


def test_what_the_server_was_started_with_is_loaded_for_each_visitor_once(tmp_path, monkeypatch):
    for number, name in enumerate(("a.parquet", "b.parquet")):
        (tmp_path / name).write_bytes(table(outcomes(seed=number), model=name))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["app.py", "a.parquet", str(tmp_path / "b.parquet")])
    for page in (REPORTS, OVERVIEW):
        app = visit(page)
        assert not app.error
        app = app.switch_page(str(ROOT / REPORTS)).run()
        assert app.dataframe[0].value["Model"].tolist() == ["a.parquet", "b.parquet"]
    for _each in range(2):
        next(button for button in app.button if button.label == "Remove").click().run()
    assert not app.dataframe
    assert not app.run().dataframe


def box(app, label):
    """Return the question for what a column is."""
    (found,) = (each for each in (*app.selectbox, *app.multiselect) if each.label == label)
    return found


def load_button(app):
    (found,) = (button for button in app.button if button.label == "Load with these columns")
    return found


def test_a_table_with_several_verdicts_is_asked_about():
    data = b"id,judge,rule,level\na,1,0,x\nb,1,0,y\n"
    app = visit(REPORTS, ("t.csv", data))
    assert not app.dataframe
    verdict = box(app, "Verdict: right or wrong")
    assert {*verdict.options[:2]} == {"judge · 1", "rule · 0"}
    verdict.set_value("rule").run()
    load_button(app).click().run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 1
    assert not app.selectbox


def test_a_log_with_several_scorers_asks_which_counts():
    (log,) = (DATA / "inspect" / "logs").glob("*shy*")
    app = visit(REPORTS, ("log.eval", log.read_bytes()))
    box(app, "Which one counts?").set_value("graded").run()
    next(button for button in app.button if button.label == "Load with this one").click().run()
    assert not app.exception
    assert app.dataframe[0].value.iloc[0, :4].tolist()[1:] == ["arith_shy", 15, "3"]
    assert not app.selectbox


def test_a_table_beside_others_is_asked_about_while_those_are_shown():
    tables = {"clear.csv": b"id,correct\na,1\n", "open.csv": b"id,judge,rule\na,1,0\n"}
    app = visit(REPORTS, ("tables.zip", zipped(tables)))
    assert len(app.dataframe[0].value) == 1
    box(app, "Verdict: right or wrong").set_value("rule").run()
    load_button(app).click().run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 2
    assert not app.selectbox


def test_tables_of_a_folder_that_leave_the_same_open_are_asked_about_once():
    open_tables = {f"{name}.csv": b"id,judge,rule\na,1,0\n" for name in "abcd"}
    others = {"e.csv": b"id,judge,rater\na,1,0\n", "f.csv": b"id,correct\na,1\n"}
    app = visit(REPORTS, ("tables.zip", zipped(open_tables | others)))
    (waiting,) = (each.value for each in app.markdown if "files wait" in each.value)
    assert waiting == "5 files wait\\: say below what is meant\\."
    assert [each.value for each in app.caption if "also counts" in each.value] == [
        "The answer also counts for 3 other files\\: b\\.csv, c\\.csv, d\\.csv\\."
    ]
    asked = [each for each in app.selectbox if each.label == "Verdict: right or wrong"]
    asked[0].set_value("rule").run()
    next(each for each in app.button if each.label == "Load with these columns").click().run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 5
    assert len([each for each in app.selectbox if each.label == asked[0].label]) == 1


def test_the_overview_says_how_many_tables_wait_where_they_are_many():
    tables = {f"{name}.csv": b"id,judge,rule\na,1,0\n" for name in "abcd"}
    clear = {"e.csv": b"id,correct\na,1\n"}
    app = visit("pages/results/overview/page.py", ("tables.zip", zipped(tables | clear)))
    assert [each.value for each in app.info] == [
        "4 files are not loaded yet\\: say on Reports what is meant\\."
    ]


def test_the_overview_says_which_table_waits():
    tables = {"clear.csv": b"id,correct\na,1\n", "open.csv": b"id,judge,rule\na,1,0\n"}
    app = visit("pages/results/overview/page.py", ("tables.zip", zipped(tables)))
    assert not app.exception
    (waiting,) = (each.value for each in app.info if "not loaded yet" in each.value)
    assert "open" in waiting
    app = visit("pages/results/overview/page.py", ("t.csv", b"id,judge,rule\na,1,0\n"))
    assert "t.csv is not loaded yet: answer the question about it on Reports" in app.info[
        0
    ].value.replace("\\", "")


@pytest.mark.parametrize(("role", "models"), [("model", ["x", "y"]), ("other", ["t"])])
def test_a_table_that_a_column_splits_is_asked_about(role, models):
    data = "id,ckpt,correct\n" + "".join(f"{q},{c},1\n" for c in "xy" for q in range(5))
    app = visit(REPORTS, ("t.csv", data.encode()))
    assert not app.dataframe
    question = box(app, "What is ckpt?")
    assert question.options[0] == "The model: a run for each"
    assert len(question.options) == 4
    question.set_value(role).run()
    load_button(app).click().run()
    assert not app.exception
    assert app.dataframe[0].value["Model"].tolist() == models


WORDS = "aufgabe;versuch;bewertung;modell;tokens?\n" + "".join(
    f"A{q};{s};{'gut' if (q + s) % 3 else 'mies'};{m};{100 + q * s}\n"
    for m in ("eins", "zwei")
    for q in range(6)
    for s in range(3)
)


def words_asked(app):
    """Return what asks for words of verdicts, without the switch of the language."""
    return [group for group in app.get("button_group") if "中文" not in group.options]


def test_a_table_of_which_nothing_is_known_is_loaded_with_one_form():
    app = visit(REPORTS, ("t.csv", WORDS.encode()))
    asked = [each for each in app.selectbox if each.label != "What is it?"]
    assert all(each.value is None for each in asked), "no guess stands there"
    assert load_button(app).disabled
    assert not words_asked(app), "words are asked about once there are any"
    verdict = box(app, "Verdict: right or wrong")
    assert verdict.options[0] == "bewertung · mies, gut"
    columns = {each.partition(" · ")[0] for each in verdict.options}
    assert columns == {"aufgabe", "bewertung", "tokens?"}, "names of samples and models are not"
    verdict.set_value("bewertung")
    box(app, "Question").set_value("aufgabe")
    box(app, "Number of the sample").set_value("versuch")
    box(app, "Model").set_value("modell")
    more = "kofn.column.0.t.csv.more"
    app.run()
    assert "Tokens written" not in [each.label for each in app.selectbox]
    unfold(app, more)
    box(app, "Tokens written").set_value("tokens?").run()
    close(app, more)
    words_of_verdicts, none = words_asked(app)
    assert not none.value
    words_of_verdicts.set_value(["gut"]).run()
    load_button(app).click().run()
    assert not app.exception
    assert not app.error
    inventory = app.dataframe[0].value
    assert inventory["Model"].tolist() == ["eins", "zwei"]
    assert inventory["Samples"].tolist() == ["3", "3"]
    assert "right is gut; wrong is mies" in words(app)
    runs = [run for report in app.session_state["kofn.reports"].values() for run in report.runs]
    assert [run.outcomes.correct.sum() for run in runs] == [12, 12]
    assert all("tokens_out" in run.columns for run in runs)


def test_words_that_kofn_knows_may_go_by_themselves_or_be_told_otherwise():
    data = WORDS.replace("gut", "PASS").replace("mies", "FAIL").encode()
    for right, count in (([], 24), (["FAIL"], 12)):
        app = visit(REPORTS, ("t.csv", data))
        box(app, "Verdict: right or wrong").set_value("bewertung")
        box(app, "Model").set_value("modell")
        box(app, "Question").set_value("aufgabe").run()
        words_asked(app)[0].set_value(right).run()
        load_button(app).click().run()
        (report,) = app.session_state["kofn.reports"].values()
        assert sum(run.outcomes.correct.sum() for run in report.runs) == count


def test_two_columns_of_numbers_that_part_the_runs_together_are_chosen_together():
    rng = np.random.default_rng(3)
    every = [(a, b) for a in (1, 2, 3) for b in (4, 5, 6)]
    parts = [
        (q, *every[i])
        for q in range(12)
        for i in rng.permutation(len(every))[: rng.integers(3, 7)].tolist()
    ]
    rows = "".join(f"q{q},{s},{a},{b},{s % 2}\n" for q, a, b in parts for s in range(3))
    app = visit(REPORTS, ("t.csv", f"question_id,sample,alpha,beta,correct\n{rows}".encode()))
    assert "has the same sample more than once" in words(app)
    box(app, "Settings: a run for each").set_value(["alpha", "beta"]).run()
    load_button(app).click().run()
    assert not app.exception
    assert not app.error
    assert len(app.dataframe[0].value) == len({(a, b) for _q, a, b in parts})


def offered(app, label):
    return [option.partition(" · ")[0] for option in box(app, label).options]


def test_a_column_that_is_something_is_not_offered_for_anything_else():
    app = visit(REPORTS, ("t.csv", WORDS.encode()))
    assert "aufgabe" in offered(app, "Dataset")
    box(app, "Question").set_value("aufgabe").run()
    assert "aufgabe" in offered(app, "Question")
    assert "aufgabe" not in offered(app, "Dataset")
    app = visit(REPORTS, ("t.csv", b"name,x,correct\na,1,0\nb,2,1\n"))
    assert {*offered(app, "Question")} == {"name", "x"}


def test_words_that_kofn_does_not_know_are_asked_about_with_their_counts():
    data = "question_id,correct,reward\n" + "".join(
        f"q{row},{'timeout' if row == 3 else row % 2},.5\n" for row in range(9)
    )
    app = visit(REPORTS, ("t.csv", data.encode()))
    right, missing = words_asked(app)
    assert right.options == ["0 (5)", "1 (3)", "timeout (1)"]
    missing.set_value(["timeout"]).run()
    load_button(app).click().run()
    (report,) = app.session_state["kofn.reports"].values()
    assert report.runs[0].outcomes.correct.ravel().tolist() == [0, 1, 0, -1, 0, 1, 0, 1, 0]


def test_what_each_reading_gives_is_said_where_it_is_asked():
    data = "id,ckpt,correct\n" + "".join(
        f"{q},{c},{int(c > 'x')}\n" for c in "xy" for q in range(5)
    )
    app = visit(REPORTS, ("t.csv", data.encode()))
    said = " ".join(each.value for each in app.markdown).replace("\\", "")
    assert "2 runs of 5 questions x 1 sample: 0.0%, 100.0%" in said
    assert "5 questions x 2 samples: 50.0%" in said


def test_the_same_file_twice_is_said_in_a_sentence():
    data = table(outcomes())
    app = visit(REPORTS, ("a.parquet", data), ("b.parquet", data))
    assert [message.value for message in app.error] == ["b\\.parquet\\: is loaded already\\."]
    assert len(app.dataframe[0].value) == 1


@pytest.mark.parametrize("name", ["book.xlsx", "book.zip"])
def test_a_spreadsheet_is_refused_with_what_to_do(name):
    app = visit(REPORTS, (name, zipped({"xl/workbook.xml": b"<workbook/>"})))
    (message,) = (each.value for each in app.error)
    assert "spreadsheet of Excel" in message
    assert "Save the sheet as CSV" in message


def test_a_fault_of_ours_is_shown_once(monkeypatch):
    def fail(*_arguments, **_options):
        raise ZeroDivisionError("a fault")

    app = visit(REPORTS)
    monkeypatch.setattr("kofn.workers.sharing.read", fail)
    app.file_uploader[0].set_value(("a.parquet", table(outcomes()), "")).run()
    assert [found.message for found in app.exception] == ["a fault"]
    assert not app.run().exception


def test_a_column_that_is_chosen_twice_is_said_before_anything_is_loaded():
    data = "id,ckpt,correct\n" + "".join(f"{q},{c},1\n" for c in "xy" for q in range(5))
    app = visit(REPORTS, ("t.csv", data.encode()))
    more = "kofn.column.0.t.csv.more"
    unfold(app, more)
    box(app, "Cost").set_value("ckpt").run()
    close(app, more)
    box(app, "What is ckpt?").set_value("model").run()
    assert [each.value for each in app.warning] == ["ckpt is chosen twice\\."]
    assert load_button(app).disabled


def test_a_damaged_table_is_said_to_be_damaged_before_anything_is_asked():
    """Its columns cannot be looked at, though their names can be read."""
    buffer = io.BytesIO()
    columns = {"id": ["a", "b"] * 20, "judge": [1, 0] * 20, "rule": [0, 1] * 20}
    pq.write_table(pa.table(columns), buffer, compression="zstd", use_dictionary=False)
    ids = pq.read_metadata(buffer).row_group(0).column(0)
    data = bytearray(buffer.getvalue())
    end = ids.data_page_offset + ids.total_compressed_size
    data[end - 6 : end] = b"\xff" * 6
    app = visit(REPORTS, ("t.parquet", bytes(data)))
    assert "cannot be read as Parquet" in words(app)
    assert "Load with these columns" not in [each.label for each in app.button]
