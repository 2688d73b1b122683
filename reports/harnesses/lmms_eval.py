"""Samples logged by lmms-eval, a line per question, with the means of its tasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache, partial
from pathlib import PurePosixPath
from typing import Any

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.lm_eval.logs import Log
from reports.json_files.strict import NOT_FINITE, parse_file
from reports.known_tool import KnownTool, Lacking
from reports.run.naming import folder_of, model_of
from reports.run.report import Run
from reports.samples.declared import About, Fields, Records, Shown
from reports.samples.heads import head, paths_with
from reports.samples.reading import Part, PartsReader, json_lines, not_scored
from reports.samples.verdict_choice import DISAGREE, VerdictChooser, same_verdicts
from reports.tables.schema.names import SEGMENTS

_RECORD = frozenset({"doc_id", "target", "filtered_resps", "doc_hash", "input"})
_NO_METRIC = _RECORD | {"resps", "token_counts", "input_media", "submission"}
_NAME = re.compile(r"(?P<date>\d{8}_\d{6})_samples_(?P<task>.+)\.jsonl")
_DATE = "%Y%m%d_%H%M%S"
_Stated = Callable[[str], Mapping[str, Any]]
"""Reads a file that states means."""
TOOL = KnownTool(
    "lmms-eval",
    Text("DATE_samples_TASK.jsonl, and DATE_results.json beside it"),
    "0.7",
    Text("real files of 0.7.3: 6 questions, two models, one of them asked 3 times"),
    Text(
        "--log_samples writes the samples of each task. With --repeats N the file keeps only the "
        "first answer to each question: run the task N times instead."
    ),
    _RECORD,
    (
        Lacking(
            Text("holds means of whole tasks of lmms-eval, and no samples"),
            Text("Load DATE_samples_TASK.jsonl too, which --log_samples writes."),
            lambda path, _: (
                re.fullmatch(r"\d{8}_\d{6}_results\.json", PurePosixPath(path).name) is not None
            ),
        ),
    ),
    asks=("correct",),
    newest="0.7.3",
)


def _score(record: Any, *, metric: str) -> Any:
    """Return the score of a metric: a number, or an object that holds one."""
    found = record.get(metric)
    return found.get("score") if isinstance(found, Mapping) else found


def _divides(record: Any, *, metric: str) -> dict[str, Any]:
    """Return the labels of a question that the object of a metric holds beside its score."""
    found = record.get(metric)
    held = found if isinstance(found, Mapping) else {}
    return {name: each for name, each in held.items() if name in SEGMENTS}


def _tokens(record: Any, *, kind: str) -> Any:
    counts = record.get("token_counts") or [None]
    return (counts[0] or {}).get(kind)


def _extracted(record: Any) -> Any:
    found = record.get("filtered_resps")
    return found if isinstance(found, str) else None


def _first_answer(record: Any) -> Shown:
    """Return the first answer, before the filter where the file keeps that."""
    prediction = record.get("resps") or record.get("filtered_resps")
    while isinstance(prediction, list) and prediction:
        prediction = prediction[0]
    return prediction


def _runs(tree: Tree, asking: VerdictChooser, stated: _Stated, path: str) -> Iterator[Run]:
    log = _log(tree, path, stated)
    scores = _scores(tree, path)
    if not scores:
        raise not_scored(tree, path)
    all_agree = len({tuple(values) for values in scores.values()}) == 1
    metric = asking.choose(tree, path, [*scores], DISAGREE, alike=all_agree)
    same = [name for name in scores if scores[name] == scores[metric]]
    fields = Fields(
        "doc_id",
        score=partial(_score, metric=metric),
        extracted=_extracted,
        prediction=_first_answer,
        prompt="input",
        reference="target",
        measured={
            "tokens_in": partial(_tokens, kind="input_tokens"),
            "tokens_out": partial(_tokens, kind="output_tokens"),
        },
        segments=partial(_divides, metric=metric),
    )
    notes = (*same_verdicts(metric, same, path), *_repeated(log))
    mean = f"{metric},none"

    def about(*_: Any) -> About:
        return About(
            log.model,
            log.task,
            log.settings({}) | {"evaluator": metric},
            log.means,
            {mean: "accuracy"} if mean in log.means else {},
            log.questions,
            log.time,
            notes,
        )

    yield from Records(fields, about).runs(tree, path)


def _scores(tree: Tree, path: str) -> dict[str, list[float]]:
    """Return the values of every metric that has one from 0 to 1 in each line."""
    names = (name for name in head(tree, path).first if name not in _NO_METRIC)
    scores: dict[str, list[float]] = {name: [] for name in names}
    asked: set[Any] = set()
    for _, record in json_lines(tree, path):
        if record.get("doc_id") in asked:
            raise tree.error(
                Text("holds several lines for a question, of filters that it does not name"),
                Text("Run the task with one filter, or load the file of a run that has one."),
                path,
            )
        asked.add(record.get("doc_id"))
        values = {name: _score(record, metric=name) for name in scores}
        is_share = {
            name: isinstance(each, int | float) and 0 <= each <= 1 for name, each in values.items()
        }
        scores = {name: listed for name, listed in scores.items() if is_share[name]}
        for name, listed in scores.items():
            listed.append(float(values[name]))
    return scores


def _repeated(log: Log) -> Iterator[Note]:
    count = log.config.get("repeats")
    if isinstance(count, int) and count > 1:
        what = Text(
            "lmms-eval asked every question {count} times, and its file keeps only the first "
            "answer.",
            count=count,
        )
        yield Note(what, log.path, severity="warning")


def _log(tree: Tree, path: str, stated: _Stated) -> Log:
    found = _NAME.fullmatch(PurePosixPath(path).name)
    results = next(_results_beside(tree, path), None)
    content = stated(results) if results else {}
    model = model_of(path, stated=content.get("model_name"), folder=folder_of(tree, path))
    task = found["task"] if found else PurePosixPath(path).stem
    time = datetime.strptime(found["date"], _DATE) if found else None
    return Log(path, task, time, results, content, model, TOOL.name)


def _files(tree: Tree) -> Iterator[str]:
    found = paths_with(tree, _RECORD, lines=True, doc_id=int)
    return (path for path in found if "arguments" not in head(tree, path).names)


def _results_beside(tree: Tree, path: str) -> Iterator[str]:
    if found := _NAME.fullmatch(PurePosixPath(path).name):
        results = PurePosixPath(path).with_name(f"{found['date']}_results.json").as_posix()
        if results in tree.files:
            yield results


def _parts(tree: Tree, asking: VerdictChooser) -> Iterator[Part]:
    stated = cache(partial(parse_file, tree, absent=NOT_FINITE))  # one file states many tasks
    for path in _files(tree):
        runs = partial(_runs, tree, asking, stated, path)
        yield Part(path, runs, tuple(_results_beside(tree, path)))


_READER = PartsReader(Text("samples of lmms-eval"), _parts)
sniff, read = _READER.sniff, _READER.read
