"""A number for each run, which stands for its colour and marker in every figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from types import MappingProxyType

from charts.theme import COLOURS
from reports.run.report import Run, Suite


def number_runs(
    runs: Mapping[str, Run], suites: Mapping[str, Suite] = MappingProxyType({})
) -> dict[str, int]:
    """Return the numbers of all loaded runs, and of suites as runs of their own.

    A model has one colour, its runs on several datasets differ by marker. A further run of a model
    on the same dataset has the colour of a model of its own. Runs that come later change no number.

    Returns: For `charts.theme.colour` and `charts.theme.symbol`.

    Examples
    --------
    >>> pairs = ("7B", "aime"), ("7B", "maths"), ("70B", "aime"), ("7B", "aime")
    >>> runs = {f"run {place}": Run(*pair, None) for place, pair in enumerate(pairs)}
    >>> number_runs(runs)
    {'run 0': 0, 'run 1': 10, 'run 2': 1, 'run 3': 2}
    """
    numbers: dict[str, int] = {}
    models: dict[tuple[str, int], int] = {}
    datasets: dict[str, int] = {}
    before: Counter[tuple[str, str]] = Counter()
    for key, model, dataset in chain(
        ((key, run.model, run.dataset) for key, run in runs.items()),
        ((key, suite.model, suite.name) for key, suite in suites.items()),
    ):
        row = models.setdefault((model, before[model, dataset]), len(models))
        column = datasets.setdefault(dataset, len(datasets))
        before[model, dataset] += 1
        numbers[key] = row + len(COLOURS) * column
    return numbers
