"""Every metric by its name: its words, its value, and the edge rules of its interval."""

import re

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics import METRICS, MetricError, Outcomes, Tally, Text, estimate, score_all
from metrics.intervals.binomial import mid_p

TARGETS = ["population", "benchmark"]
WEIGHTS = [0.2, 0.0, 0.5]
FUNCTIONS = {
    "pass@k": metrics.pass_at_k,
    "auc@k": metrics.auc_at_k,
    "max@k": metrics.max_at_k,
    "pass^k": metrics.pass_hat_k,
    "g-pass@k": lambda r, k, tau=1.0: metrics.g_pass_at_k_tau(r, k, tau),
    "cover@tau": lambda r, tau=0.5: metrics.g_pass_at_k_tau(r, np.shape(r)[1], tau),
    "mg-pass@k": metrics.mg_pass_at_k,
    "threshold-spectrum@k": metrics.threshold_spectrum_at_k,
    "maj@k": metrics.maj_at_k,
    "geom@k": metrics.geom_at_k,
    "geom-ds@k": metrics.geom_ds_at_k,
    "geo-spectrum@k": metrics.geo_spectrum_at_k,
    "avg@n": lambda r: metrics.avg(r)[0],
    "cons@n": metrics.cons_at_n,
    "bayes@n": lambda r, **o: metrics.bayes(r, **o)[0],
}
OPTIONS = [
    ("g-pass@k", {"tau": 0.4}),
    ("cover@tau", {"tau": 0.4}),
    ("maj@k", {"ties": "half"}),
    ("cons@n", {"ties": "pass"}),
    ("threshold-spectrum@k", {"weights": WEIGHTS}),
    ("geom@k", {"pass_power": 1, "unanimous_power": 0.2}),
    ("geom-ds@k", {"pass_power": 0, "unanimous_power": 2}),
    ("geo-spectrum@k", {"lam": 0.3, "weights": WEIGHTS}),
    ("max@k", {"w": [-1, 4]}),
    ("bayes@n", {"w": [0, 3]}),
]


def matrix(m=40, n=6, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((m, n)) < rng.random((m, 1))).astype(int)


def population_limits(x, level=0.95):
    """Student's t with a 0 and a 1 added to the scores, cut to exact limits at their number."""
    m, mean, tail = len(x), np.mean(x), (1 - level) / 2
    rho = (m * np.var(x, ddof=1) + 1) / (m * mean * (1 - mean) + 1)
    n = m / max(rho, 1) * (stats.norm.ppf(1 - tail) / stats.t.ppf(1 - tail, m - 1)) ** 2
    low = stats.beta.ppf(tail, n * mean, n - n * mean + 1)
    high = stats.beta.ppf(1 - tail, n * mean + 1, n - n * mean)
    middle, spread = np.mean([*x, 0, 1]), m * np.var(x) + 1.25 * (mean**2 + (1 - mean) ** 2)
    reach = stats.t.ppf(1 - tail, m + 1) * np.sqrt(spread / (m + 1) / (m + 2))
    return max(low, middle - reach), min(high, middle + reach)


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_a_metric_says_what_it_is(metric):
    assert isinstance(metric.family, Text)
    assert re.fullmatch(r"[A-Z].*\.|avg@n .*\.|mG.*|G-Pass .*", str(metric.sentence))
    assert metric.source
    assert metric.label(3).endswith("3") == (metric.name[-2:] in ("@k", "^k", "@n"))
    assert set(metric.options).isdisjoint({"k", "target", "missing", "segment", "answers"})


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_a_formula_is_balanced(metric):
    text = re.sub(r"\\[{}]", "", metric.formula)
    depth = 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    for opening, closing in [(r"\\left\b", r"\\right\b"), (r"\(", r"\)"), (r"\[", r"\]")]:
        assert len(re.findall(opening, text)) == len(re.findall(closing, text))
    commands = set(re.findall(r"\\([a-zA-Z]+)", text))
    known = "frac tfrac sum binom left right Big max min lceil rceil lambda tau ge mathbb mathrm"
    assert commands <= {*known.split(), "text", "hat", "dots"}


