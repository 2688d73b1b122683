"""A visitor with a real browser, from the first click to the number."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from kofn.choices.runs import index_runs
from kofn.writing.estimates import percent
from metrics import estimate
from reports import load

pytestmark = pytest.mark.browser

expect.set_options(timeout=30_000)
DATA = Path(__file__).parents[1] / "data" / "aisbench"


def test_a_report_is_three_clicks_from_the_truth(page, address):
    path = DATA / "gsm8k_n5_two_models.zip"
    page.goto(address)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(path)
    page.get_by_role("link", name="Go on to the scorecard").click()
    for key, run in index_runs([load(path)]).items():
        expected = estimate(run.outcomes, "pass@k", 5)
        value = str(percent(expected.value, *expected.interval))
        shown = page.get_by_role("table", name=key).get_by_role("row").filter(has_text="pass@5")
        expect(shown.get_by_role("cell").nth(2)).to_have_text(value)


def test_the_sample_is_two_clicks_from_its_scorecard(page, address):
    page.goto(address)
    page.get_by_role("button", name="Open the sample").click()
    page.get_by_role("link", name="Go on to the scorecard").click()
    expect(page.get_by_role("heading", name="Scorecard")).to_be_visible()
    expect(page.get_by_role("table").first).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()


def test_a_link_to_a_page_works_on_a_fresh_server(page, address):
    page.goto(f"{address}/scorecard?k=2&level=0.9")
    expect(page.get_by_role("heading", name="Scorecard")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_role("cell", name="pass@2", exact=True).first).to_be_visible()
    expect(page.get_by_text("90% intervals")).to_be_visible()
    expect(page).to_have_url(f"{address}/scorecard?k=2&level=0.9")
