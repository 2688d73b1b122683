"""The processor time that a server spends on a visit, and on a change of what each page shows.

`uv run python -m tests.benchmarks.interactions` prints a table in markdown: of a real server, the
time of all its processes from the click until the page has come to its end, the median of three
changes to something not shown before. First visits are those of a real Chromium, with all that it
fetches; the others those of a visitor who speaks to the server as a browser does. `--only` takes
the names of some workloads, such as "200 runs", `--pages` those of some pages. Others on the
machine lengthen the times somewhat.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser.driving import chromium, running, settle
from tests.pages.visitors import visiting


class Click(NamedTuple):
    """A selection in a table or figure."""

    element: str
    selection: dict[str, Any]


SIZES = {
    "26 runs": (13, 2, 100, 16),
    "200 runs": (20, 10, 100, 16),
    "100,000 questions": (2, 1, 100_000, 16),
    "n = 5000": (2, 1, 50, 5000),
}
"""Models, datasets, questions of each, and samples of each question."""
LEVELS = [{"level": level} for level in ("0.9", "0.8", "0.7")]
RUNS = [f"model {i} / set 0" for i in (1, 0, 1)]
POINTS = [Click("plotly_chart", {"points": [{"customdata": place}]}) for place in (1, 0, 1)]
CHANGES: dict[str, dict[str, list[Any]]] = {
    "overview": {
        "level": LEVELS,
        "cell clicked": POINTS,
        "all metrics, k": [{"form": "metrics", "k": k} for k in ("2", "4", "8")],
        "sorting": [{"form": "metrics", "sort": by} for by in ("pass@k", "maj@k", "avg@n")],
        "run opened": [{"detail": run} for run in RUNS],
    },
    "reports": {"again": [{}] * 3},
    "questions": {
        "run": [{"a": run} for run in RUNS],
        "filter": [{"filter": kind} for kind in ("flaky", "never", "always")],
        "sorting": [{"sort": column} for column in ("right", "tokens_out", "agreed")],
        "question opened": [{"open": f"q{i}"} for i in (3, 4, 5)],
    },
    "consistency": {
        "level": LEVELS,
        "axis": [{"x": metric} for metric in ("pass@k", "maj@k", "pass^k")],
        "point clicked": POINTS,
    },
    "soft-vs-hard": {"level": LEVELS},
    "candidates": {"level": LEVELS, "run": [{"detail": run} for run in RUNS]},
    "saturation": {
        "level": LEVELS,
        "metric": [{"metric": metric} for metric in ("maj@k", "pass^k", "g-pass@k")],
        "line clicked": [{"band": run} for run in RUNS],
    },
    "choose-n": {
        "level": LEVELS,
        "price": [{"sample-price": price} for price in ("1", "2", "3")],
    },
    "budgets": {
        "level": LEVELS,
        "k": [{"k": k} for k in ("2", "3", "8")],
        "run opened": [{"detail": run} for run in RUNS],
    },
    "trade-offs": {
        "level": LEVELS,
        "axis": [{"x": metric} for metric in ("pass^k", "maj@k", "samples")],
        "point clicked": [{"detail": run} for run in RUNS],
    },
    "compare": {
        "level": LEVELS,
        "baseline": [{"base": f"model {i}"} for i in (1, 0, 1)],
        "metric": [{"metric": metric} for metric in ("pass@k", "maj@k", "pass^k")],
        "picture": [{"picture": picture} for picture in ("metrics", "k", "metrics")],
    },
    "guidance": {"level": LEVELS, "run opened": [{"detail": run} for run in RUNS]},
}
"""Of each page, what is changed: its settings, or what is clicked, one after the other."""
TICK = os.sysconf("SC_CLK_TCK")


def write_runs(path: Path, models: int, datasets: int, m: int, n: int) -> None:
    """Write outcomes with soft scores, answers, tokens and a signal as a table."""
    rng = np.random.default_rng(0)
    with pq.ParquetWriter(path, rows(rng, "", "", 1, 1).schema) as writer:
        for dataset in range(datasets):
            for model in range(models):
                writer.write_table(rows(rng, f"model {model}", f"set {dataset}", m, n))


def rows(rng: np.random.Generator, model: str, dataset: str, m: int, n: int) -> pa.Table:
    correct = (rng.random((m, n)) < rng.beta(0.8, 0.6, (m, 1))).ravel()
    size = m * n
    questions = pa.DictionaryArray.from_arrays(
        pa.array(np.repeat(np.arange(m, dtype=np.int32), n)), [f"q{i}" for i in range(m)]
    )
    return pa.table(
        {
            "model": pa.DictionaryArray.from_arrays(np.zeros(size, np.int32), [model]),
            "dataset": pa.DictionaryArray.from_arrays(np.zeros(size, np.int32), [dataset]),
            "question_id": questions,
            "sample": np.tile(np.arange(n, dtype=np.int32), m),
            "correct": correct.astype(np.int8),
            "score": np.where(correct, 1.0, rng.integers(0, 8, size) / 10),
            "answer": np.where(correct, 0, rng.integers(1, 6, size)).astype(np.int32),
            "tokens_out": rng.integers(200, 4000, size, dtype=np.int32),
            "grader": correct / 2 + rng.random(size, dtype=np.float32),
        }
    )


def processor_time(process: int) -> float:
    """Return the seconds that a process and those it started have used; 0 of one that ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:  # who started it has its seconds
        return 0.0
    return sum(map(int, stat[11:15])) / TICK + sum(map(processor_time, map(int, children)))