@pytest.mark.wide
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_an_estimate_of_real_outcomes(name, target):
    """Soft scores, answers, failed requests and clusters at once."""
    verdicts = matrix(30, 5, 3)
    verdicts[2, 1] = verdicts[7, 0] = -1
    scores = np.where(verdicts == 1, 0.9, 0.2)
    scores[verdicts < 0] = np.nan
    answers = np.where(verdicts == 1, 0, np.random.default_rng(5).integers(1, 4, verdicts.shape))
    outcomes = Outcomes(verdicts, scores, clusters=np.arange(30) // 3)
    options = {"weights": WEIGHTS} if name == "threshold-spectrum@k" else {}
    k = 3 if METRICS[name].takes_k else None
    if name == "bayes@n" and target == "population":
        with pytest.raises(MetricError, match="shrunken score"):
            estimate(outcomes, name, target=target)
        return
    arguments = {"target": target, "answers": answers, **options}
    for missing in ("wrong", "right"):
        got = estimate(outcomes, name, k, missing=missing, **arguments)
        bottom, top = got.bounds
        assert bottom <= got.interval.low < got.value < got.interval.high <= top
        assert (got.target, got.n_questions, got.confidence_level) == (target, 30, 0.95)
        assert any("2 of 150 samples (1.3%) failed" in str(caveat) for caveat in got.caveats)
    low, high = estimate(outcomes, name, k, **arguments).interval
    wider = estimate(outcomes, name, k, confidence_level=0.99, **arguments).interval
    assert wider.low < low < high < wider.high


@pytest.mark.parametrize(
    ("name", "options"), [*((n, {}) for n in FUNCTIONS if "thr" not in n), *OPTIONS], ids=str
)
def test_an_estimate_is_the_function_of_its_name(name, options):
    data = matrix()
    k = (3,) if METRICS[name].takes_k else ()
    target = "benchmark" if name == "bayes@n" else "population"
    expected = FUNCTIONS[name](data, *k, **options)
    for same in (data, Outcomes(data), data.astype(bool)):
        assert estimate(same, name, *k, target=target, **options).value == pytest.approx(expected)
    if "w" not in options:
        tallied = estimate(Tally.of(data), name, *k, target=target, **options)
        assert tallied.value == pytest.approx(expected)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_range_that_ends_below_one_is_mapped_to_it_and_back(k):
    """mG-Pass with odd k tops out at (k - 1) / k."""
    data, top = matrix(), 2 / k * (k - -(-k // 2))
    scores = [metrics.mg_pass_at_k(row, k) / top for row in data]
    got = estimate(data, "mg-pass@k", k)
    assert got.bounds == (0, pytest.approx(top))
    assert got.interval == pytest.approx(tuple(top * x for x in population_limits(scores)))
    perfect = estimate(np.ones((20, 6), int), "mg-pass@k", k)
    assert perfect.value == pytest.approx(top)
    assert perfect.interval.high == pytest.approx(top)


@pytest.mark.parametrize("target", TARGETS)
def test_rewards_are_mapped_to_their_range_and_back(target):
    data = matrix()
    passed = estimate(data, "pass@k", 2)
    got = estimate(data, "max@k", 2, w=[-3, 5], target=target)
    assert got.bounds == (-3, 5)
    assert got.value == pytest.approx(8 * passed.value - 3)
    if target == "population":
        assert got.interval == pytest.approx(tuple(8 * x - 3 for x in passed.interval))
    huge = estimate(data, "max@k", 2, w=[-1e300, 1e300], target=target)
    assert [x / 1e300 for x in huge.interval] == pytest.approx([(x - 1) / 4 for x in got.interval])


@pytest.mark.parametrize(
    ("name", "k", "options", "reason"),
    [
        ("mg-pass@k", 1, {}, "mg-pass@1 is 0 whatever the outcomes"),
        ("geo-spectrum@k", 1, {}, "geo-spectrum@1 is 0 whatever the outcomes"),
        ("threshold-spectrum@k", 2, {"weights": [0, 0]}, "is 0 whatever the outcomes"),
        ("max@k", 2, {"w": [7, 7]}, "The score is 7 whatever the outcomes"),
    ],
)
def test_a_score_that_cannot_vary_is_not_available(name, k, options, reason):
    with pytest.raises(MetricError, match=reason):
        estimate(matrix(), name, k, **options)
    card = {score.label: score for score in score_all(Outcomes(matrix()), ks=[k])}
    if not options:
        line = card[METRICS[name].label(k)]
        assert (line.estimate, str(line.reason)) == (None, f"{reason}.")


def test_geom_is_a_mean_of_question_scores():
    data = matrix()
    passed, unanimous = (
        [f(row, 2) for row in data] for f in (metrics.pass_at_k, metrics.pass_hat_k)
    )
    scores = np.sqrt(np.multiply(passed, unanimous))
    got = estimate(data, "geom@k", 2)
    assert got.value == pytest.approx(scores.mean())
    assert got.interval == pytest.approx(population_limits(scores))
    assert "depends on n" in str(METRICS["geom@k"].sentence)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("name", "other", "options", "powers"),
    [
        ("geom-ds@k", "pass^k", {}, (0.5, 0.5)),
        ("geom-ds@k", "pass^k", {"pass_power": 2, "unanimous_power": 0.3}, (2, 0.3)),
        ("geo-spectrum@k", "mg-pass@k", {}, (0.5, 0.5)),
        ("geo-spectrum@k", "mg-pass@k", {"lam": 0.8}, (0.8, 0.2)),
    ],
)
def test_a_blend_of_means_blends_limits_at_half_the_error_each(
    name, other, options, powers, target
):
    arguments = {"target": target, "confidence_level": 0.975}
    parts = [estimate(matrix(), metric, 3, **arguments) for metric in ("pass@k", other)]
    got = estimate(matrix(), name, 3, target=target, **options)
    ends = [
        np.prod([getattr(part.interval, end) ** p for part, p in zip(parts, powers, strict=True)])
        for end in ("low", "high")
    ]
    assert got.interval == pytest.approx(tuple(ends))
    assert got.n_effective is None


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["geom@k", "geom-ds@k"])
def test_negative_powers_have_a_value_and_no_interval(name, target):
    data = np.array([[1, 1, 1, 0]] * 9 + [[1, 1, 1, 1]])
    got = estimate(data, name, 2, target=target, pass_power=1.5, unanimous_power=-1)
    assert got.value > 1
    assert got.interval is None
    with pytest.raises(MetricError, match="negative power of 0 is undefined"):
        estimate([[1, 0, 0]] * 3, name, 2, unanimous_power=-1)


def test_a_shrunken_score_is_about_these_questions_only():
    got = estimate(matrix(), "bayes@n", target="benchmark")
    assert (got.value, *got.interval) == pytest.approx(
        tuple(np.delete(metrics.bayes_ci(matrix()), 1))
    )
    assert "Shrunken score" in str(got.method)
    with pytest.raises(MetricError, match="says nothing about questions like them"):
        estimate(matrix(), "bayes@n")
    failed = estimate(Outcomes([[1, -1, 0], [1, 1, 1]]), "bayes@n", target="benchmark")
    assert "1 of 6 samples (16.7%) failed and is counted as wrong." in map(str, failed.caveats)
    with pytest.raises(MetricError, match="same number of samples"):
        estimate(Outcomes([[1, -1], [1, 1]]), "bayes@n", target="benchmark", missing="omit")


def test_scores_without_a_model_are_worth_their_disjoint_draws():
    """Best of k, rewards, votes: n_eff = M floor(n / k) under the benchmark target."""
    rng = np.random.default_rng(2)
    scores = rng.random((15, 7))
    outcomes = Outcomes((scores > 0.5).astype(int), scores)
    for name, options in [("soft-max@k", {}), ("max@k", {"w": [0, 1]})]:
        got = estimate(outcomes, name, 3, target="benchmark", **options)
        assert got.n_effective == 15 * 2
        assert got.interval == pytest.approx(mid_p(got.value, 30, 0.95))
        assert "disjoint draws" in str(got.method)


def test_both_readings_of_many_failed_requests_are_said():
    verdicts = matrix(20, 5)
    verdicts[:, 0] = -1
    for name in ("pass@k", "geom-ds@k", "geo-spectrum@k", "max@k"):
        said = " ".join(map(str, estimate(Outcomes(verdicts), name, 2).caveats))
        ends = [estimate(Outcomes(verdicts), name, 2, missing=m).value for m in ("wrong", "right")]
        assert f"{ends[0]:.1%} if all failed samples were wrong, and {ends[1]:.1%} if all" in said
