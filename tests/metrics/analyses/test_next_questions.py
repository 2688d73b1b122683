"""Which questions to run next: chances that are kept, and a difference without bias."""

import numpy as np
import pytest
from scipy.special import expit, logit

import metrics
from metrics import MetricError, Outcomes, next_questions
from metrics.difficulties.fits import fitted_beta
from tests.metrics.difficulties import of_kinds

KINDS = of_kinds("uniform", "Beta(.3,.3)", "90 % at 1", "95 % at 0", "Beta(.5,5)")
PROMISED, NOISE = 0.93, 2.6 * np.sqrt(0.93 * 0.07 / 300)


def drawn(rng, rates, n):
    return (rng.random((len(rates), n)) < np.asarray(rates)[:, None]).astype(int)


def before(m=200, n=4, seed=0):
    rng = np.random.default_rng(seed)
    rates = rng.random(m) ** 3
    return drawn(rng, rates, n), drawn(rng, rates, n)


@pytest.mark.parametrize("budget", [17, 199])
def test_each_question_is_drawn_with_its_chance_and_as_many_as_asked(budget):
    a, b = before()
    draws = [next_questions(a, b, budget, rng=seed) for seed in range(40)]
    chance = draws[0].chance
    assert chance.sum() == pytest.approx(budget)
    assert chance.max() <= 1
    assert chance.min() >= 0.5 * budget / 200 or budget > 100
    assert {each.drawn.sum() for each in draws} == {budget}
    shares = np.mean([each.drawn for each in draws], axis=0)
    off = (shares - chance) / np.sqrt(np.maximum(chance * (1 - chance), 1e-3) / 40)
    assert abs(off).max() < 4.5
    assert len(draws[0].ids) == budget
    assert draws[0].to_frame()["drawn"].sum() == budget


def test_what_is_foretold_is_the_posterior_of_the_fitted_difficulties():
    a, b = before()
    found = next_questions(a, b, 50)
    points = np.sin(np.pi * np.arange(161) / 320) ** 2
    means = []
    for side in (a, b):
        masses = fitted_beta(metrics.Tally.of(side))
        c = side.sum(axis=1)[:, None]
        weights = masses * points**c * (1 - points) ** (4 - c)
        means.append(weights @ points / weights.sum(axis=1))
    assert found.foretold == pytest.approx(means[1] - means[0])


def test_open_questions_are_drawn_more_often():
    a = np.repeat([[0, 0, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]], [150, 20, 30], axis=0)
    found = next_questions(a, a, 40)
    assert found.chance[150:170].min() > 1.5 * found.chance[:150].max()


@pytest.mark.wide
def test_the_mean_over_all_draws_is_the_difference():
    """Of one question drawn of three the estimate is unbiased where the weight is 0 or 1."""
    rng = np.random.default_rng(1)
    a, b = before(30, 4, 2)
    now = [drawn(rng, rng.random(30), 5) for _ in "ab"]
    truth = float((now[1].mean(axis=1) - now[0].mean(axis=1)).mean())
    draws = (next_questions(a, b, 10, rng=seed) for seed in range(150))
    values = [each.difference(*now).value for each in draws]
    assert np.mean(values) == pytest.approx(truth, abs=4 * np.std(values) / 150**0.5 + 0.004)


def test_results_are_matched_by_id_and_none_may_lack():
    a, b = before()
    chosen = next_questions(a, b, 20)
    rows = np.flatnonzero(chosen.drawn)
    rng = np.random.default_rng(3)
    now = [drawn(rng, rng.random(200), 4) for _ in "ab"]
    some = [Outcomes(each[rows][::-1], questions=chosen.ids[::-1]) for each in now]
    assert chosen.difference(*some) == chosen.difference(*now)
    fewer = [Outcomes(each[rows[1:]], questions=chosen.ids[1:]) for each in now]
    with pytest.raises(MetricError, match="1 of 20 drawn questions does not have a result of both"):
        chosen.difference(*fewer)
    with pytest.raises(MetricError, match="leaves no choice"):
        next_questions(a, b, 200)
    few = next_questions(a, b, 5).difference(*now)
    assert "5 questions are too few" in str(few.caveats)


def test_clusters_count_as_one():
    a, b = before()
    together = np.arange(200) // 4
    loose = next_questions(a, b, 60, rng=4)
    tied = next_questions(Outcomes(a, clusters=together), Outcomes(b, clusters=together), 60, rng=4)
    rng = np.random.default_rng(5)
    rates = np.repeat(rng.random((50, 2)), 4, axis=0).T
    now = [drawn(rng, each, 4) for each in rates]
    one, other = (np.ptp(each.difference(*now).interval) for each in (loose, tied))
    assert other > one


def covered(kind, m, n, budget, samples, repetitions, change, foreign, seed=7):
    """How often the interval holds and its width, and those of as many questions at random."""
    rng, quantile = np.random.default_rng(seed), KINDS[kind]

    def pair(m):
        a = np.clip(quantile(rng.random(m)), 1e-6, 1 - 1e-6)
        other = {
            "added": np.minimum(a + 0.05, 1),
            "apart": expit(logit(a) + rng.normal(0.2, 1, m)),
            "turned": np.where(rng.random(m) < 0.1, 1 - a, a),
        }
        return a, other[change]

    a, b = pair(400_000)
    truth, held, widths, plain = float((b - a).mean()), [], [], []
    for seed in range(repetitions):
        rates = pair(m)
        old = [drawn(rng, expit(logit(each) + rng.normal(0, foreign, m)), n) for each in rates]
        chosen = next_questions(*old, budget, samples=samples, rng=seed)
        now = [drawn(rng, each, samples) for each in rates]
        low, high = chosen.difference(*now).interval
        held.append(low <= truth <= high)
        widths.append(high - low)
        some = rng.choice(m, budget, replace=False)
        plain.append(np.ptp(metrics.compare(now[0][some], now[1][some]).interval))
    return np.mean(held), np.mean(widths), np.mean(plain)


@pytest.mark.wide
@pytest.mark.parametrize(("kind", "least"), [("90 % at 1", 0.25), ("uniform", -0.1)])
def test_the_interval_holds_and_is_narrower_where_most_is_known(kind, least):
    held, width, plain = covered(kind, 300, 4, 50, 4, 100, "apart", 0.7)
    assert held > PROMISED - 2 * NOISE
    assert 1 - width / plain > least


@pytest.mark.slow
def test_coverage_and_gain_of_choosing_questions():
    cells = []
    for m, n, budget, samples in [(1000, 4, 100, 4), (300, 8, 50, 1)]:
        for kind in KINDS:
            for change in ("added", "apart", "turned"):
                asked = kind, m, n, budget, samples
                found = covered(*asked, 200, change, 0.7)
                if found[0] < PROMISED:
                    found = covered(*asked, 1000, change, 0.7, seed=8)
                cells.append((found[0], 1 - found[1] / found[2], *asked, change))
    gains = [cell[1] for cell in cells]
    print("least", sorted(cells)[:3], "gain", min(gains), np.median(gains), max(gains))
    for kind in KINDS:
        print(kind, np.mean([cell[1] for cell in cells if cell[2] == kind]).round(2))
    assert min(cells)[0] > 0.92 - NOISE
