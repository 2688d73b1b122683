"""How long lists and diversity take for many questions.

KOFN_BENCHMARK_QUESTIONS sets of how many the texts are read from a file; the promise is for 10000.
"""

import os
from collections import Counter
from itertools import combinations
from time import thread_time

import msgspec
import numpy as np
import pytest

from kofn.candidates.diversity import measure_texts
from metrics import answer_diversity, diversity, first_pass, ndcg, text_diversity
from reports import load

QUESTIONS = int(os.environ.get("KOFN_BENCHMARK_QUESTIONS", 500))

pytestmark = pytest.mark.benchmark(timer=thread_time)


@pytest.mark.parametrize("kind", ["all unlike", "in tenths"])
@pytest.mark.parametrize("ask", [ndcg, first_pass])
def test_lists(side_by_side, ask, kind):
    rng = np.random.default_rng(0)
    right = (rng.random((100_000, 64)) < rng.beta(1, 2, (100_000, 1))).astype(np.int8)
    signal = right + rng.normal(size=right.shape)
    signal = signal if kind == "all unlike" else np.round(signal, 1)
    side_by_side(
        f"{ask.__name__} for all k with intervals, signal {kind}, 100k x 64",
        lambda: ask(right, by=signal),
        lambda: np.argsort(signal, axis=1),
        against="np.argsort of the signal",
    )


def test_answers(side_by_side):
    rng = np.random.default_rng(0)
    right = (rng.random((1_000_000, 16)) < rng.beta(1, 2, (1_000_000, 1))).astype(np.int8)
    answers = np.where(right, 0, np.minimum(rng.geometric(0.4, right.shape), 9))
    side_by_side(
        "diversity of answers, against success, 1M x 16",
        lambda: diversity(right, answers=answers),
        lambda: np.sort(answers, axis=1),
        against="np.sort of the answers",
    )
    assert answer_diversity(answers[:1]).number[0] >= 1


def written(kind, questions, letters):
    """Texts of 16 candidates a question: of each 60 words of 100 are those of all."""
    rng = np.random.default_rng(0)
    if kind == "Chinese":
        words, between, length = [chr(0x4E00 + i) for i in range(3000)], "", letters // 3
    else:
        size = rng.integers(2, 9, 20_000)
        words = ["".join(map(chr, rng.integers(97, 123, n))) for n in size.tolist()]
        between, length = " ", letters // 6
    chance = 1 / np.arange(1.0, len(words) + 1)
    chance /= chance.sum()
    for _ in range(questions):
        shared = rng.choice(len(words), length, p=chance)
        own = rng.choice(len(words), (16, length), p=chance)
        each = np.where(rng.random(own.shape) < 0.4, own, shared)
        yield [between.join(words[i] for i in row) for row in each.tolist()]


def by_pairs(groups):
    """The same overlaps by a plain count of each pair."""
    for texts in groups:
        counts = [Counter(text.split() if " " in text else text) for text in texts]
        overlaps = [(a & b).total() for a, b in combinations(counts, 2)]
        assert overlaps


@pytest.mark.parametrize("kind", ["English", "Chinese"])
def test_texts(side_by_side, kind):
    groups = list(written(kind, 50, 2048))
    side_by_side(
        f"diversity of texts of 2 KB, {kind}, 50 x 16",
        lambda: text_diversity(groups),
        lambda: by_pairs(groups),
        against="collections.Counter of each pair",
        limit=50 / 10_000 * 30,
    )


def test_texts_of_a_file(side_by_side, tmp_path):
    path = tmp_path / "t.jsonl"
    with path.open("wb") as file:
        for q, texts in enumerate(written("English", QUESTIONS, 2048)):
            for s, said in enumerate(texts):
                row = {"question_id": q, "sample": s, "correct": s % 2, "response": said}
                file.write(msgspec.json.encode(row) + b"\n")
    (run,) = load(path).runs
    run.find_texts()
    side_by_side(
        f"diversity of texts of 2 KB with reading them, {QUESTIONS} x 16",
        lambda: measure_texts(run),
        lambda: sum(1 for _ in run.store.read_predictions(QUESTIONS)),
        against="reading them alone",
        limit=QUESTIONS / 10_000 * 30,
    )
