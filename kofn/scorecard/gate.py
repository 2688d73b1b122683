"""Minimum values of a metric that every run must surely reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from kofn.choices.codec import Choices
from kofn.choices.settings import Setting, excerpt
from kofn.run_columns import segment_of
from kofn.scorecard import words
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.terminal.gate import GateVerdict, Ruling
from kofn.writing.joining import with_name
from kofn.writing.layout import short_name
from metrics.analyses.scorecard import Score
from metrics.data.names import MetricName
from metrics.data.words import MetricError, Text
from metrics.scoring.registry import metric_name
from reports.run.report import Report


class LowerLimit(NamedTuple):
    """What the lower limit of a metric must not fall below."""

    metric: MetricName
    least: float


def _read(texts: Sequence[str]) -> tuple[LowerLimit, ...]:
    return tuple(map(_line, texts))


def _line(text: str) -> LowerLimit:
    name, equals, number = text.partition("=")
    try:
        least = float(number) if equals else float("nan")
    except ValueError:
        least = float("nan")
    if not 0 <= least <= 1:
        raise MetricError(
            Text(
                "fail-under must read METRIC=FRACTION, such as avg@n=0.7; got {got}.",
                got=excerpt([text]),
            )
        )
    return LowerLimit(metric_name(name), least)


@dataclass(frozen=True)
class LineChoices(Choices):
    """What the lower limits must not fall below.

    Examples
    --------
    >>> LineChoices.from_query({"fail-under": "avg@n=.7"})[0].lines
    (LowerLimit(metric='avg@n', least=0.7),)
    """

    lines: tuple[LowerLimit, ...] = ()  # Empty for nothing.

    SETTINGS: ClassVar = (
        Setting(
            "fail-under",
            _read,
            "METRIC=FRACTION",
            Text(
                "exit with status 1 unless the lower limit of this metric reaches this value in "
                "every run, such as avg@n=0.7; may be repeated"
            ),
            lambda lines: [f"{metric}={least:g}" for metric, least in lines],
            field="lines",
        ),
    )


def judge(reports: Sequence[Report], cards: Sequence[ScoreCard], choices: LineChoices) -> Ruling:
    """Say of every run and each line whether its lower limit reaches it."""
    return Ruling([verdict for line in choices.lines for verdict in _verdicts(cards, line)])


def _verdicts(cards: Sequence[ScoreCard], line: LowerLimit) -> Iterator[GateVerdict]:
    scores = {
        card.key: [s for s in scores_of(card) if s.metric.name == line.metric] for card in cards
    }
    if cards and not any(scores.values()) and any(map(scores_of, cards)):
        raise MetricError(words.no_such_score(line.metric))
    for card in cards:
        name = ", ".join(map(short_name, filter(None, (card.key, segment_of(card)))))
        if not scores[card.key]:
            assert card.reason is not None
            yield GateVerdict(False, with_name(name, card.reason))
        yield from (_verdict(name, score, line.least) for score in scores[card.key])


def _verdict(name: str, score: Score, least: float) -> GateVerdict:
    found = score.estimate
    low = found.interval.low if found and found.interval else None
    return GateVerdict(low is not None and low >= least, words.limit_in_words(name, score, least))
