"""The signal that picks a candidate, and what counts as right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, file_setting, number, one_of, run_in_detail, switch, word
from metrics.analyses.candidates.weighted_vote import Weighing
from metrics.analyses.ranking_metrics.gains import Gain
from metrics.data.words import Text

LARGEST = 1e12


@dataclass(frozen=True)
class Picking(Choices):
    """How one of several candidates is picked.

    Examples
    --------
    >>> Picking("reward", soft=True).to_query()
    {'signal': ['reward'], 'soft': ['yes']}
    """

    # The column that speaks for a sample, as `kofn.choices.signals.numbers_of` takes it; empty for
    # that of `kofn.choices.signals.default_signal`.
    signal: str = ""
    # What is taken of the signals of the samples that give an answer, for a weighted vote; None for
    # the sum, or the mean of a signal that goes below 0.
    vote: Weighing | None = None
    gain: Gain = "linear"  # What a soft score s is worth in a list: s, or 2^s - 1.
    # Of a weighted mean: numbers for the places of a list, separated by commas, or a column; empty
    # for no such mean.
    weights: str = ""
    soft: bool = False  # Whether the soft score is what a pick pays, and not the verdict.
    judge: str = ""  # The column of a judge whose errors are corrected; empty for the verdicts.
    threshold: float = 0.5  # What a number of the judge must reach to call a sample right.
    strict: bool = False  # Whether it must exceed it.
    # Whether signal and k are chosen on half of the questions and judged on the other.
    nested: bool = False
    detail: str = ""  # The run that is drawn; empty for the one that picking makes best.

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        word(
            "signal",
            "COLUMN",
            Text(
                "the column that picks: the sample with the highest value, or with a minus sign "
                "in front the lowest, as in --signal=-tokens_out (default: the first column of "
                "numbers)"
            ),
        ),
        one_of(
            "vote",
            get_args(Weighing),
            Text(
                "how a weighted vote combines the signals for an answer (default: their sum, or "
                "their mean where some are below 0)"
            ),
        ),
        one_of(
            "gain",
            get_args(Gain),
            Text("the worth of a soft score s in a list: s (default) or 2^s - 1"),
        ),
        word(
            "weights",
            "W,W,…|COLUMN",
            Text(
                "the weights of a weighted mean of a list: one for each place, or a column "
                "(default: no such mean)"
            ),
        ),
        switch("soft", Text("count soft scores, not verdicts (default: no)")),
        word(
            "judge", "COLUMN", Text("the judge whose errors are corrected (default: the verdicts)")
        ),
        number(
            "threshold",
            (-LARGEST, LARGEST, 0.5),
            Text("the score from which the judge calls a sample right (default: 0.5)"),
            metavar="NUMBER",
        ),
        switch("strict", Text("whether the judge must exceed the threshold (default: no)")),
        switch(
            "nested",
            Text(
                "choose signal and k on one half of the questions and judge on the other "
                "(default: no)"
            ),
        ),
        run_in_detail(Text("the run that is drawn")),
    )


@dataclass(frozen=True)
class CommandFurther(Choices):
    """What a command is told beside the runs."""

    # The path of a table with human labels, and the numbers of a judge; empty for none.
    calibration: str = ""
    texts: bool = False  # Whether the texts of candidates are compared, which takes a while.

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        file_setting(
            "calibration",
            Text("a table with human or human_group and the judge's column, of any answers"),
        ),
        switch(
            "texts", Text("compare the texts of candidates too, which takes a while"), bare=True
        ),
    )
