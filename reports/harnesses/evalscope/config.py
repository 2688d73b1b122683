"""How a run was made: the plain values of the configuration that EvalScope writes as YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.run.model_arguments import argument_settings

MOST = 1 << 20
"""Bytes of a configuration."""

_WORDING = ("prompt_template", "few_shot_prompt_template", "system_prompt", "query_template")
_NOT_SAMPLING = ("batch_size", "timeout", "retries", "retry_interval", "stream")
_BROKEN = (yaml.YAMLError, ValueError, RecursionError, TypeError)


@dataclass(frozen=True)
class EvalScopeConfig:
    """What a run was told."""

    content: Mapping[str, Any] = field(default_factory=dict)
    path: str | None = None
    problem: Text | None = None

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """Their names."""
        named = self.content.get("datasets")
        return tuple(filter(_is_text, named)) if isinstance(named, list) else ()

    @property
    def repeats(self) -> int | None:
        """How many generations each question has."""
        found = self.content.get("repeats")
        return found if isinstance(found, int) and found > 0 else None

    def settings(self, benchmark: str) -> dict[str, Any]:
        """Return what holds of a benchmark's run, as `Run.settings` has it."""
        asked = _plain(self._section("dataset_args", benchmark)) | _plain(
            self._section("resolved_benchmarks", benchmark)
        )
        drawn = _plain(self._section("generation_config"))
        wording = [asked[name] for name in _WORDING if isinstance(asked.get(name), str)]
        judge = self._section("judge").get("models") or self._section("judge_model_args").get(
            "model_id"
        )
        return {
            **argument_settings(self._section("model_args"), _plain(self.content)),
            **{name: value for name, value in drawn.items() if name not in _NOT_SAMPLING},
            "n": self.repeats,
            "shots": asked.get("few_shot_num"),
            "prompt_version": digest("\n".join(wording))[:12] if wording else None,
            "dataset_path": asked.get("dataset_id") or asked.get("local_path"),
            "dataset_version": asked.get("dataset_revision"),
            "benchmark_version": self._section("evaluation_identity", "benchmarks", benchmark).get(
                "evaluation_version"
            ),
            "split": asked.get("eval_split"),
            "range": _plain(self.content).get("limit"),
            "judge": judge if _is_text(judge) else None,
            "tool": "EvalScope",
            "tool_version": _plain(self.content).get("evalscope_version"),
        }

    def _section(self, *keys: str) -> Mapping[str, Any]:
        found: Any = self.content
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}


def read_config(tree: Tree, path: str) -> EvalScopeConfig:
    """Read the configuration of a run."""
    if tree.files[path] > MOST:
        problem = Text("is longer than {limit} KiB", limit=MOST >> 10)
        raise tree.error(problem, _HOW, path)
    try:
        content = yaml.load(tree.read(path), _Loader)
    except _BROKEN as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        problem = Text("is not YAML ({reason:.80})", reason=reason)
        raise tree.error(problem, _HOW, path) from error
    return EvalScopeConfig(content if isinstance(content, dict) else {}, path)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Merges no mappings into others: a few lines that do may unfold without end."""

    def flatten_mapping(self, node: Any) -> None:
        """Leave a mapping as it is."""


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that are plain values."""
    return {
        str(name): value
        for name, value in settings.items()
        if isinstance(value, str | bool | int | float)
    }


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


_HOW = Text("Without it kofn does not know how the run was made.")
