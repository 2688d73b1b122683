"""How many samples to pay for: gain against cost at each n, and the n that three rules choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from metrics.applicability import unsupported
from metrics.curves import curve
from metrics.evidence import Evidence
from metrics.inputs import require_count, require_level, require_positive, require_share
from metrics.ledger import Ledger, open_ledger
from metrics.outcomes import Missing, Segment
from metrics.registry import find_metric
from metrics.spending import SampleCosts, sample_costs
from metrics.words import MetricError, Text

Rule = Literal["reach", "budget", "value"]
Vector = NDArray[np.float64]

CONFIDENCE = 0.9
"""Share of resamples in which the safe choice is large (or, of two rules, small) enough."""
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """Quality and cost for each n, shape (K,) each; NaN where something is undefined.

    Attributes
    ----------
    n : int array
        The most samples that are drawn of a question.
    quality, quality_low, quality_high : float array
        Share of questions answered right, with the interval for questions like these.
    attempts : float array
        Samples drawn of a question on average: n, or fewer where a right one ends the draw.
    cost : float array
        What they cost, on average over questions.
    cost_in_full : float array
        What n samples cost where none is spared.
    gain : float array
        Quality above that of the n before; of the first n, above 0.
    independent_gain : float array
        ``(1 - p)**(n - 1) * p``, the gain of the n-th of independent tries at the pooled rate p;
        NaN for votes.
    gain_per_cost : float array
        Gain by what is paid more than at the n before.
    cost_per_further : float array
        What is paid more than at the n before for each question that is solved in addition; NaN
        where none is.
    cost_per_solved, cost_per_solved_low, cost_per_solved_high : float array
        Cost by quality, with its interval; where nothing is solved NaN, with a lower limit only.
    """

    n: NDArray[np.int64]
    quality: Vector
    quality_low: Vector
    quality_high: Vector
    attempts: Vector
    cost: Vector
    cost_in_full: Vector
    gain: Vector
    independent_gain: Vector
    gain_per_cost: Vector
    cost_per_further: Vector
    cost_per_solved: Vector
    cost_per_solved_low: Vector
    cost_per_solved_high: Vector

    def __post_init__(self) -> None:
        for array in vars(self).values():
            array.flags.writeable = False


@dataclass(frozen=True, slots=True)
class Advice:
    """The n that one rule chooses.

    Attributes
    ----------
    rule : {"reach", "budget", "value"}
    limit : float
        The share to reach, the budget or the value.
    n : int or None
        By the data as they are; 0 where not even one sample is within budget or worth its price;
        None where the rule is undefined, as `sentence` explains.
    interval : tuple of int or None
        Percentiles of n over resampled questions.
    safe_n : int or None
        Large enough (reach) or small enough (budget, value) in `CONFIDENCE` of the resamples: the
        n to use.
    best : str
        The quality at the largest n, such as "pass@16".
    n_max : int
        The largest n.
    """

    rule: Rule
    limit: float
    n: int | None
    interval: tuple[int, int] | None
    safe_n: int | None
    best: str
    n_max: int

    def sentence(self, amount: Callable[[float], object] = "{:.4g}".format) -> Text:
        """Say it in words, with amounts of money (or of whatever samples cost) spelled so."""
        n, limit = self.safe_n, self.limit
        if self.rule == "reach":
            if n is None:
                return Text(
                    "{best} is 0: no question was solved, so no n reaches a share of it.",
                    best=self.best,
                )
            return Text(
                "n = {n} reaches {reach:.4g}% of {best}, the largest measured, with about "
                "{confidence:.0%} bootstrap confidence.",
                n=n,
                reach=100 * limit,
                best=self.best,
                confidence=CONFIDENCE,
            )
        if self.rule == "budget":
            if n == 0:
                return Text(
                    "Not even one sample is sure to stay within {budget} a question.",
                    budget=amount(limit),
                )
            return Text(
                "n = {n} is the largest whose cost stays within {budget} a question, with about "
                "{confidence:.0%} bootstrap confidence.",
                n=n,
                budget=amount(limit),
                confidence=CONFIDENCE,
            )
        if n == 0:
            return Text(
                "Not even one sample is sure to be worth its price: a question it solves is worth "
                "{value}.",
                value=amount(limit),
            )
        return Text(
            "Up to n = {n} each further solved question costs at most the {value} it is worth, "
            "with about {confidence:.0%} bootstrap confidence.",
            n=n,
            value=amount(limit),
            confidence=CONFIDENCE,
        )


@dataclass(frozen=True, eq=False)
class Choice:
    """How many samples to pay for.

    Attributes
    ----------
    metric : str
        What quality is: "pass@k", "maj@k" or "plurality@k".
    stopping : bool
        Whether a right sample ends the draw, which takes a verifier.
    rule : {"reach", "budget", "value"}
        The recommended one: value if given, else budget, else reach.
    advice : mapping of rule to Advice
        What each rule says for which there is a number.
    table : Tradeoff
    confidence_level : float
        Of all intervals.
    n_questions : int
        Questions behind it.
    remarks : tuple of Text
        Why quality is what it is, and what must be known before using the numbers.
    """

    metric: str
    stopping: bool
    rule: Rule
    advice: Mapping[Rule, Advice]
    table: Tradeoff
    confidence_level: float
    n_questions: int
    remarks: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "advice", MappingProxyType(dict(self.advice)))

    @property
    def n(self) -> int | None:
        """The recommended rule's n by the data as they are."""
        return self.advice[self.rule].n

    @property
    def interval(self) -> tuple[int, int] | None:
        """Percentiles of that n over resampled questions."""
        return self.advice[self.rule].interval

    @property
    def safe_n(self) -> int | None:
        """The n to use by the recommended rule."""
        return self.advice[self.rule].safe_n


