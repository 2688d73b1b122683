"""Suggest which page to open next for a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kofn.choices.focus import Focus
from kofn.compare.choices import CompareChoices
from kofn.overview.analysis import Dataset
from kofn.questions.filters import QuestionFilter
from metrics.data.words import Text
from metrics.estimating.caveats import NOTABLE_FAILURES

Goal = Literal[
    "budgets",
    "choose_n",
    "compare",
    "consistency",
    "guidance",
    "inventory",
    "questions",
    "saturation",
    "soft_hard",
]


@dataclass(frozen=True)
class NextStep:
    """A page that goes on."""

    goal: Goal
    label: Text
    query: dict[str, list[str]]


def next_steps(dataset: Dataset) -> tuple[NextStep, ...]:
    """Return what to do next about a dataset; where n is to be chosen, to weigh tokens, too."""
    step = next_step(dataset)
    if step.goal != "choose_n" or not any(fact.tokens for fact in dataset.facts.values()):
        return (step,)
    return step, NextStep(
        "budgets", Text("Short answers"), step.query | {"more": ["short-answers"]}
    )


def next_step(dataset: Dataset) -> NextStep:
    """Return what to do next about a dataset: what stands in the way first."""
    field, here = dataset.field, Focus(dataset.name).to_query()
    doubts = {key: fact.doubts for key, fact in dataset.facts.items()}
    kinds = {doubt.kind for doubted in doubts.values() for doubt in doubted}
    if field.one_try is None or "unknown" in kinds:
        return NextStep("inventory", Text("What is missing"), {})
    failing = [
        key
        for key, doubted in doubts.items()
        for doubt in doubted
        if doubt.kind == "failed" and doubt.count > NOTABLE_FAILURES * doubt.all
    ]
    if failing:
        chosen = QuestionFilter(a=failing[0], kind="failed").to_query()
        return NextStep("questions", Text("Failed requests"), chosen)
    if field.k == 1:
        return NextStep("guidance", Text("Ask for more samples"), here)
    if field.crossed is not None or not field.one_try.ahead:
        return NextStep("choose_n", Text("Choose n"), here)
    other, base = list(field.one_try.estimates)[:2]
    return NextStep("compare", Text("Compare"), here | CompareChoices(base, other).to_query())
