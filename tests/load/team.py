"""A team on one server: twenty visitors at once, each with a large report of their own.

`uv run python -m tests.load.team` prints what it finds. Each visitor first comes alone, loads their
report and goes their way through the pages as fast as these come: what they are shown and what
processor time each page takes is noted. Then all come to another server, load their reports at the
same time, and go the same ways, a step every few seconds. Before them one visitor looks at the
sample on every page and leaves: so the server has imported all it needs when its memory is looked
at. All is on this machine, and ends by itself.
"""

import argparse
import hashlib
import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from tests.benchmarks.interactions import CHANGES, TICK, await_rest, processor_time, visit
from tests.browser.driving import running
from tests.load.reports import report
from tests.pages.visitors import visiting

PATIENCE = 2.0
"""Seconds that a page may take beside its own processor time."""
SHOWN = ("heading", "markdown", "alert", "metric", "plotly_chart", "dataframe", "table")
"""Elements that tell something of a report."""
_BUSY = ("the server", "its visitors", "all others on this machine")
_OF_ALL = "MB now"
"""What Reports says of the files of all visitors."""
SAMPLE = Path(__file__).parents[2] / "sample_data" / "outcomes.parquet"


class Team(NamedTuple):
    """How many visitors come with how large reports, how long they stay, how often they click.

    `left` is how long after the last has left memory is looked at.
    """

    visitors: int = 20
    megabytes: float = 100
    seconds: float = 300
    pause: float = 10
    left: float = 120

    @property
    def steps(self) -> int:
        """How many steps each visitor makes."""
        return int(self.seconds / self.pause)


class Step(NamedTuple):
    """A page that is opened, or a change of what it shows."""

    page: str
    change: object


class Seen(NamedTuple):
    """What came of a step: what was shown, and the seconds and processor seconds it took."""

    shown: dict[str, str]
    seconds: float
    spent: float = 0.0


class Memory(NamedTuple):
    """MiB of a server and all it started, what they share counted once, and of the server."""

    total: float
    server: float


@dataclass
class Found:
    """What a team found."""

    alone: dict[int, list[Seen]] = field(default_factory=dict)
    together: dict[int, list[Seen]] = field(default_factory=dict)
    loading: list[float] = field(default_factory=list)
    memory: dict[str, Memory] = field(default_factory=dict)
    busy: dict[str, float] = field(default_factory=dict)

    @property
    def faults(self) -> list[str]:
        """The steps of which something was shown that is not what was shown alone."""
        return [
            f"visitor {number}, step {at}: {sorted(dict(seen.shown.items() ^ own.shown.items()))}"
            for number, own_steps in self.alone.items()
            for at, (own, seen) in enumerate(zip(own_steps, self.together[number], strict=True))
            if own.shown != seen.shown
        ]

    @property
    def beside(self) -> list[float]:
        """Seconds of each page beside its own processor time."""
        return [
            seen.seconds - own.spent
            for number, own_steps in self.alone.items()
            for own, seen in zip(own_steps, self.together[number], strict=True)
        ]

    @property
    def within(self) -> float:
        """The share of pages that came in time."""
        return float(np.mean([seconds <= PATIENCE for seconds in self.beside]))

    @property
    def kept(self) -> float:
        """How much more memory is taken when all have left than before they came, as a share."""
        return self.memory["when all had left"].total / self.memory["at the start"].total - 1

    def rows(self) -> Iterator[tuple[str, str]]:
        """Say what was found, line by line."""
        own = [seen.spent for steps in self.alone.values() for seen in steps]
        seconds = [seen.seconds for steps in self.together.values() for seen in steps]
        yield "pages", f"{len(seconds):,}"
        yield "pages that are not what they are alone", str(len(self.faults))
        for name, values in (
            ("processor time of a page, alone", own),
            ("time until a page has come to its end", seconds),
            ("the same beside its own processor time", self.beside),
            ("time until a report is loaded, all at once", self.loading),
        ):
            p50, p95, most = np.quantile(values, [0.5, 0.95, 1])
            yield f"{name}: median, 95 %, most", f"{p50:.2f}, {p95:.2f}, {most:.2f} s"
        yield f"pages within {PATIENCE:g} s and their own processor time", f"{self.within:.1%}"
        for name, memory in self.memory.items():
            yield f"memory {name}: all, server", f"{memory.total:.0f}, {memory.server:.0f} MiB"
        yield "memory more than at the start when all had left", f"{self.kept:.1%}"
        for name, cores in self.busy.items():
            yield f"cores busy meanwhile, {name}", f"{cores:.2f}"


def way(number: int, steps: int) -> list[Step]:
    """Return the way of one visitor: pages, each with two changes of what it shows."""
    rng = random.Random(number)
    found: list[Step] = []
    while len(found) < steps:
        page = rng.choice(list(CHANGES))
        changes = [change for done in CHANGES[page].values() for change in done]
        found += [Step(page, change) for change in ({}, *rng.sample(changes, min(2, len(changes))))]
    return found[:steps]


def shown(visitor) -> dict[str, str]:
    """Return digests of what tells something, by its place on the page."""
    if any(element.HasField("exception") for element in visitor.places.values()):
        raise RuntimeError(visitor.shown)
    return {
        f"{element.WhichOneof('type')} {place}": _digest(element)
        for place, element in visitor.places.items()
        if element.WhichOneof("type") in SHOWN and _OF_ALL not in element.markdown.body
    }


