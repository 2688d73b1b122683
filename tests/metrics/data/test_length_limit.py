"""A limit is found where samples were cut at one length, and rarely where none was."""

from collections.abc import Callable

import numpy as np
import pytest

from metrics.data.length_limit import FALSE_ALARM, find_length_limit

Shape = tuple[int, int]
SHAPES: tuple[Shape, ...] = ((3, 2), (8, 1), (10, 4), (40, 8), (200, 1), (300, 16), (2000, 4))
Kind = Callable[[np.random.Generator, Shape], np.ndarray]


def fixed(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    return rng.choice([58, 59, 60], shape, p=[0.2, 0.3, 0.5])


def mixed(one: Kind, other: Kind, share: float) -> Kind:
    return lambda rng, s: np.where(rng.random(s) < share, one(rng, s), other(rng, s))


NATURAL: dict[str, Kind] = {
    "lognormal": lambda rng, s: np.exp(rng.normal(6, 0.8, s)),
    "short lognormal": lambda rng, s: np.exp(rng.normal(4.2, 0.3, s)),
    "gamma": lambda rng, s: rng.gamma(2, 300, s),
    "exponential": lambda rng, s: rng.exponential(100, s),
    "uniform": lambda rng, s: rng.uniform(1, 200, s),
    "short uniform": lambda rng, s: rng.uniform(1, 64, s),
    "normal": lambda rng, s: rng.normal(120, 20, s).clip(1),
    "narrow normal": lambda rng, s: rng.normal(100, 3, s),
    "two modes": mixed(
        lambda rng, s: rng.normal(30, 5, s).clip(1),
        lambda rng, s: rng.normal(400, 60, s).clip(1),
        0.5,
    ),
    "tens": lambda rng, s: 10 * np.round(rng.gamma(2, 5, s)),
    "by question": lambda rng, s: rng.gamma(2, 200, (s[0], 1)) * np.exp(rng.normal(0, 0.1, s)),
    "copies": lambda rng, s: np.repeat(rng.gamma(2, 200, (s[0], 1)), s[1], axis=1),
}
FIXED: dict[str, Kind] = {
    "one length": lambda rng, s: np.full(s, 60.0),
    "fixed": fixed,
    "fixed, long": lambda rng, s: rng.normal(200, 1.5, s),
    "fixed or refused": mixed(lambda rng, s: np.full(s, 8.0), fixed, 0.3),
    "one length or refused": mixed(
        lambda rng, s: np.full(s, 8.0), lambda rng, s: np.full(s, 60.0), 0.3
    ),
    "fixed or short": mixed(lambda rng, s: rng.gamma(2, 5, s).clip(1), fixed, 0.3),
}


def alarms(kind: Kind, shape: Shape, sets: int) -> float:
    rng = np.random.default_rng(5)
    found = (find_length_limit(np.floor(kind(rng, shape))) for _ in range(sets))
    return sum(limit is not None for limit in found) / sets


def cut(kind: Kind, shape: Shape, share: float, sets: int) -> float:
    """Return how often the limit is found if a share of the samples is cut."""
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(sets):
        lengths = np.floor(5 * kind(rng, shape))
        limit = np.floor(np.quantile(lengths, 1 - share))
        hits += find_length_limit(np.minimum(lengths, limit)) == limit
    return hits / sets


def test_the_limit_is_the_length_that_many_have_and_none_exceeds() -> None:
    lengths = np.array([[2048, 310, 911, 2048], [2048, 777, 1204, 95], [np.nan, 2048, 2048, 64]])
    assert find_length_limit(lengths) == 2048
    longer = lengths.copy()
    longer[1, 3] = 2049
    assert find_length_limit(longer) is None


@pytest.mark.parametrize(
    "tokens",
    [
        [[np.nan, np.nan]],
        [[1024, 1024], [1024, 1024]],
        [[1024, 1024, 1024, 300, 20, 411, 600, 98]],
        [[10, 10], [10, 3], [10, 7], [1, 2]],
        [[1024.5, 3], [1024.5, 7], [1024.5, 80], [1024.5, 9]],
        [[np.inf, 3], [np.inf, 7], [np.inf, 80], [np.inf, 9]],
    ],
    ids=["unknown", "all of one length", "one question", "short", "no counts", "no numbers"],
)
def test_nothing_is_claimed_of(tokens: list[list[float]]) -> None:
    assert find_length_limit(np.array(tokens, dtype=float)) is None


@pytest.mark.parametrize("kind", [*NATURAL, *FIXED])
def test_lengths_that_nothing_cut_have_no_limit(kind: str) -> None:
    assert alarms((NATURAL | FIXED)[kind], (40, 8), 30) == 0


def test_a_fifth_cut_is_found() -> None:
    assert cut(NATURAL["lognormal"], (10, 4), 0.2, 50) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*NATURAL, *FIXED])
def test_false_alarms_are_as_rare_as_promised(kind: str) -> None:
    for shape in SHAPES:
        rate = alarms((NATURAL | FIXED)[kind], shape, 4000 if np.prod(shape) < 1000 else 400)
        power = cut((NATURAL | FIXED)[kind], shape, 0.2, 200)
        print(f"{kind:22} {shape!s:10} {rate:.5f}, found {power:.2f}")
        assert rate <= (FALSE_ALARM if kind in NATURAL else 0.02)
