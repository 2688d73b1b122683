"""Choose n as a visitor meets it, without a browser."""

import io
import json
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from kofn.choose_n import words
from kofn.choose_n.pricing import Pricing
from kofn.command import main
from kofn.writing.estimates import percent
from metrics import Outcomes, Windows, adaptive_vote, choose_among
from pages.shared.controls import prices
from tests.pages.visiting import (
    CHOOSE_N,
    choose,
    figures,
    look_closer,
    outcomes,
    parts,
    table,
    told,
    unfold,
    visit,
)


def chosen_n(app) -> int:
    return int(re.search(r"n = (\d+)", told(app)).group(1))


WAY = "How is the answer chosen?"


def ways(app) -> list[str]:
    """What ways to choose an answer are offered."""
    (control,) = (each for each in app.segmented_control if each.label == WAY)
    return list(control.options)


def headers(app) -> list[str]:
    return [each.value for each in app.header]


def chosen_model(app) -> str:
    return re.search(r"Use (.+?) at n", told(app)).group(1)


def test_choose_n_gives_the_answer_of_the_library():
    correct = outcomes(60, 16)
    app = visit(CHOOSE_N, ("a.parquet", table(correct)))
    choice = choose_among({"alpha": Outcomes(correct)}).choices["alpha"]
    quality = choice.table.quality[choice.safe_n - 1]
    assert f"Use alpha at n = {choice.safe_n} if answers can be checked: " in told(app)
    assert f"n = {choice.safe_n} is 95% sure to reach" in told(app)
    assert str(percent(quality)) in told(app)
    assert len(figures(app)) == 1
    assert len(figures(look_closer(app, "every-n"))) == 3


def test_choose_n_gives_the_answer_of_the_command(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    path.write_bytes(table(outcomes(60, 16)))
    flags = {"value": "9", "sample-price": "2", "level": "0.8"}
    arguments = [part for key, value in flags.items() for part in (f"--{key}", value)]
    assert main(["choose-n", str(path), "--format", "json", *arguments]) == 0
    document = json.loads(capsys.readouterr().out)
    app = visit(CHOOSE_N, (path.name, path.read_bytes()), **flags)
    first = headers(app)[0].replace("\\", "")
    assert document["answer"].startswith(first)
    assert document["answer"].removeprefix(first).strip() in told(app)
    assert all(reason in told(app) for reason in document["datasets"]["maths"]["reasons"])


def test_a_dearer_sample_means_fewer_of_them():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(200, 16))), value="20")
    cheap = chosen_n(app)
    assert "Prices by model" not in [fold.label for fold in app.expander]
    app = visit(
        CHOOSE_N, ("a.parquet", table(outcomes(200, 16))), value="20", **{"sample-price": "4"}
    )
    assert chosen_n(app) < cheap
    (prices,) = app.data_editor
    assert prices.value.to_dict("records") == [{"model": "alpha", "price": 4.0}]
    (currency,) = (box for box in app.text_input if box.label == "Currency")
    app = currency.set_value("USD").run()
    assert app.query_params["currency"] == "USD"
    assert "USD a question" in told(app)
    assert choose(app, "Cost in", "samples").query_params.get("sample-price") is None
    assert chosen_n(app) == cheap
    app = choose(app, "Cost in", "money")
    assert app.query_params["sample-price"] == ["4"] or app.query_params["sample-price"] == "4"
    assert chosen_n(app) < cheap


def test_worth_goes_before_budgets_and_they_before_a_quality_and_that_before_a_share():
    """What is given below another is kept, and greyed."""
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(100, 16))))
    labels = {
        "Or reach, in percent of the best": (90.0, "90% of pass@16"),
        "Or solve at least, in percent": (70.0, "to solve 70% of questions"),
        "Or for all questions, in samples": (400.0, "within 4 samples"),
        "Or pay at most, a question, in samples": (3.0, "within 3 samples"),
        "A solved question is worth, in samples": (10.0, "it is worth"),
    }
    given = []
    for label, (amount, said) in labels.items():
        app = choose(app, label, amount)
        assert said in told(app)
        greyed = {box.label for box in app.number_input if box.disabled}
        assert greyed == set(given)
        given.append(label)


def test_a_budget_for_a_month_is_one_of_a_question():
    query = {"total": "3000", "questions": "1000"}
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(100, 16))), **query)
    assert "within 3 samples a question" in told(app)
    assert "1,000 questions take " in told(app)
    assert "These 100 questions" not in told(app)


def test_the_answer_comes_before_any_control():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(100, 16))))
    kinds = [type(each).__name__ for each in app.main]
    assert kinds.index("Header") < kinds.index("Selectbox") if "Selectbox" in kinds else True


