"""Which samples of a table are correct, and how they score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT, FAILED
from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.meaning.refusals import (
    Odd,
    called_by,
)
from reports.tables.meaning.settling import choose
from reports.tables.samples.layout import Floats, Layout
from reports.tables.schema.columns import Columns, Group
from reports.tables.schema.names import SIGNALS, key
from reports.tables.source import Source

MAX_CELLS = 500_000_000
"""Samples that counts may stand for."""
WHOLE = Text("Write how many samples each question has, and how many of them are correct.")
"""What to do where counts are none."""
_EXACT = 1e-6
_DECIMALS = (2, 3, 4, 5)
_BY_CHANCE = 3


def outcomes(
    source: Source, columns: Columns, layout: Layout, notes: list[Note]
) -> tuple[NDArray[np.int8], Floats | None, float | None]:
    """Find verdicts and soft scores.

    source, columns: The table, and the candidates for verdicts and scores.
    layout: Gives the values of a candidate as floats (R, W), NaN where it is null.
    Returns: Verdicts, 1, 0, or `FAILED` where there is none, shape (R, W); scores, shape (R, W);
    and the threshold, if verdicts had to be made of scores.
    Raises LoadError if values are out of range or all null, or candidates disagree.
    """
    laid = _Laid(layout)
    group, threshold = choose(source, columns, laid, notes)
    values = laid.values(group)
    if columns.correct:
        return _coded(values), _soft_scores(source, columns, layout, values, notes), None
    if threshold is None:
        return _coded(values), None, None
    verdict = np.where(np.isnan(values), np.nan, values > threshold)
    return _coded(verdict), values, threshold


class _Laid:
    """Columns that are in memory; what is laid out of them is kept."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._values: dict[Group, Floats] = {}

    def values(self, group: Group) -> Floats:
        if group not in self._values:
            self._values[group] = self._layout.values(group)
        return self._values[group]

    def are_empty(self, group: Group) -> bool:
        return self._layout.fits(group) and bool(np.isnan(self.values(group)).all())

    def agree(self, one: Group, other: Group) -> bool:
        if not self._layout.fits(other):
            return False
        return np.array_equal(self.values(one), self.values(other), equal_nan=True)

    def odd(self, group: Group, *, between: bool) -> Odd | None:
        values = self.values(group)
        allowed = np.isnan(values) | (values == 0) | (values == 1)
        if between:
            allowed = _is_score(values)
        if allowed.all():
            return None
        row, position = np.unravel_index(np.argmin(allowed), allowed.shape)
        count = int(np.count_nonzero(~allowed))
        return Odd(count, group[position % len(group)], int(row), float(values[row, position]))


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
        what = Text(
            "Soft scores are not used: {columns} disagree. Keep only one of them.", columns=named
        )
    elif not _is_score(first).all():
        what = Text(
            "Soft scores are not used: {columns} goes beyond the range 0 to 1.", columns=named
        )
    elif np.isnan(first[graded]).any():
        what = Text(
            "Soft scores are not used: {columns} is empty for graded samples.", columns=named
        )
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


def _is_score(values: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(values) | ((values >= 0) & (values <= 1)))


def _coded(verdict: Floats) -> NDArray[np.int8]:
    return np.nan_to_num(verdict, nan=FAILED).astype(np.int8)


def expand(
    source: Source,
    n: NDArray[np.float64],
    right: NDArray[np.float64] | None,
    rate: NDArray[np.float64] | None,
    columns: tuple[str, ...],
    notes: list[Note],
) -> NDArray[np.int8]:
    """Make a row of outcomes of each question's counts.

    n: Samples of each question. Shape (R,).
    right, rate: How many, or which share of them, are correct; one of the two. Shape (R,).
    columns: Where these come from.
    Returns: Shape (R, N).
    Raises LoadError if counts are no whole numbers with 0 <= c <= n, or a rate is no multiple of 1
    / n, rounding aside where no other multiple rounds to it.
    """
    c = np.rint(n * rate) if right is None and rate is not None else right
    assert c is not None
    fits = np.isfinite(n) & (c >= 0) & (c <= n) & (np.floor(n) == n) & (np.floor(c) == c)
    if rate is not None:
        off = np.abs(rate - c / np.maximum(n, 1))
        offs = ((d, np.abs(rate - np.round(rate, d)).max(initial=0)) for d in _DECIMALS)
        decimals = next((d for d, most in offs if most <= _EXACT), None)
        if decimals is not None:
            _require_precise(source, n, rate, decimals, columns)
        if decimals is not None and (off[fits] > _EXACT).any():
            fits &= off <= 0.5 * 10.0**-decimals + _EXACT
            what = Text(
                "Rates are rounded to {decimals} decimals; each stands for the only share of n "
                "that rounds to it.",
                decimals=decimals,
            )
            notes.append(Note(what, source.place))
        else:
            fits &= off <= _EXACT
    if not fits.all():
        row = int(np.argmin(fits))
        raise source.error(
            Text(
                "row {row} has {c:g} of {n:g} samples; counts are whole, from 0 to n",
                row=row + 1,
                c=c[row] if rate is None else n[row] * rate[row],
                n=n[row],
            ),
            WHOLE,
            *columns,
        )
    width = int(n.max())
    if width == 0 or len(n) * width > max(MAX_CELLS // 50, min(MAX_CELLS, 4 * int(n.sum()))):
        raise source.error(
            Text(
                "{questions} questions of up to {width} samples are too uneven or too many",
                questions=len(n),
                width=width,
            ),
            Text("Check the column of numbers of samples."),
            *columns,
        )
    samples = np.arange(width)
    verdict = np.where(samples < c[:, None], np.int8(1), np.int8(0))
    verdict[samples >= n[:, None]] = ABSENT
    what = Text(
        "The table counts correct samples without their order: kofn lists the right ones of a "
        "question first. Anything that depends on the order of the samples is unknown."
    )
    notes.append(Note(what, source.place))
    return verdict


def _require_precise(
    source: Source,
    n: NDArray[np.float64],
    rate: NDArray[np.float64],
    decimals: int,
    columns: tuple[str, ...],
) -> None:
    """Refuse rates that several counts round to; two or three may have few decimals by chance."""
    most = n.max()
    if most > 10**decimals and len(np.unique(rate[(rate > 0) & (rate < 1)])) > _BY_CHANCE:
        raise source.error(
            Text(
                "rates have {decimals} decimals, so several numbers of {most:,g} samples round to "
                "the same",
                decimals=decimals,
                most=most,
            ),
            Text("Write how many samples of each question are correct."),
            *columns,
        )
