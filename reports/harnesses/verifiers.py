"""Rollouts of verifiers: since 0.2 an episode per line, before that a rollout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.known_tool import KnownTool, Lacking, having
from reports.run.model_arguments import argument_settings
from reports.run.report import Run
from reports.run.turns import written
from reports.samples.declared import About, Fields, Records, Shown, object_beside, value
from reports.samples.heads import head, paths_with
from reports.samples.reading import file_by_file

_EPISODE = frozenset({"id", "env", "task", "traces", "ok"})
_ROLLOUT = frozenset({"example_id", "prompt", "completion", "reward", "metrics"})
_OWN = {"idx", "prompt", "answer", "skills", "network_allow", "network_block", "artifacts"}
TOOL = KnownTool(
    "verifiers",
    Text(
        "traces.jsonl with configs/resolved/eval.json in its folder; of versions before 0.2 "
        "results.jsonl with metadata.json"
    ),
    "0.1 to 0.4",
    Text("real files of 0.4.0 and 0.1.14, 6 tasks by 3 rollouts"),
    columns=_ROLLOUT,
    lacking=(
        Lacking(
            Text("holds only means of an evaluation with verifiers, not the rollouts"),
            Text("Load its whole folder, with results.jsonl."),
            having("env_id", "avg_reward"),
        ),
    ),
    newest="0.4.0",
)


def _trace(record: Any) -> Mapping[str, Any]:
    """Return the trace of the agent that is evaluated: the first one of an episode."""
    traces = record.get("traces") or [{}]
    return next((each for each in traces if value(each, "agent.trainable")), traces[0])


def _reward(record: Any) -> float | None:
    """Return the weighted sum of rewards; None where it was not scored."""
    rewards = _trace(record).get("rewards") or {}
    scored = [each for each in rewards.values() if each is not None]
    if not scored:
        return None
    return float(sum(each["score"] * each.get("weight", 1.0) for each in scored))


def _reply(record: Any) -> Shown:
    messages = [value(node, "message") for node in _trace(record).get("nodes") or ()]
    replies = [each.get("content") for each in messages if each and each.get("role") == "assistant"]
    return next((each for each in reversed(replies) if isinstance(each, str)), None)


def _prompt(record: Any) -> Shown:
    messages = [value(node, "message") for node in _trace(record).get("nodes") or ()]
    return messages[:1] or value(record, "task.data.prompt")


def _model(record: Any) -> Any:
    return value(_trace(record), "agent.config.model")


def _ended(record: Any) -> str | None:
    calls = _trace(record).get("calls") or [{}]
    ended = calls[-1].get("finish_reason")
    return ended if isinstance(ended, str) else None


def _error(record: Any) -> str | None:
    errors = _trace(record).get("errors") or record.get("errors") or ()
    return next((str(each.get("type")) for each in errors), None)


def _seconds(record: Any) -> float | None:
    span = value(_trace(record), "timing.agent") or {}
    return span["end"] - span["start"] if span.get("end") and span.get("start") else None


def _divides(record: Any) -> dict[str, Any]:
    data = value(record, "task.data") or {}
    return {name: each for name, each in data.items() if name not in _OWN}


def _last(record: Any) -> Shown:
    """Return the last thing that was said, of messages or of a text."""
    completion = record.get("completion")
    return (
        completion[-1].get("content") if isinstance(completion, list) and completion else completion
    )


def _question(record: Any) -> Any:
    number = value(record, "task.data.idx")
    return value(record, "task.key") if number is None else number


def _failed(record: Any) -> str | None:
    error = record.get("error")
    return None if error is None else str(value(error, "error") or error)


_EPISODES = Fields(
    _question,
    score=_reward,
    prediction=_reply,
    prompt=_prompt,
    reference="task.data.answer",
    model=_model,
    dataset="env.id",
    measured={
        "tokens_in": lambda record: _trace(record).get("num_input_tokens"),
        "tokens_out": lambda record: _trace(record).get("num_output_tokens"),
        "latency_s": _seconds,
    },
    labels={"finish_reason": _ended, "error": _error},
    segments=_divides,
)
_ROLLOUTS = Fields(
    "example_id",
    score="reward",
    prediction=_last,
    prompt="prompt",
    reference="answer",
    dataset="task",
    measured={
        "tokens_in": "token_usage.input_tokens",
        "tokens_out": "token_usage.output_tokens",
        "latency_s": "timing.generation.duration",
    },
    labels={"error": _failed},
    segments="info",
)


def _of_episodes(tree: Tree, path: str, model: Any, _apart: Any) -> About:
    config = object_beside(tree, path, "configs/resolved/eval.json")
    env = config.get("env") or {}
    sampling = {**(config.get("sampling") or {}), **(value(env, "agent.sampling") or {})}
    first = head(tree, path).first
    return About(
        model,
        value(env, "taskset.id"),
        {
            **argument_settings(config.get("client") or {}),
            **sampling,
            "prompt_version": digest(written(env))[:12] if env else None,
            "evaluator": ", ".join(_trace(first).get("rewards") or ()) or None,
            "range": value(config, "select.limit"),
            "tool": TOOL.name,
            "tool_version": value(_trace(first), "verifiers.version"),
        },
        samples=_planned(config),
    )


def _planned(config: Mapping[str, Any]) -> int | None:
    """Return how many rollouts there should be, where the configuration says of how many tasks."""
    limit, each = value(config, "select.limit"), config.get("num_rollouts")
    return limit * each if isinstance(limit, int) and isinstance(each, int) else None


def _of_rollouts(tree: Tree, path: str, _model: Any, _apart: Any) -> About:
    metadata = object_beside(tree, path, "metadata.json")
    asked = dict(metadata.get("sampling_args") or {})
    asked.pop("n", None)
    examples, each = metadata.get("num_examples"), metadata.get("rollouts_per_example")
    means = {"avg_reward": metadata.get("avg_reward")}
    env = metadata.get("env_args")
    return About(
        metadata.get("model"),
        metadata.get("env_id"),
        {
            **argument_settings(metadata),
            **asked,
            "prompt_version": digest(written(env))[:12] if env is not None else None,
            "tool": TOOL.name,
            "tool_version": value(metadata, "version_info.vf_version"),
        },
        {name: float(mean) for name, mean in means.items() if isinstance(mean, int | float)},
        {"avg_reward": "avg@1"},
        examples * each if isinstance(examples, int) and isinstance(each, int) else None,
    )


_OF_EPISODES = Records(_EPISODES, _of_episodes).runs
_OF_ROLLOUTS = Records(_ROLLOUTS, _of_rollouts).runs


def _files(tree: Tree) -> Iterator[str]:
    yield from paths_with(tree, _EPISODE, traces=list)
    yield from paths_with(tree, _ROLLOUT, lines=True, metrics=dict)


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    is_episodes = head(tree, path).names >= _EPISODE
    yield from (_OF_EPISODES if is_episodes else _OF_ROLLOUTS)(tree, path)


def _settings_files(tree: Tree, path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    for name in ("metadata.json", "configs/resolved/eval.json"):
        other = f"{folder}/{name}" if folder else name
        if other in tree.files:
            yield other


_READER = file_by_file(Text("rollouts of verifiers"), _files, _runs, _settings_files)
sniff, read = _READER.sniff, _READER.read
