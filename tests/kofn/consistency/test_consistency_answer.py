"""What a vote gains and loses, said of one run and of several, for each scenario."""

from dataclasses import replace

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.consistency.analysis import VoteChoices, compare_votes
from kofn.consistency.command import CONSISTENCY
from kofn.consistency.words import answer, sorted_by_size
from kofn.writing.estimates import points
from metrics import Outcomes, consistency
from reports.run.report import Run
from tests.kofn.consistency.voted_runs import run, table, verdicts
from tests.kofn.indexed import index
from tests.pages import visiting


def of(model: str, right: int, m: int = 60, n: int = 5) -> Run:
    """So many samples of each question are right."""
    correct = np.zeros((m, n), dtype=int)
    correct[:, :right] = 1
    return Run(model, "maths", Outcomes(correct))


def mixed(model: str, m: int = 60, right: int = 30) -> Run:
    """Some questions are always right, the others never."""
    correct = np.zeros((m, 5), dtype=int)
    correct[:right] = 1
    return Run(model, "maths", Outcomes(correct))


UNSURE = run(verdicts(), "unsure")


def said(*runs: Run, k: tuple[int, ...] = (), **choices: object) -> str:
    return str(answer(compare_votes(index(*runs), View(k=k), VoteChoices(**choices))))


def scenario(one: Run, margin: float = 0.02) -> str:
    return consistency(one.outcomes).scenario(margin).name


@pytest.mark.parametrize(
    ("one", "margin", "name", "words"),
    [
        (of("a", 4), 0.02, "above", "A majority vote gains 20.0 points ("),
        (of("a", 1), 0.02, "below", "A majority vote loses 20.0 points ("),
        (mixed("a"), 0.2, "about equal", "A majority vote makes almost no difference"),
        (UNSURE, 0.02, "cannot tell", "A majority vote against one sample is too close"),
    ],
)
def test_of_one_run_the_difference_is_said(one, margin, name, words) -> None:
    assert scenario(one, margin) == name
    assert said(one, margin=margin).startswith(words)


def test_a_loss_has_the_interval_turned_round() -> None:
    low, high = consistency(of("a", 1).outcomes).difference.interval
    assert f"loses 20.0 points ({-100 * high:.1f} to {-100 * low:.1f})" in said(of("a", 1))


@pytest.mark.parametrize(
    ("runs", "parts"),
    [
        (
            [of("a", 4), of("b", 3), UNSURE],
            [
                "A majority vote gains 40.0 points (36.0 to 40.0) over one sample for b. ",
                "It gains for 2 of 3 runs, for this one most. For 1 it is too close to call.",
            ],
        ),
        ([of("a", 4), of("m", 1)], ["for a. It gains for no other of 2 runs. It loses for 1: m, "]),
        (
            [of("a", 1), of("b", 2), UNSURE],
            [
                "A majority vote loses 40.0 points (36.0 to 40.0) against one sample for b. ",
                "It loses for 2 of 3 runs, for this one most, and gains for none.",
            ],
        ),
        ([of("a", 1), mixed("m")], ["It loses for no other of 2 runs, and gains for none."]),
    ],
)
def test_of_several_runs_the_largest_gain_or_loss_is_said(runs, parts) -> None:
    told = said(*runs)
    for part in parts:
        assert part in told


def test_where_no_run_is_decided_that_is_all_there_is_to_say() -> None:
    found = consistency(UNSURE.outcomes).difference
    assert said(UNSURE, replace(UNSURE, model="b")) == (
        "A majority vote against one sample is too close to call for "
        f"each of 2 runs. The largest difference is {points(found.value, *found.interval)}, for "
        "unsure."
    )


def test_runs_of_which_a_vote_changes_nothing_are_counted() -> None:
    told = said(mixed("a"), mixed("b", right=20), margin=0.2)
    assert told.startswith(
        "A majority vote makes almost no difference to one sample for 2 of 2 runs. The largest "
        "difference is 0.0 points ("
    )
    told = said(of("a", 4), mixed("b", right=20), margin=0.2)
    assert told.endswith("For 1 it makes almost no difference.")


