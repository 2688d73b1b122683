"""The pages as a visitor meets them, without a browser."""

import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kofn.command import main
from kofn.writing.estimates import percent
from metrics import METRICS, estimate
from pages.shared.loading import server_paths
from reports.files import upload_store
from tests.pages import visiting
from tests.pages.visiting import (
    OVERVIEW,
    PAGES,
    REPORTS,
    ROOT,
    choose,
    outcomes,
    table,
    told,
    visit,
    visit_scores,
    words,
)
from tests.wide import wide_but

RUN = "alpha / maths"


def rows(app: AppTest) -> dict[str, tuple[str, str]]:
    """Return value and words by metric, of the run that the scorecard shows in detail."""
    shown = app.table[0].value.itertuples(index=False)
    return {bare(label): (bare(value), words) for _family, label, value, words in shown}


def bare(markdown: str) -> str:
    return re.sub(r"\\(.)", r"\1", markdown).replace("**", "").translate({0xA0: " ", 0x2060: ""})


def cells(app: AppTest) -> dict[str, str]:
    """Return what stands in the first line of the table of scores, by the key of its column."""
    return app.dataframe[0].value.iloc[0].to_dict()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_without_data_and_says_what_to_do(page):
    app = visit(page)
    assert not app.exception
    assert app.title[0].value
    assert any(button.label == "Open the sample" for button in app.button)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_data(page):
    app = visit(page, ("a.parquet", table(outcomes())))
    assert not app.exception
    assert not app.error


def test_what_is_kept_on_disk_is_shown_and_cleared(monkeypatch, tmp_path):
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path))
    monkeypatch.setattr(server_paths, "is_own_machine", lambda: True)
    assert "keeps uploads" not in words(visit(REPORTS))
    upload_store.keep(upload_store.named("upload"), [b"x" * 100_000], 100_000)
    app = visit(REPORTS)
    assert "0\\.1 MB now" in words(app)
    app.button(key="kofn.kept.clear").click().run()
    assert "keeps uploads" not in words(app)
    assert not upload_store.size()


def downloads(app):
    return [each.proto.label for each in app.get("download_button")]


def test_a_report_s_own_mistakes_are_told_in_words():
    report = ROOT / "tests" / "data" / "aisbench" / "gsm8k_n5_two_models.zip"
    app = visit(REPORTS, (report.name, report.read_bytes()))
    assert "4 of 8 reported numbers are wrong\\: " in words(app)
    assert "4 are wrong\\: AISBench mixes the samples of different questions" in words(app)
    assert ":orange-badge[Warning] AISBench mixed up the samples" in words(app)
    assert len(app.get("plotly_chart")) == 1
    assert downloads(app).count("Download repaired report") == 1


def test_what_a_summary_states_of_groups_is_compared_too():
    report = ROOT / "tests" / "data" / "aisbench" / "multi_subset_n4.zip"
    app = visit(REPORTS, (report.name, report.read_bytes()))
    assert "26 of 48 reported numbers are wrong" in words(app)
    (table,) = [frame.value for frame in app.dataframe if "Recomputed" in frame.value]
    rows = table[table["Run"] == "beta-14b-chat / mmlu-weighted"]
    assert rows["Recomputed"].tolist() == ["59.9%"] * 2
    (one,) = table[
        (table["Run"] == "beta-14b-chat / bbh-object_counting")
        & (table["Metric"] == "score (4 runs average)")
    ].to_dict("records")
    assert one["Replicas, in percent"] == "78.6, 78.6, 85.7, 64.3"


def test_results_without_verdicts_are_listed_with_the_way_to_get_them():
    app = visit(REPORTS, ("gsm8k.json", b'{"accuracy (4 runs average)": 50.0, "avg@4": 50.0}'))
    assert app.dataframe[0].value["Verdicts"].tolist() == ["missing"]
    assert "Grouping" not in app.dataframe[0].value
    assert ":red-badge[Problem]" in words(app)
    assert "Download repaired report" not in downloads(app)
    app = app.switch_page(str(ROOT / OVERVIEW)).run()
    assert not app.exception
    assert "does not say which samples were right" in words(app)


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_the_scorecard_has_the_numbers_of_the_library(target):
    correct = outcomes()
    app = visit_scores(("a.parquet", table(correct)), target=target, detail=RUN)
    shown, line = rows(app), cells(app)
    for label, metric, k in (
        ("avg@4", "avg@n", None),
        ("pass@4", "pass@k", 4),
        ("pass^4", "pass^k", 4),
        ("maj@4, cons@4", "maj@k", 4),
    ):
        expected = estimate(correct, metric, k, target=target)
        written = str(percent(expected.value, *expected.interval))
        assert (line[metric], shown[label][0]) == (written, written)


