"""Votes and averages of several runs under one View, for the page, the command and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, get_args

from kofn.card import Card, Find, attempt, finder, make_cards
from kofn.choices.codec import Choices
from kofn.choices.runs import NO_VERDICTS, known_of
from kofn.choices.settings import Setting, number, one_of, run_in_detail, switch, word
from kofn.choices.view import View
from kofn.leaderboard.lines import average_cards
from metrics.analyses.consistency.consistency import (
    MARGIN,
    Consistency,
    consistency,
    mean_consistency,
)
from metrics.analyses.questions import question_statistics
from metrics.analyses.replicas.replicas import Replicas, replicas
from metrics.data.outcomes import Segment
from metrics.data.results import Estimate
from metrics.data.words import MetricError, Text
from metrics.estimating.estimation import estimate
from metrics.estimating.pooling import pool
from metrics.scoring.registry import METRICS, metric_name
from reports.run.report import Run

if TYPE_CHECKING:
    import pandas as pd

VOTE = "cons@k"
"""The vote of the k that is chosen, or of all samples."""
AXES = (VOTE, *(name for name, metric in METRICS.items() if metric.needs != "weights"))
PARTS = 200
"""The most segments of a run that are compared."""

Colour = Literal["model", "dataset", "run"]


@dataclass(frozen=True)
class VoteChoices(Choices):
    """How votes are set against averages."""

    # The two are about equal when the interval of their difference lies within it.
    margin: float = MARGIN
    by: str = ""  # An attribute whose segments are compared beside the whole run; empty for none.
    # Metrics of the axes, of `AXES`.
    x: str = "avg@n"
    y: str = VOTE
    colour: Colour = "model"  # What a colour stands for.
    region: bool = False  # Whether joint regions are drawn.
    detail: str = ""  # The run whose questions are shown; empty for the first.

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        number(
            "margin",
            (0, 1, MARGIN),
            Text(
                "a difference whose interval lies within this margin counts as about equal "
                "(default: 0.02)"
            ),
        ),
        word("by", "ATTRIBUTE", Text("also compare the segments of an attribute")),
        one_of("x", AXES, Text("the horizontal axis"), metavar="METRIC"),
        one_of("y", AXES, Text("the vertical axis"), metavar="METRIC"),
        one_of("colour", get_args(Colour), Text("what a colour stands for")),
        switch("region", Text("draw joint regions")),
        run_in_detail(Text("whose questions are shown")),
    )


class MeanAgreement(NamedTuple):
    """How far the answers of a run agree, as means over its questions."""

    mean: float  # agreement@n: the share of samples that give the most common answer.
    # The share of questions whose most common answer has more than half of the samples.
    majority: float
    confidently_wrong: float  # The share of questions whose answers agree and are wrong.


class Voting(NamedTuple):
    """How many votes are counted, of what."""

    k: int | None  # Votes; None for all samples.
    part: bool = False  # Whether they are of a segment beside its run.
    margin: float = MARGIN  # Within which vote and average are about equal.


@dataclass(frozen=True, eq=False)
class VoteResult:
    """A vote against the average; agreement where answers are known; replicas where there are."""

    compared: Consistency
    agreed: MeanAgreement | None
    replicas: Replicas | None

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each number of right samples."""
        return self.compared.to_frame()


VoteCard = Card[VoteResult, Voting]
Parts = Callable[[str, Run], Iterable[Segment]]


def count_votes(run: Run, view: View, voting: Voting) -> VoteResult:
    """Set the vote of a run against its average."""
    known = known_of(run)
    found = consistency(known, voting.k, **view.asked)
    repeated, _reason = attempt(replicas, known, **view.asked)
    return VoteResult(found, _agreed(run, view), repeated)


