"""Posteriors against exact ones."""

from tests.metrics import exact

PAYOFFS = {
    "pass_at_k_ci": lambda k: exact.threshold(1, k),
    "pass_hat_k_ci": lambda k: exact.threshold(k, k),
    "maj_at_k_ci": exact.majority,
    "mg_pass_at_k_ci": exact.mean_threshold,
    "auc_at_k_ci": exact.area,
}
MEAN, SD, VISIBLE = 1e-12, 1e-9, 1e-12


def agrees(got, truth):
    """Hold a posterior to 1e-12 for its mean and to 1e-9, relatively, for its deviation."""
    mean, sd = truth[0], exact.root(truth[1])
    assert exact.error(got.mean, mean) < MEAN
    if sd > VISIBLE:
        assert exact.relative(got.sd, sd) < SD
    else:
        assert got.sd < 1.001 * VISIBLE
