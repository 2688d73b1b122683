"""Which metrics a scorecard has, with which options, and the metric it is sorted by."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, excerpt, number, word
from metrics.analyses.scorecard import TAUS, Asked
from metrics.data.words import MetricError, Text
from metrics.scoring.payoffs import SLACK
from metrics.scoring.registry import METRICS, find_metric

MOST = 1024
"""The most numbers of a list that are read."""


def _read_names(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(find_metric(name).name for text in texts for name in text.split(","))
    )


def _list(
    key: str, wanted: Text, fits: Callable[[Sequence[float]], bool]
) -> Callable[[Sequence[str]], tuple[float, ...]]:
    """Return a reader of numbers separated by commas; `wanted` says which ones fit."""

    def read(texts: Sequence[str]) -> tuple[float, ...]:
        parts = [part for text in texts for part in text.split(",", MOST)]
        try:
            numbers = tuple(float(part) for part in parts)
        except ValueError:
            numbers = ()
        if not (0 < len(numbers) <= MOST and fits(numbers)):
            raise MetricError(
                Text(
                    "{key} must be {wanted}, separated by commas; got {got}.",
                    key=key,
                    wanted=wanted,
                    got=excerpt(texts),
                )
            )
        return numbers

    return read


def _spell(numbers: Sequence[float]) -> list[str]:
    return [",".join(f"{each:.12g}" for each in numbers)]


def _are_shares(numbers: Sequence[float]) -> bool:
    return all(0 <= each <= 1 for each in numbers)


def _are_weights(numbers: Sequence[float]) -> bool:
    return _are_shares(numbers) and 0 < sum(numbers) <= 1 + SLACK


def _are_rewards(numbers: Sequence[float]) -> bool:
    return all(map(math.isfinite, numbers)) and len(set(numbers)) > 1


def _are_outcomes(numbers: Sequence[float]) -> bool:
    return all(each in range(100) for each in numbers)


def _are_parameters(numbers: Sequence[float]) -> bool:
    return len(numbers) == 2 and all(0 < each < math.inf for each in numbers)


@dataclass(frozen=True)
class ScoreChoices(Choices):
    """Metrics, their options, and how they are listed."""

    # Of `metrics.METRICS`; empty for those that the page or the command has by itself.
    names: tuple[str, ...] = ()
    taus: tuple[float, ...] = TAUS  # Shares of the tries that G-Pass@k asks for, a column each.
    # Of 1, 2 … k right tries, for threshold-spectrum@k and geo-spectrum@k; empty for none.
    weights: tuple[float, ...] = ()
    lam: float = 0.5  # The weight of pass@k in geo-spectrum@k.
    # Of pass@k and pass^k in geom@k and geom-ds@k.
    pass_power: float = 0.5
    unanimous_power: float = 0.5
    # Of a wrong and a right sample, or of each category, for max@k and bayes@n; empty for 0 and 1.
    rewards: tuple[float, ...] = ()
    # Outcomes that each question had before, for bayes@n; empty for none.
    prior: tuple[float, ...] = ()
    # Alpha and beta of the distribution that each question's success rate had before, for posterior
    # means; empty for unbiased estimates.
    posterior: tuple[float, ...] = ()
    sort: str = ""  # The column that runs are sorted by; empty for the first.

    SETTINGS: ClassVar = (
        Setting(
            "metrics",
            _read_names,
            "METRIC,METRIC,…",
            Text("only these metrics, such as pass@k,avg@n; may be repeated (default: all)"),
            list,
            field="names",
        ),
        Setting(
            "tau",
            _list("tau", Text("shares from 0 to 1"), _are_shares),
            "SHARE,SHARE,…",
            Text(
                "shares of the tries that g-pass@k and cover@tau ask for (default: 0.25,0.5,0.75,1)"
            ),
            _spell,
            field="taus",
        ),
        Setting(
            "weights",
            _list("weights", Text("k numbers from 0 to 1, with a sum of at most 1"), _are_weights),
            "W,W,…",
            Text(
                "the weights of 1, 2 … k right tries, for threshold-spectrum@k and geo-spectrum@k"
            ),
            _spell,
        ),
        number(
            "lambda",
            (0, 1, 0.5),
            Text("weight of pass@k in geo-spectrum@k (default: 0.5)"),
            metavar="SHARE",
            field="lam",
        ),
        number(
            "pass-power",
            (0, 100, 0.5),
            Text("power of pass@k in geom@k and geom-ds@k (default: 0.5)"),
            metavar="POWER",
        ),
        number(
            "unanimous-power",
            (0, 100, 0.5),
            Text("power of pass^k in geom@k and geom-ds@k (default: 0.5)"),
            metavar="POWER",
        ),
        Setting(
            "rewards",
            _list(
                "rewards",
                Text("numbers that are not all the same, such as 0,0.5,1 or -1,1"),
                _are_rewards,
            ),
            "REWARD,REWARD,…",
            Text("the rewards of a wrong and a right sample, for max@k and bayes@n (default: 0,1)"),
            _spell,
        ),
        Setting(
            "prior",
            _list("prior", Text("outcomes, 0 for wrong and 1 for right"), _are_outcomes),
            "OUTCOME,OUTCOME,…",
            Text("outcomes that each question had before, for bayes@n, such as 1,1,0"),
            _spell,
        ),
        Setting(
            "posterior",
            _list("posterior", Text("two numbers above 0"), _are_parameters),
            "ALPHA,BETA",
            Text(
                "posterior means in place of unbiased estimates: each question's success rate had "
                "this Beta distribution before, such as 1,1; needs --target benchmark"
            ),
            _spell,
        ),
        word("sort", "METRIC", Text("the metric to sort by")),
    )
    KEYS: ClassVar = tuple(setting.key for setting in SETTINGS[:-1])
    """Of the settings that change numbers, and not how they are listed."""

    @property
    def beta(self) -> tuple[float, float] | None:
        """The prior of posterior means; None of unbiased estimates."""
        return (self.posterior[0], self.posterior[1]) if self.posterior else None

    def asked(self) -> tuple[Asked, ...]:
        """Return the metrics, in the order of the registry, with their options.

        Examples
        --------
        >>> ScoreChoices(("g-pass@k", "avg@n"), taus=(0.5,)).asked()
        (('avg@n', {}), ('g-pass@k', {'tau': 0.5}))
        """
        return tuple(
            (name, self._options(name) | more)
            for name, metric in METRICS.items()
            if (name in self.names if self.names else self.weights or metric.needs != "weights")
            for more in ([{"tau": tau} for tau in self.taus] if "tau" in metric.options else [{}])
        )

    def _options(self, name: str) -> dict[str, Any]:
        given = {
            "weights": self.weights or None,
            "lam": self.lam,
            "pass_power": self.pass_power,
            "unanimous_power": self.unanimous_power,
            "w": self.rewards or None,
            "R0": tuple(map(int, self.prior)) or None,
        }
        own = {option: value for option, value in given.items() if option in METRICS[name].options}
        return {option: value for option, value in own.items() if value not in (None, 0.5)}