def await_rest(process: int) -> None:
    """Wait until a server has done what it begins by itself."""
    before = -1.0
    while (now := processor_time(process)) > before + 0.05:
        before = now
        time.sleep(1)


@contextmanager
def timed(process: int, into: list[float]) -> Iterator[None]:
    """Add the processor time of what is done to a list."""
    before = processor_time(process)
    yield
    time.sleep(0.05)
    into.append(processor_time(process) - before)


def visit(visitor, page: str, change: dict[str, str] | Click) -> int:
    """Have a page run under some settings or after a click; return how many bytes were sent."""
    message = BackMsg()
    message.rerun_script.page_name = page
    if isinstance(change, Click):
        clicked = next(each for each in visitor.elements if each.HasField(change.element))
        message.rerun_script.widget_states.widgets.add(
            id=getattr(clicked, change.element).id,
            string_value=json.dumps({"selection": change.selection}),
        )
    else:
        message.rerun_script.query_string = urlencode(change)
    visitor.run(message)
    return sum(element.ByteSize() for element in visitor.elements)


def first_visits() -> Iterator[tuple[str, ...]]:
    """Time the first visitor of a server, and the next."""
    with running() as (address, server), chromium() as browser:
        await_rest(server.pid)
        for whose in ("first", "next"):
            spent: list[float] = []
            with browser.new_context() as context, timed(server.pid, spent):
                page = context.new_page()
                page.goto(address)
                settle(page)
                page.wait_for_load_state("networkidle")
            yield "nothing", "reports", f"{whose} visit", f"{spent[0]:.2f}", ""


def changes(name: str, pages: list[str]) -> Iterator[tuple[str, ...]]:
    """Time loading and the overview, then of each page the first look and changes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "runs.parquet")
        write_runs(path, *SIZES[name])
        with running(str(path)) as (address, server):
            await_rest(server.pid)
            spent: list[float] = []
            with timed(server.pid, spent), visiting(address) as visitor:
                visit(visitor, "overview", {})
            yield name, "overview", "loading", f"{spent[0]:.2f}", ""
            with visiting(address) as visitor:
                for page in pages or CHANGES:
                    spent = []
                    with timed(server.pid, spent):
                        sent = visit(visitor, page, {})
                    yield name, page, "first look", f"{spent[0]:.2f}", f"{sent / 1e3:.0f}"
                    for what, done in CHANGES[page].items():
                        spent = []
                        for change in done:
                            before = visitor.shown
                            with timed(server.pid, spent):
                                sent = visit(visitor, page, change)
                            if change and visitor.shown == before:
                                raise RuntimeError(f"{page}: nothing changes with {change}")
                            if any(each.HasField("exception") for each in visitor.elements):
                                raise RuntimeError(f"{page}: {visitor.shown}")
                        yield name, page, what, f"{median(spent):.2f}", f"{sent / 1e3:.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=["nothing", *SIZES])
    parser.add_argument("--pages", nargs="*", default=[])
    asked = parser.parse_args()
    print("| loaded | page | change | seconds | kB shown |\n|---|---|---|---|---|")
    for name in asked.only:
        rows = first_visits() if name == "nothing" else changes(name, asked.pages)
        for row in rows:
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
