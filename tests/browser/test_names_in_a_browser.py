"""Names and texts that hold addresses stay text on every page."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import open_parts, rest, settle
from tests.pages.hostile_names import hostile_table, report

pytestmark = pytest.mark.browser

ADDRESSES = "https://evil.example/x www.evil.example a@evil.example http://evil.example"
MARKED = "[evil](https://evil.example) <https://evil.example> <a href='//evil.example'>e</a>"
TITLES = (
    "Reports",
    "Questions",
    "Overview",
    "Consistency",
    "Soft vs hard",
    "Saturation",
    "Choose n",
    "Trade-offs",
    "Guidance",
)


def foreign_links(page: Page) -> list[str]:
    """Return where the links of a page lead that lead elsewhere, those in charts too."""
    return page.evaluate(
        """() => [...document.querySelectorAll("a, area, form, iframe, base, link")]
            .map(each => each.href?.baseVal ?? each.href ?? each.src ?? each.action ?? "")
            .filter(there => there && new URL(there, location).host !== location.host)"""
    )


def test_no_page_makes_a_link_of_a_name(page, address, tmp_path):
    name = f"{MARKED} {ADDRESSES}"
    soft = [json.loads(line) for line in hostile_table(name).decode().splitlines()]
    scored = "\n".join(
        json.dumps(row | {"score": row["correct"] / 2 + 0.25, "dataset": f"{name} soft"})
        for row in soft
    )
    paths = []
    for path, data in (
        ("t.jsonl", hostile_table(name)),
        ("soft.jsonl", scored.encode()),
        ("www.evil.example.zip", report(name)),
    ):
        (tmp_path / path).write_bytes(data)
        paths.append(tmp_path / path)
    page.goto(address)
    settle(page)
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(paths)
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    found = {}
    menu = page.get_by_test_id("stSidebarNavItems")
    for title in TITLES:
        menu.get_by_role("link", name=title, exact=True).click()
        expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
        settle(page)
        page.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach(s => s.click())"
        )
        open_parts(page)
        rest(page)
        page.wait_for_function("document.querySelector('main, .stMain').innerHTML.includes('evil')")
        if links := foreign_links(page):
            found[title] = links
    assert found == {}
