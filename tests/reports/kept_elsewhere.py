"""Runs whose samples stay where they are, made of runs that have them."""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from metrics import Counts, JointCounts, Outcomes
from reports.files.errors import LoadError
from reports.run.remote import BY_ID


@dataclass
class Elsewhere:
    """An engine that holds all outcomes in memory, and says how often it was asked."""

    outcomes: Outcomes
    place: str = "here"
    asked: int = 0
    gone: bool = False

    def joint(self, other, segment=None):
        self._ask()
        same = isinstance(other, Elsewhere) and other.place == self.place
        return JointCounts.of(self.outcomes, other.outcomes, segment) if same else None

    def questions(self, start, count, order=BY_ID, segment=None):
        self._ask()
        rows = np.arange(self.outcomes.shape[0])[self.outcomes.members(segment)]
        graded, right = (each[rows] for each in self.outcomes.counts("omit"))
        failed = (self.outcomes.correct[rows] == -1).sum(axis=1)
        ids = np.array(list(self.outcomes.questions), dtype=object)[rows]
        share = np.where(graded > 0, right / np.maximum(graded, 1), np.nan)
        keys = {"question": ids, "graded": graded, "right": share, "failed": failed}
        chosen = keys[order.by]
        sign = -1 if order.down else 1
        ordered = sorted(range(len(rows)), key=lambda row: str(ids[row]))
        if order.by == "question":
            ordered = ordered[::sign]
        else:
            ordered.sort(key=lambda row: (np.isnan(chosen[row]), sign * np.nan_to_num(chosen[row])))
        page = np.array(ordered[start : start + count], dtype=int)
        labels = {name: each[rows] for name, each in self.outcomes.segments.items()}
        columns = {"question": ids, "graded": graded, "right": right, "failed": failed}
        columns |= {f"segment.{name}": each for name, each in labels.items()}
        return pa.table({name: pa.array(each[page].tolist()) for name, each in columns.items()})

    def _ask(self):
        self.asked += 1
        if self.gone:
            raise LoadError("engine", "cannot be reached", "Start it.")


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
