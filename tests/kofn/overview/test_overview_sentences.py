"""What the overview says is what its numbers say, and is said where they do."""

import re
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest

from kofn.card import runs_of
from kofn.choices.view import View
from kofn.consistency.words import odd_replicas
from kofn.leaderboard.words import field_in_words
from kofn.overview.analysis import averages, datasets_of, summarize_runs
from kofn.overview.next_steps import next_step, next_steps
from kofn.overview.words import answer, cautions, scope, stated_in, wrong_numbers
from kofn.unfinished_runs import with_unfinished
from kofn.writing.estimates import percent, points
from metrics import Outcomes, best_of_suites, compare, estimate, lead, rank, replicas
from metrics.data.words import Text
from reports.run.remarks import cut_short
from reports.run.report import Run

USUAL = View()


def drawn(m=60, n=4, rate=0.5, seed=0, spread=4.0):
    rng = np.random.default_rng(seed)
    chance = rng.beta(spread * rate, spread * (1 - rate), (m, 1))
    return (rng.random((m, n)) < chance).astype(int)


def exactly(right, m=60, n=1):
    """Return outcomes of which the first questions are always right and the others never."""
    return np.repeat([[1], [0]], [right, m - right], axis=0).repeat(n, axis=1)


def run(model, correct, dataset="maths", **more):
    ids = more.pop("questions", None)
    outcomes = None if correct is None else Outcomes(correct, questions=ids)
    return Run(model, dataset, outcomes, **more)


def look(*runs, view=USUAL):
    keyed = {f"{each.model} / {each.dataset} {place}": each for place, each in enumerate(runs)}
    return summarize_runs(keyed, view)


def told(*runs, view=USUAL):
    (dataset,) = datasets_of(look(*runs, view=view))
    return " ".join(map(str, field_in_words(dataset.field)))


def warned(*runs, view=USUAL):
    (dataset,) = datasets_of(look(*runs, view=view))
    return " ".join(map(str, cautions(dataset, view)))


def test_a_sure_leader_is_named_with_its_lead():
    worse, better = drawn(rate=0.3, seed=1), drawn(rate=0.8, seed=2)
    value, ahead = estimate(better, "avg@n"), compare(worse, better)
    assert ahead.interval.low > 0
    assert told(run("cedar", worse), run("sequoia", better)).startswith(
        f"sequoia leads on one try: {percent(value.value, *value.interval)}, "
        f"{points(ahead.value, *ahead.interval)} ahead of cedar."
    )


@pytest.mark.wide
@pytest.mark.parametrize("target", ["population", "benchmark"])
@pytest.mark.parametrize("rates", [(0.3, 0.8), (0.5, 0.55), (0.5, 0.62), (0.1, 0.9)])
def test_a_leader_is_named_alone_only_where_the_difference_leaves_out_0(rates, target):
    a, b = (drawn(rate=rate, seed=seed) for seed, rate in enumerate(rates))
    found = compare(a, b, target=target)
    sure = found.interval.low > 0 or found.interval.high < 0
    sentence = told(run("cedar", a), run("sequoia", b), view=View(target=target))
    assert ("leads on one try" in sentence) is sure
    assert ("may each be the best" in sentence.split("With 4")[0]) is not sure


