"""A table of pandas, polars or Arrow with a row for each sample, as outcomes.

None of these is imported: columns are taken by their names, and arrays made of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.inputs import as_numbers
from metrics.data.outcomes import ABSENT, FAILED, Outcomes
from metrics.data.words import MetricError, Text, some_of

QUESTION = ("question_id", "question", "problem_id", "task_id", "doc_id", "id")
CORRECT = ("correct", "is_correct", "passed")
SAMPLE = ("sample", "sample_id", "epoch", "trial", "attempt")
OF_RUNS = ("model", "dataset")
_SHOWN = 5
_LOAD = Text("reports.load(table) reads tables of any layout, and says what each column is.")


def columns_of(data: Any) -> list[str] | None:
    """Return the names of the columns of a table; None of what is none.

    Examples
    --------
    >>> columns_of(np.eye(2)) is None
    True
    """
    if not hasattr(type(data), "__arrow_c_stream__"):
        return None
    names = getattr(data, "column_names", None)
    names = getattr(data, "columns", None) if names is None else names
    return None if names is None else [*map(str, names)]


def outcomes_of_table(data: Any, names: list[str]) -> Outcomes | None:
    """Return the outcomes of a long table of one run; None of one that is a plain matrix.

    names: Its columns.
    Raises MetricError if it is another table, which `reports.load` may read: its columns do not say
    which question and which sample a row is, it holds several runs, or verdicts that are not 0 and
    1.
    """
    if not {*QUESTION, *SAMPLE} & {*names}:
        if as_numbers(np.asarray(data), missing=np.nan).dtype.kind in "biuf":
            return None
        raise _table_error(Text("has no columns question_id and correct"))
    question, correct = (_column_named(names, known) for known in (QUESTION, CORRECT))
    if question is None or correct is None:
        missing = "question_id" if question is None else "correct"
        raise _table_error(Text("has no column {name}", name=missing))
    sample = _column_named(names, SAMPLE)
    for name in OF_RUNS:
        if name in names and len({*_texts(data, name)}) > 1:
            raise _table_error(
                Text("holds several runs: {name} is not the same in all rows", name=name)
            )
    others = [name for name in names if name not in (question, correct, sample, *OF_RUNS)]
    if sample is None and others:
        raise _table_error(
            Text(
                "has no column sample, so {columns} may tell runs apart rather than samples",
                columns=some_of(others, _SHOWN),
            )
        )
    ids, codes = _coded(_texts(data, question))
    verdicts = _verdicts(_values(data, correct), correct)
    order = np.arange(len(codes)) if sample is None else _ranks(_values(data, sample), sample)
    rows = np.lexsort((order, codes))
    same = (np.diff(codes[rows]) == 0) & (np.diff(order[rows]) == 0)
    if same.any():
        twice = ids[codes[rows][np.argmax(same)]]
        raise _table_error(Text("has a sample of question {id:.40} twice", id=twice))
    counts = np.bincount(codes)
    slot = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    matrix = np.full((len(ids), counts.max()), ABSENT, np.int8)
    matrix[codes[rows], slot] = verdicts[rows]
    return Outcomes(matrix, questions=ids)


def _table_error(problem: Text) -> MetricError:
    return MetricError(Text("The table {problem}. {load}", problem=problem, load=_LOAD))


def _column_named(names: list[str], known: tuple[str, ...]) -> str | None:
    found = [name for name in known if name in names]
    if len(found) > 1:
        raise _table_error(
            Text("has {columns}, any of which may be meant", columns=some_of(found, _SHOWN))
        )
    return found[0] if found else None


def _values(data: Any, name: str) -> NDArray[Any]:
    values = np.asarray(data[name])
    if values.ndim != 1 or not len(values):
        raise _table_error(Text("has no rows, or two columns {name}", name=name))
    return values


def _texts(data: Any, name: str) -> list[str]:
    values = _values(data, name).tolist()
    if any(map(_is_missing, values)):
        raise _table_error(Text("has rows in which {name} is empty", name=name))
    return [*map(str, values)]


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or value != value


def _coded(texts: list[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Return the different texts in their order, and which of them each is."""
    known = {text: code for code, text in enumerate(dict.fromkeys(texts))}
    return [*known], np.array([known[text] for text in texts], dtype=np.intp)


def _ranks(values: NDArray[Any], name: str) -> NDArray[np.intp]:
    values = as_numbers(values)
    if values.dtype.kind not in "biuf" or (values != values).any():
        raise _table_error(Text("does not number its samples in {name}", name=name))
    return np.unique(values, return_inverse=True)[1]


def _verdicts(values: NDArray[Any], name: str) -> NDArray[np.int8]:
    numbers = as_numbers(values, missing=np.nan)
    if numbers.dtype.kind not in "biuf":
        raise _table_error(Text("holds no 0 and 1 in {name}", name=name))
    numbers = numbers.astype(np.float64)
    failed = np.isnan(numbers)
    if failed.all() or not np.isin(numbers[~failed], (0, 1)).all():
        raise _table_error(Text("holds no 0 and 1 in {name}", name=name))
    return np.where(failed, FAILED, numbers).astype(np.int8)
