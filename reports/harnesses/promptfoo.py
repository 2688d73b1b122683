"""Results of promptfoo, each a test of a prompt with a provider, as one JSON object or as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.members import moment
from reports.json_files.strict import NOT_FINITE, parse_file
from reports.known_tool import KnownTool, Lacking, having
from reports.run.model_arguments import argument_settings
from reports.run.report import Run
from reports.samples.declared import About, Fields, Records, Shown, question_name, value
from reports.samples.heads import head, paths_begun, paths_with
from reports.samples.reading import file_by_file
from reports.tables.schema.names import SEGMENTS

_RECORD = frozenset({"testCase", "provider", "promptIdx", "success", "failureReason"})
_WHOLE = frozenset({"evalId", "results"})
_ERROR = 2
"""What failureReason is where there was no answer to be judged."""
TOOL = KnownTool(
    "promptfoo",
    Text("what eval --output writes as .json or .jsonl"),
    "0.121 to 0.123",
    Text("real files of 0.123.1: 5 tests with --repeat 3, two providers, a failed request"),
    Text("--repeat N asks each test N times."),
    _RECORD,
    (
        Lacking(
            Text("holds tests for promptfoo, but no results"),
            Text("Load what promptfoo eval --output results.json writes."),
            having("prompts", "providers", "tests"),
        ),
    ),
    newest="0.123.1",
)


def _question(record: Any) -> str:
    case = record.get("testCase") or {}
    variables = case.get("vars") or {}
    label = case.get("description") or " ".join(map(str, variables.values()))
    return question_name(label, variables, case.get("assert"))


def _verdict(record: Any) -> bool | None:
    return None if record.get("failureReason") == _ERROR else bool(record.get("success"))


def _score(record: Any) -> float | None:
    return None if record.get("failureReason") == _ERROR else record.get("score")


def _error(record: Any) -> Any:
    return record.get("error") if record.get("failureReason") == _ERROR else None


def _model(record: Any) -> Any:
    return value(record, "provider.label") or value(record, "provider.id")


def _reference(record: Any) -> Shown:
    """Return what the first assertion compares with."""
    held = value(record, "testCase.assert")
    return held[0].get("value") if isinstance(held, list) and held else None


def _seconds(record: Any) -> float | None:
    taken = record.get("latencyMs")
    return taken / 1000 if isinstance(taken, int | float) else None


def _divides(record: Any) -> dict[str, Any]:
    variables, metadata = record.get("vars") or {}, record.get("metadata") or {}
    known = {name: each for name, each in variables.items() if name in SEGMENTS}
    return known | {name: each for name, each in metadata.items() if not name.startswith("_")}


_FIELDS = Fields(
    _question,
    correct=_verdict,
    score=_score,
    prediction="response.output",
    prompt="prompt.raw",
    reference=_reference,
    model=_model,
    run_key="promptId",
    measured={
        "tokens_in": "response.tokenUsage.prompt",
        "tokens_out": "response.tokenUsage.completion",
        "cost": "cost",
        "latency_s": _seconds,
    },
    labels={"error": _error, "finish_reason": "response.finishReason"},
    segments=_divides,
)


def _about_file(tree: Tree, path: str, model: Any, prompt: Any) -> About:
    held = parse_file(tree, path, absent=NOT_FINITE)
    config = held.get("config") or {}
    listed = config.get("providers")
    providers = [each for each in listed if isinstance(each, Mapping)] if listed else []
    named = next((each for each in providers if model in (each.get("label"), each.get("id"))), {})
    asked = named.get("config") or {}
    stated = [
        each
        for each in value(held, "results.prompts") or ()
        if each.get("id") == prompt and each.get("provider") == model
    ]
    kinds = {
        str(each.get("type"))
        for test in (config.get("tests") or ())
        if isinstance(test, Mapping)
        for each in test.get("assert") or ()
    }
    judge = value(config, "defaultTest.options.provider")
    return About(
        model,
        config.get("description") or "promptfoo",
        {
            "model_id": asked.get("model") if asked.get("model") != model else None,
            **argument_settings(asked),
            **{name: each for name, each in asked.items() if name != "model"},
            "prompt_version": str(prompt)[:12],
            "evaluator": ", ".join(sorted(kinds)) or None,
            "judge": judge if isinstance(judge, str) else value(judge, "id"),
            "tool": TOOL.name,
            "tool_version": value(held, "metadata.promptfooVersion"),
        },
        *_stated_pass_rate(stated),
        time=moment(value(held, "results.timestamp")),
    )


def _stated_pass_rate(prompts: list[Any]) -> tuple[dict[str, float], dict[str, str], int | None]:
    """Return the pass rate that is stated of a prompt, and of how many tests."""
    if len(prompts) != 1:
        return {}, {}, None
    counts = [value(prompts[0], f"metrics.test{name}Count") for name in ("Pass", "Fail", "Error")]
    if not all(isinstance(each, int) for each in counts) or not sum(counts):
        return {}, {}, None
    return {"pass rate": counts[0] / sum(counts)}, {"pass rate": "avg@1"}, sum(counts)


def _of_lines(_tree: Tree, _path: str, model: Any, prompt: Any) -> About:
    return About(model, "promptfoo", {"prompt_version": str(prompt)[:12], "tool": TOOL.name})


_IN_WHOLE = Records(_FIELDS, _about_file, "results.results")
_IN_LINES = Records(_FIELDS, _of_lines)


def _files(tree: Tree) -> Iterator[str]:
    yield from paths_begun(tree, _WHOLE, "results.prompts", list)
    yield from paths_with(tree, _RECORD, lines=True, testCase=dict)


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    kind = _IN_LINES if head(tree, path).lines else _IN_WHOLE
    yield from kind.runs(tree, path)


_READER = file_by_file(Text("results of promptfoo"), _files, _runs)
sniff, read = _READER.sniff, _READER.read
