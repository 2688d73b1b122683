"""What tokens and time buy of runs: what is asked, the sentence, the rows, what is drawn."""

import itertools
import json

import numpy as np
import pytest

import metrics
from kofn.budgets.analysis import dearest, weigh_budgets
from kofn.budgets.choices import BudgetChoices
from kofn.budgets.columns import BUDGETED, COLUMNS, WITH_RIVALS, cuts
from kofn.budgets.command import BUDGETS
from kofn.budgets.figures import best_of_all, frontiers, lines_by_k, worth_drawing
from kofn.budgets.frontier import best_of
from kofn.budgets.rivals import rivals_of
from kofn.budgets.words import (
    ASSUMED,
    AT_ONCE,
    answer,
    best_in_words,
    in_words,
    rivals_in_words,
    split_in_words,
)
from kofn.choices.run_numbers import number_runs
from kofn.choices.view import View
from kofn.choose_n.prices import quantity
from kofn.citing.used import MethodNote, Used
from kofn.command import main
from kofn.writing.columns import dtypes
from kofn.writing.estimates import percent, percent_of, points, points_of
from metrics import Outcomes, Text
from reports.run.labels import Labels
from reports.run.matching import Match
from reports.run.report import Run
from tests.kofn.indexed import index
from tests.pages.visiting import table

M, N = 40, 4


def run(model, right, tokens, dataset="maths", **columns):
    right = np.asarray(right)
    answers = columns.pop("answers", None)
    found = {"tokens_out": np.asarray(tokens, dtype=float), **columns}
    return Run(model, dataset, Outcomes(right), answers=answers, columns=found)


def world(seed=0, m=M, n=N):
    """Hard questions have long answers; any answer may end early, right or wrong."""
    rng = np.random.default_rng(seed)
    rate = rng.random((m, 1))
    right = (rng.random((m, n)) < rate).astype(int)
    return right, np.ceil(rng.lognormal(6 - rate, 0.8, (m, n)))


def weighed(*runs, view=None, **chosen):
    return weigh_budgets(index(*runs), view or View(), BudgetChoices(**chosen))


RIGHT, _ = world()
SHORT = run("short", np.tile([1, 1, 0, 0], (M, 1)), np.tile([10, 10, 10, 2000], (M, 1)))
LONG = run("long", np.tile([1, 0, 1, 1], (M, 1)), np.full((M, N), 500))
ALIKE = run("alike", *world())


def test_numbers_are_those_of_the_library_at_four_or_as_many_as_are_shared() -> None:
    (card,) = weighed(ALIKE, view=View(level=0.9, target="benchmark"))
    data, tokens = ALIKE.outcomes, ALIKE.columns["tokens_out"]
    told = {"target": "benchmark", "confidence_level": 0.9}
    expected = metrics.short_or_long(data, tokens, 4, **told)
    assert card.found.split[0].gain == expected.gain
    table = metrics.token_budgets(data, tokens, ks=[1, 2, 4], **told)
    assert card.found.budgets.value.tolist() == table.value.tolist()
    fewer = run("two", *(each[:, :2] for each in world(1)))
    assert [card.found.k for card in weighed(ALIKE, fewer)] == [2, 2]
    three, two = weighed(ALIKE, fewer, view=View(k=(3,)))
    assert (three.found.k, two.found.k) == (3, 2)
    assert set(three.found.budgets.k) == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("one", "cut", "spent"), [(SHORT, "477", "508"), (LONG, "125", "500"), (ALIKE, None, None)]
)
def test_the_answer_sets_short_answers_against_a_long_one(one, cut, spent) -> None:
    expected = metrics.short_or_long(one.outcomes, one.columns["tokens_out"], 4)
    cut, spent = (
        cut or quantity(expected.short.budget),
        spent or quantity(expected.long.spent.value),
    )
    assert str(answer(weighed(one))) == (
        f"{one.model}: Cut at {cut} tokens, 4 answers solve {percent_of(expected.short.value)} for "
        f"the {spent} tokens of one uncut answer, which solves "
        f"{percent(expected.long.value.value)}: {points_of(expected.gain)}."
    )


