"""A run of which one of several candidates must be picked: selectors, a judge, labels and texts.

reward-v1 likes what sounds certain, right or wrong, so that more candidates serve it worse in the
end; reward-v2 does not, and finds a third of what an oracle would.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sample_data import word_problems
from sample_data.attempts import replicas, requests

DATASET = "everyday maths"
QUESTIONS = 400
SAMPLES = 16
LABELS = 300
OPENINGS = ("", "Let me work this out. ", "Step by step: ", "What is given leads to this. ")
BOAST = "I checked this twice and am certain. "
_BOASTING = 0.035
"""The share of wrong answers that boast."""


def candidates(seed: int) -> pa.Table:
    """Answer every question, score every answer, and draw those that a person looks at.

    Returns
    -------
    pyarrow.Table
        One row a sample.
    """
    rng = np.random.default_rng([seed, 2])
    questions = word_problems.questions(QUESTIONS, Random(f"{seed} candidates"))
    solved = chances(rng)
    done = requests(
        questions, solved, SAMPLES, 0.0, 0, OPENINGS, Random(f"{seed} candidates answered")
    )
    answers = [answer for row in replicas(done, SAMPLES) for answer in row if answer is not None]
    right = np.array([answer.score for answer in answers])
    boasting = (right == 0) & (rng.random(right.shape) < _BOASTING)
    texts = [
        BOAST + answer.text if boasts else answer.text
        for answer, boasts in zip(answers, boasting.tolist(), strict=True)
    ]
    liking = rng.normal(0, 1, (QUESTIONS, 1)).repeat(SAMPLES, axis=1).ravel()
    tokens = np.rint(np.array([len(text) for text in texts]) * rng.uniform(0.9, 1.4, right.shape))
    easy = np.repeat(solved, SAMPLES) - 0.5
    judge = 1 / (1 + np.exp(-(0.35 * right + 3 * easy + rng.normal(-0.3, 0.8, right.shape))))
    human, chance = _labels(right, rng)
    place, first, second = rng.normal(0, 1, (3, *right.shape))
    return pa.table(
        {
            "model": ["cedar-14b-chat"] * len(right),
            "dataset": [DATASET] * len(right),
            "question_id": np.repeat([f"everyday-{i:03}" for i in range(QUESTIONS)], SAMPLES),
            "sample": np.tile(np.arange(SAMPLES, dtype=np.int16), QUESTIONS),
            "correct": right == 1,
            "prompt": np.repeat([problem(each.prompt) for each in questions], SAMPLES),
            "reference": np.repeat([each.reference for each in questions], SAMPLES),
            "text": texts,
            "extracted": [answer.pred for answer in answers],
            "position": _places(right + 2.5 * place),
            "reward-v2": _rounded(liking + 0.62 * right + second),
            "reward-v1": _rounded(liking + 0.7 * right + 5 * boasting + first),
            "judge": _rounded(judge),
            "human": pa.array(human, pa.float32(), from_pandas=True),
            "human_probability": pa.array(chance, pa.float32()),
            "tokens_out": tokens.astype(np.int16),
            "latency_s": (0.4 + tokens / 80).round(1).astype(np.float32),
            "cost": (tokens * 0.6e-6).round(7),
            "judge_version": ["2026-08"] * len(right),
            "prompt_version": ["plain-3"] * len(right),
        }
    )


def chances(rng: np.random.Generator) -> list[float]:
    """Draw the chance of solving each question: near 1, near 0 or anything between."""
    easy, hopeless = rng.beta(30, 1, QUESTIONS), rng.beta(1, 200, QUESTIONS)
    kind = rng.choice(3, QUESTIONS, p=[0.2, 0.21, 0.59])
    chance = np.choose(kind, [easy, hopeless, rng.beta(1, 1, QUESTIONS)])
    return [float(each) for each in chance.clip(1e-6, 1 - 1e-6)]


def _labels(
    right: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Let a person look at one sample each of some questions; return labels and their chances."""
    drawn = rng.choice(QUESTIONS, LABELS, replace=False)
    cells = drawn * SAMPLES + rng.integers(0, SAMPLES, LABELS)
    human = np.full(right.shape, np.nan)
    human[cells] = right[cells]
    return human, np.full(right.shape, LABELS / QUESTIONS / SAMPLES)


def _places(liked: NDArray[np.float64]) -> NDArray[np.int16]:
    """Return the place of each sample in the list of its question, from 1."""
    order = np.argsort(-liked.reshape(QUESTIONS, SAMPLES), axis=1)
    return (np.argsort(order, axis=1) + 1).ravel().astype(np.int16)


def problem(prompt: str) -> str:
    """Return what a prompt asks, without how to answer."""
    return prompt.rpartition("Question: ")[2]


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float32]:
    return values.round(2).astype(np.float32)
