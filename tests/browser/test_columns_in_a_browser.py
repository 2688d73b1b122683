"""A visitor with a table of which nothing is known, from the upload to its numbers."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driving import finish, rest

pytestmark = pytest.mark.browser

TABLE = "aufgabe;versuch;bewertung;modell\n" + "".join(
    f"A{q};{s};{'gut' if (q + s) % 3 else 'schlecht'};{model}\n"
    for model in ("eins", "zwei")
    for q in range(12)
    for s in range(3)
)
CHOSEN = {
    "Verdict: right or wrong": "bewertung · schlecht, gut",
    "Question": "aufgabe · A0, A1, A2",
    "Model": "modell · eins, zwei",
    "Number of the sample": "versuch · 0, 1, 2",
}


@pytest.mark.parametrize("width", [1400, 400])
def test_a_table_of_which_nothing_is_known_is_loaded(page, address, tmp_path, width):
    path = tmp_path / "tabelle.csv"
    path.write_text(TABLE)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}/reports")
    page.locator("input[type=file]:not([webkitdirectory])").set_input_files(path)
    load = page.get_by_role("button", name="Load with these columns")
    expect(load).to_be_disabled()
    rest(page)
    for label, option in CHOSEN.items():
        box = page.get_by_role("combobox", name=label)
        expect(box).to_have_count(1)  # while the form is drawn anew, the old one may still stand
        box.click()
        page.get_by_role("option", name=option).click()
        finish(page)
        rest(page)
    page.get_by_role("button", name="gut", exact=True).first.click()  # of what means right
    finish(page)
    load.click()
    expect(page.get_by_role("heading", name="2 runs came in: 2 models on tabelle.")).to_be_visible()
    page.get_by_role("button", name=re.compile("things? to know")).click()
    expect(page.get_by_text("right is gut; wrong is schlecht")).to_be_visible()
    page.get_by_role("link", name="Go on to the overview").click()
    expect(page.get_by_text("66.7%").first).to_be_visible()
