"""Data frames of Inspect: `samples_df` as Parquet or CSV, and `evals_df` beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import msgspec
import pyarrow as pa

from metrics.data.words import Text
from reports.column_mapping import ColumnMapping, columns_in_role
from reports.files.errors import LoadError
from reports.files.notes import Note
from reports.files.tree import Tree, remembered
from reports.harnesses.inspect.header import LIMITS, START, Header
from reports.harnesses.inspect.records import (
    SampleRecord,
    SampleScore,
    Usage,
    dividing,
    spent,
    values_of,
)
from reports.harnesses.inspect.runs import Known, choose, run_of
from reports.run.report import Run
from reports.run.texts import QuestionTexts, Store
from reports.run.turns import turns
from reports.samples.gathering import Gathered, Sample, gather_apart
from reports.samples.heads import head, paths_with
from reports.samples.reading import Part
from reports.samples.verdict_choice import VerdictChooser
from reports.tables.formats import delimited, parquet
from reports.tables.schema.columns import Columns
from reports.tables.source import Source
from reports.tables.texts.table_texts import TableTexts, TextLines

SAMPLES = frozenset({"sample_id", "eval_id", "id", "epoch"})
EVALS = frozenset({"eval_id", "task_name", "completed_samples"})
_SCORE, _METADATA, _ARGUMENT = "score_", "metadata_", "task_arg_"
_ROLE = re.compile(r"(?:\A|\n\n)(system|user|assistant|tool):\n")
_ID = re.compile(r"[2-9A-HJ-NP-Za-km-z]{22}")
"""The short form of a UUID that Inspect gives each evaluation."""
_LOG = re.compile(r"[^/\\]*?T[\d+-]+_(.+)_\w+\.(?:eval|json)$")
_USAGE = msgspec.json.Decoder(dict[str, Usage])
_OTHERS = (
    *("model", "log", "model_usage", "total_time", "working_time", "error", "limit"),
    *("epoch", "id", "eval_id"),
)

Row = Mapping[str, Any]


@dataclass(frozen=True)
class SampleFrame:
    """A frame of samples, perhaps of several logs."""

    tree: Tree
    path: str

    def part(self, asking: VerdictChooser, known: Known) -> Part:
        """Return what reads it but for evaluations that are known, and adds the others to them."""
        return Part(self.path, partial(self._runs, asking, known), _evaluation_frames(self.tree))

    def _runs(self, asking: VerdictChooser, known: Known) -> Iterator[Run | LoadError | Note]:
        frame = _Table.of(self.tree, self.path)
        scores = [name for name in frame.names if name.startswith(_SCORE)]
        stated = _evaluation_rows(self.tree)
        evaluations: dict[str, _Eval] = {}
        for row in frame.rows([*scores, "eval_id", "model", "log", "model_usage"]):
            name = str(row["eval_id"])
            if name not in evaluations:
                evaluated = stated.get(name)
                header = _frame_header(row) if evaluated is None else _header(evaluated, scores)
                evaluations[name] = _Eval(header)
            evaluations[name].see(row)
        chosen: dict[str, str] = {}
        given = failed = 0
        for name, each in evaluations.items():
            if (name,) in known:
                continue
            try:
                chosen[name] = choose(self.tree, self.path, [*each.scorers], asking)
            except LoadError as error:
                failed += 1
                yield error
        metadata = [name for name in frame.names if name.startswith(_METADATA)]
        samples = (
            (name, _sample(number, row, chosen[name], evaluations[name].header))
            for number, row in enumerate(frame.rows([*scores, *metadata, *_OTHERS]))
            if (name := str(row["eval_id"])) in chosen
        )
        texts = frame.texts()
        for name, run in gather_apart(samples, self.tree.name, self.path).items():
            header = evaluations[name].header
            notes = [] if name in stated else [_unnamed(self.path)]
            store = self._store(texts, run)
            if (name, run.outcomes.digest) in known:
                continue
            known.add((name, run.outcomes.digest))
            given += 1
            yield run_of(run, header, chosen[name], self.path, store, notes)
        if copies := len(evaluations) - given - failed:
            yield _copied(self.path, copies)

    def _store(self, texts: TextLines | None, gathered: Gathered) -> Store | None:
        if texts is None:
            return None
        return _FrameTexts(texts, gathered.records, gathered.outcomes.shape[1])


class _FrameTexts(TableTexts):
    """Texts of a frame, which has each message of an input after who speaks."""

    def read(self, row: int) -> QuestionTexts:
        """Read the texts of one question."""
        return _spoken(super().read(row))

    def read_questions(self, rows: Sequence[int]) -> Iterator[tuple[int, QuestionTexts]]:
        """Read what some questions ask."""
        return ((row, _spoken(found)) for row, found in super().read_questions(rows))


def _spoken(texts: QuestionTexts) -> QuestionTexts:
    return texts._replace(prompt=turns(_messages("".join(turn.text for turn in texts.prompt))))


def _messages(written: str) -> Any:
    """Return the messages of an input; Inspect writes a line with the role before each."""
    if not _ROLE.match(written):
        return written or None
    _, *parts = _ROLE.split(written)
    spoken = zip(parts[::2], parts[1::2], strict=True)
    return [{"role": role, "content": text.strip()} for role, text in spoken]


def find_frames(tree: Tree) -> Iterator[SampleFrame]:
    """Give the frames of samples in a tree that is no log itself."""
    if START in tree.files:
        return
    for path in paths_with(tree, SAMPLES):
        if any(name.startswith(_SCORE) for name in head(tree, path).names) and _is_made(tree, path):
            yield SampleFrame(tree, path)


def _is_made(tree: Tree, path: str) -> bool:
    """Whether a table is filled as the tool fills it: by its ids, or by the logs it names."""
    try:
        row = next(_Table.of(tree, path).rows(["eval_id", "log"]), {})
    except (LoadError, pa.ArrowException, OSError, UnicodeError, ValueError):
        return False
    return bool(
        _ID.fullmatch(str(row.get("eval_id"))) or str(row.get("log")).endswith((".eval", ".json"))
    )


def by_scorer(mapping: ColumnMapping) -> ColumnMapping:
    """Return what was told, with columns of a frame as the scorers that they are of.

    Examples
    --------
    >>> by_scorer({"correct": "score_match"})
    {'correct': ('match',)}
    """
    names = tuple(name.removeprefix(_SCORE) for name in columns_in_role(mapping, "correct"))
    return {**mapping, "correct": names} if names else mapping


@dataclass(frozen=True)
class _Table:
    """A table of either format, read row by row."""

    source: Source
    kind: Text
    names: list[str]

    @classmethod
    def of(cls, tree: Tree, path: str) -> _Table:
        form = parquet if parquet.sniff(head(tree, path).start) else delimited
        source = Source(tree, path, {}, form.values)
        with source.reading(form.NAME):
            return cls(source, form.NAME, form.schema(source).names)

    def rows(self, names: Iterable[str]) -> Iterator[Row]:
        assert self.source.values is not None
        held = [name for name in dict.fromkeys(names) if name in self.names]
        with self.source.reading(self.kind):
            for row in self.source.values(self.source, held):
                yield dict(zip(held, row, strict=True))

    def texts(self) -> TextLines | None:
        columns = Columns(
            "long",
            prompt="input" if "input" in self.names else None,
            reference="target" if "target" in self.names else None,
        )
        return TextLines.of(self.source, columns)


@dataclass(frozen=True)
class _Eval:
    """One evaluation of a frame: what is known of it, and which scorers have values."""

    header: Header
    scorers: dict[str, None] = field(default_factory=dict)

    def see(self, row: Row) -> None:
        """Take down which scorers have values in a row."""
        self.scorers.update(dict.fromkeys(values_of(_record(row))))


def _frame_header(row: Row) -> Header:
    """Return what the frame of samples itself tells of an evaluation."""
    models = list(_usage(row))
    model = row.get("model") or (models[0] if len(models) == 1 else None)
    task = _LOG.search(str(row.get("log") or ""))
    about = {"model": model, "task": task[1] if task else None}
    return Header({"status": "success", "eval": about})


@remembered
def _evaluation_frames(tree: Tree) -> tuple[str, ...]:
    """Return the frames of evaluations."""
    return tuple(paths_with(tree, EVALS))


@remembered
def _evaluation_rows(tree: Tree) -> dict[str, Row]:
    """Return the rows of the frames of evaluations by their ids, read once for all of samples."""
    tables = [_Table.of(tree, path) for path in _evaluation_frames(tree)]
    return {str(row.get("eval_id")): row for table in tables for row in table.rows(table.names)}


def _header(row: Row, scores: list[str]) -> Header:
    """Return a row of a frame of evaluations as what its log would say."""
    about = {
        "model": row.get("model"),
        "model_base_url": row.get("model_base_url"),
        "model_args": _parsed(row.get("model_args")),
        "model_roles": _parsed(row.get("model_roles")),
        "task": row.get("task_name"),
        "task_version": row.get("task_version"),
        "created": str(row.get("created")),
        "config": {"epochs": row.get("epochs"), **{name: row.get(name) for name in LIMITS}},
        "dataset": {
            "name": row.get("dataset_name"),
            "samples": row.get("dataset_samples"),
            "location": row.get("dataset_location"),
            "sample_ids": _parsed(row.get("dataset_sample_ids")),
        },
        "task_args": {
            name.removeprefix(_ARGUMENT): value
            for name, value in row.items()
            if name.startswith(_ARGUMENT) and value not in (None, "")
        },
        "solver": row.get("solver"),
        "model_generate_config": _parsed(row.get("model_generate_config")),
        "packages": _parsed(row.get("packages")),
    }
    means = [*_means(row, [name.removeprefix(_SCORE) for name in scores])]
    results = {"scores": means, "total_samples": row.get("total_samples")}
    return Header({"status": row.get("status"), "eval": about, "results": results})


def _means(row: Row, scorers: list[str]) -> Iterator[dict[str, Any]]:
    """Give the means of a row as a log states them; a lone reducer is not in a column's name."""
    found = _parsed(row.get("epochs_reducer"))
    reducers = found if isinstance(found, list) and found else ["mean"]
    for scorer, reducer, metric in product(scorers, reducers, ("accuracy", "mean")):
        named = [scorer, metric] if len(reducers) == 1 else [scorer, str(reducer), metric]
        value = row.get(_SCORE + "_".join(named))
        if value is not None:
            metrics = {metric: {"value": value}}
            yield {"name": scorer, "scorer": scorer, "reducer": reducer, "metrics": metrics}


