"""Rules by which sampling for a vote ends early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from metrics.data.inputs import require_count, require_share
from metrics.data.words import MetricError, Text

Name = Literal["decided", "confidence", "windows"]


@dataclass(frozen=True)
class Decided:
    """Stop when no further sample could change the winner: its lead exceeds the samples left.

    Its answer is that of a vote of all samples.

    Examples
    --------
    >>> from metrics import adaptive_vote
    >>> found = adaptive_vote([[1, 1, 1, 0]] * 40, Decided(), answers=[[7, 7, 7, 8]] * 40)
    >>> round(found.samples.value, 2)
    3.75
    """

    name: ClassVar[Name] = "decided"

    @staticmethod
    def ends(
        first: NDArray[np.intp], second: NDArray[np.intp], left: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Return whether sampling ends, by the votes of the two that lead and the samples left."""
        return np.asarray(first - second > left)


@dataclass(frozen=True)
class Confidence:
    r"""Stop when the leading answer is likely enough to stay ahead of the next.

    With :math:`v_1 \ge v_2` votes for the two that lead, it stops when :math:`1 - I_{1/2}(v_1 + 1,
    v_2 + 1)` exceeds the threshold [1]_: the chance, under a uniform prior, that the first of these
    two is the more frequent.

    Parameters
    ----------
    threshold : float, default: 0.95
        In [0.5, 1).

    References
    ----------
    .. [1] P. Aggarwal, A. Madaan, Y. Yang and Mausam, "Let's sample step by step:
       Adaptive-Consistency for efficient reasoning and coding with LLMs", EMNLP 2023.

    Examples
    --------
    Four equal answers, and none else, are enough:

    >>> votes = np.arange(6)
    >>> Confidence().ends(votes, np.zeros_like(votes)).tolist()
    [False, False, False, False, True, True]
    """

    threshold: float = 0.95
    name: ClassVar[Name] = "confidence"

    def __post_init__(self) -> None:
        if require_share(self.threshold, "threshold") < 0.5:
            problem = Text("threshold must be at least 0.5; got {got:g}.", got=self.threshold)
            raise MetricError(problem)

    def ends(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return whether sampling ends, by the votes of the two leading answers."""
        return np.asarray(1 - betainc(first + 1, second + 1, 0.5) > self.threshold)


@dataclass(frozen=True)
class Windows:
    """Stop after the first window of samples that all give the same answer.

    Where no window does, all samples vote [1]_.

    Parameters
    ----------
    width : int, default: 4
        Samples of a window, 2 at least.

    References
    ----------
    .. [1] Y. Li et al., "Escape sky-high cost: early-stopping self-consistency for multi-step
       reasoning", ICLR 2024.

    Examples
    --------
    >>> from metrics import adaptive_vote
    >>> found = adaptive_vote([[1, 1, 1, 0]] * 40, Windows(2), answers=[[7, 7, 7, 8]] * 40)
    >>> found.samples.value
    3.0
    """

    width: int = 4
    name: ClassVar[Name] = "windows"

    def __post_init__(self) -> None:
        if require_count(self.width, "width") < 2:
            raise MetricError(Text("width must be 2 or more; got {got}.", got=self.width))


Stopping = Decided | Confidence | Windows
