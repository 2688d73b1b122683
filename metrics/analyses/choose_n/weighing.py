"""What each n of a run gains and costs, before an aim chooses one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.candidates.ways import SELECTED
from metrics.analyses.choose_n.gains_and_costs import (
    Ledger,
    clustered_ledger,
    ledger_of_rows,
    open_ledger,
)
from metrics.analyses.choose_n.picks import Picked
from metrics.analyses.choose_n.sample_costs import SampleCosts, sample_costs
from metrics.data.evidence import Evidence
from metrics.data.outcomes import QuestionIds
from metrics.data.question import Question
from metrics.data.tally import Tally
from metrics.data.words import Enumerated, MetricError, Text
from metrics.estimating.applicability import require_supported, why_undefined
from metrics.estimating.caveats import copy_caveats, design_caveats
from metrics.estimating.estimation import missing_caveats_of
from metrics.scoring.registry import METRICS, Metric, find_metric

MOST = 1024
"""The largest n that is looked at."""
FEW_MIXED = 25
"""With fewer questions that some samples solve and others do not, a share of the best is often
missed: see `metrics.analyses.choose_n.simulation`."""


def no_verifier_remarks(metric: str, why: Text | None) -> Iterator[Text]:
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


def vote_remarks(metric: str) -> Iterator[Text]:
    """Yield what a vote takes."""
    if metric == "plurality@k":
        yield Text("Quality is plurality@n, the chance that the most common of n answers is right.")
    yield Text(
        "All n samples vote and are paid for. Even numbers n are left out, because they only "
        "add ties."
    )


def pick_remarks() -> Iterator[Text]:
    """Yield what a pick takes."""
    yield Text(
        "Quality is selected@n, the chance that the best of n samples by the signal is right. All "
        "n are drawn and paid for; what the signal costs is not counted."
    )


def size_remarks(evidence: Evidence, n_max: int, needed: int) -> Iterator[Text]:
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
        yield Text("There are more samples, but kofn considers no n above {most}.", most=MOST)
    elif most > fewest:
        yield Text(
            "Questions have {fewest} to {most} samples; n goes up to the number that all "
            "questions have.",
            fewest=fewest,
            most=most,
        )


def cost_remarks(costs: SampleCosts) -> Iterator[Text]:
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


def mixed_remarks(tally: Tally, n_max: int) -> Iterator[Text]:
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


VOTES = ("maj@k", "plurality@k")
CHOOSABLE = ("pass@k", *VOTES)
"""What n can be chosen for, beside what a signal picks."""
QUALITIES: dict[str, Metric] = {
    **{name: METRICS[name] for name in CHOOSABLE},
    SELECTED.name: SELECTED,
}
"""What quality can be."""


@dataclass(frozen=True, eq=False)
class Weighed:
    """What each n gains and costs."""

    metric: str  # What quality is: "pass@k", "maj@k", "plurality@k" or "selected@k".
    questions: Ledger  # Of questions, alike ones together.
    clusters: NDArray[np.intp] | None  # Cluster of each question, where they cluster. Shape (M,).
    ids: QuestionIds | None  # Of the questions in their order, where it is known which is which.
    mean_wrong: float  # Mean cost of a wrong sample.
    remarks: tuple[Text, ...]
    each: bool = False  # Whether questions have costs of their own.
    parts: tuple[Weighed, ...] = ()  # The datasets that it is the mean of; empty of a single one.

    @property
    def stopping(self) -> bool:
        """Whether a right sample ends the draw, which takes a verifier."""
        return self.metric == "pass@k"

    @property
    def units(self) -> Ledger:
        """Of what is independent: questions, or clusters of them."""
        return (
            self.questions
            if self.clusters is None
            else clustered_ledger(self.questions, self.clusters)
        )

    def of(self, rows: NDArray[np.intp]) -> Weighed:
        """Return the same of some questions, in this order."""
        assert self.ids is not None
        clusters = self.clusters
        if clusters is not None:
            clusters = np.unique(clusters[rows], return_inverse=True)[1].astype(np.intp)
        ids = QuestionIds(self.ids.take(rows))
        return replace(
            self, questions=ledger_of_rows(self.questions, rows), clusters=clusters, ids=ids
        )


def weigh(
    evidence: Evidence,
    metric: str | Picked,
    cost_per_sample: Any,
    verifier: bool,
    *,
    each: bool = False,
) -> Weighed:
    """Work out what each n gains and costs.

    `metric` is the name of one, or what a signal picks. With `each` it is known which question is
    which, wherever more than counts are.
    """
    if isinstance(metric, Picked):
        picked, wanted, attained = metric, "pass@k", SELECTED.name
    else:
        picked, wanted, attained = None, metric, _attainable(metric, evidence, verifier)
    stopping = attained == "pass@k"
    ks = np.arange(1, min(MOST, evidence.n_min) + 1, 2 if attained in VOTES else 1)
    costs = sample_costs(evidence, cost_per_sample)
    each = (each and not evidence.counts_only) or evidence.clusters is not None
    return Weighed(
        attained,
        open_ledger(evidence, attained, ks, costs, stopping, each=each, picked=picked),
        evidence.clusters,
        evidence.ids if each else None,
        costs.mean_wrong,
        tuple(_remarks(wanted, attained, evidence, int(ks[-1]), costs, picked)),
        costs.each,
    )


def _attainable(metric: str, evidence: Evidence, verifier: bool) -> str:
    """Return the metric that is wanted, or the best vote where nobody can tell a right answer."""
    if find_metric(metric).name not in CHOOSABLE:
        raise MetricError(
            Text(
                "n is chosen for {known}; got {got!r}.",
                known=Enumerated(CHOOSABLE),
                got=metric,
            )
        )
    if metric == "pass@k" and not verifier:
        metric = "maj@k" if _no_plurality(evidence) else "plurality@k"
    require_supported(METRICS[metric], evidence, 1, Question())
    return metric


def _no_plurality(evidence: Evidence) -> Text | None:
    return why_undefined(METRICS["plurality@k"], evidence, 1, "population", {})


def _remarks(
    wanted: str,
    metric: str,
    evidence: Evidence,
    n_max: int,
    costs: SampleCosts,
    picked: Picked | None,
) -> Iterator[Text]:
    if wanted != metric:
        yield from no_verifier_remarks(metric, _no_plurality(evidence))
    if metric in VOTES:
        yield from vote_remarks(metric)
    if picked is not None:
        yield from pick_remarks()
        yield from picked.remarks
    yield from size_remarks(evidence, n_max, 3 if metric in VOTES else 2)
    yield from cost_remarks(costs)
    yield from mixed_remarks(evidence.tally, n_max)
    share = METRICS["avg@n"].scores(evidence, evidence.n_min, {})
    yield from design_caveats(share, "population")
    yield from copy_caveats(evidence)
    quality = METRICS[metric] if picked is None else picked.metric
    for caveat in missing_caveats_of(quality, evidence, n_max, {}):
        yield Text("{best}: {caveat}", best=quality.label(n_max), caveat=caveat)
