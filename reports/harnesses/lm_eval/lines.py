"""The lines of a samples file: its filters and metrics, and what each says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.json_files.line import Record
from reports.run.turns import written
from reports.samples.dividing import Dividing
from reports.samples.heads import head
from reports.samples.reading import json_lines, unexpected
from reports.samples.verdict_choice import DISAGREE, VerdictChooser

ONLY = "none"
"""The filter of lines that name none, as older versions write them."""
_NO_METRIC = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
}


@dataclass
class Filtered:
    """What the lines of one filter hold."""

    # Values line by line; a metric that is no number from 0 to 1 somewhere is not here.
    metrics: dict[str, list[float]] = field(default_factory=dict)
    repeats: int = 0  # Answers that a line has, at most.
    kept: int = 0  # Answers that are left of them.
    # What tells each question from any other, by its id.
    asked: dict[str, str] = field(default_factory=dict)
    digest: str = ""  # Of all predictions.
    sent: Mapping[str, Any] = field(default_factory=dict)  # What was sent with the first request.
    # The fields of the dataset that divide its questions.
    dividing: Dividing = field(default_factory=Dividing)


def filters_of(tree: Tree, path: str, filters: Sequence[str]) -> dict[str, Filtered]:
    """Read which filters a file has, and what their lines hold.

    filters: Those of the task in its order, as the results tell them.
    """
    by_name: dict[str, Filtered] = {}
    unnamed = sorted(head(tree, path).names - _NO_METRIC)
    for number, name, line in _by_filter(tree, path, filters):
        filtered = by_name.setdefault(name, Filtered())
        question = written(line.get("doc_id"))
        if question in filtered.asked:
            raise tree.error(
                Text("has a second line for question {question:.80}", question=question),
                _APART if isinstance(line.get("filter"), str) else _UNNAMED,
                f"{path}, record {number + 1}",
            )
        predictions = answers_of(line)
        filtered.asked[question] = _identity(line)
        filtered.digest = digest(filtered.digest + "\0".join(predictions))
        filtered.repeats = max(filtered.repeats, len(predictions))
        filtered.kept = max(filtered.kept, len(left_of(line)))
        filtered.sent = filtered.sent or _sent(line)
        _measure(filtered, line, unnamed)
        filtered.dividing.add(line.get("doc"), line.get("target"))
    if not by_name:
        raise unexpected(tree, path)
    return by_name


def _by_filter(tree: Tree, path: str, filters: Sequence[str]) -> Iterator[tuple[int, str, Record]]:
    """Give each line with its number and its filter.

    Older versions do not name it. They write all questions under one filter before those under the
    next, so that the first line of a question is of the first filter of the task.
    """
    seen: Counter[str] = Counter()
    for number, line in json_lines(tree, path):
        name = line.get("filter")
        if not isinstance(name, str):
            question = written(line.get("doc_id"))
            at, name = seen[question], ONLY
            seen[question] += 1
            if len(filters) > 1:
                name = filters[min(at, len(filters) - 1)]
        yield number, name, line


def answers_of(line: Record) -> list[str]:
    """Return the answers of a line; of options that were weighed, none.

    Examples
    --------
    >>> answers_of({"resps": [["so 7", "so 8"]]}), answers_of({"resps": [[-1.5, False]]})
    (['so 7', 'so 8'], [])
    """
    match line.get("resps"):
        case [[*answers], *_] if all(isinstance(one, str) for one in answers):
            return list(answers)
        case [str(answers)]:
            return [answers]
    return []


def left_of(line: Record) -> list[str]:
    """Return the answers that a filter left of a line.

    Examples
    --------
    >>> left_of({"filtered_resps": ["7"]}), left_of({"filtered_resps": [["7", "8"]]})
    (['7'], ['7', '8'])
    """
    left = line.get("filtered_resps")
    held = left[0] if isinstance(left, list) and left and isinstance(left[0], list) else left
    return [written(answer) for answer in held] if isinstance(held, list) else []


def chosen_filter(
    tree: Tree, path: str, filters: Mapping[str, Filtered], asking: VerdictChooser
) -> str:
    """Return which filter is meant."""
    problem = Text("every question has {count} verdicts, one from each filter", count=len(filters))
    return asking.choose(tree, path, list(filters), problem, "filter")


def chosen_metric(tree: Tree, path: str, filtered: Filtered, asking: VerdictChooser) -> str:
    """Return which metric is the verdict."""
    if not filtered.metrics:
        raise tree.error(
            Text("no metric of this task says which samples are right, as a number from 0 to 1"),
            Text("Load a task with a metric such as acc or exact_match."),
            path,
        )
    first, *others = filtered.metrics.values()
    return asking.choose(
        tree, path, list(filtered.metrics), DISAGREE, alike=all(other == first for other in others)
    )


def _measure(filtered: Filtered, line: Record, unnamed: Sequence[str]) -> None:
    """Take in the metrics of a line; versions that do not name them write no other keys."""
    listed = line.get("metrics")
    names = listed if isinstance(listed, list) else unnamed
    if len(filtered.asked) == 1:
        filtered.metrics = {name: [] for name in names if isinstance(name, str)}
    for name, values in list(filtered.metrics.items()):
        value = line.get(name)
        if isinstance(value, bool | int | float) and 0 <= value <= 1:
            values.append(float(value))
        else:
            del filtered.metrics[name]


def _identity(line: Record) -> str:
    """Return what tells a question from others: hashes that the tool writes, or its own texts."""
    hashes = [line.get(name) for name in ("doc_hash", "prompt_hash", "target_hash")]
    if all(hashes):
        return digest(written(hashes))
    return digest(written([line.get("doc"), line.get("arguments"), line.get("target")]))


def _sent(line: Record) -> Mapping[str, Any]:
    match line.get("arguments"):
        case {"gen_args_0": {"arg_1": sent}} | [[_, sent], *_]:
            return sent if isinstance(sent, Mapping) else {}
    return {}


def lines_of(
    tree: Tree, path: str, name: str, filters: Sequence[str]
) -> Iterator[tuple[int, Record]]:
    """Give the lines of a filter, each with the number of its record; see `filters_of`."""
    for number, of, line in _by_filter(tree, path, filters):
        if of == name:
            yield number, line


_APART = Text("Load one run at a time; each has a file of its own.")
_UNNAMED = Text(
    "Load the whole folder: results_*.json names the filters of the task, which the samples of "
    "this version do not. Load one run at a time."
)
