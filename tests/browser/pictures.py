"""Make the documents' pictures: `uv run python -m tests.browser.pictures [PAGE …]`."""

import sys
from collections.abc import Mapping
from urllib.parse import urlencode

from playwright.sync_api import Browser, expect

from tests.browser.driving import ROOT, chromium, serving, settle

PICTURES = ROOT / "sample_data" / "pictures"
SIZE = {"width": 1280, "height": 1120}
MATHS = [f"{model} / math_prm800k_500" for model in ("aspen-4b-chat", "sequoia-72b-chat")]
PAIR = [f"{model} / math_prm800k_500" for model in ("cedar-14b-chat", "sequoia-72b-chat")]
TABLE, CHART = "[data-testid=stDataFrame] canvas", ".js-plotly-plot .main-svg"
DEFAULT = "reports"
PAGES: Mapping[str, tuple[Mapping[str, object], str]] = {
    DEFAULT: ({}, "text=came in"),
    "overview": ({}, CHART),
    "questions": ({"a": MATHS[0], "filter": "majority-wrong", "open": "2"}, TABLE),
    "consistency": ({}, CHART),
    "soft-vs-hard": ({}, CHART),
    "saturation": ({"run": MATHS}, CHART),
    "trade-offs": ({"dataset": "maths"}, CHART),
    "compare": ({"run": PAIR}, CHART),
    "choose-n": ({"dataset": "maths"}, CHART),
    "guidance": ({"dataset": "math_prm800k_500"}, CHART),
}
"""The settings of each page, and what is drawn last."""


def take(browser: Browser, address: str, page_name: str) -> None:
    """Open the sample on a page and photograph it once everything is drawn."""
    settings, landmark = PAGES[page_name]
    visitor = browser.new_context(viewport=SIZE, device_scale_factor=1.5)
    page = visitor.new_page()
    path = "" if page_name == DEFAULT else page_name
    page.goto(f"{address}/{path}?{urlencode(settings, doseq=True)}")
    page.get_by_role("button", name="Open the sample").click()
    if page_name == DEFAULT:  # what is opened there leads to Overview
        expect(page.locator(CHART).first).to_be_attached(timeout=60_000)
        page.get_by_test_id("stSidebar").get_by_role("link", name="Reports").click()
    expect(page.locator(landmark).first).to_be_attached(timeout=60_000)
    settle(page)
    expect(page.get_by_text("Checking whether")).to_have_count(0, timeout=120_000)
    page.mouse.move(0, 0)
    page.wait_for_timeout(2_000)
    page.screenshot(path=PICTURES / f"{page_name}.png")
    visitor.close()


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    with serving() as address, chromium() as browser:
        for page_name in sys.argv[1:] or PAGES:
            take(browser, address, page_name)
