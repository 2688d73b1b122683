"""How a run was made: sampling, evaluation and versions, as far as its files state them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metrics.data.words import Text, shortened

if TYPE_CHECKING:
    from reports.run.report import Run

Setting = str | int | float | bool
Settings = Mapping[str, Setting]

FIRST = (
    *("temperature", "top_p", "top_k", "min_p", "max_tokens", "seed", "n", "shots"),
    *("prompt_version", "dataset_version", "dataset_path", "split", "range"),
    *("evaluator", "postprocessor", "judge", "tool", "tool_version"),
)
"""Settings that every reader calls so, in the order in which they are shown."""
MATTER = (
    *("temperature", "top_p", "top_k", "min_p", "max_tokens", "shots"),
    *("prompt_version", "dataset_version", "split", "range", "evaluator", "postprocessor", "judge"),
)
"""Settings that change what a model is worth, or what it is asked."""
MOST = 100
"""Settings of a run that are kept."""
LONGEST = 200
"""Letters of a name, and of a text."""
GREEDY = Text(
    "Made without sampling (temperature 0): the samples of a question are copies of one answer, "
    "but for what the machine leaves to chance. They are no independent tries."
)
_LARGEST = 1 << 63


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
    """Say where the settings of two runs differ, or only one of them states any.

    Parameters
    ----------
    a, b : Run

    Returns
    -------
    tuple of Differing
        Those that both state first. What neither states is unknown, not the same.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> cool = Run("7B", "gsm8k", None, settings={"temperature": 0.2, "n": 4})
    >>> warm = Run("7B", "gsm8k", None, settings={"temperature": 0.8, "n": 4, "seed": 1})
    >>> [(each.name, each.a, each.b) for each in differing_settings(cool, warm)]
    [('temperature', 0.2, 0.8), ('seed', None, 1)]
    """
    found = [
        Differing(name, a.settings.get(name), b.settings.get(name))
        for name in settled({**a.settings, **b.settings})
        if not _same(a.settings.get(name), b.settings.get(name))
    ]
    return tuple(sorted(found, key=lambda each: not each.is_stated))


def unlike_settings(a: Run, b: Run) -> tuple[Differing, ...]:
    """Say in which settings that matter (`MATTER`) two runs are known to differ.

    Examples
    --------
    >>> from kofn.reports import Run
    >>> a, b = (
    ...     Run("7B", "gsm8k", None, settings={"temperature": t, "seed": t}) for t in (0.2, 0.8)
    ... )
    >>> [each.name for each in unlike_settings(a, b)]
    ['temperature']
    """
    found = differing_settings(a, b)
    return tuple(each for each in found if each.is_stated and each.name in MATTER)


def is_greedy(run: Run) -> bool:
    """Say whether a run has several samples of a question that leave nothing to chance.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> from kofn.reports import Run
    >>> is_greedy(Run("7B", "gsm8k", Outcomes([[1, 1]]), settings={"temperature": 0.0}))
    True
    """
    several = run.known is not None and run.known.shape[1] > 1
    told = run.settings
    return several and (told.get("temperature") == 0 or told.get("do_sample") is False)


def settled(given: Mapping[str, Any]) -> dict[str, Setting]:
    """Return what is a plain value as settings, those of `FIRST` first; lists become JSON.

    Examples
    --------
    >>> settled({"stop": ["a"], "temperature": 0.7, "seed": None, "top_p": float("nan")})
    {'temperature': 0.7, 'stop': '["a"]'}
    """
    found = {_text(str(name)): _plain(value) for name, value in given.items()}
    known = [name for name in FIRST if name in found]
    names = [*known, *(name for name in found if name not in known)]
    return {name: value for name in names[:MOST] if (value := found[name]) is not None}


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
        if all(_same(value, settings.get(name)) for settings in others)
    }


def _plain(value: Any) -> Setting | None:
    match value:
        case float() if not math.isfinite(value):
            return None
        case int() if abs(value) >= _LARGEST:
            return None
        case bool() | int() | float():
            return value
        case str():
            return _text(value)
        case list() | tuple():
            return _text(json.dumps(value, ensure_ascii=False, default=str))
    return None


def _text(value: str) -> str:
    return shortened(value.encode("utf-8", "backslashreplace").decode(), LONGEST)


def _same(a: Setting | None, b: Setting | None) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)
