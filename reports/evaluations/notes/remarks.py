"""Which notes a model on a dataset deserves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from metrics.data.words import Text
from reports.evaluations.files.config import Asked
from reports.evaluations.files.layout import Pair
from reports.evaluations.files.predictions import Answered
from reports.evaluations.files.tool import Tool
from reports.evaluations.notes import findings, shortfalls
from reports.evaluations.order import Order
from reports.evaluations.verdicts.failures import keeps_failures
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.grouping import Grouping
from reports.evaluations.verdicts.marking import Marks
from reports.evaluations.verdicts.stated import stated_samples
from reports.files.notes import Note
from reports.rescoring.rules import keeps_nothing, lacks_library
from reports.run.reconcile import is_headline

TESTS_NOTHING = "HumanevalXEvaluator"
"""The evaluator that reads its samples before they are written."""


def on_metrics(content: Mapping[str, Any], where: str) -> Iterator[Note]:
    """Say which metrics have no number."""
    names = [name for name, value in content.items() if value is None and name != "details"]
    if names:
        yield findings.no_number(names, where)


def on_outcomes(
    stated: Mapping[str, float],
    grades: Grades,
    marks: Marks,
    verified: bool | None,
    tool: Tool,
    where: str,
) -> Iterator[Note]:
    """Say how the samples were found, and why they differ from the stated numbers."""
    grouping, (kept, n) = grades.grouping, grades.verdicts.shape
    headline = next((value for metric, value in stated.items() if is_headline(metric)), None)
    if grouping.known == "unknown":
        yield findings.ungrouped(where)
    if grades.rule is not None:
        yield from _on_rule(grades, grades.rule, marks, verified, where)
        return
    if grades.remark is not None:
        yield Note(grades.remark, where)
    yield from _on_grouping(grouping, grades.references is not None, tool, where)
    if not grades.judged:
        yield findings.compared(n, headline, float(grades.verdicts.mean()), where)
    if marks.contradicted:
        yield findings.contradicted_scores(marks.contradicted, grades.verdicts.size, where)
    elif grades.scores is not None:
        yield findings.soft(grades.threshold, grades.strict, grades.stored_scores, where)
    if grades.unjudged is not None and grades.unjudged.any():
        asked = grades.seen or grades.verdicts.size
        yield findings.unjudged(int(grades.unjudged.sum()), asked, where)
    if grades.unscored is not None:
        missing, count = grades.scores is not None, int(grades.unscored.sum())
        yield findings.unscored(count, grades.unscored.size, missing, where)
    if marks.dropped:
        yield findings.dropped(marks.dropped, marks.asked, where)
    elif marks.asked > kept:
        yield findings.unknown_ids(marks.asked - kept, marks.asked, where)
    if verified is False:
        yield findings.unverified(where)


def _on_grouping(
    grouping: Grouping, has_references: bool, tool: Tool, where: str
) -> Iterator[Note]:
    if grouping.known == "stated":
        yield findings.assumed(grouping, has_references, tool.name, where)
    elif grouping.scrambled and grouping.mixed_as_stored:
        yield findings.regrouped(grouping, tool.name, where)
    elif grouping.mixed_by_replica and tool.mixes:
        yield findings.grouped(where)
    if grouping.mixed:
        yield findings.still_mixed(grouping, where)


def _on_rule(
    grades: Grades,
    rule: Text,
    marks: Marks,
    verified: bool | None,
    where: str,
) -> Iterator[Note]:
    unjudged = np.zeros(1, bool) if grades.unjudged is None else grades.unjudged
    yield findings.rescored(rule, verified, bool(unjudged.any()), where)
    if verified is False:
        yield findings.unverified(where)
    if marks.outcomes.scores is not None:
        yield findings.soft(grades.threshold, grades.strict, False, where)
    if not_compared := int((unjudged & ~marks.failed[marks.rows]).sum()):
        yield findings.not_compared(not_compared, grades.verdicts.size, where)
    if marks.dropped:
        yield findings.unusable(marks.dropped, marks.asked, where)


def on_requests(
    grades: Grades,
    marks: Marks,
    answered: Answered | None,
    order: Order | None,
    asked: Asked,
    pair: Pair,
    verified: bool | None,
    lone: bool,
    where: str,
) -> Iterator[Note]:
    """Say what became of the requests."""
    n = grades.verdicts.shape[1]
    if answered is not None and order is not None:
        if marks.lost.any():
            yield shortfalls.incomplete(int(marks.lost.sum()), marks.lost.size, pair.predictions[0])
        yield from _on_counts(
            int(marks.failed.sum()),
            marks.failed.size,
            answered,
            order.per_id,
            pair,
            grades.rule is None or verified is not False,
        )
    elif not pair.predictions:
        yield shortfalls.no_predictions(lone, where)
    if asked.n is not None and asked.n != n and grades.grouping.known != "unknown":
        yield shortfalls.other_n(asked.n, n, where)
    if asked.n is None and n > 1 and not grades.judged and grades.rule is None:
        yield shortfalls.inferred_n(n, where)


def on_no_outcomes(
    asked: Asked, pair: Pair, has_details: bool, run_id: str | None, where: str
) -> Iterator[Note]:
    """Say how to get verdicts."""
    if pair.results is None and keeps_failures(asked.evaluator) and (asked.n or 1) > 1:
        yield shortfalls.uneven_failures(asked.n or 1, where)
    elif pair.results is not None and asked.evaluator == TESTS_NOTHING:
        yield shortfalls.tests_nothing(where)
    elif keeps_nothing(asked.dataset.evaluation):
        yield shortfalls.keeps_nothing(asked.evaluator or "", where)
    elif has_details:
        yield shortfalls.no_verdicts(asked.evaluator, where)
    else:
        there = pair.results is not None, bool(pair.predictions)
        yield shortfalls.no_details(*there, asked.evaluator, run_id, where)
    if pair.predictions and lacks_library(asked.evaluator):
        yield shortfalls.lacks_library(where)
    if run_id is None and not pair.predictions:
        yield shortfalls.no_predictions(True, where)


def on_answered(
    stated: Mapping[str, float], answered: Answered | None, asked: Asked, pair: Pair
) -> Iterator[Note]:
    """Say which requests failed as far as predictions without verdicts tell."""
    if answered is not None:
        n = stated_samples(stated) or asked.n or int(answered.counts.max())
        per_id = asked.per_id(n, answered.numbered)
        requests = len(answered.counts) * per_id
        yield from _on_counts(answered.missing(per_id), requests, answered, per_id, pair, True)


def _on_counts(
    lacking: int, requests: int, answered: Answered, per_id: int, pair: Pair, borne_out: bool
) -> Iterator[Note]:
    """Say how many requests have no line, and why if what is stated bears it out."""
    for place in answered.torn:
        yield shortfalls.torn(place)
    failed = max(0, lacking - len(answered.torn))
    if (sent := answered.sent(per_id)) < per_id:
        yield shortfalls.fewer_sent(sent, per_id, pair.predictions[0])
    elif failed:
        say = shortfalls.failed if borne_out else shortfalls.missing
        yield say(failed, requests, pair.predictions[0])
    if surplus := answered.surplus(per_id):
        yield shortfalls.surplus(surplus, per_id, pair.predictions[0])
