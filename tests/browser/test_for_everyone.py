"""Pages for those who do not see red, or small letters, or any; who have no mouse, or a phone."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import finish, new_page, open_parts, rest, serving

pytestmark = pytest.mark.browser

NOT_OURS = [
    "[data-testid=stSidebarNavItems]",
    "[data-testid=stSliderThumbValue]",
    "[data-testid=stBaseButton-header]",
]
"""Streamlit's menu has headings among the items of a list; the number of a slider the colour of a
button that bears white letters; its button Stop, which is there while a page runs, is pale."""
LARGE = {"viewport": {"width": 1400, "height": 900}}
PHONE = {
    "viewport": {"width": 400, "height": 800},
    "is_mobile": True,
    "user_agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/140.0 Mobile Safari/537.36",
}
NARROW = {"viewport": {"width": 400, "height": 800}}
ALL: dict[str, object] = {"resultTypes": ["violations"]}
OF_COLOURS = ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}
"""What axe-core is to look for."""
POPOVER = "[data-testid=stPopoverBody]"
LEVELS = "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(each => +each.tagName[1])"
TOO_WIDE = """document.querySelector('[data-testid=stMain]').scrollWidth
    > document.querySelector('[data-testid=stMain]').clientWidth"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving("sample_data/aisbench_report.zip", "sample_data/outcomes.parquet") as started:
        yield started


@pytest.fixture
def visitor(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme, device = request.param
    page = new_page(browser, color_scheme=scheme, **device)
    page.goto(f"{address}/reports")
    rest(page)
    yield page
    page.close()


def names(page: Page) -> list[str]:
    found = page.get_by_test_id("stSidebarNavLink").all_text_contents()
    assert len(found) == 11
    return found


def unfold(page: Page) -> None:
    """Open every expander, and every part behind the first screen."""
    open_parts(page)
    folded = page.locator("[data-testid=stExpander] details:not([open]) > summary")
    while folded.count():
        folded.evaluate_all("each => each.forEach(summary => summary.click())")
        finish(page)
        rest(page)


def faults(page: Page, within: str = "body", rules: dict[str, object] = ALL) -> list[str]:
    """Return what axe-core finds that is serious, and ours."""
    place = {"include": [within], "exclude": NOT_OURS}
    found = Axe().run(page, context=place, options=rules).response["violations"]
    return [
        f"{rule['id']}: {node['html']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("visitor", [("light", LARGE)], indirect=True, ids=["large"])
def test_pages_have_no_serious_fault_and_their_headings_are_in_order(visitor: Page) -> None:
    for name in names(visitor):
        visitor.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()
        expect(visitor.get_by_role("heading", level=1)).to_have_text(name)
        rest(visitor)
        unfold(visitor)
        levels = visitor.evaluate(LEVELS)
        assert levels[0] == 1, name
        assert all(after - before <= 1 for before, after in pairwise(levels)), name
        for scheme, rules in (("light", ALL), ("dark", OF_COLOURS)):
            visitor.emulate_media(color_scheme=scheme)
            expect(visitor.locator(".stApp")).to_have_css("color-scheme", scheme)
            rest(visitor)
            assert faults(visitor, rules=rules) == [], (name, scheme)


@pytest.mark.parametrize(
    "visitor", [("light", LARGE), ("dark", LARGE)], indirect=True, ids=["light", "dark"]
)
def test_a_link_to_copy_has_no_serious_fault(visitor: Page) -> None:
    visitor.get_by_role("button", name="Copy a link").click()
    expect(visitor.locator(POPOVER)).to_be_visible()
    assert faults(visitor, POPOVER) == []


@pytest.mark.parametrize("visitor", [("dark", PHONE)], indirect=True, ids=["phone"])
def test_on_a_phone_the_menu_closes_and_tables_scroll_inside_themselves(visitor: Page) -> None:
    opener = visitor.get_by_test_id("stExpandSidebarButton")
    for name in names(visitor):
        opener.click()
        visitor.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()
        expect(visitor.get_by_role("heading", level=1)).to_have_text(name)
        expect(opener).to_be_visible()
        rest(visitor)
        assert not visitor.evaluate(TOO_WIDE), name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_that_need_more_data_are_named_legibly(
    browser: Browser, tmp_path: Path, scheme: Literal["light", "dark"]
) -> None:
    path = tmp_path / "one.csv"
    path.write_text("question,sample,correct\na,0,1\na,1,0\nb,0,1\nb,1,1\n")
    with serving(str(path)) as few:
        page = new_page(browser, color_scheme=scheme, **LARGE)
        page.goto(f"{few}/reports")
        rest(page)
        expect(page.get_by_text("Soft vs hard: soft scores")).to_be_visible()
        assert faults(page, "[data-testid=stSidebar]", OF_COLOURS) == []
        page.close()


def test_uploaders_speak_chinese_too(browser: Browser) -> None:
    with serving() as empty:
        page = new_page(browser)
        page.goto(f"{empty}/reports?lang=zh")
        buttons = page.locator("[data-testid=stFileUploaderDropzone] button p")
        for button, text in zip(
            (buttons.first, buttons.last), ("选择文件", "选择文件夹"), strict=True
        ):
            expect(button).to_have_css("content", f'"{text}"', pseudo="after")
        expect(buttons).to_have_count(2)
        page.close()


@pytest.mark.parametrize("device", [LARGE, NARROW], ids=["large", "narrow"])
def test_a_page_in_chinese_fits_and_leads_to_english(
    browser: Browser, address: str, device: dict[str, dict[str, int]]
) -> None:
    """The switch is on the first screen of the sidebar, however much stands below it."""
    page = new_page(browser, **device)
    page.goto(f"{address}/consistency?lang=zh")
    rest(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("一致性")
    assert not page.evaluate(TOO_WIDE)
    if device is NARROW:
        page.get_by_test_id("stExpandSidebarButton").click()
    english = page.get_by_role("radio", name="English")
    expect(english).to_be_in_viewport()
    english.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Consistency")
    rest(page)
    assert "lang=en" in page.url
    page.close()