def test_of_models_over_datasets_the_mean_gain_is_said_and_where_it_is_otherwise() -> None:
    def on(dataset: str, one: Run) -> Run:
        return replace(one, dataset=dataset)

    runs = [on("x", of("a", 4)), on("y", of("a", 2, m=40)), on("z", of("a", 3, m=20))]
    gains = [consistency(one.outcomes).difference for one in runs]
    low = sum((each.value - each.interval.low) ** 2 for each in gains) ** 0.5 / 3
    high = sum((each.interval.high - each.value) ** 2 for each in gains) ** 0.5 / 3
    mean = (0.2 - 0.4 + 0.4) / 3
    told = f"{100 * mean:.1f} points ({100 * (mean - low):.1f} to {100 * (mean + high):.1f})"
    first = "On average over 3 datasets a majority vote gains"
    alone = said(*runs)
    assert alone == f"{first} {told} over one sample. On y it loses for a."
    other = [on(name, of("b", 3)) for name in "xyz"]
    assert said(*runs, *other, on("lone", of("b", 1))) == (
        f"{first} 40.0 points (37.7 to 40.0) over one sample for b. It gains for 2 of 2 models, "
        "for this one most. The average leaves out lone: not all models ran there."
    )


def test_of_a_vote_that_loses_on_average_the_datasets_are_named_on_which_it_gains() -> None:
    runs = [replace(of("a", 1), dataset=name) for name in "xy"]
    runs.append(replace(of("a", 4), dataset="z"))
    told = said(*runs)
    assert told.startswith("On average over 3 datasets a majority vote loses 6.7 points (")
    assert told.endswith(" On z it gains for a.")
    of_three = said(*runs, k=(3,))
    # Of 3 of 5 samples of which 1 is right no majority is; of 4 right ones each 3 have one.
    assert of_three.startswith("On average over 3 datasets a majority vote of 3 loses 6.7 points (")


@pytest.mark.parametrize(
    ("runs", "k", "start"),
    [
        ([of("a", 1, n=1), of("b", 0, n=1)], (), "Each question has one sample, so there"),
        ([of("a", 4)], (1,), "A vote of one sample is just that sample; choose a larger k."),
        ([of("a", 4)], (3,), "A majority vote of 3 gains "),
        (
            [Run("a", "maths", None)],
            (),
            "A vote cannot be set against one sample here. The file does not",
        ),
    ],
)
def test_where_there_is_nothing_to_vote_it_is_said(runs, k, start) -> None:
    assert said(*runs, k=k).startswith(start)


def test_runs_are_listed_by_the_size_of_their_difference_and_segments_with_their_run() -> None:
    halves = {"half": ["x"] * 20 + ["y"] * 20}
    small, large = run(verdicts(), "small", segments=halves), of("large", 3)
    cards = sorted_by_size(compare_votes(index(small, large), View(), VoteChoices(by="half")))
    names = [(card.run.model, card.settings.part) for card in cards]
    assert names == [("large", False), ("small", False), ("small", True), ("small", True)]


def test_the_page_opens_with_the_first_line_of_the_command() -> None:
    runs = [of("alpha", 4), of("beta", 1)]
    files = [(f"{one.model}.parquet", table(one.outcomes.correct, one.model)) for one in runs]
    app = visiting.visit("pages/behaviour/consistency/page.py", *files)
    cards = compare_votes(index(*runs), View(), VoteChoices())
    text = CONSISTENCY.write("table", cards, View(), choices=VoteChoices())
    assert visiting.opening(app).startswith(text.splitlines()[0])


def test_only_what_occurs_is_explained() -> None:
    one = of("alpha", 4)
    app = visiting.visit(
        "pages/behaviour/consistency/page.py", ("a.parquet", table(one.outcomes.correct))
    )
    words = visiting.words(app)
    assert "Vote above average" in words
    assert "Vote below average" not in words
    assert "Cannot tell" not in words


def test_a_vote_of_one_sample_is_not_explained_as_a_scenario() -> None:
    one = table(of("a", 1, n=1).outcomes.correct)
    words = visiting.words(
        visiting.visit("pages/behaviour/consistency/page.py", ("a.parquet", one))
    )
    assert "About equal:" not in words
