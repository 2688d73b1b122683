"""How the loaded runs were made: which settings they share, and where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kofn.writing.rendering import printable
from kofn.writing.settings import in_words, written
from metrics.data.words import Text
from reports.run.differing import shared_settings
from reports.run.fingerprint import settled
from reports.run.report import Run


@dataclass(frozen=True)
class Made:
    """How runs were made.

    Attributes
    ----------
    shared : Text or None
        What all of them state alike.
    rows : tuple of mapping of str to str
        Of each run what is not shared, by the name of the setting; none if nothing is left.
    silent : Text or None
        How many state nothing.
    """

    shared: Text | None
    rows: tuple[Mapping[str, str], ...]
    silent: Text | None


def how_made(runs: Mapping[str, Run], run: str = "Run") -> Made | None:
    """Set what runs state of how they were made side by side; None where none states anything.

    Parameters
    ----------
    runs : mapping of str to Run
    run : str
        The name of the first column.

    Examples
    --------
    >>> a, b = (Run("7B", "gsm8k", None, settings={"n": 4, "seed": seed}) for seed in (1, 2))
    >>> made = how_made({"a": a, "b": b})
    >>> str(made.shared), made.rows
    ('Both runs state n 4.', ({'Run': 'a', 'seed': '1'}, {'Run': 'b', 'seed': '2'}))
    """
    told = {key: each for key, each in runs.items() if each.settings}
    if not told:
        return None
    shared = shared_settings(told.values())
    every: dict[str, object] = {}
    for each in told.values():
        every |= each.settings
    names = [name for name in settled(every) if name not in shared]
    silent = len(runs) - len(told)
    return Made(
        _shared(str(in_words(shared)), len(told)) if shared else None,
        tuple(
            {run: key}
            | {
                printable(name): str(written(each.settings[name])) if name in each.settings else ""
                for name in names
            }
            for key, each in told.items()
            if names
        ),
        Text(
            "{count} run does not say how it was made.",
            "{count} runs do not say how they were made.",
            count=silent,
        )
        if silent
        else None,
    )


def _shared(settings: str, count: int) -> Text:
    if count == 2:
        return Text("Both runs state {settings}.", settings=settings)
    return Text(
        "The run states {settings}.",
        "All {count} runs state {settings}.",
        count=count,
        settings=settings,
    )
