"""What to do with a run: AISBench's row, and what its own gaps say, each with its condition."""

from __future__ import annotations

from collections.abc import Iterator

from kofn.guidance.sentences import FEWEST, joined, level_words
from kofn.writing.estimates import percent, points
from metrics.analyses.guidance.decision import Guidance
from metrics.analyses.guidance.decision_matrix import BIAS, DIMENSIONS, Level, Profile, level_of
from metrics.analyses.guidance.gaps import FAR, NEAR
from metrics.analyses.questions import AGREED
from metrics.data.results import Estimate
from metrics.data.words import Text
from metrics.estimating.caveats import FEW_QUESTIONS

SURE = 0.95
"""The chance from which on a gap is said to be there."""

ONE_SAMPLE = Text(
    "One sample a question says nothing about stability, nor about what more tries would solve. "
    "Run it with n = {n}.",
    n=FEWEST,
)


def advice(found: Guidance) -> Iterator[Text]:
    """Yield what to do with a run, what is surest first."""
    if found.n == 1:
        yield ONE_SAMPLE
        return
    if found.k == 1:
        yield Text(
            "With k = 1 only pass@1 is looked at, and all three metrics are the same. Choose a k "
            "up to {n}.",
            n=found.n,
        )
        return
    questions = found.estimates["avg"].n_questions
    if questions < FEW_QUESTIONS:
        yield Text(
            "{count} question is too few to advise on others like it.",
            "{count} questions are too few to advise on others like them.",
            count=questions,
        )
    yield row_in_words(found)
    yield gap_in_words(found)
    if found.gaps.wrong:
        yield Text(
            "On {count} of {all} questions at least {share:.0%} of the samples agree on one wrong "
            "answer: look at it, the reference or the prompt may be wrong.",
            "On {count} of {all} questions at least {share:.0%} of the samples agree on one wrong "
            "answer: look at these, references or prompts may be wrong.",
            count=found.gaps.wrong,
            all=questions,
            share=AGREED,
        )


def row_in_words(found: Guidance) -> Text:
    """Say which of AISBench's rows holds or is nearest, by what, and what it advises."""
    profile, far = found.row()
    if far:
        return Text(
            "Nearest of AISBench's rows: {status}, but {lacks}. {advice}",
            status=profile.status,
            lacks=joined(_off(found, profile)),
            advice=profile.advice,
        )
    share = found.bias if profile == BIAS else found.probability[profile.cell]
    return Text(
        "{status}: AISBench's row holds, with {levels} (chance {share:.0%}). {advice}",
        status=profile.status,
        levels=joined(
            Text("{metric} {value} ({asked})", metric=metric, value=percent(value), asked=asked)
            for metric, value, _, asked in _levels(found, profile)
        ),
        share=share,
        advice=profile.advice,
    )


def _off(found: Guidance, profile: Profile) -> Iterator[Text]:
    """Yield what a row asks for and the run has not."""
    for metric, value, level, asked in _levels(found, profile):
        if level_of(value, found.high, found.low) != level:
            yield Text(
                "{metric} is {value}, not {asked}", metric=metric, value=percent(value), asked=asked
            )


def _levels(found: Guidance, profile: Profile) -> Iterator[tuple[str | Text, float, Level, Text]]:
    named = [(found.label(each), found.estimates[each].value) for each in DIMENSIONS]
    if profile == BIAS and found.agreement is not None:
        named[2] = "agreement", found.agreement.value
    for (metric, value), level in zip(named, profile.cell, strict=True):
        yield metric, value, level, level_words(level, found)


def gap_in_words(found: Guidance) -> Text:
    """Say what a vote and a check would gain, and whether more samples would help."""
    gaps, k = found.gaps, found.k
    one, some, most = (found.estimates[each] for each in ("avg", "pass", "cons"))
    gained = gaps.checked.interval
    assert gained is not None
    if gaps.copied:
        return Text(
            "Samples look like copies of one another, so what more tries would solve cannot be "
            "told from them."
        )
    if gained.high <= NEAR:
        return Text(
            "More samples will not help: {k} tries solve {some}, one {one}, at most {gain} more. "
            "It takes a better model or better data.",
            k=k,
            some=percent(some.value),
            one=percent(one.value),
            gain=points(gained.high),
        )
    gains = Text(
        "Checking {k} gains {checked} on one try; {vote}.",
        k=k,
        checked=_written(gaps.checked),
        vote=_vote(found),
    )
    if gaps.apart < SURE:
        return Text(
            "Check answers, if they can be: {k} tries solve {some}, one {one}. {gains}",
            k=k,
            some=percent(some.value),
            one=percent(one.value),
            gains=gains,
        )
    return Text(
        "Check answers, or vote: some of {k} tries solve {some}, most of them {most}, surely more "
        "than {far:.0f} points apart. {gains}",
        k=k,
        some=percent(some.value),
        most=percent(most.value),
        far=100 * FAR,
        gains=gains,
    )


def _vote(found: Guidance) -> Text:
    """Say what a vote by answers gains."""
    gaps = found.gaps
    if gaps.vote is None or gaps.voted is None:
        return Text("what a vote gains takes extracted answers, and there are none")
    assert gaps.voted.interval is not None
    low, high = gaps.voted.interval
    value, gain = percent(gaps.vote.value), _written(gaps.voted)
    if low > 0:
        return Text("a vote by answers gains {gain} and solves {value}", value=value, gain=gain)
    if high < 0:
        return Text(
            "a vote by answers changes it by {gain}, to {value}: do not vote",
            value=value,
            gain=gain,
        )
    return Text(
        "a vote by answers solves {value}, and whether that is a gain cannot be told ({gain})",
        value=value,
        gain=gain,
    )


def _written(estimate: Estimate) -> Text:
    return points(estimate.value, *(estimate.interval or ()))
