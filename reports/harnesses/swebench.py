"""Reports of SWE-bench: which issues the patches of a run resolved.

One run of the tool is one sample: the reports of a model are the samples of one run here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.keeping import Files
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.json_files.located import MAX_LINE, Span
from reports.json_files.strict import parse_file
from reports.known_tool import KnownTool, Lacking, having
from reports.run.remarks import cut_short
from reports.run.report import Report, Run
from reports.samples.gathering import gathered
from reports.samples.heads import head, paths_with
from reports.samples.reading import Part, report, unexpected
from reports.samples.sample import Sample
from reports.samples.texts import RecordTexts, Said

TOOL = KnownTool(
    "SWE-bench",
    Text("MODEL.RUN.json, several of a model as samples; logs/ beside them for patches and tests"),
    "2 to 5",
    Text("seven real reports of 5.0.2, two models on 12 issues"),
    columns=frozenset({"total_instances", "submitted_instances", "resolved_instances"}),
    lacking=(
        Lacking(
            Text("holds patches that SWE-bench has not tried yet"),
            Text(
                "Load MODEL.RUN.json, which python -m swebench.harness.run_evaluation "
                "--predictions_path FILE --run_id RUN writes, with what became of each issue."
            ),
            having("instance_id", "model_patch"),
        ),
        Lacking(
            Text("names the issues that were resolved, and not those that were tried"),
            Text("Load MODEL.RUN.json of SWE-bench, or logs/ with the report.json of each issue."),
            having("resolved", "no_generation"),
        ),
    ),
)
_LOG = re.compile(r"(?:.*/)?run_evaluation/[^/]+/[^/]+/[^/]+/report\.json")
_LOGS = Text("holds the logs of patches only")
_REPORT = Text(
    "Load the report too, MODEL.RUN.json, which SWE-bench writes where it was started: it says "
    "which issues there are."
)
_DIGITS = re.compile(r"(\d+)")
_STATUS = {
    "unresolved_ids": "unresolved",
    "empty_patch_ids": "empty patch",
    "error_ids": "error",
    "incomplete_ids": "incomplete",
    "resolved_ids": "resolved",
}
"""Lists of issues, and what became of those in each."""


class _Reported(NamedTuple):
    """A report.

    Attributes
    ----------
    path, run : str
        Its file, and the name of the run that its name ends with.
    content : mapping
    issues : frozenset of str
    """

    path: str
    run: str
    content: Mapping[str, Any]
    issues: frozenset[str]


def sniff(tree: Tree) -> bool:
    """Whether a tree holds reports of the tool, or their logs alone."""
    return any(_reports(tree)) or any(map(_LOG.fullmatch, tree.files))


def read(tree: Tree) -> Report:
    """Read the reports of a tree, those of a model in one folder on the same issues as one run.

    Raises
    ------
    LoadError
        If none can be read; what fails beside others that load is a Note.
    """
    return report(tree, Text("SWE-bench reports"), _parts(tree))


def _reports(tree: Tree) -> Iterator[str]:
    for path in paths_with(tree, TOOL.columns):
        found = head(tree, path)
        if not found.listed and isinstance(found.first.get("total_instances"), int):
            yield path


def _parts(tree: Tree) -> Iterator[Part]:
    """Give the reports of each model, those on the same issues together."""
    if not any(_reports(tree)):
        log = next(path for path in tree.files if _LOG.fullmatch(path))
        yield Part(log, partial(_refused, tree, log, LoadError(tree.name, _LOGS, _REPORT, log)))
    groups: defaultdict[tuple[str, str, frozenset[str]], list[_Reported]] = defaultdict(list)
    for path in _reports(tree):
        try:
            model, found = _reported(tree, path)
        except (LoadError, AttributeError, KeyError, TypeError) as error:
            yield Part(path, partial(_refused, tree, path, error))
        else:
            groups[str(PurePosixPath(path).parent), model, found.issues].append(found)
    asked = [(folder, model) for folder, model, _ in groups]
    for (folder, model, _), reports in groups.items():
        runs = sorted(reports, key=lambda each: _natural(each.run))
        alone = asked.count((folder, model)) == 1
        paths = tuple(each.path for each in runs)
        logs = tuple(path for path in tree.files if "/run_evaluation/" in f"/{path}")
        yield Part(paths[0], partial(_run, tree, model, runs, alone), (*paths, *logs))


def _refused(tree: Tree, path: str, error: Exception) -> Iterator[Run]:
    raise error if isinstance(error, LoadError) else unexpected(tree, path)
    yield


def _reported(tree: Tree, path: str) -> tuple[str, _Reported]:
    """Return the model of a report, and what it says."""
    content = parse_file(tree, path)
    model, _, run = PurePosixPath(path).stem.rpartition(".")
    issues = frozenset(issue for name in _STATUS for issue in content.get(name) or ())
    if not all(isinstance(issue, str) for issue in issues):
        raise unexpected(tree, path)
    if twice := set(content["resolved_ids"]) & {
        issue for name in _STATUS if name != "resolved_ids" for issue in content.get(name) or ()
    }:
        raise LoadError(
            tree.name,
            Text("{issue:.80} is both resolved and not", issue=min(twice)),
            Text("Let SWE-bench write the report again."),
            path,
        )
    return (model or run).replace("__", "/"), _Reported(path, run, content, issues)


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts run2 before run10."""
    return [
        (int(piece), "") if piece.isascii() and piece.isdigit() and len(piece) < 19 else (-1, piece)
        for piece in _DIGITS.split(name)
    ]


