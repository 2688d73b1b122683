"""Runs of lm-evaluation-harness: a task, or its repetitions with different seeds combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from metrics.data.words import MetricError, Text
from reports.combining import combine
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.harnesses.lm_eval.lines import (
    ONLY,
    Filtered,
    answers_of,
    chosen_filter,
    chosen_metric,
    filters_of,
    lines_of,
)
from reports.harnesses.lm_eval.logs import SEEDS, Log, logs_of
from reports.harnesses.lm_eval.repeats import RULE, JudgedAnswers, chain_in, judged, placed
from reports.json_files.strict import NOT_FINITE, parse
from reports.run.reasons import OF_FILTER, OF_RUN, OF_VOTE
from reports.run.reconcile import agree
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.run.turns import written
from reports.samples.counted import NOWHERE
from reports.samples.gathering import Sample, gather
from reports.samples.reading import Part
from reports.samples.texts import DecodedTexts
from reports.samples.verdict_choice import DISAGREE, VerdictChooser, same_verdicts

_CALLED = {"first": "sample@1", "mean": "avg@1", "any": "pass@{n}", "all": "pass^{n}"}
"""What kofn calls the mean of each reduction."""


@dataclass(frozen=True, eq=False)
class _Chosen:
    """The lines of a run under the filter that was chosen."""

    log: Log
    filter: str
    lines: Filtered
    judged: JudgedAnswers | None  # Verdicts of repeats.
    metric: str  # Whose values the verdicts are, where repeats are not judged.

    @property
    def settings(self) -> dict[str, Any]:
        found = self.log.settings(self.lines.sent)
        if self.filter != ONLY:
            found["postprocessor"] = self.filter
        return found | {"evaluator": self.metric}

    @property
    def samples(self) -> int:
        """Samples of each question."""
        return 1 if self.judged is None else self.lines.repeats


def parts_of(tree: Tree, asking: VerdictChooser) -> Iterator[Part]:
    """Give the parts of a report: the logs of a model on a task are read together."""
    ordered = sorted(logs_of(tree), key=lambda log: (log.model, log.task, log.path))
    for _, some in groupby(ordered, key=lambda log: (log.model, log.task)):
        mine = list(some)
        results = tuple(log.results for log in mine if log.results)
        used = (*(log.path for log in mine), *results)
        yield Part(mine[0].path, partial(_runs, tree, mine, asking), used)


def _runs(tree: Tree, logs: Sequence[Log], asking: VerdictChooser) -> Iterator[Run]:
    chosen = [_chosen(tree, log, asking) for log in logs]
    runs = [_run(tree, each) for each in chosen]
    if len(runs) == 1:
        yield from runs
        return
    try:
        yield _joined(chosen, runs)
    except (MetricError, LoadError) as error:
        what = Text(
            "The {count} runs of this task are kept apart: {why}", count=len(runs), why=error.text
        )
        note = Note(what, severity="warning")
        yield from (replace(run, notes=(note, *run.notes)) for run in runs)


def _joined(chosen: Sequence[_Chosen], runs: Sequence[Run]) -> Run:
    """Join runs with other seeds as samples of one; each keeps what is stated of it."""
    seeds = [tuple(each.settings.get(name) for name in SEEDS) for each in chosen]
    if len({*seeds}) < len(seeds):
        raise MetricError(Text("They do not differ by their seeds."))
    whole = combine(runs)
    reported: dict[str, float] = {}
    counterparts: dict[str, str] = {}
    for number, (each, run) in enumerate(zip(chosen, runs, strict=True), start=1):
        for key, value in run.reported.items():
            name = f"{key} (seed {each.settings.get('seed')})"
            reported[name] = value
            if run.counterparts.get(key) == "avg@1" and each.samples == 1:
                counterparts[name] = f"sample@{number}"
    explanations = {
        f"{key} (seed {each.settings.get('seed')})": run.explanations.get(key, OF_RUN)
        for each, run in zip(chosen, runs, strict=True)
        for key in run.reported
    }
    return replace(
        whole,
        reported=reported,
        counterparts=counterparts,
        explanations=explanations,
        settings={**whole.settings, "n": _width(whole)},
    )


def _chosen(tree: Tree, log: Log, asking: VerdictChooser) -> _Chosen:
    found = filters_of(tree, log.path, log.filters)
    name = chosen_filter(tree, log.path, found, asking)
    lines = found[name]
    if lines.repeats > 1:
        marks = placed(lines) or judged(tree, log, name, lines)
        if marks is not None:
            metric = asking.choose(tree, log.path, list(lines.metrics), DISAGREE, alike=True)
            return _Chosen(log, name, lines, marks, metric)
        if chain_in(log, name) is None or lines.kept > 1:
            raise _undecided(tree, log, lines)
    metric = chosen_metric(tree, log.path, lines, asking)
    return _Chosen(log, name, lines, None, metric)


def _undecided(tree: Tree, log: Log, lines: Filtered) -> LoadError:
    problem = Text(
        "holds {count} answers to a question and one verdict for all of them, and the results "
        "do not show which answer the verdict is about",
        count=lines.repeats,
    )
    fix = Text(
        "Run the task several times with repeats: 1 and different seeds; or judge each answer "
        "in resps against target and give a table with a row for each answer: question_id, "
        "sample, correct."
    )
    if log.results is None:
        problem = Text(
            "holds {count} answers to a question and one verdict, and the results that say whose "
            "it is are not here",
            count=lines.repeats,
        )
        fix = Text("Load the whole folder, with results_*.json.")
    return tree.error(problem, fix, log.path)


def _run(tree: Tree, chosen: _Chosen) -> Run:
    path, log = chosen.log.path, chosen.log
    gathered = gather(_samples(tree, chosen), tree.name, path)
    counterparts = {key: called for key in log.means if (called := _counterpart(key, chosen))}
    explanations = {key: reason for key in log.means if (reason := _reason(key, chosen))}
    run = gathered.run(
        log.model,
        log.task,
        source=path,
        store=gathered.texts(tree, [path], _line_texts),
        notes=[*_remarks(chosen), *log.named.notes],
        cut=[*cut_short(path, len(chosen.lines.asked), log.questions, Text("questions"))],
        reported=log.means,
        explanations=explanations,
        counterparts=counterparts,
        settings=chosen.settings | {"n": gathered.outcomes.shape[1]},
        time=log.time,
        rule=RULE if chosen.judged is not None and chosen.judged.is_known else None,
    )
    return replace(run, verified=_agrees(chosen))


def _width(run: Run) -> int:
    assert run.outcomes is not None
    return run.outcomes.shape[1]


def _agrees(chosen: _Chosen) -> bool | None:
    """Return whether the lines give the means that the results state; None if they state none."""
    known = [
        agree(mean, sum(values) / len(values))
        for name, values in chosen.lines.metrics.items()
        if values and (mean := chosen.log.means.get(f"{name},{chosen.filter}")) is not None
    ]
    return all(known) if known else None


def _counterpart(key: str, chosen: _Chosen) -> str | None:
    """Return what kofn calls a mean that the results state; None if it is of other verdicts."""
    metric, _, of = key.partition(",")
    if of != chosen.filter and chosen.filter != ONLY:
        return _vote(of, chosen)
    if chosen.judged is not None:
        reduction = chosen.judged.reductions.get(metric, "mean")
        return _CALLED.get(reduction, reduction).format(n=chosen.samples)
    return "avg@1" if metric == chosen.metric else None


def _vote(other: str, chosen: _Chosen) -> str | None:
    """Return what kofn calls the vote of another filter among answers that are found alike."""
    mine, its = chain_in(chosen.log, chosen.filter), chain_in(chosen.log, other)
    if chosen.judged is None or mine is None or its is None or its.ending != "vote":
        return None
    return f"vote@{its.most or chosen.samples}" if its.finds == mine.finds else None


def _reason(key: str, chosen: _Chosen) -> Text | None:
    """Say why a stated mean is not that of the samples."""
    _, _, of = key.partition(",")
    chain = chain_in(chosen.log, of)
    if chosen.judged is not None and chain is not None and chain.ending == "vote":
        return OF_VOTE
    if of != chosen.filter and chosen.filter != ONLY:
        return OF_FILTER
    return None


def _remarks(chosen: _Chosen) -> Iterator[Note]:
    lines = chosen.lines
    if chosen.judged is None:
        held = lines.metrics
        same_metrics = [name for name in held if held[name] == held[chosen.metric]]
        yield from same_verdicts(chosen.metric, same_metrics, chosen.log.path)
    if chosen.judged is not None and not chosen.judged.is_known:
        what = Text(
            "The file states how many of {count} answers to a question pass, but not which. "
            "kofn lists the right ones first, without their texts. Numbers that depend only on "
            "these counts are correct.",
            count=lines.repeats,
        )
        yield Note(what, chosen.log.path, severity="warning")
    elif chosen.judged is not None:
        what = Text(
            "The file has one verdict for the {count} answers to a question. kofn judged each "
            "of them as the filter {filter} does, which reproduces the file's verdict on every "
            "question.",
            count=lines.repeats,
            filter=chosen.filter,
        )
        yield Note(what, chosen.log.path)
    elif lines.repeats > 1:
        chain = chain_in(chosen.log, chosen.filter)
        vote = chain is not None and chain.ending == "vote"
        what = (
            Text(
                "The filter {filter} takes a vote among {count} answers, which leaves one "
                "sample for each question. Choose another filter to have each answer as a "
                "sample.",
                filter=chosen.filter,
                count=lines.repeats,
            )
            if vote
            else Text(
                "Only the first of {count} answers to each question has a verdict; kofn could not "
                "judge the others as the filter {filter} does.",
                filter=chosen.filter,
                count=lines.repeats,
            )
        )
        yield Note(what, chosen.log.path, severity="warning")


def _samples(tree: Tree, chosen: _Chosen) -> Iterator[Sample]:
    values = chosen.lines.metrics[chosen.metric]
    log = chosen.log
    lines = lines_of(tree, log.path, chosen.filter, log.filters)
    for place, (record, line) in enumerate(lines):
        segments = chosen.lines.dividing.labels(line.get("doc"))
        predictions = answers_of(line)
        question = written(line.get("doc_id"))
        if chosen.judged is None:
            yield Sample(
                question,
                0,
                score=values[place],
                extracted=_extracted(line),
                prediction=predictions[0] if len(predictions) == 1 else None,
                segments=segments,
                record=record,
            )
            continue
        mine = chosen.judged.marks[place]
        known = chosen.judged.is_known
        for slot, (right, answer) in enumerate(zip(mine.right, mine.answers, strict=True)):
            yield Sample(
                question,
                slot,
                right,
                extracted=answer if known else None,
                prediction=predictions[slot] if known else None,
                segments=segments,
                record=record,
                slot=slot if known else NOWHERE,
            )


def _extracted(line: Any) -> Any:
    """Return what a filter left of the only answer, or of a vote."""
    match line.get("filtered_resps"):
        case [str(answer)] | [[str(answer)]]:
            return answer
    return None


def _line_texts(data: bytes) -> DecodedTexts:
    line = parse(data, "", absent=NOT_FINITE)
    match line.get("arguments"):
        case {"gen_args_0": {"arg_0": prompt}} | [[prompt, *_], *_]:
            asked = _prompt(prompt)
        case _:
            asked = None
    return asked, line.get("target"), answers_of(line)


def _prompt(prompt: Any) -> Any:
    """Return the messages that a chat was sent as JSON, or a plain prompt."""
    if isinstance(prompt, list) and len(prompt) == 1:
        (prompt,) = prompt
    if isinstance(prompt, str) and prompt.startswith("[{"):
        try:
            return parse(prompt.encode(errors="replace"), "")
        except LoadError:
            return prompt
    return prompt
