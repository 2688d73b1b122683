"""A visitor with a real browser decides how many samples to pay for."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driving import finish, settle

pytestmark = pytest.mark.browser

ADVICE = re.compile(r"Up to n = (\d+), ")


def advised(page) -> int:
    return int(ADVICE.search(page.get_by_text(ADVICE).first.inner_text()).group(1))


def test_a_higher_price_moves_the_recommended_n(page, address):
    page.goto(
        f"{address}/choose-n?dataset=maths&run=aspen-4b-chat+%2F+maths&value=40&basis=samples&more=table"
    )
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_text(ADVICE).first).to_be_visible()
    cheap = advised(page)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached()
    settle(page)
    page.get_by_role("combobox", name="Cost in").fill("Money")
    page.get_by_role("option", name="Money, by prices").click()
    expect(page.get_by_text("Nothing has a price yet")).to_be_visible()
    settle(page)
    table = page.get_by_test_id("stDataFrame").first.bounding_box()
    page.mouse.dblclick(table["x"] + 0.75 * table["width"], table["y"] + 52)
    price = page.locator("#portal input").first
    price.fill("4")
    price.press("Enter")
    expect(page.get_by_text("Nothing has a price yet")).to_have_count(0)
    expect(page.get_by_text(f"Up to n = {cheap}, ")).to_have_count(0)
    expect(page.get_by_text(ADVICE).first).to_be_visible()
    assert 1 <= advised(page) < cheap
    expect(page).to_have_url(re.compile("sample-price=aspen-4b-chat%3D4"))


def test_the_main_path_takes_two_clicks(page, address):
    page.goto(address)
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_role("link", name="Choose n").first.click()
    expect(page.get_by_role("heading", name="Choose n")).to_be_visible()
    expect(page.get_by_text(re.compile("n = [0-9]+")).first).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()


def test_a_figure_is_taken_away_as_a_page_of_its_own(page, address):
    page.goto(f"{address}/saturation?dataset=coding&up-to=100")
    page.get_by_role("button", name="Open the sample").click()
    finish(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download figure").click()
    text = download.value.path().read_text()
    assert download.value.suggested_filename == "pass@k over k.html"
    assert "aspen-4b-chat" in text
    assert 'src="https' not in text
