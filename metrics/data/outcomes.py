"""The outcomes of one run: M questions, each with up to N graded samples."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.data.arrays import Vector
from metrics.data.duplicates import Copies, find_copies
from metrics.data.frames import frame
from metrics.data.inputs import as_numbers, require_shape
from metrics.data.packed_texts import PackedTexts, hashes
from metrics.data.shown import result
from metrics.data.tally import Tally, row_counts
from metrics.data.words import MetricError, Text, instead_of

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame


class QuestionIds(PackedTexts):
    """Unique ids of questions, in order.

    ids: Texts, or what `str` makes one of. Ids that are a `QuestionIds` are not checked again.
    Raises MetricError if an id occurs twice.

    Examples
    --------
    >>> ids = QuestionIds(["a", 2])
    >>> ids, ids.index("2"), ids.places(["2", "b", "a"]).tolist()
    (('a', '2'), 1, [1, -1, 0])
    """

    def __init__(self, ids: Iterable[object]) -> None:
        super().__init__(ids if isinstance(ids, PackedTexts) else map(str, ids))
        if not isinstance(ids, QuestionIds):
            self._require_unique()

    def _require_unique(self) -> None:
        codes, texts = self.distinct()
        if len(texts) < len(self):
            repeated = texts[int(np.argmax(np.bincount(codes) > 1))]
            raise MetricError(Text("Question ids must be unique; {id} occurs twice.", id=repeated))

    def places(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Return where each of some ids stands, -1 where it does not."""
        if isinstance(ids, QuestionIds) and ids == self:
            return np.arange(len(self))
        known, order = self._by_hash
        wanted = hashes(ids)
        first, last = (np.searchsorted(known, wanted, side) for side in ("left", "right"))
        places = np.full(len(ids), -1)
        asked = np.flatnonzero(first < last)
        places[asked] = order[first[asked]]
        candidates = zip(asked, self.take(places[asked]), PackedTexts(ids).take(asked), strict=True)
        for i, text in [(i, text) for i, found, text in candidates if found != text]:
            same_hash = order[first[i] : last[i]].tolist()
            places[i] = next((row for row in same_hash if self[row] == text), -1)
        return places

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Return where an id stands.

        Raises ValueError if it does not, or not from `start` to before `stop`.
        """
        row = int(self.places([value])[0]) if isinstance(value, str) else -1
        if row not in range(len(self))[start:stop]:
            raise ValueError(f"{value!r} is no id")
        return row

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and bool(self.places([value])[0] >= 0)

    @cached_property
    def _by_hash(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """The hashes of the ids, sorted, and the ids in that order: made for this process only."""
        known = hashes(self)
        order = np.argsort(known)
        return known[order], order


FAILED = -1
"""Asked, but nothing gradable came back."""
ABSENT = -2
"""Never asked, or never gradable: ragged padding, a question without a usable reference."""

SOLVED_ABOVE = 0.5
"""What a soft score must exceed to count as right where nothing else says so."""

INCOMPLETE = Text(
    "Samples are missing, which a plain matrix cannot express. Use metrics.estimate, where you "
    "choose how they count."
)

Missing = Literal["wrong", "omit", "right"]
Segment = tuple[str, str]


@result
class Outcomes:
    """Verdicts, and soft scores where there are any, of one model on one dataset.

    Parameters
    ----------
    correct : array_like of int, shape (M, N), optional
        1 right, 0 wrong, or a category 0..C; -1 where a request failed (`FAILED`); -2 where a
        sample was never asked or can never be graded (`ABSENT`). Without it a sample is right where
        its soft score exceeds 0.5, AISBench's rule, and absent where that is NaN.
    scores : array_like of float, shape (M, N), optional
        Soft scores in [0, 1], NaN exactly where ``correct < 0``.
    questions : sequence of str, optional
        M unique ids; by default "0" … "M-1".
    segments : mapping of str to array_like of str, shape (M,), optional
        Labels of the questions by attribute.
    clusters : array_like, shape (M,), optional
        Equal values mark questions that belong together (one passage, one template).
    grouped : bool, default: True
        Whether it is known which samples belong to one question. If not, each row is a sample, and
        only metrics independent of the grouping are defined.
    texts : int64 array, shape (M, N), optional
        Hashes of what the samples say, 0 where that is unknown or too short to tell copies; see
        `metrics.data.duplicates.find_copies`.
    tokens : float array, shape (M, N), optional
        Lengths of the samples, which also help to find copies.

    Raises
    ------
    MetricError
        If shapes disagree, a value is out of range, or an id occurs twice.

    Examples
    --------
    >>> outcomes = Outcomes([[1, 0, 1], [0, -1, 0]])
    >>> outcomes.shape
    (2, 3)
    >>> Outcomes(scores=[[0.6, 0.4, 0.6]]).correct.tolist()
    [[1, 0, 1]]
    >>> outcomes.tally().c.tolist(), outcomes.tally(missing="omit").n.tolist()
    ([0, 2], [2, 3])
    """

    correct: NDArray[np.int8]
    scores: Vector | None = None
    questions: QuestionIds = field(default_factory=lambda: QuestionIds(()))
    segments: Mapping[str, NDArray[np.str_]] = field(default_factory=dict)
    clusters: NDArray[np.intp] | None = None
    grouped: bool = True
    texts: NDArray[np.int64] | None = None
    tokens: Vector | None = None

    def __init__(
        self,
        correct: Any = None,
        scores: Any = None,
        questions: Sequence[str] | None = None,
        segments: Mapping[str, Any] | None = None,
        clusters: Any = None,
        grouped: bool = True,
        texts: NDArray[np.int64] | None = None,
        tokens: Vector | None = None,
    ) -> None:
        verdicts = _verdicts(_by_scores(scores) if correct is None else correct)
        m = len(verdicts)
        ids = range(m) if questions is None else questions
        ids = ids if isinstance(ids, QuestionIds) else QuestionIds(ids)
        _require_length("questions", len(ids), m)
        labels = {name: np.asarray(label, dtype=str) for name, label in (segments or {}).items()}
        for name, label in labels.items():
            _require_length(f"segments[{name!r}]", len(label), m)
            label.flags.writeable = False
        groups = None if grouped else np.zeros(m, dtype=np.intp)
        if clusters is not None:
            _require_length("clusters", len(clusters), m)
            groups = np.unique(np.asarray(clusters), return_inverse=True)[1].astype(np.intp)
            groups.flags.writeable = False
        for name, beside in (("texts", texts), ("tokens", tokens)):
            if beside is not None:
                require_shape(name, beside.shape, verdicts.shape)
        fields: dict[str, Any] = {
            "correct": verdicts,
            "scores": None if scores is None else _scores(scores, verdicts),
            "questions": ids,
            "segments": MappingProxyType(labels),
            "clusters": groups,
            "grouped": grouped,
            "texts": texts,
            "tokens": tokens,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def to_frame(self) -> DataFrame:
        """Return a row for each sample, with the labels of its question; needs pandas.

        ``correct`` and ``score`` are missing where ``status`` is not ``graded``.
        """
        m, n = self.shape
        verdicts = self.correct.ravel()
        graded = verdicts >= 0
        scores = {} if self.scores is None else {"score": self.scores.ravel()}
        labels = {f"segment.{name}": label for name, label in self.segments.items()}
        clusters = {} if self.clusters is None else {"cluster": self.clusters}
        of_questions: dict[str, Any] = {"question_id": list(self.questions), **labels, **clusters}
        return frame(
            {
                **{name: np.repeat(each, n) for name, each in of_questions.items()},
                "sample": np.tile(np.arange(n), m),
                "status": np.select([graded, verdicts == FAILED], ["graded", "failed"], "absent"),
                "correct": np.where(graded, verdicts, np.nan),
                **scores,
            }
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the verdicts for functions of a plain matrix, if no sample is missing."""
        self.require_complete()
        return np.array(self.correct, dtype=dtype, copy=copy)

    @property
    def shape(self) -> tuple[int, int]:
        """M questions and N, the largest number of samples."""
        return self.correct.shape[0], self.correct.shape[1]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of shape, verdicts, soft scores, question ids, clusters and copies."""
        sha = hashlib.sha256(repr(self.shape).encode())
        sha.update(self.correct.data)
        sha.update(b"" if self.scores is None else self.scores.data)
        sha.update(self.questions.joined)
        sha.update(b"" if self.clusters is None else self.clusters.data)
        if self.copies is not None and self.copies.share:
            sha.update(repr(self.copies).encode())
        return sha.hexdigest()

    @cached_property
    def copies(self) -> Copies | None:
        """What repeats itself among the samples of a question; None where there is no sign."""
        if not self.grouped:
            return None
        return find_copies(self.correct, self.texts, self.tokens, self.scores)

    def members(self, segment: Segment | None = None) -> NDArray[np.bool_] | slice:
        """Return which questions belong to a segment, given as (attribute, label)."""
        if segment is None:
            return slice(None)
        attribute, label = segment
        if attribute not in self.segments or label not in self.segments[attribute]:
            labels = self.labels(attribute) if attribute in self.segments else ()
            raise no_segment(attribute, label, self.segments, labels)
        return np.asarray(self.segments[attribute] == label)

    def labels(self, attribute: str) -> list[str]:
        """Return the labels of an attribute, in the order of the questions."""
        return list(dict.fromkeys(self.segments[attribute].tolist()))

    def counts(
        self, missing: Missing = "wrong", segment: Segment | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count samples and correct samples of each question.

        Parameters
        ----------
        missing : {"wrong", "omit", "right"}
            What a failed request counts as; ``"omit"`` leaves it out.
        segment : tuple of str, optional
            (attribute, label); by default all questions.

        Returns
        -------
        n, c : int arrays, shape (M,)
            Samples and correct samples; ``n`` is 0 for a question without any.
        """
        block = self.correct[self.members(segment)]
        if block.max() > 1:
            raise MetricError(
                Text("This metric needs 0/1 outcomes; these have categories above 1.")
            )
        n, c = self.samples(missing, segment), row_counts(block == 1)
        return n, c + row_counts(block == FAILED) if missing == "right" else c

    def samples(
        self, missing: Missing = "wrong", segment: Segment | None = None
    ) -> NDArray[np.int64]:
        """Count the samples of each question, shape (M,); see `counts`."""
        require_missing(missing)
        block = self.correct[self.members(segment)]
        if self.complete:
            return np.full(len(block), block.shape[1], dtype=np.int64)
        return row_counts(block >= 0 if missing == "omit" else block != ABSENT)

    def sizes(
        self, missing: Missing = "wrong", segment: Segment | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of samples n > 0 there are, and how many questions have each."""
        key = ("sizes", missing, segment)
        if key not in self._known:
            questions = np.bincount(self.samples(missing, segment))
            present = np.flatnonzero(questions[1:]) + 1
            self._known[key] = present, questions[present]
        sizes: tuple[NDArray[np.int64], NDArray[np.int64]] = self._known[key]
        return sizes

    def n_samples(self, missing: Missing = "wrong", segment: Segment | None = None) -> int:
        """Return how many samples there are in all; see `counts`."""
        n, questions = self.sizes(missing, segment)
        return int(n @ questions)

    def n_questions(self, segment: Segment | None = None) -> int:
        """Return how many questions there are, gradable or not."""
        return len(self.correct[self.members(segment)])

    def tally(self, missing: Missing = "wrong", segment: Segment | None = None) -> Tally:
        """Reduce to how many questions have each (n, c); see `counts`."""
        key = ("tally", missing, segment)
        if key not in self._known:
            self._known[key] = Tally.of_questions(*self.counts(missing, segment))
        tally: Tally = self._known[key]
        return tally

    @cached_property
    def _known(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def complete(self) -> bool:
        """Whether every question has N graded samples."""
        return bool(self.correct.min() >= 0)

    def require_complete(self) -> None:
        """Raise `MetricError` unless every question has N graded samples."""
        if not self.complete:
            raise MetricError(INCOMPLETE)


def require_missing(missing: Any) -> None:
    """Raise `MetricError` unless it is a treatment of failed requests."""
    if missing not in get_args(Missing):
        raise MetricError(
            Text("missing must be 'wrong', 'omit' or 'right'; got {got!r}.", got=missing)
        )


def no_segment(
    attribute: str, label: str | None, known: Iterable[str], labels: Iterable[str]
) -> MetricError:
    """Return the error that there is no such segment.

    attribute, label: What was asked for; without a label any segment of the attribute.
    known, labels: The attributes that there are, and the labels of this one.
    """
    names = [*known]
    if attribute in names and label is not None:
        return MetricError(
            Text(
                'Segment "{attribute}" has no label "{label}". {instead}',
                attribute=attribute,
                label=label,
                instead=instead_of(label, labels),
            )
        )
    return MetricError(
        Text(
            'There is no segment "{attribute}". {instead}',
            attribute=attribute,
            instead=instead_of(attribute, names),
        )
    )


def _verdicts(correct: Any) -> NDArray[np.int8]:
    array = as_numbers(np.asarray(correct))
    if array.ndim != 2 or 0 in array.shape:
        raise MetricError(
            Text(
                "Outcomes need a matrix of at least one question by one sample; got shape {shape}.",
                shape=array.shape,
            )
        )
    if array.dtype.kind not in "biu":
        raise MetricError(
            Text("Outcomes must be integers or booleans; got {dtype}.", dtype=str(array.dtype))
        )
    if array.min() < ABSENT or array.max() > np.iinfo(np.int8).max:
        raise MetricError(
            Text(
                "Outcomes must lie in -2 … 127; got {low} … {high}.",
                low=int(array.min()),
                high=int(array.max()),
            )
        )
    verdicts = np.array(array, dtype=np.int8, order="C")
    verdicts.flags.writeable = False
    return verdicts


def _by_scores(scores: Any) -> NDArray[np.int8]:
    """Return the verdicts that soft scores alone give."""
    if scores is None:
        raise MetricError(Text("Outcomes need verdicts (correct) or soft scores (scores)."))
    array = _numbers(scores)
    return np.where(np.isnan(array), ABSENT, array > SOLVED_ABOVE).astype(np.int8)


def _numbers(scores: Any) -> Vector:
    try:
        array = as_numbers(np.asarray(scores), missing=np.nan)
    except ValueError as error:
        raise MetricError(Text("Soft scores must have rows of one length.")) from error
    if array.dtype.kind not in "biuf":
        raise MetricError(Text("Soft scores must be numbers; got {dtype}.", dtype=str(array.dtype)))
    return np.array(array, dtype=np.float64, order="C")


def _scores(scores: Any, verdicts: NDArray[np.int8]) -> Vector:
    array = _numbers(scores)
    require_shape("Soft scores", array.shape, verdicts.shape)
    if not np.array_equal(np.isnan(array), verdicts < 0):
        raise MetricError(Text("Soft scores must be NaN exactly where a sample is missing."))
    if np.any(array < 0) or np.any(array > 1):
        raise MetricError(Text("Soft scores must lie in 0 … 1."))
    array.flags.writeable = False
    return array


def _require_length(name: str, got: int, expected: int) -> None:
    if got != expected:
        raise MetricError(
            Text(
                "{name} must have one entry for each of the {expected} questions; got {got}.",
                name=name,
                expected=expected,
                got=got,
            )
        )
