"""The page Trust: what it says of verdicts, which samples it lists, and where it has nothing."""

from pathlib import Path

from metrics import spot_check
from pages.widgets.shared.kept import KEPT
from reports.labelling import to_fill_in
from tests.pages.visiting import table, told, visit

PAGE = "pages/data/trust.py"
DATA = Path(__file__).parents[1] / "data" / "verdicts"


def test_it_opens_with_what_the_command_says():
    app = visit(PAGE, ("old_gpqa_n4.zip", (DATA / "old_gpqa_n4.zip").read_bytes()))
    assert not app.exception
    assert "29.7% of 320 verdicts contradict the text." in told(app)
    assert "21.9% as judged" in told(app)
    kinds, compared = (each.value for each in app.dataframe)
    assert list(kinds.columns) == ["Run", "agrees", "missed", "generous", "divided", "unsupported"]
    assert kinds["missed"].tolist() == ["28 (17.5%)", "64 (40.0%)"]
    assert compared["The difference"].tolist() == ["rests on which answers are taken"]


def test_a_table_without_texts_is_told_what_is_missing():
    app = visit(PAGE, ("t.parquet", table([[1, 0], [1, 1]])))
    assert not app.exception
    assert "No run here keeps texts" in told(app)
    assert "Load the predictions with it" in told(app)


OLD = ("old_gpqa_n4.zip", (DATA / "old_gpqa_n4.zip").read_bytes())


def opened():
    """Open the page with the fold of labels open."""
    app = visit(PAGE, OLD)
    return press(app, "kofn.trust.labels.fold", True)


def press(app, key, value=None):
    if value is not None:
        app.session_state[key] = value
        return app.run()
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
    assert "1 label cannot tell" in told(app)
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
    app.file_uploader(key="kofn.trust.labels.file").upload("bad.csv", b"a,b\n1,2\n").run()
    assert "bad.csv" in told(app)
    assert "By 4 labels avg@n is" in told(app)
    assert not app.exception
