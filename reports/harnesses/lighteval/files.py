"""The files of LightEval: details of each task, and results of all tasks of a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.members import mapping, moment
from reports.json_files.strict import object_in
from reports.run.model_arguments import argument_settings, sampling
from reports.run.naming import Named, model_of, root_of
from reports.samples.heads import head, paths_with
from reports.tables.source import Source

NEW = frozenset({"doc", "metric", "model_response"})
"""Columns of details since 0.9."""
OLD = frozenset({"full_prompt", "predictions", "metrics", "gold"})
"""Those of versions before."""

RESULTS = frozenset({"config_general", "results"})
"""What states the means of tasks has."""
_NO_VERSION = "?"
"""What the tool writes where it is not run from its repository."""
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?")
_NAME = re.compile(r"details_(.+?)_?(?:\d{4}-\d\d-\d\dT.*)?\.parquet")
_TASK = {
    "num_fewshots": "shots",
    "hf_repo": "dataset_path",
    "hf_subset": "dataset_name",
    "hf_revision": "dataset_revision",
    "evaluation_splits": "split",
    "version": "version",
}


Stating = Callable[[str], Mapping[str, Any]]
"""Finds the content of the results of the run that a file of details is of."""


class Results(NamedTuple):
    """What the results say of a task."""

    named: Named
    means: Mapping[str, float]  # By metric.
    settings: Mapping[str, Any]
    questions: int | None  # How many the tool asked, where it says so.


def details_of(tree: Tree) -> Iterator[str]:
    """Find the details: tables with the columns of the tool."""
    for columns in (NEW, OLD):
        for path in paths_with(tree, columns):
            if head(tree, path).start.startswith(b"PAR1") and _is_filled(tree, path):
                yield path


def _is_filled(tree: Tree, path: str) -> bool:
    """Whether the metrics of the first question are named, in a structure or as text."""
    try:
        with Source(tree, path).seekable() as file:
            table = pq.ParquetFile(file)
            name = "metric" if "metric" in table.schema_arrow.names else "metrics"
            rows = next(table.iter_batches(1, columns=[name])).column(name).to_pylist()
    except (StopIteration, LoadError, pa.ArrowException, OSError, UnicodeError, MemoryError):
        return True
    return all(isinstance(row, dict) or str(row).startswith("{") for row in rows)


def results_of(tree: Tree) -> Iterator[str]:
    """Find the files that state means."""
    return paths_with(tree, RESULTS, config_general=dict)


def date_of(path: str) -> datetime | None:
    """Return when a run was made, of the name of its file."""
    found = _DATE.search(PurePosixPath(path).name)
    return moment(found[0][:19], "%Y-%m-%dT%H-%M-%S") if found else None


def dataset_of(task: str) -> str:
    """Return a task without its suite and its number of examples.

    Examples
    --------
    >>> [dataset_of(task) for task in ("gsm8k|5", "leaderboard|mmlu:anatomy|5|0", "mine")]
    ['gsm8k', 'mmlu:anatomy', 'mine']
    """
    parts = task.split("|")
    return parts[1] if len(parts) > 2 else parts[0]


def task_of(path: str) -> str:
    """Return the task that the name of a file of details tells."""
    found = _NAME.fullmatch(PurePosixPath(path).name)
    return found[1] if found else PurePosixPath(path).stem


def stating(tree: Tree, results: Iterable[str]) -> Stating:
    """Return what finds the content of the results of a run: those whose name has its date."""
    by_date = {_dated(path): path for path in results}
    content = cache(partial(object_in, tree))

    def found(path: str) -> Mapping[str, Any]:
        results = by_date.get(_dated(path)) if date_of(path) is not None else None
        return {} if results is None else content(results)

    return found


def results_for(tree: Tree, path: str, task: str, stated: Mapping[str, Any]) -> Results:
    """Return what results say of a task; a folder tells the model otherwise."""
    config = mapping(stated.get("config_general"))
    model = config.get("model_name") or mapping(config.get("model_config")).get("model_name")
    named = model_of(path, stated=model, folder=_model_in(tree, path))
    numbers = mapping(mapping(stated.get("results")).get(task))
    means = {
        str(name): float(value)
        for name, value in numbers.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and not str(name).endswith("_stderr")
    }
    asked = mapping(mapping(stated.get("config_tasks")).get(task)).get("effective_num_docs")
    questions = asked if isinstance(asked, int) and asked > 0 else None
    return Results(named, means, _settings(stated, config, task), questions)


def _dated(path: str) -> str | None:
    found = _DATE.search(path.rpartition("/")[2])
    return found and found[0]


def _model_in(tree: Tree, path: str) -> str:
    """Return the model of details/MODEL/DATE/…."""
    folders = [*PurePosixPath(path).parts[:-1]]
    while folders and _DATE.fullmatch(folders[-1]):
        folders.pop()
    if "details" in folders:
        folders = folders[len(folders) - folders[::-1].index("details") :]
    if PurePosixPath(path).name == path and not _DATE.fullmatch(root_of(tree)):
        return root_of(tree)
    return "/".join(folders)


def _settings(stated: Mapping[str, Any], config: Mapping[str, Any], task: str) -> dict[str, Any]:
    model = mapping(config.get("model_config"))
    asked = mapping(model.get("generation_parameters") or config.get("generation_parameters"))
    configured = mapping(mapping(stated.get("config_tasks")).get(task))
    summary = mapping(mapping(stated.get("summary_tasks")).get(task))
    hashes = mapping(summary.get("hashes"))
    return {
        "model_id": model.get("base_model"),
        **({"adapter": model.get("model_name")} if model.get("base_model") else {}),
        **argument_settings(model),
        **sampling(asked),
        **{ours: configured.get(theirs) for theirs, ours in _TASK.items()},
        "prompt_version": hashes.get("hash_full_prompts"),
        "dataset_version": hashes.get("hash_examples"),
        "range": config.get("max_samples"),
        "system_message": model.get("system_prompt"),
        "tool_version": version
        if (version := config.get("lighteval_sha")) != _NO_VERSION
        else None,
        "tool": "LightEval",
    }
