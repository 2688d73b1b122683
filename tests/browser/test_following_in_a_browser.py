"""A file that grows while its page is open, followed without a touch."""

import json
import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser.driving import serving, settle, visitor

pytestmark = pytest.mark.browser

SOON = 40_000
"""Milliseconds in which a page that looks every 10 s has shown what is new."""


def lines(questions):
    rows = (
        {"model": model, "dataset": "maths", "id": f"q{i}", "sample": j, "correct": (i + j) % 2}
        for i in range(questions)
        for j in range(2)
        for model in ("alpha", "beta")
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_growing_file_is_said_to_change_and_followed_with_what_was_chosen(browser, tmp_path):
    path = tmp_path / "live.jsonl"
    path.write_text(lines(10) + '{"model": "al')
    with ExitStack() as stack:
        address = stack.enter_context(serving(str(path)))
        page = stack.enter_context(visitor(browser, address))
        page.goto(f"{address}/reports")
        settle(page)
        heading = page.locator("h2").first
        unfinished = page.get_by_text("2 of 2 runs are unfinished, as of").first
        expect(unfinished).to_be_visible()
        path.write_text(lines(20) + '{"model": "al')
        expect(page.get_by_text("live.jsonl has changed on disk.")).to_be_visible(timeout=SOON)
        page.get_by_role("button", name="Load again", exact=True).click()
        expect(page.get_by_text("live.jsonl has changed on disk.")).to_be_hidden(timeout=SOON)

        page.get_by_role("combobox").first.click()
        page.get_by_role("option", name="every 10 s").click()
        expect(page).to_have_url(re.compile("follow=10"))
        page.get_by_test_id("stSidebarNavItems").get_by_role("link", name="Overview").click()
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        page.get_by_role("radio", name="Table").click()
        settle(page)
        other = stack.enter_context(visitor(browser, address))
        other.goto(page.url)
        settle(other)
        for each in (page, other):
            expect(each.get_by_text("are unfinished").first).to_be_visible()
        path.write_text(lines(30))
        for each in (page, other):
            expect(each.get_by_text("are unfinished")).to_have_count(0, timeout=SOON)
        expect(page.get_by_role("radio", name="Table")).to_be_checked()
        expect(page).to_have_url(re.compile("follow=10"))

        path.unlink()
        expect(page.get_by_text("no longer exists")).to_be_visible(timeout=SOON)
        expect(heading).to_be_visible()
