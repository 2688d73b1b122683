"""Results of EvalPlus: each program on the benchmark's own tests and on additional ones.

A program passes the further tests, "plus", only if it passes those of the benchmark too: the
status of plus alone says nothing of the latter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import msgspec
import numpy as np

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.json_files.located import entries
from reports.json_files.members import moment
from reports.json_files.strict import parse_file
from reports.known_tool import KnownTool, Lacking, having_only
from reports.run.naming import Named, folder_of, model_of
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.run.texts import Store
from reports.samples.gathering import Gathered, Sample, gather
from reports.samples.heads import head, paths_with
from reports.samples.reading import file_by_file, json_lines
from reports.samples.texts import DecodedTexts, RecordTexts

TOOL = KnownTool(
    "EvalPlus",
    Text("*_eval_results.json; base and plus become two runs"),
    "0.1 to 0.3",
    Text(
        "two real results of 0.3.1, 10 problems by 5 samples; the layout of 0.1 on a file made "
        "from the tool's source code"
    ),
    Text("Without --base-only it writes plus beside base."),
    frozenset({"task_id", "solution", "base_status", "plus_status"}),
    (
        Lacking(
            Text("holds programs that EvalPlus has not tested yet"),
            Text(
                "Test them: evalplus.evaluate --dataset humaneval (or mbpp) --samples FILE "
                "writes *_eval_results.json with the verdict on each. Load that file."
            ),
            having_only("task_id", "solution"),
        ),
    ),
    newest="0.3.1",
)
_OF_A_PROGRAM = {"task_id", "base_status", "base_fail_tests"}
_OF_A_PROBLEM = {"nfiles", "files", "base"}
_NAMED = re.compile(r"(?P<model>.+?)(?:_(?P<backend>[a-z]+))?_temp_(?P<temperature>\d+(?:\.\d+)?)")
_SUFFIX = re.compile(
    r"(?:_samples)?(?:[-._]?sanitized)?(?:\.raw)?[._]eval_results$|(?<=.)\.eval_results$"
)
_PASSED = ("pass", "success")

Tried = tuple[str, tuple[Any, Any], str | None]
"""A problem, the statuses of base and plus, and the program."""


class _Program(msgspec.Struct):
    solution: str | None = None
    completion: str | None = None


def _results(tree: Tree) -> Iterator[str]:
    for path in paths_with(tree, {"eval"}):
        if _holds_programs(head(tree, path).begun):
            yield path


def _holds_programs(content: Any) -> bool:
    """Whether the beginning of a file holds a program that was tried, whichever key comes first."""
    problems = content.get("eval") if isinstance(content, dict) else None
    first = next(iter(problems.values()), None) if isinstance(problems, dict) else None
    if isinstance(first, list):
        return bool(first and isinstance(first[0], dict) and _OF_A_PROGRAM & first[0].keys())
    return isinstance(first, dict) and bool(_OF_A_PROBLEM & first.keys())


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    content = parse_file(tree, path)
    tried = list(_tried(content["eval"]))
    named, settings = _model_and_sampling(tree, path)
    settings |= {"tool": TOOL.name, "dataset_version": content.get("hash")}
    stated = content.get("pass_at_k") or {}
    dataset = tried[0][0].partition("/")[0].lower() if tried else ""
    notes = list(named.notes)
    notes += cut_short(path, len(tried), _stated_programs(content["eval"]), Text("programs"))
    with_plus = any(plus is not None for _, (_, plus), _ in tried)
    if not with_plus:
        notes.append(Note(_BASE_ONLY, path))
    for name, kind in ((dataset, "base"), (f"{dataset}+", "plus"))[: 1 + with_plus]:
        gathered = gather(_samples(tried, kind), tree.name, path)
        yield gathered.run(
            named.model,
            name,
            source=path,
            store=_texts(tree, path, gathered, any(said is not None for *_, said in tried)),
            reported=stated.get(kind, {}),
            notes=notes,
            time=moment(content.get("date"), "%Y-%m-%d %H:%M"),
            settings=settings | {"evaluator": _TESTS[kind]},
        )


def _tried(tasks: Mapping[str, Any]) -> Iterator[Tried]:
    """Give each program of each problem, in the layout of today or that before 0.2."""
    for task, programs in tasks.items():
        if isinstance(programs, list):
            for each in programs:
                yield task, (each["base_status"], each["plus_status"]), each.get("solution")
        else:
            plus = programs["plus"] or [[None]] * len(programs["base"])
            for base, further in zip(programs["base"], plus, strict=True):
                yield task, (base[0], further[0]), None


def _stated_programs(tasks: Mapping[str, Any]) -> int | None:
    """Return how many programs there were, which the layout before 0.2 says of each problem."""
    n_files = [each.get("nfiles") for each in tasks.values() if isinstance(each, Mapping)]
    known = [each for each in n_files if isinstance(each, int)]
    return sum(known) if known and len(known) == len(tasks) else None


def _samples(tried: list[Tried], kind: str) -> Iterator[Sample]:
    record, slot, last = -1, 0, None
    for task, (base, plus), prediction in tried:
        record, slot = (record, slot + 1) if task == last else (record + 1, 0)
        last = task
        status = base if kind == "base" or base not in _PASSED else plus
        yield Sample(
            task,
            correct=None if status is None else status in _PASSED,
            prediction=prediction,
            labels={"result": status},
            record=record,
            slot=slot,
        )


def _texts(tree: Tree, path: str, gathered: Gathered, held: bool) -> Store | None:
    """Return where the programs are: in the results; before 0.2, in the samples beside them."""
    if held:
        return gathered.texts(tree, [path], _solutions, _RECORDS, asks=False)
    for neighbour in _samples_beside(tree, path):
        numbers = np.full_like(gathered.records, -1)
        places = {question: row for row, question in enumerate(gathered.outcomes.questions)}
        seen: Counter[str] = Counter()
        for number, line in json_lines(tree, neighbour):
            task = str(line.get("task_id"))
            if task in places and seen[task] < numbers.shape[1]:
                numbers[places[task], seen[task]] = number
            seen[task] += 1
        slots = np.zeros_like(numbers)
        return RecordTexts(tree.keep(), [neighbour], _line, numbers, slots, asks=False)
    return None


def _samples_beside(tree: Tree, path: str) -> Iterator[str]:
    """Give the samples that were evaluated, if they are there."""
    neighbour = path.replace("_eval_results.json", ".jsonl")
    if neighbour != path and neighbour in tree.files:
        yield neighbour


def _model_and_sampling(tree: Tree, path: str) -> tuple[Named, dict[str, Any]]:
    """Return the model, and what the tool's way of naming its files says of how it was sampled."""
    place = PurePosixPath(path)
    name = _SUFFIX.sub("", place.stem)
    if name in ("eval_results", ""):
        name = folder_of(tree, path) or name
    if not (named := _NAMED.fullmatch(name)):
        return model_of(path, file=name), {}
    return model_of(path, stated=named["model"].replace("--", "/")), {
        "temperature": float(named["temperature"]),
        "backend": named["backend"],
    }


def _solutions(data: bytes) -> DecodedTexts:
    return None, None, [each.solution for each in msgspec.json.decode(data, type=list[_Program])]


def _line(data: bytes) -> DecodedTexts:
    found = msgspec.json.decode(data, type=_Program)
    return None, None, [found.solution or found.completion]


_TESTS = {"base": "base tests", "plus": "base and plus tests"}
_RECORDS = partial(entries, member="eval", whole=True)
_BASE_ONLY = Text(
    "The programs were tested only on the benchmark's own tests; without --base-only EvalPlus "
    "adds tests of its own."
)


_READER = file_by_file(Text("EvalPlus results"), _results, _runs, _samples_beside)
sniff, read = _READER.sniff, _READER.read
