"""Remarks of readers and subcommands, in full or counted by kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from metrics.data.words import Text, plain

SEVERITIES = {
    "error": Text("error"),
    "problem": Text("problem"),
    "warning": Text("warning"),
    "difference": Text("difference"),
    "caveat": Text("caveat"),
    "note": Text("note"),
    "info": Text("info"),
}
_FIRST_SENTENCE = re.compile(r".+?(?:\.(?= |$)|。)")


class Remark(NamedTuple):
    """Something to know of what was read."""

    severity: str  # Such as ``"warning"``.
    place: str  # The file or run that it is about.
    what: Text

    def __str__(self) -> str:
        """Write it in one line, in full."""
        sentence, word = self.what, SEVERITIES.get(self.severity, self.severity)
        if not self.place:
            return plain(Text("{severity}: {what}", severity=word, what=sentence))
        whole = Text("{severity}: {place}: {what}", severity=word, place=self.place, what=sentence)
        return plain(whole)

    @property
    def kind(self) -> tuple[Any, ...]:
        """What it shares with remarks that say the same of other places."""
        return self.severity, _shape(self.what)


def kind_lines(remarks: Iterable[Remark]) -> Iterator[str]:
    """Yield a line for each kind: a single remark in full, of several what they say, or the first.

    Examples
    --------
    >>> template = "{n} of {all} requests failed. Why is unknown."
    >>> failed = [Text(template, n=n, all=96) for n in (1, 2)]
    >>> remarks = Remark("warning", "a.json", failed[0]), Remark("warning", "b", failed[1])
    >>> list(kind_lines(remarks))
    ['warning ×2, such as a.json: 1 of 96 requests failed.']
    >>> list(kind_lines([Remark("note", "", failed[0])]))
    ['note: 1 of 96 requests failed. Why is unknown.']
    """
    kinds: dict[tuple[Any, ...], list[Remark]] = {}
    for remark in dict.fromkeys(remarks):
        kinds.setdefault(remark.kind, []).append(remark)
    for (severity, _shape), group in kinds.items():
        if len(group) == 1:
            yield str(group[0])
            continue
        firsts = dict.fromkeys(_first_sentence(remark.what) for remark in group)
        word, what, place = SEVERITIES.get(severity, severity), next(iter(firsts)), group[0].place
        named = {"severity": word, "count": len(group), "what": what}
        if len(firsts) == 1 or not place:
            yield str(Text("{severity} ×{count}: {what}", **named))
        else:
            such = Text("{severity} ×{count}, such as {place}: {what}", place=place, **named)
            yield plain(such)


def _first_sentence(text: Text) -> str:
    sentence = plain(text)
    first = _FIRST_SENTENCE.match(sentence)
    return first[0] if first else sentence


def _shape(text: Text) -> tuple[Any, ...]:
    """Return the template of a sentence, and of the sentences within it."""
    within = {name: _shape(each) for name, each in text.fields.items() if isinstance(each, Text)}
    return text.template, tuple(sorted(within.items()))
