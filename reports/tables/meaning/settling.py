"""Decide from facts about its rows what the columns of a table mean, or ask."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec
import pyarrow as pa

from metrics.data.outcomes import SOLVED_ABOVE
from metrics.data.words import Text, some_of
from reports.files.notes import Note
from reports.run.fingerprint import Setting
from reports.run.remarks import missing, with_error, without_verdict
from reports.run.report import Evidence
from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.meaning.refusals import (
    Odd,
    disagreeing,
    fractions,
    out_of_range,
    require_filled,
    without_outcomes,
)
from reports.tables.meaning.row_facts import Seen, SeenRows
from reports.tables.meaning.splitting import are_numbered, require_told
from reports.tables.schema.columns import Columns, Group, names_setting
from reports.tables.schema.design import Codes, evidence
from reports.tables.schema.names import CALLED, DATASETS, MODELS, RATE, key
from reports.tables.schema.spelled import FEW
from reports.tables.source import Source

_VERDICT, _SCORE = Text("a verdict is 0 or 1"), Text("a score lies between 0 and 1")
_LOOKED_AT = 10_000


@dataclass(frozen=True)
class Meaning:
    """How to read the rows of a table."""

    columns: Columns
    # Their names where no column has them.
    model: str
    dataset: str
    outcome: Group = ()  # The columns of verdicts or scores that count; of counts, none.
    right: tuple[str, ...] = ()  # Words in them that mean right, in small letters.
    # A score above it counts as right; None where there are verdicts.
    threshold: float | None = None
    segments: tuple[str, ...] = ()  # The columns that divide the questions.
    # The least and most number of a sample, where they are so few whole numbers that a question's
    # fit into one word.
    numbers: tuple[int, int] | None = None


def settle(source: Source, columns: Columns, seen: Seen | SeenRows, notes: list[Note]) -> Meaning:
    """Decide what the columns mean.

    Raises LoadError if a question, model or sample has no name, or it is not clear what a column
    is.
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
    model = _held_throughout(columns, seen, MODELS) if columns.model is None else None
    dataset = _held_throughout(columns, seen, DATASETS) if columns.dataset is None else None
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

    n: Samples of each question. Shape (U,).
    failed: Samples with an error, and all without a verdict.
    numbers: How many numbers samples have; None where no column numbers them.
    questions: How many questions have so many; one each by default. Shape (U,).
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


def unnumbered_note(source: Source) -> Note:
    """Say that the samples of a question are known by their order alone."""
    what = Text(
        "No column numbers the samples: kofn takes the rows of a question as its samples, "
        "in their order."
    )
    return Note(what, source.place)


def _with_values(
    source: Source, columns: Columns, seen: Seen | SeenRows, notes: list[Note]
) -> Columns:
    """Leave out names of runs and samples that no row has."""
    if columns.sample not in (None, source.chosen.get("sample")):
        lone = seen.only_value(str(columns.sample))
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


def _require_questions(source: Source, columns: Columns, seen: Seen | SeenRows) -> None:
    """Refuse a row a model, which may be all questions of it, or all samples of one."""
    if columns.shape != "long" and columns.model and seen.runs(columns) == seen.rows:
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


def _held_throughout(columns: Columns, seen: Seen | SeenRows, known: Collection[str]) -> str | None:
    """Return what a column of a known name holds throughout."""
    for name in columns.dividing:
        if (
            key(name) in known
            and not seen.empty(name)
            and (lone := seen.only_value(name)) is not None
        ):
            return lone
    return None


class OutcomeColumns(Protocol):
    """Columns that may be the outcomes, wherever they are."""

    def are_empty(self, group: Group) -> bool:
        """Whether they hold nothing."""

    def agree(self, one: Group, other: Group) -> bool:
        """Whether both hold the same."""

    def odd(self, group: Group, *, between: bool) -> Odd | None:
        """Return the values that are neither 0 nor 1, or lie not even between these, if any."""


def choose(
    source: Source, columns: Columns, candidates: OutcomeColumns, notes: list[Note]
) -> tuple[Group, float | None]:
    """Choose the columns of outcomes; return the threshold too, if they are scores.

    source, columns: The table, and the candidates for verdicts and scores.
    candidates: What is known of these.
    Raises LoadError if values are out of range or all null, or candidates disagree.
    """
    role, groups = ("correct", columns.correct) if columns.correct else ("score", columns.score)
    held = [group for group in groups if not candidates.are_empty(group)]
    if not held:
        raise without_outcomes(source, groups[0][0])
    group = held[0]
    for other in held[1:]:
        if not candidates.agree(group, other):
            raise disagreeing(source, role, groups, group, other)
    odd = candidates.odd(group, between=False)
    if odd is None:
        return group, None
    if role == "correct":
        raise out_of_range(source, odd, _VERDICT)
    is_rate = columns.shape == "long" and columns.sample is None and RATE.fullmatch(key(group[0]))
    if is_rate and "score" not in source.chosen:
        raise fractions(source, group[0])
    if beyond := candidates.odd(group, between=True):
        raise out_of_range(source, beyond, _SCORE)
    what = Text(
        "No column says which samples are correct; a score above {threshold} counts as correct.",
        threshold=SOLVED_ABOVE,
    )
    notes.append(Note(what, source.place, severity="warning"))
    return group, SOLVED_ABOVE


def setting_columns(columns: Columns, data: pa.Table) -> dict[str, CodedLabels]:
    """Return the columns of few values that tell how runs were made, by the name of the setting."""
    first = {name: labels(data[name][:_LOOKED_AT]) for name in names_setting(columns)}
    few = {name: labels(data[name]) for name, found in first.items() if len(found.values) <= FEW}
    return {
        setting_name(name): found for name, found in few.items() if 0 < len(found.values) <= FEW
    }


def setting_name(name: str) -> str:
    """Return what a setting is called, by the name of its column."""
    return CALLED.get(key(name), key(name))


def setting(value: str) -> Setting:
    """Return the text of a cell as what it spells, unless more is in it than a number.

    What is not finite is NaN, which is no setting.

    Examples
    --------
    >>> setting("0.7"), setting("7"), setting("true"), setting("1.10"), setting("v2")
    (0.7, 7, True, '1.10', 'v2')
    """
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    if value.lower() in ("nan", "inf", "-inf"):
        return math.nan
    try:
        number: int | float = msgspec.json.decode(value, type=int | float)
    except (msgspec.DecodeError, UnicodeError):
        return value
    return number if str(number) == value else value


def constant_settings(names: Iterable[str], facts: Mapping[str, Any]) -> dict[str, Setting]:
    """Return the settings that hold throughout a run, by the facts of its rows; see `Look`."""
    return {
        setting_name(name): setting(facts[f"least {name}"])
        for name in names
        if facts[f"held {name}"] == facts["rows"]
        and facts[f"least {name}"] == facts[f"most {name}"]
    }
