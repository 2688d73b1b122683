"""Why more tries than there are samples cannot be foretold, and why to doubt what is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metrics.data.evidence import Evidence
from metrics.data.results import Backtest, Interval
from metrics.data.tally import Tally
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS

FEWEST_SAMPLES = 2
"""How many samples of every question a model needs."""


def too_little(n_questions: int, n: int) -> Iterator[Text]:
    """Yield why the data are too few for a model."""
    if n < FEWEST_SAMPLES:
        yield Text(
            "One sample per question does not show how much questions differ in difficulty. A "
            "model needs at least {least}.",
            least=FEWEST_SAMPLES,
        )
    if n_questions < FEW_QUESTIONS:
        yield Text(
            "{count} question is too few to fit a model of the difficulties, which needs {least}.",
            "{count} questions are too few to fit a model of the difficulties, which needs "
            "{least}.",
            count=n_questions,
            least=FEW_QUESTIONS,
        )


def contradiction(label: str, foretold: float, measured: Interval) -> Iterator[Text]:
    """Yield that the model misses what was measured, where it does."""
    if not measured.low <= foretold <= measured.high:
        yield Text(
            "The model does not fit: it gives {label} = {foretold:.1%}, but {low:.1%} to "
            "{high:.1%} was measured.",
            label=label,
            foretold=foretold,
            low=measured.low,
            high=measured.high,
        )


def too_far(farthest: int, times: int, bounded: bool) -> Text:
    """Say that no model is carried beyond a k; `bounded` if something holds without one."""
    if bounded:
        return Text(
            "Beyond k = {farthest}, {times} times the samples, no model can be trusted. Only "
            "the bounds remain, which hold whatever the difficulties are.",
            farthest=farthest,
            times=times,
        )
    return Text(
        "Beyond k = {farthest}, {times} times the samples, no model can be trusted.",
        farthest=farthest,
        times=times,
    )


def backtest_caveats(label: str, backtest: Backtest | None, measured: Interval) -> Iterator[Text]:
    """Yield that half of the samples foretell the rest badly, where they do."""
    if backtest is not None and not measured.low <= backtest.predicted <= measured.high:
        yield Text(
            "Half of the samples would have predicted {label} = {predicted:.1%}, but "
            "{observed:.1%} was measured. Expect larger errors the further the forecast goes.",
            label=label,
            predicted=backtest.predicted,
            observed=backtest.observed,
        )


def one_verdict_caveats(tally: Tally) -> Iterator[Text]:
    """Yield that nothing was seen of what the model foretells, where all verdicts are alike."""
    if np.all(tally.c == 0):
        yield Text("No sample is right, so the line rests on the model's assumptions.")
    if np.all(tally.c == tally.n):
        yield Text("Every sample is right, so the line rests on the model's assumptions.")


def group_caveats(evidence: Evidence, bounded: bool) -> Iterator[Text]:
    """Yield that the model does not know of groups of questions, where there are any."""
    if evidence.clusters is None:
        return
    yield Text("Questions come in groups. The model ignores that, so its band may be too narrow.")
    if bounded:
        yield Text("The bounds allow for groups of questions.")
