"""Counts of correct samples as rows of outcomes, right ones first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.data.outcomes import ABSENT
from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.source import Source

MAX_CELLS = 500_000_000
"""Samples that counts may stand for."""
WHOLE = Text("Write how many samples each question has, and how many of them are correct.")
"""What to do where counts are none."""
_EXACT = 1e-6
_DECIMALS = (2, 3, 4, 5)
_BY_CHANCE = 3


def expand(
    source: Source,
    n: NDArray[np.float64],
    right: NDArray[np.float64] | None,
    rate: NDArray[np.float64] | None,
    columns: tuple[str, ...],
    notes: list[Note],
) -> NDArray[np.int8]:
    """Make a row of outcomes of each question's counts.

    Parameters
    ----------
    n : float array (R,)
        Samples of each question.
    right, rate : float array (R,) or None
        How many, or which share of them, are correct; one of the two.
    columns : tuple of str
        Where these come from.

    Returns
    -------
    int8 array (R, N)

    Raises
    ------
    LoadError
        If counts are no whole numbers with 0 <= c <= n, or a rate is no multiple of 1 / n, rounding
        aside where no other multiple rounds to it.
    """
    c = np.rint(n * rate) if right is None and rate is not None else right
    assert c is not None
    fits = np.isfinite(n) & (c >= 0) & (c <= n) & (np.floor(n) == n) & (np.floor(c) == c)
    if rate is not None:
        off = np.abs(rate - c / np.maximum(n, 1))
        decimals = next((d for d in _DECIMALS if _have_decimals(rate, d)), None)
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
                "row {row:,} has {c:g} of {n:g} samples; counts are whole, from 0 to n",
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
                "{questions:,} questions of up to {width:,} samples are too uneven or too many",
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


def _have_decimals(rate: NDArray[np.float64], decimals: int) -> bool:
    return bool((np.abs(rate - np.round(rate, decimals)) <= _EXACT).all())


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
