"""Runs of Every Eval Ever, from records that may hold a question's score instead of a sample's.

The converter of Inspect writes on every epoch of a question what all epochs together were reduced
to, and calls each correct where that exceeds 0. The samples are then judged by what was said, and
what comes of it must be these scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.every_eval_ever.files import (
    BETWEEN,
    CALLED,
    CLUSTER,
    EXPLAINED,
    MEASURED,
    NO_ANSWER,
    OWN,
    PART,
    STATED,
    TURNS,
    AboutEvaluation,
    speaker,
)
from reports.harnesses.every_eval_ever.records import (
    Result,
    chosen,
    extracted_in,
    parts_in,
    prediction_in,
    results_in,
)
from reports.json_files.line import Record
from reports.json_files.members import mapping
from reports.json_files.strict import NOT_FINITE, object_in, parse
from reports.rescoring.repeats.counted import AskedQuestion, Verdicts
from reports.run.reasons import OF_REDUCTION, WITHOUT_FAILED, reason
from reports.run.reconcile import agree
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.samples.counted import Counted, counted, judged_samples, right_of
from reports.samples.gathering import Sample, gather
from reports.samples.reading import json_lines
from reports.samples.texts import DecodedTexts
from reports.samples.verdict_choice import VerdictChooser

_EXACT = 1e-9
_INSPECT = "inspect"

_REDUCTIONS: Mapping[str, Callable[[int, int], Sequence[float]]] = {
    "mean": lambda right, n: (right / n,),
    "mode": lambda right, n: (1.0,) if 2 * right > n else (0.0,) if 2 * right < n else (0.0, 1.0),
    "max": lambda right, n: (float(right > 0),),
    "min": lambda right, n: (float(right == n),),
}
"""What a question's score may be, of how many of n samples are right."""


def runs_of(tree: Tree, path: str, about: str | None, asking: VerdictChooser) -> Iterator[Run]:
    """Read the records of an evaluation."""
    stated = AboutEvaluation(object_in(tree, about))
    for result in chosen(tree, path, results_in(tree, path), asking):
        yield _run(tree, path, result, stated)


def _run(tree: Tree, path: str, result: Result, about: AboutEvaluation) -> Run:
    scores = about.scores(result.name)
    reduced = result.is_reduced and about.library != OWN
    counted = _judged(tree, path, result, scores) if reduced else None
    clusters: dict[str, int] = {}
    held = gather(_samples(tree, path, result, about, counted, clusters), tree.name, path)
    reported, explanations = _reported(result, scores, counted)
    counterparts = dict.fromkeys(reported, "avg@1")
    details = about.details(result.name) if about.library == OWN else {}
    if about.library == OWN:
        reported = {name: float(value) for name, value in _details_of(details, STATED).items()}
        counterparts = _details_of(details, CALLED)
        explanations = {name: reason(why) for name, why in _details_of(details, EXPLAINED).items()}
    run = held.run(
        result.model,
        result.dataset,
        source=path,
        store=held.texts(tree, [path], _as_turns if about.library == OWN else _record_texts),
        cut=[*cut_short(path, result.records, about.records, Text("records"))],
        notes=[*(counted.notes(path) if counted else ()), *_remarks(result, about, path)],
        reported=reported,
        counterparts=counterparts,
        explanations=explanations,
        settings={
            "evaluator": result.name,
            "n": held.outcomes.shape[1],
            **about.settings(result.name),
        },
        time=about.time,
        rule=counted.rule.name if counted and counted.rule else None,
    )
    return _as_it_was(run, details, clusters)


def _as_it_was(run: Run, details: Mapping[str, str], clusters: Mapping[str, int]) -> Run:
    """Return a run with its rule from soft to hard, and its questions that belong together."""
    if "threshold" in details:
        mark, strict = float(details["threshold"]), details["strict"] == "true"
        run = replace(run, threshold=mark, strict=strict)
    if clusters and run.outcomes is not None:
        together = np.array([clusters[question] for question in run.outcomes.questions])
        run = replace(run, outcomes=replace(run.outcomes, clusters=together))
    return run


