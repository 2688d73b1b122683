"""Results of LiveCodeBench: each problem with its generated programs and their verdicts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import msgspec

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.json_files.entries import Entries
from reports.json_files.located import entries
from reports.json_files.strict import parse, parse_file
from reports.known_tool import KnownTool, Lacking, having
from reports.run.naming import folder_of, model_of
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.samples.gathering import Sample, gather
from reports.samples.heads import head, paths_with
from reports.samples.reading import file_by_file
from reports.samples.texts import DecodedTexts

TOOL = KnownTool(
    "LiveCodeBench",
    Text("*_eval_all.json, and *_eval.json beside it for the numbers it states"),
    "2025",
    Text("a real result of code generation at commit 28fef95, 6 problems by 5 samples"),
    Text("--evaluate writes *_eval_all.json, with the verdict of each sample."),
    frozenset({"question_id", "output_list", "graded_list"}),
    (
        Lacking(
            Text("holds pass@k of LiveCodeBench and the tests of problems without their names"),
            Text(
                "Load *_eval_all.json, which --evaluate writes beside it, with the verdict of each "
                "sample."
            ),
            having("pass@1", "detail"),
        ),
        *(
            Lacking(
                Text("holds outputs of LiveCodeBench without verdicts"),
                Text(
                    "Run it with --evaluate: it then writes *_eval_all.json with the verdict on "
                    "each sample."
                ),
                having("question_id", name),
            )
            for name in ("output_list", "code_list")
        ),
    ),
    newest="28fef95",
)
_NAMED = re.compile(r"Scenario\.(\w+?)_(\d+)_(\d+(?:\.\d+)?)(_cot)?_eval_all")
_STATED = re.compile(r"pass@\d{1,6}")
_ALL = "_eval_all.json"
_VERDICTS = b'"graded_list"'
_PIECE = 1 << 18
_LOOKED_AT = 1 << 25


class _Row(msgspec.Struct):
    question_content: Any = None
    output_list: list[Any] = []


def _results(tree: Tree) -> Iterator[str]:
    for path in paths_with(tree, {"question_id", "output_list"}):
        if head(tree, path).listed and _holds_verdicts(tree, path):
            yield path


def _holds_verdicts(tree: Tree, path: str) -> bool:
    """Whether the first rows of a file have verdicts: they follow all that was said."""
    before = b""
    with tree.open(path) as stream:
        for _ in range(_LOOKED_AT // _PIECE):
            if not (piece := stream.read(_PIECE)):
                return False
            if _VERDICTS in before + piece:
                return True
            before = piece[-len(_VERDICTS) :]
    return False


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    file = PurePosixPath(path)
    named = _NAMED.fullmatch(file.stem)
    model = model_of(path, folder=folder_of(tree, path))
    scenario = named[1] if named else "codegeneration"
    settings: dict[str, Any] = {"tool": TOOL.name}
    if named:
        settings |= {"n": int(named[2]), "temperature": float(named[3]), "cot": bool(named[4])}
    means: list[float] = []
    gathered = gather(_samples(tree, path, means), tree.name, path)
    stated = {"pass@1": sum(means) / len(means)} if means else {}
    problems: list[Note] = []
    for neighbour in _stated_beside(tree, path):
        numbers, count = _stated_metrics(parse_file(tree, neighbour))
        stated |= numbers
        problems += cut_short(path, len(gathered.outcomes.questions), count, Text("problems"))
    yield gathered.run(
        model.model,
        f"livecodebench_{scenario}",
        source=path,
        store=gathered.texts(tree, [path], _row_texts, partial(entries, member="")),
        reported=stated,
        notes=model.notes,
        cut=problems,
        settings=settings,
    )


def _samples(tree: Tree, path: str, means: list[float]) -> Iterator[Sample]:
    """Give the samples of a file, and collect the mean that it states of each question."""
    for number, row in enumerate(_rows(tree, path)):
        verdicts, predictions = row["graded_list"], row["output_list"]
        if len(verdicts) != len(predictions) or not all(
            isinstance(each, bool) for each in verdicts
        ):
            raise tree.error(
                Text("graded_list is not a verdict, true or false, for each text of output_list"),
                Text("Run LiveCodeBench again with --evaluate."),
                f"{path}, record {number + 1}",
            )
        if isinstance(row.get("pass@1"), int | float):
            means.append(row["pass@1"])
        programs = row.get("code_list") or row.get("pred_list") or []
        ended = row.get("metadata") or []
        segments = {name: row.get(name) for name in ("difficulty", "platform")}
        if isinstance(date := row.get("contest_date"), str):
            segments["contest_month"] = date[:7]
        for slot, correct in enumerate(verdicts):
            ran = _ran(ended[slot]) if slot < len(ended) else {}
            yield Sample(
                _question(row),
                number=slot,
                correct=correct,
                extracted=programs[slot] if slot < len(programs) else None,
                prediction=predictions[slot],
                measured={"execution_s": ran.get("execution time")},
                labels={"error": ran.get("error_message")},
                segments=segments,
                record=number,
                slot=slot,
            )


def _question(row: Mapping[str, Any]) -> str:
    """Return what tells questions apart: problems of some scenarios have several."""
    several = row.get("test_id", row.get("id"))
    problem = str(row["question_id"])
    return problem if several is None else f"{problem}/{several}"


def _ran(written: Any) -> Mapping[str, Any]:
    """Return what is noted of the run of a program: JSON within JSON."""
    try:
        ran = json.loads(written) if isinstance(written, str) else written
    except (ValueError, RecursionError):
        return {}
    return ran if isinstance(ran, dict) else {}


def _rows(tree: Tree, path: str) -> Iterator[Any]:
    with tree.open(path) as stream:
        found = Entries(stream, "", tree.name, path)
        for block in found if found.found else ():
            yield from parse(block.data, tree.name, path)
    if not found.found:
        yield from parse_file(tree, path)


def _stated_beside(tree: Tree, path: str) -> Iterator[str]:
    """Give the file that states the metrics of another one, if it is there."""
    neighbour = path.replace(_ALL, "_eval.json")
    if neighbour != path and neighbour in tree.files:
        yield neighbour


def _of_one_run(tree: Tree, path: str) -> tuple[str, ...]:
    """Return what else the tool wrote of a run: its numbers, and its outputs without verdicts."""
    return (*_stated_beside(tree, path), path.replace(_ALL, ".json"))


def _stated_metrics(content: Any) -> tuple[dict[str, float], int | None]:
    """Return the metrics that are stated, and of how many problems."""
    metrics = content[0]
    each = (metrics.get("detail") or {}).get("pass@1")
    numbers = {name: value for name, value in metrics.items() if _STATED.fullmatch(name)}
    return numbers, len(each) if isinstance(each, dict) else None


def _row_texts(data: bytes) -> DecodedTexts:
    row = msgspec.json.decode(data, type=_Row)
    return row.question_content, None, row.output_list


_READER = file_by_file(Text("LiveCodeBench results"), _results, _runs, _of_one_run)
sniff, read = _READER.sniff, _READER.read
