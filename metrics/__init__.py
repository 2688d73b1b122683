"""Metrics of repeated sampling: outcomes in, estimates with honest intervals out.

A model answered each of M questions n times. `Outcomes` holds the verdicts and `Tally` the counts.
`estimate` turns either into a number with the interval that belongs to it; `curve` does so for all
k at once. The functions named after metrics (`pass_at_k`, `maj_at_k_ci` …) take a plain matrix.

>>> from kofn import metrics
>>> R = [[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]]
>>> round(metrics.pass_at_k(R, 2), 2), round(metrics.estimate(R, "pass@k", 2).value, 2)
(0.95, 0.95)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
