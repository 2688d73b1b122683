"""What a page shows before anybody scrolls, and how it makes room in narrow windows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pages.shared.loading.opening import SAMPLE
from tests.browser.driving import finish, new_page, serving

pytestmark = pytest.mark.browser

PHONE, DESK = {"width": 400, "height": 850}, {"width": 1400, "height": 900}
ALL_MODELS = 9
WAIT = 150_000
"""Milliseconds until all files of the sample are read on a busy machine."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(*map(str, SAMPLE.values())) as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = new_page(browser, viewport=DESK)
    yield page
    page.close()


def box(found: Locator) -> dict[str, float]:
    bounds = found.bounding_box()
    assert bounds is not None
    return {**bounds, "bottom": bounds["y"] + bounds["height"]}


def test_overview_shows_every_model_before_anybody_scrolls(page: Page, address: str) -> None:
    page.goto(f"{address}/overview")
    rows = page.locator(".js-plotly-plot .ytick text")
    expect(rows).to_have_count(ALL_MODELS, timeout=WAIT)
    expect(page.get_by_text("Checking whether")).to_have_count(0, timeout=WAIT)
    finish(page)
    assert box(rows.last)["bottom"] < DESK["height"]


def test_what_leads_elsewhere_stands_beside_the_title(page: Page, address: str) -> None:
    page.goto(f"{address}/choose-n")
    link = page.get_by_test_id("stMain").get_by_role("link", name="Who wins by what")
    expect(link).to_be_visible(timeout=WAIT)
    title, sentence = box(page.locator("h1")), page.locator("h2").first
    assert title["y"] < box(link)["y"] < title["bottom"]
    assert box(link)["x"] > title["x"] + 300
    page.set_viewport_size(PHONE)
    finish(page)
    assert box(link)["y"] > box(sentence)["bottom"]


def test_nothing_narrows_what_is_read_on_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{address}/choose-n")
    told = page.locator("[class*=st-key-kofn-below] [data-testid=stCaptionContainer]")
    expect(told).to_be_visible(timeout=WAIT)
    notes = page.get_by_role("button", name="Notes")
    expect(notes).to_be_visible()
    finish(page)
    assert box(told)["width"] > 330
    assert box(page.get_by_role("button", name="Download figure"))["y"] >= box(told)["bottom"]
    parts = page.locator(".st-key-kofn-parts [data-testid=stButtonGroup]")
    quiet = page.get_by_role("button", name="LaTeX, cite")
    assert box(quiet)["y"] >= box(parts)["bottom"]
    assert box(notes)["y"] == box(quiet)["y"]
