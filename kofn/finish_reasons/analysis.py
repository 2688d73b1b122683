"""How many samples of a run ended in which way, and how far that leaves its score open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kofn.card import Card, attempt
from kofn.choices.runs import known_of
from kofn.choices.view import View
from metrics import ScoreRange, score_range
from metrics.data.arrays import Flags
from metrics.data.counts import Counts
from metrics.data.evidence import Known
from metrics.data.shown import brief_repr
from metrics.data.words import MetricError, Text
from reports.run.finish_reasons import STATES, UNSETTLED, Sign, State
from reports.run.report import Run

METRIC: Final = "avg@n"
"""The score of which it is said what unsettled samples leave open."""


@dataclass(frozen=True, eq=False)
class FinishReasons:
    """How the samples of a run ended, those of a segment if a View has one."""

    counts: Mapping[State, int]  # How many are in each state.
    cut_right: int  # How many of the cut ones are right.
    # Of how many samples of the whole run the files tell whether they were cut, and have no answer;
    # 0 where that is not known.
    known: Mapping[State, int]
    signs: Mapping[Sign, int]  # By what it shows, in the whole run, that samples were cut.
    every: int  # Samples of the whole run.
    range: ScoreRange | None  # None where all samples came to their end.
    # How many texts of the whole run end in a repetition, or are garbled.
    anomalies: Mapping[str, int] = field(default_factory=dict)
    looping_cut: int = 0  # How many of those that end in a repetition were cut.

    __repr__ = brief_repr

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return sum(self.counts.values())

    @property
    def unsettled(self) -> int:
        """How many of them were cut, failed or have no answer."""
        return sum(self.counts[state] for state in UNSETTLED)

    @property
    def unsettled_share(self) -> float:
        """What part of them that is; 0 without any sample."""
        return self.unsettled / max(1, self.samples)

    @property
    def is_notable(self) -> bool:
        """Whether a sample is known to be cut, or to have no answer."""
        return bool(self.counts["cut"] + self.counts["no answer"])


EndedCard = Card[FinishReasons, None]


def count_finish_reasons(run: Run, view: View, settings: None = None) -> FinishReasons:
    """Count how the samples of a run ended."""
    known, states = known_of(run), run.states
    if isinstance(known, Counts):
        return _from_counts(known, view)
    if states is None:
        raise MetricError(
            Text("Its samples are in categories, and no file says which categories are right.")
        )
    rows = known.members(view.segment)
    counts = states.counts_of(rows)
    bounds = None
    if any(counts[state] for state in UNSETTLED):
        bounds = _range(known, states.unsettled, view)
    return FinishReasons(
        counts,
        states.cut_right(rows) if counts["cut"] else 0,
        states.told,
        states.signs,
        sum(states.counts.values()),
        bounds,
        states.anomalies,
        states.looping_cut,
    )


def _from_counts(known: Counts, view: View) -> FinishReasons:
    """Count right, wrong and failed samples: of others counts do not tell."""
    part = known.members(view.segment)
    right, graded, failed = (
        int(each @ part.questions) for each in (part.right, part.graded, part.failed)
    )
    counts = dict.fromkeys(STATES, 0)
    counts |= {"right": right, "wrong": graded - right, "failed": failed}
    return FinishReasons(
        counts,
        0,
        dict.fromkeys(("no answer", "cut"), 0),
        {},
        known.n_samples(),
        _range(known, None, view) if failed else None,
    )


def _range(known: Known, unsettled: Flags | None, view: View) -> ScoreRange | None:
    """Return what unsettled samples leave open; None where no metric can be estimated."""
    found, _reason = attempt(
        score_range,
        known,
        unsettled,
        METRIC,
        **view.asked,
    )
    return found
