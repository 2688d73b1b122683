"""Notes on how verdicts were found: what was wrong with them, and what was done."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.data.words import Text, some_of
from reports.evaluations.verdicts.grouping import Grouping
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.rescoring.supervised import SECONDS

SHOWN = 5
"""The most names that a note has."""


def trouble(error: LoadError, where: str) -> Note:
    """Return an error as a note on what is missing because of it."""
    return Note(error.text, where, severity="problem")


def regrouped(grouping: Grouping, tool: str, where: str) -> Note:
    """Say that the samples were mixed up, and are no more."""
    what = Text(
        "{tool} mixed up the samples of different questions: in {count} of {questions} questions "
        "of its details the references differ. kofn gave each sample back to its question, so "
        "pass@k and cons@k differ from the report's own; avg@n does not.",
        tool=tool,
        count=grouping.mixed_as_stored,
        questions=grouping.shape[0],
    )
    return Note(what, where, grouping.mixed_as_stored, "warning")


def assumed(grouping: Grouping, has_references: bool, tool: str, where: str) -> Note:
    """Say that nothing but the metrics' names told how the samples are grouped."""
    cause = (
        Text("The references do not tell the questions apart")
        if has_references
        else Text("The details hold no references")
    )
    what = (
        Text(
            "{cause}, so nothing shows whether the samples are grouped by question. {tool} is "
            "known to mix them up, so kofn regrouped them. If your version does not, pass@k and "
            "cons@k are wrong here and right in the report; avg@n is right in both.",
            cause=cause,
            tool=tool,
        )
        if grouping.scrambled
        else Text(
            "{cause}, so nothing shows whether the samples are grouped by question. {tool} groups "
            "them rightly, so kofn takes them as stored.",
            cause=cause,
            tool=tool,
        )
    )
    return Note(what, where, severity="warning")


def ungrouped(where: str) -> Note:
    """Say that nothing tells which samples are of one question."""
    what = Text(
        "Nothing tells which predictions are of one question: they hold no ids, and neither "
        "prompts nor references repeat as samples of a question do. avg@n is the mean of all, but "
        "pass@k and cons@k cannot be given. Evaluate again with --dump-eval-details, or give the "
        "outcomes as a Parquet table."
    )
    return Note(what, where, severity="warning")


def grouped(where: str) -> Note:
    """Say that the samples are where they belong."""
    what = Text("The samples are grouped by question as they should be, and used as stored.")
    return Note(what, where)


def still_mixed(grouping: Grouping, where: str) -> Note:
    """Say that some references differ within a question however the samples are grouped."""
    what = Text(
        "Even after grouping, the references differ within {count} of {questions} questions; the "
        "verdicts there may be wrong.",
        count=grouping.mixed,
        questions=grouping.shape[0],
    )
    return Note(what, where, grouping.mixed, "warning")


def compared(n: int, stated: float | None, ours: float, where: str) -> Note:
    """Say that verdicts come from comparing texts, and what the headline is then worth."""
    rule = Text(
        "The details hold no verdicts; as the evaluator does, kofn counts an answer as right if it "
        "equals the reference."
    )
    if n == 1 or stated is None:
        return Note(rule, where)
    what = Text(
        "The stated accuracy, {stated:.1%}, is that of the last of {n} samples of each question "
        "only; over all samples it is {ours:.1%}. {rule}",
        stated=stated,
        n=n,
        ours=ours,
        rule=rule,
    )
    return Note(what, where, severity="warning")


def rescored(rule: Text, verified: bool | None, unjudged: bool, where: str) -> Note:
    """Say by what rule the predictions were judged, and whether the report bears it out."""
    did = Text(
        "The results do not say which samples were right, so kofn judged the predictions itself, "
        "by {rule}.",
        rule=rule,
    )
    if verified is None:
        unknown = (
            Text("The samples that are not judged leave open whether the report bears that out.")
            if unjudged
            else Text("The report states no average to check that with.")
        )
        what = Text("{did} {unknown}", did=did, unknown=unknown)
        return Note(what, where, severity="warning")
    if verified:
        did = Text("{did} That gives exactly the averages that the report states.", did=did)
    return Note(did, where)


