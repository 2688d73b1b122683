"""What made a run: model, sampling, prompt, evaluator, dataset …, as far as its files state it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metrics.data.words import Text, shortened

if TYPE_CHECKING:
    from reports.run.report import Run

Setting = str | int | float | bool
Settings = Mapping[str, Setting]

PARTS: Mapping[str, tuple[str, ...]] = {
    "model": ("model_id", "role.", "agent", "user", "user_model", "user."),
    "revision": (
        *("revision", "model_version", "model_sha", "subfolder", "checkpoint", "ckpt"),
        *("step", "steps", "global_step"),
    ),
    "quantisation": ("quantisation", "dtype"),
    "adapter": ("adapter", "adapter_sha"),
    "sampling": (
        *("temperature", "top_p", "top_k", "min_p", "max_tokens", "min_tokens", "do_sample"),
        *("num_beams", "repetition_penalty", "presence_penalty", "frequency_penalty"),
        *("length_penalty", "logit_bias", "ignore_eos", "stop", "max_seq_len", "max_length"),
        *("thinking", "reasoning_effort", "reasoning_tokens", "max_steps", "max_errors"),
        *("variant", "strategy", "mode", "config", "config_name", "config_id", "setting"),
        *("settings", "condition", "arm", "budget", "effort"),
        *("message_limit", "token_limit", "time_limit", "working_limit"),
    ),
    "repetition": ("seed", "n"),
    "prompt": (
        *("shots", "prompt_version", "system_message", "system_instruction_sha"),
        *("system_prompt", "template", "template_name", "chat_template_sha", "language", "lang"),
        *("cot", "solver", "method", "task.", "prompt_"),
    ),
    "dataset": (
        *(
            "dataset_version",
            "dataset_revision",
            "dataset_path",
            "dataset_name",
            "dataset_size",
            "task_hash",
        ),
        *("dataset_args", "perturbations", "limit_start", "split", "range", "sample_id"),
        *("dataset_", "data_"),
    ),
    "evaluator": (
        *("evaluator", "evaluator.", "grader", "postprocessor", "model_postprocessor"),
        *("version", "task_version", "benchmark_version"),
    ),
    "judge": ("judge", "judge.", "judge_"),
    "tool": ("tool", "tool_version"),
    "server": ("endpoint", "server", "server_version", "backend", "model_deployment"),
}
"""What a run is made of, and how every reader calls what is stated of it, in the order in which it
is shown; a name that ends in . or _ is the beginning of others."""
NEVER_APART = ("repetition", "tool", "server")
"""Parts that may differ between samples of one run."""
DECISIVE = tuple(part for part in PARTS if part not in NEVER_APART)
"""Parts that change what a model is worth, or what it is asked."""
FIRST = tuple(name for names in PARTS.values() for name in names if name[-1] not in "._")
MOST = 100
"""Settings of a run that are kept."""
LONGEST = 200
"""Letters of a name, and of a text."""
GREEDY = Text(
    "Made without sampling (temperature 0): the samples of a question are copies of one answer, "
    "but for what the machine leaves to chance. They are no independent tries."
)
_LARGEST = 1 << 63
_PART = {name: part for part, names in PARTS.items() for name in names}
_BEGINNINGS = tuple(name for name in _PART if name[-1] in "._")
_OF_THE_MACHINE = {
    *("epochs", "limit", "batch_size", "device", "num_process_evaluate", "num_workers"),
    *("max_workers", "max_retries", "max_connections", "num_concurrent"),
}
"""Last words of names that say how much was run, or how fast, and nothing of what."""
_ON_DISK = re.compile(r"(?:[/~\\]|[A-Za-z]:[\\/]|<path>/|file://).*[/\\](?P<last>[^/\\]+)[/\\]?")


class Fingerprint(Mapping[str, Setting]):
    """What made a run: plain values by name, each of a part of it.

    Parameters
    ----------
    stated : mapping of str to object
        What is no plain value is left out, lists become JSON; the names of ``PARTS`` come first.

    Examples
    --------
    >>> made = Fingerprint({"tool": "Inspect", "temperature": 0.7, "revision": "v2", "seed": 1})
    >>> made["temperature"], list(made), made.parts["revision"]
    (0.7, ['revision', 'temperature', 'seed', 'tool'], {'revision': 'v2'})
    """

    __slots__ = ("_stated",)
    _stated: dict[str, Setting]

    def __init__(self, stated: Mapping[str, Any] | None = None) -> None:
        object.__setattr__(self, "_stated", settled(stated or {}))

    def __getitem__(self, name: str) -> Setting:
        return self._stated[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stated)

    def __len__(self) -> int:
        return len(self._stated)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Fingerprint is immutable; cannot set {name}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return Fingerprint, (self._stated,)

    def __repr__(self) -> str:
        return f"Fingerprint({self._stated!r})"

    @property
    def parts(self) -> dict[str, dict[str, Setting]]:
        """What is stated of each part of ``PARTS`` of which anything is."""
        found: dict[str, dict[str, Setting]] = {}
        for name, value in self._stated.items():
            if (part := part_of(name)) is not None:
                found.setdefault(part, {})[name] = value
        return found


def part_of(name: str) -> str | None:
    """Return which part of a run a setting tells of; None where it is not known.

    Examples
    --------
    >>> [part_of(name) for name in ("judge.temperature", "numpy_seed", "task.epochs", "warmth")]
    ['judge', 'repetition', None, None]
    """
    last = name.rpartition(".")[2]
    if last in _OF_THE_MACHINE:
        return None
    if last.endswith("seed"):
        return "repetition"
    if name in _PART:
        return _PART[name]
    return next((_PART[start] for start in _BEGINNINGS if name.startswith(start)), None)


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
    told = [run.fingerprint.parts for run in runs]
    return tuple(
        part
        for part in DECISIVE
        if part != "model"
        and not all(part in each or (part == "judge" and "evaluator" in each) for each in told)
    )


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


def _place(value: Setting | None) -> Setting | None:
    """Return a path on a disk without its folder."""
    found = _ON_DISK.fullmatch(value) if isinstance(value, str) else None
    return found["last"] if found else value


def _same(a: Setting | None, b: Setting | None) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)
