"""Replicas that chance does not explain are named wherever votes are counted."""

import json

from kofn.command import main
from tests.pages.visiting import outcomes, table


def told(capsys, path, *flags):
    assert main(["consistency", str(path), *flags]) == 0
    return capsys.readouterr().out


def test_a_replica_that_broke_off_is_named(tmp_path, capsys):
    right = outcomes(200, 6)
    right[100:, 2] = 0
    path = tmp_path / "t.parquet"
    path.write_bytes(table(right))
    said = told(capsys, path)
    assert "Replica 3 stands out: 22.5% right where chance gives" in said
    (row,) = json.loads(told(capsys, path, "--format", "json"))["votes"]
    assert row["standing_out"] == "3"
    assert row["spread"] > 2 * row["spread_by_chance"]
    assert row["flips_low"] < row["flips"] < row["flips_high"]
    assert row["within_low"] < row["within"] < row["within_high"]


def test_of_one_sample_nothing_is_said(tmp_path, capsys):
    path = tmp_path / "t.parquet"
    path.write_bytes(table(outcomes(30, 1)))
    (row,) = json.loads(told(capsys, path, "--format", "json"))["votes"]
    assert row["spread"] is row["standing_out"] is row["flips"] is None
