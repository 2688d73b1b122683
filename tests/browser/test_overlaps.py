"""Figures of one, four and ten models, in windows from a phone's to a desk's: nothing overlaps."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import new_page, rest, serving

pytestmark = pytest.mark.browser

OVERLAPS = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")
DRAWN = (
    "Overview",
    "Compare",
    "Trade-offs",
    "Choose n",
    "Saturation",
    "Consistency",
    "Guidance",
    "Soft vs hard",
    "Trust",
)
DATASETS = "essays", "letters"
WIDTHS = {10: (1400, 900, 400), 4: (1400, 400), 1: (400,)}
"""In which windows so many models are tried, in pixels; pages open in the first."""
FITTED = """() => [...document.querySelectorAll("[data-testid=stPlotlyChart]")].every(chart => {
    const width = element => element.getBoundingClientRect().width;
    const drawn = chart.querySelector(".main-svg");
    return drawn && Math.abs(width(drawn) - width(chart)) < 2;
})"""
"""Whether each figure is drawn as wide as its place."""
SAID = {10: "10 models", 4: "4 models", 1: "1 model"}
"""What Overview says of them."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve ten models of rising ability on two datasets, with soft scores."""
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("overlaps") / "ten.csv"
    rows = [
        (f"model-{a:02d}-chat", dataset, f"q{q}", round(float(rng.beta(1 + p, 3 - 2 * p)), 2))
        for a in range(10)
        for dataset in DATASETS
        for q, p in enumerate(rng.beta(0.5 + 0.12 * a, 1, 30))
        for _sample in range(4)
    ]
    pd.DataFrame(rows, columns=["model", "dataset", "question_id", "score"]).assign(
        correct=lambda table: (table["score"] > 0.5).astype(int)
    ).to_csv(path, index=False)
    with serving(str(path)) as started:
        yield started


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    page = new_page(browser)
    yield page
    page.close()


@pytest.mark.parametrize("models", WIDTHS)
def test_no_text_of_a_figure_lies_over_another_or_is_cut_off(
    visitor: Page, address: str, models: int
) -> None:
    runs = "&".join(
        f"run=model-{a:02d}-chat / {dataset}"
        for a in range(10 - models, 10)
        for dataset in DATASETS
    )
    found: dict[tuple[str, int], list[str]] = {}
    for name in DRAWN:
        place = name.lower().replace(" ", "-")
        visitor.set_viewport_size({"width": WIDTHS[models][0], "height": 900})
        visitor.goto(f"{address}/{place}?{'' if models == 10 else runs}")
        rest(visitor)
        if name == "Overview":
            expect(visitor.get_by_text(f"{SAID[models]}, 2 datasets")).to_be_visible()
        for width in WIDTHS[models]:
            visitor.set_viewport_size({"width": width, "height": 900})
            rest(visitor)
            visitor.wait_for_function(FITTED)
            if faults := visitor.evaluate(OVERLAPS):
                found[name, width] = faults
    assert found == {}
