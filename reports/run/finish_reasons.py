"""How each sample of a run ended: right, wrong, without an answer, cut off, or failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Flags
from metrics.data.length_limit import find_length_limit
from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.shown import brief_repr
from reports.run.anomalies import ANOMALIES, LABEL, anomaly_of
from reports.run.labels import Labels

State = Literal["right", "wrong", "no answer", "cut", "failed"]
STATES: tuple[State, ...] = get_args(State)
"""What a sample is one of, in the order of their codes."""
UNSETTLED: tuple[State, ...] = ("no answer", "cut", "failed")
"""Those of samples that did not come to their end."""
Sign = Literal["reason", "unclosed", "stated limit", "one length"]
"""What shows that a sample was cut: a word of its tool, thoughts that do not end, as many tokens as
the settings allow, or as many others have."""

REASON = "finish_reason"
"""The label that says why a sample ended."""
REASONS = (REASON, "limit")
TEXT = "text"
"""The label of texts that are seen to be unfinished."""
UNCLOSED = ("unclosed <think>",)
"""Its only value."""

_OPENED, _CLOSED = "<think>", "</think>"
PLAIN, OPEN, CLOSED, OPENED_BEFORE = range(1, 5)
"""How thoughts stand in a text: it has none, does not close them, closes them, or closes such as
its prompt opened. 0 is no text."""
_ANOMALY = 8
"""What the code of an anomaly is multiplied by, to stand beside that of thoughts."""
_CUT = {
    *("length", "length_limit", "length_capped", "max_length", "model_length", "max_seq_len"),
    *("max_tokens", "max_new_tokens", "max_output_tokens", "max_completion_tokens"),
    *("token", "tokens", "token_limit", "truncated", "context", "context_length"),
    *("context_length_exceeded", "context_window", "model_context_window_exceeded"),
    *("max_steps", "max_turns", "max_iterations", "message", "message_limit", "turn_limit"),
}
"""Reasons that mean it was too long: in tokens, messages or steps."""
_SILENT = {"", "unknown", "none", "null", "nan", "n/a", "finish_reason_unspecified"}
"""Reasons that say nothing."""
_NO_ANSWER = {"", "NULL", "[invalid]"}
"""Answers by which tools say that they found none."""


@dataclass(frozen=True, eq=False)
class States:
    """How each sample of a run ended.

    Every sample is in one state. A truncated sample is ``cut`` whatever its verdict, which is not
    changed: `cut_right` counts those that are right all the same. One without a verdict is
    ``failed`` unless it was cut; wrong ones in which no answer was found are ``no answer``.

    Attributes
    ----------
    codes : int8 array, shape (M, N)
        Each sample's state as its index among right, wrong, no answer, cut and failed; -1 where
        nothing was asked.
    correct : int8 array, shape (M, N)
        The verdicts, as the run has them.
    told : mapping of str to int
        For how many samples the files say whether they are ``cut``, and whether they have ``no
        answer``. 0 where no file says, which does not mean that there are none.
    signs : mapping of str to int
        How many samples each sign shows to be cut: the tool's finish reason, unclosed thinking, a
        stated limit of tokens, or many samples of the same length.
    anomalies : mapping of str to int
        How many texts end in a ``repetition`` or are ``garbled``; see `reports.run.anomalies`.
    looping_cut : int
        How many of those that end in a repetition were cut.
    """

    codes: NDArray[np.int8]
    correct: NDArray[np.int8]
    told: Mapping[State, int]
    signs: Mapping[Sign, int]
    anomalies: Mapping[str, int] = field(default_factory=dict)
    looping_cut: int = 0

    __repr__ = brief_repr

    def __post_init__(self) -> None:
        self.codes.flags.writeable = False

    @cached_property
    def counts(self) -> dict[State, int]:
        """How many samples are in each state."""
        return self.counts_of(slice(None))

    def counts_of(self, questions: Any) -> dict[State, int]:
        """Count the samples of some questions, given as an index of rows."""
        found = np.bincount(self.codes[questions].ravel() + 1, minlength=len(STATES) + 1)[1:]
        return dict(zip(STATES, found.tolist(), strict=True))

    def cut_right(self, questions: Any = slice(None)) -> int:
        """Count the samples of some questions that are right though they were cut."""
        return int(np.count_nonzero(self.of("cut", questions) & (self.correct[questions] == 1)))

    def of(self, state: State, questions: Any = slice(None)) -> Flags:
        """Say which samples are in a state."""
        return np.asarray(self.codes[questions] == STATES.index(state))

    @cached_property
    def unsettled(self) -> Flags:
        """Which samples did not finish: no answer, cut, or failed."""
        return np.asarray(self.codes >= STATES.index(UNSETTLED[0]))

    @property
    def is_told(self) -> bool:
        """Whether files say anything that verdicts alone do not."""
        return any(self.told.values())

    def words(self) -> NDArray[Any]:
        """Return the state of each sample, shape (M, N); "" where nothing was asked."""
        return self.labels.words()

    @property
    def labels(self) -> Labels:
        """The states as words of the samples."""
        return Labels(self.codes, STATES)


class Sampled(Protocol):
    """What a run has of its samples."""

    @property
    def outcomes(self) -> Outcomes | None:
        """Their verdicts."""

    @property
    def answers(self) -> NDArray[np.signedinteger] | None:
        """Codes of their extracted answers."""

    @property
    def answer_labels(self) -> Sequence[str] | None:
        """The answer of each code."""

    @property
    def columns(self) -> Mapping[str, NDArray[Any]]:
        """What was measured of each."""

    @property
    def labels(self) -> Mapping[str, Labels]:
        """Words for each."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What made them."""


