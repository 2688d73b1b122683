"""How often the interval for these questions holds where samples are copies of one another.

``uv run pytest -m slow tests/metrics/coverage/test_coverage_of_copies.py -s`` prints the table of
docs/intervals.md.
"""

import numpy as np
import pytest

from metrics.data.duplicates import find_copies
from metrics.estimating.caveats import COPIES_OF_ONE, COPIES_OF_SEVERAL
from tests.metrics.coverage.coverage_study import SEED
from tests.metrics.coverage.many_sets import ManySets, truth
from tests.metrics.difficulties import KINDS

SHAPES = [(30, 16), (100, 8), (100, 16), (300, 4)]


def every_so_often(share):
    """Each sample repeats an earlier one of its question with some chance."""

    def source(shape, rng):
        sources = np.tile(np.arange(shape[-1]), (*shape[:-1], 1))
        for sample in range(1, shape[-1]):
            copied = rng.random(shape[:-1]) < share
            earlier = rng.integers(0, sample, shape[:-1])
            taken = np.take_along_axis(sources, earlier[..., None], -1)[..., 0]
            sources[..., sample] = np.where(copied, taken, sample)
        return sources

    return source


def cached(share):
    """Of some questions all samples are one."""

    def source(shape, rng):
        sources = np.tile(np.arange(shape[-1]), (*shape[:-1], 1))
        sources[rng.random(shape[:-1]) < share] = 0
        return sources

    return source


def times(each):
    """Every sample is there several times."""
    return lambda shape, rng: np.broadcast_to(np.arange(shape[-1]) // each * each, shape)


def study(kind, m, n, source, ks, sets):
    """Share of copies, their design effect, and the coverage of pass@k at each of some k."""
    rng = np.random.default_rng([SEED, m, n])
    p = KINDS[kind](rng.random((sets, m)))
    drawn = (rng.random((sets, m, n)) < p[..., None]).astype(np.int8)
    sources = source((sets, m, n), rng)
    right = np.take_along_axis(drawn, sources, 2)
    found = [find_copies(each, texts=1 + texts) for each, texts in zip(right, sources, strict=True)]
    low, high = ManySets(m, n, p, right.sum(axis=2)).limits("pass@k", ks, "benchmark")
    true = np.stack([truth("pass@k", k, p).mean(axis=1) for k in ks], axis=1)
    return (
        np.mean([each.share for each in found]),
        np.mean([each.design_effect for each in found]),
        ((low <= true) & (true <= high)).mean(axis=0),
    )


@pytest.mark.parametrize(("each", "most"), [(2, 0.87), (4, 0.7)])
def test_the_interval_fails_where_every_sample_is_there_several_times(each, most):
    _, design_effect, coverage = study("uniform", 100, 8, times(each), [1, 2], 400)
    assert design_effect == each > COPIES_OF_ONE
    assert coverage.max() < most


@pytest.mark.wide
@pytest.mark.parametrize("kind", ["uniform", "Beta(.3,.3)", ".02 or .98"])
@pytest.mark.parametrize(
    ("source", "ks", "allowed"),
    [
        (every_so_often(0.04), [1], COPIES_OF_ONE),
        (cached(0.012), [1], COPIES_OF_ONE),
        (every_so_often(0.01), [1, 2, 4], COPIES_OF_SEVERAL),
        (cached(0.002), [1, 2, 4], COPIES_OF_SEVERAL),
    ],
)
def test_as_many_copies_as_are_allowed_do_little(kind, source, ks, allowed):
    _, design_effect, coverage = study(kind, 100, 8, source, ks, 250)
    assert 1 + 0.6 * (allowed - 1) < design_effect < allowed
    assert coverage.min() > 0.92 - 3 * np.sqrt(0.92 * 0.08 / 250)


@pytest.mark.slow
def test_table_of_copies():
    cases = {
        **{
            f"{share:.0%} of the samples repeat one": every_so_often(share)
            for share in (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35)
        },
        **{
            f"{share:.1%} of the questions are cached": cached(share)
            for share in (0.003, 0.006, 0.01, 0.02, 0.05, 0.1)
        },
        "each sample twice": times(2),
        "each sample four times": times(4),
    }
    print(
        "\n| copies | share | design effect | k = 1 | 2 | n/2 | n |\n|---|---|---|---|---|---|---|"
    )
    for name, source in cases.items():
        found = [
            study(kind, m, n, source, [1, 2, n // 2, n], 500) for kind in KINDS for m, n in SHAPES
        ]
        share, effect = (np.mean([each[i] for each in found]) for i in (0, 1))
        least = np.min([each[2] for each in found], axis=0)
        print(f"| {name} | {share:.3f} | {effect:.2f} |", *(f"{x:.3f} |" for x in least))
