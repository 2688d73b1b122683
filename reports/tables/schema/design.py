"""Which column names the questions: a claim that is checked against the rows.

The claim is that these rows are samples of these questions. Then ids repeat as often as there are
samples, every number of a sample stands once in a question, and the texts of one id agree. Row
numbers and ids of requests make no such design, whatever they are called.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.run.report import Evidence
from reports.tables.source import Source
from reports.vocabulary import RIGHT, WRONG

ROWS = 5_000
"""So many rows are looked at before a table is read."""
_EVEN = 0.9
_COVERED = 0.5
_CROSSED = 0.7

Codes = NDArray[np.integer[Any]]
Status = Literal["proven", "parted", "uneven", "single", "failed"]


class FirstRows:
    """The first rows of a table, some of its columns at a time."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._columns: dict[str, list[Any]] = {}
        self._numbered: dict[str, Codes] = {}

    def look(self, names: Iterable[str]) -> None:
        """Read some columns at once."""
        wanted = [name for name in dict.fromkeys(names) if name not in self._columns]
        if wanted and self._source.values is not None:
            held = self._source.first(wanted, ROWS)
            self._columns |= {n: [*values] for n, values in zip(wanted, held, strict=True)}

    def values(self, name: str) -> list[Any]:
        """Return what a column holds."""
        self.look([name])
        return self._columns.get(name, [])

    def rows(self, names: Sequence[str]) -> int:
        """Return how many rows are looked at."""
        return max((len(self.values(name)) for name in names[:1]), default=0)

    def _codes(self, name: str) -> Codes:
        if name not in self._numbered:
            numbers: dict[str, int] = {}
            found = [
                -1 if _is_nothing(value) else numbers.setdefault(str(value), len(numbers))
                for value in self.values(name)
            ]
            self._numbered[name] = np.array(found, dtype=np.int64)
        return self._numbered[name]

    def codes(self, *names: str) -> Codes:
        """Return one code for each combination of values, numbered from 0 on."""
        self.look(names)
        return joint_codes(*(self._codes(name) + 1 for name in names))

    def distinct(self, *names: str) -> int:
        """Count the different combinations of values."""
        return int(self.codes(*names).max(initial=-1)) + 1

    def is_whole(self, name: str) -> bool:
        """Whether no row lacks a value."""
        return not any(map(_is_nothing, self.values(name)))

    def counts(self, name: str) -> bool:
        """Whether a column holds 0 to n - 1 or 1 to n."""
        held = {str(value).removesuffix(".0") for value in self.values(name)}
        return any(held == {*map(str, range(n, n + len(held)))} for n in (0, 1))

    def are_verdicts(self, name: str) -> bool:
        """Whether a column holds 0 and 1, or words that mean them."""
        held = self.numbers(name)
        return held is not None and bool(np.isin(held[~np.isnan(held)], (0, 1)).all())

    def are_scores(self, name: str) -> bool:
        """Whether a column holds numbers from 0 to 1, or words that mean these."""
        held = self.numbers(name)
        return held is not None and bool(((held >= 0) & (held <= 1) | np.isnan(held)).all())

    def is_always(self, name: str) -> bool:
        """Whether a column holds one number throughout."""
        held = {str(value).removesuffix(".0") for value in self.values(name)}
        return len(held) == 1 and self.is_whole(name) and self.numbers(name) is not None

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """Return a column of verdicts, scores or counts, NaN for nothing; None for other words."""
        found = [number(value) for value in self.values(name)]
        return None if None in found else np.array(found, dtype=np.float64)

    def agree(self, question: str, text: str, runs: Sequence[str]) -> bool:
        """Whether all texts of a question are the same, where there are any."""
        held = self._codes(text) >= 0
        asked, answered = (
            self.codes(*names)[held] for names in ((*runs, question), (*runs, question, text))
        )
        return len(np.unique(asked)) == len(np.unique(answered))


def joint_codes(*codes: Codes) -> Codes:
    """Return one code for each combination, numbered from 0 on."""
    joined = np.zeros(len(codes[0]), dtype=np.int64)
    for each in codes:
        joined = joined * (int(each.max(initial=0)) + 1) + each
        joined = np.unique(joined, return_inverse=True)[1]
    return joined


@dataclass(frozen=True)
class Reading:
    """What a column of questions makes of the first rows."""

    column: str
    # Its questions have as many samples each; they do once a further column parts the rows; their
    # samples differ in number; none repeats; or it cannot be.
    status: Status
    questions: Codes  # How many samples each has.
    share: float = math.nan  # Of right samples, NaN where the head does not say it.

    @property
    def stands(self) -> bool:
        """Whether the claim holds, though it could not have failed: each row may be a question."""
        return self.status in ("single", "uneven")

    @cached_property
    def text(self) -> Text:
        """What it gives."""
        design = design_in_words(self.questions)
        if math.isnan(self.share):
            return design
        return Text("{design}: {share:.1%}", design=design, share=self.share)


def design_in_words(counts: Codes) -> Text:
    """Say how many questions there are, and how many samples they have."""
    least, most = int(counts.min()), int(counts.max())
    samples = Text("{least} to {most} samples", least=least, most=most)
    if least == most:
        samples = Text("{count} sample", "{count} samples", count=most)
    return Text(
        "{count} question x {samples}",
        "{count} questions x {samples}",
        count=len(counts),
        samples=samples,
    )


