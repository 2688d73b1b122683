"""Generations of NeMo-Skills: the files in a folder, one per seed, are samples of one run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.known_tool import KnownTool, Lacking, having
from reports.run.naming import root_of
from reports.samples.declared import About, Fields, Records, object_beside, question_name
from reports.samples.heads import head, paths_with
from reports.samples.reading import Part, PartsReader
from reports.samples.verdict_choice import VerdictChooser

_RECORD = frozenset({"generation", "expected_answer"})
_JUDGED = re.compile(r"judgement:\s*(?P<said>\w+)", re.IGNORECASE)
_PASS = re.compile(r"pass@\d+")
_NAME = re.compile(r"output(?:-rs(?P<seed>\d+))?\.jsonl")
TOOL = KnownTool(
    "NeMo-Skills",
    Text("RUN/eval-results/BENCHMARK/output-rs0.jsonl and so on, with RUN/metrics.json"),
    "0.7",
    Text("real files of commit 8b18f39: 6 questions, two models, 3 and 2 seeds"),
    Text("--benchmarks NAME:N asks each question N times, with N seeds."),
    _RECORD | {"predicted_answer"},
    (
        Lacking(
            Text("holds generations of NeMo-Skills that were not judged yet"),
            Text("Load what ns eval writes: records with symbolic_correct or judgement."),
            having("generation", "expected_answer", "num_generated_tokens"),
        ),
    ),
    newest="8b18f39",
)


def _question(record: Any) -> str | None:
    name, asked = record.get("id"), record.get("problem")
    if name is not None:
        return str(name)
    return None if asked is None else question_name(asked, record.get("expected_answer"))


def _verdict(record: Any) -> bool | None:
    """Return the judge's verdict, or else that of the symbolic comparison."""
    judgement = record.get("judgement")
    if isinstance(judgement, str):
        found = _JUDGED.search(judgement)
        return found is not None and found["said"].lower() == "yes"
    symbolic = record.get("symbolic_correct")
    return symbolic if isinstance(symbolic, bool) else None


def _symbolic(record: Any) -> float | None:
    symbolic = record.get("symbolic_correct")
    is_beside = isinstance(record.get("judgement"), str) and isinstance(symbolic, bool)
    return float(symbolic) if is_beside else None


def _divides(record: Any) -> Mapping[str, Any]:
    return {
        name: record.get(name)
        for name in ("subset_for_metrics", "subset", "subject", "level", "type")
    }


_FIELDS = Fields(
    _question,
    correct=_verdict,
    extracted="predicted_answer",
    prediction="generation",
    prompt="problem",
    reference="expected_answer",
    measured={
        "tokens_in": "num_input_tokens",
        "tokens_out": "num_generated_tokens",
        "latency_s": "generation_time",
        "symbolic_correct": _symbolic,
        "reward": "reward_model_score",
    },
    labels={"finish_reason": "finish_reason", "error": "error"},
    segments=_divides,
)


def _about(tree: Tree, path: str, _model: Any, _apart: Any) -> About:
    file = PurePosixPath(path)
    benchmark = file.parent.name
    above = file.parent.parent
    whole = above.parent if above.name == "eval-results" else above
    run = "" if whole == above else whole.name or root_of(tree)
    stated = object_beside(tree, f"{whole}/x", "metrics.json").get(benchmark)
    judged = "judgement" in head(tree, path).names
    reported = dict(_means(stated, "judge_correct" if judged else "symbolic_correct"))
    return About(
        run or None,
        benchmark or None,
        {
            "evaluator": "judge" if judged else "symbolic",
            "tool": TOOL.name,
        },
        reported,
        {name: "avg@1" if name == "pass@1" else name for name in reported},
    )


def _means(stated: Any, verdict: str) -> Iterator[tuple[str, float]]:
    """Give pass@k of all samples, in percent; not the means of the first few of them."""
    for name, numbers in (stated if isinstance(stated, Mapping) else {}).items():
        found = numbers.get(verdict) if isinstance(numbers, Mapping) else None
        if _PASS.fullmatch(name) and isinstance(found, int | float):
            yield name, float(found) / 100


_RUNS = Records(_FIELDS, _about).runs


def _folders(tree: Tree) -> dict[str, list[str]]:
    """Return the files of each folder, in the order of their seeds."""
    found: dict[str, list[str]] = {}
    for path in paths_with(tree, _RECORD):
        first = head(tree, path)
        judged = first.first.get("symbolic_correct"), first.first.get("judgement")
        is_judged = isinstance(judged[0], bool) or isinstance(judged[1], str)
        if first.lines and is_judged and _NAME.fullmatch(PurePosixPath(path).name):
            found.setdefault(path.rpartition("/")[0], []).append(path)
    for paths in found.values():
        paths.sort(key=_seed)
    return found


def _seed(path: str) -> int:
    named = _NAME.fullmatch(PurePosixPath(path).name)
    return int(named["seed"] or -1) if named else -1


def _parts(tree: Tree, _: VerdictChooser) -> Iterator[Part]:
    for folder, (first, *others) in _folders(tree).items():
        yield Part(first, partial(_RUNS, tree, first, *others), (*others, *_metrics(tree, folder)))


def _metrics(tree: Tree, folder: str) -> Iterator[str]:
    above = PurePosixPath(folder).parent
    for place in (above, above.parent):
        if (path := (place / "metrics.json").as_posix()) in tree.files:
            yield path


_READER = PartsReader(Text("generations of NeMo-Skills"), _parts)
sniff, read = _READER.sniff, _READER.read