def unusable(ids: Sequence[int], asked: int, where: str) -> Note:
    """Say which questions have no reference to judge by."""
    what = Text(
        "{count} of {asked} questions (id {ids}) have no reference that the evaluator can use. "
        "kofn leaves them out of every metric; the stated accuracy counts them as wrong.",
        count=len(ids),
        asked=asked,
        ids=some_of(ids, SHOWN),
    )
    return Note(what, where, len(ids), "warning")


def soft(threshold: float | None, strict: bool, stored: bool, where: str) -> Note:
    """Say what soft scores mean for the stated numbers, and where they come from."""
    origin = (
        Text("The file holds the scores.")
        if stored
        else Text(
            "The file does not hold the scores; kofn computed them from answers and references."
        )
    )
    if threshold is None:
        rule = Text("Verdicts are given apart from them.")
    elif strict:
        rule = Text("A sample is right if its score exceeds {mark:g}.", mark=threshold)
    else:
        rule = Text("A sample is right if its score is at least {mark:g}.", mark=threshold)
    what = Text(
        "The samples have soft scores. {rule} The mean of the scores and the share of right "
        "samples differ, and both are right: the stated accuracy may be the one while avg@n, "
        "pass@n and cons@n are of the other. {origin}",
        rule=rule,
        origin=origin,
    )
    return Note(what, where)


def not_compared(count: int, samples: int, where: str) -> Note:
    """Say that kofn could not judge some samples."""
    what = Text(
        "{count} of {samples} samples are not judged: comparing their formulas took more than "
        "{seconds:g} s of CPU time, or failed, twice. The stated mean may count each as wrong; "
        "here they are missing, and you choose how they count.",
        count=count,
        samples=samples,
        seconds=SECONDS,
    )
    return Note(what, where, count, "warning")


def unjudged(count: int, asked: int, where: str) -> Note:
    """Say that a judge did not judge some samples."""
    what = Text(
        "The judge gave no usable judgement of {count} of {asked} samples. The stated mean counts "
        "each as 0; here they are missing, and you choose how they count.",
        count=count,
        asked=asked,
    )
    return Note(what, where, count, "warning")


def no_number(names: Sequence[str], where: str) -> Note:
    """Say that metrics of the file have no number."""
    what = Text(
        "The file states no number for {metrics}: null, NaN or Infinity stands there.",
        metrics=some_of((f"{name:.60}" for name in names), SHOWN),
    )
    return Note(what, where, severity="warning")


def unscored(count: int, samples: int, missing: bool, where: str) -> Note:
    """Say that some samples have no score."""
    none = Text(
        "{count} of {samples} samples have no score (null, NaN or Infinity)",
        count=count,
        samples=samples,
    )
    what = Text("{none}. They count as missing.", none=none)
    if not missing:
        what = Text("{none}, so kofn uses the verdicts only.", none=none)
    return Note(what, where, count, "warning")


def contradicted_scores(count: int, samples: int, where: str) -> Note:
    """Say that computed scores do not give the stored verdicts."""
    what = Text(
        "The scores computed from answers and references contradict {count} of {samples} verdicts, "
        "so kofn uses the verdicts only.",
        count=count,
        samples=samples,
    )
    return Note(what, where, count, "warning")


def unverified(where: str) -> Note:
    """Say that the samples do not give the stated mean."""
    what = Text(
        "The samples do not give the mean that the file states. Perhaps the file was changed or is "
        "of a version kofn does not know; trust neither number unchecked."
    )
    return Note(what, where, severity="warning")


def dropped(ids: Sequence[int], asked: int, where: str) -> Note:
    """Say which questions the details lack."""
    what = Text(
        "The details lack {count} of {asked} questions (id {ids}), because the evaluator cannot "
        "use a reference. kofn leaves them out of every metric; the stated accuracy counts them "
        "as wrong.",
        count=len(ids),
        asked=asked,
        ids=some_of(ids, SHOWN),
    )
    return Note(what, where, len(ids), "warning")


def unknown_ids(missing: int, asked: int, where: str) -> Note:
    """Say that questions are missing and nothing tells which."""
    what = Text(
        "The details lack {count} of {asked} questions, and nothing tells which. The others are "
        "numbered as in the details, and failed requests count as the evaluator judged them.",
        count=missing,
        asked=asked,
    )
    return Note(what, where, missing, "warning")
