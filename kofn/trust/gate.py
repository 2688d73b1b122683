"""Whether too many verdicts are doubtful, and whether numbers are as expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, read_number, switch
from kofn.terminal.gate import NOTHING_ASKED, GateVerdict, Ruling
from kofn.trust.result import TrustCard, doubtful
from kofn.trust.words import UNREAD, doubtful_share, none_read, ruling_in_words
from metrics.data.words import MetricError, Text
from reports.run.report import Report

STATUSES = Text(
    """\
  1  with --expect, some number is surely lower or higher than expected; with --margin, surely lower
     by more than that; with --fail-doubtful, more verdicts of some run contradict their texts
  3  with --strict, the data cannot decide on some expected number, and status 1 does not apply
"""
)


def _share(texts: Sequence[str]) -> float:
    """Read a percentage with its sign, or a fraction."""
    text = texts[-1].strip()
    read = read_number("fail-doubtful", 0, 100 if text.endswith("%") else 1, 0.02)
    share = read([text.removesuffix("%")])
    return share / 100 if text.endswith("%") else share


@dataclass(frozen=True)
class TrustGate(Choices):
    """Which share of the verdicts may contradict their texts, and whether all has to be decided.

    Examples
    --------
    >>> TrustGate.from_query({"fail-doubtful": "2%"})[0].most
    0.02
    """

    most: float | None = None  # As a fraction; None for no gate.
    strict: bool = False  # Whether it has to be known of each expected number.

    SETTINGS: ClassVar = (
        Setting(
            "fail-doubtful",
            _share,
            "SHARE",
            Text("end with 1 if more verdicts contradict their texts, such as 2%%"),
            field="most",
        ),
        switch("strict", Text("with --expect, end with 3 if the data cannot decide"), bare=True),
    )


def judge(reports: Sequence[Report], cards: Sequence[TrustCard], choices: TrustGate) -> Ruling:
    """Say whether each expected number came out, and how many verdicts of each run may not hold."""
    verdicts = [
        GateVerdict(check.passed, ruling_in_words(card, check))
        for card in cards
        if card.found is not None
        for check in card.found.checks
    ]
    if choices.strict and not verdicts:
        raise MetricError(Text("--strict needs --expect, such as --expect 59.74%."))
    if choices.most is not None:
        verdicts += _of_doubtful(cards, choices.most)
    return Ruling(verdicts, choices.strict) if verdicts else NOTHING_ASKED


def _of_doubtful(cards: Sequence[TrustCard], most: float) -> Iterator[GateVerdict]:
    known = doubtful(cards)
    if not any(card.found for card in known):
        raise MetricError(UNREAD)
    for card in known:
        if card.found is None or not card.found.audit.read:
            yield GateVerdict(None, card.reason or none_read(card.key))
        else:
            share = card.found.wrong / card.found.audit.read
            yield GateVerdict(share <= most, doubtful_share(card.key, share, most))
