"""Settings in which runs agree or differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from reports.run.fingerprint import DECISIVE, Setting, part_of, plain_settings
from reports.run.report import Run

_ON_DISK = re.compile(r"(?:[/~\\]|[A-Za-z]:[\\/]|<path>/|file://).*[/\\](?P<last>[^/\\]+)[/\\]?")


@dataclass(frozen=True, slots=True)
class Differing:
    """A setting in which two runs differ.

    Attributes
    ----------
    name : str
    a, b : str, int, float, bool or None
        None where a run does not state it.
    """

    name: str
    a: Setting | None
    b: Setting | None

    @property
    def is_stated(self) -> bool:
        """Whether both state it, so that they are known to differ."""
        return self.a is not None and self.b is not None


def differing_settings(a: Run, b: Run) -> tuple[Differing, ...]:
    """List the settings in which two runs differ, or which only one of them states.

    Parameters
    ----------
    a, b : Run

    Returns
    -------
    tuple of Differing
        Those that both state come first. What neither states is unknown, not equal.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> cool = Run("7B", "gsm8k", None, settings={"temperature": 0.2, "n": 4})
    >>> warm = Run("7B", "gsm8k", None, settings={"temperature": 0.8, "n": 4, "seed": 1})
    >>> [(each.name, each.a, each.b) for each in differing_settings(cool, warm)]
    [('temperature', 0.2, 0.8), ('seed', None, 1)]
    """
    differing = [
        Differing(name, a.settings.get(name), b.settings.get(name))
        for name in plain_settings({**a.settings, **b.settings})
        if not _is_same(a.settings.get(name), b.settings.get(name))
    ]
    return tuple(sorted(differing, key=lambda each: not each.is_stated))


def unlike_settings(a: Run, b: Run) -> tuple[Differing, ...]:
    """Say in which settings of decisive parts (`DECISIVE`) two runs are known to differ.

    The folder of a dataset on a disk tells machines apart, not datasets.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> a, b = (
    ...     Run("7B", "gsm8k", None, settings={"temperature": t, "seed": t}) for t in (0.2, 0.8)
    ... )
    >>> [each.name for each in unlike_settings(a, b)]
    ['temperature']
    """
    return tuple(
        each
        for each in differing_settings(a, b)
        if each.is_stated
        and part_of(each.name) in DECISIVE
        and not (part_of(each.name) == "dataset" and _place(each.a) == _place(each.b))
    )


def unstated_parts(runs: Iterable[Run]) -> tuple[str, ...]:
    """Name the decisive parts of which not all of these runs state anything.

    A run that names its evaluator and no judge has none.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> told = {"revision": "v2", "dtype": "bf16", "adapter": "none", "top_p": 1, "shots": 0}
    >>> run = Run("7B", "gsm8k", None, settings=told | {"evaluator": "match"})
    >>> unstated_parts([run])
    ('dataset',)
    """
    stated_parts = [run.fingerprint.parts for run in runs]
    return tuple(
        part
        for part in DECISIVE
        if part != "model"
        and not all(
            part in each or (part == "judge" and "evaluator" in each) for each in stated_parts
        )
    )


def shared_settings(runs: Iterable[Run]) -> dict[str, Setting]:
    """Return the settings that all runs state alike.

    Examples
    --------
    >>> from reports import Run
    >>> runs = [Run("7B", "gsm8k", None, settings={"n": 4, "seed": seed}) for seed in (1, 2)]
    >>> shared_settings(runs)
    {'n': 4}
    """
    first, *others = [run.settings for run in runs] or [{}]
    return {
        name: value
        for name, value in first.items()
        if all(_is_same(value, settings.get(name)) for settings in others)
    }


def _place(value: Setting | None) -> Setting | None:
    """Return a path on a disk without its folder."""
    found = _ON_DISK.fullmatch(value) if isinstance(value, str) else None
    return found["last"] if found else value


def _is_same(a: Setting | None, b: Setting | None) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)
