"""How often the n to use holds what it promises, by simulation, for data like those at hand.

The figures are the worst of 23 kinds of difficulties (of picks, six) and of limits a hair beyond
what some n solves or costs, where a rule fails most easily.
`tests/metrics/analyses/choose_n/choice_study.py` makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from metrics.data.words import Text

if TYPE_CHECKING:
    from metrics.analyses.choose_n.advice import Rule

NOT_SIMULATED = Text(
    "It is unknown how often that holds. The simulations cover only questions that cost the "
    "same, whose answers can be checked; for one run also votes of right or wrong, and picks by "
    "a signal."
)
CERTAIN = Text("That is certain: every sample is paid for, and all cost the same.")
ENOUGH = 20
"""Fewer questions were not simulated."""


class OneRun(NamedTuple):
    """What was found of one run."""

    questions: int  # As many were simulated.
    mixed: int  # At least so many of them were solved by some samples and not by others.
    # Share of the data sets in which the rule held, at the least.
    reach: float
    quality: float
    budget: float
    # Share of the worth of a solved question that was lost on each question, on average, at the
    # most.
    value: float


ONE_RUN = (
    OneRun(30, 0, 0.20, 0.92, 0.93, 0.054),
    OneRun(30, 10, 0.84, 0.88, 0.89, 0.051),
    OneRun(30, 25, 0.89, 0.92, 0.91, 0.032),
    OneRun(100, 0, 0.46, 0.92, 0.92, 0.013),
    OneRun(100, 10, 0.84, 0.90, 0.90, 0.021),
    OneRun(100, 25, 0.88, 0.89, 0.87, 0.013),
    OneRun(100, 50, 0.88, 0.89, 0.88, 0.025),
    OneRun(300, 0, 0.86, 0.92, 0.92, 0.001),
    OneRun(300, 10, 0.80, 0.91, 0.92, 0.001),
    OneRun(300, 25, 0.93, 0.91, 0.91, 0.009),
    OneRun(300, 50, 0.94, 0.89, 0.88, 0.011),
    OneRun(1000, 0, 1.00, 0.93, 0.93, 0.001),
    OneRun(1000, 10, 0.97, 0.90, 0.90, 0.001),
    OneRun(1000, 25, 0.94, 0.90, 0.89, 0.001),
    OneRun(1000, 50, 0.96, 0.88, 0.88, 0.005),
)

BY_VOTE = (
    OneRun(30, 0, 0.95, 0.93, 1.0, 0.025),
    OneRun(30, 10, 0.81, 0.91, 1.0, 0.022),
    OneRun(30, 25, 0.90, 0.91, 1.0, 0.014),
    OneRun(100, 0, 1.00, 0.90, 1.0, 0.011),
    OneRun(100, 10, 0.99, 0.90, 1.0, 0.005),
    OneRun(100, 25, 0.97, 0.87, 1.0, 0.016),
    OneRun(100, 50, 0.96, 0.87, 1.0, 0.014),
    OneRun(300, 0, 1.00, 0.93, 1.0, 0.003),
    OneRun(300, 10, 1.00, 0.90, 1.0, 0.003),
    OneRun(300, 25, 1.00, 0.90, 1.0, 0.001),
    OneRun(300, 50, 1.00, 0.85, 1.0, 0.004),
    OneRun(1000, 0, 1.00, 0.93, 1.0, 0.001),
    OneRun(1000, 10, 1.00, 0.88, 1.0, 0.000),
    OneRun(1000, 25, 1.00, 0.86, 1.0, 0.000),
    OneRun(1000, 50, 1.00, 0.85, 1.0, 0.002),
)
"""What was found of one run whose samples vote, right against wrong; the cost is certain."""

BY_PICK: tuple[OneRun, ...] = (
    OneRun(30, 0, 0.61, 0.87, 1.0, 0.030),
    OneRun(30, 10, 0.58, 0.91, 1.0, 0.032),
    OneRun(30, 25, 0.78, 0.90, 1.0, 0.021),
    OneRun(100, 0, 0.86, 0.89, 1.0, 0.009),
    OneRun(100, 10, 0.76, 0.87, 1.0, 0.011),
    OneRun(100, 25, 0.75, 0.87, 1.0, 0.017),
    OneRun(100, 50, 0.79, 0.88, 1.0, 0.019),
    OneRun(300, 50, 0.78, 0.88, 1.0, 0.005),
)
"""What was found of one run where a signal picks: poor, fair, good or preferring wrong answers."""

OF_ONE_RUN = {"pass@k": ONE_RUN, "maj@k": BY_VOTE, "selected@k": BY_PICK}


class SeveralRuns(NamedTuple):
    """What was found of the run that is chosen, at its n."""

    # As many were simulated.
    questions: int
    runs: int
    # reach, quality, budget: Share of the data sets in which it held its aim, or none was chosen,
    # at the least.
    reach: float
    # reach_cost, quality_cost: What it costs, times the least that would do, in 9 of 10 data sets
    # at the most.
    reach_cost: float
    quality: float
    quality_cost: float
    budget: float
    # What it solves, as a share of the most that the budget could, on average at the least.
    budget_solved: float
    value: float  # As of `OneRun`, compared with the best run at its best n.


SEVERAL_RUNS = (
    SeveralRuns(30, 2, 0.72, 1.9, 0.90, 2.9, 0.91, 0.88, 0.058),
    SeveralRuns(30, 5, 0.72, 2.6, 0.90, 3.1, 0.91, 0.84, 0.071),
    SeveralRuns(30, 10, 0.77, 2.3, 0.89, 3.1, 0.90, 0.84, 0.063),
    SeveralRuns(100, 2, 0.86, 1.7, 0.92, 3.9, 0.93, 0.91, 0.015),
    SeveralRuns(100, 5, 0.88, 2.1, 0.91, 3.7, 0.93, 0.90, 0.018),
    SeveralRuns(100, 10, 0.91, 2.1, 0.87, 3.4, 0.91, 0.91, 0.030),
    SeveralRuns(300, 2, 0.93, 1.5, 0.90, 3.5, 0.92, 0.94, 0.005),
    SeveralRuns(300, 5, 0.95, 1.7, 0.91, 4.2, 0.91, 0.93, 0.008),
    SeveralRuns(300, 10, 0.96, 1.8, 0.84, 3.3, 0.87, 0.95, 0.012),
)


def one_run_reliability(rule: Rule, n_questions: int, mixed: int, metric: str = "pass@k") -> Text:
    """Say how often a rule held with so many questions and mixed ones; the worst if unknown.

    `metric` is what quality is, one of `OF_ONE_RUN`.

    Examples
    --------
    >>> told = str(one_run_reliability("budget", 120, 40))
    >>> told[:61], told[-25:]
    ('In simulations with 100 questions, 25 to 49 of them solved by', 'that held in 87% or more.')
    """
    if metric != "pass@k" and rule == "budget":
        return CERTAIN
    rows = OF_ONE_RUN[metric]
    cells, known = _like(rows, n_questions, mixed)
    held = _held(rule, [getattr(each, rule) for each in cells])
    if not known:
        return Text("In simulations {held}.", held=held)
    return Text(
        "In simulations with {questions} questions, {mixed} of them solved by some samples only, "
        "{held}.",
        questions=cells[0].questions,
        mixed=_range(rows, cells[0].mixed),
        held=held,
    )


def several_runs_reliability(rule: Rule, n_questions: int, runs: int) -> Text:
    """Say how good the choice among so many runs was, with so many questions.

    Examples
    --------
    >>> str(several_runs_reliability("budget", 120, 4))[:69]
    'In simulations with 100 questions and 5 runs that held in 93% or more'
    """
    size = _size(n_questions, [each.questions for each in SEVERAL_RUNS])
    rows = [each for each in SEVERAL_RUNS if each.questions == size]
    cell = next((each for each in rows if each.runs >= runs), rows[-1])
    held = Text(
        "In simulations with {questions} questions and {runs} runs {held}",
        questions=cell.questions,
        runs=cell.runs,
        held=_held(rule, [getattr(cell, rule)]),
    )
    if rule == "value":
        return Text("{held}.", held=held)
    if rule == "budget":
        return Text(
            "{held}, and {share:.0%} or more of what was possible was solved.",
            held=held,
            share=cell.budget_solved,
        )
    return Text(
        "{held}, at {factor:.2g} times the least cost or less in 9 of 10.",
        held=held,
        factor=getattr(cell, f"{rule}_cost"),
    )


def _size(n_questions: int, sizes: Sequence[int]) -> int:
    """Return the simulated number of questions that is like another."""
    return max((size for size in sizes if n_questions >= 0.6 * size), default=min(sizes))


def _held(rule: Rule, figures: list[float]) -> Text:
    if rule == "value":
        return Text("{lost:.1%} of that worth or less was lost on a question", lost=max(figures))
    return Text("that held in {share:.0%} or more", share=min(figures))


def _like(rows: Sequence[OneRun], n_questions: int, mixed: int) -> tuple[Sequence[OneRun], bool]:
    """Return the row that is like the data, or all of them; and whether there is one."""
    if n_questions < ENOUGH:
        return rows, False
    size = _size(n_questions, [each.questions for each in rows])
    found = [each for each in rows if each.questions == size and each.mixed <= mixed][-1:]
    return found or rows, bool(found)


def _range(rows: Sequence[OneRun], mixed: int) -> Text:
    above = min((each.mixed for each in rows if each.mixed > mixed), default=None)
    if above is None:
        return Text("{least} or more", least=mixed)
    return Text("{least} to {most}", least=mixed, most=above - 1)
