"""The processor time that following takes: of a server, of 200 runs in a folder, one file changing.

`uv run python -m tests.benchmarks.following` prints a table in markdown: what a look costs where
nothing has changed, and what it costs to read again and show the overview when one file has, by the
server and all it starts, for one visitor and for five of the same folder.
"""

import os
import tempfile
import time
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow.parquet as pq

from tests.benchmarks.interactions import await_rest, rows, timed, visit
from tests.browser.driving import running
from tests.pages.visitors import visiting

MODELS, DATASETS = 20, 10
FOLLOWED = {"follow": "10"}
LOOKS = 5


def main() -> None:
    """Print the table."""
    print("| visitors | what | seconds |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        rng = np.random.default_rng(0)
        for number, (model, dataset) in enumerate(product(range(MODELS), range(DATASETS))):
            table = rows(rng, f"model {model}", f"set {dataset}", 100, 16)
            pq.write_table(table, Path(folder, f"run-{number}.parquet"))
        for several in (1, 5):
            with running(folder) as (address, server), ExitStack() as stack:
                visitors = [stack.enter_context(visiting(address)) for _ in range(several)]
                for visitor in visitors:
                    visit(visitor, "overview", FOLLOWED)
                await_rest(server.pid)
                spent: list[float] = []
                for _ in range(LOOKS):
                    time.sleep(10.5)
                    with timed(server.pid, spent):
                        for visitor in visitors:
                            visitor.look()
                print(f"| {several} | a look | {median(spent):.2f} |", flush=True)
                spent = []
                os.utime(Path(folder, "run-7.parquet"))
                with timed(server.pid, spent):
                    for visitor in visitors:
                        shown = visitor.elements
                        while visitor.elements is shown:
                            time.sleep(1)
                            visitor.look()
                print(f"| {several} | a change | {spent[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
