"""Five checkpoints of a fine-tuned model, and the number that a paper states of the last.

The later a checkpoint, the more it solves. It also checks itself at length, so that more answers
end at the limit of tokens, and it forgets the form in which the rule looks for an answer, so that
some right answers count as wrong. Its score is therefore below the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
import pyarrow as pa

from sample_data import word_problems
from sample_data.attempts import replicas, requests
from sample_data.candidates import DATASET, OPENINGS, QUESTIONS, chances, problem
from sample_data.question import Answer, Question

SAMPLES = 8
LIMIT = 96
"""Tokens after which an answer is cut."""
PAPER = "63.6%"
EXPECTED = (
    "dataset,model,metric,value,n,questions,source,temperature,max_tokens\n"
    f'{DATASET},cedar-14b-ckpt-2500,avg@n,{PAPER},8,400,"Tuning cedar, table 2",0.7,1024\n'
)
_HASTY = 0.01
"""The share of wrong answers that name the right one first, which the rule takes."""
_SLIPS = 0.6
"""The share of wrong answers that miscount as well, each in its own way."""
_LETTERS = 3.6
"""Letters of a token."""


@dataclass(frozen=True)
class Checkpoint:
    """What sets a checkpoint apart.

    Attributes
    ----------
    step : int
    skill : float
        Added to the logit of a question's chance.
    cut : float
        Share of answers that end at the limit.
    loose : float
        Share of answers whose last line the rule cannot read.
    """

    step: int
    skill: float
    cut: float
    loose: float


CHECKPOINTS = (
    Checkpoint(500, 0.15, 0.0, 0.0),
    Checkpoint(1000, 0.45, 0.005, 0.0),
    Checkpoint(1500, 0.8, 0.01, 0.005),
    Checkpoint(2000, 1.1, 0.02, 0.015),
    Checkpoint(2500, 1.3, 0.03, 0.03),
)


def checkpoints(seed: int) -> pa.Table:
    """Ask every checkpoint the questions of the candidates, which the base model answered.

    Returns
    -------
    pyarrow.Table
        One row a sample.
    """
    asked = word_problems.questions(QUESTIONS, Random(f"{seed} candidates"))
    return pa.concat_tables(_run(checkpoint, asked, seed) for checkpoint in CHECKPOINTS)


def _run(checkpoint: Checkpoint, asked: tuple[Question, ...], seed: int) -> pa.Table:
    rng = Random(f"{seed} checkpoint {checkpoint.step}")
    solved = chances(np.random.default_rng([seed, 2]))
    done = requests(asked, solved, SAMPLES, checkpoint.skill, 0, OPENINGS, rng)
    answers = [
        _written(answer, question, checkpoint, rng)
        for question, row in zip(asked, replicas(done, SAMPLES), strict=True)
        for answer in row
        if answer is not None
    ]
    cut = [answer.pred == "" for answer in answers]
    tokens = [min(LIMIT - 1, round(len(answer.text) / _LETTERS)) for answer in answers]
    return pa.table(
        {
            "model": [f"cedar-14b-ckpt-{checkpoint.step}"] * len(answers),
            "dataset": [DATASET] * len(answers),
            "question_id": np.repeat([f"everyday-{i:03}" for i in range(QUESTIONS)], SAMPLES),
            "sample": np.tile(np.arange(SAMPLES, dtype=np.int16), QUESTIONS),
            "correct": [answer.score == 1 for answer in answers],
            "prompt": np.repeat([problem(each.prompt) for each in asked], SAMPLES),
            "reference": np.repeat([each.reference for each in asked], SAMPLES),
            "text": [answer.text for answer in answers],
            "extracted": [answer.pred for answer in answers],
            "finish_reason": ["length" if each else "stop" for each in cut],
            "tokens_out": np.where(cut, LIMIT, tokens).astype(np.int16),
            "temperature": [0.7] * len(answers),
            "max_tokens": [LIMIT] * len(answers),
        }
    )


def _written(answer: Answer, question: Question, checkpoint: Checkpoint, rng: Random) -> Answer:
    """Write an answer as a checkpoint does: at length and cut, loosely, hastily or plainly."""
    steps, asked, value = answer.text.partition("\nanswer:")
    right, lot = question.reference, rng.random()
    if lot < checkpoint.cut:
        again = f"{steps} Let me go over this once more. "
        return Answer((again * LIMIT)[: round(LIMIT * _LETTERS)], "", 0.0)
    if not asked:
        return answer
    if not answer.score and rng.random() < _SLIPS:
        value = str(int(right) + rng.randint(1, 60))
    if lot < checkpoint.cut + checkpoint.loose:
        return Answer(f"{steps} Therefore, the answer is **{value}**.", "NULL", 0.0)
    if not answer.score and rng.random() < _HASTY:
        slip = f"answer:{right}\nWait, that is a slip. {steps}"
        return Answer(f"{slip}\nTherefore, the final answer is {value}.", right, 1.0)
    return Answer(f"{steps}\nanswer:{value}", value, answer.score)
