"""Decide from facts about its rows what the columns of a table mean, or ask."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.run.remarks import missing, with_error, without_verdict
from reports.run.report import Evidence
from reports.tables.meaning.meaning import Meaning
from reports.tables.meaning.refusals import require_filled
from reports.tables.meaning.seen import Seen
from reports.tables.meaning.splitting import are_numbered, require_told
from reports.tables.schema.columns import Columns
from reports.tables.schema.design import Codes, evidence
from reports.tables.schema.names import DATASETS, MODELS, key
from reports.tables.source import Source


def settle(source: Source, columns: Columns, seen: Seen, notes: list[Note]) -> Meaning:
    """Decide what the columns mean.

    Raises
    ------
    LoadError
        If a question, model or sample has no name, or it is not clear what a column is.
    """
    notes += columns.notes
    columns = _with_values(source, columns, seen, notes)
    for name in (columns.model, columns.dataset, columns.question, columns.sample, columns.cluster):
        if name is not None:
            require_filled(source, name, seen.empty(name))
    if seen.part is not None and (columns.dividing or columns.sample is not None):
        part = seen.part(columns)
        notes += require_told(source, part.about(columns), part.data, columns)
    if columns.question is None or columns.question == columns.model:
        _require_questions(source, columns, seen)
    if columns.question is None:
        what = Text("No column names the questions; they are numbered by row.")
        notes.append(Note(what, source.place))
    model = _only(columns, seen, MODELS) if columns.model is None else None
    dataset = _only(columns, seen, DATASETS) if columns.dataset is None else None
    return Meaning(columns, model or source.stem, dataset or source.stem)


def samples_of(
    source: Source,
    columns: Columns,
    n: Codes,
    failed: tuple[int, int],
    numbers: int | None = None,
    questions: Codes | None = None,
) -> tuple[Evidence, list[Note]]:
    """Say of a run whether its design is proven, and how many samples failed or are missing.

    Parameters
    ----------
    n : int array (U,)
        Samples of each question.
    failed : tuple of int
        Samples with an error, and all without a verdict.
    numbers : int, optional
        How many numbers samples have; None where no column numbers them.
    questions : int array (U,), optional
        How many questions have so many; one each by default.
    """
    (errors, empty), place = failed, source.place
    notes = [with_error(place, errors)] if errors else []
    if empty > errors:
        notes.append(without_verdict(place, empty - errors))
    if columns.shape != "long":
        return "stated" if columns.question is None else "proven", notes
    if lacking := missing(place, n, numbers or int(n.max()), questions):
        notes.append(lacking)
    return evidence(n, questions, numbers), notes


def unnumbered(source: Source) -> Note:
    """Say that the samples of a question are known by their order alone."""
    what = Text(
        "No column numbers the samples: kofn takes the rows of a question as its samples, "
        "in their order."
    )
    return Note(what, source.place)


def _with_values(source: Source, columns: Columns, seen: Seen, notes: list[Note]) -> Columns:
    """Leave out names of runs and samples that no row has."""
    if columns.sample not in (None, source.chosen.get("sample")):
        lone = seen.lone(str(columns.sample))
        if lone is not None and not are_numbered([lone]):
            columns = replace(columns, sample=None)
    roles = {role: getattr(columns, role) for role in ("model", "dataset", "sample", "cluster")}
    empty = {role: name for role, name in roles.items() if name and seen.empty(name) == seen.rows}
    if empty:
        what = Text(
            "{columns} has no value in any row and is left out.",
            columns=some_of((f"{name:.60}" for name in empty.values()), 4),
        )
        notes.append(Note(what, source.place))
        model, dataset, sample, cluster = (
            None if role in empty else name for role, name in roles.items()
        )
        columns = replace(columns, model=model, dataset=dataset, sample=sample, cluster=cluster)
    return columns


def _require_questions(source: Source, columns: Columns, seen: Seen) -> None:
    """Refuse a row a model, which may be all questions of it, or all samples of one."""
    if columns.shape != "long" and columns.model and seen.total("runs") == seen.rows:
        raise source.error(
            Text(
                "has one row for each model and none for each question, so its values may be "
                "samples of one question or questions that were asked once"
            ),
            Text(
                "Give a row for each question of each model, and name the question in a column "
                "question_id, even if there is only one."
            ),
            columns.model,
        )


def _only(columns: Columns, seen: Seen, known: Collection[str]) -> str | None:
    """Return what a column of a known name holds throughout."""
    for name in columns.dividing:
        if key(name) in known and not seen.empty(name) and (lone := seen.lone(name)) is not None:
            return lone
    return None
