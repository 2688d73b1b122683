"""Notes on how samples were found: what was wrong with them, and what was done about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from metrics.data.words import Text, some_of
from reports.evaluations.files.tool import Tool
from reports.evaluations.verdicts.grading import Grades
from reports.evaluations.verdicts.joining import Joined
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.rescoring.supervised import SECONDS
from reports.run.reconcile import is_headline

SHOWN = 5
"""The most names that a note has."""


def note_of_error(error: LoadError, where: str) -> Note:
    """Return an error as a note on what is missing because of it."""
    return Note(error.text, where, severity="problem")


def metric_notes(content: Mapping[str, Any], where: str) -> Iterator[Note]:
    """Say which metrics have no number."""
    names = [name for name, value in content.items() if value is None and name != "details"]
    if names:
        what = Text(
            "The file has no number for {metrics}, but null, NaN or Infinity.",
            metrics=some_of((f"{name:.60}" for name in names), SHOWN),
        )
        yield Note(what, where, severity="warning")


def outcome_notes(
    stated: Mapping[str, float],
    grades: Grades,
    joined: Joined,
    verified: bool | None,
    tool: Tool,
    where: str,
) -> Iterator[Note]:
    """Say how the samples were found, and why they differ from the stated numbers."""
    if grades.grouping.known == "unknown":
        what = Text(
            "It is unknown which predictions belong to the same question: they have no ids, and "
            "neither prompts nor references repeat the way samples of a question would. avg@n "
            "is the mean of all predictions; pass@k and cons@k cannot be computed. Evaluate "
            "again with --dump-eval-details, or give the outcomes as a Parquet table."
        )
        yield Note(what, where, severity="warning")
    if grades.rule is not None:
        yield _rule(grades, grades.rule, verified, where)
    else:
        if grades.remark is not None:
            yield Note(grades.remark, where)
        yield from _on_grouping(grades, tool, where)
        if not grades.judged:
            yield _equality(stated, grades, where)
    yield from _on_scores(grades, joined, where)
    yield from _on_missing(grades, joined, where)
    if verified is False:
        what = Text(
            "The samples do not give the mean that the file states. The file may have been "
            "changed, or come from a version that kofn does not know. Check both numbers before "
            "you trust them."
        )
        yield Note(what, where, severity="warning")


def _on_grouping(grades: Grades, tool: Tool, where: str) -> Iterator[Note]:
    """Say whether the samples are where they belong, and how that is known."""
    grouping, warn = grades.grouping, partial(Note, where=where, severity="warning")
    if grouping.known == "stated":
        cause = Text("The references do not tell the questions apart")
        if grades.references is None:
            cause = Text("The details hold no references")
        effect = Text(
            "{tool} groups samples correctly, so kofn uses them as stored.",
            tool=tool.name,
        )
        if grouping.scrambled:
            effect = Text(
                "{tool} is known to mix them up, so kofn regrouped them. If your version does not, "
                "pass@k and cons@k are wrong here and right in the report; avg@n is right in both.",
                tool=tool.name,
            )
        unknown = Text(
            "{cause}, so nothing shows whether the samples are grouped by question. {effect}",
            cause=cause,
            effect=effect,
        )
        yield warn(unknown)
    elif grouping.scrambled and grouping.mixed_as_stored:
        regrouped = Text(
            "{tool} mixed up the samples of different questions: in {count} of {questions} "
            "questions of its details the references differ. kofn gave each sample back to its "
            "question, so pass@k and cons@k differ from the report's own; avg@n does not.",
            tool=tool.name,
            count=grouping.mixed_as_stored,
            questions=grouping.shape[0],
        )
        yield warn(regrouped, count=grouping.mixed_as_stored)
    elif grouping.mixed_by_replica and tool.mixes:
        as_stored = Text("The samples are grouped correctly by question and used as stored.")
        yield Note(as_stored, where)
    if grouping.mixed:
        mixed = Text(
            "Even after grouping, the references differ within {count} of {questions} questions; "
            "the verdicts there may be wrong.",
            count=grouping.mixed,
            questions=grouping.shape[0],
        )
        yield warn(mixed, count=grouping.mixed)


def _rule(grades: Grades, rule: Text, verified: bool | None, where: str) -> Note:
    """Say by what rule the predictions were judged, and whether the report bears it out."""
    did = Text(
        "The results do not say which samples were right, so kofn judged the predictions itself, "
        "by {rule}.",
        rule=rule,
    )
    if verified is False:
        return Note(did, where)
    proof = Text("That gives exactly the averages that the report states.")
    if verified is None:
        proof = Text("The report states no average to check that with.")
        if grades.unjudged is not None and grades.unjudged.any():
            proof = Text(
                "Some samples are not judged, so the report's averages neither confirm nor "
                "contradict this."
            )
    what = Text("{did} {proof}", did=did, proof=proof)
    return Note(what, where, severity="info" if verified else "warning")


def _equality(stated: Mapping[str, float], grades: Grades, where: str) -> Note:
    """Say that verdicts come from comparing texts, and what the headline is then worth."""
    rule = Text(
        "The details hold no verdicts; as the evaluator does, kofn counts an answer as right if it "
        "equals the reference."
    )
    n = grades.verdicts.shape[1]
    headline = next((value for metric, value in stated.items() if is_headline(metric)), None)
    if n == 1 or headline is None:
        return Note(rule, where)
    what = Text(
        "The stated accuracy, {stated:.1%}, covers only the last of {n} samples of each "
        "question; over all samples it is {ours:.1%}. {rule}",
        stated=headline,
        n=n,
        ours=float(grades.verdicts.mean()),
        rule=rule,
    )
    return Note(what, where, severity="warning")


def _on_scores(grades: Grades, joined: Joined, where: str) -> Iterator[Note]:
    """Say what soft scores mean for the stated numbers and where they come from, or lack."""
    if joined.contradicted:
        what = Text(
            "The scores computed from answers and references contradict {count} of {samples} "
            "verdicts, so kofn uses the verdicts only.",
            count=joined.contradicted,
            samples=grades.verdicts.size,
        )
        yield Note(what, where, joined.contradicted, "warning")
    elif grades.scores is not None:
        rule, least = Text("The file states the verdicts separately."), grades.threshold
        if least is not None and grades.strict:
            rule = Text("A sample is right if its score exceeds {least:g}.", least=least)
        elif least is not None:
            rule = Text("A sample is right if its score is at least {least:g}.", least=least)
        origin = (
            Text("The file holds the scores.")
            if grades.stored_scores
            else Text(
                "The file does not hold the scores; kofn computed them from answers and references."
            )
        )
        what = Text(
            "The samples have soft scores. {rule} The mean of the scores and the share of right "
            "samples differ, and both are correct: the stated accuracy may be the mean score, "
            "while avg@n, pass@n and cons@n count right samples. {origin}",
            rule=rule,
            origin=origin,
        )
        yield Note(what, where)


def _on_missing(grades: Grades, joined: Joined, where: str) -> Iterator[Note]:
    """Say which samples have no verdict or no score, and which questions are left out."""
    warn, samples = partial(Note, where=where, severity="warning"), grades.verdicts.size
    unjudged = np.zeros(1, bool) if grades.unjudged is None else grades.unjudged
    if grades.rule is not None and (count := int((unjudged & ~joined.failed[joined.rows]).sum())):
        what = Text(
            "{count} of {samples} samples are not judged: comparing their formulas took more than "
            "{seconds:g} s of CPU time, or failed, twice. The stated mean may count each as wrong; "
            "here they are missing, and you choose how they count.",
            count=count,
            samples=samples,
            seconds=SECONDS,
        )
        yield warn(what, count=count)
    elif grades.rule is None and (count := int(unjudged.sum())):
        what = Text(
            "The judge gave no usable judgement of {count} of {asked} samples. The stated mean "
            "counts each as 0; here they are missing, and you choose how they count.",
            count=count,
            asked=grades.seen or samples,
        )
        yield warn(what, count=count)
    if grades.unscored is not None:
        none = Text(
            "{count} of {samples} samples have no score (null, NaN or Infinity)",
            count=int(grades.unscored.sum()),
            samples=samples,
        )
        what = Text("{none}. They count as missing.", none=none)
        if grades.scores is None:
            what = Text("{none}, so kofn uses the verdicts only.", none=none)
        yield warn(what, count=int(grades.unscored.sum()))
    if joined.dropped:
        count, ids = len(joined.dropped), some_of(joined.dropped, SHOWN)
        which = Text(
            "{count} of {asked} questions (id {ids})", count=count, asked=joined.asked, ids=ids
        )
        why = (
            Text(
                "The details leave out {which}, because the evaluator cannot use the reference.",
                which=which,
            )
            if grades.rule is None
            else Text("{which} have no reference that the evaluator can use.", which=which)
        )
        what = Text(
            "{why} kofn leaves them out of every metric; the stated accuracy counts them as wrong.",
            why=why,
        )
        yield warn(what, count=count)
    elif grades.rule is None and (count := joined.asked - len(grades.verdicts)) > 0:
        what = Text(
            "{count} of {asked} questions are missing from the details, and it is unknown "
            "which. The others are numbered as in the details, and failed requests count as the "
            "evaluator judged them.",
            count=count,
            asked=joined.asked,
        )
        yield warn(what, count=count)
