"""Rewards and prior outcomes that the command takes as files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeVar

from kofn.choices.codec import Choices
from kofn.choices.settings import word
from kofn.choices.value_lists import read_list
from metrics.data.words import MetricError, Text, some_of

_NAMED = 3
T = TypeVar("T")


@dataclass(frozen=True)
class Given(Choices):
    """Files with rewards and prior outcomes."""

    rewards_file: str = ""  # Of a CSV with the columns category and reward; empty for none.
    prior_file: str = ""  # Of a CSV with the columns question_id and prior; empty for none.

    SETTINGS: ClassVar = (
        word(
            "rewards-from",
            "FILE",
            Text(
                "the rewards of categories 0, 1, 2 … from a CSV with the columns category and "
                "reward, in place of --rewards"
            ),
            field="rewards_file",
        ),
        word(
            "prior-from",
            "FILE",
            Text(
                "the prior outcomes of each question from a CSV with the columns question_id and "
                'prior, such as "1 1 0", in place of --prior'
            ),
            field="prior_file",
        ),
    )

    @cached_property
    def rewards(self) -> tuple[float, ...]:
        """The reward of each category, in their order; empty without a file."""
        if not self.rewards_file:
            return ()
        unfit = Text(
            "{file} must be a CSV with the columns category and reward: the categories 0, 1, 2 … "
            "once each, with different numbers.",
            file=self.rewards_file,
        )
        listed = read_list(self.rewards_file, "category", "reward", unfit)
        numbers = _numbers(listed, float, unfit)
        rewards = tuple(numbers.get(str(each), math.nan) for each in range(len(numbers)))
        if not all(map(math.isfinite, rewards)) or len({*rewards}) < 2:
            raise MetricError(unfit)
        return rewards

    @cached_property
    def prior(self) -> Mapping[str, tuple[int, ...]]:
        """The prior outcomes of each question; empty without a file."""
        if not self.prior_file:
            return {}
        unfit = Text(
            "{file} must be a CSV with the columns question_id and prior: each question once, and "
            'as many outcomes of each, such as "1 1 0".',
            file=self.prior_file,
        )
        listed = read_list(self.prior_file, "question_id", "prior", unfit)
        by_question = _numbers(listed, _outcomes, unfit)
        if len({len(outcomes) for outcomes in by_question.values()}) > 1:
            raise MetricError(unfit)
        return by_question

    def prior_of(self, questions: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the prior outcomes of some questions, in their order."""
        lacking = [question for question in questions if question not in self.prior]
        if lacking:
            raise MetricError(
                Text(
                    "{file} has no prior outcomes of {count} question: {names}.",
                    "{file} has no prior outcomes of {count} questions: {names}.",
                    count=len(lacking),
                    file=self.prior_file,
                    names=some_of(lacking, _NAMED),
                )
            )
        return [self.prior[question] for question in questions]


def _outcomes(text: str) -> tuple[int, ...]:
    found = tuple(int(each) for each in text.split())
    if not found or not all(0 <= each < 100 for each in found):
        raise ValueError
    return found


def _numbers(listed: Mapping[str, str], read: Callable[[str], T], unfit: Text) -> dict[str, T]:
    try:
        return {name: read(text) for name, text in listed.items()}
    except ValueError as error:
        raise MetricError(unfit) from error
