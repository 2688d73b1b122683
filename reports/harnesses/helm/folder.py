"""The folder of a HELM run: its files, and what each says about the instances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from reports.files.tree import Tree
from reports.json_files.strict import NOT_FINITE, parse_file
from reports.samples.heads import MOST, head, names_of

STATS, SHOWN, STATE = "per_instance_stats.json", "display_predictions.json", "scenario_state.json"
_KNOWN = {
    *(STATS, SHOWN, STATE, "stats.json", "run_spec.json", "scenario.json", "instances.json"),
    "display_requests.json",
}
AT = re.compile(r"(.+)@(\d+)")
"""A metric of all completions of an instance together."""

_OF_HOW = {
    *("model", "model_deployment", "num_outputs", "num_train_trials", "num_trials", "temperature"),
    *("data_augmentation", "max_train_instances", "max_eval_instances"),
}
"""Arguments in a run's name that say how it was run, not on what."""
_NO_VERDICT = re.compile(
    r"(?:num_|finish_reason_|inference_|training_|predicted_index|batch_size|max_prob|logprob"
    r"|prompt_truncated|perplexity|bits_per_byte).*|.*@\d+"
)
Key = tuple[str, int]
"""Of an instance, and of the trial with its examples."""


@dataclass(frozen=True, eq=False)
class State:
    """What was said in one request."""

    number: int  # Among the requests of the file.
    golds: list[str]
    completions: list[Mapping[str, Any]]
    result: Mapping[str, Any]
    request: Mapping[str, Any]
    split: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class RunFiles:
    """The files of one run, by their names."""

    tree: Tree
    paths: Mapping[str, str]

    def value(self, name: str, otherwise: Any) -> Any:
        """Return what a file holds; something else where there is none."""
        if name not in self.paths:
            return otherwise
        return parse_file(self.tree, self.paths[name], absent=NOT_FINITE)

    @property
    def known(self) -> tuple[str, ...]:
        """Those that the tool writes."""
        return tuple(path for name, path in self.paths.items() if name in _KNOWN)

    @property
    def main(self) -> str:
        """The file that messages name."""
        return next(self.paths[name] for name in (STATS, SHOWN, STATE) if name in self.paths)


def folders(tree: Tree) -> Iterator[RunFiles]:
    """Find the runs: folders that hold one of the three files that tell what was found."""
    found: dict[str, dict[str, str]] = {}
    known: set[str] = set()
    for path in list(tree.files)[:MOST]:
        if path.endswith(".json"):
            parent, _, name = path.rpartition("/")
            kind = _kind(tree, path)
            found.setdefault(parent, {})[kind or name] = path
            if kind:
                known.add(parent)
    for parent in found:
        if parent in known:
            yield RunFiles(tree, found[parent])


def _kind(tree: Tree, path: str) -> str | None:
    """Return which of the three files it is, by what it holds."""
    names = names_of(tree, path)
    if not ({"instance_id", "stats"} <= names or "request_states" in names):
        return None
    begun = head(tree, path)
    if begun.listed and {"instance_id", "stats"} <= begun.names:
        match begun.first.get("stats"):
            case [{"name": {"name": str()}}, *_]:
                return STATS
            case {} if "predicted_text" in begun.names:
                return SHOWN
    adapter = begun.first.get("adapter_spec")
    if "request_states" in begun.names and isinstance(adapter, Mapping):
        return STATE
    return None


def states_of(listed: Iterable[Any]) -> Iterator[tuple[Key, State]]:
    """Give the requests that asked an instance as it is, and no option of it apart."""
    for number, state in enumerate(listed):
        instance = state["instance"]
        if instance.get("perturbation") or state.get("reference_index") is not None:
            continue
        golds = golds_of(instance)
        mapping = state.get("output_mapping")
        if isinstance(mapping, Mapping):
            golds = [letter for letter, text in mapping.items() if text in golds]
        result = state.get("result") or {}
        split = {name: str(instance[name]) for name in ("split", "sub_split") if instance.get(name)}
        key = (str(instance["id"]), int(state.get("train_trial_index") or 0))
        request = state.get("request") or {}
        yield key, State(number, golds, result.get("completions") or [], result, request, split)


