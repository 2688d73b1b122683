"""How a run was made: model, sampling, prompt, evaluator, dataset …, as far as its files say."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from metrics.data.words import Text, shortened

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
    "The temperature was 0: the samples of a question are copies of one answer, apart from "
    "random effects of the hardware. They are not independent tries."
)
_LARGEST = 1 << 63
_PART = {name: part for part, names in PARTS.items() for name in names}
_BEGINNINGS = tuple(name for name in _PART if name[-1] in "._")
_OF_THE_MACHINE = {
    *("epochs", "limit", "batch_size", "device", "num_process_evaluate", "num_workers"),
    *("max_workers", "max_retries", "max_connections", "num_concurrent"),
}
"""Last words of names that say how much was run, or how fast, and nothing of what."""


class Fingerprint(Mapping[str, Setting]):
    """How a run was made: plain values by name, each belonging to a part of it.

    Parameters
    ----------
    stated : mapping of str to object
        Other than plain values are left out, lists become JSON; names in ``PARTS`` come first.

    Examples
    --------
    >>> made = Fingerprint({"tool": "Inspect", "temperature": 0.7, "revision": "v2", "seed": 1})
    >>> made["temperature"], list(made), made.parts["revision"]
    (0.7, ['revision', 'temperature', 'seed', 'tool'], {'revision': 'v2'})
    """

    __slots__ = ("_stated",)
    _stated: dict[str, Setting]

    def __init__(self, stated: Mapping[str, Any] | None = None) -> None:
        object.__setattr__(self, "_stated", plain_settings(stated or {}))

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
    def is_greedy(self) -> bool:
        """Whether it says that decoding is deterministic."""
        return self.get("temperature") == 0 or self.get("do_sample") is False

    @property
    def parts(self) -> dict[str, dict[str, Setting]]:
        """The settings stated for each part of ``PARTS`` that has any."""
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


def plain_settings(given: Mapping[str, Any]) -> dict[str, Setting]:
    """Return what is a plain value as settings, those of `FIRST` first; lists become JSON.

    Examples
    --------
    >>> plain_settings({"stop": ["a"], "temperature": 0.7, "seed": None, "top_p": float("nan")})
    {'temperature': 0.7, 'stop': '["a"]'}
    """
    found = {_text(str(name)): _plain(value) for name, value in given.items()}
    known = [name for name in FIRST if name in found]
    names = [*known, *(name for name in found if name not in known)]
    return {name: value for name in names[:MOST] if (value := found[name]) is not None}


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
