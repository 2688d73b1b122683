"""Digests that tell questions apart: of the prompt, the question's own text and its reference."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from reports.files.progress import Progress, meter
from reports.run.report import Run
from reports.run.texts import QuestionTexts, Store, Turn

SAMPLE = 64
"""The questions by which it is found out what all prompts of a run share."""
FIRST = 8
"""Of these, those that tell whether a file keeps prompts and references at all."""
UNKNOWN = 0

Codes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Digests:
    """Of each question of a run; `UNKNOWN` where the file keeps nothing."""

    prompt: Codes  # Shape (M,).
    # Of what is left of the prompt without what all prompts of the run share, such as examples and
    # instructions. Shape (M,).
    own: Codes
    reference: Codes  # Shape (M,).


def digests(run: Run, progress: Progress | None = None) -> Digests | None:
    """Return the digests of a run, None of one without prompts and references.

    The texts are read when this is first asked of the run, and what comes of it is kept. Where some
    questions show that a file keeps neither prompts nor references, the others are not looked at.
    """
    store = run.store
    if store is None or not may_have(run):
        return None
    found: Digests = run.digests.get(lambda: store.apply(digester(run), progress))
    return found


def may_have(run: Run) -> bool:
    """Return whether a run may have digests: where it keeps prompts or references."""
    return run.has_texts and run.store is not None and run.store.tells_questions


def are_unread(run: Run) -> bool:
    """Return whether a run may have digests that take reading first."""
    return may_have(run) and run.digests.known is None


def digester(run: Run) -> Callable[[Store, Progress | None], Digests]:
    """Return what makes the digests of a run with texts from these, wherever they are read."""
    assert run.outcomes is not None
    ids = run.outcomes.questions
    some = nsmallest(SAMPLE, range(len(ids)), key=lambda row: crc32(_encoded(ids[row])))
    return partial(_digest_all, rows=len(ids), some=some)


def _digest_all(
    store: Store, progress: Progress | None, *, rows: int, some: Sequence[int]
) -> Digests:
    at = meter(progress, rows)
    digests = np.full((rows, 3), UNKNOWN, dtype=np.uint64)
    sample = dict(store.read_questions(some[:FIRST]))
    if any(texts.prompt or texts.reference is not None for texts in sample.values()):
        sample |= store.read_questions(some[FIRST:])
        shared = _shared([texts.prompt for texts in sample.values()])
        every = sample.items() if len(sample) == rows else store.read_questions(range(rows))
        for done, (row, texts) in enumerate(every):
            at("", done)
            digests[row] = _digest(texts, shared)
    return Digests(*np.ascontiguousarray(digests.T))


def _shared(prompts: Sequence[tuple[Turn, ...]]) -> list[tuple[str, str]]:
    """Return with what the turns of prompts begin and end, the last turn first."""
    prompts = [prompt for prompt in prompts if prompt]
    found = []
    for place in range(1, 1 + min(map(len, prompts), default=0)):
        texts = [prompt[-place].text for prompt in prompts]
        start = _start(texts)
        ends = _start([text[len(start) :][::-1] for text in texts])[::-1]
        found.append((start, ends))
    return found


def _start(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    first, last = min(texts), max(texts)
    ends = (place for place, (x, y) in enumerate(zip(first, last, strict=False)) if x != y)
    return first[: next(ends, len(first))]


def _digest(texts: QuestionTexts, shared: Sequence[tuple[str, str]]) -> tuple[int, int, int]:
    reference = None if texts.reference is None else texts.reference.strip()
    return (
        _code(part for turn in texts.prompt for part in _parts(turn, turn.text)),
        _code(part for turn, text in _own(texts.prompt, shared) for part in _parts(turn, text)),
        UNKNOWN if reference is None else _code([_encoded(reference)]),
    )


def _own(prompt: tuple[Turn, ...], shared: Sequence[tuple[str, str]]) -> Iterator[tuple[Turn, str]]:
    """Yield the turns that are not the same in all prompts, each without what all share."""
    for place, turn in enumerate(reversed(prompt)):
        start, end = shared[place] if place < len(shared) else ("", "")
        text = turn.text.removeprefix(start).removesuffix(end).strip()
        if text or turn.image:
            yield turn, text


def _parts(turn: Turn, text: str) -> tuple[bytes, bytes]:
    return _encoded(text), b"" if turn.image is None else turn.image.data


def _code(parts: Iterator[bytes] | Sequence[bytes]) -> int:
    """Return a digest of parts, `UNKNOWN` of none."""
    whole, empty = hashlib.blake2b(digest_size=8), True
    for part in parts:
        empty = False
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return UNKNOWN if empty else int.from_bytes(whole.digest(), "big") or 1


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
