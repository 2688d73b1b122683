"""How often the n to use and the cost of a solved question hold the truth, by simulation.

``uv run pytest -m slow -k choice_simulated -s`` prints what it finds; KOFN_STUDY_SETS sets how many
data sets of each kind there are: 60 or more, since the bounds are those of a normal distribution.
"""

import os

import numpy as np
import pytest

from metrics import Tally, choose_n
from metrics.analyses.choose_n.simulation import BY_PICK, BY_VOTE, ONE_RUN, SEVERAL_RUNS
from tests.metrics.analyses.choose_n.choice_study import (
    DESIGNS,
    FRESH_KINDS,
    KINDS_OF_SEVERAL,
    MIXED,
    QUANTILES,
    SEED,
    SIGNALS,
    SIZES,
    SIZES_OF_PICKS,
    Truth,
    held,
    several,
    single,
    worst,
)
from tests.metrics.difficulties import KINDS, of_kinds

SETS = int(os.environ.get("KOFN_STUDY_SETS", 0))
HELD = 0.92
"""The least share of intervals that hold the cost of a solved question."""


def noise(share, sets):
    return 2.6 * np.sqrt(max(share * (1 - share), 0.01) / sets)


def check_one_run(kind, m, n, sets, how="check"):
    """What is told of data like these holds of each kind."""
    mixed, reach, quality, budget, lost = worst(*single(kind, m, n, sets, how))
    least = max(each for each in MIXED if mixed >= each)
    rows = {"check": ONE_RUN, "vote": BY_VOTE}.get(how, BY_PICK)
    (row,) = (each for each in rows if (each.questions, each.mixed) == (m, least))
    print(
        f"\n{m} x {n}, {kind}: {mixed:.0f} mixed, {reach:.3f} {quality:.3f} {budget:.3f} {lost:.3f}"
    )
    for found, told in ((reach, row.reach), (quality, row.quality), (budget, row.budget)):
        assert np.isnan(found) or found >= told - noise(told, sets)
    assert lost <= row.value + 0.02 * np.sqrt(100 / m)


def check_several(kind, m, runs, design, sets):
    (row,) = (each for each in SEVERAL_RUNS if (each.questions, each.runs) == (m, runs))
    for rule, found in several(kind, m, 16, runs, design, sets).items():
        share, _cost, mean = held(found)
        print(f"\n{m} questions, {runs} runs, {kind}, {design}: {rule} {share:.3f} {mean:.3f}")
        if rule == "value":
            assert np.isnan(mean) or mean <= row.value + 0.03
        else:
            assert share >= getattr(row, rule) - noise(getattr(row, rule), sets)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("kind", "how"),
    [("uniform", "check"), ("35 % at 0, 35 % at 1", "vote"), (".02 or .98", "check")],
)
def test_the_n_to_use_holds_as_often_as_is_told(kind, how):
    check_one_run(kind, 100, 16, 40, how)


@pytest.mark.wide
def test_the_n_to_pick_from_holds_as_often_as_is_told():
    check_one_run("uniform", 100, 4, 40, SIGNALS[1])


@pytest.mark.wide
def test_the_run_to_take_holds_its_aim_as_often_as_is_told():
    check_several("Beta(.3,.3)", 100, 5, "alike", 15)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["check", "vote"])
def test_the_n_to_use_holds_as_often_as_is_told_of_every_kind(kind, m, n, how):
    check_one_run(kind, m, n, SETS or 400, how)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), SIZES_OF_PICKS)
@pytest.mark.parametrize("kind", KINDS_OF_SEVERAL)
@pytest.mark.parametrize("how", SIGNALS)
def test_the_n_to_pick_from_holds_as_often_as_is_told_of_every_kind(kind, m, n, how):
    check_one_run(kind, m, n, SETS or 150, how)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "runs"), [(each.questions, each.runs) for each in SEVERAL_RUNS])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", KINDS_OF_SEVERAL)
def test_the_run_to_take_holds_its_aim_as_often_as_is_told_of_every_kind(kind, m, runs, design):
    check_several(kind, m, runs, design, SETS or 100)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [2, 5])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", FRESH_KINDS)
def test_the_run_to_take_holds_its_aim_as_often_as_is_told_of_other_kinds(kind, runs, design):
    check_several(kind, 30, runs, design, SETS or 200)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(30, 16), (100, 16), (500, 16), (100, 64)])
@pytest.mark.parametrize(
    "kind",
    of_kinds(
        "uniform", "Beta(.3,.3)", "Beta(.5,5)", "Beta(5,.5)", "35 % at 0, 35 % at 1", "95 % at 0"
    ),
)
def test_the_cost_of_a_solved_question_is_held(kind, m, n):
    sets = SETS or 1000
    rng, quantile = np.random.default_rng(SEED), KINDS[kind]
    truth = Truth(quantile(QUANTILES), n)
    costs = {k: np.zeros(sets) for k in (1, n // 2, n)}
    for i in range(sets):
        tally = Tally.of_questions(n, rng.binomial(n, quantile(rng.random(m))))
        table = choose_n(tally, resamples=1).table
        for k, inside in costs.items():
            low, high = table.cost_per_solved_low[k - 1], table.cost_per_solved_high[k - 1]
            inside[i] = low <= truth.attempts[k] / truth.solved[k] <= high
    shares = [inside.mean() for inside in costs.values()]
    print(f"\n{m} x {n}, {kind}: {' '.join(f'{each:.3f}' for each in shares)}")
    assert min(shares) >= HELD - noise(HELD, sets)
