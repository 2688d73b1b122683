"""The scorecard on one screen: a table of runs or, of many, of models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from kofn.card import full_name, grouped, is_doubtful, of_datasets, verified
from kofn.leaderboard.field import Field
from kofn.leaderboard.suite import SuiteStanding
from kofn.scorecard import words
from kofn.scorecard.analysis import ScoreCard, scores_of
from kofn.terminal.remarks import Remark, by_kind
from kofn.terminal.screen import fitted, padded, width_of
from kofn.writing.estimates import NA, percent, points
from kofn.writing.layout import Grid, Lines, named
from kofn.writing.rendering import printable, render
from metrics import Ranks, Standing
from metrics.analyses.scorecard import Score
from metrics.data.results import Estimate
from metrics.data.words import Text

METRICS = ("avg@n", "pass@k", "pass^k", "cons@n")
"""What stands on it unless others are asked for."""
MOST_RUNS = 30
"""Of more a table has a line for each model."""
_GAP = 2
_BAR, _NARROWEST_BAR, _NARROWEST_NAME = 20, 10, 12
_HIDDEN = 3
"""Lines that say what is left out, and the gap above."""
_DIGITS = (1, 0)
"""After the point, where there is room and where there is less."""

Row = list[str]


class _Part(NamedTuple):
    """Lines of the table below a head of their own."""

    head: Row
    lines: Sequence[Row]
    bars: Sequence[Estimate | None]


def brief(
    cards: Sequence[ScoreCard],
    fields: Sequence[Field],
    suite: SuiteStanding | None,
    size: tuple[int, int],
    bars: bool = True,
) -> tuple[list[Lines], list[str]]:
    """Return a table that fits, and sentences below: what to know of it, and how to see more.

    Parameters
    ----------
    cards : sequence of ScoreCard
        Of runs, and of suites.
    fields : sequence of Field
        Who leads each dataset.
    suite : SuiteStanding or None
        Who leads over all of them.
    size : tuple of int
        How many letters and lines there are.
    bars : bool, default: True
        Whether the terminal has the letters for them.
    """
    width, height = size
    runs = [card for card in cards if not (card.found and card.found.pooled)]
    parts: Callable[[int], list[_Part]] = partial(_of_runs, cards)
    metrics = cards[0].settings.names or _plain(cards)
    standing = _standing(fields, suite) if len(runs) > MOST_RUNS and metrics == METRICS else None
    if standing:
        metrics = (standing.metric,)
        over = len(suite.datasets) if suite else 1
        parts = partial(_of_models, standing, {} if suite else fields[0].names, over)
    below = [*_told(runs if standing else cards, metrics), render(words.how_to_see_more(len(runs)))]
    room = max(height - _HIDDEN - sum(1 + width_of([line]) // width for line in below), 3)
    grids, hidden = _fitted(parts, width, room, bars)
    apart = sum(len(grid.rows) + 2 for grid in grids) <= room
    return [[grid] for grid in grids] if apart else [grids], [*hidden, *below]


def _standing(fields: Sequence[Field], suite: SuiteStanding | None) -> Standing | None:
    if suite:
        return suite.standing
    return fields[0].one_try if len(fields) == 1 else None


def _fitted(
    parts: Callable[[int], list[_Part]], width: int, room: int, bars: bool
) -> tuple[list[Grid], list[str]]:
    """Return the parts of a table in as much detail as there is room for, and what is left out."""
    for digits in _DIGITS:
        found = _lined_up(parts(digits))
        widths = _widths(found)
        if _total(widths) <= width:
            break
    while len(widths) > 2 and _total(widths[1:]) + _NARROWEST_NAME + _GAP > width:
        widths.pop()
    widths[0] = min(widths[0], width - _total(widths[1:]) - _GAP * (len(widths) > 1))
    spare = width - _total(widths) - _GAP
    columns = len(found[0].head) - len(widths)
    bar = min(_BAR, spare) if bars and not columns and spare >= _NARROWEST_BAR else 0
    grids = []
    for part in found:
        if room > 1:
            shown = part.lines[: room - 1]
            grids.append(_grid(part._replace(lines=shown), widths, bar))
            room -= 1 + len(shown)
    lines = sum(len(part.lines) for part in found) - sum(len(grid.rows) for grid in grids)
    return grids, list(map(render, words.left_out(lines, columns)))


def _lined_up(parts: Sequence[_Part]) -> list[_Part]:
    """Put the digits of numbers below one another in all parts, and give them as many columns."""
    most = max(len(part.head) for part in parts)
    rows = [[*line, *[""] * (most - len(line))] for part in parts for line in part.lines]
    columns = Grid([{str(at): cell for at, cell in enumerate(row)} for row in rows]).columns()
    aligned = zip(*(cells for _name, cells, _side in columns), strict=True)
    return [
        part._replace(
            head=[*part.head, *[""] * (most - len(part.head))],
            lines=[[*row] for row in islice(aligned, len(part.lines))],
        )
        for part in parts
    ]


def _widths(parts: Sequence[_Part]) -> list[int]:
    columns = zip(*(line for part in parts for line in (part.head, *part.lines)), strict=True)
    return [width_of(column) for column in columns]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _grid(part: _Part, widths: Sequence[int], bar: int) -> Grid:
    def cells(line: Row, last: str) -> Row:
        first, *others = line[: len(widths)]
        found = [padded(fitted(first, widths[0]), widths[0])]
        found += [padded(each, width) for each, width in zip(others, widths[1:], strict=True)]
        return [*found, last] if bar else found

    head = cells(part.head, "0%" + "100%".rjust(bar - 2))
    drawn = zip(part.lines, part.bars, strict=False)
    rows = [cells(line, _bar(found, bar)) for line, found in drawn]
    return Grid([dict(zip(head, row, strict=True)) for row in rows])


def _bar(found: Estimate | None, width: int) -> str:
    """Draw a share and its interval between 0 and 100%.

    Examples
    --------
    >>> from metrics import estimate
    >>> _bar(estimate([[1, 0], [1, 1], [0, 0]], "avg@n"), 10)
    '━━━━━●━━━━'
    """
    if found is None:
        return "·" * width
    place = min(int(found.value * width), width - 1)
    low, high = found.interval or (found.value, found.value)
    return "".join(
        "●" if at == place else "━" if low < (at + 1) / width and high > at / width else "·"
        for at in range(width)
    )


def _of_runs(cards: Sequence[ScoreCard], digits: int) -> list[_Part]:
    """Lay out a line for each run, dataset by dataset, the best by the first metric on top."""
    metrics = cards[0].settings.names or _plain(cards)
    datasets = of_datasets(cards)
    alone = all(len(group) == 1 for group in datasets.values())
    parts = []
    for name, group in ({"": list(cards)} if alone else datasets).items():
        scores = {card.key: _shown(card, metrics) for card in group}
        labels = list(dict.fromkeys(label for each in scores.values() for label in each))
        first = [scores[card.key].get(labels[0]) if labels else None for card in group]
        order = sorted(zip(group, first, strict=True), key=lambda pair: -_value(pair[1]))
        models = [card.run.model for card in group]
        lines = [
            [
                _name(card, alone or models.count(card.run.model) > 1),
                *(_cell(scores[card.key].get(label), digits) for label in labels),
            ]
            for card, _score in order
        ]
        head = [_group(name, group), *labels]
        parts.append(
            _Part(head, lines, [score.estimate if score else None for _card, score in order])
        )
    return parts


def _group(name: str, group: Sequence[ScoreCard]) -> str:
    """Name a dataset, or the mean of several."""
    if not name:
        return render(Text("run"))
    pooled = any(card.found and card.found.pooled for card in group)
    called = named(printable(name))
    return render(Text("{name} (mean)", name=called)) if pooled else called


def _plain(cards: Sequence[ScoreCard]) -> tuple[str, ...]:
    """Return the metrics that are shown; of single samples all are one number."""
    sizes = {score.k for card in cards for score in scores_of(card)}
    return METRICS[:1] if sizes <= {1} else METRICS


def _shown(card: ScoreCard, metrics: Sequence[str]) -> dict[str, Score]:
    return {score.label: score for score in scores_of(card) if score.metric.name in metrics}


def _name(card: ScoreCard, whole: bool) -> str:
    mark = " !" if is_doubtful(card.run) else ""
    return named(full_name(card) if whole else printable(card.run.model)) + mark


def _value(score: Score | None) -> float:
    return score.estimate.value if score and score.estimate else -1.0


def _cell(score: Score | None, digits: int) -> str:
    return _estimate(score.estimate if score else None, digits)


def _estimate(found: Estimate | None, digits: int) -> str:
    if found is None:
        return render(NA)
    return render(percent(found.value, *(found.interval or ()), digits=digits))


def _of_models(
    standing: Standing, names: Mapping[str, str], datasets: int, digits: int
) -> list[_Part]:
    """Lay out a line for each model: its place, its mean over datasets, how far it is behind."""
    over = Text("{metric}", metric=standing.metric)
    if datasets > 1:
        over = Text("{metric}, mean of {count} datasets", metric=standing.metric, count=datasets)
    leaders = standing.leaders
    lines = []
    for place, (name, found) in enumerate(standing.estimates.items(), start=1):
        behind = standing.ahead.get(name)
        gap = "" if behind is None else render(points(behind.value, *(behind.interval or ())))
        rank = Ranks(1, len(leaders)) if name in leaders else place
        lines.append([named(names.get(name, name)), str(rank), _estimate(found, digits), gap])
    head = [render(word) for word in (Text("model"), Text("rank"), over, Text("behind the first"))]
    return [_Part(head, lines, list(standing.estimates.values()))]


def _told(cards: Sequence[ScoreCard], metrics: Sequence[str]) -> Iterator[str]:
    """Say why numbers are missing or doubtful, a line for each kind."""
    remarks = []
    for card in cards:
        name = full_name(card)
        if card.reason:
            remarks.append(Remark(render(NA), name, card.reason))
        if is_doubtful(card.run):
            doubtful = [verified(card.run)] if card.run.verified is False else []
            doubtful += [grouped(card.run)] if card.run.grouping != "proven" else []
            remarks += [Remark("!", name, Text("{said}.", said=each)) for each in doubtful if each]
        for score in _shown(card, metrics).values():
            if score.reason:
                remarks.append(Remark(render(NA), f"{name}: {score.label}", score.reason))
            for caveat in score.estimate.caveats if score.estimate else ():
                remarks.append(Remark("caveat", f"{name}: {score.label}", caveat))
    yield from by_kind(remarks)
