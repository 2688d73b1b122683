"""Made answers of several models, with known faulty references."""

import numpy as np

from metrics import Outcomes

KINDS = ("letters", "a favourite letter", "small numbers", "open")


def made(m, n, runs, kind, rng, faulty=0, mistakes=0.0, inverse=0):
    """Return runs, their answers, and which questions have a faulty reference.

    Models differ in ability and questions in difficulty. Wrong answers are drawn anew by every
    sample of every model; with `mistakes`, so often one that is the same for all. The first
    `faulty` questions have another answer as reference than the right one; the next `inverse` ones
    have a mistake that only models of low ability make.
    """
    ability = np.sort(rng.normal(0.8, 1.0, runs))
    difficulty = rng.normal(0.0, 1.5, m)
    chance = 1 / (1 + np.exp(difficulty[:, None] - ability))
    chance[:faulty] = np.maximum(chance[:faulty], 0.9)
    right = rng.integers(0, 4, m)
    if kind == "open":
        right = 10_000_000 + np.arange(m)
    elif kind == "small numbers":
        right = rng.integers(0, 30, m)
    reference = right.copy()
    reference[:faulty] = other(right[:faulty], kind, rng, 1)[:, 0]
    outcomes, codes = {}, {}
    for place in range(runs):
        says = np.repeat(right[:, None], n, axis=1)
        wrong = other(right, kind, rng, n)
        common = 20_000_000 + np.arange(m)[:, None] if kind == "open" else (right[:, None] + 1) % 4
        wrong = np.where(rng.random((m, n)) < mistakes, common, wrong)
        missed = rng.random((m, n)) >= chance[:, [place]]
        says[missed] = wrong[missed]
        low = slice(faulty, faulty + inverse)
        reference[low] = common[low, 0] if kind == "open" else (right[low] + 1) % 4
        says[low] = np.where(
            rng.random((inverse, n)) < 1 - (place + 0.5) / runs,
            reference[low, None],
            right[low, None],
        )
        outcomes[f"m{place}"] = Outcomes((says == reference[:, None]).astype(int))
        codes[f"m{place}"] = says
    return outcomes, codes, {str(place) for place in range(faulty + inverse)}


def other(right, kind, rng, n):
    """Return n wrong answers to each question."""
    m = len(right)
    if kind == "letters":
        return (right[:, None] + rng.integers(1, 4, (m, n))) % 4
    if kind == "a favourite letter":
        drawn = rng.choice(4, (m, n), p=[0.55, 0.15, 0.15, 0.15])
        return np.where(drawn == right[:, None], (right[:, None] + 1 + drawn % 3) % 4, drawn)
    if kind == "small numbers":
        return (right[:, None] + rng.integers(1, 30, (m, n))) % 30
    return rng.integers(0, 10_000_000, (m, n))
