"""Which samples a person should look at: a random share, and apart from it the dubious picks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from metrics.analyses.judges.strata import Strata, draw_by_kind
from metrics.analyses.judges.verdicts import HUMAN, HUMAN_GROUP, PROBABILITY, UNSURE
from metrics.data.aligned_numbers import aligned_numbers
from metrics.data.arrays import Flags, Integers, Vector
from metrics.data.evidence import Evidence
from metrics.data.frames import Rows, frame
from metrics.data.inputs import require_count
from metrics.data.outcomes import Segment
from metrics.data.shown import result
from metrics.data.tally import row_counts
from metrics.data.words import Enumerated, MetricError, Text

if TYPE_CHECKING:
    from metrics.data.frames import DataFrame

AT_RANDOM, DISAGREEMENT = "at random", "disagreement"
Each = Literal["one", "all", "question"]
EACH = ("one", "all", "question")


@result
class SpotCheck(Rows):
    """Samples for a person to look at: those drawn at random first, then those that were chosen.

    Attributes
    ----------
    question_id : array of str, shape (R,)
    sample : int array, shape (R,)
        Its place among the samples of the question, from 0; -1 for all of them together.
    why : array of str, shape (R,)
        ``"at random"`` or ``"disagreement"``.
    human_probability : float array, shape (R,)
        The chance of its being drawn; 0 where it was chosen, which says nothing about other
        samples.
    human : float array, shape (R,)
        For the person to fill in: 1 right, 0 wrong, NaN where nobody looked yet.
    human_unsure : float array, shape (R,)
        1 where a person looked and cannot tell, else NaN.
    groups : bool
        Whether the label is of a question: does any of its samples meet the bar?
    """

    question_id: NDArray[np.str_]
    sample: Integers
    why: NDArray[np.str_]
    human_probability: Vector
    human: Vector
    human_unsure: Vector
    groups: bool = False

    def to_frame(self) -> DataFrame:
        """Return a table to fill in and load again; it does not tell what a judge said."""
        label = HUMAN_GROUP if self.groups else HUMAN
        of_samples = ({"sample": self.sample}, {UNSURE: self.human_unsure})
        place, open_at = ({}, {}) if self.groups else of_samples
        return frame(
            {
                "question_id": self.question_id,
                **place,
                "why": self.why,
                label: self.human,
                **open_at,
                f"{label}{PROBABILITY}": self.human_probability,
            }
        )


def spot_check(
    data: Any,
    by: Any = None,
    against: Any = None,
    *,
    questions: int = 50,
    picked: int = 20,
    each: Each = "one",
    strata: Strata | None = None,
    segment: Segment | None = None,
    rng: int = 0,
) -> SpotCheck:
    """List samples for a person to look at.

    The random share keeps the labels unbiased, for `prediction_powered` and `judge_errors`. The
    others are picks of a selector on which two signals disagree most, where a gamed selector shows
    first. With the same seed a longer list has all random samples of a shorter one, and labels that
    a run already has are filled in.

    Parameters
    ----------
    data : Run, Outcomes or array_like of 0/1, shape (M, N)
    by : str or array_like of float, shape (M, N), optional
        The signal that picks; without it and ``against`` the list is the random share alone.
    against : str or array_like of float, shape (M, N), optional
        Another signal. Their disagreement on a sample is the distance between its two ranks among
        all samples.
    questions : int, default: 50
        Questions (with ``strata``, samples) drawn at random, or all where there are fewer.
    picked : int, default: 20
        The most picks that are listed besides.
    each : {"one", "all", "question"}
        What is labelled for a drawn question: one sample, drawn at random, which is most precise
        for avg@n; all its samples, for pass@k; or the question, whether any sample meets the bar.
    strata : Strata, optional
        Kinds of samples: samples are then drawn at random within each, more of those that weigh
        more and are less sure. However much of the list is labelled from the top, it is such a
        draw. Such labels are for `labelled_rate`.
    segment : tuple of str, optional
        (attribute, label) of a subset of the questions of Outcomes.
    rng : int
        Seed.

    Returns
    -------
    SpotCheck

    Raises
    ------
    MetricError
        If there are fewer questions than are to be drawn, or one signal without the other.

    Examples
    --------
    >>> right = [[1, 0], [0, 0], [1, 1], [0, 1]]
    >>> reward, judge = [[3, 1], [9, 2], [5, 6], [7, 8]], [[7, 1], [2, 3], [5, 6], [4, 8]]
    >>> found = spot_check(right, reward, judge, questions=2, picked=1)
    >>> found.question_id.tolist(), found.human_probability.tolist()
    (['0', '2', '1'], [0.25, 0.25, 0.0])
    """
    evidence = Evidence(data, "omit", segment)
    held = evidence.matrix >= 0
    m = require_count(questions, "questions")
    if m > len(held) and strata is None:
        raise MetricError(
            Text("{count} questions cannot be drawn from {all}.", count=m, all=len(held))
        )
    if each not in EACH:
        raise MetricError(
            Text("each must be one of {known}; got {got!r}.", known=Enumerated(EACH), got=each)
        )
    if (by is None) != (against is None):
        raise MetricError(Text("Signals disagree where there are two; got one of them."))
    random = np.random.default_rng(rng)
    if strata is not None:
        drawn, chances = draw_by_kind(held, strata.only(evidence), m, random)
    else:
        rows = np.sort(random.permutation(len(held))[:m])
        drawn, chances = _draw_share(rows, held, each, random)
    chosen = np.zeros((0, 2), dtype=np.int64)
    if by is not None and each != "question":
        first, second = (_signal(data, evidence, one) for one in (by, against))
        chosen = _disputed(first, second, held, drawn, picked)
    places = np.concatenate([drawn, chosen])
    return SpotCheck(
        np.array(evidence.ids)[places[:, 0]],
        places[:, 1],
        np.repeat([AT_RANDOM, DISAGREEMENT], [len(drawn), len(chosen)]),
        np.concatenate([chances, np.zeros(len(chosen))]),
        _labels(data, evidence, places, HUMAN_GROUP if each == "question" else HUMAN),
        _labels(data, evidence, places, UNSURE),
        each == "question",
    )


def _draw_share(
    rows: Integers, held: Flags, each: Each, random: np.random.Generator
) -> tuple[Integers, Vector]:
    """Return question and place of each sample of the random share, and the chance of each."""
    share = len(rows) / len(held)
    if each == "question":
        return np.column_stack([rows, np.full(len(rows), -1)]), np.full(len(rows), share)
    if each == "all":
        inside, columns = held[rows].nonzero()
        return np.column_stack([rows[inside], columns]), np.full(len(columns), share)
    keys = np.where(held, random.random(held.shape), -1.0)[rows]
    return np.column_stack([rows, keys.argmax(axis=1)]), share / row_counts(held[rows])


def _labels(data: Any, evidence: Evidence, places: Integers, name: str) -> Vector:
    """Return the labels that a run has already."""
    groups = name == HUMAN_GROUP
    columns = getattr(data, "question_columns" if groups else "columns", None)
    known = columns.get(name) if isinstance(columns, Mapping) else None
    if known is None:
        return np.full(len(places), np.nan)
    rows, samples = evidence.rows[places[:, 0]], places[:, 1]
    return np.asarray(known[rows] if groups else known[rows, samples], dtype=np.float64)


def _signal(data: Any, evidence: Evidence, by: Any) -> Vector:
    return evidence.of_rows(aligned_numbers(data, by, evidence.shape))


def _disputed(first: Vector, second: Vector, held: Flags, drawn: Integers, most: int) -> Integers:
    """Return the picks of the first signal on which the second disagrees most."""
    known = held & ~np.isnan(first) & ~np.isnan(second)
    disagreement = np.full(first.shape, -1.0)
    ranks = (scipy.stats.rankdata(each[known]) for each in (first, second))
    disagreement[known] = np.abs(next(ranks) - next(ranks)) / max(int(known.sum()) - 1, 1)
    ranked = np.where(held & ~np.isnan(first), first, -np.inf)
    best = np.column_stack([np.arange(len(first)), ranked.argmax(axis=1)])
    disputed = disagreement[best[:, 0], best[:, 1]]
    listed = set(map(tuple, drawn.tolist()))
    order = [row for row in np.argsort(-disputed, kind="stable") if disputed[row] > 0]
    new = [row for row in order if tuple(best[row].tolist()) not in listed]
    return best[new[:most]]
