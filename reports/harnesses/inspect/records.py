"""A sample as Inspect writes it: an entry of a .json log, or a member of an .eval log.

Its scores are counted as Inspect does; which scorer decides is up to the user.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from metrics.data.words import Text
from reports.files.errors import LoadError
from reports.json_files.line import REFUSED
from reports.json_files.strict import NOT_FINITE, parse, require_room
from reports.samples.texts import DecodedTexts

LONGEST = 64
"""Letters of a label beyond which it names no segment."""


def spent(usage: Mapping[str, Usage], model: str) -> dict[str, float | None]:
    """Return the tokens that the model itself took, and the cost of all models.

    Examples
    --------
    >>> usage = {"7B": Usage(10, 20, total_cost=0.25), "judge": Usage(5, 1, total_cost=0.5)}
    >>> found = spent(usage, "7B")
    >>> found["tokens_in"], found["tokens_out"], found["cost"]
    (10, 20, 0.75)
    """
    mine = [usage[model]] if model in usage else [*usage.values()]
    costs = [each.total_cost for each in usage.values() if each.total_cost is not None]
    return {
        "tokens_in": sum(map(_taken_in, mine)) if mine else None,
        "tokens_out": sum(each.output_tokens for each in mine) if mine else None,
        "tokens_reasoning": mine[0].reasoning_tokens if len(mine) == 1 else None,
        "cost": math.fsum(costs) if costs else None,
    }


def dividing(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short texts and truths of a sample's metadata."""
    return {
        name: value
        for name, value in metadata.items()
        if isinstance(value, bool) or (isinstance(value, str) and 0 < len(value) <= LONGEST)
    }


def _taken_in(usage: Usage) -> float:
    cached = (usage.input_tokens_cache_read, usage.input_tokens_cache_write)
    return usage.input_tokens + sum(each or 0 for each in cached)


_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "correct": 1.0, "no": 0.0, "false": 0.0, "incorrect": 0.0}
UNNAMED = "score"
"""What the one scorer of a very old log is called."""


def values_of(record: SampleRecord) -> dict[str, float | None]:
    """Return what each scorer says of a sample, a scorer of several values as one for each.

    None where it is not scored.

    Examples
    --------
    >>> several = SampleScore({"exact": True, "near": float("nan")})
    >>> scores = {"match": SampleScore("C"), "multi": several}
    >>> values_of(SampleRecord("a", scores=scores))
    {'match': 1.0, 'multi.exact': 1.0, 'multi.near': None}
    """
    return {name: number(value) for name, value in _values(scores_of(record))}


def scores_of(record: SampleRecord) -> Mapping[str, SampleScore]:
    """Return the scores of a sample by their scorers."""
    if record.scores is None and record.score is not None:
        return {UNNAMED: record.score}
    return record.scores or {}


def _values(scores: Mapping[str, SampleScore]) -> Iterator[tuple[str, Any]]:
    for name, score in scores.items():
        if isinstance(score.value, Mapping):
            yield from ((f"{name}.{key}", value) for key, value in score.value.items())
        else:
            yield name, score.value


def number(value: Any) -> float | None:
    """Return a value as Inspect's ``value_to_float`` counts it; None where it is no score.

    Examples
    --------
    >>> [number(value) for value in ("C", "P", True, 0.3, "no", float("nan"), "maybe")]
    [1.0, 0.5, 1.0, 0.3, 0.0, None, None]
    """
    if isinstance(value, str):
        found = _LETTERS.get(value, _WORDS.get(value.lower()))
        return _float(value) if found is None else found
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return float(value)
    return None


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


_ATTACHED = "attachment://"
_BARE = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")|-?(?:NaN|Infinity)')


class SampleScore(msgspec.Struct):
    """What a scorer says of a sample."""

    value: Any = None
    answer: Any = None


class Message(msgspec.Struct):
    """One of the messages between a user and a model."""

    role: str = ""
    content: Any = None


class ModelChoice(msgspec.Struct):
    """What a model said, and why it stopped."""

    message: Message = msgspec.field(default_factory=Message)
    stop_reason: str | None = None


class Output(msgspec.Struct):
    """What a model said."""

    completion: str = ""
    choices: list[ModelChoice] = []


class Usage(msgspec.Struct):
    """The tokens of a model."""

    input_tokens: float = 0
    output_tokens: float = 0
    input_tokens_cache_write: float | None = None
    input_tokens_cache_read: float | None = None
    reasoning_tokens: float | None = None
    total_cost: float | None = None


