"""What the references of MMMU say of their questions: split, subject and discipline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from metrics.outcomes import Outcomes
from reports.errors import LoadError
from reports.evaluations.grading import Grades
from reports.evaluations.marking import Marks
from reports.json_text import parse
from reports.reconcile import in_split

EVALUATOR = "MMMUEvaluator"
KEYS = ("split", "category", "l2-category")
LONGEST = 64
"""Letters of a label."""


def has_splits(stated: Iterable[str], evaluator: str | None) -> bool:
    """Return whether metrics, or their evaluator, are of splits such as ``[dev]: Overall``."""
    return evaluator == EVALUATOR or any(map(in_split, stated))


def with_splits(
    marks: Marks, grades: Grades, read_golds: Callable[[], Sequence[str | None]]
) -> Outcomes:
    """Return the outcomes with the labels of their references as segments, if all have them.

    Parameters
    ----------
    marks : Marks
    grades : Grades
    read_golds : callable
        Returns the reference of each id as JSON, where the grades have none.
    """
    outcomes = marks.outcomes
    if grades.references is None:
        rows, references = range(len(outcomes.correct)), read_golds() if marks.by_id else ()
    else:
        rows, references = marks.rows.tolist(), grades.references
    labels: dict[str, list[str]] = {key: [""] * len(outcomes.correct) for key in KEYS}
    for row, reference in zip(rows, references, strict=False):
        said = _parsed(reference) if reference else {}
        for key in KEYS if reference else ():
            label = said.get(key)
            if not isinstance(label, str) or len(label) > LONGEST:
                return outcomes
            labels[key][row] = label
    if not any(labels["split"]):
        return outcomes
    return Outcomes(outcomes.correct, outcomes.scores, segments=labels)


def _parsed(reference: str) -> Mapping[str, object]:
    try:
        found = parse(reference.encode("utf-8", "surrogatepass"), "")
    except LoadError:
        return {}
    return found if isinstance(found, Mapping) else {}
