"""The files of Every Eval Ever: an evaluation's records and the numbers stated for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.json_files.members import mapping
from reports.run.model_arguments import argument_settings, sampling
from reports.run.turns import written
from reports.samples.heads import paths_with

RECORD = frozenset(
    {"schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "evaluation"}
)
"""What every record has."""
NO_ANSWER = "the request failed"
"""The error of a sample that failed, where nothing says how."""
OWN = "kofn"
"""The source of evaluations that kofn wrote itself."""

MEASURED, PART, CLUSTER = "measured.", "segment.", "cluster"
"""What names of measurements and segments begin with in the metadata that kofn writes, and what
the questions that belong together are called there."""
TURNS = "turns"
"""What who speaks in a prompt is called in the metadata that kofn writes: of each turn the role and
how many letters it says, in JSON."""
BETWEEN = "\n\n"
"""What stands between the turns of a prompt."""
STATED, CALLED, EXPLAINED = "stated.", "called.", "explained."
"""What names begin with in the details of a result that kofn writes: what the run's own file states
of it, what kofn calls that, and why it is not what the samples give."""

EVALUATION = frozenset({"schema_version", "evaluation_id", "model_info", "evaluation_results"})
"""What states the scores of an evaluation has."""
_SUFFIX = "_samples.jsonl"


@dataclass(frozen=True)
class AboutEvaluation:
    """What is stated of an evaluation; nothing where that file is not there."""

    held: Mapping[str, Any]

    @property
    def library(self) -> str:
        """The tool that made the evaluation, if a converter of its files wrote it down."""
        if mapping(self.held.get("source_metadata")).get("source_name") == OWN:
            return OWN
        return str(mapping(self.held.get("eval_library")).get("name") or "")

    @property
    def time(self) -> datetime | None:
        """When it was made, in UTC."""
        stamp = self.held.get("evaluation_timestamp")
        try:
            seconds = float(stamp) if isinstance(stamp, str | int | float) else None
            return (
                None
                if seconds is None
                else datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
            )
        except (ValueError, OverflowError, OSError):
            return None

    def results(self, name: str) -> list[Mapping[str, Any]]:
        """Return the results that records of a name belong to; without names, all of them."""
        listed = [mapping(each) for each in _list(self.held.get("evaluation_results"))]
        named = [
            each
            for each in listed
            if name in (each.get("evaluation_result_id"), each.get("evaluation_name"))
        ]
        unnamed = all(each.get("evaluation_result_id") is None for each in listed)
        return named or (listed if unnamed and len(listed) == 1 else [])

    def scores(self, name: str) -> list[float]:
        """Return what is stated of the records of a name."""
        found = [mapping(each.get("score_details")).get("score") for each in self.results(name)]
        return [float(score) for score in found if isinstance(score, int | float)]

    @property
    def records(self) -> int | None:
        """How many records there are."""
        found = mapping(self.held.get("detailed_evaluation_results")).get("total_rows")
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def details(self, name: str) -> Mapping[str, str]:
        """Return what kofn wrote of how a result was judged and what was stated of it."""
        result = next(iter(self.results(name)), {})
        return mapping(mapping(result.get("metric_config")).get("additional_details"))

    def settings(self, name: str) -> dict[str, Any]:
        """Return how it was made."""
        result = next(iter(self.results(name)), {})
        config = mapping(result.get("generation_config"))
        arguments = {
            **mapping(config.get("additional_details")),
            **mapping(config.get("generation_args")),
        }
        library = mapping(self.held.get("eval_library"))
        if self.library == OWN:
            return {str(name): _as_written(value) for name, value in arguments.items()}
        source = mapping(result.get("source_data"))
        about = mapping(self.held.get("model_info"))
        engine = mapping(about.get("inference_engine"))
        scoring = mapping(mapping(result.get("metric_config")).get("llm_scoring"))
        judges = [mapping(mapping(each).get("model_info")) for each in _list(scoring.get("judges"))]
        stated = sampling(arguments)
        stated |= {
            ours: arguments[theirs]
            for theirs, ours in (("num_fewshot", "shots"), ("prompt_version", "prompt_version"))
            if theirs in arguments
        }
        asked = arguments.get("prompt_template") or mapping(arguments.get("eval_plan")).get("steps")
        return {
            **argument_settings(arguments, mapping(about.get("additional_details"))),
            "server": engine.get("name") or about.get("inference_platform"),
            "server_version": engine.get("version"),
            "prompt_version": digest(written(asked))[:12] if asked else None,
            "judge": [each.get("id") or each.get("name") for each in judges] or None,
            **{ours: _as_written(value) for ours, value in stated.items()},
            **mapping(arguments.get("eval_limits")),
            "dataset_size": source.get("samples_number"),
            "dataset_path": source.get("hf_repo") or source.get("dataset_name"),
            "tool": _if_known(library.get("name")),
            "tool_version": _if_known(library.get("version")),
        }


def samples_of(tree: Tree) -> Iterator[tuple[str, str | None]]:
    """Find the files of records, each with what is stated of them."""
    for path in paths_with(tree, RECORD, lines=True, evaluation=dict):
        about = path.removesuffix(_SUFFIX) + ".json"
        yield path, about if about in tree.files else None


def _as_written(value: Any) -> Any:
    """Return a setting that kofn wrote: what is no text of its own was made one."""
    return {"true": True, "false": False}[value] if value in ("true", "false") else _number(value)


def speaker(role: str) -> str:
    """Return what stands before a turn, of several."""
    return f"{role}: " if role else ""


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else []


def _if_known(value: Any) -> Any:
    """Return a value, None for the word with which the schema says that it has none."""
    return None if value == "unknown" else value


def _number(value: Any) -> Any:
    """Return a number that is written as a text."""
    if isinstance(value, str):
        for kind in (int, float):
            try:
                return kind(value)
            except ValueError:
                continue
    return value