def test_of_one_answer_each_it_is_said_what_a_cut_at_half_of_its_tokens_costs() -> None:
    right, tokens = world()
    one = run("one", right[:, :1], tokens[:, :1])
    half = tokens[:, :1].mean() / 2
    expected = metrics.short_or_long(one.outcomes, tokens[:, :1], 1, spent=half)
    assert str(answer(weighed(one))) == (
        f"one: Cut at {quantity(expected.short.budget)} tokens, half of the usual "
        f"{quantity(expected.long.spent.value)}, {percent_of(expected.short.value)} of the answers "
        f"are right, uncut {percent_of(expected.long.value)}: {points_of(expected.gain)}."
    )


def test_lengths_and_times_say_what_their_intervals_are_for() -> None:
    said = [
        " ".join(map(str, in_words(*weighed(ALIKE, view=View(target=target)))))
        for target in ("population", "benchmark")
    ]
    assert [text.endswith("are nevertheless for questions like these.") for text in said] == [0, 1]


def test_where_the_interval_holds_0_nothing_is_claimed() -> None:
    right, tokens = world(m=6)
    said = str(answer(weighed(run("few", right, tokens), view=View(k=(2,)))))
    assert ", 2 answers solve " in said
    assert said.endswith(" That is too close to call.")


def test_of_several_runs_that_with_the_longest_answers_is_told_and_all_are_counted() -> None:
    cards = weighed(ALIKE, LONG, SHORT)
    assert dearest(cards).run is SHORT
    assert str(split_in_words(cards)).startswith("short: Cut at 477 tokens, ")
    assert str(split_in_words(cards)).endswith(
        "Short answers are surely better for 1 of 3 runs and surely worse for 2."
    )
    other = run("b", *world(), dataset="coding", answers=None)
    assert str(answer(weighed(SHORT, other))).startswith("maths: short: ")


def test_the_answer_sets_other_runs_against_one_answer_of_the_longest() -> None:
    cheap = run("cheap", world(3)[0] | RIGHT, np.full((M, N), 100))
    weak = run("weak", np.tile([0, 0, 0, 0], (M, 1)), np.full((M, N), 100))
    dear = run("dear", np.tile([1, 0, 0, 0], (M, 1)), np.full((M, N), 350))
    cards = weighed(cheap, dear, weak)
    best = rivals_of(dearest(cards), cards)[0]
    expected = metrics.compare(
        dear.outcomes, cheap.outcomes, "pass@k", (1, 3), confidence_level=1 - 0.05 / 2
    )
    assert best.more.interval == pytest.approx(expected.interval)
    solved = metrics.estimate(cheap.outcomes, "pass@k", 3)
    assert str(answer(cards)) == (
        f"For at most 350 tokens 3 answers of cheap solve {percent_of(solved)}, one of dear 25.0%: "
        f"{points(expected.value, *expected.interval)}."
    )
    lost = metrics.compare(dear.outcomes, weak.outcomes, "pass@k", (1, 3))
    solved = metrics.estimate(weak.outcomes, "pass@k", 3)
    assert str(answer(weighed(dear, weak))) == (
        f"For at most 350 tokens 3 answers of weak solve {percent_of(solved)}, one of dear 25.0%: "
        f"{points(lost.value, *lost.interval)}."
    )
    once = run("once", np.tile([1, 0, 0, 0], (M, 1)), np.full((M, N), 200))
    told = str(answer(weighed(dear, once)))
    assert told.startswith("For at most 350 tokens 1 answer of once solves 25.0% (")
    assert told.endswith(" That is too close to call.")


