"""The runs of each model, from the reports of SWE-bench or its logs."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.notes import Note, Unfinished
from reports.files.tree import Tree, remembered
from reports.harnesses.swebench.reported import (
    STATUS,
    Reported,
    logged,
    logs_in,
    measured_in,
    reported,
    reports_in,
)
from reports.json_files.located import whole
from reports.json_files.strict import parse_file
from reports.run.naming import Named, model_of, root_of
from reports.run.remarks import cut_short
from reports.run.report import Run
from reports.samples.gathering import Sample, gather
from reports.samples.reading import Part, unexpected
from reports.samples.texts import DecodedTexts

_LAST = "\U0010ffff"
"""What no name of a file comes after."""
_DIGITS = re.compile(r"(\d+)")
_BROKEN = (LoadError, AttributeError, KeyError, TypeError)


def parts_of(tree: Tree) -> Iterator[Part]:
    """Give the reports of each model, those on the same issues together, and logs without any."""
    groups: defaultdict[tuple[str, str, frozenset[str]], list[Reported]] = defaultdict(list)
    names: dict[str, Named] = {}
    for path in reports_in(tree):
        try:
            named, found = reported(tree, path)
        except _BROKEN as error:
            yield Part(path, partial(_refused, tree, path, error))
        else:
            names.setdefault(named.model, named)
            groups[str(PurePosixPath(path).parent), named.model, found.issues].append(found)
    asked = Counter((folder, model) for folder, model, _ in groups)
    logs = _logs(tree)
    for (folder, model, _), reports in groups.items():
        runs = sorted(reports, key=lambda each: _natural(each.run))
        alone = asked[folder, model] == 1
        yield Part(
            runs[0].path,
            partial(_run, tree, names[model], runs, alone),
            (*(each.path for each in runs), *logs),
        )
        logs = ()
    yield from _of_logs(tree, names.keys())


def _of_logs(tree: Tree, known: Container[str]) -> Iterator[Part]:
    """Give the runs of models that have logs and no report."""
    first = next(logs_in(tree), None)
    if first is None:
        return
    try:
        found = list(logged(tree))
    except _BROKEN as error:
        yield Part(first, partial(_refused, tree, first, error))
        return
    files, logs = list(tree.files), _logs(tree)
    for folder, reports in found:
        name = (PurePosixPath(folder).name or root_of(tree)).replace("__", "/")
        runs = sorted(reports, key=lambda each: _natural(each.run))
        if name not in known:
            named = model_of(runs[0].path, folder=name)
            within = files[bisect(files, f"{folder}/") : bisect(files, f"{folder}/{_LAST}")]
            yield Part(runs[0].path, partial(_run, tree, named, runs, True), (*within, *logs))
            logs = ()


def _logs(tree: Tree) -> tuple[str, ...]:
    """Return what the tool keeps of its work; it is of all runs together."""
    return tuple(path for path in tree.files if "/run_evaluation/" in f"/{path}")


@remembered
def _by_end(tree: Tree) -> dict[tuple[str, ...], str]:
    """Return files by the last four pieces of their paths."""
    return {tuple(path.split("/")[-4:]): path for path in tree.files}


def _refused(tree: Tree, path: str, error: Exception) -> Iterator[Run]:
    raise error if isinstance(error, LoadError) else unexpected(tree, path)
    yield


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts run2 before run10."""
    return [
        (int(piece), "") if piece.isascii() and piece.isdigit() and len(piece) < 19 else (-1, piece)
        for piece in _DIGITS.split(name)
    ]


