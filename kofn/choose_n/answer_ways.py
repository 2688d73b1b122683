"""Ways to get one answer out of n samples, side by side on the same samples of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from kofn.card import attempt
from kofn.choices.runs import TOKENS, outcomes_of
from kofn.choices.signals import column_of, made_to_pick, numbers_of, signal_name
from kofn.choices.view import View
from kofn.choose_n.prices import Priced, in_tokens, price_run
from kofn.choose_n.pricing import Pricing
from kofn.choose_n.sequential_stopping import Ending, stop_sequentially
from metrics import Estimate, short_or_long
from metrics.analyses.candidates.ways import Way
from metrics.analyses.choose_n.tradeoff import trade_off
from metrics.analyses.choose_n.weighing import weigh
from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.question import Question
from metrics.data.words import Text
from metrics.estimating.applicability import require_supported
from metrics.estimating.estimation import difference_of, mean_of
from metrics.estimating.pooling import mean_apart
from metrics.scoring.registry import METRICS, Metric
from metrics.scoring.scores import QuestionScores, difference
from reports.run.report import Run

Kind = Literal["checked", "picked", "voted", "early", "short", "short voted", "one"]
SIGNALS = 8
"""The most signals that are set side by side."""
SHORT = 4
"""As many short answers take the tokens of a long one."""


@dataclass(frozen=True, eq=False)
class AnswerWay:
    """How one answer comes out of several samples, and what that gains beyond a free way."""

    kind: Kind
    k: int  # The most samples.
    value: Estimate  # Share of questions answered right.
    paid: float | None = None  # For a question.
    spelled: Callable[[float], Text] | None = None  # Spells that.
    signal: Text | None = None
    cut: float | None = None  # The most tokens of a short answer.
    # What it is set against: a vote of as many samples, or one answer.
    free: Literal["voted", "one"] | None = None
    free_value: Estimate | None = None
    gain: Estimate | None = None  # What it solves beyond that, paired question by question.

    @property
    def cost(self) -> Text | None:
        """What a question costs."""
        return None if self.paid is None or self.spelled is None else self.spelled(self.paid)


class AskedWay(NamedTuple):
    """What is asked of a run: what its samples cost, and how many each way takes."""

    pricing: Pricing
    k: int


@dataclass(frozen=True, eq=False)
class _Sides:
    """Two ways on the same k samples of the questions of a run."""

    run: Run
    evidence: Evidence
    question: Question
    k: int

    @property
    def vote(self) -> MetricName:
        """The metric of a vote: by answers where they are known."""
        return "maj@k" if self.run.answers is None else "plurality@k"

    def scores(self, way: str | Way) -> QuestionScores:
        """Return the scores of the questions by a metric, or by a signal that picks."""
        metric: Metric = METRICS[way] if isinstance(way, str) else way.metric(self.run)
        k = self.k if metric.takes_k else None
        require_supported(metric, self.evidence, k, self.question)
        if isinstance(way, str):
            found = metric.scores(self.evidence, self.k if k else self.evidence.n_min, {})
        else:
            found = way.scores(self.run, self.evidence, np.array([self.k]))[0]
        return found.once().each_question(self.evidence)

    def mean(self, way: str | Way) -> Estimate:
        """Return what a way solves."""
        return mean_of(self.scores(way), self.evidence, self.question)

    def beyond(self, way: str | Way, free: str) -> Estimate:
        """Return what a way solves beyond a free one."""
        gained = difference(self.scores(free), self.scores(way))
        return difference_of(gained, self.evidence, self.question)


def _sides(run: Run, view: View, k: int) -> _Sides:
    question = Question("population", view.level, view.missing, view.segment)
    return _Sides(run, question.evidence(outcomes_of(run), run.answers), question, k)


def compare_with_free(run: Run, view: View, signal: str, k: int) -> AnswerWay:
    """Set a pick by a signal against a vote; without a signal a vote against one answer."""
    sides = _sides(run, view, k)
    if not signal:
        return _compare(sides, "voted", sides.vote, "one")
    picked = _compare(sides, "picked", Way(numbers_of(run, signal)), "voted")
    return replace(picked, signal=signal_name(signal, column_of(run, signal)))


def _compare(sides: _Sides, kind: Kind, way: str | Way, free: Literal["voted", "one"]) -> AnswerWay:
    other = sides.vote if free == "voted" else "avg@n"
    return AnswerWay(
        kind,
        sides.k,
        sides.mean(way),
        free=free,
        free_value=sides.mean(other),
        gain=sides.beyond(way, other),
    )


def ways_of(run: Run, view: View, asked: AskedWay) -> tuple[AnswerWay, ...]:
    """Set all ways to get one answer side by side, the one that is right most often first."""
    return tuple(sorted(_ways(run, view, asked), key=lambda way: -way.value.value))


def mean_ways(found: Sequence[Sequence[AnswerWay]]) -> tuple[AnswerWay, ...]:
    """Average the ways that a model has on each of several datasets, which count equally."""

    def kind(way: AnswerWay) -> tuple[str, str]:
        return way.kind, str(way.signal or "")

    each = [{kind(way): way for way in ways} for ways in found]
    shared = [name for name in each[0] if all(name in ways for ways in each)]
    means = (mean_way([ways[name] for ways in each]) for name in shared)
    return tuple(sorted(means, key=lambda way: -way.value.value))


def mean_way(ways: Sequence[AnswerWay]) -> AnswerWay:
    """Average a way over datasets, which are independent, with the limits of each (MOVER)."""
    first, *others = ways
    if not others:
        return first
    paid = [way.paid for way in ways if way.paid is not None]
    return replace(
        first,
        value=_mean([way.value for way in ways]) or first.value,
        paid=fmean(paid) if len(paid) == len(ways) else None,
        cut=first.cut if len({way.cut for way in ways}) == 1 else None,
        free_value=_mean([way.free_value for way in ways]),
        gain=_mean([way.gain for way in ways]),
    )


def _mean(estimates: Sequence[Estimate | None]) -> Estimate | None:
    found = [each for each in estimates if each is not None]
    return mean_apart(found) if len(found) == len(estimates) else None


def _ways(run: Run, view: View, asked: AskedWay) -> Iterator[AnswerWay]:
    sides, k = _sides(run, view, asked.k), asked.k
    priced = price_run(run, asked.pricing)
    table = trade_off(weigh(sides.evidence, "pass@k", priced.costs, verifier=True), view.level)
    each = float(table.cost[0])
    yield AnswerWay("one", 1, sides.mean("avg@n"), each, priced.amount)
    if k == 1:
        return
    checked, _ = attempt(_compare, sides, "checked", "pass@k", "voted")
    if checked is not None:
        paid = float(table.cost[table.index(k)])
        yield replace(checked, paid=paid, spelled=priced.amount)
    for signal in ["", *_signals(run, asked.pricing.picked_by)]:
        found, _ = attempt(compare_with_free, run, view, signal, k)
        if found is not None:
            yield replace(found, paid=k * each, spelled=priced.amount)
    sequential, _ = attempt(_sequential, run, view, k, priced)
    if sequential is not None:
        yield sequential
    if TOKENS in run.columns:
        used: dict[Kind, MetricName] = {"short": "pass@k", "short voted": sides.vote}
        for kind, metric in used.items():
            short, _ = attempt(_short, run, view, kind, min(SHORT, k), metric)
            if short is not None:
                yield short


def _signals(run: Run, chosen: str) -> list[str]:
    """Return the signals of a run that may pick, the chosen one first."""
    others = [name for name in made_to_pick(run) if name != column_of(run, chosen)]
    return [*filter(None, [chosen]), *others][:SIGNALS]


def _sequential(run: Run, view: View, k: int, priced: Priced) -> AnswerWay:
    """Return votes that end by the rule that pays most; where none does, once they are decided."""
    sequential = stop_sequentially(run, view, Ending(), range(1, k + 1, 2), k, priced.costs)
    vote = sequential.vote or sequential.curves["decided"].at(sequential.cap)
    return AnswerWay(
        "early",
        sequential.cap,
        vote.value,
        vote.cost.value,
        priced.amount,
        free="voted",
        gain=vote.gain,
    )


def _short(run: Run, view: View, kind: Kind, k: int, metric: MetricName) -> AnswerWay:
    """Return what k answers solve that are cut so that they take the tokens of a long one."""
    split = short_or_long(run, TOKENS, k, metric, **view.asked_but_target)
    return AnswerWay(
        kind,
        k,
        split.short.value,
        split.short.spent.value,
        in_tokens,
        cut=split.short.budget,
        free="one",
        free_value=split.long.value,
        gain=split.gain,
    )
