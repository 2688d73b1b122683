"""The processor time of a browser on each page, beside that on a bare page of Streamlit.

`uv run python -m tests.benchmarks.in_browsers` prints a table in markdown: of all processes of a
Chromium the time from a click on the name of a page until it rests, and from its address in a new
browser until it rests, by the median of some rounds in which each page has its turn with the bare
one, which has one table and one figure; and what was sent. `--data` takes the names of some data,
`--pages` those of two pages or more, and `--rounds` how many rounds of clicks there are; of first
pages there are half as many. Others on the machine lengthen all times, and the ratio somewhat.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, CDPSession, Page

from tests.benchmarks.interactions import SIZES, write_runs
from tests.browser.driving import chromium, running, settle

DATA = {"sample": None, "10 x 20": (10, 20, 40, 4), "200 runs": SIZES["200 runs"]}
"""Models, datasets, questions of each, and samples of each question; or the sample."""
SAMPLE = "sample_data/aisbench_report.zip"
PAGES = {
    "overview": "Overview",
    "compare": "Compare",
    "trade-offs": "Trade-offs",
    "choose-n": "Choose n",
    "saturation": "Saturation",
    "consistency": "Consistency",
    "guidance": "Guidance",
    "soft-vs-hard": "Soft vs hard",
    "reports": "Reports",
    "trust": "Trust",
    "questions": "Questions",
}
BARE = """
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

def page():
    st.title("Bare")
    st.dataframe(pd.DataFrame({"k": range(16), "value": [k / 16 for k in range(16)]}))
    st.plotly_chart(go.Figure(go.Scatter(x=[*range(16)], y=[k * k for k in range(16)])))

pages = [st.Page(page, title=name, url_path=name.lower()) for name in ("One", "Two")]
st.navigation(pages).run()
"""
OF_MANY = ("overview", "compare")
"""The pages that are measured with 200 runs."""
ROUNDS = 5
RESTING = 0.02
"""Seconds of processor time in half a second of which a page at rest needs less."""


def used(session: CDPSession) -> dict[int, float]:
    """Return the seconds of processor time of each process of a browser."""
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return {each["id"]: each["cpuTime"] for each in found}


@contextmanager
def timed(browser: Browser, into: list[float]) -> Iterator[None]:
    """Add the processor time of what is done, until the browser rests, to a list."""
    session = browser.new_browser_cdp_session()
    before = used(session)
    yield
    last = before
    while (now := used(session)) and sum(now.values()) - sum(last.values()) > RESTING:
        last = now
        time.sleep(0.5)
    into.append(sum(spent - before.get(process, 0.0) for process, spent in now.items()))
    session.detach()


def first_visit(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds that a page takes in a new browser, and the megabytes that are sent."""
    spent: list[float] = []
    sent: list[float] = []
    with browser.new_context() as context, timed(browser, spent):
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", lambda each: sent.append(each["encodedDataLength"]))
        network.on(
            "Network.webSocketFrameReceived",
            lambda each: sent.append(len(each["response"]["payloadData"]) * 3 / 4),
        )
        page.goto(address)
        settle(page)
        page.wait_for_load_state("networkidle")
    return spent[0], sum(sent) / 1e6


def click(browser: Browser, page: Page, name: str) -> float:
    """Return the seconds that a click on the name of a page takes."""
    spent: list[float] = []
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=name, exact=True)
    with timed(browser, spent):
        link.click()
        page.wait_for_timeout(500)
        settle(page)
    return spent[0]


def rounds(data: str, names: list[str], count: int) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table for some data."""
    with TemporaryDirectory() as folder, chromium() as browser:
        script, path = Path(folder, "bare.py"), Path(folder, "runs.parquet")
        script.write_text(BARE)
        if size := DATA[data]:
            write_runs(path, *size)
        with (
            running(str(path) if size else SAMPLE) as (ours, _),
            running(script=str(script)) as (bare, _),
        ):
            clicked, plain = clicks(browser, ours, bare, names, count)
            visited = {
                name: [
                    (first_visit(browser, f"{bare}/")[0], *first_visit(browser, f"{ours}/{name}"))
                    for _round in range(1 + count // 2)
                ]
                for name in names
            }
        for name in names:
            its, mine, sent = zip(*visited[name], strict=True)
            figures = (
                median(clicked[name]),
                median(clicked[name]) / median(plain),
                median(mine),
                median(mine) / median(its),
            )
            yield data, name, *(f"{each:.2f}" for each in figures), f"{max(sent):.1f}"


def clicks(
    browser: Browser, ours: str, bare: str, names: list[str], count: int
) -> tuple[dict[str, list[float]], list[float]]:
    """Return the seconds of clicks on each page, and of as many on bare ones in between."""
    own: dict[str, list[float]] = {name: [] for name in names}
    plain: list[float] = []
    others = cycle(("One", "Two"))
    with browser.new_page() as one, browser.new_page() as page:
        one.goto(f"{bare}/two")
        page.goto(f"{ours}/{names[0]}")
        settle(one)
        settle(page)
        for turn in range(-1, count):  # the first computes all, and warms both servers
            for name in [*names[1:], names[0]]:
                its = click(browser, one, next(others))
                mine = click(browser, page, PAGES[name])
                if turn >= 0:
                    plain.append(its)
                    own[name].append(mine)
    return own, plain


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=[*DATA], choices=[*DATA])
    parser.add_argument("--pages", nargs="+", default=[*PAGES], choices=[*PAGES])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    print("| data | page | click, s | to bare | first page, s | to bare | sent, MB |")
    print("|---|---|---|---|---|---|---|")
    for data in asked.data:
        names = [name for name in asked.pages if data != "200 runs" or name in OF_MANY]
        for row in rounds(data, names, asked.rounds) if names else ():
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
