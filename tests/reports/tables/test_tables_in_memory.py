"""Tables of pandas and Arrow that are in memory load as their files do."""

import pandas as pd
import pyarrow as pa
import pytest

from reports import LoadError, load
from reports.files.errors import ColumnChoice
from tests.reports.tables.written_tables import only, parquet

ROWS = pd.DataFrame(
    {
        "question_id": ["a", "a", "b", "b", "c"],
        "sample": [1, 0, 1, 0, 0],
        "correct": [True, False, None, True, False],
        "tokens": [5, 4, 3, 2, 1],
        "text": ["ax", "ay", "bx", "by", "cx"],
        "level": pd.Categorical(["easy", "easy", "hard", "hard", "easy"]),
    }
)
ARROW = pa.Table.from_pandas(ROWS)


class Relation:
    """What gives its columns to Arrow and is known for nothing else, as a relation of DuckDB."""

    def __arrow_c_stream__(self, requested_schema=None):
        return ARROW.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "table",
    [
        ROWS,
        ROWS.convert_dtypes(),
        ROWS.convert_dtypes(dtype_backend="pyarrow"),
        ROWS.set_index("question_id"),
        ROWS.set_index(pd.Index([9, 7, 5, 3, 1])),
        ARROW,
        ARROW.to_batches()[0],
        ARROW.set_column(0, "question_id", ARROW["question_id"].cast(pa.string_view())),
        ARROW.set_column(4, "text", ARROW["text"].cast(pa.string_view())),
        pa.concat_tables([ARROW[:2], ARROW[2:]]),
        Relation(),
    ],
)
def test_a_table_in_memory_loads_as_its_file_does(table):
    (run,) = load(table).runs
    known = only("table", parquet(ARROW))
    assert run.outcomes.correct.tolist() == [[0, 1], [1, -1], [0, -2]]
    assert run.outcomes.digest == known.outcomes.digest
    assert (run.model, run.dataset) == ("table", "table")
    assert run.columns["tokens_out"][1].tolist() == [2, 3]
    assert run.texts("b").predictions == ("by", "bx")
    assert run.outcomes.segments["level"].tolist() == ["easy", "hard", "easy"]


def test_what_its_columns_are_can_be_told_and_is_asked_for():
    table = ROWS.rename(columns={"correct": "marked", "question_id": "about"})[
        ["about", "sample", "marked"]
    ]
    with pytest.raises(ColumnChoice):
        load(table)
    (run,) = load(table, columns={"correct": "marked", "question_id": "about"}).runs
    assert run.outcomes.correct.tolist() == [[0, 1], [1, -1], [0, -2]]


@pytest.mark.parametrize(
    "table",
    [pd.DataFrame({"a": [1, "x"]}), pd.DataFrame([[1, 2]], columns=["x", "x"])],
)
def test_what_is_no_table_of_arrow_is_refused_in_one_sentence(table):
    with pytest.raises(LoadError, match="cannot be converted to columns of Arrow"):
        load(table)