def test_what_is_too_close_tells_how_many_questions_would_decide():
    a = np.repeat([[0], [1], [1]], [14, 8, 78], axis=0)
    b = np.repeat([[1], [0], [1]], [14, 8, 78], axis=0)
    needed, value = compare(a, b).questions_to_decide(), estimate(b, "avg@n")
    rounded = -(-needed // 10) * 10
    assert told(run("cedar", a), run("sequoia", b)) == (
        "sequoia and cedar may each be the best on one try; the first has "
        f"{percent(0.92, *value.interval)}. "
        f"About {rounded:,} questions would decide it (you have 100)."
    )


def likely_best(**runs):
    """The first of some runs, as `rank` has it."""
    found = rank(runs)
    chance, lost = found.chances[0], found.losses[0]
    assert found.names == tuple(runs)
    assert 0 < lost < 0.1
    return (
        f"{found.names[0]} is the best with a chance of {chance:.0%}; if it is not, that costs "
        f"{100 * lost / (1 - chance):.1f} points on average."
    )


@pytest.mark.wide
def test_of_several_datasets_it_is_said_which_model_is_likely_the_best_on_average():
    cedar = {name: drawn(seed=seed) for seed, name in enumerate(("maths", "law"))}
    oak = {name: drawn(seed=seed + 10) for seed, name in enumerate(("maths", "law"))}
    runs = [
        run(model, outcomes, dataset)
        for model, suite in (("cedar", cedar), ("oak", oak))
        for dataset, outcomes in suite.items()
    ]
    found = best_of_suites({"cedar": cedar, "oak": oak})
    chance, name = max(zip(found.chances, ("cedar", "oak"), strict=True))
    lost = found.losses[found.chances.index(chance)] / (1 - chance)
    said = re.search(
        rf"over 2 datasets\. {name} is the best with a chance of (\d+)%; "
        r"if it is not, that costs (\d+\.\d) points on average\.",
        str(answer(look(*runs))),
    )
    assert float(said[1]) == pytest.approx(100 * chance, abs=2)
    assert float(said[2]) == pytest.approx(100 * lost, abs=0.2)
    twice = str(answer(look(*runs, run("oak", oak["law"], "law"))))
    assert twice == str(answer(look(*runs))), "one more run on one dataset has no average"


def test_what_no_practical_number_decides_has_none():
    a = np.repeat([[0], [1]], [50, 50], axis=0)
    sentence = told(run("cedar", a), run("sequoia", 1 - a))
    assert sentence.endswith(f". {likely_best(cedar=a, sequoia=1 - a)}")
    over_these = told(
        run("a", drawn(seed=1)), run("b", drawn(seed=2)), view=View(target="benchmark")
    )
    assert "would decide" not in over_these


def test_many_that_are_close_are_counted():
    five = [drawn(seed=seed) for seed in range(5)]
    sentence = told(*map(run, "abcde", five))
    assert " and 3 more may each be the best on one try; the first has " in sentence
    best, second = sorted(five, key=np.mean)[:-3:-1]
    assert compare(second, best).questions_to_decide() > 10 * 60
    assert "would decide" not in sentence, "that many nobody runs"
    a = np.repeat([[0], [1], [1]], [14, 8, 78], axis=0)
    b = np.repeat([[1], [0], [1]], [14, 8, 78], axis=0)
    sentence = told(run("cedar", a), run("oak", a), run("sequoia", b))
    assert "would decide between the first two (you have 100)" in sentence


def test_another_leader_on_many_tries_is_named():
    steady, lucky = exactly(36, 80, 8), np.tile([1, 0, 0, 0, 0, 0, 0, 0], (80, 1))
    passed = estimate(lucky, "pass@k", 8)
    ahead = compare(steady, lucky, "pass@k", 8)
    sentence = told(run("steady", steady), run("lucky", lucky))
    assert sentence.startswith("steady leads on one try")
    crossed = lead(steady, lucky).crossed
    assert sentence.endswith(
        f"lucky leads with 8 tries: {percent(passed.value, *passed.interval)}, "
        f"{points(ahead.value, *ahead.interval)} ahead of steady. It passes steady at k = "
        f"{crossed.k} ({crossed.low} to {crossed.high})."
    )


def test_one_that_leads_on_one_try_only_and_one_that_leads_on_both():
    high, low = exactly(40, 60, 4), exactly(10, 60, 4)
    assert "with 4 tries" not in told(run("a", high), run("b", low))
    level = np.hstack([low[:, :1], high[:, :1], low[:, :2]])
    assert told(run("a", high), run("b", level)).endswith("With 4 tries it is too close to call.")


def test_one_run_is_not_said_to_lead():
    correct = drawn(n=4)
    one, many = estimate(correct, "avg@n"), estimate(correct, "pass@k", 4)
    assert told(run("cedar", correct)) == (
        f"cedar solves {percent(one.value, *one.interval)} on one try. With 4 tries it "
        f"solves {percent(many.value, *many.interval)}."
    )
    assert "With" not in told(run("cedar", drawn(n=1)))


def test_k_is_what_all_runs_have():
    sentence = told(run("a", exactly(10, 60, 8)), run("b", np.hstack([exactly(60), exactly(0)])))
    assert "With 8" not in sentence
    once = told(run("a", exactly(10, 60, 8)), run("b", exactly(50)))
    assert once.startswith("b leads on one try")
    assert "tries" not in once


def test_runs_of_one_model_are_told_apart():
    assert told(run("a", exactly(10)), run("a", exactly(50))).startswith("a 1 leads on one try")


def test_a_dataset_without_verdicts_says_so():
    assert told(run("a", None)).startswith("The file does not say which samples were right")
    assert warned(run("a", None), run("b", drawn())).startswith(
        "a: the file does not say which samples were right."
    )


def test_failed_requests_are_counted_as_they_are_treated():
    correct = drawn()
    correct[:3, 0] = -1
    assert warned(run("a", correct)) == "3 of 240 requests of a failed and count as wrong."
    assert "are left out" in warned(run("a", correct), view=View(missing="omit"))
    both = warned(run("a", correct), run("b", correct))
    assert both == "6 of 480 requests of a and b failed and count as wrong."
    assert warned(run("a", drawn())) == ""


def test_too_few_questions_are_said_to_be_too_few():
    assert warned(run("a", drawn(m=9))) == (
        "9 questions are too few for a claim about questions like them."
    )
    assert warned(run("a", drawn(m=1))) == "1 question says nothing about questions like it."
    assert warned(run("a", drawn(m=9)), view=View(target="benchmark")) == ""
    assert warned(run("a", drawn(m=10))) == ""


@pytest.mark.parametrize(
    ("grouping", "said"),
    [
        ("unknown", "a: Nothing tells which samples belong to the same question"),
        ("stated", "a: Which samples belong to the same question is stated by the file only"),
        ("proven", ""),
    ],
)
def test_grouping_that_is_not_proven_is_said(grouping, said):
    sentence = warned(run("a", drawn(), grouping=grouping))
    assert sentence.startswith(said)
    assert bool(sentence) is bool(said)


def test_samples_that_look_like_copies_are_said_to():
    assert "a: samples repeat one another, or look like it." in warned(run("a", exactly(30, 60, 4)))


def test_runs_that_answered_other_questions_are_not_paired():
    sentence = warned(run("a", drawn(m=60, rate=0.3)), run("b", drawn(m=40, rate=0.8)))
    assert sentence.startswith(
        "Not compared with b: a. One run has 60 questions, the other 40, and"
    )


def test_wrong_numbers_are_counted_and_right_ones_passed_over():
    correct = exactly(30, 60, 2)
    (dataset,) = datasets_of(look(run("a", correct, reported={"avg@2": 0.5})))
    assert list(wrong_numbers(stated_in(dataset))) == []
    (dataset,) = datasets_of(look(run("a", correct, reported={"avg@2": 0.5, "pass@2": 0.9})))
    (sentence,) = wrong_numbers(stated_in(dataset))
    assert str(sentence).startswith("1 of 2 reported numbers is not what the samples give")


@pytest.mark.parametrize(
    ("runs", "goal"),
    [
        ([run("a", None)], "inventory"),
        ([run("a", drawn(), grouping="unknown")], "inventory"),
        ([run("a", drawn(n=1))], "guidance"),
        ([run("a", drawn())], "choose_n"),
        ([run("a", exactly(10, 60, 4)), run("b", exactly(50, 60, 4))], "compare"),
        ([run("a", drawn(seed=1)), run("b", drawn(seed=2))], "compare"),
        ([run(name, drawn(seed=seed)) for seed, name in enumerate("abc")], "compare"),
    ],
)
def test_the_next_step_is_what_stands_in_the_way_first(runs, goal):
    (dataset,) = datasets_of(look(*runs))
    assert next_step(dataset).goal == goal


def test_where_another_leads_on_many_tries_n_is_to_be_chosen():
    steady = np.repeat([[1] * 8, [0] * 8], [60, 40], axis=0)
    lucky = np.tile([1, 1, 1, 0, 0, 0, 0, 0], (100, 1))
    (dataset,) = datasets_of(look(run("steady", steady), run("lucky", lucky)))
    assert next_step(dataset).goal == "choose_n"


def test_tokens_are_to_be_weighed_where_they_are_known_and_n_is_to_be_chosen():
    known = replace(run("a", drawn()), columns={"tokens_out": drawn() + 9.0})
    for each, goals in ((known, ["choose_n", "budgets"]), (run("a", drawn()), ["choose_n"])):
        (dataset,) = datasets_of(look(each))
        steps = next_steps(dataset)
        assert [step.goal for step in steps] == goals
        first, *others = (step.query for step in steps)
        assert all(query == first | {"more": ["short-answers"]} for query in others)


def test_many_failed_requests_come_before_a_choice():
    correct = drawn()
    correct[:9, 0] = -1
    (dataset,) = datasets_of(look(run("a", correct)))
    step = next_step(dataset)
    assert (step.goal, step.query["filter"], step.query["a"]) == (
        "questions",
        ["failed"],
        ["a / maths 0"],
    )


def test_few_failed_requests_do_not_stand_in_the_way():
    correct = drawn()
    correct[:2, 0] = -1
    (dataset,) = datasets_of(look(run("a", correct)))
    assert next_step(dataset).goal == "choose_n"


def test_the_answer_counts_who_leads_where():
    low, high, close = exactly(10), exactly(50), exactly(11)
    runs = [
        *(run("cedar", low, name) for name in ("x", "y", "z")),
        *(run("aspen", high, name) for name in ("x", "y")),
        run("aspen", close, "z"),
    ]
    said = str(answer(look(*runs)))
    assert said.startswith("aspen is the best on one try: 61.7% (")
    assert ") on average over 3 datasets, 45.0 points (" in said
    assert said.endswith(") ahead of cedar. It leads on x and y; on z it is too close to call.")
    assert str(answer(look(*runs[:2], *runs[3:5]))).endswith("It leads on both.")
    some = look(runs[2], runs[5], run("a", low, "w"), run("b", low, "w"))
    assert str(answer(some)) == "On one try, it is too close to call on both datasets."
    third = [
        run("a", exactly(49), "w"),
        run("aspen", high, "w"),
        run("aspen", high, "v"),
        run("b", exactly(48), "v"),
    ]
    assert str(answer(look(runs[2], runs[5], *third))) == (
        "On one try, it is too close to call on all 3 datasets. aspen is among the leaders of each."
    )
    other = [run("cedar", high, "v"), run("aspen", low, "v")]
    assert str(answer(look(*runs, *other))).endswith(
        "It leads on x and y; cedar leads on v; on z it is too close to call."
    )
    missing = [*runs[:5], run("cedar", low, "lone"), run("aspen", low, "other")]
    assert str(answer(look(*missing))).endswith(
        "The average leaves out z, lone and other: not all models ran there."
    )


def test_the_answer_of_one_dataset_is_its_line():
    runs = [run("cedar", exactly(10)), run("aspen", exactly(50))]
    assert str(answer(look(*runs))) == told(*runs)


def test_the_answer_of_one_model_is_its_average():
    runs = [run("cedar", drawn(seed=1), "x"), run("cedar", drawn(seed=2), "y")]
    cards = look(*runs)
    (mean,) = averages([], cards)
    found = mean.found.score.estimate
    assert str(answer(cards)) == (
        f"cedar solves {percent(found.value, *found.interval)} on one try, on average over 2 "
        "datasets."
    )
    assert str(answer(look(runs[0], run("aspen", drawn(), "y")))).startswith("No two models")


def test_the_answer_says_what_is_wrong():
    runs = [run("a", exactly(30), name, reported={"avg@1": 0.6}) for name in ("x", "y")]
    assert "2 of 2 reported numbers are not what the samples give" in str(answer(look(*runs)))
    assert str(scope(look(*runs))) == "2 runs, 1 model, 2 datasets"


def test_of_several_datasets_the_worst_number_is_named_once():
    stated = {"avg@1": 0.6}
    (dataset, _other) = datasets_of(
        look(*(run("a", exactly(30), name, reported=stated) for name in ("x", "y")))
    )
    found = [
        replace(each, line=replace(each.line, reason=Text("why"))) for each in stated_in(dataset)
    ]
    (sentence,) = wrong_numbers(found, worst=False)
    assert str(sentence) == "1 of 1 reported number is wrong."
    (sentence,) = wrong_numbers(found)
    assert str(sentence).startswith("1 of 1 reported number is wrong: avg@1 of a is 50.0%")


def test_a_run_that_is_cut_short_is_doubted():
    note = next(cut_short("a.jsonl", 60, 90, Text("questions")))
    cards = look(run("7B", drawn(), notes=(note,)))
    told = str(with_unfinished(answer(cards), runs_of(cards)))
    assert told.endswith("Unfinished: 67% of the questions is here.")
    (dataset,) = datasets_of(cards)
    said = " ".join(map(str, cautions(dataset, USUAL)))
    assert "7B: unfinished, it goes on, ended early or was cut short." in said
    (doubt,) = cards[0].found.doubts
    assert (doubt.kind, str(doubt.text)) == ("unfinished", str(note.what))


def test_a_model_with_two_runs_of_a_dataset_leads_on_it_once():
    later = {"time": datetime(2026, 1, 2)}
    cards = look(
        run("7B", exactly(30)),
        run("7B", exactly(30), **later),
        run("14B", exactly(30)),
        run("7B", exactly(30), "words"),
        run("7B", exactly(31), "words", **later),
    )
    said = str(answer(cards))
    assert "7B is among the leaders of each" in said


def test_a_replica_that_broke_off_is_a_caution_with_its_number_and_chance():
    whole = drawn(200, 6)
    broken = whole.copy()
    broken[100:, 2] = 0
    runs = {"good / maths": run("good", whole), "broken / maths": run("broken", broken)}
    cards = summarize_runs(runs, USUAL)
    (dataset,) = datasets_of(cards)
    (said,) = (text for text in map(str, cautions(dataset, USUAL)) if "stands out" in text)
    found = replicas(broken)
    assert found.standing_out == (3,)
    assert said.startswith(
        f"broken: Replica 3 stands out: {found.accuracy[2]:.1%} of its samples are right, while "
        "chance gives"
    )
    assert "occurs by chance in fewer than 0.01 of 100 runs" in said
    kinds = {card.key: [doubt.kind for doubt in card.found.doubts] for card in cards}
    assert kinds == {"good / maths": [], "broken / maths": ["odd"]}
    (doubt,) = cards[1].found.doubts
    assert str(doubt.text) == " ".join(map(str, odd_replicas(found))), "what Consistency says of it"
    both = summarize_runs(runs | {"again / maths": run("again", broken)}, USUAL)
    said = " ".join(map(str, cautions(datasets_of(both)[0], USUAL)))
    assert "Replicas of again differ by more than chance, too." in said


def test_replicas_in_two_halves_are_a_caution_that_names_none():
    halves = drawn(200, 4)
    halves[:100, :2] = 0
    cards = summarize_runs({"halves / maths": run("halves", halves)}, USUAL)
    (said,) = (doubt.text for doubt in cards[0].found.doubts)
    low, high = halves.mean(axis=0).min(), halves.mean(axis=0).max()
    assert str(said).startswith(f"Its replicas lie from {low:.1%} to {high:.1%}, which chance")


def test_of_many_runs_a_replica_must_stand_out_the_more():
    odd = next(
        correct
        for seed in range(400)
        if 0.01 < replicas(correct := drawn(40, 4, seed=seed)).p_value.min() < 0.04
    )
    alone = summarize_runs({"a / maths": run("a", odd)}, USUAL)
    assert [doubt.kind for doubt in alone[0].found.doubts] == ["odd"]
    runs = {f"{name} / maths": run(name, odd if name == "a" else drawn(40)) for name in "abcdef"}
    assert not any(
        doubt.kind == "odd" for card in summarize_runs(runs, USUAL) for doubt in card.found.doubts
    )