def test_how_long_one_waits_is_told_of_one_answer_and_where_none_is_right() -> None:
    seconds = np.tile([1.0, 2.0, 4.0, 9.0], (M, 1))
    right = np.zeros((M, N), dtype=int)
    (card,) = weighed(run("wrong", right, np.full((M, N), 50), latency_s=seconds))
    said = [*map(str, in_words(card))][-1]
    assert said.startswith(
        "4 answers take 9 (9 to 9) s if asked at once, as long as the slowest, and 16 (16 to 16) s "
        "one after another, 1.78 (1.78 to 1.78) times as long. No answer is right, so there is no "
        "time to a right one."
    )
    assert said.endswith(" assuming that asking at once slows no answer down.")
    (once,) = weighed(run("once", right[:, :1], np.full((M, 1), 50), latency_s=seconds[:, 1:2]))
    assert [*map(str, in_words(once))][-1] == "An answer takes 2 (2 to 2) s."
    (alone,) = weighed(run("alone", [[1, 0]], [[50, 50]], latency_s=seconds[:1, 1:3]))
    assert [*map(str, in_words(alone))][-1].startswith("2 answers take 4 s if asked at once, ")


def test_times_are_told_of_as_many_answers_as_have_one() -> None:
    right, tokens = world()
    right[0, 0] = -1
    seconds = np.where(right < 0, np.nan, tokens / 50)
    (card,) = weighed(run("failing", right, tokens, latency_s=seconds))
    assert card.found.k == 4
    assert card.found.times[0].k == 3
    assert {row["k"] for row in BUDGETED.rows([card]) if row["unit"] == "seconds"} == {3}


def test_one_sample_a_question_weighs_a_cut_at_half_of_the_tokens() -> None:
    right, tokens = world(n=1)
    (card,) = weighed(run("one", right, tokens))
    split, _ = card.found.split
    assert split.short.spent.value == pytest.approx(tokens.mean() / 2, abs=1)
    assert str(answer([card])).startswith("one: Cut at ")
    assert next(line.found.k for line in cuts(card.found)) == 1


def test_answers_too_short_to_share_have_no_short_ones_and_say_so() -> None:
    tiny = run("tiny", RIGHT, np.ones(RIGHT.shape))
    cards = weighed(tiny)
    assert str(answer(cards)) == "tiny: 4 answers cannot share the 1 token of one."
    assert [row["reason"] for row in BUDGETED.rows(cards) if row["number"] == "gain"] == [
        "4 answers cannot share the 1 token of one."
    ]
    assert frontiers(cards, number_runs(index(tiny)), ())[0].pick is None
    assert str(answer(weighed(tiny, LONG))).startswith(
        "For at most 500 tokens 4 answers of tiny solve "
    )


def test_without_tokens_it_says_so_and_the_others_are_weighed() -> None:
    bare = Run("bare", "maths", Outcomes([[1, 0]] * 5))
    assert str(answer(weighed(bare))) == "The file does not say how many tokens its answers have."
    cards = weighed(bare, LONG)
    assert [card.found is None for card in cards] == [True, False]
    assert str(answer(cards)).startswith("long: ")


def test_answers_that_the_run_itself_cut_are_told() -> None:
    right, tokens = world()
    reasons = Labels((tokens == tokens.max()).astype(np.int8), ("stop", "length"))
    cut = Run(
        "cut",
        "maths",
        Outcomes(right, segments={"half": np.where(np.arange(M) < M / 2, "first", "second")}),
        columns={"tokens_out": tokens},
        labels={"finish_reason": reasons},
    )
    (card,) = weighed(cut)
    said = " ".join(map(str, in_words(card)))
    assert "1 of 160 answer was cut at the run's own limit" in said
    where = "first" if tokens.max(axis=1).argmax() < M / 2 else "second"
    (half,) = weighed(cut, view=View(segment=("half", where)))
    assert half.found.unfinished == (1, 80)
    assert "run's own limit" not in " ".join(map(str, in_words(*weighed(ALIKE))))


