"""Reloads, links and the browser's history, as visitors use them."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.driving import expect_in_notes, new_page, settle
from tests.pages.visiting import outcomes, table

pytestmark = pytest.mark.browser

FILE = {"name": "a.parquet", "mimeType": "", "buffer": table(outcomes(20, 4), model="cedar")}
OTHER = {"name": "a.parquet", "mimeType": "", "buffer": table(outcomes(20, 4, 6), model="aspen")}


@pytest.fixture
def another(browser):
    """Another visitor, in a browser of their own."""
    page = new_page(browser)
    yield page
    page.close()


def give(page, file):
    page.locator("input[type=file]:not([webkitdirectory])").set_input_files(file)
    settle(page)


def links(page):
    """The links that the page offers to copy, with the data and without."""
    settle(page)
    page.get_by_role("button", name="Copy a link").click()
    found = page.get_by_test_id("stPopoverBody").locator("code")
    expect(found.first).to_be_visible()
    texts = found.all_inner_texts()
    page.keyboard.press("Escape")
    return texts


def show(page, address):
    page.goto(address)
    settle(page)


def test_a_reload_keeps_upload_and_settings(page, address):
    show(page, f"{address}/reports")
    give(page, FILE)
    expect(page).to_have_url(re.compile("data="))
    page.get_by_role("link", name="Overview", exact=True).click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_text("More", exact=True).click()
    page.get_by_label("Confidence level, in percent").fill("90")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("level=0.9"))
    page.reload()
    settle(page)
    expect_in_notes(page, "90% intervals")
    expect(page.get_by_text("cedar").first).to_be_visible()


def test_a_link_shows_what_its_sender_saw_and_one_without_the_data_asks_for_it(
    page, another, address
):
    show(page, f"{address}/overview?level=0.9")
    page.get_by_role("link", name="Load reports").click()
    expect(page.get_by_role("heading", name="Reports")).to_be_visible()
    give(page, FILE)
    expect(page).to_have_url(re.compile("data="))
    page.get_by_role("link", name="Overview", exact=True).click()
    expect_in_notes(page, "90% intervals")
    whole, without = links(page)
    (own,) = parse_qs(urlsplit(page.url).query)["data"]
    assert parse_qs(own)["key"][0] not in whole
    assert "key" not in without

    show(another, whole)
    expect_in_notes(another, "90% intervals")
    expect(another.get_by_text("cedar").first).to_be_visible()

    show(another, without)
    expect(another.get_by_text("Upload that file to see what its sender saw")).to_be_visible()
    expect(another.get_by_role("button", name="Open the sample")).to_have_count(0)
    give(another, OTHER)
    expect(another.get_by_text("is not the report that the link shows")).to_be_visible()
    expect(another.get_by_role("button", name="Notes")).to_have_count(0)
    give(another, FILE)
    expect_in_notes(another, "90% intervals")
    expect(another.get_by_text("cedar").first).to_be_visible()


def test_who_guesses_a_key_is_asked_for_the_file(another, page, address):
    show(page, f"{address}/reports")
    give(page, FILE)
    for key in ("guessed", "../../secret", "", "0" * 10_000):
        show(another, f"{address}/overview?data=file%3Da.parquet%26key%3D{key}")
        expect(another.get_by_text("This link shows a.parquet")).to_be_visible()
        expect(another.get_by_role("table")).to_have_count(0)


def test_back_and_forward_go_from_page_to_page(page, address):
    show(page, address)
    page.get_by_role("button", name="Open the sample").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    settle(page)
    page.get_by_test_id("stSidebar").get_by_text("More", exact=True).click()
    for level in ("90", "80"):
        page.get_by_label("Confidence level, in percent").fill(level)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"level=0.{level[0]}"))
    page.get_by_test_id("stSidebar").get_by_role("link", name="Saturation").click()
    expect(page.get_by_role("heading", name="Saturation")).to_be_visible()
    expect(page).to_have_url(re.compile("level=0.8"))
    for go, name in (
        (page.go_back, "Overview"),
        (page.go_back, "Reports"),
        (page.go_forward, "Overview"),
        (page.go_forward, "Saturation"),
        (page.go_back, "Overview"),
    ):
        go()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        settle(page)
        expect(page).to_have_url(re.compile(f"/{name.lower()}.*data="))
    expect_in_notes(page, "80% intervals")


def test_a_page_opened_in_another_tab_shows_the_same_data(page, address):
    show(page, f"{address}/reports")
    give(page, FILE)
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Reports").click()
    expect(page).to_have_url(re.compile("reports.*data="))
    overview = page.get_by_test_id("stSidebar").get_by_role("link", name="Overview", exact=True)
    for press in ({"button": "middle"}, {"modifiers": ["Control"]}):
        with page.context.expect_page() as opened:
            overview.click(**press)
        tab = opened.value
        expect(tab.get_by_role("heading", name="Overview")).to_be_visible()
        expect(tab.get_by_text("cedar").first).to_be_visible()
        tab.close()
    expect(page.get_by_role("heading", name="Reports")).to_be_visible()
    onward = page.get_by_role("link", name="Go on to the overview")
    with page.context.expect_page() as opened:
        onward.click(button="middle")
    expect(opened.value.get_by_text("cedar").first).to_be_visible()
    opened.value.close()