def check(
    head: FirstRows,
    question: str,
    sample: str | None,
    runs: Sequence[str],
    dividing: Sequence[str],
    outcome: str | None = None,
) -> Reading:
    """Check the claim that a column names the questions of a table with a row for each sample."""
    asked = head.codes(*runs, question)
    rows, counts = len(asked), np.bincount(asked)
    status = _status(head, (*runs, question), sample, dividing, counts)
    if not head.is_whole(question) or not rows:
        status = "failed"
    return Reading(question, status, counts, _share(head, asked, outcome))


def _status(
    head: FirstRows,
    question: tuple[str, ...],
    sample: str | None,
    dividing: Sequence[str],
    counts: Codes,
) -> Status:
    rows, even = int(counts.sum()), is_even(counts)
    samples = 1 if sample is None else head.distinct(sample)
    if len(counts) == rows:
        return "failed" if samples > 1 and rows > 1 else "single"
    if len(counts) == 1:
        return "uneven"
    if sample is None or samples == 1:
        return "proven" if even and np.bincount(counts).argmax() > 1 else "uneven"
    if head.distinct(*question, sample) < rows:
        head.look(dividing)
        parted = any(head.distinct(*question, sample, name) == rows for name in dividing)
        return "parted" if parted else "failed"
    return "proven" if even or rows >= _COVERED * len(counts) * samples else "uneven"


def once(
    head: FirstRows, question: str, runs: Sequence[str], dividing: Sequence[str]
) -> Literal["single", "parted", "failed"]:
    """Check the claim that a column names the questions of a table with one row for each."""
    rows = len(head.values(question))
    if not head.is_whole(question):
        return "failed"
    asked = head.distinct(*runs, question)
    if asked == rows:
        return "single"
    head.look(dividing)
    blocks = {name: head.distinct(name) for name in dividing}
    parted = any(
        2 * count <= rows
        and rows >= _CROSSED * asked * count
        and head.distinct(*runs, question, name) == rows
        for name, count in blocks.items()
    )
    return "parted" if parted else "failed"


def is_even(counts: Codes) -> bool:
    """Whether nine of ten questions have the same number of samples."""
    return int(np.bincount(counts).max(initial=0)) >= _EVEN * len(counts)


def evidence(counts: Codes, questions: Codes | None = None, numbers: int | None = None) -> Evidence:
    """Say whether it is proven which samples are of one question, by their design.

    counts: Samples of each question. Shape (U,).
    questions: How many questions have so many; one each by default. Shape (U,).
    numbers: How many different numbers samples have, each of them once in a question; None where no
        column numbers them.
    """
    weights = np.ones(len(counts), np.int64) if questions is None else questions
    rows, asked = int(counts @ weights), int(weights.sum())
    if rows <= asked:
        return "stated"
    of_each = np.bincount(counts, weights)
    even = asked > 1 and int(of_each.max()) >= _EVEN * asked and int(of_each.argmax()) > 1
    covered = numbers is not None and rows >= _COVERED * asked * numbers
    return "proven" if even or covered else "stated"


def holds_counts(head: FirstRows, n: str, right: str) -> bool:
    """Whether one column may count samples of which another counts the right ones."""
    of, some = head.numbers(n), head.numbers(right)
    if of is None or some is None or not len(of):
        return False
    whole = (np.floor(of) == of) & (np.floor(some) == some)
    return bool((whole & (some >= 0) & (some <= of)).all() and of.max() > 1)


def same_questions(head: FirstRows, one: str, other: str, runs: Sequence[str]) -> bool:
    """Whether two columns part the rows into the same questions."""
    a, b = (head.distinct(*runs, name) for name in (one, other))
    return a == b == head.distinct(*runs, one, other)


def _share(head: FirstRows, asked: Codes, outcome: str | None) -> float:
    found = None if outcome is None else head.numbers(outcome)
    if found is None or not head.are_scores(str(outcome)):
        return math.nan
    return mean_of_questions(asked, found)


def mean_of_questions(asked: Codes, numbers: NDArray[np.float64]) -> float:
    """Return the mean over questions of the mean of their numbers, NaN where there is none."""
    held = ~np.isnan(numbers)
    total, of = (np.bincount(asked[held], values[held]) for values in (numbers, held))
    return float(np.mean(total[of > 0] / of[of > 0])) if (of > 0).any() else math.nan


def number(value: Any) -> float | None:
    """Return what a verdict, score or count is, NaN for nothing; None of an unknown word."""
    if _is_nothing(value):
        return math.nan
    if isinstance(value, bool | int | float):
        return float(value)
    word = str(value).strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    try:
        return float(word.replace(",", "."))
    except ValueError:
        return None


_WORDS: Mapping[str, float] = {**dict.fromkeys(RIGHT, 1.0), **dict.fromkeys(WRONG, 0.0)}
_NOTHING = {"", "null", "none", "nan", "na", "n/a", "<na>", "#n/a"}


def _is_nothing(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _NOTHING
    return value is None or (isinstance(value, float) and math.isnan(value))