def golds_of(instance: Mapping[str, Any]) -> list[str]:
    """Return the references of an instance that are right."""
    return [
        reference["output"]["text"]
        for reference in instance.get("references", [])
        if "correct" in reference.get("tags", [])
    ]


def rows_of(folder: RunFiles) -> tuple[dict[Key, dict[str, float]], int]:
    """Return the numbers of each instance as it is, and how many were left out as changed."""
    found: dict[Key, dict[str, float]] = {}
    changed = 0
    for row in folder.value(STATS if STATS in folder.paths else SHOWN, []):
        if row.get("perturbation"):
            changed += 1
            continue
        key = (str(row["instance_id"]), int(row.get("train_trial_index") or 0))
        numbers = row["stats"]
        if not isinstance(numbers, Mapping):
            numbers = {
                stat["name"]["name"]: stat["mean"]
                for stat in numbers
                if stat.get("mean") is not None and not stat["name"].get("perturbation")
            }
        numbers_by_name = {str(name): float(value) for name, value in numbers.items()}
        found.setdefault(key, {}).update(numbers_by_name)
    return found, changed


def metrics_of(rows: Mapping[Key, Mapping[str, float]]) -> dict[str, list[float]]:
    """Return what may be the verdict: numbers from 0 to 1 that every instance has."""
    held = list(rows.values())
    names = [name for name in (held[0] if held else {}) if not _NO_VERDICT.fullmatch(name)]
    return {
        name: [row[name] for row in held]
        for name in names
        if all(0 <= row.get(name, -1) <= 1 for row in held)
    }


def means_of(folder: RunFiles, metrics: Sequence[str]) -> dict[str, float]:
    """Return the means of the whole run, of questions as they are."""
    found: dict[str, float] = {}
    for stat in folder.value("stats.json", []):
        name = stat["name"]["name"]
        at = AT.fullmatch(name)
        if stat["name"].get("perturbation") or stat.get("mean") is None:
            continue
        if name in metrics or (at and at[1] in metrics):
            found[name] = float(stat["mean"])
    return found


def instances_of(folder: RunFiles) -> int | None:
    """Return how many questions as they are the tool counted, of all splits."""
    counts = [
        int(stat["mean"])
        for stat in folder.value("stats.json", [])
        if stat["name"]["name"] == "num_instances" and not stat["name"].get("perturbation")
    ]
    return sum(counts) if counts else None


def dataset_of(name: str) -> str:
    """Return what a run was on, of its name.

    Examples
    --------
    >>> dataset_of("mmlu:subject=anatomy,method=joint,model=org_name,num_outputs=4")
    'mmlu:subject=anatomy,method=joint'
    """
    scenario, _, arguments = name.partition(":")
    parts = [each for each in arguments.split(",") if each.partition("=")[0] not in _OF_HOW]
    return f"{scenario}:{','.join(parts)}" if any(parts) else scenario


def model_in(name: str) -> str:
    """Return the model that the name of a run tells; "" if it tells none.

    Examples
    --------
    >>> model_in("mmlu:subject=anatomy,model=org_name")
    'org_name'
    """
    arguments = dict(each.split("=", 1) for each in re.split("[:,]", name) if "=" in each)
    return arguments.get("model", "")


def time_of(states: Iterable[State]) -> datetime | None:
    """Return when the first request was made, in UTC."""
    times = [state.result.get("request_datetime") for state in states]
    known = [time for time in times if isinstance(time, int | float)]
    try:
        return datetime.fromtimestamp(min(known), UTC).replace(tzinfo=None) if known else None
    except (OverflowError, OSError, ValueError):
        return None
