"""The simulated figure that is told is that of data like those at hand, or the worst."""

import pytest

from metrics import Tally, choose_n
from metrics.analyses.choose_n.simulation import (
    BY_PICK,
    BY_VOTE,
    CERTAIN,
    NOT_SIMULATED,
    ONE_RUN,
    SEVERAL_RUNS,
    one_run_reliability,
    several_runs_reliability,
)

RULES = "reach", "quality", "budget"


@pytest.mark.parametrize(
    ("questions", "mixed", "size", "least"),
    [
        (20, 0, 30, 0),
        (59, 59, 30, 25),
        (60, 9, 100, 0),
        (179, 24, 100, 10),
        (180, 49, 300, 25),
        (600, 50, 1000, 50),
        (10**6, 10**5, 1000, 50),
    ],
)
@pytest.mark.parametrize("rule", RULES)
def test_it_is_of_a_like_number_of_questions_and_mixed_ones(rule, questions, mixed, size, least):
    (row,) = (each for each in ONE_RUN if (each.questions, each.mixed) == (size, least))
    said = str(one_run_reliability(rule, questions, mixed))
    assert said.startswith(f"In simulations with {size:,} questions, {least} ")
    assert said.endswith(f"held in {getattr(row, rule):.0%} or more.")


@pytest.mark.parametrize("rule", RULES)
def test_of_very_few_questions_it_is_the_worst_of_all(rule):
    least = min(getattr(each, rule) for each in ONE_RUN)
    assert (
        str(one_run_reliability(rule, 19, 5)) == f"In simulations that held in {least:.0%} or more."
    )


def test_of_a_worth_it_is_what_is_lost():
    (row,) = (each for each in ONE_RUN if (each.questions, each.mixed) == (100, 50))
    assert f"{row.value:.1%} of that worth or less was lost" in str(
        one_run_reliability("value", 100, 80)
    )
    worst = max(each.value for each in ONE_RUN)
    assert f"{worst:.1%} of that worth" in str(one_run_reliability("value", 5, 5))


def test_the_words_name_the_range_of_mixed_questions():
    assert " 10 to 24 of them solved by some samples only" in str(
        one_run_reliability("reach", 100, 20)
    )
    assert " 50 or more of them solved by some samples only" in str(
        one_run_reliability("reach", 100, 99)
    )


@pytest.mark.parametrize("row", SEVERAL_RUNS)
def test_among_several_runs_it_is_of_as_many_or_a_few_more(row):
    told = {
        rule: str(several_runs_reliability(rule, row.questions, row.runs))
        for rule in (*RULES, "value")
    }
    for rule in RULES:
        start = f"In simulations with {row.questions} questions and {row.runs} runs that held in "
        assert told[rule].startswith(f"{start}{getattr(row, rule):.0%} or more")
    assert f"at {row.reach_cost:.2g} times the least cost" in told["reach"]
    assert f"at {row.quality_cost:.2g} times the least cost" in told["quality"]
    assert f"{row.budget_solved:.0%} or more of what was possible was solved" in told["budget"]
    assert f"{row.value:.1%} of that worth or less was lost" in told["value"]


@pytest.mark.parametrize(("runs", "simulated"), [(2, 2), (3, 5), (6, 10), (40, 10)])
def test_more_runs_than_were_simulated_are_told_by_the_most(runs, simulated):
    assert f"100 questions and {simulated} runs" in str(
        several_runs_reliability("reach", 100, runs)
    )


def test_few_questions_of_several_runs_are_told_by_the_fewest_simulated():
    assert "In simulations with 30 questions" in str(several_runs_reliability("reach", 4, 2))


def test_a_choice_tells_the_figure_of_its_own_data():
    tally = Tally([8] * 3, [0, 3, 8], [40, 30, 30])
    choice = choose_n(tally, budget=3.0, resamples=20)
    assert (choice.n_questions, choice.mixed) == (100, 30)
    assert choice.held == one_run_reliability("budget", 100, 30)
    assert "largest whose mean cost is within the budget" in str(choice.method)


CORRECT = [[1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]] * 10


def test_votes_of_one_run_have_figures_of_their_own():
    choice = choose_n(CORRECT, verifier=False, resamples=20)
    assert (
        choice.held
        == one_run_reliability("reach", 30, 20, "maj@k")
        != one_run_reliability("reach", 30, 20)
    )
    (row,) = (each for each in BY_VOTE if (each.questions, each.mixed) == (30, 10))
    assert str(choice.held).endswith(f"that held in {row.reach:.0%} or more.")
    assert choose_n(CORRECT, verifier=False, budget=3.0, resamples=20).held == CERTAIN


def test_picks_unlike_those_simulated_are_told_by_the_worst():
    least = min(row.reach for row in BY_PICK)
    said = str(one_run_reliability("reach", 300, 3, "selected@k"))
    assert said == f"In simulations that held in {least:.0%} or more."


def test_no_figure_is_told_of_votes_by_answer_and_of_unequal_costs():
    costs = [[row + 1.0] * 4 for row in range(30)]
    answers = [[5 * (1 - each) for each in row] for row in CORRECT]
    by_answer = choose_n(CORRECT, verifier=False, answers=answers, resamples=20)
    assert by_answer.metric == "plurality@k"
    assert by_answer.held == NOT_SIMULATED
    assert choose_n(CORRECT, cost_per_sample=costs, resamples=20).held == NOT_SIMULATED
    assert choose_n(CORRECT, cost_per_sample=3.0, resamples=20).held != NOT_SIMULATED
