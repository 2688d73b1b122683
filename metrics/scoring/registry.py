"""The metrics by name: family, meaning, formula, source, and how a question is scored.

A count metric is one entry here; it then appears on every page and in the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from metrics.data.evidence import Evidence
from metrics.data.names import MetricName
from metrics.data.words import MetricError, Text, shortened
from metrics.scoring import payoffs
from metrics.scoring.blends import Part, Parts, geom_parts, geom_scores, spectrum_parts
from metrics.scoring.payoffs import Payoff
from metrics.scoring.scores import (
    QuestionScores,
    blended_scores,
    count_scores,
    reward_scores,
    soft_max_scores,
    soft_scores,
    vote_scores,
)

SOLVES = Text("Solves it at all")
RELIABLY = Text("Reliably")
ON_AVERAGE = Text("On average")
BY_VOTE = Text("By vote")
BLENDED = Text("Blended")
POSTERIOR = Text("Posterior")

_AISBENCH = "AISBench, Accuracy Evaluation Scenarios: Analysis of Evaluation Metrics"
_CHEN = "Chen et al. 2021, Evaluating Large Language Models Trained on Code, arXiv:2107.03374"
_YAO = "Yao et al. 2024, tau-bench, arXiv:2406.12045"
_DRAGOI = "Dragoi et al. 2025, Beyond Pass@k: Breadth-Depth Metrics, arXiv:2510.08325"
_LIU = "Liu et al. 2024, Are Your LLMs Capable of Stable Reasoning?, arXiv:2412.13147"
_HU = "Hu et al. 2026, Rewarding the Rare, arXiv:2601.08763"
_HARIRI = "Hariri et al. 2026, Don't Pass@k, arXiv:2510.04265"
_WANG = "Wang et al. 2023, Self-Consistency Improves Chain of Thought Reasoning, arXiv:2203.11171"
_SCORIO = "scorio.eval 0.2.3"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric that `estimate` knows.

    Attributes
    ----------
    name : str
        The field's name, with the letter it takes: "pass@k", "avg@n".
    family : Text
        The question it answers, as a heading.
    sentence : Text
        What it says, in one plain sentence.
    formula : str
        LaTeX, for c correct of n samples of a question and X correct of k drawn.
    source : str
        Where it is defined.
    payoff : callable or None
        For a count metric, a function from the number of samples drawn to the payoff vector; see
        ``metrics.scoring.payoffs``.
    draws : {"k", "one", "all"}
        How many samples are drawn: k of the caller's choice, one, or all n of the question.
    options : tuple of str
        Further arguments that `estimate` takes for it.
    needs : {"", "soft", "answers", "weights", "posterior"}
        What it needs beyond counts.
    blend, parts, sample : callable or None
        How a question is scored by a blend of counts, a dataset by a blend of two means, or a
        question by its samples, where a payoff does not say it.
    """

    name: str
    family: Text
    sentence: Text
    formula: str
    source: str
    payoff: Payoff | None = None
    draws: Literal["k", "one", "all"] = "k"
    options: tuple[str, ...] = ()
    needs: Literal["", "soft", "answers", "weights", "posterior"] = ""
    blend: Callable[..., NDArray[np.float64]] | None = None
    parts: Callable[..., Parts] | None = None
    sample: Callable[..., QuestionScores] | None = None

    @property
    def takes_k(self) -> bool:
        """Whether the caller chooses k."""
        return self.draws == "k"

    def __repr__(self) -> str:
        return f"Metric({self.name!r})"

    def drawn(self, n: int, k: int) -> int:
        """Return how many of a question's n samples are drawn."""
        return {"k": k, "one": 1, "all": n}[self.draws]

    def label(self, k: int | None) -> str:
        """Return the name with its number, such as "pass@4"; of avg@n and cons@n with n."""
        numbered = k is not None and self.name[-2:] in ("@k", "^k", "@n")
        return f"{self.name[:-1]}{k}" if numbered else self.name

    def payoffs(self, options: Mapping[str, Any]) -> tuple[Part, ...]:
        """Return what is averaged, by the metric or by its parts, with the options of each."""
        if self.parts is not None:
            return self.parts(**options)[:2]
        return () if self.payoff is None else ((self.payoff, options),)

    def scores(self, evidence: Evidence, k: int, options: Mapping[str, Any]) -> QuestionScores:
        """Return the score of each question."""
        if self.sample is not None:
            return self.sample(evidence, k, **options)
        if self.blend is not None:
            return blended_scores(evidence, k, self.blend, options)
        assert self.payoff is not None
        return count_scores(evidence, self.payoff, lambda n: self.drawn(n, k), options)


