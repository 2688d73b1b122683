"""Prompts and answers of the instances of a HELM run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from reports.files.stored_files import Files
from reports.harnesses.helm.folder import SHOWN, STATE, RunFiles
from reports.json_files.located import Span, entries
from reports.json_files.strict import NOT_FINITE, parse
from reports.run.texts import Store
from reports.samples.gathering import Gathered
from reports.samples.texts import RecordTexts, Said, TextsBeside


def texts_of(folder: RunFiles, found: Gathered, has_requests: bool) -> Store | None:
    """Return the texts: of the requests, where they are there, else of what is shown of them."""
    files = folder.tree.keep()
    if has_requests:
        path = folder.paths[STATE]
        records = partial(_entries, member="request_states")
        return RecordTexts(files, [path], _state_said, found.records, found.slots, records)
    stores: list[Store] = []
    for name, decode in ((SHOWN, _shown_said), ("display_requests.json", _asked), _INSTANCES):
        if name in folder.paths:
            numbers = _numbers(folder.value(name, []), found)
            path = folder.paths[name]
            records = partial(_entries, member="")
            stores.append(RecordTexts(files, [path], decode, numbers, found.slots, records))
    if not stores:
        return None
    store = stores[0]
    for other in stores[1:]:
        store = TextsBeside(store, other)
    return store


def _numbers(listed: Sequence[Mapping[str, Any]], found: Gathered) -> Any:
    """Return the record of each sample in a list of instances or of what was asked of them."""
    numbers = found.records.copy()
    numbers[:] = -1
    rows = {question: row for row, question in enumerate(found.outcomes.questions)}
    for number, each in enumerate(listed):
        row = rows.get(str(each.get("instance_id", each.get("id"))))
        trial = int(each.get("train_trial_index") or 0)
        if row is not None and not each.get("perturbation") and trial < numbers.shape[1]:
            numbers[row, trial] = number
    return numbers


def _entries(files: Files, path: str, member: str) -> Iterator[Span]:
    return entries(files, path, member, True)


def _state_said(data: bytes) -> Said:
    state = parse(data, "", absent=NOT_FINITE)
    instance = state["instance"]
    said = [completion["text"] for completion in (state.get("result") or {}).get("completions", [])]
    return state["request"].get("prompt"), _reference(instance), said


def _shown_said(data: bytes) -> Said:
    return None, None, [parse(data, "", absent=NOT_FINITE).get("predicted_text")]


def _asked(data: bytes) -> Said:
    return parse(data, "", absent=NOT_FINITE)["request"].get("prompt"), None, []


def _instance(data: bytes) -> Said:
    return None, _reference(parse(data, "", absent=NOT_FINITE)), []


def _reference(instance: Mapping[str, Any]) -> Any:
    right = [
        reference["output"]["text"]
        for reference in instance.get("references", [])
        if "correct" in reference.get("tags", [])
    ]
    return right[0] if len(right) == 1 else right or None


_INSTANCES: tuple[str, Callable[[bytes], Said]] = ("instances.json", _instance)
