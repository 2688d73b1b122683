"""Incomplete runs: how much of them is here, and as of when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from kofn.writing.joining import joined
from kofn.writing.layout import short_name
from metrics.data.words import Text, printable
from reports.files.notes import Unfinished
from reports.run.report import Run


def with_unfinished(answer: Text, runs: Mapping[str, Run]) -> Text:
    """Return an answer with what its runs lack, if they are unfinished.

    Examples
    --------
    >>> run = Run("7B", "maths", None, notes=(Unfinished(Text(""), done=57, planned=100),))
    >>> str(with_unfinished(Text("A leads."), {"7B / maths": run}))
    'A leads. Unfinished: 57% of it is here.'
    """
    return joined([answer, *_unfinished_in_words(runs)])


def unfinished_of(runs: Mapping[str, Run]) -> dict[str, dict[str, Any]]:
    """Return what JSON holds of unfinished runs, by their keys."""
    return {key: _document(note) for key, note in _notes(runs).items()}


def how_far(note: Unfinished) -> Text:
    """Say how much of a run is here; that it is unfinished where its files do not say.

    Examples
    --------
    >>> str(how_far(Unfinished(Text(""), done=57, planned=100, things=Text("questions"))))
    '57% of the questions'
    """
    if note.share is None:
        return Text("unfinished")
    if note.things is None:
        return Text("{share:.0%} of it", share=note.share)
    return Text("{share:.0%} of the {things}", share=_below_all(note.share), things=note.things)


def moment(when: datetime, today: date | None = None) -> str:
    """Write a time of day, with its date where that is another day.

    Examples
    --------
    >>> when = datetime(2026, 11, 22, 14, 32)
    >>> moment(when, when.date()), moment(when, date(2026, 11, 23))
    ('14:32', '2026-11-22 14:32')
    """
    local = when.astimezone() if when.tzinfo else when
    same_day = local.date() == (today or date.today())
    return f"{local:%H:%M}" if same_day else f"{local:%Y-%m-%d %H:%M}"


def _notes(runs: Mapping[str, Run]) -> dict[str, Unfinished]:
    found = {key: run.unfinished for key, run in runs.items()}
    return {key: note for key, note in found.items() if note is not None}


def _unfinished_in_words(runs: Mapping[str, Run]) -> Iterator[Text]:
    notes = _notes(runs)
    if not notes:
        return
    every = sum(run.known is not None or key in notes for key, run in runs.items())
    times = [note.as_of for note in notes.values() if note.as_of is not None]
    as_of = Text(", as of {time}", time=moment(max(times))) if times else Text("")
    first, *others = notes
    if others:
        yield Text(
            "{count} of {all} runs are unfinished{share}{as_of}.",
            count=len(notes),
            all=every,
            share=_span([*notes.values()]),
            as_of=as_of,
        )
    elif notes[first].share is None and every == 1:
        yield Text("It is unfinished{as_of}.", as_of=as_of)
    elif notes[first].share is None:
        name = short_name(first)
        yield Text("{name} is unfinished{as_of}.", name=name, as_of=as_of)
    elif every == 1:
        here = how_far(notes[first])
        yield Text("Unfinished: {here} is here{as_of}.", here=here, as_of=as_of)
    else:
        yield Text(
            "{name} is unfinished: {here} is here{as_of}.",
            name=short_name(first),
            here=how_far(notes[first]),
            as_of=as_of,
        )


def _span(notes: Sequence[Unfinished]) -> Text:
    shares = [note.share for note in notes]
    known = [_below_all(share) for share in shares if share is not None]
    if len(known) < len(shares):
        return Text("")
    return Text(" ({low:.0%} to {high:.0%} of each is here)", low=min(known), high=max(known))


def _below_all(share: float) -> float:
    """Return a share that is not written as all of it unless it is."""
    return share if share >= 1 else min(share, 0.99)


def _document(note: Unfinished) -> dict[str, Any]:
    return {
        "done": note.done,
        "planned": note.planned,
        "things": None if note.things is None else str(note.things),
        "as_of": None if note.as_of is None else note.as_of.isoformat(timespec="seconds"),
        "says": printable(str(note.what)),
    }
