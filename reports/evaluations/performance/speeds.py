"""Which performance run belongs to which judged run, by model and dataset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from metrics.data.words import Text
from reports.evaluations.files.config import Config
from reports.evaluations.files.predictions import Answered
from reports.evaluations.order import RecordOrder
from reports.evaluations.pair import Measuring, unmeasured
from reports.evaluations.performance.joining import changed, told, with_speed
from reports.evaluations.performance.layout import Performance, find_performances
from reports.files.notes import Note
from reports.files.tree import Tree
from reports.run.report import Run


class Speeds:
    """What was measured in a tree, each to be asked for by model and dataset."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: defaultdict[tuple[str, str], list[Performance]] = defaultdict(list)
        for each in find_performances(tree):
            self._known[each.model, each.dataset].append(each)
        self._used: set[tuple[str, str]] = set()

    def of(self, model: str, dataset: str, config: Config) -> Measuring:
        """Return what adds to a run what was measured: by the last run, if there are several."""
        found = self._known.get((model, dataset))
        if not found:
            return unmeasured
        self._used.add((model, dataset))
        measured = found[-1]
        settings = self._changed(measured, config)
        adds = partial(with_speed, tree=self._tree, measured=measured, settings=settings)
        return adds if len(found) == 1 else partial(_last_of, len(found), measured.path, adds)

    def left(self) -> Iterator[Performance]:
        """Give what was measured of models and datasets of which nothing was judged."""
        for key, found in self._known.items():
            if key not in self._used:
                yield from found

    def _changed(self, measured: Performance, config: Config) -> list[str]:
        asked = told(self._tree, measured)
        mine = config.asked(measured.model, measured.dataset)
        return [] if asked is None else changed(mine, asked)


def _last_of(
    count: int,
    path: str,
    adds: Measuring,
    run: Run,
    answered: Answered | None,
    order: RecordOrder | None,
) -> Run:
    what = Text(
        "There are {count} performance runs of this model and dataset; kofn uses the last one.",
        count=count,
    )
    made = adds(run, answered, order)
    return replace(made, notes=(*made.notes, Note(what, path, count)))