def test_votes_are_by_answer_where_every_run_with_tokens_has_answers() -> None:
    right, tokens = world()
    voting = run("votes", right, tokens, answers=np.where(right, 0, 1))
    assert {card.settings.metric for card in weighed(voting, answers="voted")} == {"plurality@k"}
    both = weighed(voting, ALIKE, answers="voted")
    assert {card.settings.metric for card in both} == {"maj@k"}
    assert {card.settings.metric for card in weighed(voting)} == {"pass@k"}


def test_rows_hold_every_number_with_its_unit_and_interval() -> None:
    timed = run("timed", *world(), latency_s=world()[1] / 50)
    bare = Run("bare", "maths", Outcomes([[1, 0]] * 5))
    found = BUDGETED.rows(weighed(timed, bare))
    assert all(list(row) == list(dtypes(COLUMNS)) for row in found)
    numbers = {row["number"] for row in found}
    assert {"budget", "short", "long", "gain", "right longer", "right at once", None} <= numbers
    for row in found:
        if row["number"] and row["number"] != "budget":
            assert row["low"] <= row["value"] <= row["high"]
    assert found[-1]["reason"] == "The file does not say how many tokens its answers have."
    untimed = {row["number"]: row for row in BUDGETED.rows(weighed(ALIKE))}
    assert untimed["all at once"]["reason"] == "The file does not say how long its samples took."
    assert untimed["all at once"]["value"] is None
    assert list(WITH_RIVALS.frame(weighed(timed, bare)).columns) == list(dtypes(COLUMNS))


def test_the_best_of_all_runs_is_drawn_and_said() -> None:
    cards = weighed(LONG, SHORT)
    best = best_of(cards)
    assert best[0].run == 1
    assert [each.spent for each in best] == sorted(each.spent for each in best)
    assert all(a.value < b.value for a, b in itertools.pairwise(best))
    assert best_of_all(cards) == [(each.spent, each.value) for each in best]
    assert best_of_all(weighed(LONG)) == []
    assert "4 answers of short of at most 10 tokens solve the most" in str(best_in_words(cards))
    drawn = frontiers(cards, number_runs(index(LONG, SHORT)), ())
    assert [offer.strong for offer in drawn] == [False, True]
    assert [offer.pick.name for offer in drawn] == ["4 ≤ 125", "4 ≤ 477"]
    assert drawn[0].labels == [""] * len(drawn[0].points.x), "of the run that is told of alone"
    firsts = dict.fromkeys(int(label) for label in drawn[1].labels if label)
    assert list(firsts) == [1, 2, 4]
    assert {offer.name for offer in lines_by_k(cards[0])} == {"k = 1", "k = 2", "k = 4"}
    assert [offer.pick is not None for offer in lines_by_k(cards[0])] == [False, False, True]


def test_others_give_as_many_answers_as_one_of_the_dearest_takes() -> None:
    thinking = run("thinking", np.tile([1, 0, 1, 1], (M, 1)), np.full((M, N), 700))
    cheap = run("cheap", *(world(3)[0], np.full((M, N), 200)))
    cheapest = run("cheapest", np.tile([1, 0, 0, 0], (M, 1)), np.full((M, N), 10))
    cards = weighed(cheap, thinking, cheapest)
    card = dearest(cards)
    assert card.run is thinking
    rivals = rivals_of(card, cards)
    assert {(each.name, each.k, each.spent) for each in rivals} == {
        ("cheap", 3, 600),
        ("cheapest", 4, 40),
    }
    assert rivals[0].value.value == max(each.value.value for each in rivals)
    numbers = number_runs(index(cheap, thinking, cheapest))
    plain, marked = frontiers(cards, numbers, ()), frontiers(cards, numbers, rivals)
    assert rivals[0].name in {each.name for each in marked}
    for before, after in zip(plain, marked, strict=True):
        if after.name == rivals[0].name:
            assert (after.pick.x, after.pick.y) == (rivals[0].spent, rivals[0].value.value)
            assert not after.pick.taken
        else:
            assert after.pick == before.pick
    other = next(each for each in rivals if each.name == "cheap")
    expected = metrics.estimate(cheap.outcomes, "pass@k", 3)
    assert other.value.interval == expected.interval
    assert other.more.value == pytest.approx(expected.value - 0.75)
    assert other.more.paired
    assert str(rivals_in_words(card, [other])).startswith(
        "For at most 700 tokens 3 answers of cheap solve "
    )
    assert rivals_of(cards[2], cards) == ()
    assert rivals_in_words(cards[2], ()) is None


