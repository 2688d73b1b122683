"""What to do with a run: AISBench's row, and what its own gaps say, each with its condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from kofn.choices.runs import FEWEST
from kofn.guidance.sentences import is_judged, level_words
from kofn.writing.estimates import percent, points
from kofn.writing.joining import listed
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
    if not is_judged(found):
        yield gap_in_words(found)
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
    row = row_briefly(found)
    if far:
        return Text("Nearest of AISBench's rows: {row}. {advice}", row=row, advice=profile.advice)
    return Text("AISBench's row holds: {row}. {advice}", row=row, advice=profile.advice)


def row_briefly(found: Guidance) -> Text:
    """Name the row of AISBench's that holds with its levels, or the nearest with what it lacks."""
    profile, far = found.row()
    if far:
        return Text(
            "{status}, but {lacks}",
            status=profile.status,
            lacks=listed(_off(found, profile)),
        )
    share = found.bias if profile == BIAS else found.probability[profile.cell]
    return Text(
        "{status}, with {levels} (chance {share:.0%})",
        status=profile.status,
        levels=listed(
            Text("{metric} {value} ({asked})", metric=metric, value=percent(value), asked=asked)
            for metric, value, _, asked in _levels(found, profile)
        ),
        share=share,
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


Gap = Literal["one sample", "one try", "copied", "near", "apart", "between"]
IN_SHORT: Mapping[Gap, Text] = {
    "one sample": Text("Run it with n = {n}", n=FEWEST),
    "one try": Text("Choose a larger k"),
    "copied": Text("Sample anew: copies"),
    "near": Text("Better model or data"),
    "apart": Text("Check answers, or vote"),
    "between": Text("Check answers, if they can be"),
}


def gap_of(found: Guidance) -> Gap:
    """Say which of the cases that are advised on differently a run is."""
    gained = found.gaps.checked.interval
    if found.n == 1:
        return "one sample"
    if not is_judged(found):
        return "one try"
    if found.gaps.copied:
        return "copied"
    if gained is not None and gained.high <= NEAR:
        return "near"
    return "apart" if found.gaps.apart >= SURE else "between"


def gap_in_words(found: Guidance) -> Text:
    """Say what a vote and a check would gain, and whether more samples would help."""
    gap, gaps, k = gap_of(found), found.gaps, found.k
    one, some, most = (percent(found.estimates[each].value) for each in ("avg", "pass", "cons"))
    if gap == "one sample":
        return ONE_SAMPLE
    if gap == "one try":
        return Text(
            "With k = 1 only pass@1 is looked at, and all three metrics are the same. Choose a k "
            "up to {n}.",
            n=found.n,
        )
    if gap == "copied":
        return Text(
            "Samples look like copies of one another, so what more tries would solve cannot be "
            "told from them."
        )
    if gap == "near" and gaps.checked.interval is not None:
        return Text(
            "More samples will not help: {k} tries solve {some}, one {one}, at most {gain} more. "
            "It takes a better model or better data.",
            k=k,
            some=some,
            one=one,
            gain=points(gaps.checked.interval.high),
        )
    gains = Text(
        "Checking {k} answers gains {checked} on one try; {vote}.",
        k=k,
        checked=written(gaps.checked),
        vote=_vote(found),
    )
    if gap == "between":
        return Text(
            "Check answers, if they can be: {k} tries solve {some}, one {one}. {gains}",
            k=k,
            some=some,
            one=one,
            gains=gains,
        )
    return Text(
        "Check answers, or vote: some of {k} tries solve {some}, most of them {most}, surely more "
        "than {far:.0f} points apart. {gains}",
        k=k,
        some=some,
        most=most,
        far=100 * FAR,
        gains=gains,
    )


def _vote(found: Guidance) -> Text:
    """Say what a vote by answers gains."""
    gaps = found.gaps
    if gaps.vote is None or gaps.voted is None:
        return Text("what a vote gains is not known without extracted answers")
    assert gaps.voted.interval is not None
    low, high = gaps.voted.interval
    value, gain = percent(gaps.vote.value), written(gaps.voted)
    if low > 0:
        return Text("a vote by answers gains {gain} and solves {value}", value=value, gain=gain)
    if high < 0:
        return Text(
            "a vote by answers changes it by {gain}, to {value}: do not vote",
            value=value,
            gain=gain,
        )
    return Text(
        "a vote by answers solves {value}: too close to call, {gain}",
        value=value,
        gain=gain,
    )


def written(estimate: Estimate) -> Text:
    """Write a gain with its interval."""
    return points(estimate.value, *(estimate.interval or ()))
