"""The settings of a run: those its samples were drawn with, and the newest for its verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from metrics.data.words import Text, some_of
from reports.evaluations.files.config import Config
from reports.evaluations.files.layout import Pair
from reports.files.notes import Note
from reports.run.fingerprint import settled
from reports.run.report import Run


@dataclass(frozen=True, slots=True)
class Sources:
    """What says how the runs of a folder were made.

    Attributes
    ----------
    configs : sequence of Config
        All of them, the newest first.
    tool : str or None
        None where nothing but the way of the files tells.
    versions : mapping of str to str
        The version of each dataset's prompt, which the summary has.
    """

    newest: Config = field(default_factory=Config)
    configs: Sequence[Config] = ()
    tool: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    def add_to(self, run: Run, pair: Pair, place: str) -> Run:
        """Return a run with its settings, and a note if they were changed while it was made."""
        dataset = (pair.judged or pair).dataset
        asked = self.newest.asked(pair.model, dataset)
        drawn, changed = self._drawn(pair.model, dataset)
        notes = (_changed(changed, place),) if changed else ()
        told = {"prompt_version": self.versions.get(pair.dataset), "tool": self.tool}
        settings = settled({**drawn, **asked.dataset.judging, **told})
        return replace(run, settings=settings, notes=(*run.notes, *notes))

    def _drawn(self, model: str, dataset: str) -> tuple[dict[str, Any], list[str]]:
        """Return what holds of all samples, and the names of what was changed in between."""
        sampling = [each for each in self.configs if not each.only_evaluates] or self.configs
        told = [each.asked(model, dataset).drawn for each in sampling if model in each.models]
        every = {name: None for each in told for name in each}
        changed = [name for name in every if len({repr(each.get(name)) for each in told}) > 1]
        return {name: told[0][name] for name in every if name not in changed}, changed


def _changed(names: Sequence[str], place: str) -> Note:
    what = Text(
        "{names} changed between the parts of this run; it is unknown which sample was drawn "
        "with which setting.",
        "{names} changed between the parts of this run; it is unknown which sample was drawn "
        "with which setting.",
        count=len(names),
        names=some_of(settled(dict.fromkeys(names, 0)), 5),
    )
    return Note(what, place, severity="warning")
