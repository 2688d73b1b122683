"""What two runs differ in beside their models: settings, and how questions were put."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.writing.settings import apart
from metrics.data.words import Text
from reports.run.differing import differing_settings
from reports.run.matching import Match
from reports.run.report import Run


def settings_in_words(base: Run, other: Run) -> Text:
    """Say where the settings of two runs differ.

    Examples
    --------
    >>> cool, warm = (Run("7B", "x", None, settings={"temperature": t}) for t in (0.2, 0.8))
    >>> str(settings_in_words(cool, cool))
    'Settings differ: none.'
    >>> str(settings_in_words(cool, warm))
    'They were run with different settings: temperature 0.2 against 0.8.'
    >>> str(settings_in_words(Run("7B", "x", None), Run("4B", "x", None)))
    'Settings: neither says how it was made.'
    """
    if not base.settings and not other.settings:
        return Text("Settings: neither says how it was made.")
    return apart(differing_settings(base, other)) or Text("Settings differ: none.")


UNNAMED = Text(
    "Their tables name no dataset: they are compared since their questions have the same ids."
)


def matched_in_words(match: Match) -> Iterator[Text]:
    """Say what must be known of how questions were matched."""
    if match.refused is not None:
        yield match.refused
        return
    if match.unnamed:
        yield UNNAMED
    if match.reworded:
        yield Text(
            "{count} of {all} questions was asked by another prompt.",
            "{count} of {all} questions were asked by other prompts.",
            count=match.reworded,
            all=match.shared,
        )
