"""Where EvalScope keeps its files: ``<run>/<kind>/<model>/<benchmark>_<subset>.jsonl``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.harnesses.evalscope.config import EvalScopeConfig, read_config
from reports.json_files.members import moment
from reports.run.naming import folder_of
from reports.samples.heads import Head, head, names_of

_STAMP = re.compile(r"\d{8}_\d{6}")
_NEWER, _OLDER = frozenset({"index", "sample_score"}), frozenset({"choices", "model_spec"})
REPORT = frozenset({"dataset_name", "model_name", "metrics"})
"""What states the means of a benchmark has."""


@dataclass(frozen=True)
class Benchmark:
    """The files of one model on one benchmark."""

    model: str  # "" where nothing names it.
    name: str
    # The reviews of each subset, "" where the name of the file tells none.
    reviews: Mapping[str, str]
    config: EvalScopeConfig
    predictions: Mapping[str, str] = field(default_factory=dict)  # Of those subsets that have some.
    report: str | None = None  # The file of the numbers that the tool states.
    time: datetime | None = None

    @property
    def path(self) -> str:
        """The file that messages name."""
        return next(iter(self.reviews.values()), self.report or "")

    @property
    def files(self) -> tuple[str, ...]:
        """All files that say something of it."""
        given = (*self.reviews.values(), *self.predictions.values(), self.report, self.config.path)
        return tuple(filter(None, given))


@dataclass
class _Run:
    """A run: files by their model and name."""

    reviews: dict[tuple[str, str], str] = field(default_factory=dict)
    predictions: dict[tuple[str, str], str] = field(default_factory=dict)
    reports: dict[tuple[str, str], str] = field(default_factory=dict)
    configs: list[str] = field(default_factory=list)


def benchmarks(tree: Tree) -> tuple[Benchmark, ...]:
    """Find the benchmarks of a tree, run by run."""
    runs: defaultdict[tuple[str, ...], _Run] = defaultdict(_Run)
    lone = []
    for path in tree.files:
        match path.split("/"):
            case (*root, "reviews", model, file) if _is_review(head(tree, path)):
                runs[tuple(root)].reviews[model, PurePosixPath(file).stem] = path
            case (*root, "predictions", model, file) if file.endswith(".jsonl"):
                runs[tuple(root)].predictions[model, PurePosixPath(file).stem] = path
            case (*root, "reports", model, file) if file.endswith(".json"):
                if names_of(tree, path) >= REPORT:
                    runs[tuple(root)].reports[model, PurePosixPath(file).stem] = path
            case (*root, "configs", file) if file.endswith((".yaml", ".yml")):
                runs[tuple(root)].configs.append(path)
            case _ if _is_named(names_of(tree, path)) and _is_lone(head(tree, path)):
                lone.append(path)
    found = [each for root, run in sorted(runs.items()) for each in _of_run(tree, root, run)]
    found += [_lone_reviews(tree, path) for path in lone]
    return tuple(found)


def _of_run(tree: Tree, root: tuple[str, ...], run: _Run) -> Iterator[Benchmark]:
    if not run.reviews and not run.reports:
        return
    config = EvalScopeConfig()
    for path in sorted(run.configs, reverse=True):
        try:
            config = read_config(tree, path)
        except LoadError as error:
            config = replace(config, problem=error.within, path=path)
    known = {*config.benchmarks, *(name for _, name in run.reports)}
    grouped: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for model, stem in run.reviews:
        name, subset = _name_parts(tree, run.reviews[model, stem], stem, known)
        grouped[model, name][subset] = stem
    for model, name in dict.fromkeys((*grouped, *run.reports)):
        stems = grouped[model, name]
        yield Benchmark(
            model,
            name,
            {subset: run.reviews[model, stem] for subset, stem in stems.items()},
            config,
            {
                subset: run.predictions[model, stem]
                for subset, stem in stems.items()
                if (model, stem) in run.predictions
            },
            run.reports.get((model, name)),
            _time(root[-1]) if root else _time(PurePosixPath(tree.name).stem),
        )


def _name_parts(tree: Tree, path: str, stem: str, known: Collection[str]) -> tuple[str, str]:
    """Return the benchmark and the subset that the name of a file tells."""
    pieces = stem.split("_")
    for size in range(len(pieces), 0, -1):
        if (name := "_".join(pieces[:size])) in known:
            return name, stem[len(name) + 1 :]
    subset = head(tree, path).first.get("subset_name")
    if isinstance(subset, str) and stem.endswith(f"_{subset}"):
        return stem.removesuffix(f"_{subset}"), subset
    return stem, ""


def _is_review(head: Head) -> bool:
    """Whether a file in the folder of reviews holds some; those of long prompts begin like this."""
    begins = "index" in head.names and head.names & {"input", "messages", "target"}
    return bool(begins) or _is_lone(head)


def _is_named(names: frozenset[str]) -> bool:
    return names >= _NEWER or names >= _OLDER


def _is_lone(head: Head) -> bool:
    """Whether a file holds reviews, wherever it lies."""
    if head.listed or not _is_named(head.names):
        return False
    return isinstance(head.first.get("sample_score"), dict) or _is_reviewed(head.first)


def _is_reviewed(first: Mapping[str, Any]) -> bool:
    choices = first.get("choices")
    if not isinstance(choices, list):
        return False
    return all(isinstance(each, dict) and "review" in each for each in choices) and bool(choices)


def _lone_reviews(tree: Tree, path: str) -> Benchmark:
    """Return reviews that lie by themselves: the folder, if there is one, is the model's."""
    place = PurePosixPath(path)
    model = folder_of(tree, path) or _model(head(tree, path).first)
    name, subset = _name_parts(tree, path, place.stem, ())
    return Benchmark(model or "", name, {subset: path}, EvalScopeConfig())


def _model(first: Mapping[str, Any]) -> str | None:
    """Return the model that a review names in what it said, or beside its choices."""
    messages = first.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else first
    named = last.get("model") if isinstance(last, dict) else None
    return named if isinstance(named, str) else None


def _time(name: str) -> datetime | None:
    return moment(name, "%Y%m%d_%H%M%S") if _STAMP.fullmatch(name) else None