def states_of(run: Sampled) -> States | None:
    """Find the state of each sample; None without verdicts, or with categories in their place."""
    if run.outcomes is None or run.outcomes.correct.max() > 1:
        return None
    correct = run.outcomes.correct
    asked = correct != ABSENT
    cut, known, signs = _cut(run, asked)
    codes = np.where(correct == 1, np.int8(STATES.index("right")), np.int8(STATES.index("wrong")))
    answered = 0
    without = _without_answer(run, correct)
    if without is not None:
        codes[without & (correct == 0)] = STATES.index("no answer")
        answered = int(np.count_nonzero(correct >= 0))
    codes[correct == FAILED] = STATES.index("failed")
    codes[cut] = STATES.index("cut")
    codes[~asked] = -1
    anomalies, looping_cut = _anomalies(run, cut)
    told_of: dict[State, int] = {"no answer": answered, "cut": known}
    return States(codes, correct, told_of, signs, anomalies, looping_cut)


def _anomalies(run: Sampled, cut: Flags) -> tuple[dict[str, int], int]:
    """Count what is wrong with texts, and the loops that were cut."""
    if (odd := run.labels.get(LABEL)) is None:
        return {}, 0
    counts = {
        name: count
        for code, name in enumerate(odd.values)
        if (count := int(np.count_nonzero(odd.codes == code)))
    }
    loops = odd.words() == ANOMALIES[0]
    return counts, int(np.count_nonzero(loops & cut))


def ends_cut(reason: str) -> bool | None:
    """Say whether the reason for which a sample ended means that it was cut; None if nothing.

    Examples
    --------
    >>> ends_cut("length"), ends_cut("FinishReason.MAX_TOKENS"), ends_cut("stop"), ends_cut("")
    (True, True, False, None)
    """
    word = reason.strip().lower().rpartition(".")[2].replace("-", "_").replace(" ", "_")
    return None if word in _SILENT else word in _CUT


def thoughts(text: object) -> int:
    """Say how the thoughts of a text stand and what is wrong with it, as `unfinished` takes it.

    Examples
    --------
    >>> thoughts("<think>Let me see, 6 x 7") == OPEN, thoughts("<think>6 x 7</think>42") == CLOSED
    (True, True)
    >>> thoughts("6 x 7</think>42") == OPENED_BEFORE, thoughts("42") == PLAIN, thoughts(None)
    (True, True, 0)
    """
    if not isinstance(text, str) or not text:
        return 0
    return _thoughts(text) + _ANOMALY * anomaly_of(text)


