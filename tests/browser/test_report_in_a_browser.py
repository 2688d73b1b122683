"""A report opens anywhere: without a network, without scripts, in the dark, and on paper."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kofn.command import main
from kofn.report.chapters import PARTS
from tests.reports.tables.outcome_tables import write_table

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    tables = [
        str(write_table(folder / f"{model}.parquet", model, seed=seed))
        for seed, model in enumerate(("7B", "70B"))
    ]
    assert main(["report", *tables, "-o", str(folder / "report.html")]) == 0
    return (folder / "report.html").as_uri()


@pytest.fixture
def opened(browser: Browser, report: str) -> Callable[..., Page]:
    """Open it where there is no network; whatever else it asks for fails the test."""

    def open_it(**settings: object) -> Page:
        context = browser.new_context(offline=True, **settings)
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.on("console", lambda said: pytest.fail(said.text) if said.type == "error" else None)
        page.goto(report)
        assert {url for url in asked if not url.startswith(("data:", "blob:"))} == {report}
        return page

    return open_it


def test_figures_are_live_and_headings_are_jumped_to(opened: Callable[..., Page]) -> None:
    page = opened()
    figures = page.locator("figure")
    for place in range(figures.count()):
        expect(figures.nth(place).locator(".main-svg").first).to_be_visible()
    page.get_by_role("link", name="Does a vote beat one answer?").click()
    expect(page.locator("#consistency")).to_be_in_viewport()


def test_it_follows_the_reader_s_light_and_dark(opened: Callable[..., Page]) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('.xtick text, .ytick text')).fill"
    page = opened(color_scheme="dark")
    expect(page.locator("figure .main-svg").first).to_be_visible()
    dark = page.evaluate(ground), page.evaluate(ink)
    page.emulate_media(color_scheme="light")
    expect(page.locator(".xtick text, .ytick text").first).not_to_have_css("fill", dark[1])
    assert page.evaluate(ground) != dark[0]


def test_without_scripts_every_number_is_there(opened: Callable[..., Page]) -> None:
    page = opened(java_script_enabled=False)
    expect(page.locator("h2")).to_have_count(len(PARTS) + 2)
    expect(page.locator("figure").first).to_be_hidden()
    tables = page.locator("table")
    assert tables.count() >= len(PARTS)
    for place in range(tables.count()):
        expect(tables.nth(place)).to_be_visible()


def test_on_paper_tables_are_open_and_links_are_gone(opened: Callable[..., Page]) -> None:
    page = opened(color_scheme="dark")
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("nav")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    closed = page.locator("details:not([open])")
    expect(closed).to_have_count(0)


def test_it_fits_a_phone(opened: Callable[..., Page]) -> None:
    page = opened(viewport={"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_note_of_a_file_with_a_long_name_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    table = tmp_path / f"{'outcomes_of_' * 8}a_model.csv"
    table.write_text("question,sample,correct\n" + "".join(f"{q},0,{q % 2}\n" for q in range(8)))
    assert main(["report", str(table), "-o", str(tmp_path / "report.html")]) == 0
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("li", has_text=table.stem).count()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    page.close()
