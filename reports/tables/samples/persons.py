"""Human labels of samples and questions, and their sampling probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from metrics.data.words import Text
from reports.files.notes import Note
from reports.tables.samples.layout import Floats
from reports.tables.schema.names import LABELS, PROBABILITIES
from reports.tables.source import Source

_LABEL = Text("a label is 0 or 1, and empty where nobody looked")
_CHANCE = Text("a chance lies between 0 and 1")


def checked(
    source: Source, columns: Iterable[tuple[str, Floats]], notes: list[Note]
) -> Iterator[tuple[str, Floats]]:
    """Return columns of numbers, without those of a person that cannot be what they are called.

    Parameters
    ----------
    columns : iterable of (str, float array)
        NaN where there is no number.
    """
    for name, values in columns:
        if name in LABELS:
            allowed, rule = np.isnan(values) | (values == 0) | (values == 1), _LABEL
        elif name in PROBABILITIES:
            allowed, rule = np.isnan(values) | ((values >= 0) & (values <= 1)), _CHANCE
        else:
            yield name, values
            continue
        if allowed.all():
            yield name, values
            continue
        at = np.unravel_index(np.argmin(allowed), allowed.shape)
        what = Text(
            "{column} is left out: row {row:,} holds {value:g}; {rule}.",
            column=name,
            row=int(at[0]) + 1,
            value=float(values[at]),
            rule=rule,
        )
        notes.append(Note(what, source.place, severity="warning"))
