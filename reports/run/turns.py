"""Prompts, references and predictions as harnesses store them, made readable."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reports.run.texts import Image, QuestionTexts, Turn

MAX_IMAGE = 16 << 20
"""Letters of an image in base64; a larger one is named only."""

_DATA = re.compile(r"data:[\w.+/;=-]{0,100}?;base64,")
_SHOWN = 200
_KINDS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)


def question_texts(prompt: Any, reference: Any, predictions_of: Iterable[Any]) -> QuestionTexts:
    """Return what a file keeps of a question, from its values there.

    Examples
    --------
    >>> question_texts("2 + 3?", 5, ["five", None])[1:]
    ('5', ('five', None))
    """
    predictions = tuple(None if one is None else written(one) for one in predictions_of)
    return QuestionTexts(turns(prompt), reference_text(reference), predictions)


def every_text(prompt: Any, reference: Any, predictions: Iterable[Any]) -> Iterator[str]:
    """Give each text of a question; see `question_texts`."""
    yield from (turn.text for turn in turns(prompt))
    if reference is not None:
        yield reference_text(reference) or ""
    yield from (written(one) for one in predictions if one is not None)


def turns(prompt: Any) -> tuple[Turn, ...]:
    """Return a prompt as turns.

    prompt: A text; or messages of ``role`` and ``prompt`` or ``content``, which is a text or a list
        of parts, each a text, an image or something else.

    Examples
    --------
    >>> turns("Add 2 and 3.")
    (Turn(role='', text='Add 2 and 3.', image=None),)
    >>> turns([{"role": "HUMAN", "prompt": "2 + 3?"}, {"role": "BOT", "prompt": "5"}])[1]
    Turn(role='BOT', text='5', image=None)
    """
    messages = prompt if isinstance(prompt, list) else [] if prompt is None else [prompt]
    return tuple(turn for message in messages for turn in _of_message(message))


def reference_text(reference: Any) -> str | None:
    """Return a reference as text; what several annotators said with how many said so.

    Examples
    --------
    >>> reference_text([{"answer": "red"}, {"answer": "red"}, {"answer": "pink"}])
    'red (2), pink (1)'
    """
    match reference:
        case [{"answer": _}, *_] if all(isinstance(one, Mapping) for one in reference):
            answers = Counter(written(one.get("answer")) for one in reference)
            return ", ".join(f"{answer} ({count})" for answer, count in answers.most_common())
    return None if reference is None else written(reference)


def written(value: Any) -> str:
    """Return a text as it is, and anything else as JSON."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "…"


def _of_message(message: Any) -> Iterator[Turn]:
    role, content = "", message
    if isinstance(message, Mapping) and ("prompt" in message or "content" in message):
        named = message.get("role")
        role = named if isinstance(named, str) else ""
        content = message.get("prompt", message.get("content"))
    for part in content if isinstance(content, list) else [content]:
        yield _of_part(role, part)


def _of_part(role: str, part: Any) -> Turn:
    match part:
        case {"text": str(text)}:
            return Turn(role, text)
        case (
            {"image_url": {"url": str(url)}}
            | {"image_url": str(url)}
            | {"image": str(url)}
            | {"video_url": {"url": str(url)}}
            | {"audio_url": {"url": str(url)}}
        ):
            if image := _image(url):
                return Turn(role, "", image)
            return Turn(role, url if len(url) <= _SHOWN else url[:_SHOWN] + " …")
    return Turn(role, "" if part is None else written(part))


def _image(url: str) -> Image | None:
    """Return the image that an address holds whole."""
    begin = _DATA.match(url)
    if not begin or len(url) > MAX_IMAGE:
        return None
    try:
        data = base64.b64decode(url[begin.end() :], validate=True)
    except (binascii.Error, ValueError):
        return None
    kinds = (kind for start, kind in _KINDS if start.match(data))
    return next((Image(data, kind) for kind in kinds), None)
