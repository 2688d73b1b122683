"""The pooled rows of suites, on the real report of two suites."""

from pathlib import Path

import numpy as np
import pytest

from kofn.runs import index_runs
from kofn.scores.scorecard import frame, score_runs
from kofn.scores.suites import pool_suites
from kofn.view import View
from metrics import estimate
from reports import load

REPORT = load(Path(__file__).parent / "data" / "aisbench" / "multi_subset_n4.zip")
RUNS = index_runs([REPORT])
DEFAULT = View()


def pooled(view=DEFAULT):
    return {card.key: card for card in pool_suites([REPORT], score_runs(RUNS, view))}


def score(card, label):
    return next(score for score in card.scores if score.label == label)


def test_a_suite_is_the_weighted_mean_of_its_datasets():
    cards = pooled(View(k=(2,)))
    assert len(cards) == 6
    for suite in REPORT.suites:
        card = cards[f"{suite.model} / {suite.name}"]
        values = [estimate(run.outcomes, "pass@k", 2).value for run in suite.runs]
        found = score(card, "pass@2").estimate
        assert found.value == pytest.approx(np.average(values, weights=suite.weights), abs=1e-12)
        assert found.interval.low < found.value < found.interval.high
        assert found.n_questions == sum(len(run.outcomes.correct) for run in suite.runs)


def test_a_suite_agrees_with_the_averages_its_report_states():
    for suite in REPORT.suites:
        if "avg@4" in suite.reported:
            card = pooled()[f"{suite.model} / {suite.name}"]
            mean = score(card, "avg@4").estimate.value
            assert mean == pytest.approx(suite.reported["avg@4"], abs=5e-5)


def test_what_cannot_be_pooled_says_why():
    card = pooled()["alpha-7b-chat / bbh"]
    assert "Only means over questions" in str(score(card, "geom-ds@4").reason)
    assert "no soft scores" in str(score(card, "soft").reason)


def test_a_suite_with_a_dataset_out_of_sight_has_no_row():
    assert not pooled(View(runs=tuple(RUNS)[:2]))


def test_suites_reach_the_downloads():
    cards = tuple(pooled().values())
    assert set(frame(cards)["dataset"]) == {"bbh", "mmlu", "mmlu-weighted"}
