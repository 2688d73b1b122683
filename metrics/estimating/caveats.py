"""What a reader must know before using a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from metrics.data.duplicates import Copies, Sign
from metrics.data.evidence import Evidence
from metrics.data.outcomes import Missing
from metrics.data.results import Interval, Target
from metrics.data.tally import Tally
from metrics.data.words import Text
from metrics.scoring.scores import QuestionScores

FEW_QUESTIONS = 10
NOTABLE_FAILURES = 0.01
NOTABLE_COPIES = 0.01
COPIES_OF_ONE, COPIES_OF_SEVERAL = 1.1, 1.02
"""Design effects beyond which intervals for these questions hold too seldom: of means over samples,
and of what several tries give, where one question that was asked only once can do harm."""
INDEPENDENT_MIX = 0.05
NOTHING_TOLD = 0.6
"""The share of the range beyond which an interval over clusters is not shown.

It is half as wide again as one that knows how alike the questions of a cluster are; so one that
knows would span more than 40 points, too.
"""
_MOSTLY = 0.5


def design_caveats(scores: QuestionScores, target: Target) -> Iterator[Text]:
    """Yield what the number of questions and samples implies for the interval."""
    m = scores.n_questions
    if target == "population" and m == 1:
        yield Text("One question says nothing about questions like it.")
    elif target == "population":
        yield from few_questions_caveats(m)
    elif target == "benchmark" and scores.n_max == 1:
        yield Text(
            "With one sample per question, it is unknown how much another sample would differ; "
            "the interval allows for the most that is possible."
        )
    elif target == "benchmark" and scores.drawn == scores.n_min and scores.within is not None:
        yield Text(
            "Model-assisted: with all {n} samples in one draw, the interval rests on the fitted "
            "distribution of difficulties.",
            n=scores.drawn,
        )


def few_questions_caveats(count: int) -> Iterator[Text]:
    """Yield that questions are too few for a claim about others, if they are."""
    if count < FEW_QUESTIONS:
        yield Text(
            "{count} questions are too few for a claim about questions like them.", count=count
        )


def too_few_clusters(scores: QuestionScores, evidence: Evidence, interval: Interval | None) -> bool:
    """Say whether clusters leave so much open that an interval would only seem to tell anything."""
    if evidence.clusters is None or interval is None:
        return False
    return interval.high - interval.low > NOTHING_TOLD * (scores.high - scores.low)


def cluster_caveats(evidence: Evidence) -> Iterator[Text]:
    """Yield why clusters that are `too_few_clusters` tell nothing."""
    if evidence.clusters is None:
        return
    sizes = np.bincount(evidence.clusters)
    yield Text(
        "{share:.0%} of the questions are one group, so nothing can be said of questions like "
        "these.",
        "The questions are {count} groups, of which one has {share:.0%} of them, so nothing can be "
        "said of questions like these.",
        count=len(sizes),
        share=sizes.max() / sizes.sum(),
    )


def bound_caveats(scores: QuestionScores) -> Iterator[Text]:
    """Yield what a mean at an end of its range means."""
    if np.all(scores.values == scores.low):
        yield Text(
            "Every question scores {end:g}; the upper limit is what such data still allow.",
            end=scores.low,
        )
    if np.all(scores.values == scores.high):
        yield Text(
            "Every question scores {end:g}; the lower limit is what such data still allow.",
            end=scores.high,
        )
    yield from subset_caveats(scores)
    if not scores.bounded:
        yield Text("With a negative power the score has no bounds, so there is no interval.")


def subset_caveats(scores: QuestionScores) -> Iterator[Text]:
    """Yield how far a value would move if other subsets were drawn of the samples."""
    if scores.subsets:
        yield Text(
            "There are too many subsets to count them all: {count} was drawn at random for each "
            "question. Another draw moves the value by at most {error:.2%} (standard error).",
            "There are too many subsets to count them all: {count} were drawn at random for "
            "each question. Another draw moves the value by at most {error:.2%} (standard "
            "error).",
            count=scores.subsets,
            error=drawing_error(scores),
        )


def drawing_error(scores: QuestionScores) -> float:
    """Return the most that the standard error from drawing subsets can be; 0 without draws."""
    if not scores.subsets:
        return 0.0
    share = (scores.mean - scores.low) / (scores.high - scores.low)
    return float(np.sqrt(share * (1 - share) / (scores.subsets * scores.n_questions)))


def copy_caveats(evidence: Evidence) -> Iterator[Text]:
    """Yield a warning where samples are copies of one another, or look like it."""
    copies = evidence.copies
    if copies is not None and (copies.share >= NOTABLE_COPIES or are_many(copies, False)):
        yield Text(
            "{copies}. They are not independent (a cache, a fixed seed, temperature 0), so the "
            "value of several tries is understated.",
            copies=copies_in_words(copies, evidence),
        )
    elif look_copied(evidence):
        yield Text(
            "In nearly every question all samples got the same verdict. If they are copies "
            "(temperature 0, a cache, a fixed seed) they are not independent and the interval "
            "means little."
        )


def copies_in_words(copies: Copies, evidence: Evidence) -> Text:
    """Say how many samples repeat another, how that is known, and what they are worth."""
    return Text(
        "{share:.0%} of the samples repeat another of their question ({sign}): {n} samples are "
        "worth as much as {worth:.1f}",
        share=copies.share,
        sign=_SIGNS[copies.sign],
        n=evidence.n_min,
        worth=evidence.n_min / copies.design_effect,
    )


def are_copied(evidence: Evidence) -> bool:
    """Say whether what several tries give rests mostly on copies, as far as anything tells."""
    found = evidence.copies
    return look_copied(evidence) or (found is not None and are_many(found, True))


def look_copied(evidence: Evidence) -> bool:
    """Say whether verdicts alone make samples look copied, and nothing says that they are not."""
    found = evidence.copies
    unknown = found is None or found.covered < _MOSTLY
    return evidence.binary and unknown and samples_look_copied(evidence.tally)


def are_many(copies: Copies, of_one: bool) -> bool:
    """Say whether copies are too many for an interval that counts each sample.

    of_one: Whether the metric draws one sample of a question.
    """
    return copies.design_effect > (COPIES_OF_ONE if of_one else COPIES_OF_SEVERAL)


def samples_look_copied(tally: Tally) -> bool:
    """Say whether hardly any question has mixed verdicts although questions differ.

    True where mixed questions are below 5 % of mixed ones plus the smaller of the always right and
    the never right.
    """
    several = tally.n > 1
    always = int(tally.questions[several & (tally.c == tally.n)].sum())
    never = int(tally.questions[several & (tally.c == 0)].sum())
    mixed = int(tally.questions[several].sum()) - always - never
    return mixed < INDEPENDENT_MIX * (mixed + min(always, never))


def missing_caveats(
    failed: int,
    asked: int,
    left_out: int,
    missing: Missing,
    bounds: Callable[[], Sequence[float]],
) -> Iterator[Text]:
    """Yield what failed requests and ungradable questions did to the number.

    failed, asked: Failed samples and all samples that were asked.
    left_out: Questions without any gradable sample.
    missing: What the failed samples counted as.
    bounds: Returns the metric with all of them wrong and with all of them right; nothing where a
        verdict alone does not decide it, as in votes by answer.
    """
    if failed:
        yield Text(
            "{count} of {all} samples ({share:.1%}) failed and is {treatment}.",
            "{count} of {all} samples ({share:.1%}) failed and are {treatment}.",
            count=failed,
            all=asked,
            share=failed / asked,
            treatment=_TREATMENTS[missing],
        )
    if failed > NOTABLE_FAILURES * asked and (ends := bounds()):
        yield Text(
            "It would be {low:.1%} if all failed samples were wrong, and {high:.1%} if all were "
            "right.",
            low=ends[0],
            high=ends[1],
        )
    if left_out:
        yield Text(
            "{count} question has no gradable sample and is left out.",
            "{count} questions have no gradable sample and are left out.",
            count=left_out,
        )


_TREATMENTS: dict[Missing, Text] = {
    "wrong": Text("counted as wrong"),
    "omit": Text("left out"),
    "right": Text("counted as right"),
}
_SIGNS: Mapping[Sign, Text] = {
    "texts": Text("letter for letter"),
    "tokens": Text("as many tokens, more often than by chance"),
    "scores": Text("the same score to the last digit"),
}
