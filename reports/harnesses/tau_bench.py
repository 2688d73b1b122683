"""Results of tau-bench and tau2-bench: agent conversations, each one trial of a task.

A trial that broke off because the machinery failed has no reward: it is a failed request, whatever
reward the tool writes in its place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import msgspec
import numpy as np

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.stored_files import Files
from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.json_files.located import Span, entries, whole
from reports.json_files.members import moment
from reports.json_files.strict import MAX_WHOLE, parse_file
from reports.known_tool import KnownTool, Lacking, having
from reports.run.naming import model_of
from reports.run.remarks import cut_short
from reports.run.report import Report, Run
from reports.run.texts import Store
from reports.run.turns import written
from reports.samples.gathering import Gathered, Sample, gather
from reports.samples.heads import head, looked_at, names_of, paths_with
from reports.samples.reading import Part, report
from reports.samples.texts import DecodedTexts, RecordTexts, TextsBeside

TOOL = KnownTool(
    "tau-bench",
    Text(
        "tau2-bench's results.json, with simulations/ if they lie apart, or these alone; "
        "tau-bench's lists"
    ),
    "tau-bench 0.1, tau2-bench 1.0",
    Text(
        "three real results of tau2-bench 1.0.1, both layouts; tau-bench on a file made from "
        "the tool's source code"
    ),
    columns=frozenset({"task_id", "trial", "reward"}),
    lacking=(
        Lacking(
            Text(
                "is a submission to the leaderboard of tau2-bench and holds only pass^k of "
                "whole domains"
            ),
            Text("Load results.json, which tau2 run writes, with the reward of each trial."),
            having("submitting_organization", "results"),
        ),
    ),
    newest="1.0.1",
)
_IN_A_FOLDER = Text(
    "tau2 convert-results --to dir writes a file for each conversation: load these."
)
_SUCCESS = 1e-6
"""How far from 1 a reward may be; both tools allow that."""
_CONVERSATION = frozenset({"task_id", "termination_reason", "reward_info"})
_SORTED = frozenset({"agent_cost", "duration", "end_time", "messages"})
"""What comes first of a conversation whose keys are sorted: its messages may be long."""
_OF_A_RUN = ({"num_trials", "user_info"}, {"agent_info", "environment_info"})
"""What comes first of how a run was made, as the tool writes it and sorted."""
_INFRASTRUCTURE = "infrastructure_error"
_OLDER = frozenset({"task_id", "reward", "info", "traj", "trial"})
_NAMED = re.compile(
    r"(?P<agent>tool-calling|act|react|few-shot)-(?P<model>.+)-(?P<temperature>\d+(?:\.\d+)?)"
    r"_range_(?P<range>-?\d+--?\d+)_user-(?P<user>.+)-(?P<strategy>\w+)_\d{10}"
)
_POLICY = re.compile(r"# (Airline|Retail) agent policy\b", re.IGNORECASE)
_DATASETS = {"airline": "tau_airline", "retail": "tau_retail"}


def sniff(tree: Tree) -> bool:
    """Whether a tree holds results of either tool."""
    return any(_newer(tree)) or any(_older(tree)) or any(_lone_conversations(tree))


def read(tree: Tree) -> Report:
    """Read every results file of a tree."""
    parts = [
        *(Part(path, partial(_runs, tree, path), _trials(tree, path)) for path in _newer(tree)),
        *(Part(path, partial(_older_runs, tree, path)) for path in _older(tree)),
        *(
            Part(paths[0], partial(_runs_without_results, tree, paths), paths)
            for paths in _lone_conversations(tree)
        ),
    ]
    older = any(_older(tree)) and not any(_newer(tree))
    return report(tree, Text("tau-bench results") if older else Text("tau2-bench results"), parts)


def _newer(tree: Tree) -> Iterator[str]:
    for path in paths_with(tree, {"info"}):
        content = head(tree, path).begun
        info = content.get("info") if isinstance(content, dict) else None
        if isinstance(info, dict) and any(names <= info.keys() for names in _OF_A_RUN):
            yield path


def _older(tree: Tree) -> Iterator[str]:
    for path in paths_with(tree, {"task_id", "reward", "info"}):
        found = head(tree, path)
        if found.listed and found.names <= _OLDER and isinstance(found.first.get("info"), dict):
            yield path


def _trials(tree: Tree, path: str) -> tuple[str, ...]:
    """Return the files of simulations that lie apart from their results."""
    folder = path.rpartition("/")[0]
    return tuple(tree.folders.get(f"{folder}/simulations" if folder else "simulations", ()))


def _lone_conversations(tree: Tree) -> Iterator[tuple[str, ...]]:
    """Give the conversations of each folder that have no results beside them."""
    of_newer = {path for results in _newer(tree) for path in _trials(tree, results)}
    folders: defaultdict[PurePosixPath, list[str]] = defaultdict(list)
    for path in looked_at(tree):
        names = names_of(tree, path)
        is_one = names >= _CONVERSATION or names >= _SORTED
        if (
            is_one
            and path not in of_newer
            and path.endswith(".json")
            and not head(tree, path).listed
        ):
            folders[PurePosixPath(path).parent].append(path)
    yield from map(tuple, folders.values())


Records = Callable[[Files, str], Iterator[Span]]


class _Trial(NamedTuple):
    """A conversation, and the number of the record that holds it, -1 if none does."""

    content: Mapping[str, Any]
    record: int


def _runs(tree: Tree, path: str) -> Iterator[Run]:
    if tree.files[path] > MAX_WHOLE:
        problem = Text("is longer than {limit} MiB", limit=MAX_WHOLE >> 20)
        raise tree.error(problem, _IN_A_FOLDER, path)
    content = parse_file(tree, path)
    info = content["info"]
    tasks = content.get("tasks") or []
    order = [str(task["id"]) for task in tasks]
    text_files = _trials(tree, path)
    notes = []
    if "simulations" in content:
        paths, records = [path], _SIMULATIONS
        trials = [_Trial(each, i) for i, each in enumerate(content["simulations"])]
    else:
        paths, records = list(text_files), whole
        trials, lost = _of_index(tree, content["simulation_index"], paths)
        notes += [_gone(lost, path)] if lost else []
    gathered = gather(_samples(trials), tree.name, path, questions=order)
    planned = info.get("num_trials")
    if isinstance(planned, int) and order:
        notes += cut_short(path, len(trials), len(order) * planned, Text("conversations"))
    if unscored := sum(map(_is_unscored, trials)):
        notes.append(_cut_off_note(unscored, path))
    store: Store = gathered.texts(tree, paths, _trajectory, records)
    if tasks:
        store = TextsBeside(_task_texts(tree, path, order, gathered), store)
    yield gathered.run(
        str(info["agent_info"]["llm"]),
        f"tau2_{info['environment_info']['domain_name']}",
        source=path,
        store=store,
        notes=notes,
        time=moment(content.get("timestamp")),
        settings=_settings(info),
    )


def _runs_without_results(tree: Tree, paths: Sequence[str]) -> Iterator[Run]:
    trials = [_Trial(parse_file(tree, path), number) for number, path in enumerate(paths)]
    gathered = gather(_samples(trials), tree.name, paths[0])
    what = Text(
        "The results.json of these conversations is missing. Load it with them: it states "
        "model, domain, tasks and settings."
    )
    yield gathered.run(
        (named := model_of(paths[0])).model,
        "tau2",
        source=paths[0],
        store=gathered.texts(tree, paths, _trajectory, whole),
        notes=[Note(what, paths[0], severity="warning"), *named.notes],
        settings={"tool": "tau2-bench", "n": gathered.outcomes.shape[1]},
    )


def _of_index(
    tree: Tree, index: Sequence[Mapping[str, Any]], paths: Sequence[str]
) -> tuple[list[_Trial], int]:
    """Return the trials of an index, and of how many the file is gone."""
    numbers = {PurePosixPath(path).stem: number for number, path in enumerate(paths)}
    trials = []
    for each in index:
        number = numbers.get(str(each["id"]), -1)
        trials.append(_Trial(each if number < 0 else parse_file(tree, paths[number]), number))
    return trials, sum(trial.record < 0 for trial in trials)


def _gone(count: int, path: str) -> Note:
    what = Text(
        "{count} conversation is in the index only: its text, tokens and times are not known.",
        "{count} conversations are in the index only: their texts, tokens and times are not known.",
        count=count,
    )
    return Note(what, path, count, "warning")


def _is_unscored(trial: _Trial) -> bool:
    """Whether a conversation has a reward though nothing of it was looked at."""
    rewarded = trial.content.get("reward_info")
    if rewarded is None or trial.content.get("termination_reason") == _INFRASTRUCTURE:
        return False
    return rewarded.get("reward_basis") is None


def _cut_off_note(count: int, path: str) -> Note:
    what = Text(
        "{count} conversation was cut off after too many steps, too many errors or too long a "
        "time: the tool scores it 0 without checking what was done.",
        "{count} conversations were cut off after too many steps, too many errors or too long a "
        "time: the tool scores them 0 without checking what was done.",
        count=count,
    )
    return Note(what, path, count)


def _samples(trials: Iterable[_Trial]) -> Iterator[Sample]:
    for content, record in trials:
        reward = _reward(content)
        ended, info = content.get("termination_reason"), content.get("info") or {}
        messages = content.get("messages") or []
        yield Sample(
            str(content["task_id"]),
            number=int(content["trial"]),
            correct=None if reward is None else abs(reward - 1) <= _SUCCESS,
            score=reward,
            prediction=transcript(messages) if messages else None,
            measured={
                **_tokens(messages),
                "latency_s": None if reward is None else content.get("duration"),
                "cost": content.get("agent_cost"),
                "user_cost": content.get("user_cost"),
                **_parts(content),
            },
            labels={"finish_reason": ended, "error": info.get("error")},
            record=record if messages else -1,
        )


def _reward(content: Mapping[str, Any]) -> float | None:
    """Return the reward of a trial, None where the machinery failed, even if the file has one."""
    if content.get("termination_reason") == _INFRASTRUCTURE:
        return None
    rewarded = content.get("reward_info")
    reward = content.get("reward") if rewarded is None else rewarded["reward"]
    return None if reward is None else float(reward)


def _parts(content: Mapping[str, Any]) -> dict[str, float]:
    """Return the rewards whose product the reward is, such as that of the database."""
    parts = (content.get("reward_info") or {}).get("reward_breakdown") or {}
    return {f"reward.{name}": float(value) for name, value in parts.items()}


def _tokens(messages: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """Sum the tokens of the agent; those that were given to it as history have none."""
    used = [each["usage"] for each in messages if each["role"] == "assistant" and each.get("usage")]
    if not used:
        return {}
    return {
        "tokens_in": sum(each["prompt_tokens"] for each in used),
        "tokens_out": sum(each["completion_tokens"] for each in used),
    }


def transcript(messages: Iterable[Mapping[str, Any]]) -> str:
    """Write a conversation, a paragraph for each message.

    Examples
    --------
    >>> call = {"name": "add", "arguments": {"a": 1}}
    >>> print(transcript([{"role": "user", "content": "Add 1."},
    ...                   {"role": "assistant", "content": None, "tool_calls": [call]}]))
    user: Add 1.
    <BLANKLINE>
    assistant: add({"a": 1})
    """
    return "\n\n".join(
        f"{each.get('role')}: {' '.join(_pieces(each))}" for each in messages if any(_pieces(each))
    )


def _pieces(message: Mapping[str, Any]) -> Iterator[str]:
    if (content := message.get("content")) is not None:
        yield written(content)
    for call in message.get("tool_calls") or ():
        named = call.get("function") or call
        yield f"{named.get('name')}({written(named.get('arguments'))})"


def _settings(info: Mapping[str, Any]) -> dict[str, Any]:
    agent, user = info["agent_info"], info.get("user_info") or {}
    version, policy = info.get("git_commit"), info["environment_info"].get("policy")
    return {
        **(agent.get("llm_args") or {}),
        "seed": info.get("seed"),
        "n": info.get("num_trials"),
        "agent": agent.get("implementation"),
        "user": user.get("implementation"),
        "user_model": user.get("llm"),
        **{f"user.{name}": value for name, value in (user.get("llm_args") or {}).items()},
        "max_steps": info.get("max_steps"),
        "max_errors": info.get("max_errors"),
        "prompt_version": None if policy is None else digest(str(policy))[:12],
        "tool": "tau2-bench",
        "tool_version": None if version == "unknown" else version,
    }


def _task_texts(tree: Tree, path: str, order: Sequence[str], gathered: Gathered) -> Store:
    """Return where the tasks are: what the user was to do, and what was to be done."""
    places = {task: number for number, task in enumerate(order)}
    rows = [places.get(question, -1) for question in gathered.outcomes.questions]
    numbers = np.full_like(gathered.records, -1)
    numbers[:, 0] = rows
    slots = np.zeros_like(numbers)
    return RecordTexts(tree.keep(), [path], _task, numbers, slots, _TASKS)


def _trajectory(data: bytes) -> DecodedTexts:
    return None, None, [transcript(msgspec.json.decode(data)["messages"])]


def _task(data: bytes) -> DecodedTexts:
    task = msgspec.json.decode(data)
    return task.get("user_scenario"), task.get("evaluation_criteria"), []


_TASKS: Records = partial(entries, member="tasks", whole=True)
_SIMULATIONS: Records = partial(entries, member="simulations", whole=True)


def _older_runs(tree: Tree, path: str) -> Iterator[Run]:
    content = parse_file(tree, path)
    named = _NAMED.fullmatch(PurePosixPath(path).stem)
    settings: dict[str, Any] = {"tool": "tau-bench"}
    model = model_of(path, stated=named and named["model"], file=PurePosixPath(path).stem)
    if named:
        settings |= {
            "temperature": float(named["temperature"]),
            "agent": named["agent"],
            "user": named["strategy"],
            "user_model": named["user"],
            "range": named["range"],
        }
    gathered = gather(_older_samples(content), tree.name, path)
    yield gathered.run(
        model.model,
        _domain(content),
        source=path,
        store=gathered.texts(
            tree, [path], _older_trajectory, partial(entries, member="", whole=True)
        ),
        notes=model.notes,
        settings=settings | {"n": gathered.outcomes.shape[1]},
    )


def _older_samples(content: Iterable[Mapping[str, Any]]) -> Iterator[Sample]:
    for record, each in enumerate(content):
        info = each["info"] or {}
        failed = "error" in info and not each["traj"]
        reward = None if failed else float(each["reward"])
        yield Sample(
            str(each["task_id"]),
            number=int(each["trial"]),
            correct=None if reward is None else abs(reward - 1) <= _SUCCESS,
            score=reward,
            prediction=transcript(each["traj"]) if each["traj"] else None,
            measured={"user_cost": info.get("user_cost")},
            labels={"error": info.get("error")},
            record=record if each["traj"] else -1,
        )


def _domain(content: Iterable[Mapping[str, Any]]) -> str:
    """Return what the agent's policy is for: the tool writes the domain nowhere else."""
    for each in content:
        for message in each["traj"][:1]:
            if policy := _POLICY.match(str(message.get("content"))):
                return _DATASETS[policy[1].lower()]
    return "tau"


def _older_trajectory(data: bytes) -> DecodedTexts:
    found = msgspec.json.decode(data)
    task = (found["info"] or {}).get("task") or {}
    return task.get("instruction"), task.get("actions"), [transcript(found["traj"])]