def _run(tree: Tree, model: str, runs: Sequence[_Reported], alone: bool) -> Iterator[Run]:
    logs = {tuple(PurePosixPath(path).parts[-4:]): path for path in tree.files}
    patches: list[str] = []
    place = runs[0].path
    found = gathered(_samples(tree, model, runs, logs, patches), tree.name, place)
    total, resolved = (
        sum(int(each.content[name]) for each in runs)
        for name in ("total_instances", "resolved_instances")
    )
    store = None
    if patches:
        records, slots = found.records, found.slots
        store = RecordTexts(tree.keep(), patches, _patch, records, slots, _whole, asks=False)
    yield found.run(
        model,
        "swebench",
        source=place,
        store=store,
        reported={"resolved": resolved / total} if total else {},
        notes=[
            *(note for each in runs for note in _cut(each)),
            *_notes(runs, alone),
        ],
        settings={"tool": TOOL.name, "n": len(runs), "runs": [each.run for each in runs]},
    )


def _samples(
    tree: Tree,
    model: str,
    runs: Sequence[_Reported],
    logs: Mapping[tuple[str, ...], str],
    patches: list[str],
) -> Iterator[Sample]:
    """Give the sample that each run is of each issue, and collect where their patches are."""
    for number, each in enumerate(runs):
        status = {
            issue: said for name, said in _STATUS.items() for issue in each.content.get(name) or ()
        }
        reasons = each.content.get("failure_reasons") or {}
        for issue in sorted(each.issues):
            said = status.get(issue)
            at = (each.run, model.replace("/", "__"), issue)
            record = -1
            if patch := logs.get((*at, "patch.diff")):
                record = len(patches)
                patches.append(patch)
            yield Sample(
                issue,
                number=number,
                correct=None if said in (None, "incomplete") else said == "resolved",
                said=tree.read(patch).decode("utf-8", "replace") if patch else None,
                measured=_tests(tree, logs.get((*at, "report.json")), issue),
                labels={"result": said, "error": reasons.get(issue)},
                segments={"repository": issue.rpartition("-")[0]},
                record=record,
            )


def _tests(tree: Tree, path: str | None, issue: str) -> dict[str, float]:
    """Count the tests that a patch passed and failed."""
    if path is None:
        return {}
    try:
        kinds = parse_file(tree, path)[issue]["tests_status"].values()
        return {
            f"tests_{name}": sum(len(kind[of]) for kind in kinds)
            for name, of in (("passed", "success"), ("failed", "failure"))
        }
    except (LoadError, AttributeError, KeyError, TypeError):
        return {}


def _cut(report: _Reported) -> Iterator[Note]:
    """Say that a report lists fewer issues than it counts."""
    counted = report.content["total_instances"]
    return cut_short(report.path, len(report.issues), counted, Text("issues"))


def _notes(runs: Sequence[_Reported], alone: bool) -> Iterator[Note]:
    if len(runs) > 1:
        what = Text(
            "{count} reports of this model are its samples: {names}.",
            count=len(runs),
            names=some_of([each.run for each in runs], 8),
        )
        yield Note(what, runs[0].path, len(runs))
    if not alone:
        what = Text(
            "Other reports of this model are about other issues, so they are runs of their own."
        )
        yield Note(what, runs[0].path)
    broken = sum(len(each.content.get("infra_failure_ids") or ()) for each in runs)
    if broken:
        what = Text(
            "{count} patch was not tried, since the machinery failed; SWE-bench counts it as "
            "wrong, and so does kofn.",
            "{count} patches were not tried, since the machinery failed; SWE-bench counts them as "
            "wrong, and so does kofn.",
            count=broken,
        )
        yield Note(what, runs[0].path, broken, "warning")


def _whole(files: Files, path: str) -> Iterator[Span]:
    with files.open(path) as stream:
        yield Span(None, 0, stream.read(MAX_LINE))


def _patch(data: bytes) -> Said:
    return None, None, [data.decode("utf-8", "replace")]