def test_without_a_check_a_vote_is_used_and_pass_n_is_out_of_reach():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(60, 9))), verifier="no")
    assert "pass@n is out of reach" in told(app)
    assert "maj@n" in figures(app)[0].layout.yaxis.title.text
    answers = np.where(outcomes(60, 9).ravel(), "4", "5")
    app = visit(CHOOSE_N, ("b.parquet", table(outcomes(60, 9), extracted=answers)), verifier="no")
    assert "plurality@n" in figures(app)[0].layout.yaxis.title.text
    app = look_closer(app, "early")
    app = choose(app, "Votes may end early", "windows")
    app = choose(app, "Equal answers in a row", 2)
    app = choose(app, "Most samples", 8)
    codes = (answers == "4").reshape(60, 9).astype(int)
    vote = adaptive_vote(codes, Windows(2), 8, answers=codes)
    assert f"a vote of up to 8 takes {words.amount(vote.samples)} samples" in told(app)
    assert [app.query_params[key] for key in ("stop", "window", "cap")] == ["windows", "2", "8"]
    dotted = [each for each in figures(app)[0].data if each.line.dash == "dot"]
    assert [each.name for each in dotted] == ["alpha, ended early"]
    assert [sum(each.line.dash == "dot" for each in one.data) for one in figures(app)] == [1, 3]
    assert "Early-stopping self-consistency, windows of 2" in [
        rule for frame in app.dataframe for rule in frame.value.get("Rule", ())
    ]
    app = unfold(app, "cite.choice of n")
    assert any(r"rule & samples & saves" in code.value for code in app.code)
    app = choose(app, "Leader likely, in percent", 98.76543)
    assert app.query_params["confidence"] == "0.987654"
    assert app.number_input(key="kofn.Ending.confidence").value == 98.7654


def test_tokens_are_estimated_from_texts_where_no_others_are_known():
    lines = [
        {"question_id": f"q{q}", "sample": s, "correct": (q + s) % 2, "prediction": "so " * 40}
        for q in range(6)
        for s in range(3)
    ]
    data = "\n".join(map(json.dumps, lines)).encode()
    app = visit(CHOOSE_N, ("t.jsonl", data), basis="lengths")
    assert not app.exception
    assert "These 6 questions take 360 tokens." in told(app)
    assert "Costs are tokens estimated from the texts of 6 questions" in told(app)


def test_votes_that_cannot_end_early_say_why_and_those_checked_are_not_asked():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(60, 9))), verifier="no")
    assert "Votes cannot end early here: its file has no extracted answers" in told(app)
    assert "Votes that end early" in parts(app)[0]
    app = choose(app, WAY, "check")
    assert "Votes that end early" not in parts(app)[0]
    assert "early" not in told(app)


def test_a_signal_that_picks_is_a_third_way_to_an_answer():
    correct = outcomes(60, 9)
    reward = correct.ravel() + np.linspace(0, 1, correct.size)
    app = visit(CHOOSE_N, ("a.parquet", table(correct, reward=reward)))
    assert ways(app) == ["checked", "voted", "picked by reward"]
    app = choose(app, WAY, "by reward")
    assert not app.exception
    assert " if reward picks: " in told(app)
    assert "selected@n" in figures(app)[0].layout.yaxis.title.text
    assert app.query_params["picked-by"] == "reward"
    app = choose(app, WAY, "vote")
    assert " if answers vote: " in told(app)
    assert "picked-by" not in app.query_params
    lowest = {"picked-by": "-reward"}
    app = visit(CHOOSE_N, ("a.parquet", table(correct, reward=reward)), **lowest)
    assert ways(app)[-1] == "picked by the lowest reward"
    assert "if the lowest reward picks: " in told(app)
    assert ways(visit(CHOOSE_N, ("b.parquet", table(correct)))) == ["checked", "voted"]


def test_ways_stand_side_by_side_and_one_that_gains_nothing_says_so():
    correct = outcomes(60, 9)
    noise = np.random.default_rng(2).random(correct.size)
    tokens = np.arange(correct.size) % 50 + 9
    app = visit(CHOOSE_N, ("a.parquet", table(correct, noise=noise, tokens_out=tokens)))
    listed = next(each.value for each in app.dataframe if "Way" in each.value)
    names = [re.sub(r"\d+", "#", name) for name in listed["Way"]]
    assert set(names) == {
        "# answers, checked",
        "a vote of #",
        "picked by noise among #",
        "one answer",
        "# answers cut at # tokens, checked",
        "a vote of # answers cut at # tokens",
    }
    assert "Picking by noise among " in told(app)
    assert ", a plain vote " in told(app)


