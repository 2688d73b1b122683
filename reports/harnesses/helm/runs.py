"""Turn the numbers of each instance into runs of HELM.

Where several completions of an instance are drawn, HELM scores the first, and whether any is right.
Each is then judged as the metric does, and what comes of it must be both of these numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.stored_files import Files
from reports.harnesses.helm.folder import (
    AT,
    SHOWN,
    STATE,
    STATS,
    Key,
    RunFiles,
    State,
    dataset_of,
    golds_of,
    instances_of,
    means_of,
    metrics_of,
    model_in,
    rows_of,
    states_of,
    time_of,
)
from reports.json_files.interned import digest
from reports.json_files.located import Span, entries
from reports.json_files.strict import NOT_FINITE, parse
from reports.rescoring.repeats.matches import rule_of
from reports.rescoring.rule import Prediction as Answer
from reports.run.naming import folder_of, model_of
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.run.texts import Store
from reports.run.turns import written
from reports.samples.gathering import Gathered, Sample, gather
from reports.samples.texts import DecodedTexts, RecordTexts, TextsBeside
from reports.samples.verdict_choice import DISAGREE, VerdictChooser, same_verdicts


def texts_of(folder: RunFiles, gathered: Gathered, has_requests: bool) -> Store | None:
    """Return the texts: of the requests, where they are there, else of what is shown of them."""
    files = folder.tree.keep()
    if has_requests:
        path = folder.paths[STATE]
        records = partial(_entries, member="request_states")
        return gathered.texts(folder.tree, [path], _state_texts, records)
    stores: list[Store] = []
    for name, decode in ((SHOWN, _shown_texts), ("display_requests.json", _prompt), _INSTANCES):
        if name in folder.paths:
            numbers = _numbers(folder.value(name, []), gathered)
            path = folder.paths[name]
            records = partial(_entries, member="")
            stores.append(RecordTexts(files, [path], decode, numbers, gathered.slots, records))
    if not stores:
        return None
    store = stores[0]
    for other in stores[1:]:
        store = TextsBeside(store, other)
    return store


def _numbers(listed: Sequence[Mapping[str, Any]], gathered: Gathered) -> Any:
    """Return the record of each sample in a list of instances or of what was asked of them."""
    numbers = gathered.records.copy()
    numbers[:] = -1
    rows = {question: row for row, question in enumerate(gathered.outcomes.questions)}
    for number, each in enumerate(listed):
        row = rows.get(str(each.get("instance_id", each.get("id"))))
        trial = int(each.get("train_trial_index") or 0)
        if row is not None and not each.get("perturbation") and trial < numbers.shape[1]:
            numbers[row, trial] = number
    return numbers


def _entries(files: Files, path: str, member: str) -> Iterator[Span]:
    return entries(files, path, member, True)


def _state_texts(data: bytes) -> DecodedTexts:
    state = parse(data, "", absent=NOT_FINITE)
    instance = state["instance"]
    predictions = [
        completion["text"] for completion in (state.get("result") or {}).get("completions", [])
    ]
    return state["request"].get("prompt"), _reference(instance), predictions


def _shown_texts(data: bytes) -> DecodedTexts:
    return None, None, [parse(data, "", absent=NOT_FINITE).get("predicted_text")]


def _prompt(data: bytes) -> DecodedTexts:
    return parse(data, "", absent=NOT_FINITE)["request"].get("prompt"), None, []


def _instance_texts(data: bytes) -> DecodedTexts:
    return None, _reference(parse(data, "", absent=NOT_FINITE)), []


def _reference(instance: Mapping[str, Any]) -> Any:
    right = golds_of(instance)
    return right[0] if len(right) == 1 else right or None


_INSTANCES: tuple[str, Callable[[bytes], DecodedTexts]] = ("instances.json", _instance_texts)


_SETTINGS = {
    "temperature": "temperature",
    "max_tokens": "max_tokens",
    "num_outputs": "n",
    "max_train_instances": "shots",
    "stop_sequences": "stop",
    "max_eval_instances": "range",
    "num_train_trials": "num_train_trials",
    "method": "method",
    "model_deployment": "model_deployment",
}
_OF_REQUEST = ("top_p", "presence_penalty", "frequency_penalty")
_NO_PROMPT = {*_SETTINGS, "model", "num_trials"}


def runs_of(folder: RunFiles, asking: VerdictChooser) -> Iterator[Run]:
    """Read the run of a folder."""
    if STATS not in folder.paths and SHOWN not in folder.paths:
        raise folder.tree.error(
            Text("holds the model's answers, but no verdicts"),
            Text("Load the whole folder of the run, with per_instance_stats.json."),
            folder.main,
        )
    spec = folder.value("run_spec.json", {})
    held = folder.value(STATE, {})
    adapter = spec.get("adapter_spec") or held.get("adapter_spec") or {}
    states = dict(states_of(held.get("request_states", [])))
    rows, changed = rows_of(folder)
    metrics = metrics_of(rows)
    outputs = max((len(state.completions) for state in states.values()), default=1)
    judged = {
        name: right
        for name in metrics
        if outputs > 1 and (right := _judged(name, rows, states)) is not None
    }
    verdicts: dict[str, Sequence[Any]] = {**metrics, **judged}
    metric = _chosen(folder, verdicts, asking)
    same_metrics = [name for name, each in verdicts.items() if each == verdicts[metric]]
    notes = list(_remarks(folder, adapter, metric, judged, outputs, changed))
    notes += same_verdicts(metric, same_metrics, folder.main)
    held = len({question for question, _ in rows})
    notes += cut_short(folder.main, held, instances_of(folder), Text("instances"))
    samples = _samples(rows, states, metric, judged.get(metric), outputs)
    gathered = gather(samples, folder.tree.name, folder.main)
    file = PurePosixPath(folder.main)
    name = str(spec.get("name") or folder_of(folder.tree, folder.main) or file.stem)
    model = model_of(folder.main, stated=adapter.get("model"), folder=model_in(name))
    notes += model.notes
    reported = means_of(folder, [*metrics])
    counterparts = dict.fromkeys(same_metrics, "sample@1" if metric in judged else "avg@1")
    for key in reported if metric in judged else ():
        if (at := AT.fullmatch(key)) and at[1] in same_metrics:
            counterparts[key] = f"pass@{at[2]}"
    yield gathered.run(
        model.model,
        dataset_of(name),
        source=folder.main,
        store=texts_of(folder, gathered, bool(states)),
        notes=notes,
        reported=reported,
        counterparts=counterparts,
        settings={
            **_settings(spec, adapter, metric),
            **_asked_with(states),
            "n": gathered.outcomes.shape[1],
        },
        time=time_of(states.values()),
        rule=_rule_name(metric) if metric in judged else None,
    )


def _settings(spec: Mapping[str, Any], adapter: Mapping[str, Any], metric: str) -> dict[str, Any]:
    asked = {key: value for key, value in adapter.items() if key not in _NO_PROMPT}
    scenario = spec.get("scenario_spec") or {}
    changed = (spec.get("data_augmenter_spec") or {}).get("perturbation_specs")
    return {
        **{ours: adapter[theirs] for theirs, ours in _SETTINGS.items() if theirs in adapter},
        "prompt_version": digest(written(asked))[:12] if adapter else None,
        "dataset_path": scenario.get("class_name"),
        "dataset_args": written(scenario["args"]) if scenario.get("args") else None,
        "perturbations": written(changed) if changed else None,
        "evaluator": metric,
        "tool": "HELM",
    }


def _asked_with(states: Mapping[Key, State]) -> dict[str, Any]:
    """Return what stands in the requests only."""
    requests = (state.request for state in states.values() if isinstance(state.request, Mapping))
    first = next(requests, {})
    return {name: first.get(name) for name in _OF_REQUEST}


def _chosen(folder: RunFiles, metrics: Mapping[str, Sequence[Any]], asking: VerdictChooser) -> str:
    """Return which metric is meant; of several that are alike the first."""
    if not metrics:
        raise folder.tree.error(
            Text("no metric of its instances is a number from 0 to 1"),
            Text("Load a run with a metric such as exact_match."),
            folder.main,
        )
    first, *others = metrics.values()
    all_agree = all(other == first for other in others)
    return asking.choose(folder.tree, folder.main, list(metrics), DISAGREE, alike=all_agree)


def _judged(
    metric: str, rows: Mapping[Key, Mapping[str, float]], states: Mapping[Key, State]
) -> list[list[bool]] | None:
    """Judge every completion; None if that does not give what the file holds of each instance."""
    rule = rule_of(metric)
    if rule is None or not rows.keys() <= states.keys():
        return None
    right_of_each = []
    for key, numbers in rows.items():
        state = states[key]
        answers = (Answer(str(each["text"]), state.golds) for each in state.completions)
        right = [mark is not None and rule.is_right(mark) for mark in rule.mark(answers)]
        some = numbers.get(f"{metric}@{len(right)}", float(any(right)))
        if not right or (float(right[0]), float(any(right))) != (numbers[metric], some):
            return None
        right_of_each.append(right)
    return right_of_each


def _rule_name(metric: str) -> Text | None:
    rule = rule_of(metric)
    return None if rule is None else rule.name


def _samples(
    rows: Mapping[Key, Mapping[str, float]],
    states: Mapping[Key, State],
    metric: str,
    judged: Sequence[Sequence[bool]] | None,
    outputs: int,
) -> Iterator[Sample]:
    splits = {tuple(state.split.items()) for state in states.values()}
    for place, (key, numbers) in enumerate(rows.items()):
        question, trial = key
        state = states.get(key)
        right: Sequence[bool | float] = [numbers[metric]] if judged is None else judged[place]
        for slot, verdict in enumerate(right):
            completion = state.completions[slot] if state and slot < len(state.completions) else {}
            failed = state is not None and state.result.get("success") is False
            yield Sample(
                question,
                trial * (1 if judged is None else outputs) + slot,
                None if failed or judged is None else bool(verdict),
                score=None if failed or judged is not None else float(verdict),
                extracted=str(completion["text"]).strip() if completion else None,
                prediction=completion.get("text"),
                measured=_measured(numbers, state, completion, alone=len(right) == outputs == 1),
                labels=_labels(state, completion, failed),
                segments=state.split if state and len(splits) > 1 else {},
                record=-1 if state is None else state.number,
                slot=slot,
            )


def _measured(
    numbers: Mapping[str, float],
    state: State | None,
    completion: Mapping[str, Any],
    *,
    alone: bool,
) -> dict[str, float | None]:
    """Return tokens and seconds; those of a request are a sample's where it is its only one."""
    tokens = completion.get("tokens")
    seconds = state.result.get("request_time") if state else numbers.get("inference_runtime")
    output_tokens = numbers.get("num_output_tokens") if alone else None
    return {
        "tokens_in": numbers.get("num_prompt_tokens"),
        "tokens_out": len(tokens) if tokens else output_tokens,
        "latency_s": float(seconds) if alone and seconds is not None else None,
    }