class Failure(msgspec.Struct):
    """Why a sample has no score."""

    message: str = ""


class Limit(msgspec.Struct):
    """Which limit ended a sample."""

    type: str = ""


class SampleRecord(msgspec.Struct):
    """What is read of every sample; its texts are `SampleTexts`."""

    id: str | int
    epoch: int = 1
    output: Output = msgspec.field(default_factory=Output)
    scores: dict[str, SampleScore] | None = None
    score: SampleScore | None = None
    metadata: dict[str, Any] | None = None
    model_usage: dict[str, Usage] | None = None
    total_time: float | None = None
    working_time: float | None = None
    error: Failure | None = None
    limit: Limit | None = None


class Posed(msgspec.Struct):
    """What a sample asks, as its dataset has it."""

    input: str | list[Message] = ""
    target: Any = None
    attachments: dict[str, str] = {}


class SampleTexts(Posed):
    """The texts of a sample."""

    messages: list[Message] = []
    output: Output = msgspec.field(default_factory=Output)


RECORD = msgspec.json.Decoder(SampleRecord)
RECORDS = msgspec.json.Decoder(list[SampleRecord])
_TOLD = msgspec.json.Decoder(SampleTexts)
_POSED = msgspec.json.Decoder(Posed)


def decoded(decoder: msgspec.json.Decoder[Any], data: bytes, file: str, place: str) -> Any:
    """Decode what Inspect wrote, bare NaN as null.

    Raises LoadError if it is no JSON, not of the kinds that the decoder takes, or would take much
    memory.
    """
    require_room(data, file, place)
    try:
        return decoder.decode(data)
    except REFUSED:
        finite = _BARE.sub(lambda found: found[1] or b"null", data)
    try:
        return decoder.decode(finite)
    except REFUSED:
        value = parse(data, file, place, absent=NOT_FINITE)
    return converted(value, decoder.type, file, place)


def converted(value: Any, kind: Any, file: str, place: str) -> Any:
    """Return a value of JSON as what Inspect writes there."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise LoadError(
            file,
            Text("is not as Inspect writes it ({reason:.200})", reason=str(error)),
            Text("Check that the log is of a version that kofn reads; kofn tools lists them."),
            place,
        ) from error


def texts_of(data: bytes) -> DecodedTexts:
    """Return prompt, reference and prediction of a sample: what was sent, with all templates."""
    found: SampleTexts = decoded(_TOLD, data, "", "")
    asked = []
    for message in found.messages:
        if message.role == "assistant":
            break
        asked.append(message)
    prompt = [
        {"role": each.role, "content": _with_attachments(each.content, found)}
        for each in asked or given(found)
    ]
    return prompt, found.target, [_plain(_with_attachments(prediction_in(found.output), found))]


def question_in(data: bytes) -> DecodedTexts:
    """Return prompt and reference of a sample as its dataset has them, and as frames do.

    That is the canonical text of a prompt: by it questions of logs and frames are told the same.
    """
    posed: Posed = decoded(_POSED, data, "", "")
    prompt = []
    for each in given(posed):
        content = _with_attachments(each.content, posed)
        if isinstance(content, list) and all(_is_text(part) for part in content):
            content = "\n".join(part["text"] for part in content)
        text = content.strip() if isinstance(content, str) else content
        prompt.append({"role": each.role, "content": text})
    return prompt, posed.target, []


def given(posed: Posed) -> list[Message]:
    """Return the messages that a sample begins with."""
    return posed.input if isinstance(posed.input, list) else [Message("user", posed.input)]


def _with_attachments(content: Any, posed: Posed) -> Any:
    """Return a text with what was put apart."""
    if isinstance(content, str) and content.startswith(_ATTACHED):
        return posed.attachments.get(content.removeprefix(_ATTACHED), content)
    if isinstance(content, list):
        return [
            {name: _with_attachments(part, posed) for name, part in each.items()}
            if isinstance(each, dict)
            else each
            for each in content
        ]
    return content


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part["text"], str)


def prediction_in(output: Output) -> Any:
    """Return what a model said; a solver may have changed the completion since."""
    if not output.choices:
        return None
    return output.choices[0].message.content or output.completion


def _plain(content: Any) -> Any:
    """Return the texts of a message that is a list of parts, with what was thought before."""
    if not isinstance(content, list):
        return content
    parts = [part if isinstance(part, dict) else {"text": part} for part in content]
    return "\n".join(str(part.get("reasoning") or part.get("text") or "") for part in parts)
