"""Questions whose reference may be wrong, according to several runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.consistency.modal_answers import agreement
from metrics.analyses.references.agreeing import (
    AgreedAnswer,
    Wrong,
    agreed_on_wrong,
    shared_answers,
)
from metrics.analyses.references.item_rest import Relation, concordance, fewest_runs, relation_of
from metrics.data.evidence import Evidence, answer_codes, outcomes_or_counts
from metrics.data.frames import rows_frame
from metrics.data.inputs import outcome_matrix, require_level
from metrics.data.names import MetricName
from metrics.data.outcomes import FAILED, Missing, Outcomes, Segment
from metrics.data.shown import result
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate
from metrics.scoring.registry import find_metric

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

Reason = Literal["agreed", "inverse", "never"]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""Why a question is suspected, the strongest first."""
_MOST_OF = 0.5
_CELLS = 2_000_000
"""Of more samples than so many, every few of the questions tell what chance is."""


@dataclass(frozen=True)
class Suspect:
    """A question whose reference is worth checking.

    Attributes
    ----------
    question : str
    right, samples : int
        Of all runs together.
    agreed : AgreedAnswer or None
        The wrong answer on which runs agree, more than chance explains.
    inverse : Relation or None
        How surely better runs do worse on it.
    """

    question: str
    right: int
    samples: int
    agreed: AgreedAnswer | None
    inverse: Relation | None

    @property
    def never(self) -> bool:
        """Whether no sample of any run is right."""
        return self.right == 0

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it is suspected."""
        holds = {"agreed": self.agreed is not None, "inverse": self.inverse is not None}
        return tuple(name for name in REASONS if holds.get(name, self.never))


@result
class Suspects:
    """The questions whose reference is worth checking.

    Attributes
    ----------
    questions : tuple of Suspect
        Those with most reasons first, then the strongest.
    runs : tuple of str
    n_questions : int
        Those that all runs have.
    n_dropped : int
        Questions that not all of them have, which are not looked at.
    looked_at : mapping of str to int
        For each reason, in how many questions it was looked for, a number it is adjusted for; 0
        where it cannot be told.
    unknown : mapping of str to Text
        Why a reason cannot be told from these runs.
    confidence_level : float
    """

    questions: tuple[Suspect, ...]
    runs: tuple[str, ...]
    n_questions: int
    n_dropped: int
    looked_at: Mapping[Reason, int]
    unknown: Mapping[Reason, Text]
    confidence_level: float

    def of(self, reasons: Collection[Reason] = REASONS) -> tuple[Suspect, ...]:
        """Return the questions with any of the given reasons."""
        return tuple(each for each in self.questions if {*reasons} & {*each.reasons})

    def to_frame(self) -> DataFrame:
        """Return a row for each question; needs pandas."""
        return rows_frame(
            [
                {
                    "question": each.question,
                    **{name: name in each.reasons for name in REASONS},
                    "right": each.right,
                    "samples": each.samples,
                    "answer": each.agreed and each.agreed.answer,
                    "runs_agreeing": each.agreed and len(each.agreed.runs),
                    "p_value": each.agreed and each.agreed.p_value,
                    "tau": each.inverse and each.inverse.tau,
                    "tau_low": each.inverse and each.inverse.interval.low,
                    "tau_high": each.inverse and each.inverse.interval.high,
                }
                for each in self.questions
            ]
        )


def suspects(
    runs: Mapping[str, Any],
    answers: Mapping[str, Any] | None = None,
    *,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    confidence_level: float = 0.95,
) -> Suspects:
    """List the questions that are worth checking, with reasons.

    Reasons are: runs agree on one wrong answer more than chance explains, better runs surely do
    worse, or no sample of any run is right. A hard question and a common mistake look the same, so
    read each one. Runs of one family share mistakes and count for less than they seem.

    Parameters
    ----------
    runs : mapping of str to Run or Outcomes
        At least two, of different models on one dataset.
    answers : mapping of str to int array_like, shape (M, N), optional
        Codes of the extracted answers of runs, where equal codes mean equal answers in all runs. By
        default the answers of the runs, matched by their labels.
    missing, segment
        As in `estimate`.
    confidence_level : float
        For all claims about relations together. Of the answers agreed on, at most the share 1 -
        ``confidence_level`` is listed by chance.

    Returns
    -------
    Suspects

    Raises
    ------
    MetricError
        If there are fewer than two runs, or they have no question in common.

    Examples
    --------
    Of 40 questions three runs give each their own wrong answers, but to the first all say 7:

    >>> from kofn.metrics import Outcomes
    >>> right = [[0]] + [[1]] * 19 + [[0]] * 20
    >>> runs = {name: Outcomes(right) for name in "abc"}
    >>> codes = {name: [[7]] + [[1]] * 19 + [[100 + 50 * i + j] for j in range(20)]
    ...          for i, name in enumerate(runs)}
    >>> found = suspects(runs, codes)
    >>> first = found.questions[0]
    >>> first.question, first.reasons, first.agreed.answer, first.agreed.p_value < 0.05
    ('0', ('agreed', 'never'), '7', True)
    >>> len(found.questions), str(found.unknown["inverse"])
    (21, 'All runs do equally well on every question.')
    """
    if len(runs) < 2:
        raise MetricError(Text("A reference can be checked only with two runs or more."))
    require_level(confidence_level)
    sides = {name: _outcomes(run) for name, run in runs.items()}
    questions = _shared(sides, segment)
    if not len(questions):
        raise MetricError(Text("The runs have no question in common."))
    rows = {name: side.questions.places(questions) for name, side in sides.items()}
    counts = [side.counts(missing) for side in sides.values()]
    n, c = (
        np.stack([each[part][row] for each, row in zip(counts, rows.values(), strict=True)])
        for part in (0, 1)
    )
    graded = np.asarray((n > 0).all(axis=0))
    error = 1 - confidence_level
    unknown: dict[Reason, Text] = {}
    agreed, among = _agreed(runs, answers, sides, rows, graded, error, unknown)
    inverse, differing = _inverse(n, c, graded, error, unknown)
    suspected = [
        Suspect(
            questions[row],
            int(c[:, row].sum()),
            int(n[:, row].sum()),
            agreed.get(row),
            inverse.get(row),
        )
        for row in range(len(questions))
        if graded[row] and (row in agreed or row in inverse or not c[:, row].any())
    ]
    suspected.sort(key=_strength)
    dropped = len({each for side in sides.values() for each in _members(side, segment)})
    return Suspects(
        tuple(suspected),
        tuple(runs),
        int(graded.sum()),
        dropped - int(graded.sum()),
        {"agreed": among, "inverse": differing, "never": int(graded.sum())},
        unknown,
        confidence_level,
    )


def _strength(each: Suspect) -> tuple[object, ...]:
    """Sort by the number of reasons, then by how strong they are."""
    return (
        -len(each.reasons),
        1.0 if each.agreed is None else each.agreed.p_value,
        0.0 if each.inverse is None else each.inverse.tau,
        -each.samples,
    )


def _outcomes(run: Any) -> Outcomes:
    given = outcomes_or_counts(run)
    return given if isinstance(given, Outcomes) else Outcomes(outcome_matrix(given, "data"))


def _members(side: Outcomes, segment: Segment | None) -> list[str]:
    return list(side.questions.take(np.arange(len(side.questions))[side.members(segment)]))


def _shared(sides: Mapping[str, Outcomes], segment: Segment | None) -> list[str]:
    """Return the questions that all have, in the order of the first."""
    first, *others = sides.values()
    have = [set(_members(side, segment)) for side in others]
    return [each for each in _members(first, segment) if all(each in known for known in have)]


def _agreed(
    runs: Mapping[str, Any],
    answers: Mapping[str, Any] | None,
    sides: Mapping[str, Outcomes],
    rows: Mapping[str, NDArray[np.intp]],
    graded: NDArray[np.bool_],
    error: float,
    unknown: dict[Reason, Text],
) -> tuple[dict[int, AgreedAnswer], int]:
    """Return the questions on which runs agree on a wrong answer, and of how many that are wrong.

    A run says what more than half of its samples say.
    """
    codes, named = shared_answers(runs, answers)
    if len(codes) < 2:
        unknown["agreed"] = Text("Fewer than two of the runs have answers, so none can agree.")
        return {}, 0
    common_wrong = np.full((len(codes), len(graded)), -1, dtype=np.int64)
    wrong = []
    looked = graded & (np.arange(len(graded)) % (1 + _samples(sides) // _CELLS) == 0)
    for run, (name, own) in enumerate(codes.items()):
        verdicts = sides[name].correct[rows[name]]
        given = answer_codes(own, sides[name].correct)[rows[name]]
        agreed = agreement(given, (verdicts >= FAILED).sum(axis=1))
        right = ((given == agreed.answer[:, None]) & (verdicts == 1)).any(axis=1)
        sure = graded & (agreed.answer >= 0) & (agreed.share > _MOST_OF) & ~right
        common_wrong[run, sure] = agreed.answer[sure]
        each = np.nonzero((given >= 0) & (verdicts == 0) & looked[:, None])
        wrong.append(np.stack((np.full(len(each[0]), run), each[0], given[each])))
    every = Wrong(*np.concatenate(wrong, axis=1))
    known = dict(agreed_on_wrong(common_wrong, every, tuple(codes), named))
    among = int(((common_wrong >= 0).sum(axis=0) >= 2).sum())
    return {run: each for run, each in known.items() if each.p_value <= error}, among


def _samples(sides: Mapping[str, Outcomes]) -> int:
    return sum(side.correct.size for side in sides.values())


def _inverse(
    n: NDArray[np.int64],
    c: NDArray[np.int64],
    graded: NDArray[np.bool_],
    error: float,
    unknown: dict[Reason, Text],
) -> tuple[dict[int, Relation], int]:
    """Return the questions on which better runs surely do worse, and how many were looked at.

    Those that all runs do alike are not.
    """
    scores = c[:, graded] / n[:, graded]
    differing = np.flatnonzero(graded)[np.ptp(scores, axis=0) > 0]
    if not len(differing):
        unknown["inverse"] = Text("All runs do equally well on every question.")
        return {}, 0
    fewest = fewest_runs(error / len(differing))
    if len(n) < fewest:
        unknown["inverse"] = Text(
            "It takes {fewest} runs to see whether better ones do worse on any of {count} "
            "question; there are {runs}.",
            "It takes {fewest} runs to see whether better ones do worse on any of {count} "
            "questions; there are {runs}.",
            count=len(differing),
            fewest=fewest,
            runs=len(n),
        )
        return {}, 0
    ahead = dict(zip(np.flatnonzero(graded).tolist(), concordance(scores).tolist(), strict=True))
    relations = {
        place: relation_of(ahead[place], len(n), error / len(differing))
        for place in differing.tolist()
    }
    return {place: each for place, each in relations.items() if each.inverse}, len(differing)


def without(
    run: Any,
    questions: Collection[str],
    metric: MetricName = "avg@n",
    k: int | None = None,
    *,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    **options: Any,
) -> float:
    """Return a metric of a run on all but some questions, such as suspected ones.

    It has no interval: where questions are chosen by these same outcomes, what is left looks better
    than it is.

    Parameters
    ----------
    run : Run, Outcomes or array_like of 0/1, shape (M, N)
    questions : collection of str
        Left out.
    metric, k, missing, segment, **options
        As in `estimate`.

    Raises
    ------
    MetricError
        As `estimate`, and if no question is left.

    Examples
    --------
    >>> without([[1, 0], [0, 0], [1, 1]], ["1"])
    0.75
    """
    given = Evidence(_outcomes(run), missing, segment, getattr(run, "answers", None))
    out = set(questions)
    left = np.array([each not in out for each in given.ids], dtype=bool)
    if not left.any():
        raise MetricError(Text("No question is left."))
    part = given.only(given.rows[left])
    if part.answers is not None and find_metric(metric).needs == "answers":
        options = {"answers": part.answers} | options
    return estimate(part.data, metric, k, missing=missing, **options).value
