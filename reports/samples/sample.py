"""One sample of a question, from a tool's record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(slots=True)
class Sample:
    """One sample.

    Attributes
    ----------
    number : int or None
        Which sample of its question it is, in any numbering that all questions share; None where
        the order of the records is all there is.
    correct : bool or int or None
        The tool's verdict; None where it has none, as for a request that failed.
    score : float or None
        Its soft score from 0 to 1. Where no sample of a run has a verdict, scores decide.
    extracted : object
        The answer found in it, any value of JSON; None where there is none.
    said : str or None
        What the model said: of it are kept a hash, to tell copies, and whether its thoughts end.
    measured : mapping of str to float or None
        tokens_in, tokens_out, latency_s, cost, and any further number by its own name.
    labels : mapping of str to str or None
        Words: finish_reason, error.
    segments : mapping of str to object
        Labels of its question.
    record, slot : int
        Where its texts are: the number of the record and the place among what that says; see
        `reports.samples.texts.RecordTexts`.
    """

    question: str
    number: int | None = None
    correct: bool | int | None = None
    score: float | None = None
    extracted: Any = None
    said: str | None = None
    measured: Mapping[str, float | None] = field(default_factory=lambda: _NOTHING)
    labels: Mapping[str, str | None] = field(default_factory=lambda: _NOTHING)
    segments: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    record: int = -1
    slot: int = 0
