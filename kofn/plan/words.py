"""What a benchmark can show, and what it takes to show more, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from charts.contours import Contour, ContourMark, ContoursWords
from kofn.leaderboard.words import by_metric
from kofn.plan.analysis import Placing, PlanCard, Planned
from kofn.plan.choices import PlanChoices
from kofn.writing.estimates import NA, points
from kofn.writing.joining import joined, with_name
from kofn.writing.layout import short_name
from metrics.data.words import Text


def answer(cards: Sequence[PlanCard]) -> Text:
    """Say what the questions of the first dataset show, and name it where there are several."""
    card = next((card for card in cards if card.found), cards[0])
    if len(cards) == 1:
        return answer_of(card)
    dataset = short_name(card.run.dataset)
    return with_name(dataset, answer_of(card))


def answer_of(card: PlanCard) -> Text:
    """Return the answer for one dataset."""
    if card.found is None:
        return Text("Nothing can be planned. {reason}", reason=card.reason or NA)
    found = card.found
    sentences = [] if found.placing is None else [_of_ranks(found.placing, found.plan.n_questions)]
    return joined([*sentences, _detectable(found), *_goals(found, card.settings)])


def _of_ranks(placing: Placing, questions: int) -> Text:
    """Say whether ranks could be told of so many runs."""
    apart = points(placing.smallest)
    if placing.smallest >= 1:
        return Text(
            "With {count} runs and {questions} questions, no difference would be large enough "
            "to rank them.",
            count=placing.count,
            questions=questions,
        )
    if not placing.separates:
        return Text(
            "{questions} questions are too few to rank {count} runs: two runs must differ by "
            "about {apart}, so each run may have {span:.1f} of {count} places on average.",
            count=placing.count,
            questions=questions,
            apart=apart,
            span=placing.span,
        )
    if placing.sure:
        return Text(
            "With {count} runs and {questions} questions, two runs must differ by about "
            "{apart} to be ranked with confidence, and all of these do.",
            count=placing.count,
            questions=questions,
            apart=apart,
        )
    return Text(
        "With {count} runs and {questions} questions, two runs must differ by about {apart} "
        "to be ranked with confidence, so each run may have {span:.1f} of {count} places on "
        "average.",
        count=placing.count,
        questions=questions,
        apart=apart,
        span=placing.span,
    )


def _detectable(found: Planned) -> Text:
    """Say which difference the questions show, and which was seen."""
    plan, questions = found.plan, _design_in_words(found.plan.n_questions, found.plan.n_samples)
    between = _between(found)
    if found.smallest is None:
        return Text(
            "{questions} is too few to detect any difference {between} with a chance of "
            "{power:.0%}.",
            "{questions} are too few to detect any difference {between} with a chance of "
            "{power:.0%}.",
            count=plan.n_questions,
            questions=questions,
            between=between,
            power=plan.power,
        )
    shown = Text(
        "{questions} show a difference of {smallest} or more {by} {between}, with a chance of "
        "{power:.0%}",
        questions=questions,
        between=between,
        by=by_metric(plan.metric, plan.k),
        power=plan.power,
        smallest=points(found.smallest),
    )
    if plan.value is None:
        return Text("{shown}.", shown=shown)
    return Text("{shown}; {seen} were seen.", shown=shown, seen=points(abs(plan.value)))


def _between(found: Planned) -> Text:
    names = found.contest.names
    if found.other is None:
        return Text(
            "between {run} and a run that finds the questions equally difficult",
            run=names[found.base],
        )
    return Text("between {one} and {other}", one=names[found.base], other=names[found.other])


def _goals(found: Planned, goals: PlanChoices) -> Iterator[Text]:
    """Say what was asked for takes; without a goal, what more samples would do."""
    here = list(found.needs.samples).index(found.plan.n_samples)
    if goals.difference is not None:
        (takes,) = found.takes.values()
        yield _taking(
            Text("a difference of {points}", points=points(goals.difference)), takes[here]
        )
    if goals.width is not None and found.needs.questions_for_width is not None:
        wide = Text("an interval {width} wide", width=points(goals.width))
        yield _taking(wide, found.needs.questions_for_width[here])
    if found.split is not None:
        yield _best(found, goals)
    if (goals.difference, goals.width, goals.total) == (None, None, None):
        yield from _floor(found)


def _taking(what: Text, questions: float) -> Text:
    if np.isnan(questions):
        return Text("No practical number of questions would show {what}.", what=what)
    return Text(
        "For {what} about {questions:,.0f} questions are needed.", what=what, questions=questions
    )


def _best(found: Planned, goals: PlanChoices) -> Text:
    assert found.split is not None
    samples, questions, smallest = found.split
    best = Text(
        "{bill:,g} is best spent on {questions}",
        bill=goals.total,
        questions=_design_in_words(questions, samples),
    )
    if smallest is None:
        return Text("{best}, which cannot show any difference.", best=best)
    return Text("{best}, which show {smallest}.", best=best, smallest=points(smallest))


def _design_in_words(questions: int, samples: int) -> Text:
    """Write how many questions are asked, and how often."""
    return Text(
        "{questions} with {samples} each",
        questions=Text("{count} question", "{count} questions", count=questions),
        samples=Text("{count} sample", "{count} samples", count=samples),
    )


def _floor(found: Planned) -> Iterator[Text]:
    if found.floor is None or found.smallest is None:
        return
    if found.floor > 0.9 * found.smallest:
        yield Text("More samples hardly help; more questions would.")
        return
    yield Text(
        "No number of samples shows a difference below {floor}; more questions would.",
        floor=points(found.floor),
    )


# The figure --------------------------------------------------------------------------------------

THIS_BENCHMARK = Text("this benchmark")
BEST_SPLIT = Text("best split")


def width_line_name(width: object) -> Text:
    """Name the line of a width."""
    return Text("{width} wide", width=width)


def bill_line_name(bill: float | None) -> Text:
    """Name the line of a bill."""
    return Text("{bill:,g} pays for", bill=bill)


def describe_contours(lines: Sequence[Contour], marks: Sequence[ContourMark]) -> Text:
    """Say in words what `charts.contours.contours` shows, for those who do not see it."""
    return Text(
        "The number of questions over the number of samples, {count} line. The table has the same "
        "numbers.",
        "The number of questions over the number of samples, {count} lines. The table has the same "
        "numbers.",
        count=len(lines),
    )


def contours_words() -> ContoursWords:
    """Return what the figure of a plan says."""
    return ContoursWords(
        Text("samples of each question, in each run"),
        Text("questions"),
        lambda samples, questions: Text(
            "{questions:,.0f} questions, {count} sample of each",
            "{questions:,.0f} questions, {count} samples of each",
            questions=questions,
            count=samples,
        ),
    )
