"""Tables that engines and files must read alike, and what is compared of them."""

import pyarrow as pa
from hypothesis import strategies as st

from metrics import Counts
from reports import LoadError, Report, load

NAMES = ("model", "dataset", "question_id", "sample", "correct", "subject", "source")
SCHEMA = pa.schema(
    [(name, pa.int64() if name in ("sample", "correct") else pa.string()) for name in NAMES]
)

models = st.sampled_from(["m'1", 'm"2', "模型`3", "a\\b"])
cells = st.tuples(
    models,
    st.sampled_from(["d", "e;--"]),
    st.sampled_from(["q1", "q'2", "ｑ\u200b3", ""]),
    st.integers(-3, 6),
    st.sampled_from([0, 1, 1, None]),
)
odd_cells = st.tuples(
    st.one_of(models, st.none()),
    st.just("d"),
    st.sampled_from(["q1", "q2", None]),
    st.sampled_from([0, 1, 1_000, None]),
    st.sampled_from([0, 1, 2, None]),
)
subjects = st.dictionaries(st.sampled_from(["q1", "q'2", ""]), st.sampled_from(["x", "y"]))


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Draw ragged samples of few questions, with segments that may differ within one."""
    rows = draw(st.lists(cells, min_size=1, max_size=40, unique_by=lambda row: row[:4]))
    of, by_sample = draw(subjects), draw(st.booleans())
    return _table([(*row, of.get(row[2]), "ab"[row[3] % 2 * by_sample]) for row in rows])


@st.composite
def odd_tables(draw: st.DrawFn) -> pa.Table:
    """Draw samples that may occur twice, or lack a name or verdict."""
    rows = draw(st.lists(odd_cells, min_size=1, max_size=12))
    return _table([(*row, None, "a") for row in rows])


def _table(rows: list[tuple]) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)], SCHEMA)


def wide() -> pa.Table:
    """Return a table with a column for each sample, some of which failed."""
    columns = {"question_id": ["a", "b", "c"], "model": ["m", "m", "n"], "level": [1, 2, None]}
    samples = {"correct_1": [1, 0, 1], "correct_2": [1, None, 0], "correct_3": [True, False, None]}
    return pa.table({**columns, **samples})


def lists() -> pa.Table:
    """Return a table of lists, of which one is empty and one holds nothing."""
    verdicts = pa.array([[1, 0, None], [1], [], [0, 1]], pa.list_(pa.int64()))
    return pa.table({"question_id": ["a", "b", "c", "d"], "correct": verdicts})


def counted() -> pa.Table:
    """Return a table of counts."""
    return pa.table({"question_id": ["a", "b", "c"], "n": [4, 8, 8], "c": [1, 8, 0]})


def worded() -> pa.Table:
    """Return a table of verdicts in words, with errors."""
    return pa.table(
        {
            "qid": ["a", "a", "b", "b"],
            "sample": [1, 2, 1, 2],
            "passed": ["Yes", "no ", "PASS", None],
            "error": [None, "", "boom", "none"],
        }
    )


def scored() -> pa.Table:
    """Return a table of scores, one of them no number."""
    scores = [0.4, 0.9, 0.5, float("nan")]
    return pa.table({"question_id": ["a", "a", "b", "b"], "sample": [0, 1, 0, 1], "score": scores})


SHAPES = (wide, lists, counted, worded, scored)


def seen(source: str, **options) -> dict | str:
    """Return what matters of a report: the counts and settings of each run, or that it is none."""
    try:
        return known(load(source, **options))
    except LoadError:
        return "refused"


def known(report: Report) -> dict:
    """Return the counts and settings of each run."""
    found = {}
    for run in report.runs:
        counts = Counts.of(run.outcomes) if run.counts is None else run.counts
        found[run.model, run.dataset] = (counts.digest, dict(run.settings), run.threshold)
    return found
