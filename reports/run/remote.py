"""Queries to a run whose samples stay elsewhere, such as in a cluster's table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from metrics.data.joint_counts import JointCounts
from metrics.data.outcomes import Missing, Segment
from metrics.data.words import Text

if TYPE_CHECKING:
    import pyarrow as pa

COUNTS_ALONE = Text(
    "Its samples stay where they are. kofn knows how many of each question are right, but not "
    "which samples repeat one another, which questions belong together, or any text."
)

COLUMNS = ("question", "graded", "right", "failed")
"""What is listed of each question, before a column ``segment.NAME`` for each attribute."""
By = Literal["question", "share", "right", "samples", "failed"]


class ListOrder(NamedTuple):
    """How a list of questions is ordered; questions that are alike, by their ids."""

    # Its id; the share of right samples, of which a question without any comes last; how many are
    # right; how many there are; or how many failed. Right ones and samples are counted as
    # `Which.missing` says, such as `Outcomes.counts` does.
    by: By = "question"
    down: bool = False  # Whether the largest come first.


class Which(NamedTuple):
    """Which questions are listed."""

    missing: Missing = "wrong"  # What failed requests count as.
    segment: Segment | None = None  # (attribute, label).
    # The lowest and the highest share of right samples; a question without any has none.
    share: tuple[float, float] | None = None
    failed: bool = False  # Whether only those with a failed request are.


BY_ID, EVERY = ListOrder(), Which()


Joined = JointCounts | None
"""What two runs show of each question; None where they are not of one place."""


class Remote(Protocol):
    """Where the samples of a run are, and what it answers about them."""

    def joints(self, pairs: Sequence[Pair], segment: Segment | None = None) -> list[Joined]:
        """Count the questions by what the runs of each pair show, of all pairs in one pass.

        A question that only one of them has is counted too, with no sample of the other. There is
        None of a pair that is not of one place.

        Raises LoadError if the place cannot be asked any more.
        """

    def questions(
        self, start: int, count: int, order: ListOrder = BY_ID, which: Which = EVERY
    ) -> pa.Table:
        """List some of the questions, from one place of the order on.

        Returns: `COLUMNS`, as they are whatever failed requests count as, and the labels of each
        question: at most ``count`` rows.
        Raises LoadError if the place cannot be asked any more.
        """


Pair = tuple[Remote, Remote]
"""The places of two runs."""
