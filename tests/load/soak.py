"""A soak: visitors come, look at every page and leave, for as long as it is told.

`uv run python -m tests.load.soak` prints what it finds. A few visitors at a time each load a
report, of one of three kinds, open every page, change what it shows, and leave; then the next
comes. What a page shows must be what it showed the first who went that way with that report, alone.
Memory, processes, descriptors and files are looked at meanwhile, and once all have left.
"""

import argparse
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from tests.benchmarks.interactions import CHANGES, visit
from tests.browser.driving import running
from tests.load.reports import report
from tests.load.team import Step, load, memory, shown
from tests.pages.visitors import visiting

WAYS = 4
"""Ways through all pages, each with a report of its own."""
EVERY = 5.0
"""Seconds between two looks."""
LEFT = 30.0
"""Seconds after the last has left when the last look is taken."""


class Look(NamedTuple):
    """What a server takes: MiB, processes, descriptors, and the files that it keeps."""

    at: float
    total: float
    server: float
    processes: int
    descriptors: int
    files: int


@dataclass
class Found:
    """What a soak found."""

    alone: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    visits: int = 0
    pages: int = 0
    load: list[float] = field(default_factory=list)

    @property
    def empty(self) -> tuple[Look, Look]:
        """The looks when nobody was there: once the pages had been shown, and at the end."""
        return self.looks[0], self.looks[-1]

    def rows(self) -> Iterator[tuple[str, str]]:
        """Say what was found, line by line."""
        yield "visits", f"{self.visits:,}"
        yield "pages", f"{self.pages:,}"
        yield "pages that are not what they are alone", str(len(self.faults))
        looks = np.array(self.looks[1:-1])
        quarters = np.array_split(looks, 4)
        names = Look._fields
        for place, name in enumerate(names[1:], 1):
            medians = ", ".join(f"{np.median(each[:, place]):,.0f}" for each in quarters)
            most = f"{looks[:, place].max():,.0f}"
            before, after = (f"{look[place]:,.0f}" for look in self.empty)
            yield (
                f"{name}: median of each quarter; most; with nobody there before, after",
                f"{medians}; {most}; {before}, {after}",
            )
        loads = f"{min(self.load):.1f} to {max(self.load):.1f}"
        yield "load average of the machine", loads


def way(number: int) -> list[Step]:
    """Return a way through all pages, with two changes of each."""
    rng, found = random.Random(number), []
    for page in rng.sample(list(CHANGES), len(CHANGES)):
        changes = [change for done in CHANGES[page].values() for change in done]
        found += [Step(page, change) for change in ({}, *rng.sample(changes, min(2, len(changes))))]
    return found


def look(server: int, cache: Path, begun: float) -> Look:
    """Return what a server takes now."""
    total, own = memory(server)
    processes = [server, *_below(server)]
    kept = sum(path.is_file() and path.suffix != ".lock" for path in cache.rglob("*"))
    handles = len(os.listdir(f"/proc/{server}/fd"))
    return Look(time.monotonic() - begun, total, own, len(processes), handles, kept)


def _below(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [each for child in map(int, text.split()) for each in (child, *_below(child))]


def soak(seconds: float, visitors: int, megabytes: float) -> Found:
    """Have visitors come and go for some time."""
    found = Found()
    with TemporaryDirectory() as folder, patch.dict(os.environ, KOFN_KEEP="0", KOFN_CACHE=folder):
        paths = []
        for number in range(WAYS):
            name, data = report(number, megabytes)
            paths.append(Path(folder, f"report {number}", name))
            paths[-1].parent.mkdir()
            paths[-1].write_bytes(data)
        cache = Path(folder, "kept")
        os.environ["KOFN_CACHE"] = str(cache)
        with running(flags=["--server.disconnectedSessionTTL=1"]) as (address, server):
            for number, path in enumerate(paths):
                with visiting(address) as visitor:
                    load(visitor, path)
                    found.alone[number] = [_shown(visitor, step) for step in way(number)]
            time.sleep(LEFT)
            begun = time.monotonic()
            found.looks.append(look(server.pid, cache, begun))
            done = Event()

            def watch() -> None:
                while not done.wait(EVERY):
                    found.looks.append(look(server.pid, cache, begun))
                    found.load.append(os.getloadavg()[0])

            def come(number: int) -> None:
                rng, end = random.Random(number), time.monotonic() + seconds
                while time.monotonic() < end:
                    _visit(address, rng.randrange(WAYS), paths, end, found)

            watching = Thread(target=watch)
            watching.start()
            try:
                with ThreadPoolExecutor(visitors) as pool:
                    list(pool.map(come, range(visitors)))
            finally:
                done.set()
                watching.join()
            time.sleep(LEFT)
            found.looks.append(look(server.pid, cache, begun))
    return found


def _visit(address: str, number: int, paths: list[Path], end: float, found: Found) -> None:
    """Come with one of the reports, go its way, and leave."""
    with visiting(address) as visitor:
        load(visitor, paths[number])
        found.visits += 1
        for step, own in zip(way(number), found.alone[number], strict=True):
            if time.monotonic() > end:
                return
            seen = _shown(visitor, step)
            found.pages += 1
            if seen != own:
                unlike = sorted(dict(seen.items() ^ own.items()))
                found.faults.append(f"way {number}, {step}: {unlike}")


def _shown(visitor, step: Step) -> dict[str, str]:
    visit(visitor, *step)
    return shown(visitor)


def main() -> None:
    """Print what a soak finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--visitors", type=int, default=4)
    parser.add_argument("--megabytes", type=float, default=3)
    found = soak(**vars(parser.parse_args()))
    for row in found.rows():
        print(f"| {' | '.join(row)} |", flush=True)
    for fault in found.faults:
        print(fault)


if __name__ == "__main__":
    main()