def _labels(
    state: State | None, completion: Mapping[str, Any], failed: bool
) -> dict[str, str | None]:
    ended = completion.get("finish_reason")
    return {
        "finish_reason": str(ended["reason"]) if isinstance(ended, Mapping) else None,
        "error": str(state.result.get("error")) if state and failed else None,
    }


def _remarks(
    folder: RunFiles,
    adapter: Mapping[str, Any],
    metric: str,
    judged: Mapping[str, Any],
    outputs: int,
    changed: int,
) -> Iterator[Note]:
    if changed:
        what = Text(
            "{count} row of a changed question (a perturbation) is left out.",
            "{count} rows of changed questions (perturbations) are left out.",
            count=changed,
        )
        yield Note(what, folder.main, changed)
    if metric in judged:
        what = Text(
            "Of {count} completions, the file states only whether the first is right and "
            "whether any is. kofn judged each of them by {metric}, which reproduces both "
            "numbers of every instance.",
            count=outputs,
            metric=metric,
        )
        yield Note(what, folder.main)
    elif (asked := max(outputs, int(adapter.get("num_outputs") or 1))) > 1:
        what = Text(
            "Only the first of {count} completions has a verdict; kofn could not judge the others "
            "by {metric}.",
            count=asked,
            metric=metric,
        )
        yield Note(what, folder.main, severity="warning")
    if (trials := int(adapter.get("num_train_trials") or 1)) > 1:
        what = Text(
            "The {count} trials of an instance are its samples; each has other examples in its "
            "prompt.",
            count=trials,
        )
        yield Note(what, folder.main, severity="warning")
