"""Test runs of DeepEval: test cases with the result of every metric."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.strict import NOT_FINITE, parse_file
from reports.known_tool import KnownTool, Lacking, having
from reports.samples.declared import About, Fields, Records, question_name, value
from reports.samples.heads import paths_begun
from reports.samples.reading import file_by_file

_RUN = frozenset({"testCases", "metricsScores"})
TOOL = KnownTool(
    "DeepEval",
    Text("test_run_DATE.json"),
    "4",
    Text("real files of 4.3.1: 6 questions by 3 answers, two models"),
    Text(
        "Set DEEPEVAL_RESULTS_FOLDER to keep test_run_DATE.json, and name the model among the "
        "hyperparameters."
    ),
    _RUN,
    (
        Lacking(
            Text("is DeepEval's cache of metrics, not a test run"),
            Text("Load test_run_DATE.json of the results folder (DEEPEVAL_RESULTS_FOLDER)."),
            having("test_cases_lookup_map"),
        ),
    ),
    newest="4.3.1",
)


def _question(record: Any) -> str | None:
    asked = record.get("input")
    if asked is None:
        return None
    return question_name(asked, record.get("expectedOutput"), record.get("context"))


def _verdict(record: Any) -> bool | None:
    return None if _error(record) else record.get("success")


def _score(record: Any) -> float | None:
    """Return the score of the only metric."""
    held = record.get("metricsData") or []
    return held[0].get("score") if len(held) == 1 and not _error(record) else None


def _error(record: Any) -> Any:
    held = record.get("metricsData") or []
    return next((each["error"] for each in held if each.get("error")), None)


_FIELDS = Fields(
    _question,
    correct=_verdict,
    score=_score,
    prediction="actualOutput",
    prompt="input",
    reference="expectedOutput",
    measured={"cost": "tokenCost", "latency_s": "completionTime"},
    labels={"error": _error},
    segments="metadata",
)


def _about(tree: Tree, path: str, _model: Any, _apart: Any) -> About:
    held = parse_file(tree, path, absent=NOT_FINITE)
    asked = dict(held.get("hyperparameters") or {})
    model = asked.pop("model", None)
    first = (held.get("testCases") or [{}])[0].get("metricsData") or []
    passed, failed = held.get("testPassed"), held.get("testFailed")
    counted = isinstance(passed, int) and isinstance(failed, int) and passed + failed
    return About(
        model,
        held.get("datasetAlias") or held.get("testFile") or "deepeval",
        {
            **{name: _number(each) for name, each in asked.items()},
            "evaluator": ", ".join(str(each.get("name")) for each in first) or None,
            "evaluator.threshold": first[0].get("threshold") if len(first) == 1 else None,
            "judge": next((value(each, "evaluationModel") for each in first), None),
            "tool": TOOL.name,
        },
        {"pass rate": passed / counted} if counted else {},
        {"pass rate": "avg@1"},
        counted or None,
    )


def _number(found: Any) -> Any:
    """Return a number that is written as a text, as hyperparameters are."""
    try:
        return float(found) if isinstance(found, str) else found
    except ValueError:
        return found


def _files(tree: Tree) -> Iterator[str]:
    return paths_begun(tree, _RUN, "testCases", list)


_READER = file_by_file(
    Text("test runs of DeepEval"), _files, Records(_FIELDS, _about, "testCases").runs
)
sniff, read = _READER.sniff, _READER.read