def test_the_scorecard_has_the_numbers_of_the_command(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(outcomes()))
    flags = {"k": "1,2,3", "level": "0.8", "target": "benchmark"}
    arguments = [part for key, value in flags.items() for part in (f"--{key}", value)]
    assert main(["score", str(path), "--format", "json", *arguments]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    app = visit_scores((path.name, path.read_bytes()), detail=RUN, **flags)
    shown = rows(app)
    assert len(shown) == len(scores)
    for row in scores:
        label = METRICS[row["metric"]].label(row["k"])
        tau = "" if row["tau"] is None else f"{row['tau']:.4g}"
        name = label.replace("tau", tau) if "tau" in label else f"{label}_{tau}".rstrip("_")
        value, _words = shown[name]
        assert value == str(percent(row["value"], row["low"], row["high"]))


def test_a_link_reproduces_the_view_and_a_choice_makes_the_link():
    app = visit_scores(("a.parquet", table(outcomes())), k="2", level="0.9")
    assert "pass@2" in cells(app)
    assert "90% intervals for questions like these" in words(app)
    app.radio[0].set_value("benchmark").run()
    assert app.query_params["k"] == "2"
    assert app.query_params["target"] == "benchmark"


def test_a_segment_can_be_chosen_where_there_are_some():
    correct = outcomes(20, 4)
    labels = np.repeat(["easy", "hard"], 40)
    app = visit_scores(("a.parquet", table(correct, segment=labels)))
    choose(app, "Questions", "segment=hard")
    expected = estimate(correct[10:], "avg@n")
    assert cells(app)["avg@n"] == str(percent(expected.value, *expected.interval))
    assert app.query_params["segment"] == "segment=hard"


def test_failed_requests_count_as_the_visitor_chooses():
    correct = outcomes(20, 4).astype(object)
    correct[0] = None
    app = visit_scores(("a.parquet", table(correct)))
    assert "4 of 80 samples \\(5\\.0%\\) failed and are counted as wrong\\." in words(app)
    choose(app, "Failed requests", "omit")
    assert "are left out" in words(app)


def test_k_above_the_samples_is_not_available_and_says_why():
    app = visit_scores(("a.parquet", table(outcomes(n=4))), k="8")
    assert cells(app)["pass@8"] == "N/A"
    assert "N/A for pass@8: pass@8 needs 8 samples" in told(app)


@pytest.mark.parametrize("shape", [(1, 8), (30, 1), (1, 1)])
def test_the_smallest_data_are_shown_with_their_caveat(shape):
    app = visit_scores(("a.parquet", table(outcomes(*shape))), detail=RUN)
    assert not app.exception
    assert "avg@" + str(shape[1]) in rows(app)
    if shape[0] == 1:
        assert "One question says nothing about questions like it" in words(app)


def test_names_from_files_are_shown_letter_for_letter():
    name = "<b>x</b> *y* $z$ [l](http://a) :smile: `c`"
    app = visit_scores(("a.parquet", table(outcomes(), model=name)), detail=f"{name} / maths")
    assert cells(app)["run"] == name
    heading = next(m.value for m in app.markdown if "maths" in m.value)
    shown = "\\<b\\>x\\</b\\> \\*y\\* \\$z\\$ \\[l\\]\\(http\\:\u2060//a\\) \\:smile\\: \\`c\\`"
    assert shown in heading


@pytest.mark.parametrize("page", wide_but([OVERVIEW, REPORTS], PAGES))
def test_very_long_names_are_cut(page):
    names = {"model": 5000 * "m", "dataset": 5000 * "d"}
    broken = outcomes().astype(object)
    broken[0] = None
    app = visit(
        page, ("a.parquet", table(broken, **names)), ("b.parquet", table(broken[:9], **names))
    )
    assert not app.exception
    for letter in "md":
        assert 200 * letter not in words(app)


def test_two_visitors_do_not_see_each_others_reports():
    visit(REPORTS, ("a.parquet", table(outcomes())))
    assert not visit(REPORTS).dataframe


def test_what_is_seldom_chosen_is_folded_but_not_where_it_is_chosen(monkeypatch):
    for chosen in ({}, {"level": "0.9"}):
        monkeypatch.setattr(visiting, "FOLDS", ())
        app = visit_scores(("a.parquet", table([[1, 0], [1, 1]])), **chosen)
        (more,) = (each for each in app.sidebar.expander if each.label == "More")
        assert more.proto.expanded is bool(chosen)
        assert [box.value for box in more.number_input] == ([90.0] if chosen else [])


@pytest.mark.parametrize(
    ("page", "given"),
    [
        ("pages/results/choose_n/page.py", {"total": "90", "questions": "7"}),
        ("pages/results/choose_n/page.py", {"verifier": "no", "cap": "3", "more": "early"}),
        ("pages/behaviour/saturation/page.py", {"up-to": "9"}),
        (
            "pages/data/trust/page.py",
            {"expected": "50%", "expected-n": "4", "expected-questions": "9", "margin": "0.02"},
        ),
    ],
)
def test_what_may_be_left_out_can_be_emptied_again(page, given):
    app = visit(page, ("a.parquet", table(outcomes(m=9))), **given)
    filled = [each for each in app.number_input if each.placeholder and each.value is not None]
    assert filled
    for each in filled:
        each.set_value(None)
    app.run()
    assert not app.exception
    assert {each.value for each in app.number_input if each.placeholder} == {None}
