"""What must be known of a choice of n before using it."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.analyses.choose_n.sample_costs import SampleCosts
from metrics.data.evidence import Evidence
from metrics.data.tally import Tally
from metrics.data.words import Text

MOST = 1024
"""The largest n that is looked at."""
FEW_MIXED = 25
"""With fewer questions that some samples solve and others do not, a share of the best is often
missed: see `metrics.analyses.choose_n.simulated`."""


def of_no_verifier(metric: str, why: Text | None) -> Iterator[Text]:
    """Yield why pass@n is out of reach, and why quality is maj@n where it is.

    `metric` stands in for pass@k; `why` a vote by answers is not possible.
    """
    yield Text(
        "pass@n is out of reach without a way to check answers: it counts a question as solved "
        "once one of n samples is right, and nobody would know which one."
    )
    if metric == "maj@k":
        yield Text(
            "Quality is maj@n, the chance that more than half of n samples are right, because a "
            "vote by answers is not possible: {why}",
            why=why,
        )


def of_votes(metric: str) -> Iterator[Text]:
    """Yield what a vote takes."""
    if metric == "plurality@k":
        yield Text("Quality is plurality@n, the chance that the most common of n answers is right.")
    yield Text(
        "All n samples vote and are paid for. Even numbers n are left out, because they only "
        "add ties."
    )


def of_picks() -> Iterator[Text]:
    """Yield what a pick takes."""
    yield Text(
        "Quality is selected@n, the chance that the best of n samples by the signal is right. All "
        "n are drawn and paid for; what the signal costs is not counted."
    )


def of_sizes(evidence: Evidence, n_max: int, needed: int) -> Iterator[Text]:
    """Yield why no larger n is looked at; any beyond 1 needs so many samples."""
    fewest, most = evidence.n_min, int(evidence.sizes[0].max())
    if n_max == 1:
        yield Text(
            "Only n = 1 can be looked at: a larger n needs at least {needed} samples of every "
            "question, and some have {fewest}.",
            needed=needed,
            fewest=fewest,
        )
    if fewest > MOST:
        yield Text("There are more samples, but kofn considers no n above {most:,}.", most=MOST)
    elif most > fewest:
        yield Text(
            "Questions have {fewest} to {most} samples; n goes up to the number that all "
            "questions have.",
            fewest=fewest,
            most=most,
        )


def of_costs(costs: SampleCosts) -> Iterator[Text]:
    """Yield what stands in for costs that are not known."""
    if costs.unknown:
        yield Text(
            "{count} of {all} samples has no known cost; the mean of its question's right or wrong "
            "samples stands in, or else that of all.",
            "{count} of {all} samples have no known cost; the mean of their question's right or "
            "wrong samples stands in, or else that of all.",
            count=costs.unknown,
            all=costs.samples,
        )


def of_mixed(tally: Tally, n_max: int) -> Iterator[Text]:
    """Yield that hardly any question says where another sample helps."""
    mixed = int(tally.questions[(tally.c > 0) & (tally.c < tally.n)].sum())
    if n_max > 1 and mixed < FEW_MIXED <= tally.n_questions:
        yield Text(
            "Only {count} question was solved by some samples and not by others, and only such "
            "questions show what a larger n gains.",
            "Only {count} questions were solved by some samples and not by others, and only "
            "such questions show what a larger n gains.",
            count=mixed,
        )