def choose_n(
    data: Any,
    *,
    metric: str = "pass@k",
    cost_per_sample: Any = 1.0,
    verifier: bool = True,
    budget: float | None = None,
    value_per_solved: float | None = None,
    reach: float = 0.95,
    confidence_level: float = 0.95,
    missing: Missing = "wrong",
    segment: Segment | None = None,
    answers: Any = None,
    resamples: int = 2000,
    rng: int | np.random.Generator = 0,
) -> Choice:
    """Choose how many samples of each question to pay for.

    Parameters
    ----------
    data : Outcomes, Tally or array_like of 0/1, shape (M, N)
        What was observed; every n up to the fewest samples of a question is looked at.
    metric : {"pass@k", "maj@k", "plurality@k"}
        What the samples are for. pass@k takes a verifier; votes look at odd n only.
    cost_per_sample : float, or float array, shape (M, N)
        In any unit; NaN where it is not known.
    verifier : bool
        Whether answers can be checked automatically, so that the first right one ends the draw.
        Without, pass@k is out of reach: quality is plurality@k where there are answers, else maj@k.
    budget : float, optional
        The most that a question may cost on average, in the unit of the costs.
    value_per_solved : float, optional
        What a solved question is worth, in the unit of the costs.
    reach : float, default: 0.95
        Share of the quality at the largest n, in (0, 1].
    confidence_level : float, default: 0.95
        Of all intervals.
    missing, segment, answers
        As in `metrics.estimate`.
    resamples : int
        How often the questions are drawn with replacement.
    rng : int or Generator
        Seed of the resamples.

    Returns
    -------
    Choice

    Raises
    ------
    MetricError
        If an argument is out of range or the data have no right or wrong samples.

    Examples
    --------
    The fourth sample still solves a question for each 5 it costs:

    >>> choice = choose_n([[1, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]], value_per_solved=8)
    >>> choice.table.quality.round(3).tolist(), choice.table.attempts.round(3).tolist()
    ([0.25, 0.444, 0.583, 0.667], [1.0, 1.75, 2.306, 2.722])
    >>> choice.table.cost_per_further.round(2).tolist(), choice.n
    ([4.0, 3.86, 4.0, 5.0], 4)
    """
    level = require_level(confidence_level)
    limits: dict[Rule, float] = {"reach": require_share(reach, "reach")}
    if budget is not None:
        limits["budget"] = require_positive(budget, "budget")
    if value_per_solved is not None:
        limits["value"] = require_positive(value_per_solved, "value_per_solved")
    evidence = Evidence(data, missing, segment, answers)
    attained, remarks = _attainable(metric, evidence, verifier)
    stopping = attained == "pass@k"
    ks = np.arange(1, evidence.n_min + 1, 1 if stopping else 2)
    costs = sample_costs(evidence, cost_per_sample)
    ledger = open_ledger(evidence, attained, ks, costs, stopping)
    table = _tradeoff(evidence, attained, ledger, costs, level)
    drawn = np.random.default_rng(rng).multinomial(
        ledger.n_questions,
        ledger.questions / ledger.n_questions,
        size=require_count(resamples, "resamples"),
    )
    resampled = (drawn @ of.T / ledger.n_questions for of in (ledger.quality, ledger.cost))
    quality, cost = resampled
    advice = {
        rule: _advise(rule, limit, attained, table, quality, cost, level)
        for rule, limit in limits.items()
    }
    rule: Rule = next(rule for rule in ("value", "budget", "reach") if rule in limits)
    return Choice(attained, stopping, rule, advice, table, level, ledger.n_questions, (*remarks,))


