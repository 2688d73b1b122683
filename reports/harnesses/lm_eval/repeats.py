"""Which repeats of a question are right, where a line has one verdict for all of them.

Each answer is judged as the filter judges; what the lines hold must then be the verdict of the
first answer, the mean of all, or whether any or all are right, the same for every question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.lm_eval.lines import Filtered, answers_of, left_of, lines_of
from reports.harnesses.lm_eval.logs import Log
from reports.json_files.line import Record
from reports.rescoring.patterns import NotRegular
from reports.rescoring.repeats.filters import Chain, chain_of, compared
from reports.run.turns import written
from reports.samples.counted import right_of

BATCH = 512
"""Lines whose answers are held at a time."""
RULE = Text("equal texts, each answer after its filter")

_PASS = re.compile(r"pass@\d+")
_REDUCTIONS: Mapping[str, Callable[[Sequence[bool]], float]] = {
    "first": lambda right: float(right[0]),
    "mean": lambda right: sum(right) / len(right),
    "any": lambda right: float(any(right)),
    "all": lambda right: float(all(right)),
}


class Marks(NamedTuple):
    """Which answers of a question are right, and what was found in each."""

    right: Sequence[bool]
    answers: Sequence[str]


class JudgedAnswers(NamedTuple):
    """What became of all answers."""

    marks: Sequence[Marks]  # Line by line.
    # What each metric is of the verdicts of a question: first, mean, any, all or pass@k.
    reductions: Mapping[str, str]
    # Whether it is known which answers are right; if not, the right ones stand first.
    is_known: bool = True


def chain_in(log: Log, name: str) -> Chain | None:
    """Return the filter as the results describe it; None where they do not, or kofn cannot."""
    listed = log.config.get("filter_list")
    for described in listed if isinstance(listed, list) else []:
        if isinstance(described, Mapping) and described.get("name") == name:
            return chain_of(described.get("filter"))
    return None


def judged(tree: Tree, log: Log, name: str, filtered: Filtered) -> JudgedAnswers | None:
    """Judge every answer.

    Returns: None where kofn cannot follow the filter, or what comes of it is not what the lines
    hold.
    """
    chain = chain_in(log, name)
    stored = filtered.kept == filtered.repeats
    if not stored and (chain is None or chain.ending != "first"):
        return None
    options = _options(log)
    marks: list[Marks] = []
    lines = (line for _, line in lines_of(tree, log.path, name, log.filters))
    try:
        for batch in _batches(lines):
            marks += _judged(batch, None if stored else chain, options)
    except NotRegular:
        return None
    right = [each.right for each in marks]
    if not all(right) or not filtered.metrics:
        return None
    reductions = {name: _reduction(held, right) for name, held in filtered.metrics.items()}
    known = {name: reduction for name, reduction in reductions.items() if reduction is not None}
    return JudgedAnswers(marks, known) if len(known) == len(reductions) else None


def placed(filtered: Filtered) -> JudgedAnswers | None:
    """Take how many answers are right from pass@1, which code tasks give of all answers together.

    Returns: None without pass@1, or if it is not the share of so many answers.
    """
    n, shares = filtered.repeats, filtered.metrics.get("pass@1")
    counts = None if shares is None else right_of(shares, [n] * len(shares))
    if counts is None or filtered.kept < n:
        return None
    marks = [Marks([slot < count for slot in range(n)], [""] * n) for count in counts]
    ks = {name: name for name in filtered.metrics if _PASS.fullmatch(name)}
    return JudgedAnswers(marks, ks | {"pass@1": "mean"}, is_known=False)


def _judged(
    batch: Sequence[Record], chain: Chain | None, options: Mapping[str, Any]
) -> Iterator[Marks]:
    predictions = [left_of(line) if chain is None else answers_of(line) for line in batch]
    every = [text for texts in predictions for text in texts]
    answers = every if chain is None else chain.answers(every)
    golds = iter(compared([written(line.get("target")) for line in batch], options))
    plain = iter(zip(answers, compared(answers, options), strict=True))
    for texts, gold in zip(predictions, golds, strict=True):
        mine = list(islice(plain, len(texts)))
        yield Marks([text == gold for _, text in mine], [answer for answer, _ in mine])


def _options(log: Log) -> Mapping[str, Any]:
    """Return with what options exact_match compares."""
    listed = log.config.get("metric_list")
    for metric in listed if isinstance(listed, list) else []:
        if isinstance(metric, Mapping) and metric.get("metric") == "exact_match":
            return metric
    return {}


def _reduction(values: Sequence[float], right: Sequence[Sequence[bool]]) -> str | None:
    """Return which reduction of these verdicts a metric is, the same for all questions."""
    for name, reduce in _REDUCTIONS.items():
        pairs = zip(right, values, strict=True)
        if all(abs(reduce(each) - value) < 1e-9 for each, value in pairs):
            return name
    return None


def _batches(lines: Iterator[Record]) -> Iterator[list[Record]]:
    while batch := list(islice(lines, BATCH)):
        yield batch
