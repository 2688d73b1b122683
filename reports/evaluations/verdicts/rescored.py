"""Verdicts where the results have none: predictions rescored by the evaluator's rule.

Whether it was that rule the report itself tells, since its averages are right: a rule that does not
reproduce them was another. Without a name of the evaluator, every rule is tried that can make use
of the references, and it must reproduce every number the report states.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.evaluations.files.predictions import records
from reports.evaluations.files.tool import AGAIN, Tool
from reports.evaluations.order import RecordOrder
from reports.evaluations.verdicts.grading import Grades, labels_in, segments_of
from reports.evaluations.verdicts.grouping import Grouping
from reports.evaluations.verdicts.stated import agreement, differing_means
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.interned import label
from reports.rescoring.maths import thread_time
from reports.rescoring.rule import NOT_JUDGED, Evaluation, Prediction, Rule
from reports.rescoring.rules import rules_of, rules_to_try

SECONDS = 300
"""CPU time for judging one file."""
BATCH = 512
"""Samples that are held at a time."""

Placed = tuple[int, int, Prediction]
"""Question, which of its samples, and the sample."""


@dataclass(frozen=True, eq=False, slots=True)
class Predictions:
    """The predictions of a model on a dataset, to be read as often as there are rules to try."""

    tree: Tree
    files: Sequence[str]
    order: RecordOrder
    # Samples whose predictions are lost, so that nobody knows whether they were right. Shape
    # (D, n).
    torn: NDArray[np.bool_]
    prepare: Callable[[str], str]  # What happens to a prediction before it is judged.
    lost: int = 0  # Questions of which nothing is left.

    def __iter__(self) -> Iterator[Placed]:
        seen: Counter[int] = Counter()
        for key, record in records(self.tree, self.files):
            prediction = record.get("prediction")
            for text in prediction if isinstance(prediction, list) else [prediction]:
                nth, seen[key] = seen[key], seen[key] + 1
                question, slot = self.order.place(key, nth)
                if nth < self.order.per_id:
                    answer = self.prepare(text) if isinstance(text, str) else ""
                    yield (
                        question,
                        slot,
                        Prediction(answer, record.get("gold"), record.get("origin_prompt")),
                    )


@dataclass(frozen=True, eq=False, slots=True)
class _Sheet:
    """Marks by question and sample: NaN where there is none yet."""

    credit: NDArray[np.float64]
    unjudged: NDArray[np.bool_]
    answers: NDArray[np.int32]
    usable: NDArray[np.bool_]
    numbers: dict[int, int]
    labels: list[str]

    @staticmethod
    def blank(shape: tuple[int, int]) -> _Sheet:
        answers = np.full(shape, -1, dtype=np.int32)
        credit, unjudged = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
        return _Sheet(credit, unjudged, answers, np.ones(shape[0], dtype=bool), {}, [])

    def fill(self, batch: Sequence[Placed], rule: Rule, empty: bool = False) -> Iterator[None]:
        """Mark samples, pausing after each; of an empty answer only what it earns."""
        marks = rule.mark(sample for *_, sample in batch)
        for (question, slot, _), mark in zip(batch, marks, strict=True):
            yield
            if mark is None:
                self.usable[question] &= empty
                continue
            self.credit[question, slot] = mark.credit
            self.unjudged[question, slot] = mark is NOT_JUDGED
            if mark.answer is not None and not empty:
                number = self.numbers.setdefault(hash(mark.answer), len(self.numbers))
                self.answers[question, slot] = number
                if number == len(self.labels):
                    self.labels.append(label(mark.answer))


def rescore(
    predictions: Predictions,
    evaluation: Evaluation | None,
    stated: Mapping[str, float],
    tool: Tool,
) -> Grades | None:
    """Judge predictions by the rule that reproduces what the report states.

    evaluation: What the configuration names, where there is one.
    stated: The report's metrics, as fractions.
    Returns: By the likeliest rule of a known evaluator where the report states nothing to tell;
    None if no rule is known, or none, or several that differ, reproduce all that it states.
    Raises LoadError if no rule of a known evaluator reproduces the report, or several that differ
    do; if a file is damaged; or if it takes too long.
    """
    if rules := () if evaluation is None else rules_of(evaluation):
        return _of_named(_grades(rules, predictions, stated, tool), predictions, stated)
    gold = next((sample.gold for *_, sample in predictions if sample.gold is not None), None)
    for rules in rules_to_try(gold):
        fitting = [
            candidate.grades
            for candidate in _grades(rules, predictions, stated, tool)
            if candidate.means and candidate.everything and 0 < candidate.grades.verdicts.mean() < 1
        ]
        if fitting:
            return fitting[0] if _are_equal(fitting) else None
    return None


class _Candidate(NamedTuple):
    """What a rule makes of the predictions, and whether it gives the stated means, and all else."""

    grades: Grades
    means: bool | None
    everything: bool


def _of_named(
    candidates: Sequence[_Candidate], predictions: Predictions, stated: Mapping[str, float]
) -> Grades | None:
    """Return what reproduces the report; where it states nothing to tell, the first.

    That all answers are wrong is what many a rule of another release finds, so it must be what the
    first one finds too.
    """
    if not candidates:
        return None
    first = candidates[0].grades
    right = [candidate for candidate in candidates if candidate.means]
    untold = [candidate.grades for candidate in candidates if candidate.means is None]
    if untold and not right:
        return untold[0]
    fitting = [candidate.grades for candidate in right if candidate.everything]
    fitting = fitting or [candidate.grades for candidate in right]
    fitting = [grades for grades in fitting if grades.verdicts.any() or _are_equal([grades, first])]
    if not fitting:
        raise _disproved(first, predictions, stated)
    if not _are_equal(fitting):
        raise _undecided(fitting, predictions)
    return fitting[0]


def _are_equal(grades: Sequence[Grades]) -> bool:
    return all(
        np.array_equal(one.verdicts, grades[0].verdicts)
        and np.array_equal(np.asarray(one.ids), np.asarray(grades[0].ids))
        for one in grades
    )


def _grades(
    rules: Sequence[Rule], predictions: Predictions, stated: Mapping[str, float], tool: Tool
) -> list[_Candidate]:
    """Judge by each rule that can make use of the references."""
    candidates = []
    sheets, labels = _judge(rules, predictions)
    questions = predictions.order.shape[0]
    for rule, sheet in zip(rules, sheets, strict=True):
        if not np.isnan(sheet.credit[sheet.usable]).all():
            grades = _graded(rule, sheet, labels, tool, predictions)
            means, everything = agreement(stated, grades, questions)
            candidates.append(_Candidate(grades, means, everything))
    return candidates


def _graded(
    rule: Rule,
    sheet: _Sheet,
    labels: Sequence[Mapping[str, Any] | None],
    tool: Tool,
    predictions: Predictions,
) -> Grades:
    ids = np.flatnonzero(sheet.usable)
    credit = np.nan_to_num(sheet.credit[ids])
    n = credit.shape[1]
    passes = np.greater if rule.strict else np.greater_equal
    right = passes(credit, 1.0 if rule.threshold is None else rule.threshold)
    mixed = tool.mixes and n > 1 and len(ids) > 1
    return Grades(
        right.astype(np.int8),
        None if rule.threshold is None else credit,
        sheet.answers[ids],
        None,
        Grouping((len(ids), n), mixed, predictions.order.grouping),
        judged=False,
        threshold=rule.threshold,
        strict=rule.strict,
        rule=rule.name,
        ids=ids,
        labels=sheet.labels,
        segments=segments_of([labels[row] for row in ids.tolist()]),
        unjudged=(sheet.unjudged | predictions.torn)[ids],
        lost=predictions.lost,
    )


def _judge(
    rules: Sequence[Rule], predictions: Predictions
) -> tuple[list[_Sheet], list[Mapping[str, Any] | None]]:
    """Mark every sample, and an empty answer for each failed one, as the tool does.

    Returns the sheet of each rule, and the labels in the reference of each question.
    """
    shape = predictions.order.shape
    sheets = [_Sheet.blank(shape) for _ in rules]
    labels: list[Mapping[str, Any] | None] = [None] * shape[0]
    limit = thread_time() + SECONDS
    for batch in _batches(iter(predictions)):
        for question, _, sample in batch:
            if labels[question] is None:
                labels[question] = labels_in(sample.gold)
        for rule, sheet in zip(rules, sheets, strict=True):
            for _ in sheet.fill(batch, rule):
                if thread_time() > limit:
                    raise _too_slow(predictions)
    for rule, sheet in zip(rules, sheets, strict=True):
        failed = np.isnan(sheet.credit) & sheet.usable[:, None]
        failed &= ~(sheet.unjudged | predictions.torn)
        for batch in _batches(_empty(predictions, failed)) if failed.any() else ():
            deque(sheet.fill(batch, rule, empty=True), maxlen=0)
    return sheets, labels


def _batches(samples: Iterator[Placed]) -> Iterator[list[Placed]]:
    while batch := list(islice(samples, BATCH)):
        yield batch


def _empty(predictions: Predictions, failed: NDArray[np.bool_]) -> Iterator[Placed]:
    """Give an empty answer for each failed sample of a question that has others."""
    waiting = np.asarray(failed.any(axis=1))
    for question, _, sample in predictions:
        if waiting[question]:
            waiting[question] = False
            for slot in np.flatnonzero(failed[question]):
                yield question, int(slot), sample._replace(prediction="")


def _disproved(grades: Grades, predictions: Predictions, stated: Mapping[str, float]) -> LoadError:
    metric, ours = next(differing_means(stated, grades, predictions.order.shape[0]))
    return _refused(
        predictions,
        Text(
            "the predictions, judged by {rule}, give {ours:.2%} where the report states "
            "{stated:.2%} ({metric:.60})",
            rule=grades.rule,
            ours=ours,
            stated=stated[metric],
            metric=metric,
        ),
        Text(
            "Perhaps your version judges differently, or the predictions are not those that "
            "were evaluated. Evaluate again with --mode eval --reuse, the run's id and "
            "--dump-eval-details, or give the outcomes as a Parquet table."
        ),
    )


def _undecided(grades: Sequence[Grades], predictions: Predictions) -> LoadError:
    what = Text(
        "{first} and {second} both give the numbers that the report states, but they call "
        "different samples right",
        first=grades[0].rule,
        second=grades[-1].rule,
    )
    return _refused(predictions, what)


def _too_slow(predictions: Predictions) -> LoadError:
    what = Text("judging the predictions takes more than {seconds} s of CPU time", seconds=SECONDS)
    return _refused(predictions, what)


def _refused(predictions: Predictions, problem: Text, fix: Text = AGAIN) -> LoadError:
    return predictions.tree.error(problem, fix, predictions.files[0])
