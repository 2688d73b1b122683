"""Write runs as evaluations of Every Eval Ever: their stated numbers, and a record per sample."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any, Final

import numpy as np

from metrics import estimate
from metrics.data.outcomes import ABSENT, FAILED
from metrics.data.words import Text
from reports.files.atomic_writing import replacing
from reports.files.notes import Note
from reports.harnesses.every_eval_ever.files import (
    BETWEEN,
    CALLED,
    CLUSTER,
    EXPLAINED,
    MEASURED,
    NO_ANSWER,
    OWN,
    PART,
    STATED,
    TURNS,
    speaker,
)
from reports.json_files.members import number
from reports.run.report import Run
from reports.run.texts import QuestionTexts

SCHEMA = "0.3.0"
RESULT: Final = "avg@n"
"""The result that the records belong to: the share of right samples, question by question."""
NOBODY = "unspecified"

_LEVEL = 0.95
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_TOKENS = ("tokens_in", "tokens_out")
_ARGUMENTS = ("temperature", "top_p", "top_k", "max_tokens")


@dataclass(frozen=True)
class _Place:
    """Where an evaluation is written, by its run."""

    folder: PurePosixPath  # Within the store.
    # A UUID that follows from the run, so that the same run has the same files; of runs that are
    # alike each has its own.
    name: str

    @classmethod
    def of(cls, run: Run, alike: int = 0) -> _Place:
        assert run.outcomes is not None
        developer, _, model = run.model.strip("/").rpartition("/")
        developer, _, above = developer.partition("/")
        parts = (run.dataset, developer or NOBODY, f"{above}/{model}".strip("/"))
        settings = json.dumps(dict(run.settings), sort_keys=True)
        again = (str(alike),) if alike else ()
        identity = "\0".join((run.outcomes.digest, run.model, run.dataset, settings, *again))
        own = uuid.UUID(bytes=hashlib.sha256(_utf8(identity)).digest()[:16], version=4)
        return cls(PurePosixPath("data", *map(_safe, parts)), str(own))


def write(runs: Sequence[Run], folder: str | os.PathLike[str]) -> tuple[Note, ...]:
    """Write runs as a store of evaluations: ``data/DATASET/DEVELOPER/MODEL/UUID.json`` and records.

    runs: Those without outcomes, or with categories of them, are left out.
    folder: Made if it is not there. The same run gives the same files.
    Returns: What could not be written.
    Raises OSError if a file cannot be written. Raises LoadError if the texts of a run cannot be
    read.
    """
    notes: list[Note] = []
    taken: set[_Place] = set()
    for run in runs:
        name = f"{run.model} / {run.dataset}"
        if run.outcomes is None or run.outcomes.correct.max() > 1:
            what = Text("Is left out: records hold verdicts of right and wrong.")
            notes.append(Note(what, name, severity="warning"))
            continue
        place = next(one for alike in count() if (one := _Place.of(run, alike)) not in taken)
        taken.add(place)
        target = Path(folder, *place.folder.parts)
        target.mkdir(parents=True, exist_ok=True)
        stamp = f"{time.time():.6f}"
        evaluation = f"{run.dataset}/{run.model}/{stamp}"
        records = place.folder / f"{place.name}_samples.jsonl"
        checksum, rows = hashlib.sha256(), 0
        with replacing(target / records.name) as part, part.open("wb") as file:
            for record in _records(run, evaluation):
                line = _utf8(json.dumps(record, ensure_ascii=False)) + b"\n"
                checksum.update(line)
                rows += 1
                file.write(line)
        stated = _run_fields(run, evaluation, stamp) | {
            "detailed_evaluation_results": {
                "format": "jsonl",
                "file_path": str(records),
                "hash_algorithm": "sha256",
                "checksum": checksum.hexdigest(),
                "total_rows": rows,
            }
        }
        with replacing(target / f"{place.name}.json") as part:
            part.write_bytes(_utf8(json.dumps(stated, ensure_ascii=False, indent=2)) + b"\n")
        notes += (Note(what, name) for what in _lost(run))
    return tuple(notes)


def _lost(run: Run) -> Iterator[Text]:
    assert run.outcomes is not None
    if run.question_columns:
        yield Text(
            "Numbers that belong to a question rather than a sample are left out of the records."
        )
    if "/" not in run.model:
        yield Text(
            "The model's name does not say who developed it, so the records say {developer}. A "
            "public store expects DEVELOPER/MODEL.",
            developer=NOBODY,
        )


def _run_fields(run: Run, evaluation: str, stamp: str) -> dict[str, Any]:
    """Return what is stated of a run: how it was made, and the mean of its samples."""
    assert run.outcomes is not None
    estimated = estimate(run.outcomes, RESULT, confidence_level=_LEVEL)
    settings = run.settings
    sent = [name for name in _ARGUMENTS if number(settings.get(name)) is not None]
    uncertainty: dict[str, Any] = {"num_samples": len(run.outcomes.questions)}
    if estimated.interval is not None:
        low, high = estimated.interval
        uncertainty["confidence_interval"] = {
            "lower": low,
            "upper": high,
            "confidence_level": _LEVEL,
            "method": "kofn, questions like these",
        }
    time_of = {"evaluation_timestamp": str(_epoch(run))} if run.time else {}
    return {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation,
        **time_of,
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_name": OWN,
            "source_type": "evaluation_run",
            "source_organization_name": NOBODY,
            "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": str(settings.get("tool", "unknown")),
            "version": str(settings.get("tool_version", "unknown")),
        },
        "model_info": {
            "name": run.model,
            "id": run.model,
            "developer": run.model.partition("/")[0] if "/" in run.model else NOBODY,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
            },
        },
        "evaluation_results": [
            {
                "evaluation_result_id": RESULT,
                "evaluation_name": run.dataset,
                "source_data": {"dataset_name": run.dataset, "source_type": "other"},
                "metric_config": {
                    "evaluation_description": (
                        "share of right samples, question by question; failed samples are wrong"
                    ),
                    "metric_id": "accuracy",
                    "metric_name": RESULT,
                    "metric_kind": "accuracy",
                    "metric_unit": "proportion",
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": 1.0,
                    "additional_details": dict(_details(run)),
                },
                "score_details": {
                    "score": estimated.value,
                    "uncertainty": uncertainty,
                },
                "generation_config": {
                    "generation_args": {name: settings[name] for name in sent},
                    "additional_details": {
                        name: _text(value) for name, value in settings.items() if name not in sent
                    },
                },
            }
        ],
    }


def _details(run: Run) -> Iterator[tuple[str, str]]:
    """Give what the schema has no place of its own for: the rule of the run and what is stated."""
    if run.threshold is not None:
        yield "threshold", repr(run.threshold)
        yield "strict", _text(run.strict)
    for metric, value in run.reported.items():
        yield STATED + metric, repr(value)
        if metric in run.counterparts:
            yield CALLED + metric, run.counterparts[metric]
        if metric in run.explanations:
            yield EXPLAINED + metric, str(run.explanations[metric])


def _records(run: Run, evaluation: str) -> Iterator[dict[str, Any]]:
    outcomes = run.outcomes
    assert outcomes is not None
    words = {name: found.words() for name, found in run.labels.items()}
    verdicts, scores = outcomes.correct, outcomes.scores
    for row, question in enumerate(outcomes.questions):
        kept = None if run.store is None else run.store.read(row)
        asked = _input_of(kept)
        spoken = _spoken(kept)
        parts = {PART + name: str(labels[row]) for name, labels in outcomes.segments.items()}
        if outcomes.clusters is not None:
            parts[CLUSTER] = str(outcomes.clusters[row])
        for sample in np.flatnonzero(verdicts[row] != ABSENT).tolist():
            failed = verdicts[row, sample] == FAILED
            prediction = kept.predictions[sample] if kept else None
            own_labels = {name: str(held[row, sample]) for name, held in words.items()}
            error = (own_labels.pop("error", "") or NO_ANSWER) if failed else None
            right = bool(verdicts[row, sample] == 1)
            score = float(right) if failed or scores is None else float(scores[row, sample])
            measured = {
                name: float(values[row, sample])
                for name, values in run.columns.items()
                if values.dtype.kind in "biuf" and not np.isnan(float(values[row, sample]))
            }
            yield {
                "schema_version": SCHEMA,
                "evaluation_id": evaluation,
                "model_id": run.model,
                "evaluation_name": run.dataset,
                "evaluation_result_id": RESULT,
                "sample_id": question,
                "sample_hash": _hash(asked),
                "interaction_type": "single_turn",
                "input": {**asked, "formatted": None, "choices": None},
                "output": {"raw": [prediction or ""], "reasoning_trace": None},
                "messages": None,
                "answer_attribution": [*_answer(run, row, sample)],
                "evaluation": {
                    "score": score,
                    "is_correct": right,
                    "num_turns": None,
                    "tool_calls_count": None,
                },
                "token_usage": _usage(measured),
                "performance": _spent(measured),
                "error": error,
                "metadata": {
                    "epoch": str(sample + 1),
                    **spoken,
                    **parts,
                    **{name: word for name, word in own_labels.items() if word},
                    **{MEASURED + name: repr(value) for name, value in measured.items()},
                },
            }


def _input_of(kept: QuestionTexts | None) -> dict[str, Any]:
    """Return the prompt and the references; turns of a chat each with who speaks."""
    turns = kept.prompt if kept else ()
    texts = (turn.text if len(turns) == 1 else speaker(turn.role) + turn.text for turn in turns)
    reference = kept.reference if kept else None
    return {"raw": BETWEEN.join(texts), "reference": [] if reference is None else [reference]}


def _spoken(kept: QuestionTexts | None) -> dict[str, str]:
    """Return who speaks in a prompt, where it says so or has several turns."""
    turns = kept.prompt if kept else ()
    if len(turns) < 2 and not any(turn.role for turn in turns):
        return {}
    return {TURNS: json.dumps([(turn.role, len(turn.text)) for turn in turns])}


def _hash(asked: Mapping[str, Any]) -> str:
    """Return what every converter makes of prompt and references."""
    plain = {"raw": asked["raw"], "reference": asked["reference"]}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(_utf8(text)).hexdigest()


def _answer(run: Run, row: int, sample: int) -> Iterator[dict[str, Any]]:
    if run.answers is None or run.answer_labels is None or run.answers[row, sample] < 0:
        return
    yield {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": str(run.answer_labels[run.answers[row, sample]]),
        "extraction_method": run.evaluator or "unknown",
        "is_terminal": True,
    }


def _usage(measured: dict[str, float]) -> dict[str, int] | None:
    """Take out the tokens, which the schema wants whole or not at all."""
    if not all(name in measured and measured[name] >= 0 for name in _TOKENS):
        return None
    given, made = (int(measured.pop(name)) for name in _TOKENS)
    return {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}


def _spent(measured: dict[str, float]) -> dict[str, float] | None:
    if measured.get("latency_s", -1) < 0:
        return None
    return {"latency_ms": 1000 * measured.pop("latency_s")}


def _epoch(run: Run) -> float:
    assert run.time is not None
    return run.time.replace(tzinfo=run.time.tzinfo or UTC).timestamp()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _safe(name: str) -> str:
    """Return a name that may be a folder of its own."""
    return _UNSAFE.sub("_", name).strip(". ") or "_"


def _utf8(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