_ENTRIES = (
    Metric(
        "avg@n",
        ON_AVERAGE,
        Text("The share of correct samples: how good one try is on average. Also pass@1."),
        r"\frac{1}{M}\sum_i \frac{c_i}{n_i}",
        _AISBENCH,
        payoffs.share,
        draws="one",
    ),
    Metric(
        "soft",
        ON_AVERAGE,
        Text("Soft accuracy: the mean of scores that give partial credit."),
        r"\frac{1}{M}\sum_i \frac{1}{n_i}\sum_j s_{ij}",
        _AISBENCH,
        draws="one",
        needs="soft",
        sample=soft_scores,
    ),
    Metric(
        "pass@k",
        SOLVES,
        Text("The chance that at least one of k tries is right."),
        r"\frac{1}{M}\sum_i \left[1 - \binom{n_i-c_i}{k} \Big/ \binom{n_i}{k}\right]",
        _CHEN,
        payoffs.any_correct,
    ),
    Metric(
        "auc@k",
        SOLVES,
        Text("The area under pass@1 … pass@k: how early tries succeed."),
        r"\frac{1}{k-1}\sum_{i=1}^{k-1}\frac{pass@i + pass@(i+1)}{2}",
        _HU,
        payoffs.area,
    ),
    Metric(
        "max@k",
        SOLVES,
        Text("The best reward of k tries; for right-or-wrong outcomes this is pass@k."),
        r"E\left[\max(w_{R_1}, \dots, w_{R_k})\right]",
        _SCORIO,
        options=("w",),
        sample=reward_scores,
    ),
    Metric(
        "soft-max@k",
        SOLVES,
        Text("The best soft score of k tries, as a perfect selector would pick it."),
        r"\frac{1}{M}\sum_i \sum_{j=k}^{n} s_{i(j)} \binom{j-1}{k-1} \Big/ \binom{n}{k}",
        _SCORIO,
        needs="soft",
        sample=soft_max_scores,
    ),
    Metric(
        "pass^k",
        RELIABLY,
        Text("The chance that all of k tries are right."),
        r"\frac{1}{M}\sum_i \binom{c_i}{k} \Big/ \binom{n_i}{k}",
        _YAO,
        payoffs.all_correct,
    ),
    Metric(
        "g-pass@k",
        RELIABLY,
        Text("The chance that at least the share tau of k tries is right; pass^k for tau = 1."),
        r"\frac{1}{M}\sum_i P(X_i \ge \max(1, \lceil \tau k \rceil))",
        _LIU,
        payoffs.threshold,
        options=("tau",),
    ),
    Metric(
        "cover@tau",
        RELIABLY,
        Text(
            "The share of questions with at least the share tau of all n samples right (0.5 unless "
            "chosen); it depends on n."
        ),
        r"\frac{1}{M}\sum_i \mathbb{1}[c_i \ge \tau n_i]",
        _DRAGOI,
        payoffs.covered,
        draws="all",
        options=("tau",),
    ),
    Metric(
        "mg-pass@k",
        RELIABLY,
        Text("G-Pass averaged over the shares above one half; with odd k at most (k - 1) / k."),
        r"\frac{1}{M}\sum_i E\left[\tfrac{2}{k}\max(0, X_i - \lceil k/2 \rceil)\right]",
        _LIU,
        payoffs.mean_threshold,
    ),
    Metric(
        "threshold-spectrum@k",
        RELIABLY,
        Text("Credit for each number of right tries among k, with weights that you choose."),
        r"\frac{1}{M}\sum_i \sum_{j=1}^{k} w_j P(X_i \ge j)",
        _SCORIO,
        payoffs.spectrum,
        options=("weights",),
        needs="weights",
    ),
    Metric(
        "maj@k",
        BY_VOTE,
        Text("The chance that more than half of k tries are right; a tie counts as wrong."),
        r"\frac{1}{M}\sum_i P(X_i > k/2)",
        _HARIRI,
        payoffs.majority,
        options=("ties",),
    ),
    Metric(
        "cons@n",
        BY_VOTE,
        Text("The share of questions with more than half of all n samples right; ties are wrong."),
        r"\frac{1}{M}\sum_i \mathbb{1}[c_i > n_i / 2]",
        _AISBENCH,
        payoffs.majority,
        draws="all",
        options=("ties",),
    ),
    Metric(
        "plurality@k",
        BY_VOTE,
        Text("The chance that the most common of k answers is right; ties are split evenly."),
        r"\frac{1}{M}\sum_i P(\mathrm{mode}(a_{i1}, \dots, a_{ik})\ \text{right})",
        _WANG,
        options=("rng",),
        needs="answers",
        sample=vote_scores,
    ),
    Metric(
        "geom@k",
        BLENDED,
        Text("The geometric mean of pass@k and pass^k, question by question; depends on n."),
        r"\frac{1}{M}\sum_i P_i^{1/2}\, U_i^{1/2}",
        _SCORIO,
        options=("pass_power", "unanimous_power"),
        blend=geom_scores,
    ),
    Metric(
        "geom-ds@k",
        BLENDED,
        Text("The geometric mean of the dataset's pass@k and pass^k."),
        r"(pass@k)^{1/2}\,(pass\hat{\ }k)^{1/2}",
        _SCORIO,
        options=("pass_power", "unanimous_power"),
        parts=geom_parts,
    ),
    Metric(
        "geo-spectrum@k",
        BLENDED,
        Text("The geometric mean of the dataset's pass@k and mG-Pass@k."),
        r"(pass@k)^{\lambda}\,(mG\text{-}Pass@k)^{1-\lambda}",
        _SCORIO,
        options=("lam", "weights"),
        parts=spectrum_parts,
    ),
    Metric(
        "bayes@n",
        POSTERIOR,
        Text("avg@n shrunken towards one half, as if each question had two more samples."),
        r"\frac{1}{M}\sum_i \frac{c_i + 1}{n + 2}",
        _HARIRI,
        draws="one",
        options=("w", "R0"),
        needs="posterior",
    ),
)

