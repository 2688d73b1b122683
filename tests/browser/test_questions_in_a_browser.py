"""A visitor reads questions: opens, goes on, shares the link; and hostile texts run nothing."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import finish, new_page, settle
from tests.pages.hostile_texts import HOSTILE, hostile_report
from tests.pages.visiting import table

pytestmark = pytest.mark.browser

RUN = "a=cedar-14b-chat+%2F+gsm8k"


def click_row(page: Page, number: int) -> None:
    """Click the id of a row of the table."""
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid.locator("canvas").first).to_be_visible()
    finish(page)
    grid.click(position={"x": 90, "y": 35 * number + 17})


def test_from_the_sample_to_a_question_to_the_next_and_to_a_friend(page, browser, address):
    page.goto(f"{address}/questions?{RUN}")
    page.get_by_role("button", name="Open the sample").click()
    page.get_by_role("combobox", name="Show").click()
    page.get_by_role("option", name=re.compile("Majority wrong but solvable")).click()
    expect(page).to_have_url(re.compile(f"{re.escape(RUN)}&filter=majority-wrong$"))
    click_row(page, 1)
    heading = page.get_by_role("heading", name=re.compile(r"^Question \d+$"))
    expect(heading).to_have_text(re.compile(r"^Question \d+$"))
    first = heading.inner_text()
    expect(page.get_by_text(re.compile(r"^1 of \d+$"))).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    second = heading.inner_text()
    page.keyboard.press("n")
    expect(page.get_by_text(re.compile(r"^3 of \d+$"))).to_be_visible()
    page.keyboard.press("p")
    expect(heading).to_have_text(second)
    assert first != second
    number = second.removeprefix("Question ")
    expect(page).to_have_url(re.compile(f"&filter=majority-wrong&open={number}$"))
    friend = new_page(browser)
    friend.goto(page.url)
    expect(friend.get_by_role("heading", name=second, exact=True)).to_be_visible()
    expect(friend.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    expect(friend).to_have_url(page.url)
    friend.close()


def test_a_click_on_the_name_of_a_column_orders_the_list(page, address):
    page.goto(f"{address}/questions?{RUN}")
    page.get_by_role("button", name="Open the sample").click()
    click_row(page, 0)
    expect(page).to_have_url(re.compile("&sort=question&down=yes$"))
    click_row(page, 0)
    expect(page).to_have_url(re.compile("&sort=question$"))


@pytest.mark.parametrize("maths", ["no", "yes"])
def test_hostile_texts_run_nothing(page, address, tmp_path, maths):
    path = tmp_path / "hostile.zip"
    path.write_bytes(hostile_report(HOSTILE))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(f"{address}/questions?open=0&maths={maths}")
    page.get_by_role("link", name="Load reports").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    settle(page)
    page.get_by_role("link", name="Questions").click()
    expect(page.get_by_text("<script>alert(1)</script>").first).to_be_visible()
    page.get_by_text("turns before").click()
    settle(page)
    main = page.get_by_test_id("stMain")
    assert main.locator("script, img[onerror], a[href^=javascript]").count() == 0
    assert "\u202e" not in main.inner_text()


def test_a_hundred_thousand_questions_are_asked_for_before_they_are_loaded(page, address, tmp_path):
    path = Path(tmp_path / "many.parquet")
    rng = np.random.default_rng(7)
    correct = rng.random((100_000, 4)) < rng.random((100_000, 1))
    path.write_bytes(table(correct))
    page.goto(address)
    page.get_by_label(re.compile("^Or give a path")).fill(str(path))
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_role("link", name="Questions").click()
    expect(page.get_by_text("100,000 questions", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Show").click()
    page.get_by_role("option", name=re.compile("Never right")).click()
    never = int((correct.sum(axis=1) == 0).sum())
    expect(page.get_by_text(f"{never:,} questions")).to_be_visible()
    click_row(page, 1)
    name = f"Question q{np.flatnonzero(correct.sum(axis=1) == 0)[0]}"
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    page.get_by_role("button", name="Next page").click()
    expect(page).to_have_url(re.compile("&page=2$"))
