"""What kofn answers, in a sentence and a picture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

import metrics
from charts.saturation import Growth, saturation
from charts.theme import Stretch
from kofn.saturation.words import saturation_words
from metrics.data.names import MetricName
from metrics.data.words import Text, plain

ANSWERS = Text("Which model to use, how sure that is, and how many tries are worth paying for.")
EXAMPLE = Text(
    "An example: {questions} questions, {tries} tries at each. The lines say how many of them are "
    "solved if k tries are paid for, the bands how sure that is (95% intervals).",
    questions=100,
    tries=64,
)
SHOWN: Mapping[MetricName, Text] = {
    "pass@k": Text("answers checked"),
    "maj@k": Text("answers voted"),
    "pass^k": Text("all answers right"),
}
"""What is drawn, and what each metric stands for."""


def introduce() -> go.Figure:
    """Draw what tries bring, checked, voted and every time, for one example."""
    rng = np.random.default_rng(7)
    chances = rng.beta(0.7, 0.5, size=(EXAMPLE.fields["questions"], 1))
    tried = rng.random((len(chances), EXAMPLE.fields["tries"])) < chances
    tries = [1, 3, 5, 9, 17, 33, tried.shape[1]]
    drawn = [
        _growth(plain(name), number, metrics.curve(tried, metric, tries))
        for number, (metric, name) in enumerate(SHOWN.items())
    ]
    title = Text("Questions solved, in percent")
    figure = saturation(drawn, title, logarithmic=True, words=saturation_words())
    return figure.update_layout(height=400)


def _growth(name: str, number: int, curve: metrics.Curve) -> Growth:
    nothing = np.array([])
    nowhere = Stretch(nothing, nothing, nothing, nothing)
    measured = Stretch(curve.k, curve.value, curve.low, curve.high)
    return Growth(name, number, measured, nowhere, nowhere, nowhere, nothing.astype(bool), True)
