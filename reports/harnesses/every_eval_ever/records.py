"""The records of an evaluation: one for each sample and result.

Where a sample has several results, such as those of two filters, each has a record of the sample;
where samples were reduced in two ways, each record is there twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metrics.data.words import Text
from reports.files.tree import Tree
from reports.json_files.interned import digest
from reports.json_files.line import Record
from reports.json_files.members import mapping
from reports.run.turns import written
from reports.samples.dividing import Dividing
from reports.samples.reading import json_lines, needed
from reports.samples.verdict_choice import VerdictChooser

NO_PART = {"epoch", "sample", "stop_reason", "filter", "lm_eval_metrics"}
_HASH = "_hash"


@dataclass(frozen=True, slots=True)
class RecordLine:
    """What is kept of a record."""

    number: int  # Among the records of the file.
    question: str
    sample: int | None  # Which sample of the question.
    score: float
    correct: bool
    failed: bool
    prediction_digest: str


@dataclass(eq=False)
class Result:
    """The records of one result."""

    name: str  # Its id, or the name of its evaluation.
    model: str
    dataset: str
    lines: list[RecordLine] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)  # What tells each question from others.
    dividing: Dividing = field(default_factory=Dividing)
    copies: int = 0  # Records that were there twice.
    records: int = 0  # Of the file, those of other results too.
    agentic: bool = False  # Whether some record is a whole conversation with tools.

    def by_question(self) -> dict[str, list[RecordLine]]:
        """Return the records of each question."""
        found: dict[str, list[RecordLine]] = defaultdict(list)
        for line in self.lines:
            found[line.question].append(line)
        return found

    @property
    def is_reduced(self) -> bool:
        """Whether each question has one score for samples that say different things.

        Then the score is that of the question, written on every record of it.
        """
        questions = self.by_question().values()
        several = [lines for lines in questions if len(lines) > 1]
        same_scores = all(len({line.score for line in lines}) == 1 for lines in several)
        return same_scores and any(
            len({line.prediction_digest for line in lines}) > 1 for lines in several
        )


def results_in(tree: Tree, path: str) -> list[Result]:
    """Read the records of a file, by result."""
    found: dict[str, Result] = {}
    seen: Counter[str] = Counter()
    number = -1
    for number, record in json_lines(tree, path):
        place = f"{path}, record {number + 1}"
        evaluation = mapping(record.get("evaluation"))
        name = _name(record)
        result = found.setdefault(name, Result(name, *_model_and_dataset(record)))
        question = needed(record, "sample_id", str, tree.name, place)
        prediction_digest = digest(prediction_in(record))
        score = evaluation["score"]
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise TypeError
        line = RecordLine(
            number,
            question,
            _sample(record),
            float(score),
            evaluation["is_correct"] is True,
            record.get("error") is not None,
            prediction_digest,
        )
        key = digest(
            written([name, question, line.sample, score, prediction_digest, record.get("error")])
        )
        seen[key] += 1
        if line.sample is not None and seen[key] > 1:
            result.copies += 1
            continue
        result.lines.append(line)
        result.agentic |= record.get("interaction_type") == "agentic"
        asked = question + digest(written(record.get("sample_hash")))
        if asked not in result.asked:
            result.asked.add(asked)
            result.dividing.add(parts_in(record))
    for result in found.values():
        result.records = number + 1
    return _with_failed(list(found.values()))


def _with_failed(results: Sequence[Result]) -> list[Result]:
    """Return the results, each with the failed samples of its evaluation that name no result."""
    failed = [each for each in results if all(line.failed for line in each.lines)]
    others = [each for each in results if each not in failed]
    for result in others:
        for each in failed:
            if each.name == result.dataset and each.asked & result.asked:
                result.lines += each.lines
    kept = [each for each in failed if not any(each.name == one.dataset for one in others)]
    return [*others, *kept]


def chosen(
    tree: Tree, path: str, results: Sequence[Result], asking: VerdictChooser
) -> Iterator[Result]:
    """Give the results that are runs: of those that share samples only the one that is meant."""
    left = list(results)
    while left:
        first = left.pop(0)
        same = [first, *(other for other in left if other.asked & first.asked)]
        left = [other for other in left if other not in same]
        names = [result.name for result in same]
        problem = Text("every sample has {count} verdicts, one from each result", count=len(same))
        wanted = asking.choose(tree, path, names, problem)
        yield next(result for result in same if result.name == wanted)


def prediction_in(record: Record) -> str:
    """Return what the model said: the text, or the last message of its own."""
    output = mapping(record.get("output"))
    raw = output.get("raw")
    if isinstance(raw, list):
        return written(raw[0] if len(raw) == 1 else raw)
    messages = record.get("messages")
    for message in reversed(messages if isinstance(messages, list) else []):
        if mapping(message).get("role") == "assistant":
            return written(message.get("content") or "")
    return ""


def extracted_in(record: Record) -> str | None:
    """Return the answer that was found last."""
    listed = record.get("answer_attribution")
    for found in reversed(listed if isinstance(listed, list) else []):
        value = mapping(found).get("extracted_value")
        if isinstance(value, str):
            return value
    return None


def parts_in(record: Record) -> dict[str, Any]:
    """Return the fields of the metadata that may divide the questions."""
    return {
        name: value
        for name, value in mapping(record.get("metadata")).items()
        if name not in NO_PART and not str(name).endswith(_HASH)
    }


def _name(record: Record) -> str:
    name = record.get("evaluation_result_id") or record.get("evaluation_name")
    if not isinstance(name, str):
        raise TypeError
    return name


def _model_and_dataset(record: Record) -> tuple[str, str]:
    """Return model and dataset; lm-evaluation-harness adds its filter to the name of the latter."""
    dataset = str(record.get("evaluation_name"))
    metadata: Mapping[str, Any] = mapping(record.get("metadata"))
    return str(record.get("model_id")), dataset.removesuffix(f"/{metadata.get('filter')}")


def _sample(record: Record) -> int | None:
    epoch = mapping(record.get("metadata")).get("epoch")
    return int(epoch) if isinstance(epoch, str) and epoch.isdecimal() else None
