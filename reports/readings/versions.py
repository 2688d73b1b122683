"""Which version of a changed rule judged a run."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.data.words import Text
from reports.files.progress import Progress, meter
from reports.rescoring.rules import VERSIONS, Version, prepared
from reports.run.report import Run
from reports.run.texts import Store


def version_of(run: Run, progress: Progress | None = None) -> Text | None:
    """Say which version of its rule gave all verdicts of a run; None where not just one did."""
    known = VERSIONS.get(str(run.settings.get("postprocessor")), ())
    if not known or run.outcomes is None or run.store is None:
        return None
    work = partial(_fitting, versions=known, correct=run.outcomes.correct)
    fitting = run.store.apply(work, progress)
    return known[fitting[0]].name if len(fitting) == 1 else None


def _fitting(
    store: Store,
    progress: Progress | None,
    *,
    versions: tuple[Version, ...],
    correct: NDArray[np.int8],
) -> list[int]:
    """Return the places of the versions that give all verdicts, thoughts cut off or not."""
    rows = len(correct)
    references = {row: texts.reference for row, texts in store.read_questions(range(rows))}
    fitting = {(place, cut) for place in range(len(versions)) for cut in (False, True)}
    at = meter(progress, rows)
    for done, (row, predictions) in enumerate(store.read_predictions(rows)):
        at("", done)
        for text, verdict in zip(predictions, correct[row].tolist(), strict=False):
            if text is None or verdict < 0:
                continue
            read = text, prepared(None)(text)
            fitting = {
                (place, cut)
                for place, cut in fitting
                if (versions[place].extract(read[cut]) == references.get(row)) == bool(verdict)
            }
    return sorted({place for place, _ in fitting})
