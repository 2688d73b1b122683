"""What can be asked about a run whose samples stayed where they are, as in a cluster's table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from metrics.data.joint_counts import JointCounts
from metrics.data.outcomes import Segment
from metrics.data.words import Text

if TYPE_CHECKING:
    import pyarrow as pa

COUNTS_ALONE = Text(
    "Its samples stay where they are: known here is how many of each question are right, not which "
    "samples repeat one another, which questions belong together, nor any text."
)

By = Literal["question", "graded", "right", "failed"]
COLUMNS: tuple[By, ...] = ("question", "graded", "right", "failed")
"""What is listed of each question, before a column ``segment.NAME`` for each attribute."""


class Order(NamedTuple):
    """How a list of questions is ordered; questions that are alike, by their ids.

    Attributes
    ----------
    by : {"question", "graded", "right", "failed"}
        A column of the list; ``"right"`` is the share of right samples among the graded ones, of
        which a question without any comes last.
    down : bool
        Whether the largest come first.
    """

    by: By = "question"
    down: bool = False


BY_ID = Order()


class Remote(Protocol):
    """Where the samples of a run are, and what it answers about them."""

    def joint(self, other: Remote, segment: Segment | None = None) -> JointCounts | None:
        """Count the questions by what two runs show of each; None if not of one place.

        A question that only one of them has is counted too, with no sample of the other.

        Raises
        ------
        LoadError
            If the place cannot be asked any more.
        """

    def questions(
        self, start: int, count: int, order: Order = BY_ID, segment: Segment | None = None
    ) -> pa.Table:
        """List some of the questions, from one place of the order on.

        Returns
        -------
        pyarrow.Table
            `COLUMNS` and the labels of each question: at most ``count`` rows.

        Raises
        ------
        LoadError
            If the place cannot be asked any more.
        """
