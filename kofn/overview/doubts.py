"""Assumptions behind the numbers of a run that may not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from kofn.card import attempt, is_repeated
from kofn.choices.runs import known_of
from kofn.choices.view import View, failed_requests
from kofn.consistency.words import odd_replicas_or_spread
from kofn.finish_reasons.analysis import FinishReasons
from kofn.finish_reasons.words import caution
from kofn.inventory.stated import StatedNumber
from kofn.inventory.words import GROUPED_BY_FILE, UNEXPLAINED, UNGROUPED
from kofn.writing.joining import joined
from metrics.analyses.replicas.judging import judge
from metrics.data.evidence import Evidence
from metrics.data.words import Text
from metrics.estimating.caveats import copy_caveats
from reports.run.fingerprint import GREEDY
from reports.run.report import Run

Kind = Literal[
    "failed", "unsettled", "unknown", "stated", "copied", "odd", "unexplained", "unfinished"
]


@dataclass(frozen=True)
class Doubt:
    """Why a number may not be what it seems."""

    kind: Kind
    text: Text
    # Failed requests, or samples that were cut or have no answer, of how many; else of 1.
    count: int = 1
    all: int = 1


def doubts_of(
    run: Run, view: View, stated: Sequence[StatedNumber], ended: FinishReasons | None, runs: int
) -> Iterator[Doubt]:
    """Yield what to be careful of in the numbers of a run with verdicts, one of so many runs."""
    known = known_of(run)
    asked = known.n_samples("wrong", view.segment)
    failed = asked - known.n_samples("omit", view.segment)
    if failed:
        sentence = failed_requests(failed, asked, view.missing)
        yield Doubt("failed", sentence, failed, asked)
    if ended is not None and (unsettled := caution(ended)) is not None:
        count = ended.counts["cut"] + ended.counts["no answer"]
        yield Doubt("unsettled", unsettled, count, ended.samples)
    if run.grouping == "unknown":
        yield Doubt("unknown", UNGROUPED)
    evidence = Evidence(known, view.missing, view.segment)
    if run.grouping == "stated" and is_repeated(run):
        yield Doubt("stated", GROUPED_BY_FILE)
    if evidence.grouped:
        texts = [GREEDY] if run.is_greedy else copy_caveats(evidence)
        yield from (Doubt("copied", text) for text in texts)
        yield from _odd(evidence, view.level, runs)
    if run.unfinished:
        yield Doubt("unfinished", run.unfinished.what)
    if any(each.is_doubtful for each in stated):
        yield Doubt("unexplained", UNEXPLAINED)


def _odd(evidence: Evidence, confidence_level: float, runs: int) -> Iterator[Doubt]:
    """Yield what Consistency says of unlike replicas, where so many runs do not explain it either.

    At 95 % one of them is named without a cause in at most 5 of 100 such sets of runs.
    """
    found, _reason = attempt(judge, evidence, confidence_level)
    if found is None or found.least > (1 - confidence_level) / runs:
        return
    yield Doubt("odd", joined(odd_replicas_or_spread(found)))
