"""Tokens estimated from the length of texts, where a file has no counts."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from metrics.data.arrays import Vector
from metrics.data.words import MetricError, Text
from reports.files.progress import Progress
from reports.run.report import Run

QUESTIONS = 200
"""The most questions whose texts are read; they are spread evenly over the run."""
IDEOGRAPH, OTHER = 0.6, 0.3
"""Tokens of a Chinese, Japanese or Korean character, and of any other."""
LENGTHS = Text(
    "{ideograph} tokens for a Chinese, Japanese or Korean character and {other} for any other, as "
    "DeepSeek's API documentation gives them; the model's own tokens may differ by half",
    ideograph=IDEOGRAPH,
    other=OTHER,
)
_IDEOGRAPHS = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, eq=False)
class Tokens:
    """Tokens of some of the questions of a run."""

    # prompt, answer: NaN for questions that were not read, and where nothing is kept. Shape (M, N).
    prompt: Vector
    answer: Vector
    questions: int


def estimate_tokens(run: Run, progress: Progress | None = None) -> Tokens:
    """Estimate the tokens of up to `QUESTIONS` questions.

    progress: Told how far the first look at the texts has come.
    """
    if run.outcomes is None or not run.has_texts:
        raise MetricError(
            Text("The file holds no texts to estimate tokens from; type their mean instead.")
        )
    run.find_texts(progress)
    shape = run.outcomes.shape
    prompt, answer = np.full(shape, np.nan), np.full(shape, np.nan)
    rows = np.unique(np.linspace(0, shape[0] - 1, min(QUESTIONS, shape[0])).astype(int))
    for row in rows.tolist():
        texts = run.texts(run.outcomes.questions[row])
        prompt[row] = sum(tokens_of(turn.text) for turn in texts.prompt)
        for sample, prediction in enumerate(texts.predictions):
            if prediction is not None:
                answer[row, sample] = tokens_of(prediction)
    return Tokens(prompt, answer, len(rows))


def tokens_of(text: str) -> float:
    """Estimate the tokens of a text.

    Examples
    --------
    >>> round(tokens_of("The answer is 42."), 1), round(tokens_of("答案是42。"), 1)
    (5.1, 2.7)
    """
    ideographs = len(_IDEOGRAPHS.findall(text))
    return IDEOGRAPH * ideographs + OTHER * (len(text) - ideographs)
