"""Whether more verdicts are doubtful than may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kofn.choices.codec import Choices, Setting, number
from kofn.terminal.gate import NOTHING_ASKED, Ruling, Verdict
from kofn.trust.analysis import TrustCard
from kofn.writing.estimates import percent
from kofn.writing.layout import named
from metrics.data.words import MetricError, Text
from reports.run.report import Report

STATUSES = """\
  1  with --fail-doubtful, more verdicts of some run contradict their texts than that
"""


def _share(texts: Sequence[str]) -> float:
    """Read a percentage with its sign, or a fraction."""
    text = texts[-1].strip()
    read = number("fail-doubtful", 0, 100 if text.endswith("%") else 1, 0.02)
    share = read([text.removesuffix("%")])
    return share / 100 if text.endswith("%") else share


@dataclass(frozen=True)
class TrustGate(Choices):
    """Which share of the verdicts may contradict their texts.

    Attributes
    ----------
    most : float or None
        As a fraction; None for no gate.

    Examples
    --------
    >>> TrustGate.from_query({"fail-doubtful": "2%"})[0].most
    0.02
    """

    most: float | None = None

    SETTINGS: ClassVar = (
        Setting(
            "fail-doubtful",
            "most",
            _share,
            "SHARE",
            Text("end with 1 if more verdicts contradict their texts, such as 2%%"),
        ),
    )


def judge(reports: Sequence[Report], cards: Sequence[TrustCard], choices: TrustGate) -> Ruling:
    """Say of each run whether more of its verdicts contradict their texts than may.

    Raises
    ------
    MetricError
        If there is a limit, and no run whose texts were read.
    """
    if choices.most is None:
        return NOTHING_ASKED
    verdicts = []
    for card in cards:
        if card.found is None:
            verdicts.append(Verdict(None, card.reason or Text("N/A")))
            continue
        share = card.found.wrong / card.found.audit.read if card.found.audit.read else 0.0
        said = Text(
            "{run}: {share} of the verdicts contradict their texts; {most} may.",
            run=named(card.key),
            share=percent(share),
            most=percent(choices.most),
        )
        verdicts.append(Verdict(share <= choices.most, said))
    if not any(verdict.passed is not None for verdict in verdicts):
        raise MetricError(Text("No run here keeps texts whose final answers can be read."))
    return Ruling(verdicts)
