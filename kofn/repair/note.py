"""The note in a repaired report: what was changed, why, and how to see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from kofn.repair.words import answer
from kofn.version import VERSION
from kofn.writing.estimates import distinct_percents, percent
from metrics.data.words import Enumerated, Text, printable
from reports.repairing import Number, Repair, RepairedFile


def note(repair: Repair, written: RepairedFile) -> str:
    """Write the note."""
    head = Text("This report of AISBench was repaired by kofn {version}.", version=VERSION)
    sections = [
        [str(head), str(answer(repair))],
        [str(Text("What was changed")), *changes(repair.changes)],
        [
            str(Text("What was left, although the samples give another number")),
            *changes(repair.left),
        ],
        _lines(_added(repair, written)),
        _lines(_unchanged(written)),
        _lines(_how_to_see_it(written)),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections if len(lines) > 1) + "\n"


def changes(numbers: Sequence[Number]) -> Iterator[str]:
    """Write why numbers are not those of their samples, and under each reason which, by file."""
    reasons = dict.fromkeys(each.line.reason for each in numbers)
    for reason in filter(None, reasons):
        yield f"  {reason!s}"
        because = [each for each in numbers if each.line.reason == reason]
        for path, found in groupby(because, key=lambda each: each.path):
            yield f"    {printable(path)}"
            yield from (
                f"      {printable(_name_of_number(each))}: {_change(each)!s}" for each in found
            )


def _name_of_number(number: Number) -> str:
    return f"{number.line.metric} ({number.model}, {number.dataset})"


def _change(number: Number) -> Text:
    line = number.line
    assert line.recomputed is not None
    return Text(
        "{now}, not {was}",
        now=percent(line.recomputed, *(line.interval or (None, None))),
        was=distinct_percents(line.reported, line.recomputed)[0],
    )


def _lines(sentences: Iterable[Text | str]) -> list[str]:
    return [str(each) for each in sentences]


def _added(repair: Repair, written: RepairedFile) -> Iterator[Text | str]:
    yield Text("What was added")
    yield Text(
        "  Intervals of 95 %, for questions like these: in results under the key intervals, in the "
        "summary in the columns low and high of each model."
    )
    for run in repair.mixed:
        yield Text(
            "  {path}: each entry of the details holds the samples of one question again, and its "
            "avg, pass and cons are those of this question.",
            path=printable(run.source),
        )
    for path, fields in written.lost.items():
        yield Text(
            "  {path}: {fields} of the details are not there for every sample, so it is unknown "
            "which samples they belong to. They are in the original only.",
            path=printable(path),
            fields=Enumerated(map(printable, fields)),
        )


def _unchanged(written: RepairedFile) -> Iterator[Text | str]:
    yield Text("What was not changed")
    yield Text(
        "  Predictions, configurations, logs and older summaries are as they were, byte by byte; "
        "logs and older summaries state the numbers that were wrong. Nothing that kofn cannot "
        "explain was changed."
    )
    yield from unchanged_files(written)


def unchanged_files(written: RepairedFile) -> Iterator[Text]:
    """Name the files of the summary that still state the numbers that were wrong."""
    for path in written.as_they_were:
        yield Text(
            "  {path} does not have AISBench's layout, so it is unchanged.",
            path=printable(path),
        )


def _how_to_see_it(written: RepairedFile) -> Iterator[Text | str]:
    yield Text("How to see it")
    yield Text(
        "  original.zip is the report as it was, SHA-256 {digest}.",
        digest=written.digest,
    )
    yield Text(
        "  kofn inventory original.zip says what was wrong; kofn inventory of this report finds "
        "the same outcomes and none of these differences."
    )
    yield Text("  Unpack both; diff -r then shows each line that differs.")
