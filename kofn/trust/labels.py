"""Human labels: the list to fill in, the number they give, and what more would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd

from kofn import output
from kofn.card import Finding, attempt
from kofn.choices.codec import Choices
from kofn.choices.settings import file_setting
from kofn.choices.view import View
from kofn.writing.layout import csv_text
from metrics import Labelled, SpotCheck, labelled_rate, planned_widths, spot_check
from metrics.analyses.judges.verdicts import HUMAN, UNSURE
from metrics.data.arrays import Vector
from metrics.data.words import MetricError, Text
from reports.files.errors import LoadError
from reports.labelling import to_fill_in, with_labels
from reports.loading import load
from reports.readings.audit import Audit
from reports.run.calibration import Calibration
from reports.run.report import Report, Run

LISTED = 300
"""Samples of a list; what fewer of them would give is said with it."""
PLANNED = (30, 100, LISTED)
WORTH = {"right": 1.0, "wrong": 0.0, "cannot tell": np.nan}
"""What each label is."""
Planned = tuple[tuple[int, float], ...]
"""Numbers of labels, and half the width of the interval that each would give."""
Made = Mapping[tuple[str, int], str]
"""Labels by question and sample, each a key of `WORTH`."""


@dataclass(frozen=True)
class Labelling(Choices):
    """Where labels come from, and where the list goes that is to be labelled."""

    labels: str = ""  # The path of a list that was filled in; empty for none.
    to_label: str = ""  # The path that the list is written to; empty for none.

    SETTINGS: ClassVar = (
        file_setting(
            "labels",
            Text("the list of samples that --to-label wrote, with labels filled in"),
        ),
        file_setting(
            "to-label",
            Text("write a list of samples to be labelled, drawn at random by kind, as CSV"),
        ),
    )


def labelling_list(run: Run, found: Audit, view: View) -> SpotCheck:
    """Return the samples to be labelled, in their order, with the labels there are."""
    return spot_check(run, questions=LISTED, strata=found.strata, segment=view.segment)


def columns_of(run: Run, made: Made) -> dict[str, Vector]:
    """Return labels as columns of a run, beside those that it has.

    Examples
    --------
    >>> from metrics import Outcomes
    >>> run = Run("7B", "gsm8k", Outcomes([[1, 0]], questions=["a"]))
    >>> {name: values.tolist() for name, values in columns_of(run, {("a", 1): "right"}).items()}
    {'human': [[nan, 1.0]], 'human_unsure': [[nan, nan]]}
    """
    assert run.outcomes is not None
    shape = run.outcomes.shape
    human, unsure = (
        run.columns.get(name, np.full(shape, np.nan)).astype(np.float64) for name in (HUMAN, UNSURE)
    )
    known = [(at, sentence) for at, sentence in made.items() if at[1] < shape[1]]
    rows = run.outcomes.questions.places([question for (question, _), _ in known])
    for row, ((_, sample), sentence) in zip(rows.tolist(), known, strict=True):
        if row >= 0:
            human[row, sample] = WORTH[sentence]
            unsure[row, sample] = 1.0 if np.isnan(WORTH[sentence]) else np.nan
    return {HUMAN: human, UNSURE: unsure}


def labels_of(run: Run) -> dict[tuple[str, int], str]:
    """Return the labels in the columns of a run, by question and sample."""
    assert run.outcomes is not None
    empty = np.full(run.outcomes.shape, np.nan)
    human, unsure = (run.columns.get(name, empty) for name in (HUMAN, UNSURE))
    found = {}
    for row, sample in np.argwhere(~np.isnan(human) | (unsure == 1)).tolist():
        verdict = "right" if human[row, sample] == 1 else "wrong"
        label = "cannot tell" if np.isnan(human[row, sample]) else verdict
        found[run.outcomes.questions[row], sample] = label
    return found


def correct(run: Run, found: Audit, view: View) -> Finding[Labelled]:
    """Estimate avg@n from the labels of a run; None, with the reason, without any."""
    return attempt(labelled_rate, run, found.strata, **view.asked)


def labels_needed(run: Run, found: Audit, view: View) -> Planned | None:
    """Return what 30, 100 and 300 labels would give; None where nothing was read."""
    counts = [count for count in PLANNED if count < found.read]
    counts += [found.read] if len(counts) < len(PLANNED) else []
    widths, _ = attempt(planned_widths, run, found.strata, counts, **view.asked)
    if widths is None or not found.read:
        return None
    return tuple(zip(counts, map(float, widths), strict=True))


def with_filled_list(runs: Mapping[str, Run], path: str) -> dict[str, Run]:
    """Return runs with the labels of a list that was filled in."""
    report = load(path)
    lists = [each for each in report.calibrations if each.spot_check]
    if not lists:
        raise LoadError(
            report.name,
            Text("is no list of samples with labels"),
            Text("Have a list of samples written, fill in human (1 right, 0 wrong), load that."),
        )
    return with_filled_lists(runs, lists)


def with_filled_lists(runs: Mapping[str, Run], lists: Sequence[Calibration]) -> dict[str, Run]:
    """Return runs with the labels of lists that were filled in."""
    held = Report("", Text(""), tuple(runs.values()), calibrations=tuple(lists))
    (report,), refused = with_labels([held])
    if refused:
        name, reason = lists[0].name, refused[0]
        raise LoadError(name, Text("cannot be used: {reason}", reason=reason), Text(""))
    return dict(zip(runs, report.runs, strict=True))


def table_to_label(found: Mapping[str, tuple[Run, Audit]], view: View) -> pd.DataFrame:
    """Return the list of all runs, to fill in and load again."""
    tables = [to_fill_in(run, labelling_list(run, audit, view)) for run, audit in found.values()]
    return pd.concat(tables, ignore_index=True)


def write_list(path: str, found: Mapping[str, tuple[Run, Audit]], view: View) -> None:
    """Write the list of all runs to a new file, to be filled in."""
    if not found:
        raise MetricError(Text("No run here keeps texts whose final answers can be read."))
    if Path(path).exists():
        raise MetricError(
            Text("{file} exists already and may hold labels; give another name.", file=path)
        )
    try:
        output.write(path, output.encoded(csv_text(table_to_label(found, view))))
    except OSError as error:
        raise MetricError(output.unwritable(path, error)) from error