def _thoughts(text: str) -> int:
    opened, closed = text.rfind(_OPENED), text.rfind(_CLOSED)
    if opened > closed:
        return OPEN
    if closed < 0:
        return PLAIN
    return CLOSED if 0 <= text.find(_OPENED) < text.find(_CLOSED) else OPENED_BEFORE


def unfinished(codes: NDArray[np.int8]) -> dict[str, Labels]:
    """Return which texts are unfinished, or odd, as words of a run's samples; nothing if none is.

    Where at least a quarter of the texts close thoughts that they did not open, their prompts
    opened them for all: then a text that does not close them is unfinished, too.
    """
    odd = codes // _ANOMALY - 1
    labels = {LABEL: Labels(odd.astype(np.int8), ANOMALIES)} if (odd >= 0).any() else {}
    codes = codes % _ANOMALY
    unclosed = codes == OPEN
    before = codes == OPENED_BEFORE
    if before.any() and 4 * before.sum() >= (codes > 0).sum():
        unclosed |= codes == PLAIN
    if unclosed.any():
        labels[TEXT] = Labels(np.where(unclosed, np.int8(0), np.int8(-1)), UNCLOSED)
    return labels


def _cut(run: Sampled, asked: Flags) -> tuple[Flags, int, dict[Sign, int]]:
    """Say which samples were cut, of how many it is told whether they were, and by what sign.

    What a surer sign tells of a sample is not asked of another.
    """
    cut, has_reason = np.zeros_like(asked), np.zeros_like(asked)
    signs: dict[Sign, int] = {}
    for sign, shown, known in _signs(run):
        mine = shown & asked & ~has_reason
        cut |= mine
        has_reason |= known & asked
        if count := int(np.count_nonzero(mine)):
            signs[sign] = count
    return cut, int(np.count_nonzero(has_reason)), signs


def _signs(run: Sampled) -> Iterator[tuple[Sign, Flags, Flags]]:
    """Yield signs, the surest first: which samples each shows to be cut, and of which it tells."""
    reasons = [_of_reasons(run.labels[name]) for name in REASONS if name in run.labels]
    if reasons:
        shown, known = map(np.logical_or.reduce, zip(*reasons, strict=True))
        yield "reason", shown, known
    if TEXT in run.labels:
        unclosed = run.labels[TEXT].codes >= 0
        yield "unclosed", unclosed, unclosed
    tokens = run.columns.get("tokens_out")
    if tokens is None:
        return
    known, stated = ~np.isnan(tokens), run.settings.get("max_tokens")
    if _is_limit(stated) and not (tokens > stated).any():
        yield "stated limit", tokens == stated, known
    elif (limit := find_length_limit(tokens)) is not None:
        yield "one length", tokens == limit, known


def _of_reasons(labels: Labels) -> tuple[Flags, Flags]:
    """Return which samples were cut by their reason, and of which it says anything."""
    means = [*map(ends_cut, labels.values), None]
    cut, known = (np.array([each in found for each in means]) for found in ((True,), (True, False)))
    return cut[labels.codes], known[labels.codes]


def _is_limit(stated: Any) -> bool:
    return isinstance(stated, int | float) and not isinstance(stated, bool) and stated > 0


def _without_answer(run: Sampled, correct: NDArray[np.int8]) -> Flags | None:
    """Say in which samples no answer was found; None where that is not told.

    Where a right sample has no extracted answer, that others have none does not tell either.
    """
    if run.answers is None:
        return None
    without = run.answers < 0
    labels = run.answer_labels or ()
    if empty := [code for code, each in enumerate(labels) if each.strip() in _NO_ANSWER]:
        without |= np.isin(run.answers, empty)
    graded = correct >= 0
    if (without & (correct == 1)).any() or without[graded].all():
        return None
    return np.asarray(without)
