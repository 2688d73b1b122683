"""Turn the results and predictions of one model on one dataset into a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from metrics.data.words import Text
from reports.evaluations.details import DetailTable, read_details
from reports.evaluations.details.flat import table_of
from reports.evaluations.files.codes import as_text
from reports.evaluations.files.config import Config, ConfiguredRun
from reports.evaluations.files.layout import Folder, Pair
from reports.evaluations.files.predictions import Answered, count_answered, read_golds
from reports.evaluations.files.tool import Tool
from reports.evaluations.matching import find_foreign_predictions
from reports.evaluations.notes import findings, shortfalls
from reports.evaluations.order import RecordOrder, find_order
from reports.evaluations.texts.detail_texts import DetailTexts, TextLayout
from reports.evaluations.texts.prediction_texts import PredictionTexts
from reports.evaluations.verdicts.edit_judges import grade_edits, judges_edits
from reports.evaluations.verdicts.failures import grade_failures, totals_of
from reports.evaluations.verdicts.grading import Grades, grade, samples_per_question
from reports.evaluations.verdicts.joining import Joined, join
from reports.evaluations.verdicts.judging import put_back
from reports.evaluations.verdicts.programs import any_test_ran, grade_programs, passed_tests
from reports.evaluations.verdicts.rescored import Predictions, rescore
from reports.evaluations.verdicts.results import read_results
from reports.evaluations.verdicts.stated import (
    TORN,
    explain,
    implied_questions,
    needs_several,
    stated_metrics,
    stated_samples,
    states_mean,
    unchecked,
)
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.rescoring.rules import prepared
from reports.run.reconcile import UNEXPLAINED, compared
from reports.run.report import Run
from reports.run.texts import Store


def store_of(
    tree: Tree,
    pair: Pair,
    content: Mapping[str, Any] | None,
    grades: Grades,
    joined: Joined,
    order: RecordOrder | None,
) -> Store | None:
    """Find the texts of a run.

    pair: The files; those of the predictions that were judged, if a judge wrote the results.
    """
    shape = joined.outcomes.shape
    if pair.judged and order is None:
        return None
    if order is not None and joined.by_id:
        is_whole = np.logical_not(joined.lost.any(axis=1))
        return PredictionTexts(tree.keep(), pair.judged_predictions, shape, order, is_whole)
    if pair.results is None or content is None or grades.wrong_only or not content.get("details"):
        return None
    details = content["details"]
    layout = TextLayout.of(table_of(details, tree.name, pair.results))
    if layout is None:
        return None
    whole = not isinstance(details, DetailTable)
    grouping, rows = grades.grouping, joined.rows.astype(np.int32)
    return DetailTexts(tree.keep(), pair.results, whole, layout, grouping, rows, shape[1])


FEW = 100_000
"""Predictions of which any share may be missing."""
FAILED_AT_MOST = 20
"""Predictions expected of more, over those there are."""

T = TypeVar("T")


Measuring = Callable[[Run, Answered | None, RecordOrder | None], Run]
"""Adds to a run what was measured of its requests, if anything tells which sample each is."""


def unmeasured(run: Run, _answered: Answered | None, _order: RecordOrder | None) -> Run:
    """Return a run of which nothing was measured."""
    return run


def read_pair(
    tree: Tree,
    pair: Pair,
    folder: Folder,
    config: Config,
    tool: Tool,
    measure: Measuring,
) -> Run:
    """Read one model on one dataset.

    config: Of the run; empty where there is none.
    Returns: Without outcomes where the files do not hold them; a note says what to do.
    """
    notes: list[Note] = []
    errors: list[LoadError] = []

    def attempt(where: str, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except LoadError as error:
            errors.append(error.kept())
            notes.append(findings.note_of_error(error, where))
            return None

    source = pair.results or pair.predictions[0]
    asked = config.asked(pair.model, pair.judged.dataset if pair.judged else pair.dataset)
    predictions = pair.judged_predictions
    answered = content = grades = order = None
    if predictions:
        answered = attempt(predictions[0], partial(count_answered, tree, predictions))
    if pair.results:
        content = attempt(source, partial(read_results, tree, source))
    if content is None and answered is None:
        raise errors[0]
    stated = stated_metrics(content or {}, asked.evaluator)
    unread, lone = len(errors), folder.run_id is None
    if content:
        notes += findings.metric_notes(content, source)
        grades = attempt(
            source, partial(_grade, tree, source, content, answered, asked, stated, tool)
        )
    n = stated_samples(stated) or asked.n or (int(answered.counts.max()) if answered else 1)
    if judged := pair.judged:
        edits = judges_edits(content, asked.evaluator)
        grades = attempt(source, partial(put_back, tree, pair, judged, grades, n, edits, tool))
    if answered is not None:
        shape = grades.verdicts.shape if grades else (0, n)
        order = attempt(predictions[0], partial(_order, tree, predictions, answered, asked, *shape))
    if grades is None and answered and order and not pair.judged:
        answers_read = Predictions(
            tree,
            predictions,
            order,
            order.torn(answered),
            prepared(asked.evaluation),
            order.lost(answered),
        )
        grades = attempt(
            predictions[0], partial(rescore, answers_read, asked.evaluation, stated, tool)
        )
        if grades is not None:
            notes = [replace(note, severity="warning") for note in notes]
    run = partial(Run, pair.model, pair.dataset, reported=stated, source=source, time=folder.time)
    if grades is None:
        if len(errors) == unread:
            has_details = content is not None and "details" in content
            notes += shortfalls.no_outcomes_notes(asked, pair, has_details, folder.run_id, source)
        notes += shortfalls.answered_notes(stated, answered, asked, pair)
        known = unchecked(stated) if len(errors) == unread else {}
        return measure(run(None, notes=tuple(notes), explanations=known), None, None)

    joined, order, doubts = _join(
        grades, answered, order, asked, partial(read_golds, tree, predictions), pair
    )
    if order is None:
        joined = replace(joined, asked=implied_questions(stated, grades))
    store = attempt(source, partial(store_of, tree, pair, content, grades, joined, order))
    torn = grades.rule is not None and answered is not None and bool(answered.torn)
    found, verified = _checked(partial(run, joined.outcomes), stated, grades, joined, torn)
    notes += [
        *(
            [pair.running.note(int(answered.counts.sum()), joined.outcomes.shape[1])]
            if pair.running and answered
            else ()
        ),
        *doubts,
        *findings.outcome_notes(stated, grades, joined, verified, tool, source),
        *shortfalls.request_notes(
            grades, joined, answered, order, asked, pair, verified, lone, source
        ),
    ]
    made = replace(
        found,
        verified=verified,
        notes=tuple(notes),
        threshold=None if joined.outcomes.scores is None else grades.threshold,
        strict=grades.strict,
        rule=grades.rule,
        grouping=grades.grouping.known,
        answers=joined.answers,
        columns=joined.columns,
        labels=joined.labels,
        answer_labels=grades.labels,
        store=store,
    )
    return measure(made, answered, order if joined.by_id else None)


def _join(
    grades: Grades,
    answered: Answered | None,
    order: RecordOrder | None,
    asked: ConfiguredRun,
    golds: Callable[[], Sequence[str | None]],
    pair: Pair,
) -> tuple[Joined, RecordOrder | None, list[Note]]:
    """Join the grades of details with the predictions, unless these are not theirs."""
    by_evaluator = grades.rule is None and not pair.judged
    if by_evaluator and order is not None and order.grouping == "unknown":
        return (
            join(grades, None, None, golds),
            None,
            [shortfalls.unplaced_note(pair.predictions[0])],
        )
    joined = join(grades, answered, order, golds, running=pair.running is not None)
    if not by_evaluator or answered is None or order is None or not joined.by_id:
        return joined, order, []
    foreign = find_foreign_predictions(answered, order, grades, joined.rows, asked.evaluation)
    if foreign is None:
        return joined, order, []
    return (
        join(grades, None, None, golds),
        None,
        [shortfalls.foreign_predictions(*foreign, pair.predictions[0])],
    )


def _checked(
    make: Callable[..., Run],
    stated: Mapping[str, float],
    grades: Grades,
    joined: Joined,
    torn: bool,
) -> tuple[Run, bool | None]:
    """Return a run with what explains its stated numbers, and whether it is verified.

    It is if every mean is as the tool computes it, or as kofn does where the tool is known to be
    wrong; not if one differs and nobody knows why. None if no mean is stated.
    """
    as_the_tool, explanations = explain(stated, grades, joined)
    run = make(explanations=dict.fromkeys(stated, TORN) | explanations if torn else explanations)
    if as_the_tool is None:
        return run, None
    lines = [line for line in compared(run) if not needs_several(line.metric)]
    if not as_the_tool:
        return run, all(line.agrees for line in lines)
    unexplained = (states_mean(line.metric) and line.reason is UNEXPLAINED for line in lines)
    return run, not any(unexplained)


def _grade(
    tree: Tree,
    path: str,
    content: Mapping[str, Any],
    answered: Answered | None,
    asked: ConfiguredRun,
    stated: Mapping[str, float],
    tool: Tool,
) -> Grades | None:
    passed = passed_tests(content.get("eval_results"))
    if passed is not None and not any_test_ran(content["eval_results"]):
        raise tree.error(
            Text(
                "no test ran for any of {programs} programs: every outcome is -1, so the file's "
                "numbers say nothing about them",
                programs=passed.size,
            ),
            Text(
                "The evaluation log says why; often the package pyext is missing, which needs "
                "Python 3.10 or older. Then evaluate again with --mode eval --reuse and the "
                "run's id."
            ),
            f"{path}, eval_results",
        )
    if passed is not None:
        return grade_programs(passed, tool.mixes)
    expected = asked.n or (1 if answered is None else int(answered.counts.max()))
    failures = grade_failures(content, expected)
    if failures is not None or "details" not in content:
        return failures
    details = read_details(content["details"], tree.name, f"{path}, details")
    totals = totals_of(content)
    if totals and totals.questions * totals.n > details.size:
        raise tree.error(
            Text(
                "the details hold {held} of {total} samples, perhaps only the wrong ones",
                held=details.size,
                total=totals.questions * totals.n,
            ),
            Text("Give the outcomes as a Parquet table instead."),
            f"{path}, details",
        )
    if judges_edits(content, asked.evaluator):
        unknown = [None] * details.size
        about = map(as_text, details.references or unknown)
        return grade_edits(details.answers or unknown, list(about))
    n = details.n
    if n is None:
        ids = 0 if answered is None else len(answered.counts)
        n = samples_per_question(details, (asked.n or 0, details.size // ids if ids else 0))
    return grade(details, n, stated, asked.evaluator, tool.mixes)


def _order(
    tree: Tree, files: Sequence[str], answered: Answered, asked: ConfiguredRun, kept: int, n: int
) -> RecordOrder:
    per_id = asked.per_id(n, answered.numbered)
    held, needed = int(answered.counts.sum()), max(n, per_id * len(answered.counts))
    if needed > max(FEW, FAILED_AT_MOST * held):
        raise tree.error(
            Text(
                "holds {held} predictions where ids and metrics speak of {needed}",
                held=held,
                needed=needed,
            ),
            Text("Copy the file again in full, or give the outcomes as a Parquet table."),
            files[0],
        )
    return find_order(tree, files, answered, kept, n, per_id)
