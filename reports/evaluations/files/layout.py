"""Where the tool keeps its runs, and in each run the files of a model on a dataset.

Files beside predictions have similar names: ``<dataset>_failed.jsonl`` has the requests that
failed, ``<dataset>-<judge>-cached.jsonl`` the replies of a judge in another order. A dataset may be
called so itself: its records tell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from reports.evaluations.files.running import Running
from reports.files.errors import LoadError
from reports.files.tree import Tree
from reports.json_files.members import moment
from reports.json_files.strict import parse
from reports.run.naming import UNKNOWN

_FAILED, _CACHED = "_failed.jsonl", "-cached.jsonl"
_UUID = re.compile(r"[0-9a-f]{32}")
_MAX_RECORD = 1 << 20


def lies_aside(tree: Tree, path: str) -> bool:
    """Whether a file is written beside predictions and holds none of its own."""
    if not path.endswith((_FAILED, _CACHED)) or _has_results(tree, path):
        return False
    record = _first_record(tree, path)
    if record is None:
        return f"{path.removesuffix(_FAILED).removesuffix(_CACHED)}.jsonl" in tree.files
    if path.endswith(_FAILED):
        return "prediction" not in record
    return _UUID.fullmatch(str(record.get("gold"))) is not None


def _has_results(tree: Tree, path: str) -> bool:
    match PurePosixPath(path).with_suffix(".json").parts:
        case (*root, "predictions", model, file):
            return str(PurePosixPath(*root, "results", model, file)) in tree.files
    return False


def _first_record(tree: Tree, path: str) -> Mapping[str, Any] | None:
    """Return the first record of a file, unless it is long or broken."""
    try:
        with tree.open(path) as stream:
            record = parse(stream.readline(_MAX_RECORD), tree.name, path)
    except LoadError:
        return None
    return record if isinstance(record, dict) else None


_STAMP = re.compile(r"\d{8}_\d{6}")
_SHARD = re.compile(r"(.+)_(\d{1,6})")
_FOLDERS = ("results", "predictions")


@dataclass(frozen=True, slots=True)
class Pair:
    """The files of one model on one dataset."""

    # Their ``abbr`` in the configuration, taken from folder and file name.
    model: str
    dataset: str
    results: str | None  # ``results/<model>/<dataset>.json``.
    # ``predictions/<model>/<dataset>.jsonl``, or ``.json`` in older versions, there perhaps in
    # several shards; empty if there are none.
    predictions: tuple[str, ...]
    judged: Pair | None = None  # Of whose predictions a judge wrote these.
    # What these are of, where they are those of an evaluation that goes on.
    running: Running | None = None

    @property
    def judged_predictions(self) -> tuple[str, ...]:
        """The predictions that the results are about, which may be those that a judge judged."""
        return self.judged.predictions if self.judged else self.predictions


@dataclass(frozen=True, slots=True)
class Folder:
    """One run of the tool."""

    # The folder's name; where it has none, the time of its first configuration or the name of the
    # report. None for files without their run.
    run_id: str | None
    pairs: tuple[Pair, ...]  # By model, then dataset.
    configs: tuple[str, ...]  # The newest first.
    time: datetime | None  # Of the newest summary or configuration.
    summary: str | None = None  # The newest table of metrics, ``summary/summary_<time>.csv``.


@dataclass(slots=True)
class _Found:
    results: dict[tuple[str, str], str] = field(default_factory=dict)
    predictions: dict[tuple[str, str], str] = field(default_factory=dict)
    configs: list[str] = field(default_factory=list)
    stamps: list[str] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)


def find_folders(files: Iterable[str], name: str) -> tuple[Folder, ...]:
    """Find every run among the files of a report.

    name: Of the report, in case its root is the run.
    Returns: Sorted by where they lie; a run is any folder that holds results or predictions.

    Examples
    --------
    >>> paths = ["results/alpha/gsm8k.json", "summary/summary_20261120_080955.csv"]
    >>> (folder,) = find_folders(paths, "0123456789abcdef.zip")
    >>> folder.run_id, folder.time, folder.pairs[0].dataset
    ('0123456789abcdef', datetime.datetime(2026, 11, 20, 8, 9, 55), 'gsm8k')
    """
    found: defaultdict[tuple[str, ...], _Found] = defaultdict(_Found)
    for path in files:
        match path.split("/"):
            case (*root, "results", model, file) if file.endswith(".json"):
                found[tuple(root)].results[model, file.removesuffix(".json")] = path
            case (*root, "predictions", model, file) if may_hold_predictions(file):
                found[tuple(root)].predictions[model, file] = path
            case (*root, "configs", file) if file.endswith(".py"):
                found[tuple(root)].configs.append(path)
                found[tuple(root)].stamps += _STAMP.findall(file)[:1]
            case (*root, "summary", file) if file.startswith("summary_"):
                found[tuple(root)].stamps += _STAMP.findall(file)[:1]
                found[tuple(root)].summaries += [path] * file.endswith(".csv")
    return tuple(
        Folder(
            root[-1]
            if root
            else min(map(_stamp_and_name, here.configs), default=("",))[0]
            or PurePosixPath(name).stem,
            tuple(_pairs(here)),
            tuple(sorted(here.configs, key=_stamp_and_name, reverse=True)),
            moment(max(here.stamps, default=""), "%Y%m%d_%H%M%S"),
            max(here.summaries, key=_stamp_and_name, default=None),
        )
        for root, here in sorted(found.items())
        if here.results or here.predictions
    )


def gather(results: Iterable[str], predictions: Iterable[str]) -> tuple[Folder, ...]:
    """Put files together that lie in no folder of a run; where they do lie is their model.

    results, predictions: Relative paths of either kind.

    Examples
    --------
    >>> (folder,) = gather(["alpha/gsm8k.json"], ["alpha/gsm8k.jsonl"])
    >>> folder.pairs[0].model, folder.pairs[0].predictions
    ('alpha', ('alpha/gsm8k.jsonl',))
    """
    found: defaultdict[tuple[str, ...], _Found] = defaultdict(_Found)
    for path in map(PurePosixPath, results):
        found[path.parts[:-2]].results[_model(path), path.stem] = str(path)
    for path in map(PurePosixPath, predictions):
        found[path.parts[:-2]].predictions[_model(path), path.name] = str(path)
    return tuple(Folder(None, tuple(_pairs(here)), (), None) for _, here in sorted(found.items()))


def _model(path: PurePosixPath) -> str:
    folder = path.parent.name
    named = folder and folder not in _FOLDERS and not _STAMP.fullmatch(folder)
    return folder if named else UNKNOWN


def may_hold_predictions(file: str) -> bool:
    """Whether a file may hold predictions by its name."""
    return file.endswith((".jsonl", ".json"))


def _pairs(files: _Found) -> Iterator[Pair]:
    predictions: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for (model, file), path in files.predictions.items():
        dataset, shard = PurePosixPath(file).stem, -1
        numbered = None if (model, dataset) in files.results else _SHARD.fullmatch(dataset)
        if numbered and _is_shard(files, model, numbered[1], file):
            dataset, shard = numbered[1], int(numbered[2])
        if not (file.endswith(".json") and (model, f"{dataset}.jsonl") in files.predictions):
            predictions[model, dataset].append((shard, path))
    for model, dataset in sorted({*files.results, *predictions}):
        shards = sorted(predictions[model, dataset])
        yield Pair(
            model, dataset, files.results.get((model, dataset)), tuple(path for _, path in shards)
        )


def _is_shard(files: _Found, model: str, dataset: str, file: str) -> bool:
    """Whether a numbered file is a part of a dataset: of one with results, or cut from 0 on."""
    cut = file.endswith(".json") and (model, f"{dataset}_0.json") in files.predictions
    return (model, dataset) in files.results or cut


def join_judged(pairs: Sequence[Pair], configured: Container[str]) -> Iterator[Pair]:
    """Join pairs of a dataset and a judge with the predictions that it judged.

    configured: Datasets of the configuration, whose names are never those of a dataset and a judge.
    """
    unjudged = {(pair.model, pair.dataset): pair for pair in pairs if pair.results is None}
    used = set()
    joined = []
    for pair in pairs:
        pieces = [] if pair.dataset in configured else pair.dataset.split("-")
        names = ("-".join(pieces[:size]) for size in range(len(pieces) - 1, 0, -1))
        base = next(filter(None, (unjudged.get((pair.model, name)) for name in names)), None)
        used.add(base)
        joined.append(replace(pair, judged=base))
    return (pair for pair, whole in zip(joined, pairs, strict=True) if whole not in used)


def _stamp_and_name(config: str) -> tuple[str, ...]:
    name = PurePosixPath(config).name
    return next(iter(_STAMP.findall(name)), ""), name
