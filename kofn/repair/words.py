"""Which numbers of a report are corrected, in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.inventory.stated import StatedNumber
from kofn.inventory.words import stated_in_words
from kofn.writing.joining import joined
from metrics.data.words import Text
from reports.repairing import Repair


def answer(repair: Repair) -> Text:
    """Say what is wrong with a report that can be put right, or that nothing is or can be read."""
    stated = [StatedNumber(each.model, each.dataset, each.line) for each in repair.found]
    if not repair:
        nothing = [*_unread(repair)] or [Text("There is nothing to repair.")]
        return joined([*nothing, *stated_in_words(stated)])
    return joined([*stated_in_words(stated), *_to_do(repair)])


def _to_do(repair: Repair) -> Iterator[Text]:
    if count := len(repair.changes):  # all that are wrong for a known reason
        yield Text(
            "The repaired report has the right number.",
            "The repaired report has them right.",
            count=count,
        )
    if count := len(repair.mixed):
        yield Text(
            "The details of {count} result mix the samples of different questions; kofn sorts "
            "them again.",
            "The details of {count} results mix the samples of different questions; kofn sorts "
            "them again.",
            count=count,
        )
    if count := len(repair.left):
        yield Text(
            "{count} that differs is left unchanged.",
            "{count} that differ are left unchanged.",
            count=count,
        )
    yield from _unread(repair)


def _unread(repair: Repair) -> Iterator[Text]:
    if repair.unread:
        first = repair.unread[0]
        yield Text(
            "A results file cannot be read and is left unchanged: {place}: {problem}. {fix}",
            "{count} results files cannot be read and stay as they are; of the first, {place}: "
            "{problem}. {fix}",
            count=len(repair.unread),
            place=first.place or first.file,
            problem=first.problem,
            fix=first.fix,
        )
