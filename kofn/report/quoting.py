"""Answers with doubtful verdicts, in full, where texts may be shared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

import numpy as np

from kofn.trust.words import KINDS_CALLED
from kofn.writing.joining import with_name
from metrics.data.words import Enumerated, Text, printable
from reports import audit
from reports.files.errors import LoadError
from reports.run.report import Run

DOUBTFUL = ("missed", "generous", "divided", "unsupported")
"""The kinds of verdicts that are quoted, the surest first."""
A_KIND = 5
"""Answers of a kind that are quoted of each run."""


class Quoted(NamedTuple):
    """One answer. All texts are untrusted."""

    run: str
    question: str
    sample: int  # From 0 on.
    kind: str  # Of `DOUBTFUL`.
    # Empty where none is kept.
    prompt: str
    reference: str
    prediction: str

    @property
    def title(self) -> str:
        """Of what kind it is, and whose."""
        number = Text("sample {number}", number=self.sample + 1)
        whose = Enumerated((self.run, self.question, number))
        return printable(str(with_name(KINDS_CALLED[self.kind], whose)))


def quote_answers(runs: Mapping[str, Run]) -> list[Quoted]:
    """Quote the first doubtful answers of each run whose texts can be read."""
    return [each for key, run in runs.items() for each in _of_run(key, run)]


def _of_run(key: str, run: Run) -> Iterator[Quoted]:
    try:
        kinds = audit(run).kinds
    except LoadError:
        return
    for kind in DOUBTFUL:
        for row, column in islice(np.argwhere(kinds == kind).tolist(), A_KIND):
            yield _quote(key, run, row, column, kind)


def _quote(key: str, run: Run, row: int, column: int, kind: str) -> Quoted:
    assert run.outcomes is not None
    question = run.outcomes.questions[row]
    texts = run.texts(question)
    return Quoted(
        key,
        question,
        column,
        kind,
        texts.prompt[-1].text if texts.prompt else "",
        texts.reference or "",
        texts.predictions[column] or "",
    )
