"""Do chances of being the best, and expected losses, come true on fresh sets of questions?

``uv run pytest -m slow tests/metrics/coverage/test_calibration_of_the_best.py -s`` prints them.
"""

from itertools import product

import numpy as np
import pytest
from scipy.special import comb, expit

from metrics import Outcomes, choose_among, rank
from metrics.analyses.compare.best import Means, chances_of_best

SETS, KNOWN = 2000, 4000
EFFECTS = 0.1, 0.3, 0.8
FURTHEST, ON_AVERAGE = 0.12, 0.06
"""By which a chance may be off in a cell, and in all of them."""
POINTS, SHARE = 0.003, 0.25
"""By which a loss may be off, whichever is more."""


def score(c, n, k):
    """Pass@k of c right samples of n, by its definition; of k = 1 the share."""
    return 1 - comb(n - c, k) / comb(n, k)


def drawn(rng, m, n, effects, hard):
    rate = expit(rng.choice(hard, (m, 1)) + effects)
    return (rng.random((n, m, len(effects))) < rate).astype(np.int8)


def means(verdicts, k):
    """Means of runs by pass@k, of verdicts of shape (N, M, R)."""
    return Means.of(score(verdicts.sum(axis=0), len(verdicts), k), None)


def test_the_study_looks_at_what_a_ranking_says():
    verdicts = drawn(np.random.default_rng(0), 30, 4, [0.0, 0.3, 0.1], np.arange(9.0) - 4)
    ranked = rank({run: Outcomes(verdicts[:, :, run].T) for run in range(3)}, "pass@k", 2)
    found = chances_of_best(*means(verdicts[:, :, list(ranked.names)], 2))
    assert (found.chances, found.losses) == (ranked.chances, ranked.losses)


def true_scores(hard, effects, k):
    rate = expit(hard[:, None] + effects)
    return (1 - (1 - rate) ** k).mean(axis=0)


def calibration(rows):
    """Chance said and come true, loss said and come true, of the run with the highest value."""
    return np.mean(rows, axis=0)


def verdict_on(found, values, true):
    taken = int(np.argmax(values))
    return (
        found.chances[taken],
        true[taken] == true.max(),
        found.losses[taken],
        true.max() - true[taken],
    )


def require_calibrated(cells, points=POINTS):
    for name, (said, came, loss, lost) in cells.items():
        print(f"{name}: {said:.2f}/{came:.2f}, {100 * loss:.2f}/{100 * lost:.2f}")
    for name, (said, came, loss, lost) in cells.items():
        assert abs(said - came) < FURTHEST, name
        assert abs(loss - lost) < max(points, SHARE * lost), name
    assert np.mean([abs(said - came) for said, came, _, _ in cells.values()]) < ON_AVERAGE


RUNS = (
    (10, 40, 4, 1),
    (5, 150, 8, 1),
    (4, 300, 16, 1),
    (10, 800, 4, 1),
    (10, 40, 4, 4),
    (5, 150, 8, 4),
    (4, 300, 16, 8),
    (2, 30, 4, 2),
)
"""How many runs, of so many questions and samples, by pass@k."""


@pytest.mark.slow
def test_chances_and_losses_of_runs_come_true():
    cells = {}
    for (count, m, n, k), size in product(RUNS, EFFECTS):
        rng = np.random.default_rng([count, m, k, int(10 * size)])
        hard, rows = rng.normal(0, 1.5, KNOWN), []
        for _ in range(SETS):
            effects = rng.normal(0, size, count)
            found = means(drawn(rng, m, n, effects, hard), k)
            true = true_scores(hard, effects, k)
            rows.append(verdict_on(chances_of_best(*found), found.values, true))
        cells[f"{count} runs, {m} x {n}, pass@{k}, effects of {size}"] = calibration(rows)
    require_calibrated(cells)


SUITES = (4, 4, 1), (4, 4, 4), (8, 8, 1)


@pytest.mark.slow
def test_chances_and_losses_over_suites_come_true():
    """Three datasets of 30, 100 and 300 questions; half of an effect is the dataset's own."""
    cells, sizes = {}, (30, 100, 300)
    for (count, n, k), size in product(SUITES, EFFECTS):
        rng = np.random.default_rng([count, n, k, int(10 * size), 3])
        hard, rows = [rng.normal(at, 1.5, KNOWN) for at in (-1, 0, 1)], []
        for _ in range(SETS):
            common = rng.normal(0, size * np.sqrt(0.5), count)
            effects = common + rng.normal(0, size * np.sqrt(0.5), (len(sizes), count))
            parts = [
                means(drawn(rng, m, n, *each), k)
                for m, *each in zip(sizes, effects, hard, strict=True)
            ]
            found = Means.weighted(parts, np.full(3, 1 / 3))
            true = np.mean(
                [true_scores(h, e, k) for h, e in zip(hard, effects, strict=True)], axis=0
            )
            rows.append(verdict_on(chances_of_best(*found), found.values, true))
        cells[f"{count} models, 3 x {n}, pass@{k}, effects of {size}"] = calibration(rows)
    require_calibrated(cells)


@pytest.mark.slow
@pytest.mark.parametrize("aim", ["budget", "value_per_solved"])
def test_chances_and_losses_of_runs_at_their_n_come_true(aim):
    """Three runs of 100 questions by 8 samples; what is lost is in points, or in samples."""
    cells, limit = {}, {"budget": 3.0, "value_per_solved": 12.0}[aim]
    for size in EFFECTS:
        rng = np.random.default_rng([3, int(10 * size)])
        hard, rows = rng.normal(0, 1.5, KNOWN), []
        for _ in range(SETS):
            effects = rng.normal(0, size, 3)
            verdicts = drawn(rng, 100, 8, effects, hard)
            runs = {str(run): verdicts[:, :, run].T for run in range(3)}
            chosen = choose_among(runs, resamples=200, **{aim: limit})
            if len(chosen.chances) < 2:
                continue
            rate = expit(hard[:, None] + effects)
            true = {}
            for run in map(int, chosen.chances):
                safe = chosen.choices[str(run)].safe_n
                missed = (1 - rate[:, run, None]) ** np.arange(safe + 1)
                solved, cost = 1 - missed[:, -1].mean(), missed[:, :-1].mean(axis=0).sum()
                true[str(run)] = solved if aim == "budget" else limit * solved - cost
            best = max(true.values())
            rows.append(
                (
                    chosen.chances[chosen.run],
                    true[chosen.run] == best,
                    chosen.losses[chosen.run],
                    best - true[chosen.run],
                )
            )
        cells[f"{aim}, effects of {size}, {len(rows)} sets"] = calibration(rows)
    require_calibrated(cells, POINTS if aim == "budget" else POINTS * limit)
