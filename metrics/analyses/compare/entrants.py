"""Several runs under one question: each by itself, any two against one another, and together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import combinations
from typing import Any

import numpy as np

from metrics.analyses.compare.best import Means
from metrics.analyses.compare.blends import Drawn, draw_all
from metrics.analyses.compare.compare import compare_sides
from metrics.analyses.compare.difference import Difference
from metrics.analyses.compare.pairwise import OnOneSet, Pair
from metrics.analyses.compare.sides import Sides, on_the_same, with_row_ids
from metrics.data.arrays import Vector
from metrics.data.evidence import Evidence, scores_as_outcomes
from metrics.data.question import Question
from metrics.data.results import Estimate
from metrics.estimating.estimation import estimate_entry
from metrics.estimating.limits import limits
from metrics.scoring.registry import Metric, metric_name
from metrics.scoring.scores import QuestionScores


@dataclass(frozen=True, eq=False)
class Entrants:
    """Runs that are compared by a metric."""

    runs: Mapping[str, Any]
    metric: Metric
    k: int | None
    question: Question
    options: Mapping[str, Any]
    # Says of two runs whether equal ids are the same question; None where they are.
    same_questions: Callable[[Any, Any], bool] | None = None
    _sides: dict[str, Evidence] = field(default_factory=dict, init=False)
    _pairs: dict[tuple[str, str], Sides] = field(default_factory=dict, init=False)
    _scored: dict[Evidence, QuestionScores] = field(default_factory=dict, init=False)

    @cached_property
    def drawn(self) -> int | None:
        """The samples drawn, by default the fewest of any question; None of a metric without k."""
        return self.fewest if self.k is None and self.metric.takes_k else self.k

    @property
    def fewest(self) -> int:
        """The fewest samples of any question of any run: the largest k that all support."""
        return min(self.side(name).n_min for name in self.runs)

    def side(self, name: str) -> Evidence:
        """Return what the answers to a run's questions rest on."""
        if name not in self._sides:
            run = self.runs[name]
            given = scores_as_outcomes(run) if self.metric.needs == "soft" else run
            self._sides[name] = self.question.evidence(with_row_ids(given))
        return self._sides[name]

    def estimate(self, name: str) -> Estimate:
        """Estimate the metric of a run."""
        return estimate_entry(self.metric, self.side(name), self.drawn, self.question, self.options)

    def _scores(self, side: Evidence) -> QuestionScores:
        if side not in self._scored:
            k = self.drawn or self.fewest
            self._scored[side] = self.metric.scores(side, k, self.options).once()
        return self._scored[side]

    def at(self, k: int) -> Entrants:
        """Return the same with so many samples drawn."""
        found = replace(self, k=k)
        found._sides.update(self._sides)
        return found

    def same(self, one: str, other: str) -> bool:
        """Return whether equal ids are the same question in both."""
        return self.same_questions is None or self.same_questions(self.runs[one], self.runs[other])

    def two(self, one: str, other: str) -> Sides:
        """Return two runs side by side."""
        if (one, other) not in self._pairs:
            sides, given = (self.side(one), self.side(other)), (self.runs[one], self.runs[other])
            self._pairs[one, other] = Sides.of_both(given, sides, self.same(one, other))
        return self._pairs[one, other]

    def difference(
        self, one: str, other: str, level: float | None = None, drawn: Drawn | None = None
    ) -> Difference:
        """Say how much better the other is than the one, at this level or another."""
        question = self.question if level is None else self.question.at(level)
        name = metric_name(self.metric.name)
        return compare_sides(self.two(one, other), name, self.drawn, question, self.options, drawn)

    def pairwise(self, names: Sequence[str]) -> OnOneSet | None:
        """Return each two of several runs compared at once, for questions like these.

        None where that cannot be: they differ in their questions, or these are not known one by
        one, or the metric has no bounds or no score of a single question.
        """
        sides, entry = [self.side(name) for name in names], self.metric
        if self.question.target != "population" or entry.needs == "posterior" or entry.parts:
            return None
        if len(sides) < 2 or not all(on_the_same(sides[0], side) for side in sides[1:]):
            return None
        scores = [self._scores(side) for side in sides]
        if not all(each.bounded for each in scores):
            return None
        return OnOneSet(names, sides, scores, self.question)

    def one_by_one(self, names: Sequence[str]) -> dict[Pair, Difference]:
        """Say how much better each run is than each after it, pair by pair."""
        drawn = None
        if self.metric.parts is not None and self.question.target == "population":
            sides = [self.side(name) for name in names]
            drawn = draw_all(self.metric, sides, self.drawn or self.fewest, self.options)
        return {
            (names[place], names[after]): self.difference(
                names[after], names[place], drawn=drawn and drawn.of_two(after, place)
            )
            for place, after in combinations(range(len(names)), 2)
        }

    def means(self, names: Sequence[str], paired: bool = True) -> tuple[Means, bool]:
        """Return the means of runs on the questions that all answered.

        For these questions, and where runs are not paired, they are independent; so they are, too,
        where only counts are known and joint counts do not tell how they vary together, which the
        second value says.
        """
        sides: Sequence[Evidence] = [self.side(name) for name in names]
        covariance = None
        population = self.question.target == "population"
        shared_questions, independent = paired and population, False
        if population and any(side.counts_only for side in sides):
            known = self._vary_together(names)
            sides, covariance = known or (sides, None)
            shared_questions, independent = False, known is None
        shared = (_on_shared(sides) if shared_questions else []) or list(sides)
        scores = [self._scores(side) for side in shared]
        if shared_questions:
            columns = [
                each.each_question(side).values for each, side in zip(scores, shared, strict=True)
            ]
            return Means.of(np.stack(columns, axis=1), shared[0].clusters), independent
        if covariance is None:
            variances = []
            for each, side in zip(scores, shared, strict=True):
                size, width = limits(each, side, self.question.at(0.95))[1], each.high - each.low
                share = (each.mean - each.low) / width
                variances.append(width**2 * share * (1 - share) / max(size, 1.0))
            covariance = np.diag(variances)
        values = np.array([each.mean for each in scores])
        return Means(values, covariance).opened(scores[0].n_questions), independent

    def side_by_side(self, names: Sequence[str]) -> Means | None:
        """Return the means of runs on the questions that all have; None where these are unknown.

        None as well for a blend of dataset means.
        """
        if self.metric.parts or not all(self.same(name, names[0]) for name in names[1:]):
            return None
        means, independent = self.means(names)
        return None if independent else means

    def _vary_together(self, names: Sequence[str]) -> tuple[Sequence[Evidence], Vector] | None:
        """Return runs and the covariance of their means, shape (R, R), by joint counts of each two.

        On the questions that all answered. None where that cannot be known: two without joint
        counts, three or more of which some lack questions, or a single question.
        """
        covariance = np.empty((len(names), len(names)))
        shared: dict[int, Evidence] = {}
        for places in combinations(reversed(range(len(names))), 2):
            two = self.two(*(names[place] for place in places))
            if two.joint is None or two.questions.sum() < 2 or (two.dropped and len(names) > 2):
                return None
            shared |= zip(places, two.both, strict=True)
            both = np.stack([self._scores(side).values for side in two.both])
            weights = two.questions
            covariance[np.ix_(places, places)] = np.cov(both, fweights=weights) / weights.sum()
        return [shared[place] for place in range(len(names))], covariance


def _on_shared(sides: Sequence[Evidence]) -> list[Evidence]:
    """Return all runs on the questions that each of them answered; none if there is none."""
    outcomes = [side.outcomes for side in sides]
    first = outcomes[0]
    assert first is not None
    same_questions = all(
        each is not None and each.questions == first.questions for each in outcomes
    )
    if same_questions and all(np.array_equal(side.rows, sides[0].rows) for side in sides):
        return list(sides)
    named = [[side.outcomes.questions[row] for row in side.rows] for side in sides if side.outcomes]
    known = reduce(set.intersection, map(set, named))
    ids = [name for name in named[0] if name in known]
    return [
        side.only(side.outcomes.questions.places(ids)) for side in sides if side.outcomes and ids
    ]
