"""Turn the number of right answers to each question into runs of LightEval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.lighteval.files import Stating, dataset_of, date_of, results_for
from reports.harnesses.lighteval.metrics import ChosenMetric, chosen, gives, metric_of
from reports.harnesses.lighteval.rows import Row, RowTexts, rows_of
from reports.rescoring.repeats.counted import AskedQuestion
from reports.run.reasons import OF_OTHERS
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.samples.counted import NOWHERE, Counted, counted
from reports.samples.dividing import Dividing
from reports.samples.gathering import Sample, gather
from reports.samples.verdict_choice import VerdictChooser, same_verdicts


def runs_of(tree: Tree, path: str, stated_by: Stating, asking: VerdictChooser) -> Iterator[Run]:
    """Read the details of a task."""
    rows = list(rows_of(tree, path))
    if not rows:
        raise tree.error(
            Text("holds no questions"), Text("Load details of a task that was run."), path
        )
    answers = max(len(row.predictions) for row in rows)
    metrics = [row.metrics for row in rows]
    metric = chosen(tree, path, metrics, answers or 1, asking)
    counted = _count_right(rows, metric)
    ids = [row.question for row in rows]
    order = sorted(ids, key=int) if all(map(str.isdecimal, ids)) else ids
    samples = _samples(rows, metric, counted)
    held = gather(samples, tree.name, path, questions=order)
    stated = results_for(tree, path, rows[0].task, stated_by(path))
    store = RowTexts(tree.later(), tree.keep(), path, held.records, held.slots)
    n = held.outcomes.shape[1]
    reported = {name: value for name, value in stated.means.items() if name in metrics[0]}
    counterparts, explanations = _counterparts(reported, metric)
    limits = {"max_tokens": rows[0].limit} if stated.settings.get("max_tokens") is None else {}
    yield held.run(
        stated.named.model,
        dataset_of(rows[0].task),
        source=path,
        store=store,
        notes=[
            *(counted.notes(path) if counted else ()),
            *_first_only(metric, answers, path),
            *same_verdicts(metric.name, metric.alike, path),
            *stated.named.notes,
        ],
        reported=reported,
        counterparts=counterparts,
        cut=[*cut_short(path, len(rows), stated.questions, Text("questions"))],
        explanations=explanations,
        settings={**stated.settings, **limits, "n": n, "evaluator": metric.name},
        time=date_of(path),
        rule=counted.rule.name if counted and counted.rule else None,
    )


def _count_right(rows: Sequence[Row], metric: ChosenMetric) -> Counted | None:
    """Say which answers are right; None where a metric is of the only answer."""
    if metric.counts is None:
        return None
    asked = [
        AskedQuestion(
            row.golds[0] if len(row.golds) == 1 else "",
            [*row.predictions[: metric.n], *([None] * (metric.n - len(row.predictions)))],
        )
        for row in rows
    ]
    return counted(asked, metric.counts, partial(gives, metric, [row.metrics for row in rows]))


def _samples(
    rows: Sequence[Row], metric: ChosenMetric, counted: Counted | None
) -> Iterator[Sample]:
    dividing = Dividing()
    for row in rows:
        dividing.add(row.record, row.golds[0] if row.golds else None)
    for number, row in enumerate(rows):
        segments = dividing.labels(row.record)
        if counted is None:
            yield Sample(
                row.question,
                0,
                score=row.metrics[metric.name],
                prediction=row.predictions[0] if row.predictions else None,
                measured=_measured(row, 0),
                segments=segments,
                record=number,
            )
            continue
        for slot, right in enumerate(counted.right[number]):
            prediction = (
                row.predictions[slot] if counted.is_known and slot < len(row.predictions) else None
            )
            yield Sample(
                row.question,
                slot,
                right,
                extracted=counted.answers[number][slot],
                prediction=prediction,
                measured=_measured(row, slot) if counted.is_known else {},
                segments=segments,
                record=number,
                slot=slot if counted.is_known else NOWHERE,
            )


def _measured(row: Row, slot: int) -> dict[str, float | None]:
    spent = row.tokens_out
    return {
        "tokens_in": row.tokens_in,
        "tokens_out": spent[slot] if slot < len(spent) else None,
    }


def _counterparts(
    reported: Mapping[str, float], chosen: ChosenMetric
) -> tuple[dict[str, str], dict[str, Text]]:
    """Return what kofn calls the means, and why some are not those of the samples."""
    counterparts: dict[str, str] = {}
    explanations: dict[str, Text] = {}
    mine = metric_of(chosen.name)
    for name in reported:
        metric = metric_of(name)
        if chosen.counts is None:
            if name == chosen.name:
                counterparts[name] = "avg@1"
        elif metric is not None:
            same_family = mine is not None and metric.family == mine.family
            counterparts[name] = f"pass@{metric.k}"
            if not same_family or (metric.n or chosen.n) != chosen.n:
                explanations[name] = OF_OTHERS
    return counterparts, explanations


def _first_only(metric: ChosenMetric, answers: int, path: str) -> Iterator[Note]:
    if metric.n < answers:
        what = Text(
            "Of {answers} answers to each question the first {n} were scored; the others are left "
            "out.",
            answers=answers,
            n=metric.n,
        )
        yield Note(what, path, severity="warning")
