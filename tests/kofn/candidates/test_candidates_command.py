"""``kofn candidates``: every format, and columns that are not there."""

import json

import pytest

from kofn.command import main
from metrics import selected, selection_efficiency
from tests.kofn.candidates.picked_runs import drawn, table
from tests.kofn.indexed import HOSTILE


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_the_command_prints_every_format(form, tmp_path, capsys):
    right, signal = drawn(20, 4)
    path = tmp_path / "a.parquet"
    path.write_bytes(table(right, signal, HOSTILE, tokens_out=[10] * right.size))
    assert main(["candidates", str(path), "--format", form]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "rm" in printed
    if form == "json":
        document = json.loads(printed)
        assert document["picking"] == {"signal": "", "soft": "no"}
        numbers = {(row["number"], row["k"]): row for row in document["numbers"]}
        truth = selected(right, signal)
        found = numbers["selected@3", 3]
        assert (found["value"], found["low"], found["high"]) == (
            truth.value[2],
            truth.low[2],
            truth.high[2],
        )
        assert found["tokens"] == 30
        assert numbers["efficiency", 4]["value"] == selection_efficiency(right, signal).value


def test_a_column_that_no_run_has_is_refused(tmp_path, capsys):
    right, signal = drawn(4, 2)
    path = tmp_path / "a.parquet"
    path.write_bytes(table(right, signal))
    assert main(["candidates", str(path), "--signal", "judge"]) == 2
    assert "There is no column judge to pick by; known: rm." in capsys.readouterr().err
