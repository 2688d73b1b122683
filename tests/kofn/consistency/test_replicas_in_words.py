"""Replicas that chance does not explain are named wherever votes are counted."""

import json

import pytest

from kofn.command import main
from kofn.consistency.words import heading
from kofn.writing.estimates import percent
from metrics import estimate, replicas
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
    assert "Replica 3 stands out: 22.5% of its samples are right, while chance gives" in said
    (row,) = json.loads(told(capsys, path, "--format", "json"))["votes"]
    assert row["standing_out"] == "3"
    assert row["spread"] > 2 * row["spread_by_chance"]
    assert row["flips_low"] < row["flips"] < row["flips_high"]
    assert row["flipped_low"] < row["flipped"] < row["flipped_high"]
    assert row["within_low"] < row["within"] < row["within_high"]


def test_every_run_with_several_samples_has_its_spread_and_its_share_of_flips(tmp_path, capsys):
    paths = []
    for name, n in (("a", 6), ("b", 3), ("c", 1)):
        paths.append(str(tmp_path / f"{name}.parquet"))
        (tmp_path / f"{name}.parquet").write_bytes(table(outcomes(60, n), model=name))
    assert main(["consistency", *paths]) == 0
    said = capsys.readouterr().out
    for n in (6, 3):
        found = replicas(outcomes(60, n))
        mixed = outcomes(60, n).sum(axis=1) % n > 0
        assert found.flipped.value == pytest.approx(mixed.mean())
        assert (found.tries, found.flipped.interval) == (
            n,
            pytest.approx(estimate(mixed[:, None].astype(int), "avg@n").interval),
        )
        assert f"{n} replicas range from {found.accuracy.min():.1%}" in said
        assert f"{percent(found.flipped.value, *found.flipped.interval)} flip between" in said
    assert said.count("replicas range from") == 2


def test_of_one_sample_nothing_is_said(tmp_path, capsys):
    path = tmp_path / "t.parquet"
    path.write_bytes(table(outcomes(30, 1)))
    (row,) = json.loads(told(capsys, path, "--format", "json"))["votes"]
    assert row["spread"] is row["standing_out"] is row["flips"] is None


def test_a_heading_names_what_stands_out_and_nothing_else():
    right = outcomes(200, 6)
    assert str(heading(replicas(right))) == "Run to run"
    right[100:, 2] = 0
    assert str(heading(replicas(right))) == "Run to run: replica 3 stands out"