def test_where_nothing_tells_that_questions_are_the_same_runs_are_not_paired() -> None:
    cards = weighed(LONG, run("cheap", RIGHT, np.full((M, N), 200)))
    (rival,) = rivals_of(cards[0], cards, lambda a, b: Match(0, M, False, Text("asked otherwise")))
    assert not rival.more.paired


def test_of_many_cuts_the_round_ones_are_read_and_of_few_all() -> None:
    (card,) = weighed(ALIKE)
    assert {str(line.budget)[0] for line in cuts(card.found)[:-1]} <= {"1", "2", "5"}
    few = run("few", RIGHT, np.resize([3, 4, 6, 7], RIGHT.shape))
    (card,) = weighed(few)
    assert [line.budget for line in cuts(card.found)] == [3, 4, 5, 6, 7]


def test_ten_runs_are_drawn_and_among_them_that_of_the_answer() -> None:
    many = [run(f"m{i}", RIGHT, np.full((M, N), 100 + i)) for i in range(12)]
    cards = weighed(*many)
    drawn = worth_drawing(cards)
    assert len(drawn) == 10
    assert dearest(cards) in drawn
    assert cards[0] in drawn


@pytest.mark.wide
def test_the_command_prints_the_answer_first_and_the_same_numbers(tmp_path, capsys) -> None:
    right, tokens = world()
    path = tmp_path / "t.parquet"
    path.write_bytes(table(right, completion_tokens=tokens.ravel(), latency=tokens.ravel() / 50))
    assert main(["budgets", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("alpha: Cut at ")
    assert "pass@4" in out
    assert "times as long as wrong answers" in out
    assert "An answer longer than the cut counts as wrong" in out
    assert main(["budgets", str(path), "--format", "json", "--k", "2"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["choices"] == {"answers": "checked"}
    gain = next(row for row in document["budgets"] if row["number"] == "gain")
    expected = metrics.short_or_long(right, tokens, 2).gain
    assert (gain["value"], gain["low"]) == pytest.approx((expected.value, expected.interval.low))
    for layout in ("csv", "md"):
        assert main(["budgets", str(path), "--format", layout]) == 0
        assert "alpha" in capsys.readouterr().out


def test_a_frame_holds_the_others_below_its_rows() -> None:
    cards = weighed(LONG, SHORT, ALIKE, answers="voted")
    table = WITH_RIVALS.frame(cards)
    below = table[table.number.str.startswith("instead")]
    assert below.equals(table.tail(4))
    assert set(below.against) == {"short / maths"}
    for rival in rivals_of(dearest(cards), cards):
        solved, more = (row for _, row in below[below.run == rival.key].iterrows())
        assert (solved.number, more.number) == ("instead", "instead more")
        assert (solved.value, more.value) == (rival.value.value, rival.more.value)
        assert (solved.k, solved.spent) == (rival.k, rival.spent)
        assert (more.low, more.high) == tuple(rival.more.interval)


def test_tables_hold_the_others_and_methods_say_what_was_computed() -> None:
    cards = weighed(LONG, SHORT, ALIKE, answers="voted")
    _runs, others = BUDGETS.read(cards)
    assert {row["run"] for row in others} == {"long / maths", "alike / maths"}
    assert {row["for the tokens of one of"] for row in others} == {"short / maths"}
    used = list(BUDGETS.used(cards))
    assert {"maj@k", "differences"} == {each.name for each in used if isinstance(each, Used)}
    assert {each.text for each in used if isinstance(each, MethodNote)} == {AT_ONCE, ASSUMED}
