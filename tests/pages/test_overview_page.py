"""The overview as a visitor meets it, without a browser."""

import json
from types import SimpleNamespace

import pytest

from kofn.command import main
from pages.results.overview import report_download
from tests.pages.visiting import (
    ROOT,
    figures,
    look_closer,
    outcomes,
    table,
    told,
    visit,
    words,
)
from tests.wide import wide_but

OVERVIEW = "pages/results/overview/page.py"
QUESTIONS = "pages/data/questions/page.py"
FILES = [
    (f"{model}-{dataset}.parquet", table(outcomes(30, 4, seed), model, dataset))
    for seed, (model, dataset) in enumerate(
        (model, dataset) for model in ("aspen", "cedar") for dataset in ("x", "y")
    )
]


def test_the_page_opens_with_the_answer_of_the_command(tmp_path, capsys):
    paths = []
    for name, data in FILES:
        (tmp_path / name).write_bytes(data)
        paths.append(str(tmp_path / name))
    main(["overview", *paths, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    app = visit(OVERVIEW, *FILES)
    assert not app.exception
    said = words(app).replace("\\", "")
    assert document["answer"].startswith(app.header[0].value.replace("\\", ""))
    assert document["answer"].removeprefix(app.header[0].value.replace("\\", "")).strip() in said
    for dataset in document["datasets"]:
        for sentence in dataset["leads"] + dataset["careful"]:
            assert sentence in said


def test_the_table_has_the_numbers_sorted_by_the_mean():
    app = visit(OVERVIEW, *FILES, form="table")
    shown = app.dataframe[0].value
    assert list(shown.columns) == ["mean", "x", "y"]
    widths = json.loads(app.dataframe[0].proto.columns)
    assert all(widths[name]["width"] > 6 * len("50.0% (40.0 to 60.0)") for name in shown.columns)
    assert shown["mean"].is_monotonic_decreasing
    assert len(figures(visit(OVERVIEW, *FILES))) == 1


@pytest.mark.parametrize("models", [3, 4])
def test_of_many_models_the_picture_shows_the_first_and_the_table_all(models, monkeypatch):
    monkeypatch.setattr("pages.results.overview.board.MANY", 3)
    each = [(f"{seed}.parquet", table(outcomes(4, 2, seed), f"m{seed}")) for seed in range(models)]
    app = visit(OVERVIEW, *each)
    (figure,) = figures(app)
    said = f"The picture shows the first 3 of {models} models; the table has all"
    captions = " ".join(each.value for each in app.caption)
    assert (said in captions) == (models > 3)
    assert len(figure.layout.yaxis.tickvals) == 3
    shown = visit(OVERVIEW, *each, form="table").dataframe[0].value
    assert len(shown) == models


def test_how_samples_ended_is_shown_with_what_it_leaves_open_on_each_page():
    verdicts = outcomes(12, 4)
    reasons = ["length" if code % 5 == 0 else "stop" for code in range(verdicts.size)]
    data = table(verdicts, "aspen", "x", finish_reason=reasons)
    count = f"{reasons.count('length')} cut, of {verdicts.size}"
    app = visit(OVERVIEW, ("cut.parquet", data))
    assert f"{reasons.count('length')} of {verdicts.size} samples were cut" in words(app)
    for page in (OVERVIEW, QUESTIONS):
        app.switch_page(str(ROOT / page)).run()
        look_closer(app, "ended")
        assert not app.exception
        assert f"How the samples ended: {count}" in told(app)
        assert "This can mislead" in words(app)
        drawn = [bar.name for figure in figures(app) for bar in figure.data]
        assert {"right", "wrong", "cut off at a limit"} <= set(drawn)
    app.query_params.update(filter="cut", open="q0")
    app.run()
    mark = "✓" if verdicts[0, 0] else "✗"
    named = [option for pills in app.get("button_group") for option in pills.options]
    assert f"1 {mark} cut" in [*named, *words(app).replace("Sample ", "").split("\n")]


@pytest.mark.parametrize(("loaded", "models"), [(["cedar / y"], 1), ([], 2)])
def test_a_link_to_runs_that_are_not_loaded_shows_the_others_or_all(loaded, models):
    app = visit(OVERVIEW, *FILES, run=["gone", *loaded, "lost"], form="table")
    assert [each.value.replace("\\", "") for each in app.info] == [
        "The link names runs that are not loaded: gone, lost."
    ]
    assert len(app.dataframe[0].value) == models


def test_a_metric_of_choice_stays_in_the_link():
    app = visit(OVERVIEW, *FILES, form="table")
    app.selectbox(key="kofn.View.metric").set_value("pass@k").run()
    assert app.query_params["metric"] == "pass@k"
    app.selectbox(key="kofn.View.k").set_value(2).run()
    assert app.query_params["k"] == "2"
    assert [name.split(" · ")[-1] for name in app.dataframe[0].value.columns] == ["pass@2"] * 3


@pytest.mark.parametrize("form", wide_but(["table"], ["bars", "table", "metrics"]))
def test_a_run_that_is_opened_stays_in_the_link(form):
    app = visit(OVERVIEW, *FILES, form=form, detail="cedar / y")
    links = [link.proto.label for link in app.get("page_link")]
    assert "Its questions" in links
    assert any("What it says" in each.value for each in app.table)
    box = app.selectbox(key="kofn.BoardChoices.detail")
    assert box.value == "cedar / y"
    box.set_value("aspen / x").run()
    assert app.query_params["detail"] == "aspen / x"
    app.selectbox(key="kofn.BoardChoices.detail").set_value(None).run()
    assert "detail" not in app.query_params


def test_the_address_without_a_page_opens_the_overview_once_something_is_loaded():
    app = visit("pages/data/reports/page.py", *FILES)
    assert app.title[0].value == "Reports"
    app.switch_page(str(ROOT / OVERVIEW)).run()
    assert app.title[0].value == "Overview"


def test_one_question_and_one_run_are_told():
    app = visit(OVERVIEW, ("a.parquet", table([[1, 0, 1]])))
    assert not app.exception
    assert "1 question says nothing about questions like it" in words(app).replace("\\", "")


def test_the_report_is_that_of_the_command_with_the_settings_of_the_page(monkeypatch):
    taken = []
    stand_in = SimpleNamespace(download_button=lambda _label, make, *_, **__: taken.append(make))
    monkeypatch.setattr(report_download, "st", stand_in)
    app = visit(OVERVIEW, *FILES[:2], level="0.9")
    assert not app.exception
    text = taken[-1]().decode()
    assert app.header[0].value.replace("\\", "") in text
    assert "90% intervals" in text
    assert "kofn report aspen-x.parquet aspen-y.parquet --level 0.9" in text
