"""Rules that changed from release to release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from metrics.data.words import Text
from reports.rescoring import letters
from reports.rescoring.known_rules import Extract


class Version(NamedTuple):
    """A rule as it was for some time.

    Attributes
    ----------
    extract : callable
        From a text to the answer in it.
    name : Text
        What it takes, and since or until when.
    """

    extract: Extract
    name: Text


VERSIONS: Mapping[str, tuple[Version, ...]] = {
    "GPQA_Simple_Eval_postprocess": (
        Version(
            letters.last_stated_letter,
            Text("the last letter after “Answer:”, as AISBench does since 6 August 2026"),
        ),
        Version(
            letters.first_stated_letter,
            Text("the first letter after “Answer:”, as AISBench did before 6 August 2026"),
        ),
    ),
}
"""By the postprocessor that configurations name, the latest version first."""
