"""Human labels for samples of a run: a list that kofn drew, filled in and loaded again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.judges.spot_check import SpotCheck
from metrics.data.outcomes import ABSENT, Outcomes
from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.run.calibration import Calibration
from reports.run.report import Report, Run
from reports.run.texts import Texts

if TYPE_CHECKING:
    from pandas import DataFrame

_OF_SAMPLES = ("human", "human_unsure", "human_probability")
_OF_QUESTIONS = ("human_group", "human_group_probability")


def add_labels(run: Run, labels: Calibration) -> Run:
    """Return a run with human labels that were loaded separately.

    Parameters
    ----------
    run : Run
    labels : Calibration
        Matched by question and sample, and by model and dataset where these are named.

    Returns
    -------
    Run
        With ``human``, ``human_unsure`` and ``human_probability`` among its columns, or
        ``human_group`` and ``human_group_probability`` among those of questions.

    Raises
    ------
    LoadError
        If a label is of a question or sample that the run does not have, or the run has another
        label there.

    Examples
    --------
    >>> from kofn.metrics import Outcomes
    >>> from kofn.reports import Calibration
    >>> run = Run("7B", "aime", Outcomes([[1, 0], [1, 1]], questions=["a", "b"]))
    >>> labels = Calibration("filled.csv", ["b"], {"human": np.array([[1.0, 0.0]])})
    >>> add_labels(run, labels).columns["human"].tolist()
    [[nan, nan], [1.0, 0.0]]
    """
    rows = _rows(run, labels)
    if run.outcomes is None or not rows:
        raise _unfit(run, labels, Text("holds no label of {run}", run=_called(run)))
    mine, places = (np.array(each) for each in zip(*rows.items(), strict=True))
    if (places < 0).any():
        odd = labels.questions[int(mine[np.argmax(places < 0)])]
        raise _unfit(run, labels, Text("{run} has no question {id}", run=_called(run), id=odd))
    columns = {
        name: _of_samples(run, run.outcomes, labels, name, mine, places)
        for name in _OF_SAMPLES
        if name in labels.columns
    }
    once = {
        name: _joined(
            run,
            labels,
            run.question_columns.get(name, np.full(len(run.outcomes.questions), np.nan)),
            (places,),
            labels.question_columns[name][mine],
        )
        for name in _OF_QUESTIONS
        if name in labels.question_columns
    }
    return replace(
        run,
        columns={**run.columns, **columns},
        question_columns={**run.question_columns, **once},
    )


def to_fill_in(run: Run, listed: SpotCheck) -> DataFrame:
    """Return a list of samples of a run as the table that a person fills in and loads again.

    It has the texts, where the run keeps some, and not what a judge said.
    """
    table = listed.to_frame()
    table.insert(0, "model", run.model)
    table.insert(1, "dataset", run.dataset)
    if not run.has_texts or listed.groups:
        return table
    asked: dict[str, Texts] = {}
    columns: dict[str, list[str | None]] = {"prompt": [], "reference": [], "prediction": []}
    for question, sample in zip(listed.question_id.tolist(), listed.sample.tolist(), strict=True):
        if question not in asked:
            asked[question] = run.texts(question)
        texts = asked[question]
        columns["prompt"].append(texts.prompt[-1].text if texts.prompt else None)
        columns["reference"].append(texts.reference)
        columns["prediction"].append(texts.predictions[sample])
    for name, values in columns.items():
        if any(value is not None for value in values):
            table[name] = values
    return table


def with_labels(reports: Sequence[Report]) -> tuple[list[Report], list[Text]]:
    """Give every filled list to the run that it was drawn from.

    Returns: The reports, and why a list was given to none.
    """
    lists = [each for report in reports for each in report.calibrations if each.spot_check]
    labelled = {id(run): run for report in reports for run in report.runs}
    refused = []
    for labels in lists:
        try:
            for place in _runs_of_labels(labelled, labels):
                labelled[place] = add_labels(labelled[place], labels)
        except LoadError as error:
            refused.append(error.text)
    if not lists:
        return list(reports), []

    def found(runs: Sequence[Run]) -> tuple[Run, ...]:
        return tuple(labelled.get(id(run), run) for run in runs)

    return [
        replace(
            report,
            runs=found(report.runs),
            suites=tuple(replace(suite, runs=found(suite.runs)) for suite in report.suites),
        )
        for report in reports
    ], refused


def _runs_of_labels(runs: Mapping[int, Run], labels: Calibration) -> list[int]:
    """Return the runs that labels are of: those they name, or the only one that they fit."""
    held = {place: run for place, run in runs.items() if run.outcomes is not None}
    named = [place for place, run in held.items() if _rows(run, labels)]
    if not named:
        raise LoadError(
            labels.name,
            Text("holds labels, but of none of the loaded runs"),
            Text("Load the report that the list was drawn from as well."),
        )
    if any(labels.models) and any(labels.datasets):
        return named
    fitting = [place for place in named if min(_rows(held[place], labels).values()) >= 0]
    if len(fitting) > 1:
        raise LoadError(
            labels.name,
            Text(
                "could belong to several runs: {runs}",
                runs=some_of((_called(held[place]) for place in fitting), len(fitting)),
            ),
            Text("Name the run in columns model and dataset."),
        )
    return fitting or named


def _rows(run: Run, labels: Calibration) -> dict[int, int]:
    """Return the row in a run of each question that is labelled as one of it, -1 for none."""
    size = len(labels.questions)
    models, datasets = (each or [""] * size for each in (labels.models, labels.datasets))
    mine = [
        place
        for place, model, dataset in zip(range(size), models, datasets, strict=True)
        if model in ("", run.model) and dataset in ("", run.dataset)
    ]
    if run.outcomes is None:
        return {}
    asked = run.outcomes.questions.places([labels.questions[place] for place in mine])
    return dict(zip(mine, asked.tolist(), strict=True))


def _of_samples(
    run: Run,
    outcomes: Outcomes,
    labels: Calibration,
    name: str,
    mine: NDArray[np.intp],
    rows: NDArray[np.intp],
) -> NDArray[np.float64]:
    values = labels.columns[name][mine]
    known = ~np.isnan(values)
    within, columns = np.nonzero(known)
    places = columns if labels.samples is None else labels.samples[mine][known]
    inside = (places >= 0) & (places < outcomes.shape[1])
    held = inside & (outcomes.correct[rows[within], np.where(inside, places, 0)] != ABSENT)
    if not held.all():
        odd = int(np.argmin(held))
        problem = Text(
            "question {id} of {run} has no sample {sample}",
            id=labels.questions[int(mine[within[odd]])],
            run=_called(run),
            sample=int(places[odd]),
        )
        raise _unfit(run, labels, problem)
    before = run.columns.get(name, np.full(outcomes.shape, np.nan))
    return _joined(run, labels, before, (rows[within], places), values[known])


def _joined(
    run: Run,
    labels: Calibration,
    before: NDArray[np.float64],
    places: tuple[NDArray[np.intp], ...],
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Put values in their places, unless others stand there."""
    there = before[places]
    differs = ~np.isnan(there) & ~np.isnan(values) & (there != values)
    if differs.any():
        row = int(places[0][np.argmax(differs)])
        assert run.outcomes is not None
        problem = Text(
            "question {id} of {run} already has a different label or chance",
            id=run.outcomes.questions[row],
            run=_called(run),
        )
        raise _unfit(run, labels, problem)
    whole = before.astype(np.float64)
    whole[places] = np.where(np.isnan(values), there, values)
    return whole


def _called(run: Run) -> str:
    return f"{run.model} / {run.dataset}"


def _unfit(run: Run, labels: Calibration, problem: Text) -> LoadError:
    return LoadError(
        labels.name,
        problem,
        Text("Fill in the list that was drawn from this very run, and change no other column."),
    )