_NUMBERED = re.compile(r"(.*[@^])([0-9]+)")

METRICS: dict[str, Metric] = {metric.name: metric for metric in _ENTRIES}


def find_metric(name: str) -> Metric:
    """Return the metric of a name; raise `MetricError` with the names there are.

    Examples
    --------
    >>> find_metric("pass_at_k")
    Traceback (most recent call last):
    metrics.data.words.MetricError: There is no metric 'pass_at_k'; did you mean pass@k?
    """
    if isinstance(name, str) and name in METRICS:
        return METRICS[name]
    known, given = ", ".join(METRICS), shortened(str(name), 40)
    meant = _meant(str(name))
    if meant is None:
        raise MetricError(
            Text("There is no metric {name!r}; known are {known}.", name=given, known=known)
        )
    metric, k = meant
    if k is not None and metric.takes_k:
        raise MetricError(
            Text(
                "There is no metric {name!r}; did you mean {metric}, with k = {k}?",
                name=given,
                metric=metric.name,
                k=k,
            )
        )
    raise MetricError(
        Text("There is no metric {name!r}; did you mean {metric}?", name=given, metric=metric.name)
    )


def metric_name(name: str) -> MetricName:
    """Return a name known only at run time as a `MetricName`, for functions that take a metric.

    Raises `MetricError` where no metric has that name. Metrics that were added to `METRICS` are
    names like any other.

    Examples
    --------
    >>> from kofn import metrics
    >>> asked = "pass@K"  # typed by a person
    >>> metrics.metric_name(asked)
    Traceback (most recent call last):
    metrics.data.words.MetricError: There is no metric 'pass@K'; did you mean pass@k?
    """
    return cast(MetricName, find_metric(name).name)


def labelled(label: str, options: Mapping[str, Any]) -> str:
    """Return a label with its tau, as OpenCompass writes it.

    >>> labelled("g-pass@4", {"tau": 0.5}), labelled("cover@tau", {"tau": 0.75})
    ('g-pass@4_0.5', 'cover@0.75')
    """
    if "tau" not in options:
        return label
    tau = f"{options['tau']:.4g}"
    return label.replace("@tau", f"@{tau}") if "@tau" in label else f"{label}_{tau}"


def _meant(name: str) -> tuple[Metric, str | None] | None:
    """Return the metric that a misspelled name is closest to, and the number it was given."""
    spelled = name[:40].casefold().strip().removesuffix("_ci")
    for written, sign in (("_hat_", "^"), ("_at_", "@"), ("_", "-")):
        spelled = spelled.replace(written, sign)
    numbered = _NUMBERED.fullmatch(spelled)
    if numbered is None:
        close = [*_without_letter(spelled), *get_close_matches(spelled, METRICS, n=1)]
        return (METRICS[close[0]], None) if close else None
    stem, k = numbered.groups()
    close = [name for name in (f"{stem}k", f"{stem}n") if name in METRICS]
    close += get_close_matches(f"{stem}k", METRICS, n=1)
    return (METRICS[close[0]], k) if close else None


def _without_letter(stem: str) -> list[str]:
    """Return the metrics that are called so before the sign and its letter."""
    return [name for name in METRICS if name[:-2] == stem]