def test_tokens_are_counted_before_samples_and_where_these_differ_both_are_said():
    long, short = outcomes(60, 9, 1) | outcomes(60, 9, 2), outcomes(60, 9, 1)
    files = [
        (f"{name}.parquet", table(right, name, tokens_out=np.full(right.size, each)))
        for name, right, each in (("long", long, 1000), ("short", short, 10))
    ]
    app = visit(CHOOSE_N, *files, quality="0.6")
    assert chosen_model(app) == "short"
    assert "By samples long at n = " in told(app)
    assert " tokens a question" in told(app)
    app = choose(app, "Cost in", "samples")
    assert chosen_model(app) == "long"
    assert "By tokens short at n = " in told(app)


def test_what_more_there_is_opens_by_an_address_too():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(60, 9))), more="short-answers")
    assert app.query_params["more"] in ("short-answers", ["short-answers"])
    assert parts(app) == (
        [
            "Each model",
            "Ways side by side",
            "Every n",
            "Best of n",
            "Short answers",
            "How reliable is this rule?",
        ],
        ["Short answers"],
    )
    assert "Short answers need the number of tokens of each answer." in told(app)
    assert "In simulations" not in told(app)
    assert "In simulations" in told(look_closer(app, "reliability"))


def test_tokens_are_offered_where_the_file_has_them_and_some_may_be_missing():
    correct = outcomes(30, 8)
    tokens = np.where(np.arange(correct.size) % 7 == 0, None, 100).astype(object)
    app = visit(CHOOSE_N, ("a.parquet", table(correct, tokens_out=tokens)))
    (basis,) = (box for box in app.selectbox if box.label == "Cost in")
    assert (basis.value, "Tokens" in basis.options) == ("tokens", True)
    assert "no known cost" in told(app)
    plain = visit(CHOOSE_N, ("b.parquet", table(correct)))
    (basis,) = (box for box in plain.selectbox if box.label == "Cost in")
    assert (basis.value, "Tokens" in basis.options) == ("samples", False)


def test_money_by_prices_takes_the_place_of_costs_in_the_file():
    correct = outcomes(30, 8)
    given = table(correct, cost=np.full(correct.size, 0.5), tokens_out=np.full(correct.size, 100))
    app = visit(CHOOSE_N, ("a.parquet", given), basis="recorded")

    def counted():
        (box,) = (box for box in app.selectbox if box.label == "Cost in")
        return box

    assert counted().value == "recorded"
    assert not app.data_editor
    counted().set_value("money").run()
    assert counted().value == "money"
    assert app.query_params["basis"] == "tokens"
    (prices,) = app.data_editor
    assert "alpha" in prices.value["model"].tolist()


def test_typed_tokens_need_no_file():
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 8))), basis="typed")
    assert "Type how many tokens" in told(app)
    (prices,) = app.data_editor
    assert list(prices.value) == ["model", "tokens in", "tokens out", "input", "output"]
    query = {"tokens": "alpha=0,1000", "token-price": "2", "currency": "EUR"}
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 8))), basis="typed", **query)
    assert " EUR a question" in told(app)


@pytest.mark.parametrize(
    "query", [{"value": "-1"}, {"budget": "1e99"}, {"sample-price": "free"}, {"reach": "0"}]
)
def test_prices_that_make_no_sense_are_left_out_aloud(query):
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(30, 8))), **query)
    assert not app.exception
    assert "A setting of this link is left out" in told(app)
    assert "95% of pass@8" in told(app)


@pytest.mark.parametrize("shape", [(30, 1), (1, 8), (1, 1)])
def test_the_smallest_data_have_an_answer_or_a_reason(shape):
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(*shape))))
    assert not app.exception
    if shape[1] == 1:
        assert "Only n = 1 can be looked at" in told(app)
        assert not figures(app)


def test_several_models_stand_side_by_side_and_none_dominates_the_frontier():
    cheap, dear = outcomes(50, 16, 1), outcomes(50, 4, 2) | outcomes(50, 4, 3)
    files = [("a.parquet", table(cheap, "cheap")), ("b.parquet", table(dear, "dear"))]
    app = visit(CHOOSE_N, *files, **{"sample-price": "cheap=1"})
    assert "none of dear" in told(app)
    app = visit(CHOOSE_N, *files, **{"sample-price": ["cheap=1", "dear=8"]})
    figure = figures(app)[0]
    ends = {note.text.replace("<b>", "").replace("</b>", "") for note in figure.layout.annotations}
    assert ends > {"cheap", "dear"}
    assert "Best for its cost: cheap at n = 1" in told(app)
    lines = next(each.value for each in app.dataframe if "Note" in each.value)
    look_closer(app, "every-n")
    every = next(each.value for each in app.dataframe if "Best for its cost" in each.value)
    assert lines["Model"].tolist()[0] in chosen_model(app)
    assert lines["Note"].tolist()[0] == "take this"
    assert "yes" in set(every["Best for its cost"])


