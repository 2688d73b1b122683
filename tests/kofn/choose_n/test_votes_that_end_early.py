"""What is said of votes that end early, against the library, on every way out."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from kofn.choices.view import View
from kofn.choose_n.analysis import choose_runs
from kofn.choose_n.columns import rule_columns, rules
from kofn.choose_n.figures import picture, sequential_votes, votes
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending, SequentialVotes, pays
from kofn.choose_n.words import (
    amount,
    answer,
    early_vote_in_words,
    orders_in_words,
    reasons,
    rule_name,
)
from kofn.command import main
from kofn.writing.columns import written
from kofn.writing.estimates import percent
from metrics import Confidence, Decided, Outcomes, Windows, adaptive_curve, adaptive_vote
from metrics.analyses.sequential_stopping import decided, orders, windows
from reports import Run, load

M, N = 100, 9
VOTES, USUAL = Pricing(verifier=False), Ending()


def run(model="good", power=0.7, answers=True, seed=0, **rest):
    rng = np.random.default_rng(seed)
    rates = rng.beta(2, 1, (M, 1)) ** power
    codes = np.where(rng.random((M, N)) < rates, 0, rng.geometric(0.4, (M, N)))
    correct = (codes == 0).astype(np.int8)
    return Run(model, "maths", Outcomes(correct), answers=codes if answers else None, **rest)


def of(runs, pricing=VOTES, ending=USUAL):
    return choose_runs({each.model: each for each in runs}, View(), pricing, None, ending)


@pytest.fixture(scope="module")
def usual():
    return of([run()])


def test_the_answer_says_what_the_rule_that_pays_takes_of_the_n_to_use(usual):
    (card,) = usual
    sequential, choice = card.found.sequential[0], card.found.choice
    assert sequential.cap == choice.safe_n > 2
    votes = {
        rule.name: adaptive_vote(card.run, rule, sequential.cap, answers=card.run.answers)
        for rule in (Decided(), Confidence(), Windows())
    }
    assert sequential.vote.samples.value == pytest.approx(votes[sequential.rule].samples.value)
    said = str(answer(usual))
    saved = votes[sequential.rule].saved
    assert (
        f"a vote of up to {sequential.cap} takes {amount(votes[sequential.rule].samples)} sam"
        in said
    )
    assert f"{percent(saved.value, *saved.interval)} fewer" in said
    assert not any("vote of up to" in str(reason) for reason in reasons(usual))
    for name, curve in sequential.curves.items():
        if pays(curve, sequential.cap):
            assert votes[name].samples.value >= sequential.vote.samples.value - 1e-9


def test_a_rule_pays_that_surely_saves_and_loses_at_most_a_point():
    rng = np.random.default_rng(1)
    alike = adaptive_curve([[1] * 9] * 400, Confidence(), answers=[[3] * 9] * 400)
    assert pays(alike, 1) is False
    assert alike.fewest(9) == 1
    assert pays(alike, 9) is False, "one sample is right as often"
    two = adaptive_curve(
        [[1, 0, 1, 1, 0]] * 2, Decided(), answers=[[3, 4, 3, 3, 4], [3, 4, 3, 3, 5]]
    )
    assert two.at(5).saved.value > 0
    assert pays(two, 5) is False, "two questions are no proof"
    rates = rng.beta(4, 1, (2000, 1))
    codes = np.where(rng.random((2000, 9)) < rates, 0, rng.geometric(0.5, (2000, 9)))
    hasty, decided, sure = (
        adaptive_curve((codes == 0).astype(int), rule, answers=codes)
        for rule in (Confidence(0.6), Decided(), Confidence())
    )
    few = adaptive_curve((codes[:40] == 0).astype(int), Confidence(), answers=codes[:40])
    assert few.at(9).samples.value < few.fewest(9)
    assert not pays(few, 9), "40 questions cannot show that it loses less than a point"
    both = SequentialVotes(9, {"decided": decided, "confidence": sure}, None)
    assert pays(decided, 9)
    assert pays(sure, 9)
    taken = {name: curve.at(9).samples.value for name, curve in both.curves.items()}
    assert both.best == min(taken, key=taken.get)
    assert hasty.at(9).gain.interval.high < -0.01
    assert not pays(hasty, 9)
    assert tuple(decided.at(9).gain.interval) == (0, 0)


@pytest.mark.wide
def test_what_is_asked_for_is_told_whether_it_pays_or_not():
    chosen = of([run()], ending=Ending("windows", window=2, cap=8))
    sequential = chosen[0].found.sequential[0]
    vote = adaptive_vote(chosen[0].run, Windows(2), 8, answers=chosen[0].run.answers)
    assert (sequential.rule, sequential.cap, sequential.vote.cap) == ("windows", 8, 8)
    assert sequential.vote.samples.value == pytest.approx(vote.samples.value, abs=0.02)
    assert "Ended by a window of 2 equal answers, a vote of up to 8 takes" in str(answer(chosen))
    likely = of([run()], ending=Ending("confidence", 0.8))
    assert "80% likely to stay ahead" in str(answer(likely))


def test_votes_cost_as_the_samples_of_the_file_do():
    tokens = np.random.default_rng(3).integers(50, 150, (M, N)).astype(float)
    chosen = of([run(columns={"tokens_out": tokens})], Pricing("tokens", verifier=False))
    sequential = chosen[0].found.sequential[0]
    price = tokens.mean(axis=1)
    assert sequential.curves["decided"].cost[-1] < chosen[0].found.choice.table.cost[-1]
    assert sequential.curves["decided"].cost[0] == pytest.approx(price.mean())
    assert f"samples for {sequential.vote.cost.value:.0f} tokens:" in str(answer(chosen))


@pytest.mark.parametrize(
    ("runs", "ending", "why"),
    [
        ([run(answers=False)], Ending(), "no extracted answers"),
        ([run(), run("other", 3, answers=False)], Ending(), "votes count right or wrong"),
        ([run()], Ending(cap=10), "needs 10 samples"),
    ],
)
def test_where_votes_cannot_end_early_it_is_said_why(runs, ending, why):
    chosen = of(runs, ending=ending)
    said = " ".join(map(str, reasons(chosen)))
    assert "Votes cannot end early here: " in said
    assert why in said
    assert "vote of up to" not in str(answer(chosen))


def test_where_no_rule_pays_it_is_said():
    codes = np.repeat(np.arange(M) % 2, N).reshape(M, N)
    even = Run("m", "d", Outcomes((codes == 0).astype(np.int8)), answers=codes)
    chosen = of([even])
    sequential = chosen[0].found.sequential[0]
    assert sequential.rule is None
    assert sequential_votes(chosen, {"m": 0}) == ()
    assert any("No rule" in str(each) and "surely pays" in str(each) for each in reasons(chosen))


def test_where_answers_can_be_checked_nothing_is_replayed():
    assert all(one.found.sequential == (None, None) for one in of([run()], Pricing()))


@pytest.mark.wide
def test_of_several_runs_the_one_to_take_is_replayed():
    chosen = of([run("weak", 4), run("good")])
    assert [any(one.found.sequential) for one in chosen] == [False, True]
    dear = of([run("weak", 4), run("good")], Pricing(quality=1.0, verifier=False))
    assert [any(one.found.sequential) for one in dear] == [False, True]
    assert any("vote of up to" in str(reason) for reason in reasons(dear))


def test_tables_and_figures_have_the_numbers_of_the_curves(usual):
    (card,) = usual
    sequential: SequentialVotes = card.found.sequential[0]
    table = written(rule_columns(card.found.priced), rules(card), "page")
    found = {line["Rule"]: line for line in table}
    assert set(found) == {str(rule_name(curve.rule)) for curve in sequential.curves.values()}
    assert found["Winner decided"]["Beyond a vote of all"] == "the same"
    assert sum(line["Note"] == "pays most" for line in found.values()) == 1
    drawn = votes(sequential, card.found.choice, card.found.priced)
    for offer, curve in zip(drawn[1:], sequential.curves.values(), strict=True):
        assert offer.points.x.tolist() == curve.cost.tolist()
        assert offer.points.value.tolist() == curve.value.tolist()
        assert (offer.pick.x, offer.pick.y) == (
            curve.at(sequential.cap).cost.value,
            curve.at(sequential.cap).value.value,
        )
    assert [offer.strong for offer in drawn].count(True) == 1
    whole = picture(usual, {"good": 0})
    assert [each.name for each in whole.data if each.line.dash == "dot"] == ["good, ended early"]


def test_rules_replayed_in_random_orders_are_told_with_their_error(usual, monkeypatch):
    assert orders_in_words(usual[0].found.sequential[0]) == []
    for rule in (windows, decided):
        monkeypatch.setattr(rule, "MOST_WORK", 0)
    monkeypatch.setattr(orders, "MOST_ORDERS", 25)
    (card,) = of([run()], ending=Ending(cap=8))
    once, said = map(str, orders_in_words(card.found.sequential[0]))
    assert once.startswith("Winner decided: 25 random orders of")
    assert "samples by at most 0.08 and what is right by at most 0 points" in once, "as all vote"
    assert said.startswith("Early-stopping self-consistency, windows of 4: 25 random orders of")
    assert "samples by at most 0.08 and what is right by at most 1 points" in said


def test_the_command_and_json_have_every_rule(tmp_path, capsys):
    path, whole = tmp_path / "votes.csv", run()
    rows = ["model,dataset,question_id,sample,correct,extracted_answer"]
    rows += [
        f"good,maths,q{q},{s},{int(code == 0)},a{code}"
        for q, codes in enumerate(whole.answers[:40].tolist())
        for s, code in enumerate(codes)
    ]
    path.write_text("\n".join(rows))
    flags = ["--verifier", "no", "--stop", "confidence", "--confidence", "0.8", "--cap", "9"]
    assert main(["choose-n", str(path), *flags, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ending"] == {"stop": "confidence", "confidence": 0.8, "window": 4, "cap": 9}
    (sequential,) = document["early"]
    (loaded,) = load(path).runs
    vote = adaptive_vote(loaded, Confidence(0.8), answers=loaded.answers)
    told = next(each for each in sequential["rules"] if each["rule"] == sequential["rule"])
    assert (told["rule"], told["orders"]) == ("confidence", 0)
    for name in ("samples", "saved", "cost", "value", "gain"):
        numbers = getattr(vote, name)
        assert list(told[name].values()) == pytest.approx([numbers.value, *numbers.interval])
    assert told["curve"][-1]["samples"] == told["samples"]["value"]
    assert str(early_vote_in_words(vote)) in document["answer"]
    assert main(["choose-n", str(path), *flags]) == 0
    table = capsys.readouterr().out
    assert "Votes of up to 9 that end early:" in table
    assert "Adaptive-Consistency, 80%" in table
    assert main(["choose-n", str(path), *flags, "--format", "md"]) == 0
    assert "| Adaptive-Consistency, 80% |" in capsys.readouterr().out
    assert main(["choose-n", str(path), *flags, "--format", "latex"]) == 0
    paper = capsys.readouterr().out
    assert r"Aggarwal et al. 2023~\cite{aggarwal2023lets}" in paper
    assert r"Li et al. 2024~\cite{li2024escape}" in paper
    assert main(["choose-n", str(path), *flags, "--format", "csv"]) == 0
    rows = pd.read_csv(io.StringIO(capsys.readouterr().out))
    last = rows[(rows.ends_early == "confidence") & (rows.n == 9)].iloc[0]
    assert last.attempts == pytest.approx(vote.samples.value)
    assert last.quality == pytest.approx(vote.value.value)
    assert rows.ends_early.isna().sum() == len(document["table"])


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"stop": "sometimes"}, "stop must be one of best, decided"),
        ({"confidence": "0.4"}, "confidence must be from 0.5"),
        ({"window": "1"}, "window must be a whole number from 2"),
        ({"cap": "x"}, "cap must be a whole number from 1"),
    ],
)
def test_a_setting_that_is_none_is_left_out_with_a_reason(query, why):
    read, (problem,) = Ending.from_query(query)
    assert (read, why in str(problem)) == (Ending(), True)
    full = Ending("windows", 0.9, 5, 12)
    assert Ending.from_query(full.to_query()) == (full, ())