def _digest(element) -> str:
    """Digest what an element shows, without the names that each process gives anew."""
    alike = type(element).FromString(element.SerializeToString())
    part = getattr(alike, alike.WhichOneof("type"))
    if hasattr(part, "id"):
        part.ClearField("id")
    if alike.HasField("dataframe"):
        alike.dataframe.arrow_data.styler.ClearField("uuid")
    return hashlib.sha256(alike.SerializeToString(deterministic=True)).hexdigest()


def load(visitor, path: Path) -> float:
    """Upload a report and wait until the page has come to rest; return the seconds."""
    start = time.monotonic()
    visitor.upload(path.name, path.read_bytes())
    visitor.settle()
    kinds = {element.WhichOneof("type") for element in visitor.places.values()}
    if not kinds & {"dataframe", "plotly_chart"}:
        raise RuntimeError(f"{path} was not loaded: {visitor.shown}")
    return time.monotonic() - start


def go_alone(team: Team, paths: list[Path], found: Found) -> None:
    """Have each visitor come when the one before has left."""
    with running(flags=["--server.disconnectedSessionTTL=1"]) as (address, server):
        for number, path in enumerate(paths):
            with visiting(address) as visitor:
                load(visitor, path)
                await_rest(server.pid)
                found.alone[number] = [
                    _step(visitor, step, server.pid) for step in way(number, team.steps)
                ]


def go_together(team: Team, paths: list[Path], found: Found) -> None:
    """Have all come at once, go their ways, each at times of its own, and leave."""
    with running() as (address, server):
        await_rest(server.pid)
        found.memory["before anybody came"] = memory(server.pid)
        with visiting(address) as first:
            load(first, SAMPLE)
            for page in CHANGES:
                visit(first, page, {})
        time.sleep(team.left)
        found.memory["at the start"] = memory(server.pid)
        with watched(server.pid, found), ExitStack() as stack:
            visitors = [stack.enter_context(visiting(address)) for _ in paths]
            begin = threading.Barrier(team.visitors)

            def go(number: int) -> None:
                try:
                    found.loading.append(load(visitors[number], paths[number]))
                except BaseException:
                    begin.abort()  # or else the others would wait for ever
                    raise
                try:
                    begin.wait()
                except threading.BrokenBarrierError:
                    return  # who broke it says why
                start = time.monotonic() + team.pause * number / team.visitors
                found.together[number] = []
                for at, step in enumerate(way(number, team.steps)):
                    time.sleep(max(0.0, start + at * team.pause - time.monotonic()))
                    found.together[number].append(_step(visitors[number], step))

            with ThreadPoolExecutor(team.visitors) as pool:
                list(pool.map(go, range(team.visitors)))
        time.sleep(team.left)
        found.memory["when all had left"] = memory(server.pid)
        status = Path(f"/proc/{server.pid}/status").read_text()
        most = int(status.split("VmHWM:")[1].split()[0]) / 1024
        found.memory["at most"] = found.memory["at most"]._replace(server=most)


def _step(visitor, step: Step, server: int | None = None) -> Seen:
    before, start = processor_time(server) if server else 0.0, time.monotonic()
    visit(visitor, *step)
    seconds = time.monotonic() - start
    spent = processor_time(server) - before if server else 0.0
    return Seen(shown(visitor), seconds, spent)


@contextmanager
def watched(server: int, found: Found) -> Iterator[None]:
    """Note the most memory, and what the machine's cores were busy with meanwhile."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(1):
            now = memory(server)
            found.memory["at most"] = max(found.memory.get("at most", now), now)

    looking = threading.Thread(target=look)
    looking.start()
    begin, before = time.monotonic(), _busy(server)
    try:
        yield
    finally:
        done.set()
        looking.join()
        spent = (now - then for now, then in zip(_busy(server), before, strict=True))
        seconds = time.monotonic() - begin
        found.busy.update(
            zip(("server", "visitors", "others"), (s / seconds for s in spent), strict=True)
        )


def _busy(server: int) -> tuple[float, float, float]:
    """Return processor seconds of the server, of its visitors, and of all others on the machine."""
    user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().split()[1:9])
    ours = processor_time(server), sum(os.times()[:2])
    return *ours, (user + nice + system + irq + soft) / TICK - sum(ours)


def memory(process: int) -> Memory:
    """Return what a process and those it started take."""
    resident = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return Memory(_share(process) / 1024, resident * os.sysconf("SC_PAGE_SIZE") / 2**20)


def _share(process: int) -> int:
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(rollup.split("Pss:")[1].split()[0]) + sum(map(_share, map(int, children)))


def measure(team: Team) -> Found:
    """Have a team come, each alone and then all together."""
    found, paths = Found(), []
    with TemporaryDirectory() as folder, patch.dict(os.environ, KOFN_KEEP="0", KOFN_CACHE=folder):
        for number in range(team.visitors):
            name, data = report(number, team.megabytes)
            paths.append(Path(folder, f"report {number}", name))
            paths[-1].parent.mkdir()
            paths[-1].write_bytes(data)
        go_alone(team, paths, found)
        go_together(team, paths, found)
    return found


def main() -> None:
    """Print what a team finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in Team()._asdict().items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    print(f"load average {os.getloadavg()[1]:.1f}", flush=True)
    found = measure(Team(**vars(parser.parse_args())))
    for row in found.rows():
        print(f"| {' | '.join(row)} |", flush=True)
    for fault in found.faults:
        print(fault)


if __name__ == "__main__":
    main()
