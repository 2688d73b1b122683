"""A visitor without a mouse: Tab, Enter, Space, the arrows and letters reach and do everything."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driving import finish, settle

pytestmark = pytest.mark.browser

MOST = 150
"""Presses of Tab from one end of a page to the other."""
FOCUSED = (
    "element => element.contains(document.activeElement) || element === document.activeElement"
)


def reach(page: Page, target: Locator) -> None:
    """Press Tab until something has the focus."""
    expect(target.first).to_be_attached()
    for _ in range(MOST):
        if target.first.evaluate(FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {target}")


def press(page: Page, target: Locator, key: str = "Enter") -> None:
    reach(page, target)
    page.keyboard.press(key)
    finish(page)


def choose(page: Page, box: Locator, letters: str) -> None:
    """Choose the first with some letters in a box, or without any the first of all."""
    reach(page, box)
    finish(page)  # on its way Tab may have opened what it passed in a table
    page.keyboard.type(letters)
    if not letters:
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").first).to_contain_text(letters)
    page.keyboard.press("Enter")
    finish(page)


def open_part(page: Page, name: str) -> None:
    row = page.locator(".st-key-kofn-parts button[data-variant=pills]")
    reach(page, row)
    part = row.filter(has_text=name)
    while not part.evaluate(FOCUSED):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def turn_to(page: Page, name: str) -> None:
    press(page, page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    settle(page)


def test_keyboard_alone_reaches_and_does_everything(page: Page, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address)
    settle(page)
    press(page, page.get_by_role("button", name="Open the sample"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")

    for link in page.get_by_test_id("stSidebarNavLink").all():
        reach(page, link)
        expect(link).to_have_css("outline-style", "solid")

    turn_to(page, "Overview")
    choose(page, page.get_by_role("combobox", name="Metric"), "pass@k")
    expect(page).to_have_url(re.compile("metric=pass%40k"))
    choose(page, page.get_by_role("combobox", name="k, samples drawn"), "4")
    expect(page).to_have_url(re.compile("k=4"))
    choose(page, page.get_by_role("combobox", name="Run", exact=True), "gsm8k")
    press(page, page.get_by_role("button", name="Close"))
    reach(page, page.get_by_role("radio", name="Picture"))
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("radio", name="All metrics")).to_be_checked()
    finish(page)
    choose(page, page.get_by_role("combobox", name="Sort by"), "pass^")
    expect(page).to_have_url(re.compile("sort=pass%5E4"))
    choose(page, page.get_by_role("combobox", name="Run", exact=True), "cedar")
    expect(page).to_have_url(re.compile("detail="))
    open_part(page, "What the metrics mean")

    turn_to(page, "Consistency")
    choose(page, page.get_by_role("combobox", name="Dataset"), "maths")
    choose(page, page.get_by_role("combobox", name="Click a point, or choose a run"), "maths")
    expect(page.get_by_role("link", name=re.compile("Questions of"))).to_be_visible()
    open_part(page, "Questions of one run")
    choose(page, page.get_by_role("combobox", name="Click a bubble").first, "questions")
    press(page, page.get_by_role("link", name=re.compile(r"^\W*\w*\d+ questions?$")).first)
    expect(page.get_by_role("heading", level=1)).to_have_text("Questions")
    choose(page, page.get_by_role("combobox", name="Question", exact=True), "")
    opened = page.get_by_role("heading", name=re.compile("^Question "))
    first = opened.inner_text()
    press(page, page.get_by_role("button", name="Next"), "Space")
    expect(opened).not_to_have_text(first)

    press(page, page.get_by_role("button", name="Copy a link"))
    popover = page.get_by_test_id("stPopoverBody")
    press(page, popover.locator("[aria-label='Copy to clipboard']"))
    assert page.evaluate("navigator.clipboard.readText()").startswith(f"{address}/questions?data=")


def test_keys_of_a_slider_that_are_pressed_quickly_all_count(page: Page, address: str) -> None:
    """Thumb, page and address are where the keys lead, however the runs between overlap."""
    page.goto(address)
    settle(page)
    press(page, page.get_by_role("button", name="Open the sample"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    turn_to(page, "Trade-offs")
    choose(page, page.get_by_role("combobox", name="Dataset"), "maths")
    slider = page.get_by_role("slider", name="k, samples drawn")
    reach(page, slider)
    for start in (64, 58, 52):
        for key in 9 * ["ArrowLeft"] + 3 * ["ArrowRight"]:
            page.keyboard.press(key)
            page.wait_for_timeout(30)
        expect(page).to_have_url(re.compile(rf"[?&]k={start - 6}(&|$)"))
        finish(page)
        assert slider.input_value() == str(start - 6)
        expect(page.get_by_text(f"pass@{start - 6}, in percent")).to_be_visible()
        expect(page).to_have_url(re.compile(rf"[?&]k={start - 6}(&|$)"))
