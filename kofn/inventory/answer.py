"""What came in and what is wrong with it, in a sentence or two."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from kofn.inventory.stated import Stated, what_is_wrong
from kofn.writing.joining import joined
from kofn.writing.layout import named
from kofn.writing.rendering import printable
from metrics.data.words import Text
from reports.run.report import Run


def answer(runs: Mapping[str, Run], stated: Sequence[Stated], waiting: int = 0) -> Text:
    """Say what came in, and what is wrong with the numbers that it states.

    Parameters
    ----------
    runs : mapping of str to Run
        At least one, if nothing waits.
    stated : sequence of Stated
        The numbers that the files state of them and of their suites.
    waiting : int
        Files of which it is asked which column, or which verdict, is meant.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> outcomes = Outcomes([[1, 0]])
    >>> runs = {"a": Run("cedar", "maths", outcomes), "b": Run("aspen", "maths", outcomes)}
    >>> str(answer(runs, []))
    '2 runs came in: 2 models on maths.'
    """
    came = [_what_came(runs), *_silent(runs), *what_is_wrong(stated)] if runs else []
    return joined([*came, *_waiting(waiting)])


def _waiting(count: int) -> Iterator[Text]:
    if count:
        yield Text(
            "{count} file waits: say below what is meant.",
            "{count} files wait: say below what is meant.",
            count=count,
        )


def _what_came(runs: Mapping[str, Run]) -> Text:
    models = {run.model for run in runs.values()}
    datasets = {run.dataset for run in runs.values()}
    return Text(
        "{count} run came in: {models} on {datasets}.",
        "{count} runs came in: {models} on {datasets}.",
        count=len(runs),
        models=_only(models) or Text("{count} models", count=len(models)),
        datasets=_only(datasets) or Text("{count} datasets", count=len(datasets)),
    )


def _only(names: Collection[str]) -> str | None:
    """Return the name where there is a single one."""
    return named(printable(*names)) if len(names) == 1 else None


def _silent(runs: Mapping[str, Run]) -> Iterator[Text]:
    """Say how many runs do not tell which of their samples were right."""
    count = sum(run.known is None for run in runs.values())
    if count == len(runs):
        yield Text(
            "It does not say which samples were right.",
            "None of them says which samples were right.",
            count=count,
        )
    elif count:
        yield Text(
            "{count} of them does not say which samples were right.",
            "{count} of them do not say which samples were right.",
            count=count,
        )
