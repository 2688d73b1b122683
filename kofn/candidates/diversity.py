"""How much the candidates of a run differ; texts are compared as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from kofn.choices.view import View
from metrics.analyses.diversity.diversity import Diversity, diversity
from metrics.analyses.diversity.texts import TextDiversity, text_diversity
from metrics.data.words import MetricError, Text
from reports.files.progress import Progress, meter
from reports.run.report import Run
from reports.run.texts import Store

DISTANCE = "_distance"
"""How the name of a column ends that says how far apart embeddings lie."""


def measure_texts(run: Run, progress: Progress | None = None) -> TextDiversity:
    """Measure how much the predictions of each question differ.

    progress: Told how many questions of how many are read; if it raises, that ends.
    Returns: Of the questions of the outcomes, in their order.
    """
    if run.store is None or run.outcomes is None:
        raise MetricError(Text("The file holds no texts to compare."))
    return run.store.apply(partial(_measured, questions=len(run.outcomes.questions)), progress)


def measure_diversity(run: Run, view: View, texts: TextDiversity | None = None) -> Diversity:
    """Say how much the candidates of a run differ, by answers, embeddings and texts.

    texts: From `measure_texts`, which takes a while.
    """
    distances = [name for name in run.question_columns if name.endswith(DISTANCE)]
    return diversity(run, texts=texts, distance=next(iter(distances), None), **view.asked)


def _measured(store: Store, progress: Progress | None, *, questions: int) -> TextDiversity:
    at = meter(progress, questions)
    rows: list[int] = []

    def each() -> Iterator[Sequence[str | None]]:
        for row, predictions in store.read_predictions(questions):
            at("", len(rows))
            rows.append(row)
            yield predictions

    diversity = text_diversity(each())
    place = np.full(questions, -1)
    place[rows] = np.arange(len(rows))
    return diversity.take(place)
