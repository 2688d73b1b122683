"""Models by datasets: the contents of each cell of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kofn.card import MEAN, is_mean
from kofn.leaderboard.lines import lines_of
from kofn.overview.analysis import GlanceCard, datasets_of, sort_key
from metrics.data.words import Text, printable


@dataclass(frozen=True, eq=False)
class Board:
    """The table."""

    lines: tuple[str, ...]
    # The mean over the datasets, suites, then datasets; each with its metric where k is its own.
    columns: tuple[str, ...]
    cells: tuple[tuple[GlanceCard | None, ...], ...]
    averages: int  # How many of the columns, from the first, are averages.

    def top(self, most: int) -> Board:
        """Return its first lines."""
        return replace(self, lines=self.lines[:most], cells=self.cells[:most])


def lay_out(cards: Sequence[GlanceCard]) -> Board:
    """Lay runs and their averages out, the best model by the first column on top.

    cards: Of `kofn.overview.analysis.summarize_runs` and `kofn.overview.analysis.averages`.
    """
    cards_of_runs = [card for card in cards if card.found and card.found.dataset]
    edge = [card for card in cards if card.found and not card.found.dataset]
    datasets = [dataset.name for dataset in datasets_of(cards_of_runs)]
    suites = list(dict.fromkeys(card.run.dataset for card in edge if not is_mean(card)))
    means = [MEAN] if any(map(is_mean, edge)) else []
    columns = [("mean", name) for name in means] + [("suite", name) for name in suites]
    columns += [("run", name) for name in datasets]
    lines = lines_of({card.key: card.run for card in cards_of_runs})
    by_key = {card.key: card for card in cards_of_runs}
    places: dict[tuple[str, str, str], GlanceCard] = {}
    for line, keys in lines.items():
        places |= {(line, "run", name): by_key[key] for name, key in keys.items()}
    for card in edge:
        line = card.key.removesuffix(f" / {MEAN}") if is_mean(card) else printable(card.run.model)
        places.setdefault((line, "mean" if is_mean(card) else "suite", card.run.dataset), card)
    rows = {line: [places.get((line, *column)) for column in columns] for line in lines}
    order = sorted(rows, key=lambda line: sort_key(rows[line][0]))
    return Board(
        tuple(order),
        tuple(
            _heading(
                str(Text("mean")) if kind == "mean" else name, [rows[line][at] for line in lines]
            )
            for at, (kind, name) in enumerate(columns)
        ),
        tuple(tuple(rows[line]) for line in order),
        len(suites) + len(means),
    )


def _heading(name: str, column: Sequence[GlanceCard | None]) -> str:
    """Name a column, with its metric where k is its own."""
    scores = [card.found.score for card in column if card and card.found and card.found.score]
    labels = {score.label for score in scores if score.metric.draws != "one"}
    return f"{printable(name)} · {labels.pop()}" if len(labels) == 1 else printable(name)