def _record(row: Row) -> SampleRecord:
    """Return the scores of a row as a log has them."""
    scores = {
        name.removeprefix(_SCORE): SampleScore(
            _parsed(value) if str(value).startswith("{") else value
        )
        for name, value in row.items()
        if name.startswith(_SCORE) and value not in (None, "")
    }
    return SampleRecord("", scores=scores)


def _sample(number: int, row: Row, scorer: str, header: Header) -> Sample:
    values = values_of(_record(row))
    metadata = {
        name.removeprefix(_METADATA): value
        for name, value in row.items()
        if name.startswith(_METADATA)
    }
    return Sample(
        str(row["id"]),
        int(row["epoch"]),
        score=values.pop(scorer, None),
        measured={
            **spent(_usage(row), header.model),
            "latency_s": _float(row.get("working_time")),
            "total_time_s": _float(row.get("total_time")),
            **{f"score.{name}": value for name, value in values.items()},
        },
        labels={name: row.get(name) or None for name in ("error", "limit")},
        segments=dividing(metadata),
        record=number,
    )


def _usage(row: Row) -> dict[str, Usage]:
    try:
        return _USAGE.decode(row.get("model_usage") or "{}")
    except (msgspec.MsgspecError, TypeError):
        return {}


def _float(value: Any) -> float | None:
    return None if value in (None, "") else float(value)


def _parsed(text: Any) -> Any:
    try:
        return msgspec.json.decode(text) if isinstance(text, str) else text
    except (msgspec.MsgspecError, UnicodeError):
        return None


def _copied(place: str, count: int) -> Note:
    what = Text(
        "{count} evaluation of the frame is read from its log or from another frame already, so "
        "it is left out here.",
        "{count} evaluations of the frame are read from their logs or from another frame already, "
        "so they are left out here.",
        count=count,
    )
    return Note(what, place, count)


def _unnamed(place: str) -> Note:
    what = Text(
        "The frame does not name the task, so kofn uses the name of the log. Put evals_df in "
        "the same folder: it has the task, the settings and the stated numbers."
    )
    return Note(what, place)
