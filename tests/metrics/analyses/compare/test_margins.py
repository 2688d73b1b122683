"""What a margin makes of a difference: worse, not worse, equivalent or open."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics import Interval, MetricError, Outcomes, compare, compare_segments, compare_suite, lead
from tests.metrics.intervals.adversaries import gains_and_losses

CLAIMS = {
    "worse": lambda true, margin: true < -margin,
    "equivalent": lambda true, margin: -margin <= true <= margin,
    "not worse": lambda true, margin: true >= -margin,
    "open": lambda true, margin: True,
}
"""What a verdict says of the true difference, the stronger first."""


def sampled(rate, m=40, n=4, seed=0, **more):
    rng = np.random.default_rng(seed)
    return Outcomes((rng.random((m, n)) < rng.random((m, 1)) * rate).astype(int), **more)


@pytest.mark.parametrize(
    ("ends", "margin", "verdict"),
    [
        ((-0.09, -0.03), 0.02, "worse"),
        ((-0.09, -0.02), 0.02, "open"),
        ((-0.09, 0.05), 0.02, "open"),
        ((-0.02, 0.05), 0.02, "not worse"),
        ((0.03, 0.05), 0.02, "not worse"),
        ((-0.02, 0.02), 0.02, "equivalent"),
        ((-0.015, -0.01), 0.02, "equivalent"),
        ((-0.01, 0.01), 0, "open"),
        ((-0.02, -0.01), 0, "worse"),
        ((0.0, 0.01), 0, "not worse"),
    ],
)
def test_the_ends_decide_as_in_the_figure_of_consort(ends, margin, verdict):
    """Piaggio et al. 2012, figure 1, where what is better lies to the right."""
    found = compare([[0], [1]], [[1], [1]])
    assert (found.margin, found.verdict) == (None, None)
    assert replace(found, interval=Interval(*ends), margin=margin).verdict == verdict
    assert replace(found, interval=None, margin=margin).verdict is None


@pytest.mark.wide
@given(
    st.integers(0, 999),
    st.floats(0.3, 1),
    st.floats(0, 0.5),
    st.sampled_from([("avg@n", None), ("pass@k", 2), ("geom@k", 2)]),
    st.sampled_from(["population", "benchmark"]),
    st.sampled_from([0.8, 0.95]),
)
@settings(max_examples=40, deadline=None)
def test_it_is_the_strongest_claim_that_holds_in_the_whole_interval(
    seed, rate, margin, measure, target, level
):
    a, b = sampled(0.9, seed=seed), sampled(rate, seed=seed)
    asked = {"margin": margin, "target": target, "confidence_level": level}
    found, back = compare(a, b, *measure, **asked), compare(b, a, *measure, **asked)
    holding = [
        name for name, true in CLAIMS.items() if all(true(x, margin) for x in found.interval)
    ]
    assert found.verdict == holding[0]
    if measure[0] != "geom@k":
        assert (found.verdict == "equivalent") == (back.verdict == "equivalent")


def test_of_many_questions_it_is_schuirmanns_two_t_tests():
    """Each of 5 % at a level of 90 %, as he has them, and of 2.5 % at 95 %."""
    rng = np.random.default_rng(3)
    a, b = (rng.random((5000, 4)) < rng.beta(1, 1, (5000, 1)) for _ in range(2))
    gained = b.mean(axis=1) - a.mean(axis=1)
    seen = set()
    for level in (0.9, 0.95):
        found = compare(a.astype(int), b.astype(int), confidence_level=level)
        for margin in np.linspace(0, 0.04, 30):
            p = max(
                stats.ttest_1samp(gained, -margin, alternative="greater").pvalue,
                stats.ttest_1samp(gained, margin, alternative="less").pvalue,
            )
            if abs(p - (1 - level) / 2) > 0.002:
                equivalent = replace(found, margin=margin).verdict == "equivalent"
                assert equivalent == (p < (1 - level) / 2)
                seen.add((level, equivalent))
    assert len(seen) == 4


@cache
def all_outcomes(m, level):
    """What is found for each pair of runs of one sample, by questions gained and lost."""
    found = []
    for gained, lost in zip(*gains_and_losses(m), strict=True):
        a = [[0]] * gained + [[1]] * (m - gained)
        b = [[1]] * gained + [[0]] * lost + [[1]] * (m - gained - lost)
        found.append(compare(a, b, confidence_level=level))
    return found


def worst(m, margin, level=0.95):
    """The chance of a wrong verdict at most, of a wrong "worse", and of each for equal runs.

    Over true differences at and beside the margins, and shares of questions that differ.
    """
    gained, lost = gains_and_losses(m)
    counts = np.stack([gained, lost, m - gained - lost], axis=1)
    said = np.array([replace(each, margin=margin).verdict for each in all_outcomes(m, level)])
    greatest = worse = 0.0
    for true in (-margin - 1e-9, -margin, margin, margin + 1e-9):
        wrong = [name for name, holds in CLAIMS.items() if not holds(true, margin)]
        for differ in abs(true) + (1 - abs(true)) * np.append(0, np.geomspace(1e-6, 1, 25)):
            p, q = np.maximum([differ + true, differ - true], 0) / 2
            chances = stats.multinomial.pmf(counts, m, [p, q, max(1 - p - q, 0)])
            greatest = max(greatest, chances[np.isin(said, wrong)].sum())
            worse = max(worse, chances[said == "worse"].sum() if "worse" in wrong else 0)
    chances = stats.multinomial.pmf(counts, m, [0.02, 0.02, 0.96])
    return greatest, worse, {name: chances[said == name].sum() for name in CLAIMS}


@pytest.mark.wide
@pytest.mark.parametrize(("margin", "verdict"), [(0.05, "open"), (0.3, "equivalent")])
def test_a_wrong_verdict_is_rare_and_a_right_one_is_reached(margin, verdict):
    error, worse, chances = worst(20, margin)
    assert 0.005 < worse <= 0.034
    assert worse <= error < 0.065
    assert chances["worse"] < 0.001
    assert chances[verdict] > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "most", "most_worse"), [(0.9, 0.114, 0.07), (0.95, 0.062, 0.034)]
)
@pytest.mark.parametrize("m", [20, 30, 50, 100])
def test_wrong_verdicts_are_as_rare_as_said(m, level, most, most_worse):
    found = [worst(m, margin, level)[:2] for margin in np.arange(0, 0.41, 0.01)]
    error, worse = np.max(found, axis=0)
    print(f"\n| {m} | {level} | {error:.4f} | {worse:.4f} |")
    assert error <= most
    assert worse <= most_worse


def test_all_datasets_together_and_each_segment_have_a_verdict():
    less, more = [[0]] * 2 + [[1]] * 38, [[1]] * 40
    a, b = {"x": less, "y": more, "z": more}, {"x": more, "y": more, "z": less}
    found = compare_suite(a, b, margin=0.1)
    each = [compare(a[name], b[name], margin=0.1).verdict for name in a]
    assert (found.verdict, found.margin, each) == (
        "equivalent",
        0.1,
        ["not worse", "equivalent", "open"],
    )
    assert compare_suite(a, b).verdict is None
    labels = {"subject": ["algebra"] * 40 + ["sets"] * 40}
    runs = (Outcomes(less + more, segments=labels), Outcomes(more + more, segments=labels))
    parts = compare_segments(*runs, "subject", margin=0.1)
    assert parts.overall.verdict == "equivalent"
    assert {label: part.margin for label, part in parts.segments.items()} == {
        "algebra": 0.1,
        "sets": 0.1,
    }


def test_it_is_shown_wherever_the_difference_is():
    found = compare([[1]] * 40, [[1]] * 40, margin=0.1)
    assert "margin=0.1, verdict='equivalent'" in repr(found)
    assert found.to_frame().loc[0, ["margin", "verdict"]].tolist() == [0.1, "equivalent"]
    assert compare([[1]] * 40, [[1]] * 40).to_frame().loc[0, "verdict"] is None


@pytest.mark.parametrize("margin", [-0.01, float("nan"), float("inf"), True, "0.01"])
def test_a_margin_is_a_number_of_at_least_0(margin):
    with pytest.raises(MetricError, match="margin must be"):
        compare([[1]] * 4, [[1]] * 4, margin=margin)


@pytest.mark.parametrize("target", ["population", "benchmark"])
def test_what_has_no_verdict_takes_no_margin(target):
    runs = [sampled(0.5), sampled(0.6)]
    with pytest.raises(MetricError, match="pass@k has no option margin"):
        lead(*runs, target=target, margin=0.01)