def _attainable(metric: str, evidence: Evidence, verifier: bool) -> tuple[str, tuple[Text, ...]]:
    if metric not in ("pass@k", "maj@k", "plurality@k"):
        raise MetricError(
            Text("n is chosen for pass@k, maj@k or plurality@k; got {got!r}.", got=metric)
        )
    if metric == "pass@k" and not verifier:
        reason = unsupported(find_metric("plurality@k"), evidence, 1, "population", {})
        attained = "plurality@k" if reason is None else "maj@k"
        why = Text(
            "pass@n is out of reach without a way to check answers: someone would have to pick the "
            "right one. A vote among n samples needs no check."
        )
        return attained, (why,)
    return metric, ()


def _tradeoff(
    evidence: Evidence, metric: str, ledger: Ledger, costs: SampleCosts, level: float
) -> Tradeoff:
    n = ledger.n
    quality, attempts, cost, full = map(
        ledger.mean, (ledger.quality, ledger.attempts, ledger.cost, ledger.cost_in_full)
    )
    found = curve(
        evidence.data,
        metric,
        n.tolist(),
        confidence_level=level,
        missing=evidence.missing,
        segment=evidence.segment,
        answers=evidence.answers,
    )
    gain, paid = np.diff(quality, prepend=0.0), np.diff(cost, prepend=0.0)
    gained = gain > _ROUNDING
    p = quality[0]
    per_solved, low, high = _per_solved(ledger, quality, cost, found.high, costs, level)
    return Tradeoff(
        n,
        quality,
        found.low,
        found.high,
        attempts,
        cost,
        full,
        gain,
        (1 - p) ** (n - 1) * p if metric == "pass@k" else np.full(len(n), np.nan),
        np.divide(gain, paid, out=np.full(len(n), np.nan), where=paid > 0),
        np.divide(paid, gain, out=np.full(len(n), np.nan), where=gained),
        per_solved,
        low,
        high,
    )


def _per_solved(
    ledger: Ledger, quality: Vector, cost: Vector, most: Vector, costs: SampleCosts, level: float
) -> tuple[Vector, Vector, Vector]:
    r"""Return the cost of a solved question and its limits.

    :math:`\log R \pm t \sqrt{(\sum_i e_i^2 + (n w / a)^2) / ((M - 1) M)}` with
    :math:`e_i = A_i / a - G_i / b`; the extra term is one unseen question that cannot be solved.
    """
    m = ledger.n_questions
    solved = quality > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(solved, cost / quality, np.nan)
        e = ledger.cost / cost[:, None] - ledger.quality / quality[:, None]
    unseen = ledger.n * costs.mean_wrong / cost
    if m < 2:
        unknown = np.full(len(cost), np.nan)
        return ratio, unknown, unknown.copy()
    variance = (e**2 @ ledger.questions + unseen**2) / ((m - 1) * m)
    width = np.exp(stdtrit(m - 1, (1 + level) / 2) * np.sqrt(variance))
    return (
        ratio,
        np.where(solved, ratio / width, cost / most),
        np.where(solved, ratio * width, np.inf),
    )


def chosen_by(rule: Rule, limit: float, n: NDArray[np.int64], quality: Any, cost: Any) -> Any:
    """Return the n that a rule chooses by quality and cost at each n, shape (…, K)."""
    if rule == "reach":
        enough = quality >= limit * quality[..., -1:] - _ROUNDING
        return np.where(quality[..., -1] > 0, n[enough.argmax(axis=-1)], n[-1])
    if rule == "budget":
        within = cost <= limit * (1 + _ROUNDING)
    else:
        zero = np.zeros((*quality.shape[:-1], 1))
        gain = np.diff(quality, axis=-1, prepend=zero)
        paid = np.diff(cost, axis=-1, prepend=zero)
        within = (gain > _ROUNDING) & (paid <= limit * gain * (1 + _ROUNDING))
    count = np.logical_and.accumulate(within, axis=-1).sum(axis=-1)
    return np.r_[0, n][count]


def _advise(
    rule: Rule,
    limit: float,
    metric: str,
    table: Tradeoff,
    quality: Vector,
    cost: Vector,
    level: float,
) -> Advice:
    n_max = int(table.n[-1])
    best = find_metric(metric).label(n_max)
    if rule == "reach" and table.quality[-1] == 0:
        return Advice(rule, limit, None, None, None, best, n_max)
    n = int(chosen_by(rule, limit, table.n, table.quality, table.cost))
    ns = chosen_by(rule, limit, table.n, quality, cost)
    tail = (1 - level) / 2
    low = int(np.quantile(ns, tail, method="lower"))
    high = int(np.quantile(ns, 1 - tail, method="higher"))
    if rule == "reach":
        safe = int(np.quantile(ns, CONFIDENCE, method="higher"))
    else:
        safe = int(np.quantile(ns, 1 - CONFIDENCE, method="lower"))
    return Advice(rule, limit, n, (low, high), safe, best, n_max)
