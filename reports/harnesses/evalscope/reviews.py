"""Reviews of generations, a line each, as samples; lines of 0.x hold all choices of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.harnesses.evalscope.layout import Benchmark
from reports.json_files.line import Record
from reports.samples.dividing import Dividing
from reports.samples.gathering import Sample
from reports.samples.reading import json_lines
from reports.samples.texts import DecodedTexts
from reports.samples.verdict_choice import VerdictChooser

_SUCCESS = (None, "success")
_ROLE = re.compile(r"(?:\A|\n\n)\*\*(System|User|Assistant|Tool)\*\*: \n")
"""What versions before 1.14 write before each message of a prompt."""
_RENAMED = {
    **dict.fromkeys(("acc", "AverageAccuracy", "WeightedAverageAccuracy"), "accuracy"),
    "em": "exact_match",
    "f1_score": "f1",
}
"""Metrics that 1.14 calls otherwise than versions before (its metrics/semantics/aliases.py)."""


@dataclass
class Reviews:
    """What is found out while the reviews of a benchmark are read."""

    asking: VerdictChooser
    # Generations of each question, where the configuration or the reviews tell.
    repeats: int | None = None
    # Generations that were asked for, of each subset, where the report tells.
    expected: Mapping[str, int] = field(default_factory=dict)
    ended: bool = False
    metric: str | None = None  # The score that decides.
    own: str | None = None  # The one that decides for the tool.
    others: tuple[str, ...] = ()  # Those beside it.
    unusable: int = 0  # Scores that a metric gave though it could not be computed.
    # Generations that were scored, of each subset, where the report tells.
    counted: Mapping[str, int] = field(default_factory=dict)
    # The fields of the dataset that divide its questions.
    dividing: Dividing = field(default_factory=Dividing)
    held: dict[str, int] = field(default_factory=dict)  # Generations that the reviews hold.

    @property
    def evaluator(self) -> str | None:
        """The score that decides, by the name that all versions share."""
        return None if self.metric is None else _RENAMED.get(self.metric, self.metric)

    @property
    def is_cut(self) -> bool:
        """Whether there are fewer generations than were scored."""
        return sum(self.held.values()) < sum(self.counted.values())

    def samples(self, tree: Tree, benchmark: Benchmark) -> Iterator[Sample]:
        """Give the generations of each subset, and those that failed, which nothing tells of."""
        first = 0
        for subset, path in benchmark.reviews.items():
            segments = {"subset": subset} if len(benchmark.reviews) > 1 else {}
            predicted = dict(_predicted(tree, benchmark.predictions.get(subset)))
            seen: set[tuple[int, int]] = set()
            labels: dict[int, dict[str, Any]] = {}
            number = -1
            for number, line in json_lines(tree, path):
                for group, at, sample in self._of_line(tree, path, number, line, predicted):
                    seen.add((group, at))
                    sample.question = named(benchmark, subset, group)
                    if group not in labels:
                        metadata = (line.get("sample_score") or {}).get("sample_metadata")
                        labels[group] = {**self.dividing.labels(metadata), **segments}
                    sample.segments = labels[group]
                    sample.record = first + number
                    yield sample
            first += number + 1
            self.held[subset] = len(seen)
            if len(seen) < self.counted.get(subset, 0):
                continue
            for group, at in self._failed(subset, seen):
                mine = labels.get(group, segments)
                yield Sample(named(benchmark, subset, group), at, segments=mine)

    def _failed(self, subset: str, seen: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Give the generations that lack: once a run has ended these are the calls that failed."""
        if not self.ended or not seen or not self.repeats:
            return
        groups = 1 + max(group for group, _ in seen)
        groups = max(groups, self.expected.get(subset, 0) // self.repeats)
        if groups * self.repeats > 2 * len(seen) + _FEW:
            return
        for group in range(groups):
            for at in range(self.repeats):
                if (group, at) not in seen:
                    yield group, at

    def _of_line(
        self, tree: Tree, path: str, number: int, line: Record, predicted: Mapping[int, Any]
    ) -> Iterator[tuple[int, int, Sample]]:
        scored, index = line.get("sample_score"), line.get("index")
        if isinstance(scored, dict) and isinstance(index, int):
            yield self._newer(line, scored, index, predicted.get(index) or {})
        elif isinstance(choices := line.get("choices"), list):
            yield from self._older(line, choices, number if index is None else int(index))
        else:
            raise tree.error(
                Text("is not a review of EvalScope: it has neither sample_score nor choices"),
                Text("Give the folder as EvalScope wrote it."),
                f"{path}, record {number + 1}",
            )

    def _newer(
        self, line: Record, scored: Mapping[str, Any], index: int, predicted: Mapping[str, Any]
    ) -> tuple[int, int, Sample]:
        score = scored["score"]
        group = int(scored["group_id"])
        at = scored.get("generation_index")
        if at is None:
            at = index % self.repeats if self.repeats else index
        values = self._values(score)
        prediction = score.get("prediction")
        sample = Sample(
            "",
            number=int(at),
            score=values.pop(self.metric, None) if self.metric else None,
            extracted=score.get("extracted_prediction"),
            prediction=prediction if isinstance(prediction, str) else None,
            measured={**_spent(line, predicted), **{f"score.{k}": v for k, v in values.items()}},
            labels={"finish_reason": _ended(predicted), "error": _error(score)},
        )
        return group, int(at), sample

    def _values(self, score: Mapping[str, Any]) -> dict[str, float]:
        """Return the scores of a generation without those of metrics that could not be computed."""
        if score.get("status") not in _SUCCESS or not isinstance(score["value"], dict):
            return {}
        values = {
            name: float(value)
            for name, value in score["value"].items()
            if isinstance(value, bool | int | float)
        }
        if self.metric is None and values:
            named = score.get("main_score_name")
            self.own = named if named in values else next(iter(values))
            self.metric = self.asking.chosen_among("correct", list(values)) or self.own
            self.others = tuple(name for name in values if name != self.metric)
        for metric in (score.get("metadata") or {}).get("metric_errors") or ():
            broken = [name for name in values if name.lower().startswith(metric.lower())]
            self.unusable += len(broken)
            for name in broken:
                del values[name]
        return values

    def _older(
        self, line: Record, choices: Sequence[Mapping[str, Any]], group: int
    ) -> Iterator[tuple[int, int, Sample]]:
        usage = line.get("usage") if len(choices) == 1 else None
        usage = usage if isinstance(usage, dict) else {}
        for at, choice in enumerate(choices):
            review, message = choice.get("review") or {}, choice.get("message") or {}
            result = review.get("result")
            if isinstance(result, dict):
                values = self._values({"value": result})
                score = values.get(self.metric or "")
            else:
                score = float(result) if isinstance(result, bool | int | float) else None
            prediction = message.get("content")
            yield (
                group,
                at,
                Sample(
                    "",
                    number=at,
                    score=score,
                    extracted=review.get("pred"),
                    prediction=prediction if isinstance(prediction, str) else None,
                    measured={
                        "tokens_in": usage.get("prompt_tokens"),
                        "tokens_out": usage.get("completion_tokens"),
                    },
                    labels={"finish_reason": choice.get("finish_reason")},
                    slot=at,
                ),
            )


_FEW = 1_000
"""Questions, or generations, of which nearly all may have failed."""


def counted(tree: Tree, benchmark: Benchmark) -> tuple[int | None, list[str], Dividing]:
    """Return how many generations each question has, the questions in order, and what divides them.

    A generation without a number of its own is the index, through all questions, modulo the first;
    index // repeats is the question, which leaves one number, or few.
    """
    most, least, highest = 1, 1, 1 << 62
    numbered = True
    questions: list[str] = []
    dividing = Dividing()
    for subset, path in benchmark.reviews.items():
        groups: set[int] = set()
        for number, line in json_lines(tree, path):
            scored, index = line.get("sample_score"), line.get("index")
            if not isinstance(scored, dict) or not isinstance(index, int):
                numbered = False
                groups.add(index if isinstance(index, int) else number)
                continue
            group, at = scored.get("group_id"), scored.get("generation_index")
            if isinstance(group, int) and group not in groups:
                groups.add(group)
                dividing.add(scored.get("sample_metadata"), line.get("target"))
            if isinstance(at, int):
                most = max(most, at + 1)
            elif isinstance(group, int) and group >= 0:
                least = max(least, index // (group + 1) + 1)
                highest = min(highest, index // group) if group else highest
        asked = range(max(groups, default=-1) + 1)
        known = asked if len(asked) <= 2 * len(groups) + _FEW else sorted(groups)
        questions += [named(benchmark, subset, group) for group in known]
    found = max(most, least)
    return (found if numbered and found <= highest else None), questions, dividing


def named(benchmark: Benchmark, subset: str, group: int) -> str:
    """Return the id of a question: its number, which starts anew in each subset."""
    return f"{subset}/{group}" if len(benchmark.reviews) > 1 else str(group)


def _predicted(tree: Tree, path: str | None) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Give what the model's answer says of each generation beside its text, by index."""
    if path is None:
        return
    for _, line in json_lines(tree, path):
        output, index = line.get("model_output"), line.get("index")
        if isinstance(output, dict) and isinstance(index, int):
            choices = output.get("choices") or [{}]
            yield (
                index,
                {
                    "usage": output.get("usage"),
                    "latency": output.get("time"),
                    "stop_reason": choices[0].get("stop_reason"),
                    "error": output.get("error"),
                },
            )


def _spent(line: Record, predicted: Mapping[str, Any]) -> dict[str, Any]:
    messages = line.get("messages") or [{}]
    measured = messages[-1].get("perf_metrics") or {}
    usage = predicted.get("usage") or {}
    return {
        "tokens_in": measured.get("input_tokens", usage.get("input_tokens")),
        "tokens_out": measured.get("output_tokens", usage.get("output_tokens")),
        "tokens_reasoning": usage.get("reasoning_tokens"),
        "latency_s": measured.get("latency", predicted.get("latency")),
        "ttft_s": measured.get("ttft"),
    }


def _ended(predicted: Mapping[str, Any]) -> str | None:
    reason = predicted.get("stop_reason")
    return reason if isinstance(reason, str) else None


def _error(score: Mapping[str, Any]) -> str | None:
    status = score.get("status")
    return None if status in _SUCCESS else str(status)


def texts_in(data: bytes) -> DecodedTexts:
    """Return what a line says: prompt, reference, predictions."""
    line = msgspec.json.decode(data)
    if "sample_score" not in line:
        choices = line["choices"]
        gold = next((each["review"].get("gold") for each in choices if "review" in each), None)
        return line.get("raw_input"), gold, [each["message"]["content"] for each in choices]
    score = line["sample_score"]["score"]
    messages, target = line.get("messages") or [], line.get("target")
    if isinstance(target, list):
        target = target[0] if len(target) == 1 else target
    prediction = score.get("prediction")
    if prediction is None and messages:
        prediction = messages[-1].get("content")
    return messages[:-1] or _messages(line.get("input")), target, [prediction]


def _messages(written: Any) -> Any:
    """Return the messages of a prompt that is written as one text."""
    if not isinstance(written, str) or not _ROLE.match(written):
        return written
    _, *parts = _ROLE.split(written)
    turns = zip(parts[::2], parts[1::2], strict=True)
    return [{"role": role.lower(), "content": text} for role, text in turns]
