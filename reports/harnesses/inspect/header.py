"""The header of a log: model, task, settings, and the numbers that it states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from metrics.data.words import Text
from reports.files.notes import Note
from reports.json_files.interned import digest
from reports.json_files.members import mapping, member, number
from reports.run.model_arguments import WEIGHTS_ARE_PLAIN, argument_settings, sampling
from reports.run.naming import model_of
from reports.run.remarks import cut_short, ended_early
from reports.run.turns import written

START = "_journal/start.json"
"""The member of an .eval log that was written first."""
_LOADS_WEIGHTS = ("hf/", "vllm/", "sglang/")
"""How models begin whose weights are loaded for the evaluation, unless a server is named."""
_JUDGE = "grader"
"""The role of a model that scores."""
LIMITS = {
    **{each: each for each in ("message_limit", "token_limit", "time_limit", "working_limit")},
    "limit": "range",
    "sample_id": "sample_id",
}
"""Of what is asked and how long it may take, and what kofn calls it."""


@dataclass(frozen=True)
class Header:
    """The beginning of a log, or its header."""

    # With ``eval``, ``plan``, and where the log was finished ``status``, ``results``.
    data: Mapping[str, Any]

    @property
    def eval(self) -> Mapping[str, Any]:
        """What was evaluated."""
        return mapping(self.data.get("eval"))

    @property
    def model(self) -> str:
        """The model."""
        return model_of("", stated=self.eval.get("model")).model

    @property
    def task(self) -> str:
        """The task."""
        return str(self.eval.get("task") or "unknown")

    @property
    def questions(self) -> list[str]:
        """The ids of the questions in their order."""
        found = mapping(self.eval.get("dataset")).get("sample_ids")
        return [str(each) for each in found] if isinstance(found, list) else []

    @property
    def eval_id(self) -> str:
        """What tells the evaluation from every other; "" where it has none."""
        return str(self.eval.get("eval_id") or "")

    @property
    def time(self) -> datetime | None:
        """When it began, in UTC."""
        try:
            begun = datetime.fromisoformat(str(self.eval.get("created")))
        except ValueError:
            return None
        return begun.astimezone(UTC).replace(tzinfo=None) if begun.tzinfo else begun

    def settings(self, scorer: str) -> dict[str, Any]:
        """Return how the run was made, and by what its outcomes were scored."""
        about, config = self.eval, mapping(self.eval.get("config"))
        dataset = mapping(about.get("dataset"))
        steps = mapping(self.data.get("plan")).get("steps") or ()
        solvers = [str(mapping(step).get("solver")) for step in steps]
        version = mapping(about.get("packages")).get("inspect_ai")
        return {
            **_weights(self.model, about.get("model_args"), about.get("model_base_url")),
            **dict(_roles(mapping(about.get("model_roles")))),
            **sampling(mapping(about.get("model_generate_config"))),
            "n": config.get("epochs"),
            "dataset_name": dataset.get("name"),
            "dataset_size": dataset.get("samples"),
            "dataset_path": dataset.get("location"),
            "prompt_version": _version(steps),
            "task_version": about.get("task_version"),
            **{f"task.{name}": each for name, each in mapping(about.get("task_args")).items()},
            **{called: config.get(name) for name, called in LIMITS.items()},
            "solver": solvers[0] if len(solvers) == 1 else solvers or about.get("solver"),
            "evaluator": scorer,
            **self._options(scorer),
            "tool": "Inspect",
            "tool_version": version,
        }

    @property
    def samples(self) -> int | None:
        """How many samples the log counted at its end."""
        found = mapping(self.data.get("results")).get("total_samples")
        return found if isinstance(found, int) else None

    def _options(self, scorer: str) -> dict[str, Any]:
        for each in self.eval.get("scorers") or ():
            if mapping(each).get("name") == scorer.partition(".")[0]:
                options = mapping(mapping(each).get("options"))
                return {f"evaluator.{name}": value for name, value in options.items()}
        return {}

    def stated(self, scorer: str) -> dict[tuple[str, str], float]:
        """Return the numbers stated of a scorer, by reducer and metric."""
        name, _, key = scorer.partition(".")
        found = mapping(self.data.get("results")).get("scores")
        return {
            (str(each.get("reducer") or "mean"), str(metric)): value
            for each in map(mapping, found or ())
            if each.get("scorer") == name and each.get("name") == (key or name)
            for metric, reported in mapping(each.get("metrics")).items()
            if metric in ("accuracy", "mean")
            and (value := number(member(reported, "value"))) is not None
        }

    def notes(self, place: str, held: int) -> Iterator[Note]:
        """Say if nothing names the model, or the log is not whole, or was declared invalid."""
        yield from model_of(place, stated=self.eval.get("model")).notes
        status = self.data.get("status", "started")
        epochs = mapping(self.eval.get("config")).get("epochs")
        planned = len(self.questions) * epochs if isinstance(epochs, int) else 0
        if status != "success":
            known = planned if held <= planned else None
            yield ended_early(place, f"{status:.40}", held, known or None)
        yield from cut_short(place, held, self.samples, Text("samples"))
        if self.data.get("invalidated") is True:
            what = Text("The log is marked as invalid.")
            yield Note(what, place, severity="warning")


def _weights(model: str, arguments: Any, server: Any) -> dict[str, Any]:
    """Return which model it was, beyond its name."""
    plain = WEIGHTS_ARE_PLAIN if model.startswith(_LOADS_WEIGHTS) and not server else {}
    return {**plain, **argument_settings(mapping(arguments), {"base_url": server})}


def _roles(roles: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the models that took part beside the one evaluated, and how they were made."""
    for role, given in roles.items():
        models = [mapping(each) for each in (given if isinstance(given, list) else [given])]
        called = "judge" if role == _JUDGE else f"role.{role}"
        names = [str(each.get("model")) for each in models]
        yield called, names[0] if len(names) == 1 else names
        for model in models[:1]:
            asked, arguments = mapping(model.get("config")), mapping(model.get("args"))
            for name, value in {**sampling(asked), **argument_settings(arguments, model)}.items():
                yield f"{called}.{name}", value


def _version(steps: Any) -> str | None:
    """Return a digest of what the solvers were told that make the prompt of an input.

    Of older logs all parameters, of newer those that were passed: what is left at its default is
    in neither.
    """
    versions = [
        (mapping(step).get("solver"), mapping(step).get("params_passed", step.get("params")))
        for step in steps
        if isinstance(step, Mapping)
    ]
    return digest(written(versions))[:12] if versions else None