def test_runs_with_different_numbers_of_samples_go_as_far_as_each_has_them():
    files = [("a.parquet", table(outcomes(30, 8))), ("b.parquet", table(outcomes(30, 4), "beta"))]
    app = visit(CHOOSE_N, *files)
    assert not app.exception
    assert "of pass@8 of alpha" in told(app)
    lines = app.dataframe[0].value.set_index("Model")
    assert lines.loc["beta", "n"] <= 4


def test_all_runs_of_the_dataset_are_chosen_among_and_ten_drawn():
    files = [
        (f"{place}.parquet", table(outcomes(40, 4, place), f"model {place:02d}"))
        for place in range(12)
    ]
    app = visit(CHOOSE_N, *files)
    assert len(app.dataframe[0].value) == 12
    assert "10 of 12 runs are drawn." in told(app)
    lines = {trace.name for trace in figures(app)[0].data if trace.name}
    assert len(lines - {"best for its cost"}) == 10
    assert chosen_model(app) in lines


def suite(rng, models=10, datasets=20, m=12, n=4):
    """Many models on many datasets, with tokens."""
    shape = models, datasets, m, n
    rates = rng.beta(0.5 + 0.12 * np.arange(models)[:, None, None, None], 1, (*shape[:3], 1))
    right = rng.random(shape) < rates
    at = [each.ravel() for each in np.indices(shape)]
    columns = {
        "model": [f"model-{a:02d}" for a in at[0]],
        "dataset": [f"set-{d:02d}" for d in at[1]],
        "question_id": [f"q{q}" for q in at[2]],
        "sample": at[3],
        "correct": right.ravel().astype(int),
        "tokens_out": rng.integers(50, 500, right.size),
    }
    buffer = io.BytesIO()
    pd.DataFrame(columns).to_parquet(buffer)
    return buffer.getvalue()


@pytest.mark.wide
def test_ten_models_on_twenty_datasets_have_one_answer_and_one_table_of_prices():
    app = visit(CHOOSE_N, ("a.parquet", suite(np.random.default_rng(5))))
    assert not app.exception
    assert re.fullmatch(
        r"Use model-0\d at n = \d .* tokens a question\.", headers(app)[0].replace("\\", "")
    )
    assert len(next(each.value for each in app.dataframe if "Note" in each.value)) == 10
    app = choose(app, "Cost in", "money")
    assert not app.exception
    (fold,) = (each for each in app.expander if each.label == "Prices by model")
    assert fold.proto.expanded
    (prices,) = app.data_editor
    assert prices.value.shape == (10, 3)
    assert "Nothing has a price yet, so costs are counted in tokens." in told(app)
    assert not [box for box in app.number_input if "Price" in box.label]


@pytest.mark.parametrize("way", ["vote", "by reward"])
def test_one_question_and_one_sample_have_a_reason_by_every_way(way):
    for shape in ((1, 8), (30, 1)):
        right = outcomes(*shape)
        data = table(right, reward=np.linspace(0, 1, right.size), extracted=right.ravel())
        app = choose(visit(CHOOSE_N, ("a.parquet", data)), WAY, way)
        assert not app.exception
        assert "No n can be chosen: " in told(app)
        assert not look_closer(app, "every-n", "best-of-n", "short-answers").exception


def test_nothing_is_given_until_somebody_gives_it():
    """An aim that nobody set is empty, and not its least value."""
    app = visit(CHOOSE_N, ("a.parquet", table(outcomes(60, 16))))
    empty = {box.label: box.value for box in app.number_input if box.placeholder}
    assert len(empty) >= 5
    assert set(empty.values()) == {None}


def test_a_table_of_prices_begins_anew_where_prices_came_from_elsewhere(monkeypatch):
    state = {}
    monkeypatch.setattr(prices, "st", SimpleNamespace(session_state=state))
    typed, linked = (Pricing("tokens", token_prices=(("", (each,)),)) for each in (1.0, 2.0))
    first, key = prices._begun(typed, ["7B"])
    assert first == [{"input": 1.0, "output": 1.0}]
    assert prices._begun(typed, ["7B"]) == (first, key)
    state[key] = {"edited_rows": {0: {"input": 2.0, "output": 2.0}}}
    assert prices._begun(linked, ["7B"]) == (first, key)
    later = [prices._begun(typed, ["7B"])[1], prices._begun(linked, ["7B", "8B"])[1]]
    assert len({key, *later}) == 3
