"""What the place of a run in the decision matrix means, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kofn.choices.view import one_try
from kofn.writing.estimates import NA
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import (
    DIMENSIONS,
    PROFILES,
    Cell,
    Dimension,
    Level,
    Profile,
)
from metrics.analyses.guidance.precision import Status
from metrics.data.words import Text

SETTLED = 0.95
"""A place is settled where one cell holds this share of the draws."""
FAR = 100
"""More than so many times the questions there are is out of reach."""
_HIDDEN = 0.1

LEVEL_NAMES: Mapping[Level, Text] = {
    "low": Text("low"),
    "medium": Text("medium"),
    "high": Text("high"),
}
STATUS_NAMES: Mapping[Status, Text] = {
    "met": Text("met"),
    "not met": Text("not met"),
    "undecided": Text("undecided"),
}
PRINCIPLES: Mapping[Dimension, Text] = {
    "pass": Text("potential: what is solved at all, if one right try is enough"),
    "cons": Text("stability: what most tries get right"),
    "avg": Text("overall quality: how good a single try is"),
}
IMPOSSIBLE = Text(
    "Cannot occur: where most samples of a question are right, at least one is, so cons@k never "
    "exceeds pass@k."
)
RULE_OF_THUMB = Text(
    "How many questions would settle something is a rule of thumb: intervals shrink with the "
    "square root of the number of questions. More samples of each question narrow them less, since "
    "questions differ however often they are asked."
)


def is_judged(found: Guidance) -> bool:
    """Whether there is more than a single try to judge by, which shows neither spread nor vote."""
    return found.k > 1


def describe_cell(found: Guidance, cell: Cell) -> Text:
    """Name a cell, such as "pass@4 high, avg@4 medium, cons@4 low"."""
    first, second, third = (
        Text("{metric} {level}", metric=found.label(dimension), level=LEVEL_NAMES[level])
        for dimension, level in zip(DIMENSIONS, cell, strict=True)
    )
    return Text("{first}, {second}, {third}", first=first, second=second, third=third)


def level_words(level: Level, found: Guidance) -> Text:
    """Say where a level lies, such as "> 80%"."""
    low, high = line(found.low), line(found.high)
    if level == "medium":
        return Text("{low} to {high}", low=low, high=high)
    return Text("> {high}", high=high) if level == "high" else Text("< {low}", low=low)


def line(fraction: float) -> str:
    """Write a line between levels, or a target."""
    return f"{100 * fraction:.4g}%"


def profile_of(cell: Cell) -> Profile | None:
    """Return AISBench's row for a cell, if it has one."""
    return next((profile for profile in PROFILES if profile.cell == cell), None)


def place(found: Guidance) -> Iterator[Text]:
    """Yield where the run stands in the matrix, and what would settle it; nothing of one try."""
    if not is_judged(found):
        return
    first, *others = found.likely(SETTLED)
    if not others:
        yield Text("{place}.", place=describe_cell(found, first))
        return
    yield _between(found, first, others)
    needed, questions = found.questions(), found.estimates["avg"].n_questions
    yield Text("The place is open: {settling}.", settling=settling(needed, questions))


def _between(found: Guidance, first: Cell, others: Sequence[Cell]) -> Text:
    likeliest, next_one = (
        Text(
            "{cell} ({share:.0%})",
            cell=describe_cell(found, cell),
            share=found.probability[cell],
        )
        for cell in (first, others[0])
    )
    if len(others) == 1:
        return Text("Undecided between {first} and {second}.", first=likeliest, second=next_one)
    return Text(
        "Undecided between {first}, {second} and {count} more cell of the matrix.",
        "Undecided between {first}, {second} and {count} more cells of the matrix.",
        count=len(others) - 1,
        first=likeliest,
        second=next_one,
    )


def settling(needed: int | None, questions: int) -> Text:
    """Say how many questions would settle what is open."""
    if needed is None or needed > FAR * questions:
        return Text("too close to a line for any practical number of questions to settle it")
    if needed <= questions:
        return Text("somewhat more questions would settle it")
    return Text(
        "about {needed:,} questions like these would settle it, {times:.1f} times as many",
        needed=needed,
        times=needed / questions,
    )


def pitfalls(found: Guidance) -> Iterator[Text]:
    """Yield AISBench's pitfalls where they apply to this run."""
    values = {dimension: found.estimates[dimension].value for dimension in DIMENSIONS}
    if found.k == 1:
        yield one_try(known=found.n == 1)
        return
    if (found.cell[0], found.cell[2]) == ("high", "low"):
        yield Text(
            "Do not neglect {cons}: {passed:.0%} of the questions are solved by some of {k} tries, "
            "but only {voted:.0%} by most of them. In production that is unstable.",
            cons=found.label("cons"),
            passed=values["pass"],
            k=found.k,
            voted=values["cons"],
        )
    low, high = found.open_ranges["cons"]
    if high - low > _HIDDEN:
        yield Text(
            "{avg} alone hides how it comes about: at {value:.0%}, {cons} could be anything from "
            "{cons_low:.0%} to {cons_high:.0%} and {passes} from {pass_low:.0%} to {pass_high:.0%}."
            " Here they are {voted:.0%} and {passed:.0%}.",
            avg=found.label("avg"),
            value=values["avg"],
            cons=found.label("cons"),
            cons_low=low,
            cons_high=high,
            passes=found.label("pass"),
            pass_low=found.open_ranges["pass"].low,
            pass_high=found.open_ranges["pass"].high,
            voted=values["cons"],
            passed=values["pass"],
        )


NO_AGREEMENT = Text(
    "N/A: whether samples agree takes extracted answers, and at least two of each question."
)


def bias_words(found: Guidance) -> Text:
    """Say how likely the row of systematic bias is with agreement instead of cons@k."""
    if found.agreement is None or found.bias is None:
        return NA
    return Text(
        "{share:.0%}: on {agreed:.0%} of the questions more than half of the samples agree",
        share=found.bias,
        agreed=found.agreement.value,
    )
