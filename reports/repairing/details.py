"""Details in which each entry belongs to one question again.

Sample r of question q stands at position ``j = r D + q``: in entry ``j // n`` at place ``j % n``.
So the samples r of all questions are a stretch of D / n entries, and the n stretches are read side
by side: of a file of any length there are n + 1 entries in memory.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from metrics import Tally, estimate
from metrics.data.names import MetricName
from metrics.data.words import Text
from reports.evaluations.details.table import NAME
from reports.evaluations.files.tool import AGAIN
from reports.files.errors import LoadError
from reports.json_files.entries import Entries

Entry = Mapping[str, Any]

VERDICTS = ("correct", "is_correct", "cascade_correct")
"""Keys that the tool counts the right ones of, the first that is there."""
_METRIC = re.compile(r"(avg|pass|cons)@(\d{1,6})")
_NAMES: dict[str, MetricName] = {"avg": "avg@n", "pass": "pass@k", "cons": "maj@k"}


class _Stored:
    """Entries in a file of their own, to be read in any order."""

    def __init__(self, file: BinaryIO, entries: Entries) -> None:
        self._file, self._places = file, array("Q")
        self.first: Entry = {}
        self.whole: set[str] = set()
        for block in entries:
            for entry in json.loads(block.data):
                self._keep(entry)

    def _keep(self, entry: Entry) -> None:
        if not self._places:
            self.first = entry
            counted = next((entry[key] for key in VERDICTS if key in entry), ())
            self.n = len(counted)
            self.whole = set(entry)
        self.whole = {
            key
            for key in self.whole
            if isinstance(entry.get(key), list) and len(entry[key]) == self.n
        }
        self._places.append(self._file.tell())
        self._file.write(json.dumps(entry).encode() + b"\n")

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> Entry:
        self._file.seek(self._places[number])
        entry: Entry = json.loads(self._file.readline())
        return entry

    def samples(self, replica: int) -> Iterator[tuple[Entry, int]]:
        """Give each question's sample of a replica: an entry, and the place in its lists."""
        last, entry = -1, self.first
        for position in range(replica * len(self), (replica + 1) * len(self)):
            number, place = divmod(position, self.n)
            if number != last:
                last, entry = number, self[number]
            yield entry, place


def put_back(
    entries: Entries, file: str, place: str, lose: Callable[[str], None]
) -> Iterator[Entry]:
    """Give each question an entry of its own samples, in the order of the questions.

    entries: Those of a list, mixed.
    lose: Told each field that is not there for every sample: nothing says whose its values are.
    Raises LoadError if they are not all entries of as many samples.
    """
    with TemporaryFile() as temporary:
        stored = _Stored(temporary, entries)
        verdict = next((key for key in VERDICTS if key in stored.whole), None)
        if verdict is None:
            raise LoadError(
                file,
                Text("the entries of its details do not have a verdict on each sample"),
                AGAIN,
                place,
            )
        rates = {key: _rates(key, stored.n) for key in stored.first if _METRIC.fullmatch(key)}
        for key in stored.first:
            if key not in stored.whole | rates.keys() | {NAME}:
                lose(key)
        replicas = map(stored.samples, range(stored.n))
        for number, samples in enumerate(zip(*replicas, strict=True)):
            right = sum(bool(entry[verdict][place]) for entry, place in samples)
            yield {
                key: rates[key][right]
                if key in rates
                else [entry[key][place] for entry, place in samples]
                if key in stored.whole
                else value
                for key, value in stored[number].items()
                if key in stored.whole | rates.keys() | {NAME}
            }


def _rates(key: str, n: int) -> list[float]:
    """Return what a metric is of a question, by how many of its n samples are right."""
    name, k = key.split("@")
    by_count = (Tally.of_questions([n], [right]) for right in range(n + 1))
    asked = None if name == "avg" else int(k)
    return [estimate(tally, _NAMES[name], asked).value for tally in by_count]
