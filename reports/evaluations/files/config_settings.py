"""Sampling and judging settings that a configuration states.

A Python configuration is data here: ``dict(...)`` calls, displays and constants, never executed.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reports.run.model_arguments import WEIGHTS_ARE_PLAIN, argument_settings

_LARGEST = 1 << 63
"""What a number is below, so that it is one that a tool was told."""


def value_at(node: ast.expr | None, *keys: str) -> ast.expr | None:
    """Follow keys through ``dict(...)`` calls and dict displays."""
    for key in keys:
        node = entries_of(node).get(key)
    return node


def entries_of(node: ast.expr | None) -> dict[str, ast.expr]:
    """Return what a ``dict(...)`` call or a dict display holds; nothing of anything else."""
    match node:
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            return {keyword.arg: keyword.value for keyword in keywords if keyword.arg}
        case ast.Dict(keys=keys, values=values):
            return {
                str(key.value): value
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
            }
    return {}


def constant(node: ast.expr | None) -> Any:
    """Return a constant, or a list of those within; None for anything else.

    Examples
    --------
    >>> constant(ast.parse("-0.5", mode="eval").body), constant(ast.parse("f()", mode="eval").body)
    (-0.5, None)
    """
    match node:
        case ast.Constant(value=bool() | str() as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return value if math.isfinite(value) and abs(value) < _LARGEST else None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand):
            value = constant(operand)
            return None if value is None or isinstance(value, bool) else -value
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return [constant(item) for item in elts if isinstance(item, ast.Constant)]
    return None


_SAMPLING = {
    *("temperature", "top_p", "top_k", "min_p", "seed", "do_sample", "max_seq_len"),
    *("repetition_penalty", "presence_penalty", "frequency_penalty"),
}
"""What a model may be told beside what it passes on with each request."""
_PASSED_ON = ("generation_kwargs", "gen_config", "openai_extra_kwargs", "extra_body")
_CALLED = {"max_new_tokens": "max_tokens", "max_completion_tokens": "max_tokens"}
_LOADS_WEIGHTS = ("HuggingFace", "VLLMOffline", "VLLMwith", "TurboMindModel")
_ELSEWHERE = {"num_return_sequences"}
_SECRET = re.compile(r"key|secret|password|authorization|header|cookie|_token$|^token$", re.I)
_VERSIONS = ("release_version", "version")
_JUDGES = (
    ("judge_infer_cfg", "judge_model"),
    ("eval_cfg", "evaluator", "judge_cfg"),
    ("eval_cfg", "evaluator", "judge_model"),
)


def model_settings(model: ast.expr) -> dict[str, Any]:
    """Return what a model is told of sampling.

    Examples
    --------
    >>> source = "dict(abbr='a', max_out_len=512, generation_kwargs=dict(temperature=0.7))"
    >>> model_settings(ast.parse(source, mode="eval").body)
    {'temperature': 0.7, 'max_tokens': 512}
    """
    own = entries_of(model)
    stated = {name: constant(node) for name, node in own.items() if name in _SAMPLING}
    for group in _PASSED_ON:
        stated |= dict(_constants(own.get(group)))
    longest = constant(own.get("max_out_len"))
    asked = constant(own.get("model")) or constant(own.get("path")) or constant(own.get("abbr"))
    return _without_secrets(
        _weights(own)
        | stated
        | ({} if longest is None else {"max_tokens": longest})
        | ({} if asked == constant(own.get("abbr")) else {"model_id": asked})
    )


def question_settings(dataset: ast.expr) -> dict[str, Any]:
    """Return what a dataset states of how its questions are asked."""
    own = entries_of(dataset)
    examples = constant(value_at(dataset, "infer_cfg", "retriever", "fix_id_list"))
    version = next((constant(own[name]) for name in _VERSIONS if name in own), None)
    return _without_secrets(
        {
            "max_tokens": constant(value_at(dataset, "infer_cfg", "inferencer", "max_out_len")),
            "stop": constant(value_at(dataset, "infer_cfg", "inferencer", "stopping_criteria")),
            "shots": len(examples) if isinstance(examples, list) else None,
            "dataset_version": version,
            "dataset_path": constant(own.get("path")),
            "split": constant(own.get("split"))
            or constant(value_at(dataset, "reader_cfg", "test_split")),
            "range": constant(value_at(dataset, "reader_cfg", "test_range")),
        }
    )


def verdict_settings(dataset: ast.expr) -> dict[str, Any]:
    """Return what a dataset states of how its answers are judged."""
    judging = value_at(dataset, "eval_cfg")
    evaluator = entries_of(value_at(judging, "evaluator"))
    stated = {
        "evaluator": _class(evaluator.pop("type", None)),
        "postprocessor": _class(value_at(judging, "pred_postprocessor", "type")),
    }
    judge = next(filter(None, (entries_of(value_at(dataset, *keys)) for keys in _JUDGES)), {})
    stated["judge"] = next(
        filter(None, (constant(judge.get(name)) for name in ("model", "path", "abbr"))), None
    )
    judge_settings = entries_of(judge.get("generation_kwargs")) | judge
    stated["judge.temperature"] = constant(judge_settings.get("temperature"))
    stated |= {f"evaluator.{name}": constant(node) for name, node in evaluator.items()}
    return _without_secrets(stated)


def _weights(own: Mapping[str, ast.expr]) -> dict[str, Any]:
    """Return which weights a model has, and where it is asked."""
    passed = {name: constant(node) for name, node in own.items()}
    passed |= dict(_constants(own.get("model_kwargs")))
    loads = (_class(own.get("type")) or "").startswith(_LOADS_WEIGHTS)
    host, port = passed.get("host_ip"), passed.get("host_port")
    asked = {"url": f"http://{host}:{port}"} if host and port else {}
    return (WEIGHTS_ARE_PLAIN if loads else {}) | argument_settings(passed, asked)


def _constants(node: ast.expr | None, within: str = "") -> Iterator[tuple[str, Any]]:
    for name, each in entries_of(node).items():
        whole = within + name
        if name in _ELSEWHERE:
            continue
        if entries_of(each):
            yield from _constants(each, f"{whole}.")
        else:
            yield _CALLED.get(whole, whole), constant(each)


def _class(node: ast.expr | None) -> str | None:
    """Return the last part of a dotted name."""
    named = constant(node)
    return named.rpartition(".")[2] if isinstance(named, str) and named else None


def _without_secrets(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in settings.items()
        if value not in (None, "") and not _SECRET.search(name)
    }
