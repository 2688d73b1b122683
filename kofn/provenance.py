"""The inputs, settings and command behind everything that kofn writes."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.version import VERSION
from kofn.writing.layout import csv_text
from metrics.data.words import printable
from reports.run.report import Report

if TYPE_CHECKING:
    import pandas as pd

BESIDE = ".json"
"""What the name of a file gets that lies beside a CSV, so that the CSV stays one table."""


class Provenance(NamedTuple):
    """Of what, and how, something was made.

    Examples
    --------
    >>> made = Provenance({"a.csv": "9f86…"}, {"level": 0.95}, "kofn score a.csv")
    >>> sorted(made.document())
    ['command', 'inputs', 'kofn', 'settings']
    """

    inputs: Mapping[str, str]  # The SHA-256 of what was read, by its name.
    settings: Mapping[str, Any]  # What was chosen, defaults included.
    command: str = ""  # What makes it again; empty where no command does.

    @classmethod
    def of(
        cls, reports: Sequence[Report], settings: Mapping[str, Any], command: str = ""
    ) -> Provenance:
        """Tell it of loaded reports; resampling has fixed seeds, so that nothing else matters."""
        return cls({printable(report.name): report.digest for report in reports}, settings, command)

    def document(self) -> dict[str, Any]:
        """Return what `json.dumps` takes."""
        record = {
            "kofn": VERSION,
            "inputs": [{"name": name, "sha256": digest} for name, digest in self.inputs.items()],
            "settings": dict(self.settings),
        }
        return record | ({"command": self.command} if self.command else {})

    def text(self) -> str:
        """Write it as a file."""
        return json.dumps(self.document(), indent=2, allow_nan=False) + "\n"

    def within_parquet(self, table: pd.DataFrame) -> bytes:
        """Return a table as Parquet with this in the metadata of its schema, as ``kofn``."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        made = pa.Table.from_pandas(table, preserve_index=False)
        metadata = {**(made.schema.metadata or {}), b"kofn": self.text().encode()}
        buffer = BytesIO()
        pq.write_table(made.replace_schema_metadata(metadata), buffer)
        return buffer.getvalue()

    def beside_csv(self, table: pd.DataFrame, name: str) -> bytes:
        """Return a zip of a table as CSV, called by a name without its ending, and of this."""
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{name}.csv", csv_text(table))
            archive.writestr(f"{name}.csv{BESIDE}", self.text())
        return buffer.getvalue()

    def within_html(self, page: str) -> str:
        """Return a web page with this in its head, as data that nothing runs."""
        data = self.text().replace("<", r"\u003c")
        script = f'<script type="application/json" id="kofn">{data}</script>'
        return page.replace("<head>", f"<head>{script}", 1)
