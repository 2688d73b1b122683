"""Folds: what is behind a popover or an expander is sent once it is opened, and stays chosen."""

import re

import pytest

from tests.pages import visiting
from tests.pages.visiting import (
    CHOOSE_N,
    COMPARE,
    OVERVIEW,
    PAGES,
    ROOT,
    SATURATION,
    choose,
    close,
    outcomes,
    table,
    told,
    turn_to,
    unfold,
    visit,
    visit_sample,
)
from tests.wide import wide_but

TRUST = "pages/data/trust/page.py"
FILES = [
    (f"{name}.parquet", table(outcomes(30, 8, seed), model=name))
    for seed, name in enumerate(("aspen", "birch"))
]


def folds(app):
    """Return the folds of a page by their labels."""
    found, left = {}, [app.main, app.sidebar]
    while left:
        block = left.pop()
        if block.type in ("popover", "expander"):
            own = getattr(block.proto, "popover", block.proto)
            found[own.label] = block
        left += [each for each in block.children.values() if hasattr(each, "children")]
    return found


@pytest.fixture
def folded(monkeypatch):
    monkeypatch.setattr(visiting, "FOLDS", ())


def test_all_folds_are_made_by_one_piece_of_code():
    made = re.compile(r"\b(st|\w+)\.(popover|expander)\(")
    others = {path.name for path in ROOT.glob("pages/**/*.py") if made.search(path.read_text())}
    assert not others


@pytest.mark.usefixtures("folded")
@pytest.mark.parametrize("page", wide_but([SATURATION], PAGES))
def test_a_fold_that_is_closed_holds_nothing(page):
    app = visit_sample(page)
    assert not app.exception
    found = folds(app)
    assert {"More", "Notes", "Copy a link"} & {*found}
    assert {label for label, fold in found.items() if fold.children} == set()
    unfold(app, "link", "notes", "settings", "span")
    opened = {"More", "Notes", "Copy a link"} & {*folds(app)}
    assert all(folds(app)[label].children for label in opened)


@pytest.mark.usefixtures("folded")
@pytest.mark.parametrize(
    ("page", "name", "label", "value", "key", "spelled"),
    [
        (COMPARE, "settings", "Confidence level, in percent", 80.0, "level", "0.8"),
        pytest.param(SATURATION, "span", "Up to k", 10, "up-to", "10", marks=pytest.mark.wide),
        (CHOOSE_N, "aim", "Or pay at most, a question, in samples", 3.0, "budget", "3.0"),
    ],
)
def test_what_is_chosen_in_a_fold_stays_when_it_is_closed_and_the_page_left(
    page, name, label, value, key, spelled
):
    app = unfold(visit(page, *FILES), name)
    app = choose(app, label, value)
    assert app.query_params[key] == spelled
    close(app, name)
    assert label not in [box.label for box in app.number_input]
    assert app.query_params[key] == spelled
    turn_to(app, TRUST)
    turn_to(app, page)
    assert app.query_params[key] == spelled
    unfold(app, name)
    (box,) = (box for box in app.number_input if box.label == label)
    assert box.value == value


@pytest.mark.usefixtures("folded")
def test_a_fold_whose_label_tells_what_is_chosen_stays_open():
    app = unfold(visit(CHOOSE_N, *FILES), "aim")
    choose(app, "Or pay at most, a question, in samples", 3.0)
    (aim,) = (label for label in folds(app) if label.startswith("Aim or budget"))
    assert aim == "Aim or budget: at most 3 samples"
    assert folds(app)[aim].children


@pytest.mark.usefixtures("folded")
def test_a_table_of_expected_numbers_stays_until_it_is_removed():
    app = unfold(visit(TRUST, *FILES), "known")
    expected = b"dataset,model,value\nmaths,aspen,99%\n"
    app.file_uploader[0].upload("e.csv", expected).run()
    assert "lower than the stated 99%" in told(app)
    close(app, "known")
    assert "lower than the stated 99%" in told(app)
    turn_to(app, COMPARE)
    turn_to(app, TRUST)
    assert "lower than the stated 99%" in told(app)
    unfold(app, "known")
    next(each for each in app.button if each.label == "Remove").click().run()
    assert not app.exception
    assert "99%" not in told(app)


@pytest.mark.usefixtures("folded")
def test_a_long_list_of_runs_is_sent_once_its_fold_is_opened(monkeypatch):
    def lists(app):
        keys = {each.key for each in (*app.sidebar.multiselect, *app.selectbox)}
        return keys & {"kofn.View.runs", "kofn.BoardChoices.detail"}

    assert len(lists(visit(OVERVIEW, *FILES))) == 2
    for module in ("pages.shared.controls.settings", "pages.results.overview.board"):
        monkeypatch.setattr(f"{module}.MANY", 1)
    app = visit(OVERVIEW, *FILES)
    assert not lists(app)
    assert lists(unfold(app, "runs")) == {"kofn.View.runs"}
    assert len(lists(unfold(app, "run"))) == 2
    one, _other = app.multiselect(key="kofn.View.runs").options
    assert "kofn.View.runs" in lists(visit(OVERVIEW, *FILES, run=one))
