"""Answers of several runs as codes of one kind: equal code, equal answer, whoever gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import outcome_matrix

Codes = NDArray[Any]
_CUT = "…"
"""The end of a label that is only the beginning of a long answer."""


def shared_answers(
    runs: Mapping[str, Any], given: Mapping[str, Any] | None
) -> tuple[dict[str, Codes], Callable[[int], str]]:
    """Return the answers of the runs that have any, as codes of one kind, and what names a code.

    Those of the runs are matched by their labels, and an answer of which a run knows only the
    beginning is none; `given` codes are of one kind.
    """
    if given is not None:
        return {name: outcome_matrix(each, "answers") for name, each in given.items()}, str
    known: dict[str, int] = {}
    found: dict[str, Codes] = {}
    for name, run in runs.items():
        answers, own_labels = (getattr(run, part, None) for part in ("answers", "answer_labels"))
        if answers is not None and own_labels is not None:
            own = np.full(len(own_labels) + 1, -1, dtype=np.int64)
            for place, label in enumerate(own_labels):
                if label and not label.endswith(_CUT):
                    own[place] = known.setdefault(label, len(known))
            found[name] = own[answers]
    labels = tuple(known)
    return found, lambda code: labels[code]
