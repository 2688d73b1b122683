"""Columns of few values that split a table into blocks with the same questions.

Such a column is a model, a dataset or a setting, and merging its blocks would make one run of
several: n = 5 of two models would become n = 10 of one. What it is cannot be seen, so it is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.tables.meaning.codes import CodedLabels, labels
from reports.tables.schema.columns import Columns
from reports.tables.schema.data_types import is_text
from reports.tables.schema.design import (
    Codes,
    design_in_words,
    joint_codes,
    mean_of_questions,
    number,
)
from reports.tables.schema.names import ALIASES, DATASETS, MODELS, SETTINGS, USUAL, key
from reports.tables.schema.spelled import FEW
from reports.tables.source import Source

_WITH_NUMBER = re.compile(r"(.*?)[_#-]*[0-9]+(?:\.0*)?")
_LOOKED_AT = 10_000
_ROWS = 4_000_000
_DENSE = 4
_OFTEN = 2
_ODD = 0.1
_COVERED = 0.7

_MODELS = {*MODELS, *ALIASES["model"]}
_DATASETS = {*DATASETS, *ALIASES["dataset"]}
_ROLES = ("model", "dataset", "setting", "other")


@dataclass(frozen=True)
class RowCodes:
    """What each row of a table is about, as codes."""

    run: Codes  # Model and dataset.
    question: Codes | None  # None where nothing names the questions.
    order: Codes | None = None  # Number of the sample.

    @cached_property
    def asked(self) -> Codes:
        """Question of each run."""
        return self.run if self.question is None else joint_codes(self.run, self.question)

    def distinct(self) -> int:
        """Count the questions of all runs."""
        return int(self.asked.max()) + 1

    def of(self, part: NDArray[np.bool_]) -> RowCodes:
        """Return some of the rows."""
        question, order = (
            None if codes is None else codes[part] for codes in (self.question, self.order)
        )
        return RowCodes(self.run[part], question, order)


def require_told(
    source: Source, rows: RowCodes, data: pa.Table, columns: Columns
) -> Iterator[Note]:
    """Ask what a column is that splits the rows into blocks which each repeat the questions.

    Yields: If it is one that only numbers the samples.
    """
    names, sample = columns.dividing, columns.sample
    stated = sample is None or sample == source.chosen.get("sample")
    if not stated and not are_numbered(labels(data[sample]).values):
        names, rows = (*names, str(sample)), replace(rows, order=None)
    thinned = None  # every few of the questions, where there are very many rows
    if rows.question is not None and len(rows.question) > _ROWS:
        thinned = np.asarray(rows.question % (1 + len(rows.question) // _ROWS) == 0)
    kept = rows if thinned is None else rows.of(thinned)
    doubtful = []
    for name, coded in _with_few_values(data, names):
        values = _numbered(coded)
        values = values if thinned is None else values[thinned]
        if not _splits(key(name), kept, values):
            may_split = kept.question is not None and _repeat(values)
            if may_split and is_text(data[name].type) and _differ(kept.asked, values):
                doubtful.append((name, coded, _Design(kept, values, data, columns, thinned)))
        elif key(name) not in USUAL and _number_samples(kept, values, coded):
            what = Text(
                "{column} seems to number the samples; if it is a setting instead, give "
                "--column setting={column}.",
                column=name,
            )
            yield Note(what, source.place)
        else:
            raise _blocks_error(source, name, coded, _Design(kept, values, data, columns, thinned))
    renumbered = stated or bool(source.others)
    if sample and not renumbered and _are_twice(rows) and not _are_copies(rows, data, columns):
        coded, alone = labels(data[sample]), replace(rows, order=None)
        values = _numbered(coded)
        if len(coded.values) <= FEW and _splits(key(sample), alone, values):
            raise _blocks_error(source, sample, coded, _Design(alone, values, data, columns, None))
    if doubtful and _are_uneven(kept):
        raise _blocks_error(source, *doubtful[0])


def _with_few_values(data: pa.Table, names: tuple[str, ...]) -> Iterator[tuple[str, CodedLabels]]:
    for name in names:
        if len(labels(data[name][:_LOOKED_AT]).values) <= FEW:
            found = labels(data[name])
            if 1 < len(found.values) + (found.codes.min() < 0) <= FEW:
                yield name, found


def _numbered(coded: CodedLabels) -> Codes:
    """Return codes in which nothing is a value too."""
    return np.where(coded.codes < 0, len(coded.values), coded.codes).astype(np.int64)


def _splits(name: str, rows: RowCodes, value: Codes) -> bool:
    """Whether the rows with each value of a column are a block which repeats the questions."""
    if name in _MODELS | _DATASETS and _differ(rows.run, value):
        return True
    if rows.question is None or not _differ(rows.asked, value):
        return False
    if name in SETTINGS:
        return True
    return _repeat(value) and (_renumbers(rows, value) or _are_blocks(rows, value))


def _repeat(value: Codes) -> bool:
    """Whether each value stands for several rows, on average."""
    return _OFTEN * len(np.unique(value)) <= len(value)


def _are_twice(rows: RowCodes) -> bool:
    """Whether samples of a question have the same number, if any column numbers them."""
    if rows.order is None:
        return False
    codes = [codes for codes in (rows.run, rows.question, rows.order) if codes is not None]
    sizes = [int(each.max()) + 1 for each in codes]
    if math.prod(sizes) <= _DENSE * len(rows.run):  # which need not be sorted
        return bool(np.bincount(np.ravel_multi_index(codes, sizes)).max() > 1)
    return int(joint_codes(*codes).max()) + 1 < len(rows.run)


def _are_copies(rows: RowCodes, data: pa.Table, columns: Columns) -> bool:
    """Whether samples of one number always have the same outcome, as where a table is in twice."""
    outcomes = [name for group in (*columns.correct, *columns.score) for name in group]
    codes = [codes for codes in (rows.asked, rows.order) if codes is not None]
    held = [_numbered(labels(data[name])) for name in outcomes if name in data.column_names]
    return int(joint_codes(*codes, *held).max()) == int(joint_codes(*codes).max())


def _are_uneven(rows: RowCodes) -> bool:
    """Whether samples of a question have the same number, or questions differ in samples.

    The rows are then not those of one run, or some are missing.
    """
    if rows.order is not None:
        return _are_twice(rows)
    n = np.bincount(rows.asked)
    return bool(np.count_nonzero(n != np.bincount(n).argmax()) > _ODD * len(n))


def _differ(group: Codes, value: Codes) -> bool:
    """Whether a group has several values."""
    first = np.zeros(int(group.max()) + 1, dtype=np.int64)
    first[group[::-1]] = value[::-1]
    return bool((first[group] != value).any())


def _renumbers(rows: RowCodes, value: Codes) -> bool:
    """Whether samples are numbered anew for each value."""
    if rows.order is None:
        return False
    sample = joint_codes(rows.asked, rows.order)
    repeated = int(sample.max()) + 1 < len(sample)
    return repeated and int(joint_codes(sample, value).max()) + 1 == len(sample)


def _are_blocks(rows: RowCodes, value: Codes) -> bool:
    """Whether several questions have each value as often, or the rows of each stand together."""
    if rows.order is not None:
        pairs = int(joint_codes(rows.order, value).max()) + 1
        if pairs == len(np.unique(rows.order)) == len(np.unique(value)):
            return False
    width = int(value.max()) + 1
    cells, counts = np.unique(rows.asked * width + value, return_counts=True)
    of_question = np.bincount(cells // width)
    shared = int(np.count_nonzero(of_question > 1))
    if shared < 2:
        return False
    block = joint_codes(rows.run, value)
    if rows.order is None and np.count_nonzero(np.diff(block)) == block.max():
        return True
    odd = sum(
        int(np.count_nonzero(of_value != np.bincount(of_value).argmax()))
        for of_value in (counts[cells % width == each] for each in np.unique(cells % width))
    )
    covered = len(cells) / (len(of_question) * len(np.unique(value)))
    return odd <= _ODD * shared and covered >= _COVERED


def _number_samples(rows: RowCodes, value: Codes, coded: CodedLabels) -> bool:
    """Whether a column counts the rows of each question, from 0 or 1 on."""
    if rows.order is not None or rows.question is None or not all(map(str.isdecimal, coded.values)):
        return False
    numbers = sorted(map(int, coded.values))
    counted = numbers in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])
    cells = joint_codes(rows.run, rows.question, value)
    return len(numbers) > 2 and counted and int(cells.max()) + 1 == len(cells)


def are_numbered(values: Sequence[str]) -> bool:
    """Whether values are numbers, or such as run_1 and run_2."""
    found = [_WITH_NUMBER.fullmatch(key(value)) for value in values]
    stems = {match[1] if match else None for match in found}
    return len(stems) == 1 and stems <= {"", *ALIASES["sample"]}


def ranks(sample: CodedLabels) -> NDArray[np.int64]:
    """Rank the values of a sample column, numbers by value."""
    try:
        keys = np.array(sample.values, dtype=np.float64)
    except ValueError:
        keys = np.array(sample.values)
    return np.asarray(np.unique(keys, return_inverse=True)[1][sample.codes], dtype=np.int64)


@dataclass(frozen=True)
class _Design:
    """What a table is, with its rows apart by the values of a column or together."""

    rows: RowCodes
    value: Codes
    data: pa.Table
    columns: Columns
    part: NDArray[np.bool_] | None

    @property
    def samples(self) -> int | None:
        """How many samples a row has; None where rows differ."""
        groups = (*self.columns.correct, *self.columns.score)
        return None if self.columns.shape in ("list", "counts") or not groups else len(groups[0])

    @property
    def apart(self) -> Text:
        """What a run of each value gives."""
        each = [self._design_of(self.value == value) for value in np.unique(self.value)]
        designs = {str(design): design for design, _ in each if design is not None}
        shares = [share for _, share in each if share is not None]
        runs = Text("{count} runs", count=len(each))
        if len(designs) == 1:
            runs = Text("{runs} of {design}", runs=runs, design=next(iter(designs.values())))
        if len(shares) == len(each):
            listed = some_of((f"{share:.1%}" for share in shares), 4)
            runs = Text("{runs}: {shares}", runs=runs, shares=listed)
        return runs

    @property
    def together(self) -> Text:
        """What one run of all gives."""
        design, share = self._design_of(np.ones(len(self.value), bool))
        design_in_words = design or Text("one run")
        return (
            design_in_words
            if share is None
            else Text("{run}: {share:.1%}", run=design_in_words, share=share)
        )

    def _design_of(self, held: NDArray[np.bool_]) -> tuple[Text | None, float | None]:
        asked = np.unique(self.rows.asked[held], return_inverse=True)[1]
        counts = np.bincount(asked) * (self.samples or 0)
        design = design_in_words(counts) if self.samples else None
        if self._numbers is None:
            return design, None
        share = mean_of_questions(asked, self._numbers[held])
        return design, None if math.isnan(share) else share

    @cached_property
    def _numbers(self) -> NDArray[np.float64] | None:
        """The verdict or score of each row that has one alone."""
        groups = (*self.columns.correct, *self.columns.score)
        if self.columns.shape != "long" or not groups:
            return None
        if groups[0][0] not in self.data.column_names:
            return None
        found = labels(self.data[groups[0][0]])
        known = [number(value) for value in found.values]
        if None in known:
            return None
        every = np.array([*known, np.nan], dtype=np.float64)[found.codes]
        return every if self.part is None else every[self.part]


def _blocks_error(source: Source, name: str, coded: CodedLabels, design: _Design) -> LoadError:
    values = sorted(coded.values) + ["nothing"] * bool(coded.codes.min() < 0)
    problem = Text(
        "splits the rows into {count} blocks that may each repeat the questions ({values}): if "
        "it holds models, datasets or a setting, each block is a run",
        count=len(values),
        values=some_of((f"{value:.40}" for value in values), 4),
    )
    usual = "model" if key(name) in _MODELS else "dataset" if key(name) in _DATASETS else "setting"
    first = [usual] if key(name) in USUAL | _MODELS | _DATASETS else []
    roles = dict.fromkeys((*first, *_ROLES), design.apart)
    if design.columns.shape == "long":
        roles["other"] = design.together
    else:
        del roles["other"]  # each row has all samples of its question
    return source.ask_what(problem, name, tuple(roles), roles)
