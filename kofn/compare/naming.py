"""Which run of a dataset is meant by a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kofn.standings import field
from kofn.writing.rendering import printable
from metrics.data.words import ListedApart, MetricError, Text
from reports.run.report import Run


def called(key: str, run: Run) -> str:
    """Name a run among those of its dataset, as on every other that has the like."""
    return field.called(key, run.model, run.dataset)


def find_called(name: str, runs: Mapping[str, Run]) -> str | None:
    """Return the key of the run of a dataset that a name means; None where it means none.

    A run is named by its key, or by how it is called on every dataset; a model means its first run.

    Examples
    --------
    >>> runs = {"7B / aime": Run("7B", "aime", None), "72B / aime": Run("72B", "aime", None)}
    >>> find_called("72B", runs), find_called("72B / aime", runs), find_called("4B", runs)
    ('72B / aime', '72B / aime', None)
    """
    for means in (lambda key, run: key, called, lambda key, run: printable(run.model)):
        for key, run in runs.items():
            if means(key, run) == name:
                return key
    return None


def require_named(names: Iterable[str], runs: Mapping[str, Run]) -> None:
    """Raise MetricError where a name means no run at all; an empty one means none in particular."""
    for name in filter(None, names):
        if find_called(name, runs) is None:
            problem = Text(
                "No run or model is called {name}; there are: {known}.",
                name=name,
                known=ListedApart(runs),
            )
            raise MetricError(problem)
