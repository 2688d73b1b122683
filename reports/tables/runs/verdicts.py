"""Which samples of a table are correct, and how they score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import FAILED
from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.columns.columns import Columns, Group
from reports.tables.columns.names import NUMBERED, RATE, SIGNALS, key
from reports.tables.runs.layout import Floats, Layout
from reports.tables.source import Source

THRESHOLD = 0.5
"""A score above it counts as correct where no column gives verdicts."""

VERDICT = Text("a verdict is 0 or 1")
SCORE = Text("a score lies between 0 and 1")


def outcomes(
    source: Source, columns: Columns, layout: Layout, notes: list[Note]
) -> tuple[NDArray[np.int8], Floats | None, float | None]:
    """Find verdicts and soft scores.

    Parameters
    ----------
    source, columns
        The table, and the candidates for verdicts and scores.
    layout : Layout
        Gives the values of a candidate as floats (R, W), NaN where it is null.
    notes : list of Note
        Grows by what was decided.

    Returns
    -------
    verdict : int8 array (R, W)
        1, 0, or `FAILED` where there is none.
    score : float array (R, W) or None
    threshold : float or None
        The threshold, if verdicts had to be made of scores.

    Raises
    ------
    LoadError
        If values are out of range or all null, or candidates disagree.
    """
    if columns.correct:
        verdict = _agreed(source, "correct", columns.correct, layout)
        _require(source, columns.correct[0], verdict, _is_verdict(verdict), VERDICT)
        return _coded(verdict), _soft_scores(source, columns, layout, verdict, notes), None
    score = _agreed(source, "score", columns.score, layout)
    (name, *_), *_ = columns.score
    is_rate = columns.shape == "long" and columns.sample is None and RATE.fullmatch(key(name))
    if is_rate and not _is_verdict(score).all() and "score" not in source.chosen:
        problem = Text(
            "{column} holds fractions: if they are rates of several samples, add the number of "
            "these as a column n; if each is the score of one sample, say so",
            column=name,
        )
        raise source.ask(problem, "score", (name,))
    _require(source, columns.score[0], score, _is_score(score), SCORE)
    if _is_verdict(score).all():
        return _coded(score), None, None
    what = Text(
        "No column says which samples are correct; a score above {threshold} counts as correct.",
        threshold=THRESHOLD,
    )
    notes.append(Note(what, source.place, severity="warning"))
    verdict = np.where(np.isnan(score), np.nan, score > THRESHOLD)
    return _coded(verdict), score, THRESHOLD


def _soft_scores(
    source: Source, columns: Columns, layout: Layout, verdict: Floats, notes: list[Note]
) -> Floats | None:
    """Return the scores that stand beside verdicts, or leave them out with a note."""
    if not columns.score:
        return None
    first, *others = map(layout.values, columns.score)
    named = ", ".join(group[0] for group in columns.score)
    graded = ~np.isnan(verdict)
    if any(not np.array_equal(first, other, equal_nan=True) for other in others):
        what = Text("No soft scores: {columns} disagree. Keep only one of them.", columns=named)
    elif not _is_score(first).all():
        what = Text("No soft scores: {columns} leaves the range 0 to 1.", columns=named)
    elif np.isnan(first[graded]).any():
        what = Text("No soft scores: {columns} is empty for graded samples.", columns=named)
    else:
        return None if np.array_equal(first[graded], verdict[graded]) else first
    notes.append(Note(what, source.place, severity="warning"))
    return None


def signals_of(
    columns: Columns, layout: Layout, verdict: NDArray[np.int8], score: Floats | None
) -> dict[str, Group]:
    """Return the scores beside verdicts that are no soft scores, or are named as a reward is."""
    if not columns.correct:
        return {}
    graded = verdict >= 0
    return {
        called_by(group): group
        for group in columns.score
        if layout.fits(group)
        and (key(called_by(group)) in SIGNALS or score is None)
        and not np.array_equal(layout.values(group)[graded], verdict[graded])
    }


def _agreed(source: Source, role: str, groups: tuple[Group, ...], layout: Layout) -> Floats:
    (first, *others) = groups
    agreed = layout.values(first)
    if others and np.isnan(agreed).all():
        return _agreed(source, role, tuple(others), layout)
    for other in others:
        if layout.fits(other) and np.isnan(layout.values(other)).all():
            continue
        if not layout.fits(other) or not np.array_equal(
            agreed, layout.values(other), equal_nan=True
        ):
            problem = Text(
                "{first} and {other} could both be the outcomes, and they disagree",
                first=called_by(first),
                other=called_by(other),
            )
            raise source.ask(problem, role, tuple(map(called_by, groups)))
    return agreed


def called_by(group: Group) -> str:
    """Name a column, or what numbered columns have in common."""
    match = NUMBERED.fullmatch(group[0])
    return match[1] if match and len(group) > 1 else group[0]


def _require(
    source: Source, group: tuple[str, ...], values: Floats, allowed: NDArray[np.bool_], rule: Text
) -> None:
    if not allowed.all():
        row, position = np.unravel_index(np.argmin(allowed), allowed.shape)
        raise source.error(
            Text(
                "row {row:,} holds {value:g}; {rule}",
                row=int(row) + 1,
                value=values[row, position],
                rule=rule,
            ),
            Text(
                "Write verdicts as 0 or 1, and soft scores from 0 to 1, so percentages divided by "
                "100, in a column named score."
            ),
            group[position % len(group)],
        )
    if np.isnan(values).all():
        raise source.error(
            Text("is empty in every row"),
            Text("Write 1 for right, 0 for wrong, and null only where a request failed."),
            group[0],
        )


def _is_verdict(values: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(values) | (values == 0) | (values == 1))


def _is_score(values: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(values) | ((values >= 0) & (values <= 1)))


def _coded(verdict: Floats) -> NDArray[np.int8]:
    return np.nan_to_num(verdict, nan=FAILED).astype(np.int8)
