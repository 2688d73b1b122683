"""Samples and evaluators from the tool's Python configuration, which is read as data."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from metrics.data.words import Text
from reports.evaluations.files.config_settings import (
    constant,
    entries_of,
    model_settings,
    question_settings,
    value_at,
    verdict_settings,
)
from reports.files.tree import Tree
from reports.rescoring.rule import Evaluation, Step

MAX_BYTES = 768 << 10
"""Of a configuration; two hundred datasets with their prompts take about 512 KiB."""
MAX_MARKS = 1 << 17
"""Signs between the words of a configuration, of which each may become a node of the syntax tree;
they are a tenth of the bytes of a real one."""
MAX_SAMPLES = 1_000_000
"""Of a question; a larger number is not believed."""

_WITHOUT_SAMPLING = ("eval", "viz")
_MARKS = b"\r\n,.:;=+-*/%@&|^~<>!()[]{}"
_UNUSED = Text("The number of samples is taken from the results instead.")


@dataclass(frozen=True, slots=True)
class DatasetConfig:
    """How a dataset is evaluated."""

    # Its evaluator and what comes before it.
    evaluation: Evaluation = field(default_factory=Evaluation)
    n: int | None = None  # Overrides the model's number of samples, in the evaluation only.
    # What it states of how its questions are asked, and of how answers are judged.
    asking: Mapping[str, Any] = field(default_factory=dict)
    judging: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Model:
    """How a model is asked."""

    requests: int = 1  # Of each question, ``num_return_sequences``.
    postprocessor: Step | None = None  # What its predictions go through first.
    sampling: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConfiguredRun:
    """What a configuration says of one model on one dataset."""

    dataset: DatasetConfig
    model: Model | None  # None where there is no configuration.

    @property
    def requests(self) -> int | None:
        """Requests of each id."""
        return None if self.model is None else self.model.requests

    @property
    def evaluator(self) -> str | None:
        """Class name, such as ``Gsm8kEvaluator``."""
        step = self.dataset.evaluation.evaluator
        return None if step is None else step.name

    @property
    def evaluation(self) -> Evaluation | None:
        """How answers are compared; None where there is no configuration."""
        if self.model is None:
            return None
        return replace(self.dataset.evaluation, model=self.model.postprocessor)

    @property
    def n(self) -> int | None:
        """Samples of each question."""
        return self.dataset.n or self.requests

    @property
    def drawn(self) -> dict[str, Any]:
        """What is stated of how the samples were drawn; a dataset overrides its model."""
        if self.model is None:
            return {}
        return {**self.model.sampling, **self.dataset.asking, "n": self.n}

    def per_id(self, n: int, numbered: bool) -> int:
        """Return the requests of each id: n, unless questions repeat under further ids.

        n: Samples of each question, as the results have it.
        numbered: Whether each request has an id of its own.
        """
        if numbered:
            return 1
        if self.dataset.n and self.requests and n % self.requests == 0:
            return self.requests
        return n


@dataclass(frozen=True, slots=True)
class Config:
    """Models and datasets by their ``abbr``, in the order of the configuration."""

    models: Mapping[str, Model] = field(default_factory=dict)
    datasets: Mapping[str, DatasetConfig] = field(default_factory=dict)
    # The weight of each dataset that the summary takes together under a name.
    suites: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    only_evaluates: bool = False  # Whether no sample was drawn under it.

    def asked(self, model: str, dataset: str) -> ConfiguredRun:
        """Return what was asked of a model on a dataset."""
        return ConfiguredRun(self.datasets.get(dataset, DatasetConfig()), self.models.get(model))


def read_config(tree: Tree, path: str) -> Config:
    """Read a configuration without executing it.

    Assignments of ``dict(...)`` calls, displays and constants are read, anything else passed over.

    Raises LoadError if it is too large, holds too much or is not Python.

    Examples
    --------
    >>> from reports.files.archive import open_tree
    >>> source = b"models=[dict(abbr='alpha', generation_kwargs=dict(num_return_sequences=5))]"
    >>> read_config(open_tree(("a.py", source)), "a.py").models["alpha"].requests
    5
    """
    if tree.files[path] > MAX_BYTES:
        too_large = Text("is larger than the {limit} KiB of a configuration", limit=MAX_BYTES >> 10)
        raise tree.error(too_large, _UNUSED, path)
    source = tree.read(path)
    if len(source) - len(source.translate(None, _MARKS)) > MAX_MARKS:
        too_dense = Text(
            "is not a Python configuration that kofn reads: it holds more than {limit} values",
            limit=MAX_MARKS,
        )
        raise tree.error(too_dense, _UNUSED, path)
    try:
        return _parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        not_python = Text("is not a Python configuration")
        raise tree.error(not_python, _UNUSED, path) from error


@lru_cache(maxsize=16)  # a report is read again with each answer to what it leaves open
def _parsed(source: bytes) -> Config:
    with warnings.catch_warnings(action="ignore"):
        module = ast.parse(source)
    assigned = {
        target.id: statement.value
        for statement in module.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return Config(
        {
            abbr: Model(
                _count(value_at(model, "generation_kwargs", "num_return_sequences")) or 1,
                _step(value_at(model, "pred_postprocessor")),
                model_settings(model),
            )
            for abbr, model in _by_name(assigned.get("models"))
        },
        {
            abbr: DatasetConfig(
                Evaluation(
                    _step(value_at(dataset, "eval_cfg", "evaluator")),
                    _step(value_at(dataset, "eval_cfg", "pred_postprocessor")),
                    _step(value_at(dataset, "eval_cfg", "dataset_postprocessor")),
                ),
                _count(value_at(dataset, "n")),
                question_settings(dataset),
                verdict_settings(dataset),
            )
            for abbr, dataset in _by_name(assigned.get("datasets"))
        },
        {
            name: _weights(group)
            for name, group in _by_name(
                value_at(assigned.get("summarizer"), "summary_groups"), "name"
            )
        },
        constant(value_at(assigned.get("cli_args"), "mode")) in _WITHOUT_SAMPLING,
    )


def _by_name(node: ast.expr | None, key: str = "abbr") -> Iterator[tuple[str, ast.expr]]:
    for item in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
        match value_at(item, key):
            case ast.Constant(value=str(name)):
                yield name, item


def _weights(group: ast.expr) -> dict[str, float]:
    """Return the weight of each dataset of a summary group; none if it is no mean of datasets."""
    entries = entries_of(group)
    names = constant(entries.get("subsets", group)) or []
    given = {name: constant(weight) for name, weight in entries_of(entries.get("weights")).items()}
    weights = {name: given.get(name, 0) if given else 1 for name in names if isinstance(name, str)}
    usable = all(isinstance(weight, int | float) and weight >= 0 for weight in weights.values())
    plain = not {"std", "sum", "harmonic_mean", "metric"} & entries.keys()
    return weights if usable and plain and len(weights) == len(names) else {}


def _count(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int(n)) if 0 < n <= MAX_SAMPLES and not isinstance(n, bool):
            return n
    return None


def _step(node: ast.expr | None) -> Step | None:
    """Return what a ``dict(type=…, …)`` names, with the constants it is given."""
    entries = entries_of(node)
    match entries.pop("type", None):
        case ast.Constant(value=str(path)) if path:
            given = {key: constant(value) for key, value in entries.items()}
            return Step(
                path.rpartition(".")[2],
                {key: value for key, value in given.items() if value is not None},
            )
    return None
