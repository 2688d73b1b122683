"""Read evaluations into runs, however they are packed.

Settings are those that the samples were drawn with, and the newest for their verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from metrics.data.words import Text, some_of
from reports.evaluations.anomalies import with_anomalies
from reports.evaluations.files.config import Config, read_config
from reports.evaluations.files.layout import (
    Folder,
    Pair,
    find_folders,
    gather,
    join_judged,
    lies_aside,
    may_hold_predictions,
)
from reports.evaluations.files.running import is_running, with_running
from reports.evaluations.files.summary import Summary, read_summary
from reports.evaluations.files.tool import Tool, tool_of
from reports.evaluations.notes import findings, shortfalls
from reports.evaluations.pair import read_pair
from reports.evaluations.performance.joining import Speeds, speed_run
from reports.evaluations.performance.layout import find_performances
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree, remembered
from reports.json_files.strict import parse
from reports.run.fingerprint import plain_settings
from reports.run.naming import UNKNOWN
from reports.run.report import Report, Run, Suite


@dataclass(frozen=True, slots=True)
class Sources:
    """What says how the runs of a folder were made."""

    newest: Config = field(default_factory=Config)
    configs: Sequence[Config] = ()  # All of them, the newest first.
    tool: str | None = None  # None where nothing but the way of the files tells.
    # The version of each dataset's prompt, which the summary has.
    versions: Mapping[str, str] = field(default_factory=dict)

    def add_to(self, run: Run, pair: Pair, place: str) -> Run:
        """Return a run with its settings, and a note if they were changed while it was made."""
        dataset = (pair.judged or pair).dataset
        asked = self.newest.asked(pair.model, dataset)
        drawn, changed = self._sampling_settings(pair.model, dataset)
        notes = (_changed(changed, place),) if changed else ()
        stated = {"prompt_version": self.versions.get(pair.dataset), "tool": self.tool}
        settings = plain_settings({**drawn, **asked.dataset.judging, **stated})
        return replace(run, settings=settings, notes=(*run.notes, *notes))

    def _sampling_settings(self, model: str, dataset: str) -> tuple[dict[str, Any], list[str]]:
        """Return what holds of all samples, and the names of what was changed in between."""
        sampling = [each for each in self.configs if not each.only_evaluates] or self.configs
        sampling_of_model = [
            each.asked(model, dataset).drawn for each in sampling if model in each.models
        ]
        every = {name: None for each in sampling_of_model for name in each}
        changed = [
            name for name in every if len({repr(each.get(name)) for each in sampling_of_model}) > 1
        ]
        return {name: sampling_of_model[0][name] for name in every if name not in changed}, changed


def _changed(names: Sequence[str], place: str) -> Note:
    what = Text(
        "{names} changed between the parts of this run; it is unknown which sample was drawn "
        "with which setting.",
        "{names} changed between the parts of this run; it is unknown which sample was drawn "
        "with which setting.",
        count=len(names),
        names=some_of(plain_settings(dict.fromkeys(names, 0)), 5),
    )
    return Note(what, place, severity="warning")


MOST_CONFIGS = 10
"""Of a run: each time that it is taken up again adds one."""

_UNSEEN = Text("It cannot be read, so kofn does not know which settings were changed since.")
_HEAD = 4096
_LINE = 1 << 16
_RESULTS = re.compile(
    rb'"(?:details|eval_results|extracted_predictions)"\s*:|runs average\)"|"avg@\d|G-Pass@'
    rb'|^\s*\{\s*"(?:accuracy|score|error|ANLS Acc|Accuracy@0\.5)"\s*:'
)
_VERDICTS = {"correct", "score", "question_id"}
"""Columns of tables; predictions have none."""
_PREDICTIONS = re.compile(rb'"data_abbr"\s*:|"origin_prompt"\s*:')


def sniff(tree: Tree) -> bool:
    """Return whether a tree holds runs of either tool, or single files of one."""
    if any(is_running(path) and _starts_like(tree, path, _PREDICTIONS) for path in tree.files):
        return True
    return any(
        folder.configs
        or any(
            _starts_like(tree, path, pattern)
            for pair in folder.pairs
            for path, pattern in (
                (pair.results, _RESULTS),
                *((path, _PREDICTIONS) for path in pair.predictions),
            )
        )
        for folder in folders(tree)
    )


def read(tree: Tree, reader: Text) -> Report:
    """Read every run of every report in a tree.

    Raises LoadError if nothing in it can be read; what fails beside others that load is a Note.
    """
    runs: list[Run] = []
    suites: list[Suite] = []
    notes: list[Note] = []
    errors: list[LoadError] = []
    tree, running = with_running(tree)
    speeds = Speeds(tree)
    for folder, tool in zip(folders(tree), tools(tree), strict=True):
        earlier = len(runs)
        if folder.run_id is None:
            models = {pair.model for pair in folder.pairs} - {UNKNOWN}
            notes += shortfalls.folder_notes(sorted(models))
        configs = [*_configs(tree, folder, notes)]
        config = next(iter(configs), Config())
        summary = _summary(tree, folder, notes)
        named = None if folder.run_id is None else tool.name
        made = Sources(config, configs, named, summary.versions)
        pairs = tuple(join_judged(folder.pairs, config.datasets))
        for pair in _ranked(pairs, config):
            pair = replace(pair, running=next(map(running.get, pair.predictions), None))
            try:
                measure = speeds.of(pair.model, (pair.judged or pair).dataset, config)
                measure = partial(with_anomalies, tree, pair, measure)
                run = read_pair(tree, pair, folder, config, tool, measure)
                runs.append(made.add_to(run, pair, "".join(folder.configs[:1])))
            except LoadError as error:
                errors.append(error.kept())
                notes.append(findings.note_of_error(error, pair.results or pair.predictions[0]))
        found = {(pair.model, (pair.judged or pair).dataset) for pair in pairs}
        asked = {(m, d) for m, d in found if m in config.models and d in config.datasets}
        count = len(config.models) * len(config.datasets) - len(asked)
        absent = (
            f"{model}/{dataset}"
            for model in config.models
            for dataset in config.datasets
            if (model, dataset) not in asked
        )
        notes += shortfalls.absent_notes(absent, count, folder.configs)
        suites += summary.suites(config, runs[earlier:])
    for measured in speeds.unjudged():
        try:
            runs.append(speed_run(tree, measured))
        except LoadError as error:
            errors.append(error.kept())
            notes.append(findings.note_of_error(error, measured.path))
    if not runs:
        raise errors[0]
    return Report(tree.name, reader, tuple(runs), tuple(notes), tree.digest, tuple(suites))


@remembered
def folders(tree: Tree) -> tuple[Folder, ...]:
    """Return the runs of a tree; without any, its files as if each were of an unknown run."""
    tree, _running = with_running(tree)
    measured = {each.details for each in find_performances(tree)}
    paths = [path for path in tree.files if path not in measured and not lies_aside(tree, path)]
    if found := find_folders(paths, tree.name):
        return found
    results = [
        path for path in paths if path.endswith(".json") and _starts_like(tree, path, _RESULTS)
    ]
    predictions = [
        path
        for path in paths
        if path not in results
        and may_hold_predictions(path)
        and _starts_like(tree, path, _PREDICTIONS)
        and not _has_verdicts(tree, path)
    ]
    return gather(results, predictions)


@remembered
def tools(tree: Tree) -> tuple[Tool, ...]:
    """Return which tool wrote each run of a tree."""
    return tuple(tool_of(tree, folder) for folder in folders(tree))


def _has_verdicts(tree: Tree, path: str) -> bool:
    """Whether the first line is a row of a table, with verdicts."""
    with tree.open(path) as stream:
        line = stream.readline(_LINE)
    try:
        row = parse(line, tree.name)
    except LoadError:
        return False
    return isinstance(row, dict) and not _VERDICTS.isdisjoint(row)


def _starts_like(tree: Tree, path: str | None, pattern: re.Pattern[bytes]) -> bool:
    if path is None:
        return False
    try:
        with tree.open(path) as stream:
            return pattern.search(stream.read(_HEAD)) is not None
    except LoadError:
        return False


def _configs(tree: Tree, folder: Folder, notes: list[Note]) -> Iterator[Config]:
    """Yield the configurations that can be read, the newest first; note the others."""
    found = False
    for path in folder.configs[:MOST_CONFIGS]:
        try:
            config = read_config(tree, path)
        except LoadError as error:
            notes.append(Note(_UNSEEN if found else error.text, path, severity="warning"))
        else:
            found = True
            yield config


def _summary(tree: Tree, folder: Folder, notes: list[Note]) -> Summary:
    """Return what the newest summary states; note why it cannot be read."""
    if folder.summary:
        try:
            return read_summary(tree, folder.summary)
        except LoadError as error:
            notes.append(Note(error.text, folder.summary, severity="warning"))
    return Summary()


def _ranked(pairs: Iterable[Pair], config: Config) -> list[Pair]:
    """Return pairs in the order of the configuration."""
    models, datasets = (
        {name: place for place, name in enumerate(names)}
        for names in (config.models, config.datasets)
    )

    def rank(pair: Pair) -> tuple[int, int, str, str]:
        model = models.get(pair.model, len(models))
        return model, datasets.get(pair.dataset, len(datasets)), pair.model, pair.dataset

    return sorted(pairs, key=rank)
