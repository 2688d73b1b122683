"""The names of metrics, as type checkers know them."""

from __future__ import annotations

from typing import Literal

MetricName = Literal[
    "avg@n",
    "soft",
    "pass@k",
    "auc@k",
    "max@k",
    "soft-max@k",
    "pass^k",
    "g-pass@k",
    "cover@tau",
    "mg-pass@k",
    "threshold-spectrum@k",
    "maj@k",
    "cons@n",
    "plurality@k",
    "geom@k",
    "geom-ds@k",
    "geo-spectrum@k",
    "bayes@n",
]
"""A name of `METRICS`."""

JudgedMetric = Literal["avg@n", "pass@k", "pass^k", "any-pass"]
"""What can be corrected for a judge's errors."""