def parts_by(attribute: str) -> Parts:
    """Return a function that lists the segments of a run by an attribute, at most `PARTS`."""

    def parts(key: str, run: Run) -> Iterable[Segment]:
        known = run.known
        if known is None or attribute not in known.segments:
            return ()
        labels = sorted(known.labels(attribute))
        return [(attribute, label) for label in labels] if len(labels) <= PARTS else ()

    return parts


def no_parts(attribute: str) -> Text:
    """Say that no run has segments to compare by an attribute."""
    return Text(
        "No run has segments by {name} to compare, or more than {most} of them.",
        name=attribute,
        most=PARTS,
    )


def compare_votes(
    runs: Mapping[str, Run],
    view: View,
    choices: VoteChoices,
    parts: Parts | None = None,
    find: Find[VoteResult] | None = None,
) -> tuple[VoteCard, ...]:
    """Set votes against averages of every run that a View names, for each k, and of its segments.

    parts: In place of `parts_by`, such as one with a cache; a View with a segment of its own has no
        others.
    find: In place of `count_votes`, such as one with a cache.
    """
    segments = parts or parts_by(choices.by)

    def asked(key: str, run: Run) -> Iterator[tuple[View, Voting]]:
        for k in view.k or (None,):
            yield view, Voting(k, False, choices.margin)
            for segment in segments(key, run) if view.segment is None else ():
                yield replace(view, segment=segment), Voting(k, True, choices.margin)

    return make_cards(find or finder(count_votes), runs, view, asked)


def mean_votes(cards: Sequence[VoteCard]) -> tuple[VoteCard, ...]:
    """Average the votes of every model over the datasets that all ran on; none without such.

    Of several k the first counts.
    """
    whole_runs = [
        card for card in cards if not card.settings.part and card.settings.k == cards[0].settings.k
    ]
    return average_cards(whole_runs, _mean_vote)


def _mean_vote(found: Sequence[VoteResult]) -> VoteResult:
    return VoteResult(mean_consistency([each.compared for each in found]), None, None)


def axis_value(card: VoteCard, name: str) -> Estimate | Text:
    """Estimate a metric of `AXES` for a run or segment, or say why it is undefined."""
    if card.found is None:
        return card.reason or NO_VERDICTS
    if name in (VOTE, "avg@n"):
        return card.found.compared.cons if name == VOTE else card.found.compared.avg
    try:
        return estimate(
            card.run,
            metric_name(name),
            card.settings.k if METRICS[name].takes_k else None,
            answers=card.run.answers,
            **card.view.asked,
        )
    except MetricError as error:
        return error.text


def mean_axis_value(found: Sequence[Estimate | Text]) -> Estimate | Text:
    """Average what `axis_value` returned of each dataset, or say why that is undefined."""
    known = [each for each in found if isinstance(each, Estimate)]
    if len(known) < len(found):
        return next(each for each in found if isinstance(each, Text))
    mean, reason = attempt(pool, known)
    return mean or reason or NO_VERDICTS


def axis_label(name: str, cards: Sequence[VoteCard]) -> str:
    """Return the name of an axis, with its number where all runs have the same."""
    labels = {_label(name, card.found.compared, card.settings.k) for card in cards if card.found}
    return labels.pop() if len(labels) == 1 else name


def _label(name: str, found: Consistency, k: int | None) -> str:
    if name == VOTE:
        return found.label
    metric, sizes = METRICS[name], found.tally.each_n
    if metric.takes_k:
        return metric.label(k or sizes[0])
    return metric.label(sizes[0]) if len(sizes) == 1 else name


def _agreed(run: Run, view: View) -> MeanAgreement | None:
    if run.outcomes is None or run.answers is None:
        return None
    statistics = question_statistics(
        run.outcomes, run.answers, missing=view.missing, segment=view.segment
    )
    graded = statistics.n > 0
    assert statistics.agreement is not None
    return MeanAgreement(
        float(statistics.agreement.share[graded].mean()),
        float((2 * statistics.agreement.votes > statistics.n)[graded].mean()),
        float(statistics.confidently_wrong()[graded].mean()),
    )
