"""Sentences about what was loaded: how much, what is wrong with its numbers, and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from kofn.inventory.stated import Discrepancy, StatedNumber
from kofn.writing.estimates import distinct_percents
from kofn.writing.joining import joined
from kofn.writing.layout import short_name
from kofn.writing.settings import in_words
from metrics.data.words import Text
from reports.run.calibration import Calibration
from reports.run.differing import shared_settings
from reports.run.report import Report, Run

UNGROUPED = Text(
    "Nothing tells which samples belong to the same question: only one try can be judged."
)
GROUPED_BY_FILE = Text(
    "Which samples belong to the same question is stated by the file only, and not proven."
)
UNEXPLAINED = Text("Its file states other numbers than its samples give, for no known reason.")
"""Doubts about a run."""


def answer(runs: Mapping[str, Run], stated: Sequence[StatedNumber], waiting: int = 0) -> Text:
    """Say what came in, and what is wrong with the numbers that it states.

    runs: At least one, if nothing waits.
    stated: The numbers that the files state of them and of their suites.
    waiting: Files of which it is asked which column, or which verdict, is meant.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> outcomes = Outcomes([[1, 0]])
    >>> runs = {"a": Run("cedar", "maths", outcomes), "b": Run("aspen", "maths", outcomes)}
    >>> str(answer(runs, []))
    '2 runs came in: 2 models on maths.'
    """
    came = [_what_came(runs), *_silent(runs), *stated_in_words(stated)] if runs else []
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
    if len(models) == 1 and models == datasets:
        return Text(
            "{count} run came in: {name}.",
            "{count} runs came in: {name}.",
            count=len(runs),
            name=_single_name(models),
        )
    return Text(
        "{count} run came in: {models} on {datasets}.",
        "{count} runs came in: {models} on {datasets}.",
        count=len(runs),
        models=_single_name(models) or Text("{count} models", count=len(models)),
        datasets=_single_name(datasets) or Text("{count} datasets", count=len(datasets)),
    )


def _single_name(names: Collection[str]) -> str | None:
    """Return the name where there is a single one."""
    return short_name(*names) if len(names) == 1 else None


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


def stated_in_words(stated: Sequence[StatedNumber], *, worst: bool = True) -> Iterator[Text]:
    """Say how many stated numbers are wrong and which is the worst, or that all of them hold.

    worst: Whether the worst is named.

    Examples
    --------
    >>> from reports.run.reconcile import Comparison
    >>> why = Text("It mixes the samples of different questions.")
    >>> wrong = StatedNumber("cedar", "maths", Comparison("pass@16", 1.0, 0.75, False, why))
    >>> right = StatedNumber("cedar", "maths", Comparison("avg@16", 0.5, 0.5, True, None))
    >>> [str(each) for each in stated_in_words([wrong, right])]
    ['1 of 2 reported numbers is wrong: pass@16 of cedar is 75.0%, not 100.0%.']
    >>> [str(each) for each in stated_in_words([right])]
    ['The reported number is what the samples give.']
    """
    wrong = sorted((each for each in stated if each.is_wrong), key=lambda each: -each.gap)
    doubtful = [each for each in stated if each.is_doubtful]
    if wrong and worst:
        yield _with_the_worst(wrong, stated)
    elif wrong:
        yield Text(
            "{count} of {all} is wrong.",
            "{count} of {all} are wrong.",
            count=len(wrong),
            all=_reported(len(stated)),
        )
    if doubtful:
        yield Text(
            "{count} of {all} is not what the samples give, for no known reason: trust neither.",
            "{count} of {all} are not what the samples give, for no known reason: trust neither.",
            count=len(doubtful),
            all=_reported(len(stated)),
        )
    if partial := sum(each.leaves_out_failed for each in stated):
        yield Text(
            "{count} of {all} leaves out the requests that failed.",
            "{count} of {all} leave out the requests that failed.",
            count=partial,
            all=_reported(len(stated)),
        )
    if others := sum(each.is_of_others for each in stated):
        yield Text(
            "{count} of {all} is of other samples, or by another rule, than the mean of these.",
            "{count} of {all} are of other samples, or by another rule, than the mean of these.",
            count=others,
            all=_reported(len(stated)),
        )
    agreeing = sum(each.line.agrees for each in stated)
    if stated and agreeing == len(stated):
        yield Text(
            "The reported number is what the samples give.",
            "The {count} reported numbers are what the samples give.",
            count=agreeing,
        )
    elif stated and not agreeing and not (wrong or doubtful or partial or others):
        yield Text("None of the reported numbers can be checked.")
    elif stated and not (wrong or doubtful or partial or others):
        yield Text(
            "{agreeing} of {all} can be checked, and they are what the samples give.",
            agreeing=agreeing,
            all=_reported(len(stated)),
        )


def _reported(count: int) -> Text:
    return Text("{count} reported number", "{count} reported numbers", count=count)


def _with_the_worst(wrong: Sequence[StatedNumber], stated: Sequence[StatedNumber]) -> Text:
    worst = wrong[0]
    assert worst.line.recomputed is not None
    recomputed, reported = distinct_percents(worst.line.recomputed, worst.line.reported)
    return Text(
        "{count} of {all} is wrong: {metric} of {whose} is {recomputed}, not {reported}.",
        "{count} of {all} are wrong: {metric} of {whose} is {recomputed}, not {reported}.",
        count=len(wrong),
        all=_reported(len(stated)),
        metric=short_name(worst.line.metric),
        whose=_run_of_number(worst, stated),
        recomputed=recomputed,
        reported=reported,
    )


def _run_of_number(worst: StatedNumber, stated: Sequence[StatedNumber]) -> Text:
    """Name the model, and the dataset where there are several."""
    model, dataset = (short_name(name) for name in (worst.model, worst.dataset))
    if len({each.dataset for each in stated}) == 1:
        return Text("{model}", model=model)
    return Text("{model} on {dataset}", model=model, dataset=dataset)


def cause_in_words(cause: Discrepancy) -> Text:
    """Say why stated numbers are not those of the samples, and how many they are."""
    first, count = cause.found[0], len(cause.found)
    if first.is_unchecked:
        return Text(
            "{count} is unchecked: {reason}",
            "{count} are unchecked: {reason}",
            count=count,
            reason=cause.reason,
        )
    if first.line.agrees:
        return Text(
            "{count} holds: {reason}", "{count} hold: {reason}", count=count, reason=cause.reason
        )
    if first.is_wrong:
        return Text(
            "{count} is wrong: {reason}",
            "{count} are wrong: {reason}",
            count=count,
            reason=cause.reason,
        )
    return Text(
        "{count} differs: {reason}", "{count} differ: {reason}", count=count, reason=cause.reason
    )


def labels_in_words(reports: Iterable[Report]) -> Iterator[Text]:
    """Yield what the tables of labels are.

    Examples
    --------
    >>> labels = Calibration("judged.csv", ["a"], {"human": np.array([[1.0, 0.0, np.nan]])})
    >>> for text in labels_in_words([Report("judged.csv", Text("x"), (), calibrations=(labels,))]):
    ...     print(text)
    judged.csv is a calibration set of a judge, with 2 human labels.
    """
    for report in reports:
        for labels in report.calibrations:
            if labels.spot_check:
                yield Text(
                    "{name} is a list that was filled in, with {count} human label.",
                    "{name} is a list that was filled in, with {count} human labels.",
                    count=_count(labels),
                    name=labels.name,
                )
            else:
                yield Text(
                    "{name} is a calibration set of a judge, with {count} human label.",
                    "{name} is a calibration set of a judge, with {count} human labels.",
                    count=_count(labels),
                    name=labels.name,
                )


def _count(labels: Calibration) -> int:
    """Count the labels of samples or, where there are none, of questions."""
    every = labels.columns.get("human"), labels.question_columns.get("human_group")
    counts = [int((~np.isnan(each)).sum()) for each in every if each is not None]
    return next(filter(None, counts), 0)


def settings_in_words(runs: Mapping[str, Run]) -> Iterator[Text]:
    """Say which settings all runs state alike, and how many state none.

    Examples
    --------
    >>> a, b = (Run("7B", "gsm8k", None, settings={"n": 4, "seed": seed}) for seed in (1, 2))
    >>> list(map(str, settings_in_words({"a": a, "b": b})))
    ['Both runs state n 4.']
    """
    made = [run for run in runs.values() if run.settings]
    if shared := shared_settings(made):
        settings = str(in_words(shared))
        yield (
            Text("Both runs state {settings}.", settings=settings)
            if len(made) == 2
            else Text(
                "The run states {settings}.",
                "All {count} runs state {settings}.",
                count=len(made),
                settings=settings,
            )
        )
    if silent := len(runs) - len(made):
        yield Text(
            "{count} run does not say how it was made.",
            "{count} runs do not say how they were made.",
            count=silent,
        )
