"""What samples cost under a user's prices, and what that rests on."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kofn.choose_n.lengths import QUESTIONS, Tokens, estimate_tokens, tokens_of
from kofn.choose_n.prices import column, price_run, quantity, with_basis
from kofn.choose_n.pricing import Pricing
from metrics import MetricError, Outcomes, choose_n
from reports import Run
from reports.run.texts import QuestionTexts, Turn

SHAPE = (2, 3)
IN, OUT = np.full(SHAPE, 100.0), np.array([[10.0, 20, 30], [40, 50, 60]])
COLUMNS = {"tokens_in": IN, "tokens_out": OUT, "latency_s": OUT / 10, "cost": OUT / 1000}
RUN = Run(
    "7B",
    "gsm8k",
    Outcomes([[1, 0, 1], [0, 0, 0]]),
    columns={
        "tokens_in": IN,
        "tokens_out": OUT,
        "latency_s": OUT / 10,
        "cost": OUT / 1000,
    },
)
BARE = Run("7B", "gsm8k", Outcomes([[1, 0, 1], [0, 0, 0]]))


def told(priced):
    return str(priced.basis)


def test_without_prices_costs_are_counted_in_what_was_spent():
    samples = price_run(RUN, Pricing("samples"))
    assert samples.costs == 1.0
    assert str(samples.amount(3.25)) == "3.25 samples"
    tokens = price_run(RUN, Pricing("tokens"))
    np.testing.assert_array_equal(tokens.costs, IN + OUT)
    assert str(tokens.amount(1234)) == "1,234 tokens"
    seconds = price_run(RUN, Pricing("seconds"))
    np.testing.assert_array_equal(seconds.costs, OUT / 10)
    assert str(seconds.amount(2)) == "2 s"


def test_prices_by_the_token_second_and_sample():
    tokens = price_run(RUN, Pricing("tokens", token_prices=(("", (0.5, 2.0)),)))
    np.testing.assert_allclose(tokens.costs, (0.5 * IN + 2 * OUT) / 1e6)
    assert told(tokens) == (
        "A million tokens cost 0.5 in and 2 of your currency out; "
        "tokens as measured, prompt and answer."
    )
    alike = price_run(RUN, Pricing("tokens", token_prices=(("", (2.0,)),)))
    np.testing.assert_allclose(alike.costs, 2 * (IN + OUT) / 1e6)
    seconds = price_run(RUN, Pricing("seconds", second_prices=(("", (0.01,)),)))
    np.testing.assert_allclose(seconds.costs, OUT / 1000)
    assert price_run(RUN, Pricing(sample_prices=(("", (0.25,)),))).costs == 0.25
    recorded = price_run(RUN, Pricing("recorded"))
    np.testing.assert_array_equal(recorded.costs, OUT / 1000)
    assert str(recorded.amount(0.0123)) == "0.0123 of the file's currency"
    assert str(price_run(RUN, Pricing("recorded", currency="USD")).unit) == "USD"
    with_price = Pricing(second_prices=(("", (0.01,)),), currency="EUR")
    assert str(price_run(RUN, with_price).amount(0.5)) == "0.5 EUR"


@pytest.mark.parametrize(
    ("columns", "basis"),
    [
        ((COLUMNS, COLUMNS), "tokens"),
        ((COLUMNS, {"latency_s": OUT}), "seconds"),
        ((COLUMNS, {"tokens_out": np.full(OUT.shape, np.nan), "latency_s": OUT}), "seconds"),
        ((COLUMNS, {"tokens_out": OUT}), "tokens"),
        ((COLUMNS, {}), "samples"),
    ],
)
def test_costs_are_what_is_known_best_of_all_runs(columns, basis):
    runs = [replace(RUN, columns=dict(each)) for each in columns]
    assert with_basis(Pricing(), [*runs, Run("x", "d", None)]).basis == basis
    assert with_basis(Pricing("samples"), runs).basis == "samples"


@pytest.mark.parametrize(
    ("given", "basis"),
    [
        ({"token_prices": (("", (1.0,)),)}, "tokens"),
        ({"token_prices": (("", (1.0,)),), "typed_tokens": (("", (9.0,)),)}, "typed"),
        ({"second_prices": (("", (1.0,)),)}, "seconds"),
        ({"sample_prices": (("", (1.0,)),)}, "samples"),
    ],
)
def test_what_has_a_price_is_counted(given, basis):
    pricing = with_basis(Pricing(**given), [RUN])
    assert (pricing.basis, pricing.has_prices) == (basis, True)
    assert not pricing.without_prices.has_prices


def test_a_model_has_its_own_price_before_that_of_all():
    prices = (("", (1.0, 1.0)), ("7B", (2.0, 4.0)))
    own = price_run(RUN, Pricing("tokens", token_prices=prices))
    np.testing.assert_allclose(own.costs, (2 * IN + 4 * OUT) / 1e6)
    other = price_run(replace(RUN, model="72B"), Pricing("tokens", token_prices=prices))
    np.testing.assert_allclose(other.costs, (IN + OUT) / 1e6)
    with pytest.raises(MetricError, match="prices of other models but none of 7B"):
        price_run(RUN, Pricing(sample_prices=(("72B", (1.0,)),)))
    with pytest.raises(MetricError, match="Type how many tokens a sample of 7B has"):
        price_run(RUN, Pricing("typed", typed_tokens=(("72B", (1.0,)),)))


def test_prompts_that_were_not_measured_are_said_to_be_missing():
    run = replace(RUN, columns={"tokens_out": OUT})
    priced = price_run(run, Pricing("tokens", token_prices=(("", (1.0, 2.0)),)))
    np.testing.assert_allclose(priced.costs, 2 * OUT / 1e6)
    assert "those of the prompt are not in the file" in told(priced)


def test_typed_means_are_costs_of_every_sample():
    priced = price_run(BARE, Pricing("typed", typed_tokens=(("", (200.0, 800.0)),)))
    assert priced.costs == 1000
    pricing = Pricing("typed", typed_tokens=(("", (800.0,)),), token_prices=(("", (9.0, 2.0)),))
    assert price_run(BARE, pricing).costs == pytest.approx(0.0016)


@pytest.mark.parametrize(
    ("basis", "why"),
    [
        ("tokens", "no numbers of tokens"),
        ("lengths", "no texts"),
        ("typed", "Type how many tokens"),
        ("seconds", "no times"),
        ("recorded", "no costs"),
    ],
)
def test_what_a_run_has_not_it_cannot_be_priced_by(basis, why):
    with pytest.raises(MetricError, match=why):
        price_run(BARE, Pricing(basis))


def test_amounts_beyond_all_numbers_are_refused_by_the_choice_of_n():
    run = replace(BARE, outcomes=Outcomes([[1, 0]]), columns={"tokens_out": np.full((1, 2), 1e305)})
    priced = price_run(run, Pricing("tokens", token_prices=(("", (1e9,)),)))
    with pytest.raises(MetricError, match="must cost at most"):
        choose_n(run.outcomes, cost_per_sample=priced.costs)


# Lengths ------------------------------------------------------------------------------------------


class Shelf:
    """Texts whose lengths are known; counts how many were read."""

    def __init__(self):
        self.rows = []

    def find(self, progress):
        assert not self.rows

    def read(self, row):
        self.rows.append(row)
        prompt = (Turn("HUMAN", "x" * 100), Turn("BOT", "答" * 10))
        return QuestionTexts(prompt, None, ("y" * 10 * (row + 1), None, "是" * 5))

    def scan(self, progress):
        raise AssertionError("nobody searches here")


def shelved(m):
    return replace(BARE, outcomes=Outcomes(np.zeros((m, 3), int)), store=Shelf(), columns={})


def test_tokens_are_estimated_from_characters_by_their_script():
    assert tokens_of("abcd" * 5) == pytest.approx(6)
    assert tokens_of("答案是") == pytest.approx(1.8)
    assert tokens_of("ひらカナ한국𠀀") == pytest.approx(0.6 * 7)
    assert tokens_of("") == 0


def test_texts_of_a_run_give_tokens_of_prompt_and_answer():
    tokens = estimate_tokens(shelved(4))
    np.testing.assert_allclose(tokens.prompt, 36)
    np.testing.assert_allclose(tokens.answer[:, 0], [3, 6, 9, 12])
    assert np.isnan(tokens.answer[:, 1]).all()
    np.testing.assert_allclose(tokens.answer[:, 2], 3)
    priced = price_run(shelved(4), Pricing("lengths"))
    assert "estimated from the texts of 4 questions" in told(priced)
    assert "DeepSeek" in told(priced)


def test_only_so_many_questions_are_read_from_all_over_the_run():
    run = shelved(10 * QUESTIONS)
    tokens = estimate_tokens(run)
    assert tokens.questions == QUESTIONS == len(run.store.rows)
    assert run.store.rows[0] == 0
    assert run.store.rows[-1] == 10 * QUESTIONS - 1
    assert np.isnan(tokens.prompt).any(axis=1).sum() == 9 * QUESTIONS


def test_a_page_may_remember_tokens():
    kept = Tokens(np.full(SHAPE, 5.0), np.full(SHAPE, 7.0), 2)
    priced = price_run(BARE, Pricing("lengths"), lambda run: kept)
    np.testing.assert_array_equal(priced.costs, np.full(SHAPE, 12.0))


# Settings -----------------------------------------------------------------------------------------

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
amounts = st.floats(1e-6, 1e9).map(lambda x: float(f"{x:.12g}"))
pairs = st.lists(
    st.tuples(names, st.tuples(amounts, amounts)), unique_by=lambda p: p[0], max_size=4
)
singles = st.lists(st.tuples(names, st.tuples(amounts)), unique_by=lambda p: p[0], max_size=4)
pricings = st.builds(
    Pricing,
    basis=st.sampled_from(["samples", "tokens", "lengths", "typed", "seconds", "recorded"]),
    token_prices=pairs.map(tuple),
    typed_tokens=pairs.map(tuple),
    second_prices=singles.map(tuple),
    sample_prices=singles.map(tuple),
    value=st.none() | amounts,
    budget=st.none() | amounts,
    reach=st.floats(0.01, 1),
    verifier=st.booleans(),
)


@given(pricings)
def test_settings_come_back_from_a_url(pricing):
    assert Pricing.from_query(pricing.to_query()) == (pricing, ())


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("token-price", "-1,2"),
        ("token-price", "1,2,3"),
        ("token-price", "0,0"),
        ("token-price", "=1,2"),
        ("token-price", "nan"),
        ("token-price", "inf,1"),
        ("sample-price", "1,2"),
        ("second-price", "free"),
        ("second-price", "1e10"),
        ("value", "0"),
        ("budget", "-1"),
        ("questions", "many"),
        ("questions", "0"),
        ("reach", "1.5"),
        ("verifier", "maybe"),
        ("basis", "hope"),
    ],
)
def test_absurd_settings_are_left_out_with_a_sentence(key, text):
    pricing, problems = Pricing.from_query({key: text})
    assert pricing == Pricing()
    assert len(problems) == 1
    assert key in str(problems[0])


def test_no_more_prices_are_read_than_models():
    pricing, problems = Pricing.from_query({"sample-price": [f"{i}=1" for i in range(1000)]})
    assert not problems
    assert len(pricing.sample_prices) == 100


def test_quantities_have_three_digits():
    written = [quantity(x) for x in (0, 1, 0.1, 999.4, 1e6, 1.999, 2.5e-5, 0.0999999, 1e-300)]
    assert written == ["0", "1", "0.1", "999", "1,000,000", "2", "0.000025", "0.1", "1.00e-300"]


def test_amounts_of_a_column_are_written_alike():
    assert column([1.0, 29.123, np.nan, 0.0]) == ["1.00", "29.12", "N/A", "0.00"]
    assert column([0.00026, 1234.5]) == ["0.000260", "1,234.500000"]
    assert column([2e-11, 3e-9]) == ["2.00e-11", "3.00e-09"]
    assert column([np.nan, np.inf]) == ["N/A", "N/A"]


@pytest.mark.parametrize(
    ("amount", "written"), [(1, "1 sample"), (1.001, "1 sample"), (0.5, "0.5 samples")]
)
def test_one_sample_is_singular(amount, written):
    priced = price_run(RUN, Pricing("samples"))
    assert str(priced.amount(amount)) == written
    tokens = price_run(RUN, Pricing("tokens"))
    assert str(tokens.amount(amount)) == written.replace("sample", "token")
