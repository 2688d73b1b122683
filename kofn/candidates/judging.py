"""How often a judge errs, its verdicts corrected for that, and which samples to label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from kofn.candidates.choices import Picking
from kofn.card import Finding, attempt
from kofn.choices.runs import outcomes_of
from kofn.choices.signals import default_signal, numbers_of, signals_of
from kofn.choices.view import View
from metrics.analyses.judges.corrected import ANY_PASS, Corrected
from metrics.analyses.judges.errors import JudgeErrors, judge_errors
from metrics.analyses.judges.judged import judged_rate
from metrics.analyses.judges.powered import Powered
from metrics.analyses.judges.spot_check import Each, spot_check
from metrics.analyses.judges.verdicts import HUMAN, HUMAN_GROUP
from metrics.data.evidence import Evidence
from metrics.data.words import MetricError, Text, some_of
from metrics.scoring.registry import METRICS
from reports.labelling import to_fill_in
from reports.run.calibration import Calibration
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

NAMED = 5
"""The most columns that are named."""
JUDGED = ("avg@n", "pass@k", "pass^k", ANY_PASS)
"""The numbers that are corrected, in the order in which they are told."""
QUESTIONS = 50
"""How many questions are drawn to be looked at, where there are so many."""


class Judged(NamedTuple):
    """What a judge says, and what is right."""

    judge: Text
    errors: JudgeErrors | None  # How often it errs on answers; None where no answer has a label.
    # By what they are called, or why they cannot be told.
    numbers: dict[str, Finding[Corrected | Powered]]

    @property
    def known(self) -> list[str]:
        """The numbers that are known."""
        return [name for name, (found, _reason) in self.numbers.items() if found is not None]

    @property
    def is_known(self) -> bool:
        """Whether anything is known of the judge."""
        return bool(self.known)


def judge_run(
    run: Run, view: View, picking: Picking, calibration: Calibration | None = None
) -> Judged:
    """Correct what a judge says of a run, by labels in it or by a calibration set.

    picking: With the judge and its threshold.
    calibration: Labels of other answers; without it those of the run.
    """
    by: Any = picking.judge or None
    asked = {"by": by, "threshold": picking.threshold, "strict": picking.strict}
    errors = {
        groups: attempt(
            judge_errors, calibration or run, **_judge(run, calibration, asked), groups=groups
        )
        for groups in (False, True)
    }
    like_these = {"confidence_level": view.level, "segment": view.segment}
    numbers: dict[str, Finding[Corrected | Powered]] = {}
    sizes = Evidence(outcomes_of(run), view.missing, view.segment).sizes[0]
    k, every = max(view.k, default=int(sizes.min())), int(sizes.max())
    for metric in JUDGED:
        groups = metric == ANY_PASS
        given, reason = errors[groups] if calibration is not None else (None, None)
        if calibration is not None and metric == "pass@k" and k == every:
            given, reason = errors[True] if errors[True][0] is not None else (given, reason)
        label = METRICS[metric].label(k) if metric in ("pass@k", "pass^k") else metric
        if calibration is not None and given is None and not _is_labelled(run, groups):
            numbers[label] = None, reason
            continue
        if groups and k == every and not _is_labelled(run, True) and errors[True][0] is None:
            continue  # it is pass@k, by the same labels
        how: dict[str, Any] = {**asked, **like_these, "metric": metric, "errors": given}
        if metric in ("pass@k", "pass^k"):
            how["k"] = k
        numbers[label] = attempt(judged_rate, run, **how)
    called = Text("The judge of the verdicts") if by is None else Text("{name}", name=by)
    return Judged(called, errors[False][0], numbers)


def has_labels(run: Run) -> bool:
    """Return whether people looked at some samples or questions of a run."""
    return any(_is_labelled(run, groups) for groups in (False, True))


def _is_labelled(run: Run, groups: bool) -> bool:
    return HUMAN_GROUP in run.question_columns if groups else HUMAN in run.columns


def list_to_check(run: Run, view: View, picking: Picking, each: Each = "one") -> pd.DataFrame:
    """List samples for a person to look at, as a table to fill in and load again."""
    signals = signals_of(run)
    signal = picking.signal or default_signal(run)
    other = next((name for name in signals if name not in (signal, signal[1:])), None)
    two: dict[str, Any] = {}
    if signal and other is not None:
        two = {"by": numbers_of(run, signal), "against": numbers_of(run, other)}
    answered = Evidence(outcomes_of(run), "omit", view.segment).sizes[1]
    questions = min(QUESTIONS, int(answered.sum()))
    listed = spot_check(run, questions=questions, each=each, segment=view.segment, **two)
    return to_fill_in(run, listed)


def _judge(run: Run, calibration: Calibration | None, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what the judge is called in a calibration set, where its only numbers may be meant."""
    by = asked["by"]
    if calibration is None or by in calibration.columns:
        return asked
    names = [name for name in calibration.columns if not name.startswith(HUMAN)]
    if len(names) == 1 and (by is None or names[0] not in run.columns):
        return {**asked, "by": names[0]}
    known = some_of(names, NAMED) or "none"
    if by is None:
        raise MetricError(
            Text(
                "Choose a judge: {file} has numbers of {known}.", file=calibration.name, known=known
            )
        )
    raise MetricError(
        Text(
            "{file} has no column {name}, so its labels do not show how often that judge errs; "
            "known: {known}.",
            file=calibration.name,
            name=by,
            known=known,
        )
    )
