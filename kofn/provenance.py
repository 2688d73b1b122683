"""Of what, and how, something was made that leaves kofn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kofn import __version__
from kofn.writing.rendering import printable
from reports.run.report import Report


class Provenance(NamedTuple):
    """Of what, and how, something was made.

    Attributes
    ----------
    inputs : mapping of str to str
        The SHA-256 of what was read, by its name.
    settings : mapping
        What was chosen, defaults included.
    command : str
        What makes it again; empty where no command does.

    Examples
    --------
    >>> made = Provenance({"a.csv": "9f86…"}, {"level": 0.95}, "kofn score a.csv")
    >>> sorted(made.document())
    ['command', 'inputs', 'kofn', 'settings']
    """

    inputs: Mapping[str, str]
    settings: Mapping[str, Any]
    command: str = ""

    @classmethod
    def of(
        cls, reports: Sequence[Report], settings: Mapping[str, Any], command: str = ""
    ) -> Provenance:
        """Tell it of loaded reports; resampling has fixed seeds, so that nothing else matters."""
        return cls({printable(report.name): report.digest for report in reports}, settings, command)

    def document(self) -> dict[str, Any]:
        """Return what `json.dumps` takes."""
        said = {
            "kofn": __version__,
            "inputs": [{"name": name, "sha256": digest} for name, digest in self.inputs.items()],
            "settings": dict(self.settings),
        }
        return said | ({"command": self.command} if self.command else {})
