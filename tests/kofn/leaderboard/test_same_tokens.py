"""Answers for the tokens of one long answer, against the library's numbers, and who is left out."""

import numpy as np
import pytest

from kofn.choices.runs import index_runs
from kofn.choices.view import View
from kofn.leaderboard.same_tokens import standing_for_tokens
from kofn.leaderboard.words import tokens_in_words
from kofn.writing.estimates import percent, points
from metrics import Outcomes, Text, compare_suite, estimate, pool
from reports import Report
from reports.run.report import Run


def run(model, dataset, ease, tokens, seed, n=8):
    rng = np.random.default_rng(seed)
    correct = (rng.random((50, n)) < rng.beta(ease, 1, (50, 1))).astype(int)
    return Run(model, dataset, Outcomes(correct), columns={"tokens_out": np.full((50, n), tokens)})


def found(*runs):
    return standing_for_tokens(index_runs([Report("x", Text("x"), runs)]), View())


SUITE = [
    run(model, dataset, ease, tokens, seed + 10 * place)
    for seed, (model, ease, tokens) in enumerate((("long", 0.9, 900), ("short", 0.7, 250)))
    for place, dataset in enumerate(("x", "y"))
]


def test_each_has_as_many_answers_as_the_tokens_allow() -> None:
    same = found(*SUITE)
    assert (same.longest, same.spent, same.k) == ("long", 900, {"long": 1, "short": 3})
    sides = {
        model: {each.dataset: each.outcomes for each in SUITE if each.model == model}
        for model in ("long", "short")
    }
    value = pool([estimate(data, "pass@k", 3) for data in sides["short"].values()])
    more = compare_suite(sides["long"], sides["short"], "pass@k", (1, 3))
    assert same.standing.first == "short"
    assert same.standing.estimates["short"].interval == value.interval
    assert same.standing.ahead["long"].interval == more.interval
    said = [str(each) for each in tokens_in_words(same)]
    assert said == [
        "For the 900 tokens of one answer of long, 3 of short solve "
        f"{percent(value.value, *value.interval)} on average over 2 datasets.",
        f"That is {points(more.value, *more.interval)} ahead of long × 1.",
    ]


def test_there_are_never_more_answers_than_samples() -> None:
    same = found(run("long", "x", 0.9, 900, 0), run("short", "x", 0.7, 10, 1, n=4))
    assert same.k["short / x"] == 4
    assert "4 of short solve" in str(next(tokens_in_words(same)))


def test_answers_of_one_token_are_of_one_token() -> None:
    same = found(run("long", "x", 0.9, 1, 0), run("other", "x", 0.7, 1, 1))
    assert str(next(tokens_in_words(same))).startswith("For the 1 token of one answer of ")


def test_what_cannot_be_told_apart_is_said_to_be() -> None:
    same = found(run("long", "x", 0.9, 900, 0), run("other", "x", 0.9, 880, 5))
    first, second = tokens_in_words(same)
    assert " tokens of one answer of long, 1 of " in str(first)
    assert str(second).startswith("That is too close to call with ")


@pytest.mark.parametrize(
    "runs",
    [
        [run("long", "x", 0.9, 900, 0)],
        [run("long", "x", 0.9, 900, 0), Run("bare", "x", Outcomes([[1, 0]] * 50))],
        [run("long", "x", 0.9, 900, 0), run("short", "y", 0.9, 100, 1)],
    ],
)
def test_nobody_is_named_without_tokens_or_somebody_beside(runs) -> None:
    assert found(*runs) is None
