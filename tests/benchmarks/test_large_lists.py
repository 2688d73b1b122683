"""How long a list of 100 000 questions takes: statistics, filters, orders, strips."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.questions.analysis import run_questions
from kofn.questions.figures import lay_out
from kofn.questions.filters import QuestionFilter
from kofn.questions.kinds import search, select
from metrics import Outcomes
from reports.run.report import Run

M, N = 100_000, 64


@pytest.fixture(scope="module")
def run():
    rng = np.random.default_rng(11)
    correct = (rng.random((M, N)) < rng.beta(1, 1, (M, 1))).astype(np.int8)
    answers = np.where(correct == 1, 0, rng.integers(1, 4, (M, N))).astype(np.int8)
    ids = [f"question-{i}" for i in range(M)]
    levels = {"level": rng.choice(["easy", "hard"], M)}
    outcomes = Outcomes(correct, questions=ids, segments=levels)
    return Run("7B", "maths", outcomes, answers=answers, answer_labels=["42", "1", "2", "3"])


@pytest.fixture(scope="module")
def questions(run):
    found = run_questions("7B / maths", run, View())
    assert len(found.names) == M
    return found


def test_what_is_known_of_each(benchmark, run):
    benchmark(run_questions, "7B / maths", run, View())


@pytest.mark.parametrize(
    "chosen",
    [
        QuestionFilter(kind="flaky", sort="right"),
        QuestionFilter(kind="confidently-wrong", sort="answer", down=True),
        QuestionFilter(sort="question"),
        QuestionFilter(kind="a-beats-b", right=(0.6, 0.9)),
    ],
    ids=["flaky", "confidently wrong", "by name", "against another"],
)
def test_a_filter(benchmark, questions, chosen):
    benchmark(select, questions, [questions], chosen)


def test_a_search_of_names(benchmark, questions):
    benchmark(search, questions, "question-12", None)


def test_strips(benchmark, questions):
    benchmark(questions.strips, np.arange(M))


def test_a_picture(benchmark, questions):
    benchmark(lay_out, [questions, questions])
