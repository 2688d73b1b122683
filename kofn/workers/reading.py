"""Read reports and their texts outside the process that shows them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kofn.choose_n.lengths import Tokens, estimate_tokens
from kofn.repair.note import note
from kofn.workers.asking import AskedCall, WorkerRemote
from kofn.workers.calls import Budget
from metrics.data.packed_texts import PackedTexts
from metrics.data.words import Text
from reports.column_mapping import ColumnMapping
from reports.engines import connecting
from reports.file_groups import group_files
from reports.files.addresses import Address
from reports.files.errors import LoadError
from reports.files.globs import matches
from reports.files.once import Once
from reports.files.progress import Progress
from reports.files.remote_storage import opening as places
from reports.files.stored_files import CHUNK, Upload
from reports.loading import load
from reports.repairing import examine, write_zip
from reports.run.digests import Digests, digester, digests
from reports.run.report import Report, Run
from reports.run.texts import QuestionTexts, Store

T = TypeVar("T")

Given = str | os.PathLike[str] | Address | Upload

MEMORY, TIMES = 600 << 20, 10
"""Bytes that reading may take, and times the bytes of what is read that it may take beyond."""
SECONDS, PER_BYTE = 20.0, 2e-6
"""Seconds of processor time that reading may take, and of each byte what it may take beyond."""
JUDGING = 300.0
"""Seconds of processor time that comparing formulas may take, in a process of its own."""
MOST_RUNS = 5_000
"""Runs of one report; a page takes about 10 ms for each when it is loaded."""
MOST = 1 << 30
"""Bytes that count of what is elsewhere, where anybody may say that there are more."""


def look(address: Address, progress: Progress | None = None) -> tuple[str, int]:
    """Return what changes with the content of a place, and its bytes; see `places.look`."""
    return AskedCall(address.shown, _budget(0)).call(_look, address, progress=progress)


def read(source: Given, columns: ColumnMapping, progress: Progress) -> Report:
    """Load a report, as `reports.load` does; its texts are read apart later on.

    columns: What is known of the columns of tables.
    progress: Told how far it has come, also while it is not known; if it raises, reading ends.
    Raises LoadError as `reports.load`, or if reading it takes too much memory or processor time.
    """
    asked = _call_for(source)
    return asked.call(_load, source, columns, asked, progress=progress)


def _call_for(source: Given) -> AskedCall:
    if isinstance(source, Upload):
        return AskedCall(source.name, _budget(_size(source.place)))
    address = source if isinstance(source, Address) else Address.read(source)
    match address.kind:
        case "place":
            size = min(look(address)[1], MOST)
        case "glob":
            size = sum(map(_size, matches(address.text)))
        case "engine":
            return AskedCall(address.shown, Budget(MEMORY + connecting.MEMORY))
        case _:
            size = _size(Path(address.text))
    return AskedCall(address.shown, _budget(size))


def _budget(size: int) -> Budget:
    """Return what reading so many bytes may take."""
    return Budget(MEMORY + TIMES * size, SECONDS + PER_BYTE * size, JUDGING)


def file_groups(uploads: Sequence[Upload]) -> list[list[int]]:
    """Say which of several uploads make one report, as `reports.file_groups` does.

    Those that take too much to look at are reports of their own.
    """
    size = sum(_size(each.place) for each in uploads)
    asked = AskedCall(", ".join(each.name for each in uploads), _budget(size))
    try:
        return asked.call(_belonging, [*uploads], progress=None)
    except LoadError:
        return [[number] for number in range(len(uploads))]


def _belonging(uploads: Sequence[Upload], progress: Progress | None) -> list[list[int]]:
    return group_files(uploads)


def repaired(source: Given, progress: Progress | None = None) -> Upload:
    """Write a report of AISBench that is put right, as a zip that goes with its last reader.

    Raises LoadError if it cannot be read or repaired.
    """
    return _call_for(source).call(_repaired, source, progress=progress)


def _repaired(source: Given, progress: Progress | None) -> Upload:
    repair = examine(source, progress)
    with TemporaryDirectory() as folder:
        whole = Path(folder, "repaired.zip")
        write_zip(repair, whole, partial(note, repair))
        with whole.open("rb") as file:
            chunks = iter(partial(file.read, CHUNK), b"")
            return Upload.of(whole.name, chunks, whole.stat().st_size)


def tokens(run: Run) -> Tokens:
    """Estimate the tokens of a run; see `estimate_tokens`."""
    if isinstance(run.store, WorkerTexts):
        return run.store.asked.call(estimate_tokens, run, progress=None)
    return estimate_tokens(run)


def digest_runs(runs: Iterable[Run], progress: Progress) -> list[Run]:
    """Find out the digests of runs with texts, those of a report in one process.

    progress: Told of how many runs of a report they are found; if it raises, that ends.
    Returns: Those whose texts can no longer be read.
    """
    reports: dict[AskedCall, list[Run]] = {}
    unreadable = []
    for run in runs:
        if isinstance(run.store, WorkerTexts):
            reports.setdefault(run.store.asked, []).append(run)
        else:
            try:
                digests(run, progress)
            except LoadError:
                unreadable.append(run)
    for asked, group in reports.items():
        work = [
            (digester(run), run.store.store) for run in group if isinstance(run.store, WorkerTexts)
        ]
        try:
            each_read = asked.call(_digest_each, work, progress=progress)
        except LoadError:
            each_read = [None] * len(group)
        for run, each in zip(group, each_read, strict=True):
            if each is None:
                unreadable.append(run)
            else:
                _keep(run, each)
    return unreadable


def _keep(run: Run, found: Digests) -> None:
    run.digests.get(lambda: found)


def ended_by(run: Run, progress: Progress) -> Run:
    """Return a run of which every look at texts ends if `progress` raises."""
    if isinstance(run.store, WorkerTexts):
        return replace(run, store=replace(run.store, progress=progress))
    return run


@dataclass(frozen=True, eq=False)
class WorkerTexts(Store):
    """Texts that are read apart; see `Store`. Where they are is remembered here."""

    store: Store
    asked: AskedCall
    progress: Progress | None = None  # Told while the texts of a question are read.
    index: Once[Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", self.store.index)

    @property
    def tells_questions(self) -> bool:
        """Whether there may be prompts or references."""
        return self.store.tells_questions

    def find(self, progress: Progress | None) -> None:
        """Find out where the texts are, unless that is known."""
        self.index.get(partial(self.asked.call, _find, self.store, progress=progress))

    def read(self, row: int) -> QuestionTexts:
        """Read the texts of one question."""
        self.find(self.progress)
        return self.asked.call(_read, self.store, row, progress=self.progress)

    def apply(
        self, function: Callable[[Store, Progress | None], T], progress: Progress | None
    ) -> T:
        """Return what a function makes of these texts."""
        self.find(progress)
        apart: Callable[..., T] = _apply
        return self.asked.call(apart, function, self.store, progress=progress)

    def search(self, wanted: str, progress: Progress | None) -> NDArray[np.intp]:
        """Find the rows that have a text."""
        self.find(progress)
        return self.asked.call(_search, self.store, wanted, progress=progress)

    def scan(self, progress: Progress | None) -> Iterator[tuple[int, Iterable[str]]]:
        """Read through all texts, in this process."""
        return self.store.scan(progress)


def _look(address: Address, progress: Progress) -> tuple[str, int]:
    return places.look(address)


def _load(
    source: Given,
    columns: ColumnMapping,
    asked: AskedCall,
    progress: Progress,
) -> Report:
    report = load(source, columns=columns, progress=progress)
    if len(report.runs) > MOST_RUNS:
        problem = Text(
            "holds {count} runs; pages show up to {limit}",
            count=len(report.runs),
            limit=MOST_RUNS,
        )
        fix = Text("Load a part of it, or read it with the command kofn, which has no such limit.")
        raise LoadError(report.name, problem, fix)
    apart = {run: _with_worker_texts(run, asked) for run in _runs(report)}
    suites = (replace(s, runs=tuple(apart[run] for run in s.runs)) for s in report.suites)
    return replace(report, runs=tuple(apart[run] for run in report.runs), suites=tuple(suites))


def _with_worker_texts(run: Run, asked: AskedCall) -> Run:
    """Return a run that is quick to send, as millions of texts by themselves would not be."""
    store = run.store and WorkerTexts(run.store, asked)
    remote = run.remote and WorkerRemote(run.remote, asked)
    labels = None if run.answer_labels is None else PackedTexts(run.answer_labels)
    return replace(run, store=store, remote=remote, answer_labels=labels)


def _runs(report: Report) -> Iterator[Run]:
    yield from report.runs
    for suite in report.suites:
        yield from suite.runs


def _find(store: Store, progress: Progress) -> Any:
    store.find(progress)
    return store.index.get(lambda: None)


def _read(store: Store, row: int, progress: Progress) -> QuestionTexts:
    return store.read(row)


def _digest_each(
    work: Sequence[tuple[Callable[[Store, Progress | None], Digests], Store]], progress: Progress
) -> list[Digests | None]:
    """Return the digests of several stores, None where one can no longer be read."""
    each_digests: list[Digests | None] = []
    for done, (digest, store) in enumerate(work):
        progress(done, len(work))
        try:
            store.find(None)
            each_digests.append(digest(store, None))
        except LoadError:
            each_digests.append(None)
    return each_digests


def _apply(function: Callable[[Store, Progress | None], T], store: Store, progress: Progress) -> T:
    return function(store, progress)


def _search(store: Store, wanted: str, progress: Progress) -> NDArray[np.intp]:
    return store.search(wanted, progress)


def _size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    if not path.is_dir():
        return path.stat().st_size if path.exists() else 0
    files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    return sum(file.stat().st_size for file in files if file.exists())