def _details_of(details: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return the details whose names begin so, by what follows."""
    return {
        name.removeprefix(kind): value for name, value in details.items() if name.startswith(kind)
    }


def _judged(tree: Tree, path: str, result: Result, stated: Sequence[float]) -> Counted:
    """Say which samples are right, of what the samples of each question were reduced to."""
    questions = result.by_question()
    texts = _texts(tree, path, result)
    asked = [
        AskedQuestion(
            texts[lines[0].number][0],
            [None if line.failed else texts[line.number][1] for line in lines],
        )
        for lines in questions.values()
    ]
    scores = [lines[0].score for lines in questions.values()]
    there = [
        sum(prediction is not None for prediction in question.predictions) for question in asked
    ]
    counts = right_of(scores, there)
    if counts is not None and not _is_whole(scores):
        return counted(asked, counts)

    def fits(right: Sequence[Verdicts]) -> bool:
        mean = sum(_share(verdicts) for verdicts in right) / len(right)
        return any(
            _gives(reduce, right, scores)
            for name, reduce in _REDUCTIONS.items()
            if name == "mean" or any(agree(score, mean) for score in stated)
        )

    judged = judged_samples(asked, fits)
    if judged is None:
        raise tree.error(
            Text(
                "every sample of a question has the question's score, and kofn knows no rule that "
                "tells which of them are right"
            ),
            Text("Load the log that these records were made from, such as Inspect's .eval."),
            path,
        )
    return judged


def _is_whole(scores: Sequence[float]) -> bool:
    return all(score in (0, 1) for score in scores)


def _share(verdicts: Verdicts) -> float:
    known = [each for each in verdicts if each is not None]
    return sum(known) / len(known) if known else 0.0


def _gives(
    reduce: Callable[[int, int], Sequence[float]],
    right: Sequence[Verdicts],
    scores: Sequence[float],
) -> bool:
    for verdicts, score in zip(right, scores, strict=True):
        known = [each for each in verdicts if each is not None]
        if known and all(abs(one - score) > _EXACT for one in reduce(sum(known), len(known))):
            return False
    return True


def _texts(tree: Tree, path: str, result: Result) -> dict[int, tuple[str, str]]:
    """Return the reference and what was said, of each record of a result."""
    wanted = {line.number for line in result.lines}
    found: dict[int, tuple[str, str]] = {}
    for number, record in json_lines(tree, path):
        if number in wanted:
            golds = mapping(record.get("input")).get("reference")
            gold = golds[0] if isinstance(golds, list) and len(golds) == 1 else ""
            found[number] = (str(gold), prediction_in(record))
    return found


def _samples(
    tree: Tree,
    path: str,
    result: Result,
    about: AboutEvaluation,
    counted: Counted | None,
    clusters: dict[str, int],
) -> Iterator[Sample]:
    """Give the samples of a result, and collect which questions belong together."""
    lines = {line.number: line for line in result.lines}
    places = {
        line.number: (row, slot)
        for row, own in enumerate(result.by_question().values())
        for slot, line in enumerate(own)
    }
    soft = not _is_whole([line.score for line in result.lines])
    for number, record in json_lines(tree, path):
        if number not in lines:
            continue
        line, (row, slot) = lines[number], places[number]
        known = counted is None or counted.is_known
        correct: bool | None = None
        if counted is not None:
            correct = counted.right[row][slot]
        elif not (soft and about.library == _INSPECT):
            correct = line.correct if soft else line.score == 1
        answer = None if counted is None else counted.answers[row][slot]
        together = mapping(record.get("metadata")).get(CLUSTER)
        if about.library == OWN and together is not None:
            clusters[line.question] = int(together)
        yield Sample(
            line.question,
            line.sample,
            None if line.failed else correct,
            score=line.score if counted is None and soft and not line.failed else None,
            extracted=extracted_in(record) or answer,
            prediction=prediction_in(record) if known else None,
            measured=_measured(record, about, result) if known else {},
            labels=_labels(record, about) if known else {},
            segments=_segments(record, about, result),
            record=number,
            slot=0 if known else 1,
        )


def _labels(record: Record, about: AboutEvaluation) -> dict[str, str | None]:
    metadata = mapping(record.get("metadata"))
    error = record.get("error")
    if about.library != OWN:
        return {"finish_reason": metadata.get("stop_reason"), "error": error}
    words = {
        name: word
        for name, word in metadata.items()
        if name not in ("epoch", CLUSTER, TURNS) and not name.startswith((MEASURED, PART))
    }
    return words if error in (None, NO_ANSWER) else words | {"error": error}


def _segments(record: Record, about: AboutEvaluation, result: Result) -> dict[str, Any]:
    if about.library != OWN:
        return result.dividing.labels(parts_in(record))
    metadata = mapping(record.get("metadata"))
    return {
        name.removeprefix(PART): label for name, label in metadata.items() if name.startswith(PART)
    }


def _measured(record: Record, about: AboutEvaluation, result: Result) -> dict[str, float | None]:
    usage, spent = mapping(record.get("token_usage")), mapping(record.get("performance"))
    seconds = spent.get("generation_time_ms" if about.library == _INSPECT else "latency_ms")
    first = spent.get("time_to_first_token_ms")
    if about.library == _INSPECT and result.agentic:
        usage = {}
    own = {
        name.removeprefix(MEASURED): float(value)
        for name, value in mapping(record.get("metadata")).items()
        if about.library == OWN and name.startswith(MEASURED)
    }
    return {
        "tokens_in": usage.get("input_tokens"),
        "tokens_out": usage.get("output_tokens"),
        "tokens_reasoning": usage.get("reasoning_tokens"),
        "latency_s": None if seconds is None else seconds / 1000,
        "ttft_s": None if first is None else first / 1000,
        **own,
    }


def _reported(
    result: Result, scores: Sequence[float], counted: Counted | None
) -> tuple[dict[str, float], dict[str, Text]]:
    """Return what is stated, and why some of it is not the mean of the samples."""
    reported: dict[str, float] = {}
    explanations: dict[str, Text] = {}
    for number, score in enumerate(scores, start=1):
        name = result.name if number == 1 else f"{result.name} ({number})"
        reported[name] = score
        if counted is None or not counted.is_known:
            continue
        shares = [
            _share(right) for right in counted.right if any(each is not None for each in right)
        ]
        if shares and agree(score, sum(shares) / len(shares)):
            explanations[name] = WITHOUT_FAILED
        elif _is_other_reduction(score, counted.right):
            explanations[name] = OF_REDUCTION
    return reported, explanations


def _is_other_reduction(score: float, right: Sequence[Verdicts]) -> bool:
    """Return whether a stated score is the mean of questions that are reduced otherwise."""
    for name, reduce in _REDUCTIONS.items():
        known = [[each for each in verdicts if each is not None] for verdicts in right]
        values = [reduce(sum(each), len(each))[0] for each in known if each]
        if name != "mean" and values and agree(score, sum(values) / len(values)):
            return True
    return False


def _remarks(result: Result, about: AboutEvaluation, path: str) -> Iterator[Note]:
    if result.copies:
        what = Text(
            "{count} record is there twice, once for each reduction, and is read once.",
            "{count} records are there twice, once for each reduction, and are read once.",
            count=result.copies,
        )
        yield Note(what, path, result.copies)
    if about.library == _INSPECT and result.agentic:
        what = Text("Tokens are left out: the records hold those of the last call only.")
        yield Note(what, path)


def _record_texts(data: bytes) -> DecodedTexts:
    record: dict[str, Any] = parse(data, "", absent=NOT_FINITE)
    asked = mapping(record.get("input"))
    golds = asked.get("reference")
    gold = golds[0] if isinstance(golds, list) and len(golds) == 1 else golds or None
    return asked.get("formatted") or asked.get("raw") or None, gold, [prediction_in(record)]


def _as_turns(data: bytes) -> DecodedTexts:
    """Return what a record says that kofn wrote, with who speaks in its prompt."""
    record: dict[str, Any] = parse(data, "", absent=NOT_FINITE)
    prompt, gold, predictions = _record_texts(data)
    if not (spoken := mapping(record.get("metadata")).get(TURNS)):
        return prompt, gold, predictions
    turns, start = msgspec.json.decode(spoken, type=list[tuple[str, int]]), 0
    messages = []
    for role, length in turns:
        start += len(speaker(role)) if len(turns) > 1 else 0
        messages.append({"role": role, "prompt": (prompt or "")[start : start + length]})
        start += length + len(BETWEEN)
    return messages, gold, predictions
