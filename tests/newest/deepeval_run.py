"""Sums as test cases of DeepEval: ``deepeval_run.py MODEL``."""

import sys

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig
from deepeval.metrics import ExactMatchMetric
from deepeval.test_case import LLMTestCase
from model import QUESTIONS, SAMPLES, answer, question

MODEL = sys.argv[1]
evaluate(
    [
        LLMTestCase(
            input=question(a, b),
            actual_output=answer(MODEL, a, b, nth),
            expected_output=str(a + b),
        )
        for a, b in QUESTIONS
        for nth in range(SAMPLES)
    ],
    [ExactMatchMetric()],
    hyperparameters={"model": MODEL, "temperature": 0.7},
    async_config=AsyncConfig(run_async=False),
)
