"""Runs whose samples stay where they are, made of runs that have them."""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from metrics import FAILED, Counts, JointCounts, Outcomes
from reports.files.errors import LoadError
from reports.run.remote import BY_ID, EVERY

COUNTS = ("graded", "right", "failed")


@dataclass
class Elsewhere:
    """An engine that holds all outcomes in memory, and says how often it was asked."""

    outcomes: Outcomes
    place: str = "here"
    asked: int = 0
    gone: bool = False
    answers: int = 1_000_000

    def joints(self, pairs, segment=None):
        self._ask()
        return [
            JointCounts.of(one.outcomes, other.outcomes, segment) if _alike(one, other) else None
            for one, other in pairs
        ]

    def questions(self, start, count, order=BY_ID, which=EVERY):
        self._ask()
        held = self.outcomes
        rows = np.arange(held.shape[0])[held.members(which.segment)]
        n, c = (each[rows] for each in held.counts(which.missing))
        graded, right = (each[rows] for each in held.counts("omit"))
        failed = (held.correct[rows] == FAILED).sum(axis=1)
        share = [c / n if n else None for c, n in zip(c.tolist(), n.tolist(), strict=True)]
        ids = [held.questions[row] for row in rows]
        keys = {"question": ids, "share": share, "right": c, "samples": n, "failed": failed}
        low, high = which.share or (-1, 2)
        listed = [
            place
            for place, part in enumerate(share)
            if (which.share is None or (part is not None and low <= part <= high))
            and (failed[place] or not which.failed)
        ]
        listed.sort(key=lambda place: ids[place])
        key = keys[order.by]
        known = [place for place in listed if key[place] is not None]
        known.sort(key=lambda place: key[place], reverse=order.down)
        page = [*known, *(place for place in listed if key[place] is None)][start : start + count]
        columns = {"question": ids, "graded": graded, "right": right, "failed": failed}
        columns |= {f"segment.{name}": each[rows] for name, each in held.segments.items()}
        return pa.table(
            {
                name: pa.array(
                    [each[place] for place in page],
                    pa.int64() if name in COUNTS else pa.string(),
                )
                for name, each in columns.items()
            }
        )

    def _ask(self):
        self.asked += 1
        if self.gone or self.asked > self.answers:
            raise LoadError("engine", "cannot be reached", "Start it.")


def _alike(one, other):
    return all(isinstance(each, Elsewhere) for each in (one, other)) and one.place == other.place


def kept_elsewhere(run, place="here"):
    """Return a run that only has the counts of this one, and what else needs no samples."""
    return replace(
        run,
        outcomes=None,
        counts=Counts.of(run.outcomes),
        remote=Elsewhere(run.outcomes, place),
        answers=None,
        columns={},
        labels={},
        question_columns={},
        store=None,
        facts=None,
    )
