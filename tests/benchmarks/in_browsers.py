"""The processor time of a browser on each page, beside that on a bare page of Streamlit.

`uv run python -m tests.benchmarks.in_browsers` prints a table in markdown: of all processes of a
Chromium the time from a click on the name of a page until it rests, and from its address in a new
browser until it rests, by the median of some rounds in which each page has its turn with the bare
one, which has one table and one figure; and what was sent. `--pages` takes the names of some pages.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.driving import chromium, running, settle

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
ROUNDS = 3
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


def rounds(names: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table."""
    with TemporaryDirectory() as folder, chromium() as browser, running(SAMPLE) as (ours, _):
        script = Path(folder, "bare.py")
        script.write_text(BARE)
        with running(script=str(script)) as (bare, _):
            for address in (f"{bare}/", *(f"{ours}/{name}" for name in names)):
                first_visit(browser, address)
            with browser.new_page() as one, browser.new_page() as page:
                one.goto(f"{bare}/two")
                page.goto(f"{ours}/{names[0]}")
                settle(one)
                settle(page)
                for name in [*names, names[0]]:
                    click(browser, page, PAGES[name])
                own: dict[str, list[float]] = {name: [] for name in names}
                plain = []
                for _round in range(ROUNDS):
                    for name in names[::-1]:
                        plain.append(click(browser, one, ("One", "Two")[len(plain) % 2]))
                        own[name].append(click(browser, page, PAGES[name]))
            for name in names:
                pairs = [
                    (first_visit(browser, f"{bare}/"), first_visit(browser, f"{ours}/{name}"))
                    for _round in range(ROUNDS)
                ]
                first = median(mine[0] / its[0] for its, mine in pairs)
                megabytes = max(mine[1] for _, mine in pairs)
                seconds = median(own[name])
                yield (
                    name,
                    f"{seconds:.2f}",
                    f"{seconds / median(plain):.1f}",
                    f"{median(mine[0] for _, mine in pairs):.2f}",
                    f"{first:.1f}",
                    f"{megabytes:.1f}",
                )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", nargs="+", default=[*PAGES], choices=[*PAGES])
    print("| page | click, s | to bare | first page, s | to bare | sent, MB |")
    print("|---|---|---|---|---|---|")
    for row in rounds(parser.parse_args().pages):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
