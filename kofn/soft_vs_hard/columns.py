"""Columns of soft and hard accuracy, with a row for each run and number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kofn.run_columns import ABOUT, LEVEL, remark_columns
from kofn.soft_vs_hard.analysis import Compared, SoftHardCard
from kofn.writing.columns import Columns, Table, for_people, in_files, member
from kofn.writing.estimates import percent, points
from kofn.writing.kinds import COUNT, DIFFERENCE, ESTIMATE, NUMBER, WORD, WRITTEN
from metrics.data.results import Estimate
from metrics.data.words import Text
from metrics.scoring.registry import METRICS

DIFFERENCES = ("gap", "not counted", "rounded up")
"""Of these numbers, those in percentage points."""
_CALLED: dict[str, Text | str] = {
    "soft": Text("soft"),
    "gap": Text("gap"),
    "not counted": Text("not counted"),
    "rounded up": Text("rounded up"),
}
"""What people read where a number is no metric."""


class SoftHardLine(NamedTuple):
    """A number of a run; none where the card says why."""

    card: SoftHardCard
    metric: str | None = None
    number: Estimate | float | None = None

    @property
    def estimate(self) -> Estimate | None:
        """The number where it is an estimate."""
        return self.number if isinstance(self.number, Estimate) else None


def numbers(card: SoftHardCard) -> Iterator[SoftHardLine]:
    """Yield every number of a run, or a line without any."""
    if card.found is None:
        yield SoftHardLine(card)
        return
    found = card.found.accuracies
    yield SoftHardLine(card, "soft", found.accuracy)
    yield SoftHardLine(card, METRICS["avg@n"].label(found.k), found.avg)
    yield SoftHardLine(card, "gap", found.gap)
    yield SoftHardLine(card, "not counted", found.levels.below)
    yield SoftHardLine(card, "rounded up", found.levels.above)
    yield SoftHardLine(card, METRICS["pass@k"].label(found.k), found.passed)
    yield SoftHardLine(card, METRICS["cons@n"].label(found.k), found.voted)


def _lines(cards: Sequence[SoftHardCard]) -> list[SoftHardLine]:
    return [line for card in cards for line in numbers(card)]


def _rule(line: SoftHardLine) -> str:
    return "above" if line.card.settings.of_run(line.card.run)[1] else "reach"


def _written(line: SoftHardLine) -> Text | None:
    if line.number is None:
        return None
    write = points if line.metric in DIFFERENCES else percent
    return write(*ESTIMATE.parts(line.number))


def _caveats(line: SoftHardLine) -> Sequence[Text]:
    return line.estimate.caveats if line.estimate else ()


COLUMNS: Columns[SoftHardLine] = (
    *ABOUT,
    in_files("threshold", NUMBER, lambda line: line.card.settings.of_run(line.card.run)[0]),
    in_files("rule", WORD, _rule, Text("whether a right score is above the threshold")),
    in_files("metric", WORD, member("metric")),
    for_people(Text("number"), WORD, lambda line: _CALLED.get(line.metric or "", line.metric)),
    in_files(("value", "low", "high"), ESTIMATE, member("number")),
    for_people(Text("value"), WRITTEN, _written),
    LEVEL,
    in_files(
        "target",
        WORD,
        lambda line: line.estimate.target if line.estimate else line.card.view.target,
    ),
    in_files("questions", COUNT, member("estimate.n_questions")),
    *remark_columns(_caveats, "caveats"),
)
NUMBERS: Table[SoftHardCard, SoftHardLine] = Table("numbers", COLUMNS, _lines)


def _part(name: str, found: Compared | None) -> Estimate | None:
    return getattr(found.accuracies, name) if found else None


def _label(metric: str, card: SoftHardCard) -> Text | None:
    found = card.found
    return Text("{label}", label=METRICS[metric].label(found.accuracies.k)) if found else None


BY_RUN: Columns[SoftHardCard] = (
    for_people(Text("soft accuracy"), ESTIMATE, lambda card: _part("accuracy", card.found)),
    for_people(Text("hard accuracy"), ESTIMATE, lambda card: _part("avg", card.found)),
    for_people(Text("gap, soft − hard"), DIFFERENCE, lambda card: _part("gap", card.found)),
    for_people(lambda card: _label("pass@k", card), ESTIMATE, lambda c: _part("passed", c.found)),
    for_people(lambda card: _label("cons@n", card), ESTIMATE, lambda c: _part("voted", c.found)),
)
"""The same of a run in one line, behind its name."""
