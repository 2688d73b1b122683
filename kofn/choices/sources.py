"""Where loaded reports came from, as a URL names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args
from urllib.parse import parse_qsl, urlencode

from kofn.choices.settings import excerpt
from metrics.data.words import MetricError, Text
from reports.column_mapping import ColumnMapping, with_column

Kind = Literal["sample", "path", "file"]
DIGITS = 24
"""Of a fingerprint in an address: 96 bits."""
SHOWN = 12
"""Of a fingerprint in a sentence."""


@dataclass(frozen=True)
class ReportSource:
    """A report of the sample, a path of the server, or a file that was uploaded.

    Examples
    --------
    >>> ReportSource("file", "a.csv", digest="1f2e", columns={"correct": "rule"}).spelled()
    'file=a.csv&digest=1f2e&column.correct=rule'
    """

    kind: Kind
    name: str  # Of the file, or the path.
    # The start of `Report.digest`; empty where it is not known or does not matter.
    digest: str = ""
    # That opens an upload which the server keeps; empty if it must be uploaded again.
    key: str = ""
    columns: ColumnMapping = field(default_factory=dict)  # What was told of its columns.

    @property
    def fingerprint(self) -> str:
        """The start of its digest, to compare by eye."""
        return self.digest[:SHOWN]

    def known_as(self, digest: str) -> ReportSource:
        """Return it with the digest of what was found there."""
        return self if self.kind == "sample" else replace(self, digest=digest[:DIGITS])

    def is_alike(self, digest: str) -> bool:
        """Say whether what has a digest may be it."""
        return not self.digest or digest[:DIGITS] == self.digest

    def without_key(self) -> ReportSource:
        """Return it for somebody who has the file, or may not have it."""
        return replace(self, key="")

    def spelled(self) -> str:
        """Spell it as one text, which `read` takes."""
        parts = [(self.kind, self.name), ("digest", self.digest), ("key", self.key)]
        columns = [
            (f"column.{role}", name)
            for role, names in self.columns.items()
            for name in ([names] if isinstance(names, str) else names)
        ]
        return urlencode([(key, value) for key, value in parts if value] + columns)

    @classmethod
    def read(cls, text: str) -> ReportSource:
        """Read what `spelled` wrote, or anybody else."""
        pairs = parse_qsl(text, keep_blank_values=True)
        fields: Mapping[str, str] = dict(pairs)
        for kind in get_args(Kind):
            if fields.get(kind):
                return cls(
                    kind,
                    fields[kind],
                    fields.get("digest", ""),
                    fields.get("key", ""),
                    _mapping(pairs),
                )
        raise MetricError(Text("{text} does not name a report.", text=excerpt([text])))


def _mapping(pairs: list[tuple[str, str]]) -> ColumnMapping:
    mapping: ColumnMapping = {}
    for key, name in pairs:
        if key.startswith("column."):
            mapping = with_column(mapping, key.removeprefix("column."), name)
    return mapping
