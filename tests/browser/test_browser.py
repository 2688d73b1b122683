"""A visitor with a real browser, from the first click to the number."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.overview.analysis import summarize_runs
from kofn.overview.words import answer
from kofn.writing.joining import sentences
from pages.shared.internals import SCRIPTS
from reports import load
from tests.browser.driving import expect_in_notes, finish, rest, serving, settle, visitor

pytestmark = pytest.mark.browser

DATA = Path(__file__).parents[1] / "data" / "aisbench"
COUNTING = """
  window.drawn = [];
  const kept = new WeakMap(), places = new WeakMap();
  Object.defineProperty(HTMLElement.prototype, "calcdata", {
    get() { return kept.get(this); },
    set(computed) {
      kept.set(this, computed);
      if (!computed) return;
      if (!places.has(this)) places.set(this, drawn.push(0) - 1);
      drawn[places.get(this)] += 1;
    },
  });
  window.indexed = 0;
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    if (name === "data-index" && this.tagName === "path") indexed += 1;
    return set.call(this, name, value);
  };
"""
"""Counts how often plotly computes each figure, and draws a shape, as often as the data."""
COMING = """async () => {{
  const told = [];
  class App {{
    constructor() {{
      this.setState = text => told.push(text);
      {of_page}e)}};
      {message}e.type === "delta" ? this.handleDeltaMsg(e.text) : told.push(e.text)}};
    }}
  }}
  const app = new App(), steps = [];
  const hear = (type, text) => {{ app.handleMessage({{type, text}}); steps.push(told.join("")); }};
  hear("delta", "a"); hear("delta", "b"); hear("scriptFinished", "!"); hear("delta", "c");
  await new Promise(resolve => setTimeout(resolve, 300));
  return [...steps, told.join("")];
}}"""
"""Tells an application of Streamlit's what comes of a page, and returns what is drawn of it."""


def test_a_report_is_one_upload_from_the_truth(page, address):
    path = DATA / "gsm8k_n5_two_models.zip"
    page.goto(address)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(path)
    first, *others = sentences(answer(summarize_runs(index_runs([load(path)]), View())))
    expect(page.get_by_role("heading", name=str(first))).to_be_visible()
    for each in others:
        expect(page.get_by_text(str(each))).to_be_visible()


def test_the_sample_is_one_click_from_its_overview(page, address):
    page.goto(address)
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    for part in ("stPageLink", "stMarkdown"):
        expect(page.locator(f".st-key-kofn-wins [data-testid={part}]").first).to_be_visible()
    rest(page)
    who, (_heading, *wins) = (
        [box.bounding_box() for box in page.locator(f".st-key-kofn-wins {each}").all()]
        for each in ("[data-testid=stPageLink]", "[data-testid=stMarkdown]")
    )
    assert who
    for one, beside in zip(who, wins, strict=True):
        assert beside["x"] >= one["x"] + one["width"]
        assert abs(one["y"] + one["height"] / 2 - beside["y"] - beside["height"] / 2) < 8


def test_a_click_on_a_cell_opens_its_run(page, address):
    page.goto(f"{address}/overview?form=bars")
    page.get_by_role("button", name="Open the sample").click()
    settle(page)
    page.locator(".js-plotly-plot .textpoint text").nth(2).click(force=True)
    expect(page.get_by_role("link", name="Its questions")).to_be_visible()


def test_a_figure_is_drawn_once_and_again_when_its_place_is_another(browser):
    with serving("sample_data/aisbench_report.zip") as address, visitor(browser, address) as page:
        page.add_init_script(COUNTING)
        page.set_viewport_size({"width": 1400, "height": 900})
        figure = page.locator(".js-plotly-plot")
        for name in ("trade-offs", "trust", "overview"):
            page.goto(f"{address}/{name}")
            settle(page)
            expect(figure.locator(".main-svg").first).to_be_attached(timeout=60_000)
            finish(page)
            drawn = page.evaluate("window.drawn")
            assert drawn == [1] * figure.count(), name
            shapes = figure.locator("path[data-index]").count()
            assert page.evaluate("window.indexed") == shapes, name
        assert shapes > 1
        wide = figure.first.bounding_box()["width"]
        page.set_viewport_size({"width": 900, "height": 900})
        page.wait_for_function(
            "wide => document.querySelector('.js-plotly-plot').clientWidth < wide", arg=wide
        )


def test_what_comes_of_a_page_is_drawn_together_and_in_its_order(browser):
    (_, of_page), (_, message) = SCRIPTS["index"][-2:]
    code = COMING.format(of_page=of_page.decode(), message=message.decode())
    page = browser.new_page()
    assert page.evaluate(code) == ["", "", "ab!", "ab!", "ab!c"]
    page.close()


def test_a_first_visit_sends_at_most_four_megabytes(browser):
    with serving("sample_data/outcomes.parquet") as address, visitor(browser, address) as page:
        sent, network = [], page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda each: sent.append(each["encodedDataLength"]))
        page.goto(f"{address}/overview")
        expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached()
        settle(page)
        assert 1e6 < sum(sent) < 4e6


def test_a_link_to_a_page_works_on_a_fresh_server(browser):
    with serving() as address, visitor(browser, address) as page:
        page.goto(f"{address}/scorecard?k=2&level=0.9")
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="Open the sample").click()
        expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
        expect_in_notes(page, "90% intervals")
        expect(page).to_have_url(re.compile(r"/overview\?k=2&level=0\.9&form=metrics&data="))


def test_a_click_on_a_column_sorts_the_scorecard_and_one_on_a_run_opens_it(page, address):
    page.goto(f"{address}/overview?form=metrics&dataset=maths")
    page.get_by_role("button", name="Open the sample").click()
    settle(page)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    place = table.bounding_box()
    page.mouse.click(place["x"] + 470, place["y"] + 17)
    expect(page).to_have_url(re.compile("sort=pass%40k"))
    finish(page)
    place = page.get_by_test_id("stDataFrame").bounding_box()
    page.mouse.click(place["x"] + 100, place["y"] + 52)
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Close")).to_have_count(0)
