"""Files of lm-evaluation-harness: the samples of each task, and the files beside them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Any

from reports.files.tree import Tree, remembered
from reports.json_files.members import mapping, moment
from reports.json_files.strict import object_in
from reports.run.fingerprint import plain_settings
from reports.run.model_arguments import WEIGHTS_ARE_PLAIN, argument_settings, parse, sampling
from reports.run.naming import Named, folder_of, model_of
from reports.samples.heads import head, paths_with

SEEDS = ("seed", "numpy_seed", "torch_seed", "fewshot_seed")
"""Settings in which repetitions of a run differ."""

_NAME = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?))?\.jsonl")
_DATE = "%Y-%m-%dT%H-%M-%S"
RECORD = frozenset({"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"})
"""What every line of samples has."""
RESULTS = frozenset({"results", "configs"})
"""What states the means of tasks begins with; the configurations may be long."""
_OF_TASK = {
    "dataset_path": "dataset_path",
    "dataset_name": "dataset_name",
    "test_split": "split",
    "repeats": "n",
}
_OF_RUN = {
    "random_seed": "seed",
    "numpy_seed": "numpy_seed",
    "torch_seed": "torch_seed",
    "fewshot_seed": "fewshot_seed",
    "limit": "range",
}
_OF_FILE = {
    "lm_eval_version": "tool_version",
    "system_instruction_sha": "system_instruction_sha",
    "chat_template_sha": "chat_template_sha",
}


_NAMES_MODEL = ("pretrained", "model", "model_path", "checkpoint", "ckpt", "engine", "path")
_BY_CHANCE = re.compile(r"[a-z]{4}\d{4}")
"""How the tool calls a model whose arguments do not name it."""


@dataclass(frozen=True)
class Log:
    """The samples of one run on one task."""

    path: str
    task: str
    time: datetime | None
    results: str | None
    stated: Mapping[str, Any]
    named: Named
    # What wrote it: lm-evaluation-harness, or what began as a copy of it.
    tool: str = "lm-evaluation-harness"

    @property
    def model(self) -> str:
        """Its name."""
        return self.named.model

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration of the task; empty where it is not known."""
        return mapping(mapping(self.stated.get("configs")).get(self.task))

    @property
    def means(self) -> dict[str, float]:
        """What the results state of the task, by metric and filter."""
        found = mapping(mapping(self.stated.get("results")).get(self.task))
        return {
            key: float(value)
            for key, value in found.items()
            if "," in key
            and "_stderr," not in key
            and isinstance(value, int | float)
            and not isinstance(value, bool)
        }

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters of the task in its order; none where that is not known."""
        listed = self.config.get("filter_list")
        named = (mapping(each).get("name") for each in (listed if isinstance(listed, list) else ()))
        return tuple(name for name in named if isinstance(name, str))

    @property
    def questions(self) -> int | None:
        """How many questions the tool asked, where the results say it."""
        counts = mapping(mapping(self.stated.get("n-samples")).get(self.task))
        found = counts.get("effective")
        return found if isinstance(found, int) else None

    def settings(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return how it was made; `sent` is what the first line says was sent."""
        run = mapping(self.stated.get("config"))
        asked = {**mapping(self.config.get("generation_kwargs")), **sent}
        found = {
            **self._weights(run),
            **sampling(asked),
            **_renamed(_OF_TASK, self.config),
            **_renamed(_OF_RUN, run),
            **_renamed(_OF_FILE, self.stated),
            "shots": mapping(self.stated.get("n-shot")).get(self.task),
            "prompt_version": mapping(self.stated.get("versions")).get(self.task),
            "task_hash": mapping(self.stated.get("task_hashes")).get(self.task),
            "tool": self.tool,
        }
        return plain_settings(found)

    def _weights(self, run: Mapping[str, Any]) -> dict[str, Any]:
        """Return which model it was, beyond its name."""
        arguments = parse(run.get("model_args"))
        loads = "pretrained" in arguments and "base_url" not in arguments
        plain = WEIGHTS_ARE_PLAIN if loads else {}
        named = _model_among(arguments)
        adapted = {"model_id": named} if named and named != self.model else {}
        return {**plain, **argument_settings(arguments, run), **adapted}


@remembered
def logs_of(tree: Tree) -> tuple[Log, ...]:
    """Find the files of samples: lines, each a question under a filter."""
    logs = []
    stated = cache(partial(object_in, tree))
    by_folder: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths_with(tree, RESULTS):
        by_folder[path.rpartition("/")[0]].append(path)
    for path in paths_with(tree, RECORD):
        first = head(tree, path)
        if not first.lines or not isinstance(first.first.get("resps", []), list):
            continue
        name = PurePosixPath(path)
        match = _NAME.fullmatch(name.name)
        task, date = (match[1], match[2]) if match else (name.stem, None)
        results = _results_for(by_folder[path.rpartition("/")[0]], date)
        content = stated(results)
        model = model_of(path, stated=_model_in(content), folder=folder_of(tree, path))
        time = moment(date and date.partition(".")[0], _DATE)
        logs.append(Log(path, task, time, results, content, model))
    return tuple(logs)


def _results_for(there: Sequence[str], date: str | None) -> str | None:
    """Return the results of the same date, or of the only date, of those in a folder."""
    dated = [other for other in there if date and date in other.rpartition("/")[2]]
    return next(iter(dated or (there if len(there) == 1 and not date else [])), None)


def _model_in(stated: Mapping[str, Any]) -> Any:
    """Return the name of the model; where the tool drew one by chance, what it was called with."""
    name, run = stated.get("model_name"), mapping(stated.get("config"))
    if name and not (isinstance(name, str) and _BY_CHANCE.fullmatch(name)):
        return name
    arguments = parse(run.get("model_args"))
    return name if name in arguments.values() else _model_among(arguments) or run.get("model")


def _model_among(arguments: Mapping[str, Any]) -> str | None:
    given = (arguments.get(name) for name in _NAMES_MODEL)
    return next((str(each) for each in given if each), None)


def _renamed(names: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    return {ours: given[theirs] for theirs, ours in names.items() if given.get(theirs) is not None}
