"""Who leads at which k, and which run passes which: as surely as the paired differences allow."""

import numpy as np
import pytest

from kofn.choices.view import View
from kofn.leaderboard.places_over_k import PlacesOverK, find_places
from kofn.leaderboard.words import along_in_words
from kofn.writing.estimates import points
from metrics import Outcomes, lead, rank
from reports.run.report import Run
from tests.kofn.indexed import index


def steady(model: str, right: int, m: int, n: int = 8) -> Run:
    """Solves some questions always, and the others never."""
    correct = np.zeros((m, n), dtype=int)
    correct[:right] = 1
    return Run(model, "maths", Outcomes(correct))


def lucky(model: str, right: int, m: int, n: int = 8) -> Run:
    """Solves every question with some of its samples."""
    correct = np.zeros((m, n), dtype=int)
    correct[:, :right] = 1
    return Run(model, "maths", Outcomes(correct))


def along(*runs: Run, metric: str = "pass@k", last: int = 8, **view: object) -> PlacesOverK | None:
    return find_places(index(*runs), metric, last, View(**view))


def said(found: PlacesOverK | None) -> list[str]:
    assert found is not None
    return [
        str(text) for text in along_in_words(found, {key: key.split(" ")[0] for key in found.keys})
    ]


def test_a_run_that_is_behind_first_and_ahead_last_passes() -> None:
    runs = steady("steady", 120, 200), lucky("lucky", 2, 200)
    found = along(*runs)
    assert found.k == (1, 2, 4, 8)
    steadily, luckily = "steady / maths", "lucky / maths"
    assert found.first == (steadily, steadily, luckily, luckily)
    assert found.places == ((1, 1, 2, 2), (2, 2, 1, 1))
    (passing,) = found.passings
    assert (passing.before, passing.after, passing.sure) == (steadily, luckily, (True, True))
    alone = lead(*(run.outcomes for run in runs))
    assert passing.lead.value == pytest.approx(alone.value)
    crossed = alone.crossed
    assert passing.lead.crossed == crossed
    leads, passes = said(found)
    assert leads == "steady certainly leads at k = 1 to 2; lucky certainly leads at k = 4 to 8."
    first = points(-alone.value[0], -alone.high[0], -alone.low[0])
    last = points(alone.value[-1], alone.low[-1], alone.high[-1])
    assert passes == (
        f"lucky passes steady at k = {crossed.k} ({crossed.low} to {crossed.high}): in pass@1 "
        f"steady leads by {first}, in pass@8 lucky leads by {last}."
    )


@pytest.mark.parametrize(
    ("runs", "verb"),
    [
        ((steady("steady", 19, 20), lucky("lucky", 2, 20)), "lucky catches up with steady at k = "),
        ((steady("steady", 6, 20), lucky("lucky", 2, 20)), "lucky pulls ahead of steady at k = "),
    ],
)
def test_a_lead_that_is_not_sure_is_said_to_be_too_close(runs, verb) -> None:
    _leads, passes = said(along(*runs))
    assert passes.startswith(verb)
    assert passes.count("it is too close to call") == 1
    assert passes.count("leads by") == 1


def test_what_is_sure_at_neither_end_is_only_counted() -> None:
    unsure = along(steady("steady", 2, 5), lucky("lucky", 1, 5))
    assert unsure.passings == ()
    assert said(unsure) == [
        "No run certainly leads at any k up to pass@8.",
        "1 pair of runs may change places as k grows; it is too close to call.",
    ]


def test_curves_that_keep_their_order_do_not_pass() -> None:
    found = along(steady("a", 50, 60), steady("b", 20, 60))
    assert said(found) == ["a certainly leads at each k up to pass@8."]
    assert found.others == 0


def test_runs_that_are_not_on_the_same_questions_neither_lead_nor_pass() -> None:
    found = along(steady("steady", 120, 200), lucky("lucky", 2, 190))
    assert set(found.first) == {None}
    assert found.passings == ()
    assert found.others == 1
    assert said(found)[1].startswith("Not compared with steady: lucky. One run has 190 questions")


@pytest.mark.wide
def test_places_are_those_of_a_ranking_at_each_k() -> None:
    rng = np.random.default_rng(0)
    rate = rng.beta(1, 1, (150, 1))
    runs = [
        Run(f"m{i}", "maths", Outcomes((rng.random((150, 8)) < rate**power).astype(int)))
        for i, power in enumerate((0.5, 0.8, 1.0, 1.1, 2.0))
    ]
    found = along(*runs, level=0.9)
    for place, k in enumerate(found.k):
        alone = rank(index(*runs), "pass@k", k, confidence_level=0.9)
        assert {
            key: each[place] for key, each in zip(found.keys, found.ranks, strict=True)
        } == dict(zip(alone.names, alone.ranks, strict=True))
    assert not any(each.lead.ends for each in found.passings)


@pytest.mark.parametrize(
    ("metric", "last"), [("avg@n", 8), ("pass@k", 1), ("plurality@k", 8), ("bayes@n", 8)]
)
def test_a_metric_without_k_one_sample_or_no_answers_have_none(metric, last) -> None:
    assert (
        along(steady("steady", 120, 200), lucky("lucky", 2, 200), metric=metric, last=last) is None
    )


def test_a_metric_that_begins_at_two_is_followed_from_there() -> None:
    found = along(steady("a", 50, 60), steady("b", 20, 60), metric="mg-pass@k")
    assert found.k == (2, 4, 8)


def test_a_run_of_fewer_samples_is_passed_over() -> None:
    runs = steady("steady", 120, 200, n=4), lucky("lucky", 2, 200)
    assert along(*runs) is None
    assert along(*runs, last=4).passings


def test_a_slow_metric_is_looked_at_where_k_doubles() -> None:
    rng = np.random.default_rng(0)
    runs = []
    for model, one in (("steady", steady("", 120, 200)), ("lucky", lucky("", 3, 200))):
        answers = np.where(one.outcomes.correct == 1, 0, rng.integers(1, 9, one.outcomes.shape))
        runs.append(Run(model, "maths", one.outcomes, answers=answers.astype(np.int32)))
    (passing,) = along(*runs, metric="plurality@k").passings
    assert passing.lead.k.tolist() == [1, 2, 4, 8]