def _run(tree: Tree, named: Named, runs: Sequence[Reported], alone: bool) -> Iterator[Run]:
    logs = _by_end(tree)
    patches: list[str] = []
    place = runs[0].path
    gathered = gather(_samples(tree, named.model, runs, logs, patches), tree.name, place)
    total, resolved = (
        sum(int(each.content[name]) for each in runs if each.is_whole)
        for name in ("total_instances", "resolved_instances")
    )
    store = None
    if patches:
        store = gathered.texts(tree, patches, _patch, whole, asks=False)
    names = [each.run for each in runs if each.run]
    yield gathered.run(
        named.model,
        "swebench",
        source=place,
        store=store,
        reported={"resolved": resolved / total} if total else {},
        notes=[
            *(note for each in runs for note in _cut(each)),
            *_notes(runs, alone),
            *named.notes,
        ],
        settings={"tool": "SWE-bench", "n": len(runs), **({"runs": names} if names else {})},
    )


def _samples(
    tree: Tree,
    model: str,
    runs: Sequence[Reported],
    logs: Mapping[tuple[str, ...], str],
    patches: list[str],
) -> Iterator[Sample]:
    """Give the sample that each run is of each issue, and collect where their patches are."""
    for number, each in enumerate(runs):
        status = {
            issue: outcome
            for name, outcome in STATUS.items()
            for issue in each.content.get(name) or ()
        }
        reasons = each.content.get("failure_reasons") or {}
        for issue in sorted(each.issues):
            outcome = status.get(issue)
            at = (each.run, model.replace("/", "__"), issue)
            record = -1
            if patch := each.patches.get(issue) or logs.get((*at, "patch.diff")):
                record = len(patches)
                patches.append(patch)
            yield Sample(
                issue,
                number=number,
                correct=None if outcome in (None, "incomplete") else outcome == "resolved",
                prediction=tree.read(patch).decode("utf-8", "replace") if patch else None,
                measured=each.measured.get(issue)
                or _measured(tree, logs.get((*at, "report.json")), issue),
                labels={"result": outcome, "error": reasons.get(issue)},
                segments={"repository": issue.rpartition("-")[0]},
                record=record,
            )


def _measured(tree: Tree, path: str | None, issue: str) -> dict[str, float]:
    """Return what the log of an issue says beside a report."""
    if path is None:
        return {}
    try:
        return dict(measured_in(parse_file(tree, path)[issue]))
    except (LoadError, AttributeError, KeyError, TypeError):
        return {}


def _cut(report: Reported) -> Iterator[Note]:
    """Say that a report lists fewer issues than it counts."""
    counted = report.content.get("total_instances")
    return cut_short(report.path, len(report.issues), counted, Text("issues"))


def _notes(runs: Sequence[Reported], alone: bool) -> Iterator[Note]:
    if len(runs) > 1:
        what = Text(
            "{count} reports of this model are its samples: {names}.",
            count=len(runs),
            names=some_of([each.run for each in runs], 8),
        )
        yield Note(what, runs[0].path, len(runs))
    if not all(each.is_whole for each in runs):
        what = Text(
            "Only logs are here, and they leave out issues without a patch. Load MODEL.RUN.json "
            "too, which SWE-bench writes to the folder where it was started."
        )
        yield Note(what, runs[0].path, severity="warning")
    without = sum(len(each.content["error_ids"]) for each in runs if not each.is_whole)
    if without:
        what = Text(
            "{count} issue was tried and has no report.json: the test broke off or has not "
            "ended. It counts as wrong.",
            "{count} issues were tried and have no report.json: the tests broke off or have not "
            "ended. They count as wrong.",
            count=without,
        )
        yield Unfinished(what, runs[0].path, without, "warning")
    if not alone:
        what = Text(
            "Other reports of this model are about other issues, so they become runs of their own."
        )
        yield Note(what, runs[0].path)
    broken = sum(len(each.content.get("infra_failure_ids") or ()) for each in runs)
    if broken:
        what = Text(
            "{count} patch was not tested, because the test environment failed; SWE-bench "
            "counts it as wrong, and so does kofn.",
            "{count} patches were not tested, because the test environment failed; SWE-bench "
            "counts them as wrong, and so does kofn.",
            count=broken,
        )
        yield Note(what, runs[0].path, broken, "warning")


def _patch(data: bytes) -> DecodedTexts:
    return None, None, [data.decode("utf-8", "replace")]
